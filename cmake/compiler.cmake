# SPDX-License-Identifier: LGPL-2.1-or-later
# Flags of our own code.
add_library(slender_compiler INTERFACE)
target_compile_options(slender_compiler INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(SLENDER_WARNINGS_AS_ERRORS)
  target_compile_options(slender_compiler INTERFACE -Werror)
endif()
if(SLENDER_NATIVE)
  target_compile_options(slender_compiler INTERFACE -march=native)
endif()
if(SLENDER_SANITIZE)
  set(flags -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  # GCC sees uninitialised values in instrumented code where there are none.
  add_compile_options(${flags} -g1 -Wno-maybe-uninitialized)
  add_link_options(${flags})
  # Part of every executable; see there why.
  add_library(slender_keep_plugins OBJECT tests/sanitizers/keep_plugins.cc)
  target_link_options(slender_keep_plugins INTERFACE LINKER:--export-dynamic-symbol=dlclose)
  link_libraries(slender_keep_plugins)
endif()
# deal.II names 200 libraries, through which the default linker takes half a
# minute; these take a few seconds.
include(CheckLinkerFlag)
foreach(linker lld gold)
  check_linker_flag(CXX -fuse-ld=${linker} SLENDER_HAS_${linker})
  if(SLENDER_HAS_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  # ccache can only see through a precompiled header that does not carry a time.
  add_compile_options(-fpch-preprocess)
endif()
