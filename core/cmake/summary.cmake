# SPDX-License-Identifier: MIT
# summary.cmake - the table that configure prints: each dependency, found or not, and the features that it enables.
#
#   arr_summary(NAME FOUND WHAT)   FOUND is a true value, or a version, where it was found
#   arr_print_summary()            prints the table; call it once, at the end

function(arr_summary name found what)
  if("${found}" MATCHES "^[0-9]+\\.")  # a version
    set(state "${found}")
  elseif(found)
    set(state "yes")
  else()
    set(state "no")
  endif()
  set_property(GLOBAL APPEND PROPERTY ARR_SUMMARY "${name}|${state}|${what}")
endfunction()

# Pads text on the right to width columns.
function(_arr_pad text width result)
  string(LENGTH "${text}" n)
  math(EXPR missing "${width} - ${n}")
  if(missing GREATER 0)
    string(REPEAT " " ${missing} spaces)
    set(text "${text}${spaces}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

function(arr_print_summary)
  get_property(rows GLOBAL PROPERTY ARR_SUMMARY)
  list(PREPEND rows "dependency|found|enables")
  set(w0 0)
  set(w1 0)
  foreach(row IN LISTS rows)
    string(REPLACE "|" ";" cells "${row}")
    foreach(i 0 1)
      list(GET cells ${i} cell)
      string(LENGTH "${cell}" n)
      if(n GREATER w${i})
        set(w${i} ${n})
      endif()
    endforeach()
  endforeach()
  message(STATUS "")
  message(STATUS "libarr ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}, "
                 "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  foreach(row IN LISTS rows)
    string(REPLACE "|" ";" cells "${row}")
    list(GET cells 0 a)
    list(GET cells 1 b)
    list(GET cells 2 c)
    _arr_pad("${a}" ${w0} a)
    _arr_pad("${b}" ${w1} b)
    message(STATUS "  ${a}  ${b}  ${c}")
  endforeach()
  message(STATUS "")
endfunction()
