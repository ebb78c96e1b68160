# SPDX-License-Identifier: MIT
# ccache.cmake - compiles through ccache where it is found; include it before any target is made.
find_program(ARR_CCACHE ccache DOC "Compiler cache (optional)")
mark_as_advanced(ARR_CCACHE)
if(ARR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${ARR_CCACHE})
  # GCC's precompiled headers: ccache has to be told that their macros and times do not matter.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros ${ARR_CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()
