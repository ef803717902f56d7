# SPDX-License-Identifier: LGPL-2.1-or-later
# A Python for the tests. Another one may hide the one that Debian's packages
# extend, so that the first of the path need not do.
include_guard()

function(slender_has_modules result interpreter)
  execute_process(COMMAND ${interpreter} -c "import numpy, vtk, matplotlib"
    RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()

find_program(SLENDER_PYTHON NAMES python3 PATHS /usr/bin VALIDATOR slender_has_modules
  DOC "Python with numpy, vtk and matplotlib, for the tests")
if(NOT SLENDER_PYTHON)
  # No reason not to build the program: the tests themselves will fail.
  message(STATUS "The tests need a Python with numpy, vtk and matplotlib "
    "(scripts/setup --tests)")
  set(SLENDER_PYTHON python3)
endif()

# slender_add_python_test(NAME SCRIPT [LABELS …] [PROCESSORS n] [ARGUMENTS …]):
# a script that gets the program in SLENDER_FEM and mpirun in SLENDER_MPIEXEC,
# and is skipped where it ends with 77.
function(slender_add_python_test name script)
  cmake_parse_arguments(test "" "PROCESSORS" "LABELS;ARGUMENTS" ${ARGN})
  if(NOT test_PROCESSORS)
    set(test_PROCESSORS 1)
  endif()
  # Sanitizers slow the program down tenfold.
  set(timeout 600)
  if(SLENDER_SANITIZE)
    set(timeout 3000)
  endif()
  add_test(NAME ${name}
    COMMAND ${SLENDER_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/${script} ${test_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES
    LABELS "${test_LABELS}"
    PROCESSORS ${test_PROCESSORS}
    TIMEOUT ${timeout}
    SKIP_RETURN_CODE 77
    ENVIRONMENT "SLENDER_FEM=$<TARGET_FILE:slender_fem>;SLENDER_MPIEXEC=${DEAL_II_MPIEXEC};PYTHONDONTWRITEBYTECODE=1")
endfunction()
