/* SPDX-License-Identifier: MIT */
/* gemm.h - matrix products with what is done to each element of the result. */
#ifndef ARR_GEMM_H
#define ARR_GEMM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The function of each element of the result. But for RELU integers become floats; none is of complex numbers. */
#define ARR_ACTIVATION_NONE 0
#define ARR_ACTIVATION_RELU 1      /* max(x, 0), nan for nan */
#define ARR_ACTIVATION_GELU 2      /* x times the normal distribution's function of x */
#define ARR_ACTIVATION_GELU_TANH 3 /* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */
#define ARR_ACTIVATION_SILU 4      /* x / (1 + exp(-x)) */
#define ARR_ACTIVATION_SIGMOID 5   /* 1 / (1 + exp(-x)) */
#define ARR_ACTIVATION_TANH 6      /* tanh(x) */
/* With one of these (|): as a library of the device does it with the product, where it does. cuBLASLt does RELU, which
 * may be 0 for nan, and GELU_TANH, by an approximation of which NVIDIA tells nothing. */
#define ARR_ACTIVATION_FAST 256

/** activation(alpha a b + beta c): the product, then one pass over it for all the rest. On CUDA alpha, and c of the
 *  type of a and b, go with the product into one call: of cuBLAS without c, else of cuBLASLt where that takes c, a
 *  matrix in the order of the result or, with a beta of 1, a bias along its rows (of a column-major result, along its
 *  columns). That rounds once, and may differ from a pass in the last place. Types are those of the same operations
 *  one by one; what a pass reads of 16-bit floats has been rounded to them. As in BLAS, c is not looked at where beta
 *  is 0, nor are a and b where alpha is: nan and inf there do not count.
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] alpha  a number; NULL: 1
 *  @param[in,null] beta  a number; NULL: 1; without c it does not count
 *  @param[in,null] c  what is added, broadcast to the product's shape: a matrix, or a bias of n; NULL: nothing
 *  @param activation  ARR_ACTIVATION_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_gemm(arr_array a, arr_array b, const arr_value *alpha, const arr_value *beta,
                            arr_array c, int32_t activation, arr_stream stream, arr_array *out);

/** arr_gemm into an existing array of the product's shape. On CUDA, where c is dst itself, of the type of a and
 *  b, alpha and beta go with the product into one call of cuBLAS: without a copy or a pass, rounded once. Another c
 *  goes as in arr_gemm, where dst has that type too and shares no memory with it. What is multiplied by 0 is not looked
 *  at, as there.
 *  @param[in,written] dst  the array or view, written: the result is cast to its dtype by the same_kind rule; may be c
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] alpha  a number; NULL: 1
 *  @param[in,null] beta  a number; NULL: 1; without c it does not count
 *  @param[in,null] c  what is added, broadcast to the product's shape: a matrix, or a bias of n; NULL: nothing
 *  @param activation  ARR_ACTIVATION_...
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_gemm_into(arr_array dst, arr_array a, arr_array b, const arr_value *alpha,
                                 const arr_value *beta, arr_array c, int32_t activation, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif /* ARR_GEMM_H */
