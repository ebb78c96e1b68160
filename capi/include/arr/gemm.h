/* SPDX-License-Identifier: MIT */
/* gemm.h - matrix products with a bias and an activation function. */
#ifndef ARR_GEMM_H
#define ARR_GEMM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Activation function of each element of the result. Except for RELU, integers become floats. Complex numbers
 * have no activation functions. */
#define ARR_ACTIVATION_NONE 0      /* x */
#define ARR_ACTIVATION_RELU 1      /* max(x, 0); nan stays nan */
#define ARR_ACTIVATION_GELU 2      /* x times the cumulative normal distribution at x */
#define ARR_ACTIVATION_GELU_TANH 3 /* x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2 */
#define ARR_ACTIVATION_SILU 4      /* x / (1 + exp(-x)) */
#define ARR_ACTIVATION_SIGMOID 5   /* 1 / (1 + exp(-x)) */
#define ARR_ACTIVATION_TANH 6      /* tanh(x) */
/** flag, added to one of these by |: the function may be computed in the way in which a library of the device computes
 * it together with the product. cuBLASLt does so for RELU, which may return 0 for nan, and for GELU_TANH, by an
 * approximation that NVIDIA does not document. */
#define ARR_ACTIVATION_FAST 256

/** Computes activation(alpha a b + beta c): the product, then one pass over it for the rest.
 *
 *  On CUDA, alpha and a c of the type of a and b go into the same library call as the product: cuBLAS without c, else
 *  cuBLASLt if it supports c, which is a matrix in the order of the result or, with a beta of 1, a bias along the rows
 *  of the result (along the columns of a column-major result). Such a call rounds once, so the result may differ from a
 *  separate pass in the last digit. Types are those of the same operations one by one; 16-bit floats have been rounded
 *  before the pass reads them. As in BLAS, c is not read if beta is 0, and a and b are not read if alpha is 0; their
 *  nan and inf have no effect then.
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] alpha  a number; NULL selects 1
 *  @param[in,null] beta  a number; NULL selects 1; ignored without c
 *  @param[in,null] c  the array to add, broadcast to the product's shape: a matrix, or a bias of n elements; NULL adds
 *      nothing
 *  @param activation  ARR_ACTIVATION_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_gemm(arr_array a, arr_array b, const arr_value *alpha, const arr_value *beta,
                            arr_array c, int32_t activation, arr_stream stream, arr_array *out);

/** Writes the result of arr_gemm into an existing array of the product's shape. On CUDA, if c is dst itself and has
 *  the type of a and b, alpha and beta go into the same call of cuBLAS as the product: without a copy or a pass, and
 *  rounded once. Any other c is treated as in arr_gemm, if dst also has that type and shares no memory with c. As
 *  there, an operand that is multiplied by 0 is not read.
 *  @param[in,written] dst  the destination, an array or a view; the result is cast to its dtype by the same_kind rule;
 *      may be c
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] alpha  a number; NULL selects 1
 *  @param[in,null] beta  a number; NULL selects 1; ignored without c
 *  @param[in,null] c  the array to add, broadcast to the product's shape: a matrix, or a bias of n elements; NULL adds
 *      nothing
 *  @param activation  ARR_ACTIVATION_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_gemm_into(arr_array dst, arr_array a, arr_array b, const arr_value *alpha,
                                 const arr_value *beta, arr_array c, int32_t activation, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif /* ARR_GEMM_H */
