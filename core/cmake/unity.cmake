# SPDX-License-Identifier: MIT
# unity.cmake - a first build in half the time: the files of a folder are compiled as one.
#
#   arr_unite(TARGET)
#
# After the target has its files. An edit then recompiles a folder, so that the option is for those who use the library,
# not for those who change it (examples/run.sh sets it for a first build). Names in unnamed namespaces are unique
# within their folder; the test house.unity compiles the folders so.
option(ARR_UNITY "Compile the files of a folder as one" OFF)

function(arr_unite target)
  if(NOT ARR_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # GCC 12 sees more of a program there, and takes an array of three for one of none, and what a loop fills for unset.
  target_compile_options(${target} PRIVATE
    "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow;-Wno-array-bounds;-Wno-maybe-uninitialized>")
  get_target_property(files ${target} SOURCES)
  foreach(file IN LISTS files)
    cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} NORMALIZE)
    if(NOT file MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${file} generated)
    if(file MATCHES "/embed/[^/]+$")  # texts, each a constant (embed.cmake)
      set(group embedded)
    elseif(generated)
      continue()
    else()
      cmake_path(GET file PARENT_PATH folder)
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      string(MAKE_C_IDENTIFIER "${folder}" group)
    endif()
    set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
