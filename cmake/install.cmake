# SPDX-License-Identifier: LGPL-2.1-or-later
# What `cmake --install` puts where: the program, what its parameter files need,
# scripts that make reports and films, the Python module, the documentation with
# its pictures, manual page and completion.
set(data ${CMAKE_INSTALL_DATADIR}/slender_fem)

install(TARGETS slender_fem RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY prm reference meshes DESTINATION ${data} PATTERN __pycache__ EXCLUDE)
install(PROGRAMS scripts/report scripts/animate DESTINATION ${data}/scripts)
install(DIRECTORY scripts/report_lib DESTINATION ${data}/scripts PATTERN __pycache__ EXCLUDE)

install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY doc DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES benchmarks/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/benchmarks)
install(FILES reference/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/reference)

# A Python of the same prefix finds its modules in site-packages, but Debian's own
# in /usr and /usr/local looks into dist-packages. The prefix is known when it is
# installed, not before.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  set(version ${Python3_VERSION_MAJOR}.${Python3_VERSION_MINOR})
  install(CODE "
    set(folder site-packages)
    if(\"\${CMAKE_INSTALL_PREFIX}\" MATCHES \"^/usr(/local)?$\" AND EXISTS /etc/debian_version)
      set(folder dist-packages)
    endif()
    file(INSTALL \"${CMAKE_SOURCE_DIR}/python/slender\"
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/python${version}/\${folder}\"
      PATTERN __pycache__ EXCLUDE)")

  # The program says what stands in its manual page, when it is installed: a build
  # of the program alone will do. With sanitizers it is not to be installed.
  if(NOT SLENDER_SANITIZE)
    set(manual ${CMAKE_BINARY_DIR}/manual)
    install(CODE "
      execute_process(COMMAND \"${Python3_EXECUTABLE}\" \"${CMAKE_SOURCE_DIR}/scripts/manual\"
        \"$<TARGET_FILE:slender_fem>\" \"${manual}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES ${manual}/slender_fem.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${manual}/slender_fem.bash
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME slender_fem)
  endif()
else()
  message(STATUS "Without Python 3 there is no manual page, completion or Python module")
endif()
