/* SPDX-License-Identifier: MIT */
/* kernel.h - user-written CUDA C++ kernels: on a GPU by NVRTC, on the host by the host's compiler. */
#ifndef ARR_KERNEL_H
#define ARR_KERNEL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compiles CUDA C++ source for a device: NVRTC on a GPU, the host compiler on the host. The text of a failure
 *  has the compiler's first error; arr_module_log has all of it.
 *  @param source  CUDA C++ text
 *  @param length  bytes of source; -1 when NUL-terminated
 *  @param device  where (NULL: the host)
 *  @param noptions  number of options
 *  @param options  [noptions] compiler options such as "-DN=4"; may be NULL when there are none
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.RawModule */
ARR_API arr_status arr_module_create(const char *source, int64_t length, const arr_device *device,
                                     int32_t noptions, const char *const *options, arr_module *out);

/** The compiler's messages; m NULL: of the last compilation that failed on this thread, of a module, a
 *  kernel or a user kernel.
 *  @param m  the module, or NULL
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out] text  the messages, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_module_log(arr_module m, int64_t capacity, char *text, int64_t *length);

/** A kernel of a module. It keeps the module alive.
 *  @param m  the module
 *  @param name  an extern "C" name, a plain name, or a C++ name expression such as "scale<float>"
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_COMPILE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.RawModule.get_function, cupy.RawKernel */
ARR_API arr_status arr_module_kernel(arr_module m, const char *name, arr_kernel *out);

/** Releases a module. NULL is fine.
 *  @param m  the module
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_module_release(arr_module m);

/** Releases a kernel. NULL is fine.
 *  @param k  the kernel
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_kernel_release(arr_kernel k);

/** Launches a kernel. Arrays in args are passed as pointers to element (0,..,0) and stay alive until it has
 *  run; their number, and the size of each argument where it can be known, are checked.
 *  @param k  the kernel
 *  @param grid  [3] blocks in x, y, z
 *  @param block  [3] threads of a block in x, y, z
 *  @param shared_bytes  dynamic shared memory of a block, in bytes
 *  @param nargs  number of arguments
 *  @param args  [nargs] arrays, scalars, pointers or raw bytes, in the kernel's order
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no on a GPU; on the host it has run on return   @threads any   @since 0.1
 *  @cupy cupy.RawKernel.__call__(grid), cupy.RawKernel.__call__(block), cupy.RawKernel.__call__(args),
 *  cupy.RawKernel.__call__(shared_mem), cupy.RawKernel.__call__(stream) */
ARR_API arr_status arr_launch_raw(arr_kernel k, const int64_t *grid, const int32_t *block,
                                  int64_t shared_bytes, int32_t nargs, const arr_value *args,
                                  arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
