// SPDX-License-Identifier: MIT
// Types and constants of CUDA's host interfaces that kernels' sources name beside their kernels. Embedded
// where a source includes cuda_runtime.h, driver_types.h or another header that has them.

typedef struct CUstream_st *cudaStream_t, *CUstream;
typedef struct CUevent_st *cudaEvent_t, *CUevent;
typedef struct CUgraph_st *cudaGraph_t, *CUgraph;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef cudaError cudaError_t;
typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2
} CUresult;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

struct cudaExtent {
  arr_size_t width, height, depth;
};
struct cudaPos {
  arr_size_t x, y, z;
};
struct cudaPitchedPtr {
  void* ptr;
  arr_size_t pitch, xsize, ysize;
};
ARR_INLINE cudaExtent make_cudaExtent(arr_size_t width, arr_size_t height, arr_size_t depth) {
  return {width, height, depth};
}
ARR_INLINE cudaPos make_cudaPos(arr_size_t x, arr_size_t y, arr_size_t z) { return {x, y, z}; }
ARR_INLINE cudaPitchedPtr make_cudaPitchedPtr(void* data, arr_size_t pitch, arr_size_t x, arr_size_t y) {
  return {data, pitch, x, y};
}
