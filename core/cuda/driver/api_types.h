// SPDX-License-Identifier: MIT
// The types and constants of the CUDA driver, NVRTC, nvJitLink, cuBLAS, cuBLASLt and cuFFT that the module
// uses, declared anew so that it builds without the toolkit. tests/unit/cuda/headers_test.cpp compares them
// with the toolkit's headers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arr::cuda {

// Driver. Enumerations are int in its ABI.
using CUresult = int;
using CUdevice = int;
using CUdevice_attribute = int;
using CUfunction_attribute = int;
using CUpointer_attribute = int;
using CUlimit = int;
using CUmemorytype = unsigned;
using CUstreamCaptureStatus = int;
using CUstreamCaptureMode = int;
using CUgraph = struct CUgraph_st*;
using CUmem_advise = int;
using CUmemoryPool = struct CUmemPoolHandle_st*;
using CUgraphExec = struct CUgraphExec_st*;
using CUgraphNode = struct CUgraphNode_st*;
using CUdeviceptr = unsigned long long;
using CUhostFn = void (*)(void* data);
struct CUuuid {
  char bytes[16];
};
struct CUmemLocation {
  int type;
  int id;
};
struct CUipcMemHandle {
  char reserved[64];
};
struct CUipcEventHandle {
  char reserved[64];
};
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUfunction = struct CUfunc_st*;
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUjit_option = int;
using CUoccupancyB2DSize = size_t (*)(int threads);

// cuLaunchKernelEx's parameters; `value` is a union of 64 bytes in the driver's header.
struct CUlaunchAttribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    int cooperative;
    unsigned cluster[3];
  } value;
};
struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  CUlaunchAttribute* attrs;
  unsigned numAttrs;
};
inline constexpr int CU_LAUNCH_ATTRIBUTE_COOPERATIVE = 2, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION = 4;
inline constexpr CUjit_option CU_JIT_MAX_REGISTERS = 0, CU_JIT_INFO_LOG_BUFFER = 3,
                              CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4, CU_JIT_ERROR_LOG_BUFFER = 5,
                              CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6, CU_JIT_GENERATE_DEBUG_INFO = 11,
                              CU_JIT_GENERATE_LINE_INFO = 13;

inline constexpr CUresult CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2,
                          CUDA_ERROR_NOT_INITIALIZED = 3, CUDA_ERROR_DEINITIALIZED = 4,
                          CUDA_ERROR_STUB_LIBRARY = 34, CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
                          CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_INVALID_DEVICE = 101,
                          CUDA_ERROR_INVALID_IMAGE = 200, CUDA_ERROR_INVALID_CONTEXT = 201,
                          CUDA_ERROR_MAP_FAILED = 205, CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
                          CUDA_ERROR_ECC_UNCORRECTABLE = 214, CUDA_ERROR_UNSUPPORTED_LIMIT = 215,
                          CUDA_ERROR_INVALID_PTX = 218, CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
                          CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222, CUDA_ERROR_CONTAINED = 226,
                          CUDA_ERROR_INVALID_HANDLE = 400, CUDA_ERROR_NOT_FOUND = 500,
                          CUDA_ERROR_NOT_READY = 600, CUDA_ERROR_ILLEGAL_ADDRESS = 700,
                          CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701, CUDA_ERROR_LAUNCH_TIMEOUT = 702,
                          CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
                          CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705, CUDA_ERROR_CONTEXT_IS_DESTROYED = 709,
                          CUDA_ERROR_ASSERT = 710, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
                          CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713, CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
                          CUDA_ERROR_ILLEGAL_INSTRUCTION = 715, CUDA_ERROR_MISALIGNED_ADDRESS = 716,
                          CUDA_ERROR_INVALID_ADDRESS_SPACE = 717, CUDA_ERROR_INVALID_PC = 718,
                          CUDA_ERROR_LAUNCH_FAILED = 719, CUDA_ERROR_TENSOR_MEMORY_LEAK = 721,
                          CUDA_ERROR_NOT_SUPPORTED = 801, CUDA_ERROR_SYSTEM_NOT_READY = 802,
                          CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
                          CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804, CUDA_ERROR_EXTERNAL_DEVICE = 911,
                          CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
                          CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901, CUDA_ERROR_STREAM_CAPTURE_MERGE = 902,
                          CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903, CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
                          CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905, CUDA_ERROR_CAPTURED_EVENT = 907,
                          CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910, CUDA_ERROR_UNKNOWN = 999;

inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
                                    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
                                    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
                                    CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
                                    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
                                    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
                                    CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
                                    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
                                    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
                                    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
                                    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
                                    CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY = 83,
                                    CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED = 115,
                                    CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH = 95,
                                    CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;

inline constexpr CUfunction_attribute CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
                                      CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
                                      CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
                                      CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3, CU_FUNC_ATTRIBUTE_NUM_REGS = 4,
                                      CU_FUNC_ATTRIBUTE_PTX_VERSION = 5, CU_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
                                      CU_FUNC_ATTRIBUTE_CACHE_MODE_CA = 7,
                                      CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
                                      CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
                                      CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14;

inline constexpr CUlimit CU_LIMIT_STACK_SIZE = 0, CU_LIMIT_PRINTF_FIFO_SIZE = 1,
                         CU_LIMIT_MALLOC_HEAP_SIZE = 2, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH = 3,
                         CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT = 4, CU_LIMIT_MAX_L2_FETCH_GRANULARITY = 5,
                         CU_LIMIT_PERSISTING_L2_CACHE_SIZE = 6;

inline constexpr CUstreamCaptureStatus CU_STREAM_CAPTURE_STATUS_NONE = 0, CU_STREAM_CAPTURE_STATUS_ACTIVE = 1;
inline constexpr CUstreamCaptureMode CU_STREAM_CAPTURE_MODE_RELAXED = 2;
struct CUgraphExecUpdateResultInfo {
  int result;
  CUgraphNode errorNode, errorFromNode;
};
// Page-locked host memory; macros in the header of the toolkit.
inline constexpr unsigned host_alloc_portable = 1, host_alloc_mapped = 2, host_alloc_write_combined = 4,
                          host_register_portable = 1, host_register_mapped = 2, host_register_read_only = 8;
inline constexpr unsigned CU_MEM_ATTACH_GLOBAL = 1;
inline constexpr int CU_MEM_LOCATION_TYPE_DEVICE = 1, CU_MEM_LOCATION_TYPE_HOST = 2;
inline constexpr unsigned CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1;
inline constexpr CUpointer_attribute CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
                                     CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
                                     CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9;
inline constexpr CUmemorytype CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2;
inline constexpr unsigned CU_EVENT_BLOCKING_SYNC = 1, CU_EVENT_INTERPROCESS = 4;
inline constexpr unsigned CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DEFAULT = 0, CU_EVENT_DISABLE_TIMING = 2;

// Textures. Unions of more kinds in the driver's header.
using CUarray = struct CUarray_st*;
using CUarray_format = int;
using CUaddress_mode = int;
using CUfilter_mode = int;
using CUresourcetype = int;
using CUtexObject = unsigned long long;
using CUsurfObject = unsigned long long;
struct CUDA_RESOURCE_VIEW_DESC;  // never used
struct CUDA_ARRAY3D_DESCRIPTOR {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned NumChannels, Flags;
};
struct CUDA_MEMCPY3D {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void* reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void* reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
};
struct CUDA_RESOURCE_DESC {
  CUresourcetype resType;
  union {
    struct {
      CUarray hArray;
    } array;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t sizeInBytes;
    } linear;
    struct {
      CUdeviceptr devPtr;
      CUarray_format format;
      unsigned numChannels;
      size_t width, height, pitchInBytes;
    } pitch2D;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
};
struct CUDA_TEXTURE_DESC {
  CUaddress_mode addressMode[3];
  CUfilter_mode filterMode;
  unsigned flags, maxAnisotropy;
  CUfilter_mode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
};
inline constexpr CUarray_format CU_AD_FORMAT_UNSIGNED_INT8 = 1, CU_AD_FORMAT_UNSIGNED_INT16 = 2,
                                CU_AD_FORMAT_UNSIGNED_INT32 = 3, CU_AD_FORMAT_SIGNED_INT8 = 8,
                                CU_AD_FORMAT_SIGNED_INT16 = 9, CU_AD_FORMAT_SIGNED_INT32 = 10,
                                CU_AD_FORMAT_HALF = 16, CU_AD_FORMAT_FLOAT = 32;
inline constexpr CUaddress_mode CU_TR_ADDRESS_MODE_WRAP = 0, CU_TR_ADDRESS_MODE_CLAMP = 1,
                                CU_TR_ADDRESS_MODE_MIRROR = 2, CU_TR_ADDRESS_MODE_BORDER = 3;
