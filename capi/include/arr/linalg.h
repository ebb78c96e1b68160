/* SPDX-License-Identifier: MIT */
/* linalg.h - products of matrices and vectors. */
#ifndef ARR_LINALG_H
#define ARR_LINALG_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Computes the matrix product. For arrays with more than two dimensions it multiplies each pair of matrices in the
 *  last two dimensions. A one-dimensional operand is a row on the left and a column on the right. No operand is copied
 *  to another order.
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_matmul(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Computes the matrix product into an existing array of the product's shape.
 *  @param[in,written] dst  the destination, an array or a view; if it overlaps an operand, a copy is made
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_matmul_into(arr_array dst, arr_array a, arr_array b, arr_stream stream);

/* Compute types of matrix products. */
#define ARR_COMPUTE_DEFAULT 0  /* the dtype itself; float32 for 16-bit floats */
#define ARR_COMPUTE_PEDANTIC 1 /* DEFAULT without tensor cores or reduced precision: slower */
#define ARR_COMPUTE_FLOAT16 2  /* float16 computes in float16; float32, complex64: factors rounded to it */
#define ARR_COMPUTE_BFLOAT16 3 /* float32, complex64: factors may be rounded to bfloat16 */
#define ARR_COMPUTE_TF32 4     /* float32, complex64: factors may be rounded to TF32 (11 bits) */

/** Sets the compute type of cuBLAS for products of a dtype, for the whole process from now on: for arr_matmul and for
 *  all functions that multiply matrices with it. Work that is already enqueued or captured keeps its compute type. The
 *  host, and kernels for strides that cuBLAS does not support, always use ARR_COMPUTE_DEFAULT.
 *  @param dtype  the dtype of the product: ARR_FLOAT16, ARR_BFLOAT16, ARR_FLOAT32, ARR_FLOAT64, ARR_COMPLEX64,
 *      ARR_COMPLEX128
 *  @param compute  ARR_COMPUTE_...; ARR_COMPUTE_DEFAULT and ARR_COMPUTE_PEDANTIC are allowed for every dtype. The
 *      initial compute type is ARR_COMPUTE_DEFAULT; for float32 and complex64 it is ARR_COMPUTE_TF32 if the environment
 *      has ARR_TF32=1
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_matmul_set_compute_type(arr_dtype dtype, int32_t compute);

/** Returns the compute type of cuBLAS for products of a dtype.
 *  @param dtype  as for arr_matmul_set_compute_type
 *  @param[out] compute  ARR_COMPUTE_...
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_matmul_compute_type(arr_dtype dtype, int32_t *compute);

/** Computes the cross product of vectors with three components. A vector with two components has a third component of
 *  0; if both operands have two, the result is the third component alone, without an axis.
 *  @param a  vectors along axisa; the other axes broadcast with those of b
 *  @param b  vectors along axisb
 *  @param axisa  the axis
 *  @param axisb  the axis
 *  @param axisc  axis of the result's components
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_cross(arr_array a, arr_array b, int32_t axisa, int32_t axisb, int32_t axisc,
                             arr_stream stream, arr_array *out);

/** Computes sums of products along one axis of both operands in one pass: conj(a) . b for each pair of vectors.
 *  @param a  vectors along the axis; the other axes broadcast with those of b
 *  @param b  vectors along the axis
 *  @param axis  the axis in each operand
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_vecdot(arr_array a, arr_array b, int32_t axis, arr_stream stream, arr_array *out);

/** Multiplies matrices by vectors.
 *  @param a  (..., m, n)
 *  @param b  (..., n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_matvec(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Multiplies conjugated vectors by matrices.
 *  @param a  (..., n)
 *  @param b  (..., n, m)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_vecmat(arr_array a, arr_array b, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
