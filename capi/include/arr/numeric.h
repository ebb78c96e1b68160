/* SPDX-License-Identifier: MIT */
/* numeric.h - element-wise functions that are made of several operations. */
#ifndef ARR_NUMERIC_H
#define ARR_NUMERIC_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Rounds to a number of decimals, halves to the even neighbour. Complex numbers part by part. Integers stay
 *  integers: they change only for negative decimals, by way of float64.
 *  @param a  the array
 *  @param decimals  digits behind the point; negative: zeros in front of it; -400 to 400
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference; of bool float16, else of the array's element type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.round, cupy.around */
ARR_API arr_status arr_round(arr_array a, int32_t decimals, arr_stream stream, arr_array *out);

/** Replaces nan and infinities by numbers, of complex numbers in each part. Integers and bool are copied.
 *  @param a  the array
 *  @param nan  what nan becomes; NumPy's default is 0
 *  @param posinf  what plus infinity becomes; NULL: the largest finite number of the type
 *  @param neginf  what minus infinity becomes; NULL: the lowest finite number of the type
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of the array's element type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.nan_to_num */
ARR_API arr_status arr_nan_to_num(arr_array a, double nan, const double *posinf, const double *neginf,
                                  arr_stream stream, arr_array *out);

/** Whether |x - y| <= atol + rtol * |y|, element by element; infinities are close where they are equal.
 *  @param x  operand
 *  @param y  operand, the reference
 *  @param rtol  relative tolerance; NumPy's default is 1e-5
 *  @param atol  absolute tolerance; NumPy's default is 1e-8
 *  @param equal_nan  1: nan is close to nan
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, of bool; operands broadcast
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.isclose */
ARR_API arr_status arr_isclose(arr_array x, arr_array y, double rtol, double atol, int32_t equal_nan,
                               arr_stream stream, arr_array *out);

/** Whether arr_isclose holds for all elements, in one pass.
 *  @param x  operand
 *  @param y  operand, the reference
 *  @param rtol  relative tolerance; NumPy's default is 1e-5
 *  @param atol  absolute tolerance; NumPy's default is 1e-8
 *  @param equal_nan  1: nan is close to nan
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: one bool, of no dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.allclose */
ARR_API arr_status arr_allclose(arr_array x, arr_array y, double rtol, double atol, int32_t equal_nan,
                                arr_stream stream, arr_array *out);

/** Whether two arrays have the same shape and equal elements.
 *  @param x  operand
 *  @param y  operand
 *  @param equal_nan  1: nan equals nan
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: one bool, of no dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.array_equal */
ARR_API arr_status arr_array_equal(arr_array x, arr_array y, int32_t equal_nan, arr_stream stream,
                                   arr_array *out);

/** Whether two arrays broadcast to one shape and are equal there.
 *  @param x  operand
 *  @param y  operand
 *  @param stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: one bool, of no dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.array_equiv */
ARR_API arr_status arr_array_equiv(arr_array x, arr_array y, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
