# SPDX-License-Identifier: MIT
# ccache.cmake - compiles through ccache where it is found; include it before any target is made.
find_program(ARR_CCACHE ccache DOC "Compiler cache (optional)")
mark_as_advanced(ARR_CCACHE)
if(ARR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${ARR_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ARR_CCACHE})
endif()
