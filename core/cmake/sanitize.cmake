# SPDX-License-Identifier: MIT
# sanitize.cmake - ARR_SANITIZE and ARR_COVERAGE, applied to every target made after the include.
#
# Include it from the top CMakeLists before any add_subdirectory. After it
#   ARR_TEST_ENVIRONMENT  a list of NAME=VALUE that every test should run with (empty without
#                         sanitizers), for set_tests_properties(... ENVIRONMENT)
#   ARR_PRELOAD           LD_PRELOAD=<runtime>: where an uninstrumented program (python) loads libarr the
#                         sanitizer's runtime has to come first
#   ARR_PRELOAD_ENVIRONMENT  ARR_TEST_ENVIRONMENT and ARR_PRELOAD for such programs, without the search for
#                         leaks: an interpreter ends with most of its memory in use, and counts of handles find leaks
#   ARR_FIBER_ENVIRONMENT, ARR_FIBER_PRELOAD_ENVIRONMENT  the two lists for tests that run raw kernels: without the search
#                         for uses after return, which maps a second stack for each thread of each block
set(ARR_SANITIZE "" CACHE STRING "Sanitizers: empty, 'address,undefined' or 'thread'")
option(ARR_COVERAGE "Count the lines that tests run (gcov)" OFF)
set(ARR_TEST_ENVIRONMENT "")
set(ARR_PRELOAD "")
set(ARR_PRELOAD_ENVIRONMENT "")
set(ARR_FIBER_ENVIRONMENT "")
set(ARR_FIBER_PRELOAD_ENVIRONMENT "")

# Path of a runtime library of the compiler, or an error where the compiler does not have it.
function(_arr_runtime name result)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${name}
    OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${path}")
    message(FATAL_ERROR "ARR_SANITIZE=${ARR_SANITIZE}: the compiler has no ${name}")
  endif()
  set(${result} ${path} PARENT_SCOPE)
endfunction()

if(ARR_SANITIZE)
  set(_arr_supp ${PROJECT_SOURCE_DIR}/tests/support)
  set(_arr_flags -fsanitize=${ARR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # The sanitizers' own code makes GCC see variables without a value (its documentation of -fsanitize says so).
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND _arr_flags -Wno-maybe-uninitialized)
  endif()
  foreach(lang C CXX Fortran)
    add_compile_options("$<$<COMPILE_LANGUAGE:${lang}>:${_arr_flags};-g>")
  endforeach()
  add_link_options(-fsanitize=${ARR_SANITIZE})
  if(ARR_SANITIZE MATCHES "address")
    _arr_runtime(libasan.so _arr_rt)
    # Leaks of the interpreters and of the vendor libraries are theirs: see lsan.supp. GCC 12's search reads
    # the thread-local memory of unloaded modules and faults, hence use_tls=0.
    list(APPEND ARR_TEST_ENVIRONMENT
      "ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1:halt_on_error=1"
      "LSAN_OPTIONS=use_tls=0:suppressions=${_arr_supp}/lsan.supp:print_suppressions=0"
      "UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1")
  elseif(ARR_SANITIZE MATCHES "thread")
    _arr_runtime(libtsan.so _arr_rt)
    # Debian's oneTBB is not instrumented, so TSan cannot see its hand-overs: see tsan.supp.
    list(APPEND ARR_TEST_ENVIRONMENT
      "TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:suppressions=${_arr_supp}/tsan.supp")
  else()
    message(FATAL_ERROR "ARR_SANITIZE=${ARR_SANITIZE}: expected 'address,undefined' or 'thread'")
  endif()
  # The runtime looks __cxa_throw up when it starts, before the program has loaded libarr's C++ library.
  _arr_runtime(libstdc++.so.6 _arr_cxx)
  set(ARR_PRELOAD "LD_PRELOAD=${_arr_rt}:${_arr_cxx}")
  set(ARR_PRELOAD_ENVIRONMENT ${ARR_TEST_ENVIRONMENT} ${ARR_PRELOAD})
  list(TRANSFORM ARR_PRELOAD_ENVIRONMENT REPLACE "detect_leaks=1" "detect_leaks=0")
  set(ARR_FIBER_ENVIRONMENT ${ARR_TEST_ENVIRONMENT})
  set(ARR_FIBER_PRELOAD_ENVIRONMENT ${ARR_PRELOAD_ENVIRONMENT})
  foreach(list ARR_FIBER_ENVIRONMENT ARR_FIBER_PRELOAD_ENVIRONMENT)
    list(TRANSFORM ${list} REPLACE "use_after_return=1" "use_after_return=0")
  endforeach()
endif()

if(ARR_COVERAGE)
  add_compile_options("$<$<COMPILE_LANGUAGE:C>:--coverage>" "$<$<COMPILE_LANGUAGE:CXX>:--coverage>")
  add_link_options(--coverage)
endif()