inline constexpr CUfilter_mode CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1;
inline constexpr CUresourcetype CU_RESOURCE_TYPE_ARRAY = 0, CU_RESOURCE_TYPE_LINEAR = 2,
                                CU_RESOURCE_TYPE_PITCH2D = 3;
inline constexpr CUmemorytype CU_MEMORYTYPE_ARRAY = 3;
inline constexpr unsigned array3d_surface_ldst = 2, trsf_read_as_integer = 1, trsf_normalized_coordinates = 2,
                          trsf_srgb = 16;  // macros in its header
inline constexpr CUdevice_attribute CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT = 14,
                                    CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT = 51,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH = 21,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH = 22,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT = 23,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH = 24,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT = 25,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH = 26,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH = 56,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT = 57,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT = 59,
                                    CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH = 60;

// NVRTC.
using nvrtcResult = int;
using nvrtcProgram = struct _nvrtcProgram*;
inline constexpr nvrtcResult NVRTC_SUCCESS = 0, NVRTC_ERROR_OUT_OF_MEMORY = 1, NVRTC_ERROR_INVALID_INPUT = 3,
                             NVRTC_ERROR_INVALID_OPTION = 5, NVRTC_ERROR_COMPILATION = 6,
                             NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10;

// nvJitLink.
using nvJitLinkResult = int;
using nvJitLinkInputType = int;
using nvJitLinkHandle = struct nvJitLink*;
inline constexpr nvJitLinkResult NVJITLINK_SUCCESS = 0, NVJITLINK_ERROR_UNRECOGNIZED_OPTION = 1,
                                 NVJITLINK_ERROR_INVALID_INPUT = 3, NVJITLINK_ERROR_INTERNAL = 6;
inline constexpr nvJitLinkInputType NVJITLINK_INPUT_CUBIN = 1, NVJITLINK_INPUT_PTX = 2,
                                    NVJITLINK_INPUT_LTOIR = 3, NVJITLINK_INPUT_FATBIN = 4,
                                    NVJITLINK_INPUT_LIBRARY = 6;

// cuBLAS.
using cublasStatus_t = int;
using cublasHandle_t = struct cublasContext*;
using cublasOperation_t = int;
using cudaDataType = int;
using libraryPropertyType = int;
using cublasComputeType_t = int;
using cublasGemmAlgo_t = int;
using cudaStream_t = CUstream;
inline constexpr cublasStatus_t CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1,
                                CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7,
                                CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_NOT_SUPPORTED = 15;
inline constexpr cublasOperation_t CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2;
inline constexpr cudaDataType CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_C_32F = 4, CUDA_C_64F = 5,
                              CUDA_R_32I = 10, CUDA_R_16BF = 14;
inline constexpr cublasComputeType_t CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68,
                                     CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_64F = 70,
                                     CUBLAS_COMPUTE_64F_PEDANTIC = 71, CUBLAS_COMPUTE_32F_FAST_16F = 74,
                                     CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77;
inline constexpr cublasGemmAlgo_t CUBLAS_GEMM_DEFAULT = -1;
using cublasFillMode_t = int;
using cublasSideMode_t = int;
using cublasDiagType_t = int;
inline constexpr cublasFillMode_t CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1;
inline constexpr cublasSideMode_t CUBLAS_SIDE_LEFT = 0;
inline constexpr cublasDiagType_t CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1;
struct cuComplex;
struct cuDoubleComplex;

// cuBLASLt.
using cublasLtHandle_t = struct cublasLtContext*;
using cublasLtMatmulDesc_t = struct cublasLtMatmulDescOpaque*;
using cublasLtMatrixLayout_t = struct cublasLtMatrixLayoutOpaque*;
using cublasLtMatmulPreference_t = struct cublasLtMatmulPreferenceOpaque*;
using cublasLtMatmulDescAttributes_t = int;
using cublasLtMatrixLayoutAttribute_t = int;
using cublasLtMatmulPreferenceAttributes_t = int;
using cublasLtEpilogue_t = int;
struct cublasLtMatmulAlgo_t {
  uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
  cublasLtMatmulAlgo_t algo;
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};
inline constexpr cublasLtMatmulDescAttributes_t CUBLASLT_MATMUL_DESC_TRANSA = 3,
                                                CUBLASLT_MATMUL_DESC_TRANSB = 4,
                                                CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
                                                CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
                                                CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10;
inline constexpr cublasLtMatrixLayoutAttribute_t CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
                                                 CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6;
inline constexpr cublasLtMatmulPreferenceAttributes_t CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
                                                      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
                                                      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
                                                      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
                                                      CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8;
