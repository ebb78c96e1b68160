/* SPDX-License-Identifier: MIT */
/* numeric.h - element-wise functions that combine several operations. */
#ifndef ARR_NUMERIC_H
#define ARR_NUMERIC_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Rounds to a number of decimals, halves to even; complex numbers part by part. As in NumPy, floats are scaled by a
 *  power of ten, rounded and scaled back; if that overflows or leaves no digit to round, they stay unchanged. 16-bit
 *  floats are scaled in float32. Integers stay integers: only negative decimals change them, exactly; a result that the
 *  type does not hold wraps.
 *  @param a  the array
 *  @param decimals  number of digits after the decimal point; negative numbers round digits before it; -400 to 400
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; float16 for bool, else the array's element type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_round(arr_array a, int32_t decimals, arr_stream stream, arr_array *out);

/** Writes the result of arr_round into an existing array of the same shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array
 *  @param decimals  number of digits after the decimal point; negative numbers round digits before it; -400 to 400
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_round_into(arr_array dst, arr_array a, int32_t decimals, arr_stream stream);

/** Replaces nan and infinities by numbers; complex numbers part by part. Integers and bool are copied.
 *  @param a  the array
 *  @param nan  the replacement of nan; NumPy's default is 0
 *  @param[in,null] posinf  the replacement of plus infinity; NULL selects the largest finite number of the type
 *  @param[in,null] neginf  the replacement of minus infinity; NULL selects the lowest finite number of the type
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of the array's element type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_nan_to_num(arr_array a, double nan, const double *posinf, const double *neginf,
                                  arr_stream stream, arr_array *out);

/** Replaces nan and infinities like arr_nan_to_num, by elements of arrays.
 *  @param a  the array
 *  @param[in,null] nan  the replacements of nan, real; an array that broadcasts to a's shape, cast to the type of
 *      a's parts; NULL selects 0
 *  @param[in,null] posinf  those of plus infinity; NULL selects the largest finite number of the type
 *  @param[in,null] neginf  those of minus infinity; NULL selects the lowest finite number of the type
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of the array's element type
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_nan_to_num_with(arr_array a, arr_array nan, arr_array posinf, arr_array neginf,
                                       arr_stream stream, arr_array *out);

/** Computes arr_angle in degrees. For real numbers it is 0 or 180.
 *  @param z  the array; integers give floats, as in arr_angle
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, real
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_angle_degrees(arr_array z, arr_stream stream, arr_array *out);

/** Writes the result of arr_nan_to_num into an existing array of the same shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may be or overlap a
 *  @param a  the array
 *  @param nan  the replacement of nan; NumPy's default is 0
 *  @param[in,null] posinf  the replacement of plus infinity; NULL selects the largest finite number of the type
 *  @param[in,null] neginf  the replacement of minus infinity; NULL selects the lowest finite number of the type
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_nan_to_num_into(arr_array dst, arr_array a, double nan, const double *posinf,
                                       const double *neginf, arr_stream stream);

/** Returns the real parts of an array if all its imaginary parts are close to 0, else the array itself.
 *  @param a  the array; a real array is returned unchanged
 *  @param tol  more than 1: in units of the type's eps, else absolute; NumPy's default is 100
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference: a view of a
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync for complex arrays */
ARR_API arr_status arr_real_if_close(arr_array a, double tol, arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------------------ bits */

#define ARR_BITORDER_BIG 0    /* the first of eight is the highest bit, with the value 128 */
#define ARR_BITORDER_LITTLE 1 /* the first of eight is the lowest bit, with the value 1 */

/** Packs eight numbers into a byte, one bit each: 1 if a number is not 0. Missing bits at the end are 0.
 *  @param a  bool or integers
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param bitorder  ARR_BITORDER_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of uint8
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_packbits(arr_array a, int32_t axis, int32_t bitorder, arr_stream stream,
                                arr_array *out);

/** Unpacks each byte into eight numbers 0 or 1, its bits.
 *  @param a  uint8
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] count  number of results along the axis; zeros follow the last bit; negative: the number of
 *      results to drop at the end; NULL selects all
 *  @param bitorder  ARR_BITORDER_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of uint8
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_unpackbits(arr_array a, int32_t axis, const int64_t *count, int32_t bitorder,
                                  arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------------ comparisons */

/** Tests whether |x - y| <= atol + rtol * |y|, element by element. Equal infinities are close.
 *  @param x  operand
 *  @param y  operand, the reference
 *  @param rtol  relative tolerance; NumPy's default is 1e-5
 *  @param atol  absolute tolerance; NumPy's default is 1e-8
 *  @param equal_nan  true: nan is close to nan
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of bool; operands broadcast
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_isclose(arr_array x, arr_array y, double rtol, double atol, bool equal_nan,
                               arr_stream stream, arr_array *out);

/** Tests whether arr_isclose holds for all elements, in one pass.
 *  @param x  operand
 *  @param y  operand, the reference
 *  @param rtol  relative tolerance; NumPy's default is 1e-5
 *  @param atol  absolute tolerance; NumPy's default is 1e-8
 *  @param equal_nan  true: nan is close to nan
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: one bool without dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_allclose(arr_array x, arr_array y, double rtol, double atol, bool equal_nan,
                                arr_stream stream, arr_array *out);

/** Tests whether two arrays have the same shape and equal elements.
 *  @param x  operand
 *  @param y  operand
 *  @param equal_nan  true: nan equals nan
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: one bool without dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_array_equal(arr_array x, arr_array y, bool equal_nan, arr_stream stream,
                                   arr_array *out);

/** Tests whether two arrays broadcast to one shape and are then equal.
 *  @param x  operand
 *  @param y  operand
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: one bool without dimensions
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_array_equiv(arr_array x, arr_array y, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
