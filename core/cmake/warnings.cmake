# SPDX-License-Identifier: MIT
# warnings.cmake - target arr_warnings: link it (PRIVATE) to get the project's warnings, as errors.
option(ARR_WERROR "Treat compiler warnings as errors" ON)

add_library(arr_warnings INTERFACE)
# Each flag is given per language: gfortran refuses the C family's.
set(_arr_warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion)
if(NOT ARR_UNITY)  # where a name of one file may be that of a variable in the next
  list(APPEND _arr_warnings -Wshadow)
endif()
if(ARR_WERROR AND NOT ARR_UNITY)  # compilers see more of a program there, and warn of what cannot be
  list(APPEND _arr_warnings -Werror)
endif()
target_compile_options(arr_warnings INTERFACE
  "$<$<COMPILE_LANGUAGE:C>:${_arr_warnings}>"
  "$<$<COMPILE_LANGUAGE:CXX>:${_arr_warnings}>")
# clang's: std::stable_sort of libstdc++ 12 calls a function that is deprecated; GCC's pragmas and warnings have names of
# GCC; the loops combine conditions by bits, and use vectors at any address, on purpose.
set(_arr_clang -Wno-deprecated-declarations -Wno-unknown-pragmas -Wno-unknown-warning-option
  -Wno-bitwise-conditional-parentheses -Wno-bitwise-instead-of-logical -Wno-align-mismatch)
target_compile_options(arr_warnings INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,Clang>:${_arr_clang}>")
unset(_arr_clang)
unset(_arr_warnings)
