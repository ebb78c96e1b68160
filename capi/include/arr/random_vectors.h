/* SPDX-License-Identifier: MIT */
/* random_vectors.h - random vectors whose elements depend on each other; those written into arrays are cast to their
 * dtypes. */
#ifndef ARR_RANDOM_VECTORS_H
#define ARR_RANDOM_VECTORS_H
#include "arr/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Counts of n draws from several outcomes each (multinomial), one binomial number after the other.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param n  how often is drawn, an array or a number; arrays broadcast to the shape without the outcomes, and of their
 *  elements nothing is checked
 *  @param pvals  (..., k) the outcomes' probabilities, one at least; what all but the last miss to 1 is the last's;
 *  they may be beyond 1 by 1e-12, those of a smaller float type by what weights of arr_random_choice may
 *  @param ndim  number of dimensions in front of the outcomes; -1: of the shape that n and pvals have together
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: (shape..., k) of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for pvals   @threads any   @since 0.1
 *  @cupy cupy.random.multinomial */
ARR_API arr_status arr_random_multinomial(arr_generator generator, const arr_value *n, arr_array pvals,
                                          int32_t ndim, const int64_t *shape, arr_stream stream,
                                          arr_array *out);

/** arr_random_multinomial into an existing array: the same counts.
 *  @param[in,written] dst  (..., k) written: integers or floats; a count that the dtype does not hold is its limit, a
 *      mean ARR_E_ARGUMENT
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param n  how often is drawn, an array or a number
 *  @param pvals  (..., k) the outcomes' probabilities
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for pvals   @threads any   @since 0.1 */
ARR_API arr_status arr_random_multinomial_into(arr_array dst, arr_generator generator, const arr_value *n,
                                               arr_array pvals, arr_stream stream);

/** Dirichlet: shares of a whole, by breaking a beta number's part off what is left.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param alpha  (..., k) each > 0
 *  @param ndim  number of dimensions in front of the shares; -1: those of alpha
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: (shape..., k) of float64; nan where an alpha, or the sum of all, is no positive
 *      finite number
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.random.dirichlet, cupy.random.Generator.dirichlet, cupy.random.RandomState.dirichlet */
ARR_API arr_status arr_random_dirichlet(arr_generator generator, arr_array alpha, int32_t ndim,
                                        const int64_t *shape, arr_stream stream, arr_array *out);

/** arr_random_dirichlet into an existing array: the same shares.
 *  @param[in,written] dst  (..., k) written: floats
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param alpha  (..., k) each > 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_dirichlet_into(arr_array dst, arr_generator generator, arr_array alpha,
                                             arr_stream stream);

#define ARR_NORMAL_CHOLESKY 0 /* of the covariance; must be positive definite */
#define ARR_NORMAL_EIGH \
  1 /* its eigenvectors by the roots of the eigenvalues; none may be below 0, by more than rounding */
#define ARR_NORMAL_SVD \
  2 /* its singular vectors by the roots of the singular values, as NumPy; none may stand for an eigenvalue below 0 */

/** Normal vectors of a mean and a covariance.
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param mean  (k)
 *  @param covariance  (k, k) symmetric, of which the lower triangle is read, all of it for ARR_NORMAL_SVD; ARR_E_LINALG
 *      if not finite
 *  @param method  ARR_NORMAL_CHOLESKY, ARR_NORMAL_EIGH or ARR_NORMAL_SVD
 *  @param ndim  number of dimensions in front of the vectors; -1: none
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: (shape..., k) of float64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync waits for the factors of the covariance   @threads any   @since 0.1
 *  @cupy cupy.random.multivariate_normal, cupy.random.RandomState.multivariate_normal */
ARR_API arr_status arr_random_multivariate_normal(arr_generator generator, arr_array mean,
                                                  arr_array covariance, int32_t method, int32_t ndim,
                                                  const int64_t *shape, arr_stream stream, arr_array *out);

/** arr_random_multivariate_normal into an existing array: the same vectors.
 *  @param[in,written] dst  (..., k) written: floats
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param mean  (k)
 *  @param covariance  (k, k) symmetric
 *  @param method  ARR_NORMAL_CHOLESKY, ARR_NORMAL_EIGH or ARR_NORMAL_SVD
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_LINALG, ARR_E_UNAVAILABLE
 *  @sync waits for the factors of the covariance   @threads any   @since 0.1 */
ARR_API arr_status arr_random_multivariate_normal_into(arr_array dst, arr_generator generator, arr_array mean,
                                                       arr_array covariance, int32_t method,
                                                       arr_stream stream);

/** How many of each colour are among those drawn without putting them back (multivariate hypergeometric).
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param colors  (..., k) how many there are of each
 *  @param nsample  how many are drawn, an array or a number
 *  @param ndim  number of dimensions in front of the colours; -1: of the shape that colors and nsample have together
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference: (shape..., k) of int64; -1 where there are not so many
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_multivariate_hypergeometric(arr_generator generator, arr_array colors,
                                                          const arr_value *nsample, int32_t ndim,
                                                          const int64_t *shape, arr_stream stream,
                                                          arr_array *out);

/** arr_random_multivariate_hypergeometric into an existing array: the same numbers.
 *  @param[in,written] dst  (..., k) written: signed integers or floats; -1 where there are not so many; a count that
 *  the dtype does not hold is its limit
 *  @param[in,null] generator  whose numbers are used up; NULL: the process's own
 *  @param colors  (..., k) how many there are of each
 *  @param nsample  how many are drawn, an array or a number
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_random_multivariate_hypergeometric_into(arr_array dst, arr_generator generator,
                                                               arr_array colors, const arr_value *nsample,
                                                               arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
