# SPDX-License-Identifier: LGPL-2.1-or-later
# Compiles the master curves of reference/ into the program.
file(GLOB tables CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/reference/*.csv)
set(SLENDER_TABLES "")
foreach(table ${tables})
  get_filename_component(name ${table} NAME_WE)
  file(READ ${table} text)
  string(APPEND SLENDER_TABLES "      {\"${name}\", R\"csv(${text})csv\"},\n")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
endforeach()
configure_file(${CMAKE_SOURCE_DIR}/cmake/embedded_tables.cc.in
               ${CMAKE_BINARY_DIR}/generated/embedded_tables.cc @ONLY)
