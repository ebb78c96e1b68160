/* SPDX-License-Identifier: MIT */
/* hankel.h - Hankel transforms of samples at logarithmic distances. */
#ifndef ARR_HANKEL_H
#define ARR_HANKEL_H
#include "arr/fft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* a[j] are samples of a periodic sequence at r[j] = r_c exp((j - j_c) dln) and the results those of its transform at
 * k[j] = k_c exp((j - j_c) dln), with j_c = (n - 1) / 2: A(k) is the integral of a(r) J_mu(k r) k dr. The samples are
 * multiplied by (r / r_c)^-bias before the transform and the results by (k r_c)^-bias, so that a power law is taken
 * out. Results are float32 of float16, bfloat16 and float32, else float64. */

/** Discrete Hankel transform along an axis: FFTLog.
 *  @param a  real numbers
 *  @param dln  the logarithm of the ratio of two neighbouring distances, not 0
 *  @param mu  the order of the Bessel function
 *  @param offset  the logarithm of k_c r_c
 *  @param bias  the exponent of the power law; an error where it makes the transform singular
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.fht */
ARR_API arr_status arr_fht(arr_array a, double dln, double mu, double offset, double bias, int32_t axis,
                           arr_stream stream, arr_array *out);

/** Inverse of arr_fht with the same numbers.
 *  @param a  real numbers
 *  @param dln  the logarithm of the ratio of two neighbouring distances, not 0
 *  @param mu  the order of the Bessel function
 *  @param offset  the logarithm of k_c r_c
 *  @param bias  the exponent of the power law; an error where it makes the inverse singular
 *  @param axis  the axis; negative values count from the end
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.fft.ifht */
ARR_API arr_status arr_ifht(arr_array a, double dln, double mu, double offset, double bias, int32_t axis,
                            arr_stream stream, arr_array *out);

/** The offset near another one with which the samples' periods fit: arr_fht rings least.
 *  @param dln  the logarithm of the ratio of two neighbouring distances, not 0
 *  @param mu  the order of the Bessel function
 *  @param initial  the offset that is wanted; the result is less than dln away
 *  @param bias  the exponent of the power law
 *  @param[out] offset  the offset
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fhtoffset(double dln, double mu, double initial, double bias, double *offset);

#ifdef __cplusplus
}
#endif
#endif
