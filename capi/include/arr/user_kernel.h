/* SPDX-License-Identifier: MIT */
/* user_kernel.h - element-wise kernels and reductions from snippets of C++, on any device. */
#ifndef ARR_USER_KERNEL_H
#define ARR_USER_KERNEL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A parameter list is "T x, float32 y, raw T z". Types are dtypes by NumPy's names, or placeholders of one letter
 * that the arguments of a call bind.
 *
 * In the code they are C++ types, including complex<float> and float16 (computed as float). Complex numbers have
 * the members re and im, the operators, and the functions real, imag, abs, arg, norm, conj, exp, log, sqrt, sin,
 * cos, tanh, pow.
 *
 * Parameters broadcast against each other and are single elements in the code. A raw parameter is an array: x[i]
 * by the index in row-major order, or x[index] by a pointer to one integer per dimension; x.size(), x.shape(),
 * x.strides() (in bytes). Indices are not checked. A kernel is compiled at its first call with new types and
 * layouts, by NVRTC for a GPU and by the host's compiler for the host, and cached. */

#define ARR_KERNEL_KEEP_DIMS 1 /* flag: _ind has the arrays' dimensions; otherwise they may merge */

/** Creates a kernel that runs once per element.
 *  @param in_params  the input parameters, such as "T x, float32 y, raw T z"; may be empty
 *  @param out_params  the output parameters, at least one
 *  @param operation  statements, such as "r = x * y + z[i]"; i is the element's number in row-major order, _ind.size()
 *      the number of elements, _ind.get()[d] the index in dimension d, _ind.shape()[d] the extent of dimension d
 *  @param[in,null] name  name of the kernel in errors; profilers show it with the prefix arr_kernel_; NULL selects
 *      "kernel"
 *  @param[in,null] preamble  C++ text before the kernel; may be NULL
 *  @param[in,null] loop_prep  statements before a thread's loop over elements; may be NULL
 *  @param[in,null] after_loop  statements after that loop; may be NULL
 *  @param flags  0 or ARR_KERNEL_KEEP_DIMS
 *  @param noptions  number of options
 *  @param[in,null,len=noptions] options  compiler options such as "-DN=4"; may be NULL when there are none
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT with the column of an error in a parameter list, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_elementwise_kernel(const char *in_params, const char *out_params,
                                          const char *operation, const char *name, const char *preamble,
                                          const char *loop_prep, const char *after_loop, int32_t flags,
                                          int32_t noptions, const char *const *options, arr_user_kernel *out);

/** Runs an element-wise kernel. An output may be the same array as an input; outputs must not overlap inputs in another
 *  way.
 *  @param k  the kernel
 *  @param nargs  number of arguments: the inputs, or the inputs and the outputs
 *  @param[in,null,len=nargs] args  arrays, scalars and textures (of type uint64); a weak scalar takes the type that
 *      other arguments bind; may be NULL when there are none
 *  @param size  number of elements if all parameters are raw, so that no array determines it; else -1
 *  @param block_size  number of threads of a block; 0 selects 128
 *  @param[in,null] device  the device, for a call without arrays; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: the number of outputs, or 0 if args includes them
 *  @param[out,null,len=nout] out  new references; may be NULL when there are none
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_COMPILE (arr_module_log with NULL has
 *      the compiler's messages), ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync the first call with new types compiles */
ARR_API arr_status arr_elementwise_kernel_run(arr_user_kernel k, int32_t nargs, const arr_value *args,
                                              int64_t size, int32_t block_size, const arr_device *device,
                                              arr_stream stream, int32_t nout, arr_array *out);

/** Creates a kernel that maps elements, combines the results, and finishes. The combining operation must be associative
 *  and commutative: its order is the same in equal calls, but it is not the order of the elements.
 *  @param in_params  the input parameters, such as "T x, T y"
 *  @param out_params  the output parameters, at least one, none of them raw
 *  @param map_expr  an expression of the inputs, such as "x * y"
 *  @param reduce_expr  an expression that combines a and b, such as "a + b"
 *  @param[in,null] post_map_expr  a statement that sets the outputs from a, such as "r = sqrt(a)"; NULL sets the first
 *      output to a
 *  @param identity  an expression for the identity of the combining operation, such as "0"
 *  @param[in,null] name  name of the kernel in errors; profilers show it with the prefix arr_kernel_; NULL selects
 *      "kernel"
 *  @param[in,null] reduce_type  C++ type of the combined values; NULL selects that of the first output
 *  @param[in,null] preamble  C++ text before the kernel; may be NULL
 *  @param noptions  number of options
 *  @param[in,null,len=noptions] options  compiler options such as "-DN=4"; may be NULL when there are none
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT with the column of an error in a parameter list, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_reduction_kernel(const char *in_params, const char *out_params, const char *map_expr,
                                        const char *reduce_expr, const char *post_map_expr,
                                        const char *identity, const char *name, const char *reduce_type,
                                        const char *preamble, int32_t noptions, const char *const *options,
                                        arr_user_kernel *out);

/** Runs a reduction kernel over axes of the shape that its inputs broadcast to. Without elements it finishes the
 *  identity.
 *  @param k  the kernel
 *  @param nargs  number of arguments: the inputs, or the inputs and the outputs
 *  @param[in,len=nargs] args  arrays, scalars and textures (of type uint64); a weak scalar takes the type that other
 *      arguments bind
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param nout  number of entries at out: the number of outputs, or 0 if args includes them
 *  @param[out,null,len=nout] out  new references; may be NULL when there are none
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_COMPILE (arr_module_log with NULL has
 *      the compiler's messages), ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync the first call with new types compiles */
ARR_API arr_status arr_reduction_kernel_run(arr_user_kernel k, int32_t nargs, const arr_value *args,
                                            int32_t naxes, const int32_t *axes, bool keepdims,
                                            arr_stream stream, int32_t nout, arr_array *out);

/** Returns the CUDA C++ text that was last compiled for a kernel.
 *  @param k  the kernel
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only; empty before the first
 *      call
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_user_kernel_source(arr_user_kernel k, int64_t capacity, char *text, int64_t *length);

/** Releases a kernel. NULL is allowed.
 *  @param[in,null] k  the kernel
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_user_kernel_release(arr_user_kernel k);

#ifdef __cplusplus
}
#endif
#endif
