/* SPDX-License-Identifier: MIT */
/* linalg.h - linear algebra. */
#ifndef ARR_LINALG_H
#define ARR_LINALG_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Matrix product; of arrays with more than two dimensions, that of each pair of matrices in the last two.
 *  One-dimensional operands are a row on the left and a column on the right. No operand is copied to
 *  another order.
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.matmul, cupy.linalg.matmul, cupy.ndarray.__matmul__ */
ARR_API arr_status arr_matmul(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Matrix product into an existing array of its shape.
 *  @param[in,written] dst  the array or view, written; may overlap nothing it is computed from without a copy being
 *      made
 *  @param a  (..., m, k) or (k)
 *  @param b  (..., k, n) or (k)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_matmul_into(arr_array dst, arr_array a, arr_array b, arr_stream stream);

/* What products of matrices are computed in. */
#define ARR_COMPUTE_DEFAULT 0 /* in the dtype, of 16-bit floats in float32 */
#define ARR_COMPUTE_PEDANTIC \
  1 /* likewise, by standard arithmetic in every phase and without tensor cores: slower */
#define ARR_COMPUTE_FLOAT16 \
  2 /* of float16: in float16; of float32 and complex64: factors may be rounded to float16, whose range is less */
#define ARR_COMPUTE_BFLOAT16 3 /* of float32 and complex64: factors may be rounded to bfloat16 */
#define ARR_COMPUTE_TF32 4 /* of float32 and complex64: factors may be rounded to TF32, of 11 binary digits */

/** What cuBLAS computes the products of a dtype in, in the whole process from now on: those of arr_matmul and of all
 *  that multiplies matrices by it. Work that has been enqueued or captured keeps what it had. The host, and kernels for
 *  strides that cuBLAS does not take, always compute as by ARR_COMPUTE_DEFAULT.
 *  @param dtype  of the product: ARR_FLOAT16, ARR_BFLOAT16, ARR_FLOAT32, ARR_FLOAT64, ARR_COMPLEX64, ARR_COMPLEX128
 *  @param compute  ARR_COMPUTE_...; ARR_COMPUTE_DEFAULT and ARR_COMPUTE_PEDANTIC go with every dtype. Until this is
 *  called it is ARR_COMPUTE_DEFAULT, of float32 and complex64 ARR_COMPUTE_TF32 where the environment says ARR_TF32=1.
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy._core.set_compute_type */
ARR_API arr_status arr_matmul_set_compute_type(arr_dtype dtype, int32_t compute);

/** What cuBLAS computes the products of a dtype in.
 *  @param dtype  as for arr_matmul_set_compute_type
 *  @param[out] compute  ARR_COMPUTE_...
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy._core.get_compute_type */
ARR_API arr_status arr_matmul_compute_type(arr_dtype dtype, int32_t *compute);

/** Vector product of vectors of three components; one of two counts its third as 0, and of two such the third
 *  component alone is the result, without an axis.
 *  @param a  vectors along axisa; the other axes broadcast with b's
 *  @param b  vectors along axisb
 *  @param axisa  the axis; negative values count from the end
 *  @param axisb  the axis; negative values count from the end
 *  @param axisc  where the components of the result go, negative from the end
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cross, cupy.linalg.cross */
ARR_API arr_status arr_cross(arr_array a, arr_array b, int32_t axisa, int32_t axisb, int32_t axisc,
                             arr_stream stream, arr_array *out);

/** Sums of products along one axis of both operands, in one pass: conj(a) . b for each pair of vectors.
 *  @param a  vectors along the axis; the other axes broadcast with b's
 *  @param b  vectors along the axis
 *  @param axis  of both, counted in each operand; negative from the end
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_vecdot(arr_array a, arr_array b, int32_t axis, arr_stream stream, arr_array *out);

/** Matrices times vectors.
 *  @param a  (..., m, n)
 *  @param b  (..., n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_matvec(arr_array a, arr_array b, arr_stream stream, arr_array *out);

/** Vectors, conjugated, times matrices.
 *  @param a  (..., n)
 *  @param b  (..., n, m)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_vecmat(arr_array a, arr_array b, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
