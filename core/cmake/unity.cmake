# SPDX-License-Identifier: MIT
# unity.cmake - compiles the files of a folder as one, so that their headers are read once.
#
#   arr_unity(TARGET [EXCEPT FILE...])
#
# Call it after TARGET's folders. A first build takes half the time, but the edit of one file compiles its folder. So
# examples/run.sh sets ARR_UNITY, and builds for development do not. EXCEPT names files, from the root of the project,
# that must stay alone. Files with options of their own, such as the loops of an instruction-set level, stay alone too.
# The test house.unity reads the list unity.txt in the build folder and checks that the names within a folder differ.
option(ARR_UNITY "Compile the files of a folder together" OFF)

function(arr_unity target)
  cmake_parse_arguments(U "" "" "EXCEPT" ${ARGN})
  get_target_property(sources ${target} SOURCES)
  get_target_property(home ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${home} OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${path}" NORMALIZE generated)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE file)
    if(generated OR NOT file MATCHES "\\.cpp$" OR file IN_LIST U_EXCEPT)
      continue()
    endif()
    cmake_path(GET file PARENT_PATH folder)
    set_property(GLOBAL APPEND_STRING PROPERTY ARR_UNITY_FILES "${target} ${folder} ${file}\n")
    if(ARR_UNITY)
      string(MAKE_C_IDENTIFIER "${folder}" group)
      set_source_files_properties(${path} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  if(ARR_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # A file is not to blame for the names of others, and included files look like headers.
    foreach(warning subobject-linkage shadow stringop-overflow)
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-${warning}>)
    endforeach()
  endif()
endfunction()

# Writes the list, after all targets.
function(arr_unity_list)
  get_property(files GLOBAL PROPERTY ARR_UNITY_FILES)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/unity.txt CONTENT "${files}" @ONLY)
endfunction()
