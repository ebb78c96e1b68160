# SPDX-License-Identifier: MIT
# precompile.cmake - the standard library's headers, parsed once per target instead of once per file.
#
#   arr_precompile(TARGET [HEADER...])
#
# Only headers that never change: an edit of one of ours recompiles what includes it and nothing else. Files include
# what they use all the same: ARR_PRECOMPILE=OFF (the preset debug) and clang-tidy compile without.
option(ARR_PRECOMPILE "Parse the standard library's headers once per target" ON)

set(ARR_STANDARD_HEADERS algorithm array atomic cmath cstdint cstring limits map memory mutex optional span string
  string_view unordered_map utility vector)

function(arr_precompile target)
  # With a folder as one file (unity.cmake) there are few files per target: one for all targets takes less time.
  if(ARR_PRECOMPILE AND ARR_UNITY AND NOT ARGN AND TARGET arr_core AND NOT target STREQUAL arr_core)
    target_precompile_headers(${target} REUSE_FROM arr_core)
  elseif(ARR_PRECOMPILE)
    foreach(header IN LISTS ARR_STANDARD_HEADERS ARGN)
      target_precompile_headers(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:<${header}$<ANGLE-R>>)
    endforeach()
  endif()
endfunction()
