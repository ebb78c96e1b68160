# SPDX-License-Identifier: MIT
# families.cmake - arr_add_families() adds the folders that the calling folder has of the families of
# core/table/families.def.
set(_arr_families ${PROJECT_SOURCE_DIR}/core/table/families.def)
set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${_arr_families})
file(STRINGS ${_arr_families} ARR_FAMILIES REGEX "^ARR_(BACKEND_)?FAMILY\\(")
list(TRANSFORM ARR_FAMILIES REPLACE "^[A-Z_]+\\(([a-z0-9_]+),.*" "\\1")

function(arr_add_families)
  foreach(family IN LISTS ARR_FAMILIES)
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${family}/CMakeLists.txt)
      add_subdirectory(${family})
    endif()
  endforeach()
endfunction()
