# SPDX-License-Identifier: LGPL-2.1-or-later
# One target with all that the program stands on. deal.II brings PETSc, SLEPc,
# MUMPS, p4est and Trilinos (NOX, LOCA) with it; their headers are "system"
# headers, so that our warnings speak of our code alone.
find_package(deal.II 9.4 REQUIRED)
foreach(feature MPI PETSC SLEPC TRILINOS P4EST)
  if(NOT DEAL_II_WITH_${feature})
    message(FATAL_ERROR "deal.II was built without ${feature}, which slender_fem needs")
  endif()
endforeach()
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(nlohmann_json 3 REQUIRED)
find_path(MUPARSER_INCLUDE_DIR muParser.h REQUIRED)
find_library(MUPARSER_LIBRARY muparser REQUIRED)
# MUMPS in single precision: deal.II names the one in double precision alone.
find_path(MUMPS_INCLUDE_DIR smumps_c.h REQUIRED)
find_library(SMUMPS_LIBRARY smumps REQUIRED)
# Siconos solves the contacts' own problem. Its library brings a sequential MUMPS
# with it, whose names are those of the parallel one: it is linked last, so that
# PETSc keeps its own.
find_path(SICONOS_INCLUDE_DIR SiconosConfig.h PATH_SUFFIXES siconos REQUIRED)
find_library(SICONOS_NUMERICS siconos_numerics REQUIRED)
find_library(SICONOS_EXTERNALS siconos_externals REQUIRED)

add_library(slender_dependencies INTERFACE)
# The compiler's own path may not be named again: that would reorder the
# headers of the C library.
set(include_directories ${DEAL_II_INCLUDE_DIRS})
list(REMOVE_ITEM include_directories /usr/include)
target_include_directories(slender_dependencies SYSTEM INTERFACE ${include_directories})
target_link_libraries(slender_dependencies INTERFACE Eigen3::Eigen nlohmann_json::nlohmann_json
  ${MUPARSER_LIBRARY} ${SMUMPS_LIBRARY}
  "$<IF:$<CONFIG:Debug>,${DEAL_II_LIBRARIES_DEBUG},${DEAL_II_LIBRARIES_RELEASE}>"
  ${SICONOS_NUMERICS} ${SICONOS_EXTERNALS})
# Of the 300 libraries only those that are called should be loaded at start-up.
target_link_options(slender_dependencies INTERFACE -Wl,--as-needed)
# MPI's C++ bindings are not used and only cost compile time.
target_compile_definitions(slender_dependencies INTERFACE
  OMPI_SKIP_MPICXX ${DEAL_II_USER_DEFINITIONS} $<$<CONFIG:Debug>:DEBUG>)
