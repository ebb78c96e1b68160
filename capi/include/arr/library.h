/* SPDX-License-Identifier: MIT */
/* library.h - direct access to the vendor's libraries that libarr opens: their functions by name, and the handles
 * that libarr uses. A program need not link the libraries. */
#ifndef ARR_LIBRARY_H
#define ARR_LIBRARY_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The driver, libcuda. */
#define ARR_LIBRARY_DRIVER 0
/** NVRTC, the compiler of CUDA C++. */
#define ARR_LIBRARY_NVRTC 1
/** nvJitLink, which links compiled units. */
#define ARR_LIBRARY_NVJITLINK 2
/** cuBLAS. */
#define ARR_LIBRARY_CUBLAS 3
/** cuSOLVER. */
#define ARR_LIBRARY_CUSOLVER 4
/** cuFFT. */
#define ARR_LIBRARY_CUFFT 5
/** cuSPARSE. */
#define ARR_LIBRARY_CUSPARSE 6
/** cuRAND, which libarr does not call. */
#define ARR_LIBRARY_CURAND 7

/** Returns a function of a library of a device's vendor, and opens the library if needed. Call the function with the
 *  device's context current if the library requires that. The host has no such libraries.
 *  @param device  the device whose libraries are used
 *  @param library  ARR_LIBRARY_...
 *  @param[in,bytes=length] name  name of the function in the library, such as "cublasSgemm_v2"
 *  @param length  number of bytes of name; -1 if it is NUL-terminated
 *  @param[out] function  address of the function; cast it to the function's type; valid until the process ends
 *  @return ARR_OK, ARR_E_ARGUMENT (unknown library number or function name), ARR_E_UNSUPPORTED (the host),
 *      ARR_E_UNAVAILABLE (the library cannot be opened; the text lists where it was searched)
 *  @sync no */
ARR_API arr_status arr_library_function(const arr_device *device, int32_t library, const char *name,
                                        int64_t length, void **function);

/** Returns the version that a library reports. The version of NVRTC is that of the installed CUDA toolkit.
 *  @param device  the device whose libraries are used
 *  @param library  ARR_LIBRARY_...
 *  @param[out] major  the first number; for the driver that of the CUDA version it supports
 *  @param[out,null] minor  the second number; may be NULL
 *  @param[out,null] patch  the third number; 0 if the library does not report it; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED (the host), ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_library_version(const arr_device *device, int32_t library, int32_t *major,
                                       int32_t *minor, int32_t *patch);

/** Returns the folder of the vendor's toolkit: the first that exists of CUDA_PATH, CUDA_HOME, the folder whose lib or
 *  lib64 contains nvJitLink or NVRTC, and /usr/local/cuda.
 *  @param device  the device whose toolkit is used
 *  @param capacity  number of bytes at path, including the terminating NUL
 *  @param[out,null,bytes=capacity] path  the folder as an absolute path, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole path without the NUL; 0 if no folder was found
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED (the host)
 *  @sync no */
ARR_API arr_status arr_library_toolkit(const arr_device *device, int64_t capacity, char *path,
                                       int64_t *length);

/** Returns the handle that libarr's own calls in a stream use: a cublasHandle_t for cuBLAS, a cusolverDnHandle_t for
 *  cuSOLVER. It is made on first use; other libraries have no handles. The handle works in that stream, belongs to it
 *  and is valid as long as the stream. Undo your changes to it (modes, workspace, stream), and let no other thread
 *  enqueue work in the stream meanwhile.
 *  @param device  the device
 *  @param library  ARR_LIBRARY_CUBLAS or ARR_LIBRARY_CUSOLVER
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] handle  the handle, borrowed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED (the host; a library without handles; a stream whose
 *      work is being captured, which has separate handles), ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads one at a time in the stream */
ARR_API arr_status arr_library_handle(const arr_device *device, int32_t library, arr_stream stream,
                                      void **handle);

#ifdef __cplusplus
}
#endif
#endif