inline constexpr cublasLtEpilogue_t CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2,
                                    CUBLASLT_EPILOGUE_BIAS = 4, CUBLASLT_EPILOGUE_RELU_BIAS = 6,
                                    CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_BIAS = 36;

// cuSOLVER.
using cusolverStatus_t = int;
using cusolverDnHandle_t = struct cusolverDnContext*;
using cusolverDnParams_t = struct cusolverDnParams*;
using cusolverEigMode_t = int;
using gesvdjInfo_t = struct gesvdjInfo*;
inline constexpr cusolverStatus_t CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_NOT_INITIALIZED = 1,
                                  CUSOLVER_STATUS_ALLOC_FAILED = 2, CUSOLVER_STATUS_INVALID_VALUE = 3,
                                  CUSOLVER_STATUS_EXECUTION_FAILED = 6, CUSOLVER_STATUS_INTERNAL_ERROR = 7,
                                  CUSOLVER_STATUS_NOT_SUPPORTED = 9;
inline constexpr cusolverEigMode_t CUSOLVER_EIG_MODE_NOVECTOR = 0, CUSOLVER_EIG_MODE_VECTOR = 1;

// cuSPARSE.
using cusparseStatus_t = int;
using cusparseHandle_t = struct cusparseContext*;
using cusparseSpMatDescr_t = struct cusparseSpMatDescr*;
using cusparseConstSpMatDescr_t = const struct cusparseSpMatDescr*;
using cusparseDnVecDescr_t = struct cusparseDnVecDescr*;
using cusparseConstDnVecDescr_t = const struct cusparseDnVecDescr*;
using cusparseDnMatDescr_t = struct cusparseDnMatDescr*;
using cusparseConstDnMatDescr_t = const struct cusparseDnMatDescr*;
using cusparseSpSVDescr_t = struct cusparseSpSVDescr*;
using cusparseSpSMDescr_t = struct cusparseSpSMDescr*;
using cusparseOperation_t = int;
using cusparseIndexType_t = int;
using cusparseIndexBase_t = int;
using cusparseOrder_t = int;
using cusparseSpMatAttribute_t = int;
using cusparseSpMVAlg_t = int;
using cusparseSpMMAlg_t = int;
using cusparseSpSVAlg_t = int;
using cusparseSpSMAlg_t = int;
using cusparseSpSVUpdate_t = int;
using cusparseSpSMUpdate_t = int;
inline constexpr cusparseStatus_t CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED = 1,
                                  CUSPARSE_STATUS_ALLOC_FAILED = 2, CUSPARSE_STATUS_INVALID_VALUE = 3,
                                  CUSPARSE_STATUS_EXECUTION_FAILED = 6, CUSPARSE_STATUS_NOT_SUPPORTED = 10,
                                  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11;
inline constexpr cusparseOperation_t CUSPARSE_OPERATION_NON_TRANSPOSE = 0;
inline constexpr cusparseIndexType_t CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3;
inline constexpr cusparseIndexBase_t CUSPARSE_INDEX_BASE_ZERO = 0;
inline constexpr cusparseOrder_t CUSPARSE_ORDER_ROW = 2;
inline constexpr cusparseSpMatAttribute_t CUSPARSE_SPMAT_FILL_MODE = 0, CUSPARSE_SPMAT_DIAG_TYPE = 1;
inline constexpr int CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1,
                     CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1;
inline constexpr cusparseSpMVAlg_t CUSPARSE_SPMV_CSR_ALG2 = 3;
inline constexpr cusparseSpMMAlg_t CUSPARSE_SPMM_CSR_ALG3 = 12;
inline constexpr cusparseSpSVAlg_t CUSPARSE_SPSV_ALG_DEFAULT = 0;
inline constexpr cusparseSpSMAlg_t CUSPARSE_SPSM_ALG_DEFAULT = 0;
inline constexpr cusparseSpSVUpdate_t CUSPARSE_SPSV_UPDATE_GENERAL = 0;
inline constexpr cusparseSpSMUpdate_t CUSPARSE_SPSM_UPDATE_GENERAL = 0;

