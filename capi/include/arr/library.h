/* SPDX-License-Identifier: MIT */
/* library.h - the vendor's libraries that libarr opens, for calls of one's own: their functions by name, and the
 * handles that libarr works with. Nothing has to be linked for it. */
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

/** A function of a library of a device's vendor, which is opened where it is not yet. It is to be called with the
 *  device's context current where the library asks for that. The host has no such libraries.
 *  @param device  the device whose libraries are meant
 *  @param library  ARR_LIBRARY_...
 *  @param[in,bytes=length] name  the function's name in the library, such as "cublasSgemm_v2"
 *  @param length  bytes of name, -1: up to its NUL
 *  @param[out] function  its address, to be cast to its type; valid until the process ends
 *  @return ARR_OK, ARR_E_ARGUMENT (no library of that number, no function of that name), ARR_E_UNSUPPORTED (the
 *  host), ARR_E_UNAVAILABLE (the library cannot be opened: the text says where it was looked for)
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_library_function(const arr_device *device, int32_t library, const char *name,
                                        int64_t length, void **function);

/** The version of a library, by its own word. That of NVRTC is the version of the CUDA toolkit which is installed.
 *  @param device  the device whose libraries are meant
 *  @param library  ARR_LIBRARY_...
 *  @param[out] major  the first number, of the driver that of the CUDA it offers
 *  @param[out,null] minor  the second (may be NULL)
 *  @param[out,null] patch  the third, 0 where the library does not tell (may be NULL)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED (the host), ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.runtime.driverGetVersion, cupy.cuda.nvrtc.getVersion, cupy.cuda.cublas.getVersion,
 *  cupy.cuda.cusolver.getProperty, cupy.cuda.cufft.getVersion, cupy.cuda.get_local_runtime_version */
ARR_API arr_status arr_library_version(const arr_device *device, int32_t library, int32_t *major,
                                       int32_t *minor, int32_t *patch);

/** Returns the folder of the vendor's toolkit: the first that exists of CUDA_PATH, CUDA_HOME, the folder whose lib or
 *  lib64 has nvJitLink or NVRTC, and /usr/local/cuda.
 *  @param device  the device whose toolkit is meant
 *  @param capacity  bytes at path, its closing NUL included
 *  @param[out,null,bytes=capacity] path  the folder, absolute, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole path without the NUL; 0 where none is found
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED (the host)
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.get_cuda_path */
ARR_API arr_status arr_library_toolkit(const arr_device *device, int64_t capacity, char *path,
                                       int64_t *length);

/** The handle that libarr's own calls in a stream work with, made on first use: cublasHandle_t of cuBLAS,
 *  cusolverDnHandle_t of cuSOLVER; other libraries have none. It works in that stream. It belongs to the stream and
 *  is valid as long as that; what is changed of it (modes, workspace, stream) is to be put back, and no other thread
 *  may enqueue work in the stream meanwhile.
 *  @param device  the device
 *  @param library  ARR_LIBRARY_CUBLAS or ARR_LIBRARY_CUSOLVER
 *  @param[in,null] stream  the stream (NULL: the device's default)
 *  @param[out] handle  the handle, borrowed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED (the host; a library without handles; a stream
 *  whose work is being captured, which has handles of its own), ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads one in the stream   @since 0.1
 *  @cupy cupy.cuda.Device.cublas_handle, cupy.cuda.Device.cusolver_handle, cupy.cuda.get_cublas_handle,
 *  cupy.cuda.device.get_cusolver_handle */
ARR_API arr_status arr_library_handle(const arr_device *device, int32_t library, arr_stream stream,
                                      void **handle);

#ifdef __cplusplus
}
#endif
#endif
