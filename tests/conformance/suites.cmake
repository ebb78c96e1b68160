# SPDX-License-Identifier: MIT
# Functions that turn a suite of a family's folder into tests.
#
# arr_conformance(NAME SCRIPT DEVICE [ARGUMENTS ...] [ENVIRONMENT ...])  one test
# arr_suite(NAME <kinds> [CUDA_ARGUMENTS ...])                           the tests of NAME.py in the calling folder:
#   HOST           on the host
#   LEVELS         on the host, at each instruction-set level
#   CUDA           on the CUDA module over the fake
#   CUDA_DEFERRED  the same, where work runs as late as the order of streams allows, so that a missing wait shows
#   ASYNCHRONOUS   on the host with streams that are late
#   MEMORY         each call first fails at every allocation, on the host
#   MEMORY_CUDA    the same on the CUDA module
#   FLOATS         in other floating-point environments of the caller, which change no bit
set(_arr_library "ARR_LIBRARY=${PROJECT_BINARY_DIR}/lib/libarr.so.0")
set(_arr_conformance ${CMAKE_CURRENT_LIST_DIR})

# Compiled kernels are kept between runs; the fake compiles them with the host's compiler. Its libraries, and NumPy, call
# OpenBLAS thousands of times for small matrices: on a machine with other work each of two threads waits for the other one.
set(_arr_kept "ARR_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/cache")
set(_arr_fake "${_arr_kept}" "OPENBLAS_NUM_THREADS=1" ${ARR_FIBER_PRELOAD_ENVIRONMENT})
foreach(part DRIVER NVRTC CUBLAS CUBLASLT CUSOLVER CUFFT CUSPARSE CUDSS NCCL CURAND)
  list(APPEND _arr_fake "ARR_CUDA_${part}=${PROJECT_BINARY_DIR}/fake_cuda/libarr_fake_cuda.so")
endforeach()
set(_arr_fake_linker "ARR_CUDA_NVJITLINK=${PROJECT_BINARY_DIR}/fake_cuda/libarr_fake_cuda.so")

# The levels that are built: those of this processor unless .ci/run asks for all.
set(_arr_levels ${ARR_BUILT_LEVELS})

# Allocations fail by a library that replaces operator new. A sanitizer has an operator new of its own.
if(NOT ARR_SANITIZE)
  add_subdirectory(${PROJECT_SOURCE_DIR}/tests/support/failing_new ${CMAKE_CURRENT_BINARY_DIR}/failing_new)
  set(_arr_failing "LD_PRELOAD=$<TARGET_FILE:arr_failing_new>")
endif()

function(arr_conformance name script device)
  cmake_parse_arguments(T "" "" "ENVIRONMENT;ARGUMENTS" ${ARGN})
  if(device STREQUAL "cuda" AND NOT TARGET arr_cuda)
    return()
  endif()
  cmake_path(ABSOLUTE_PATH script BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  add_test(NAME conformance.${name} COMMAND ${ARR_ORACLE_PYTHON} -B ${script}
    --device ${device} ${T_ARGUMENTS})
  set_tests_properties(conformance.${name} PROPERTIES LABELS conformance TIMEOUT 2700 SKIP_RETURN_CODE 77
    ENVIRONMENT "${_arr_library};${ARR_PRELOAD_ENVIRONMENT};${T_ENVIRONMENT}")
  if(device STREQUAL "cuda")
    set_tests_properties(conformance.${name} PROPERTIES COST ${ARR_COST_KERNELS})
  endif()
endfunction()

# NAME.py's calls, each of which first fails at every allocation.
function(arr_short_of_memory suite device)
  if(ARR_SANITIZE)
    return()
  endif()
  cmake_parse_arguments(T "" "TIMEOUT" "ENVIRONMENT;ARGUMENTS" ${ARGN})
  set(name short_of_memory.${suite})
  if(device STREQUAL "cuda")
    set(name ${name}.cuda)
    list(PREPEND T_ENVIRONMENT ${_arr_fake})
  endif()
  arr_conformance(${name} ${_arr_conformance}/short_of_memory.py ${device} ARGUMENTS ${T_ARGUMENTS}
    ENVIRONMENT "${_arr_failing};ARR_SUITE=${suite};${T_ENVIRONMENT}")
  if(T_TIMEOUT AND TEST conformance.${name})
    set_tests_properties(conformance.${name} PROPERTIES TIMEOUT ${T_TIMEOUT})
  endif()
endfunction()

# ARR_SUITE says which suite's calls.
function(arr_float_environment suite)
  arr_conformance(float_environment.${suite} ${_arr_conformance}/float_environment.py host ENVIRONMENT "ARR_SUITE=${suite};${ARGN}")
endfunction()

function(arr_suite suite)
  cmake_parse_arguments(S "HOST;LEVELS;CUDA;CUDA_DEFERRED;ASYNCHRONOUS;MEMORY;MEMORY_CUDA;FLOATS" "" "CUDA_ARGUMENTS"
    ${ARGN})
  if(S_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "arr_suite(${suite}): unknown ${S_UNPARSED_ARGUMENTS}")
  endif()
  if(S_LEVELS)
    foreach(level IN LISTS _arr_levels)
      arr_conformance(${suite}.host.${level} ${suite}.py host ENVIRONMENT "ARR_ISA=${level}")
    endforeach()
  endif()
  if(S_HOST)
    arr_conformance(${suite}.host ${suite}.py host)
  endif()
  if(S_CUDA)
    arr_conformance(${suite}.cuda ${suite}.py cuda ENVIRONMENT "${_arr_fake}" ARGUMENTS ${S_CUDA_ARGUMENTS})
  endif()
  if(S_CUDA_DEFERRED)
    arr_conformance(${suite}.cuda ${suite}.py cuda ENVIRONMENT "${_arr_fake};ARR_FAKE_CUDA_SET=defer=1")
  endif()
  if(S_ASYNCHRONOUS)
    arr_conformance(${suite}.host.asynchronous ${suite}.py host ENVIRONMENT "ARR_HOST_ASYNC=1")
  endif()
  if(S_MEMORY)
    arr_short_of_memory(${suite} host)
  endif()
  if(S_MEMORY_CUDA)
    arr_short_of_memory(${suite} cuda)
  endif()
  if(S_FLOATS)
    arr_float_environment(${suite})
  endif()
endfunction()

# Thousands of kernels, or of launches with barriers, which no sanitizer sees inside. Other suites run the same code.
function(arr_slow_under_sanitizers)
  if(ARR_SANITIZE AND TARGET arr_cuda)
    foreach(suite IN LISTS ARGN)
      set_tests_properties(conformance.${suite} PROPERTIES LABELS "conformance;slow")
    endforeach()
  endif()
endfunction()
