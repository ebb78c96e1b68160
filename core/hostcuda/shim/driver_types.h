// SPDX-License-Identifier: MIT
// Types of CUDA's driver, and functions for those of its runtime, that kernels' sources name beside their
// kernels. Embedded where a source includes cuda_runtime.h, driver_types.h or another header that has them.

typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef cudaGraph_t CUgraph;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2
} CUresult;
ARR_INLINE cudaExtent make_cudaExtent(arr_size_t width, arr_size_t height, arr_size_t depth) {
  return {width, height, depth};
}
ARR_INLINE cudaPos make_cudaPos(arr_size_t x, arr_size_t y, arr_size_t z) { return {x, y, z}; }
ARR_INLINE cudaPitchedPtr make_cudaPitchedPtr(void* data, arr_size_t pitch, arr_size_t x, arr_size_t y) {
  return {data, pitch, x, y};
}