// cuDSS 1; the ABI of 0.x is another.
using cudssStatus_t = int;
using cudssHandle_t = struct cudssContext*;
using cudssConfig_t = struct cudssConfig*;
using cudssData_t = struct cudssData*;
using cudssMatrix_t = struct cudssMatrix*;
using cudssConfigParam_t = int;
using cudssDataParam_t = int;
using cudssMatrixType_t = int;
using cudssMatrixViewType_t = int;
using cudssIndexBase_t = int;
using cudssLayout_t = int;
inline constexpr cudssStatus_t CUDSS_STATUS_SUCCESS = 0, CUDSS_STATUS_NOT_INITIALIZED = 1,
                               CUDSS_STATUS_ALLOC_FAILED = 2, CUDSS_STATUS_INVALID_VALUE = 3,
                               CUDSS_STATUS_NOT_SUPPORTED = 4, CUDSS_STATUS_EXECUTION_FAILED = 5;
inline constexpr cudssConfigParam_t CUDSS_CONFIG_SOLVE_MODE = 4, CUDSS_CONFIG_PIVOT_EPSILON = 9,
                                    CUDSS_CONFIG_DETERMINISTIC_MODE = 24;
inline constexpr int CUDSS_SOLVE_MODE_NORMAL = 0, CUDSS_SOLVE_MODE_TRANSPOSE = 1,
                     CUDSS_SOLVE_MODE_CONJUGATE_TRANSPOSE = 2;
inline constexpr cudssDataParam_t CUDSS_DATA_INFO = 0, CUDSS_DATA_LU_NNZ = 1, CUDSS_DATA_NPIVOTS = 2,
                                  CUDSS_DATA_PERM_REORDER_COL = 5, CUDSS_DATA_USER_PERM = 9;
inline constexpr int CUDSS_PHASE_ANALYSIS = 3, CUDSS_PHASE_FACTORIZATION = 4, CUDSS_PHASE_SOLVE = 1008;
inline constexpr cudssMatrixType_t CUDSS_MTYPE_GENERAL = 0, CUDSS_MTYPE_SYMMETRIC = 1,
                                   CUDSS_MTYPE_HERMITIAN = 2, CUDSS_MTYPE_SPD = 3, CUDSS_MTYPE_HPD = 4;
inline constexpr cudssMatrixViewType_t CUDSS_MVIEW_FULL = 0, CUDSS_MVIEW_LOWER = 1, CUDSS_MVIEW_UPPER = 2;
inline constexpr cudssIndexBase_t CUDSS_BASE_ZERO = 0;
inline constexpr cudssLayout_t CUDSS_LAYOUT_COL_MAJOR = 0;

// NCCL 2.14 and later; a later one reads the first fields of the configuration.
using ncclComm_t = struct ncclComm*;
using ncclResult_t = int;
using ncclDataType_t = int;
using ncclRedOp_t = int;
struct ncclUniqueId {
  char internal[128];
};
struct ncclConfig_t {
  size_t size = sizeof(ncclConfig_t);
  unsigned int magic = 0xcafebeef, version = 21400;
  int blocking = 1;
  int unused = 0;
};
inline constexpr ncclResult_t ncclSuccess = 0, ncclUnhandledCudaError = 1, ncclSystemError = 2,
                              ncclInternalError = 3, ncclInvalidArgument = 4, ncclInvalidUsage = 5,
                              ncclRemoteError = 6, ncclInProgress = 7;
inline constexpr ncclDataType_t ncclInt8 = 0, ncclUint8 = 1, ncclInt32 = 2, ncclUint32 = 3, ncclInt64 = 4,
                                ncclUint64 = 5, ncclFloat16 = 6, ncclFloat32 = 7, ncclFloat64 = 8,
                                ncclBfloat16 = 9;
inline constexpr ncclRedOp_t ncclSum = 0, ncclProd = 1, ncclMax = 2, ncclMin = 3;
inline constexpr int ncclShrinkDefault = 0, ncclShrinkAbort = 1;

// cuFFT.
using cufftHandle = int;
using cufftResult = int;
using cufftType = int;
using cufftXtCallbackType = int;
inline constexpr cufftResult CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2,
                             CUFFT_INVALID_VALUE = 4, CUFFT_INTERNAL_ERROR = 5, CUFFT_EXEC_FAILED = 6,
                             CUFFT_INVALID_SIZE = 8, CUFFT_NOT_SUPPORTED = 16;
inline constexpr cufftType CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a,
                           CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69;
// For single precision; double precision is one more, real types two.
inline constexpr cufftXtCallbackType CUFFT_CB_LD_COMPLEX = 0, CUFFT_CB_ST_COMPLEX = 4;
inline constexpr int cufft_forward = -1, cufft_inverse = 1;  // macros in its header

}  // namespace arr::cuda
