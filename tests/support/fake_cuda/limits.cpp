// SPDX-License-Identifier: MIT
// The fake driver: limits of what kernels may use, and the profiler, which only counts its calls.
#include "state.h"

using namespace arr::fake;

namespace {

// Initial values of a GPU of compute capability 9.0; it has no depth of waits in kernels.
bool begins_with(CUlimit limit, size_t* value) {
  switch (limit) {
    case CU_LIMIT_STACK_SIZE:
      *value = 1024;
      return true;
    case CU_LIMIT_PRINTF_FIFO_SIZE:
      *value = 1 << 20;
      return true;
    case CU_LIMIT_MALLOC_HEAP_SIZE:
      *value = 8 << 20;
      return true;
    case CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT:
      *value = 2048;
      return true;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
      *value = 64;
      return true;
    case CU_LIMIT_PERSISTING_L2_CACHE_SIZE:
      *value = 0;
      return true;
    default:
      return false;
  }
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

CUresult cuCtxGetLimit(size_t* value, CUlimit limit) {
  ARR_FAKE_ENTER(cuCtxGetLimit);
  ARR_FAKE_CONTEXT;
  if (!begins_with(limit, value)) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  const auto& set = current()->limits;
  if (const auto it = set.find(limit); it != set.end()) *value = it->second;
  return CUDA_SUCCESS;
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
  ARR_FAKE_ENTER(cuCtxSetLimit);
  ARR_FAKE_CONTEXT;
  size_t first = 0;
  if (!begins_with(limit, &first)) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY && value > 128) return CUDA_ERROR_INVALID_VALUE;
  if (limit == CU_LIMIT_STACK_SIZE) value = (value + 15) / 16 * 16;  // the driver rounds it too
  current()->limits[limit] = value;
  return CUDA_SUCCESS;
}
CUresult cuProfilerStart(void) {
  ARR_FAKE_ENTER(cuProfilerStart);
  ARR_FAKE_CONTEXT;
  return CUDA_SUCCESS;
}
CUresult cuProfilerStop(void) {
  ARR_FAKE_ENTER(cuProfilerStop);
  ARR_FAKE_CONTEXT;
  return CUDA_SUCCESS;
}

#pragma GCC visibility pop
}
