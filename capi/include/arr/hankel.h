/* SPDX-License-Identifier: MIT */
/* hankel.h - Hankel transforms of samples at logarithmic distances. */
#ifndef ARR_HANKEL_H
#define ARR_HANKEL_H
#include "arr/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a[j] are samples of a periodic sequence at r[j] = r_c exp((j - j_c) dln), and the results are the samples of
 * its transform at k[j] = k_c exp((j - j_c) dln), with j_c = (n - 1) / 2: A(k) is the integral of a(r) J_mu(k r)
 * k dr. The samples are multiplied by (r / r_c)^-bias before the transform and the results by (k r_c)^-bias,
 * which removes a power law. Results are float32 for float16, bfloat16 and float32, else float64. */

/** Computes the discrete Hankel transform along an axis (FFTLog).
 *  @param a  the array, real
 *  @param dln  logarithm of the ratio of two neighbouring distances, not 0
 *  @param mu  order of the Bessel function
 *  @param offset  logarithm of k_c r_c
 *  @param bias  exponent of the power law; a value that makes the transform singular is an error
 *  @param axis  the axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_fht(arr_array a, double dln, double mu, double offset, double bias, int32_t axis,
                           arr_stream stream, arr_array *out);

/** Computes the inverse of arr_fht with the same numbers.
 *  @param a  the array, real
 *  @param dln  logarithm of the ratio of two neighbouring distances, not 0
 *  @param mu  order of the Bessel function
 *  @param offset  logarithm of k_c r_c
 *  @param bias  exponent of the power law; a value that makes the inverse singular is an error
 *  @param axis  the axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ifht(arr_array a, double dln, double mu, double offset, double bias, int32_t axis,
                            arr_stream stream, arr_array *out);

/** Returns the low-ringing offset nearest to a given one: the periods of the samples fit, so arr_fht rings least.
 *  @param dln  logarithm of the ratio of two neighbouring distances, not 0
 *  @param mu  order of the Bessel function
 *  @param initial  the given offset; the result is less than dln away
 *  @param bias  exponent of the power law
 *  @param[out] offset  the offset
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_fhtoffset(double dln, double mu, double initial, double bias, double *offset);

#ifdef __cplusplus
}
#endif
#endif
