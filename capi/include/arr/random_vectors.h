/* SPDX-License-Identifier: MIT */
/* random_vectors.h - random vectors whose elements depend on each other. The _into forms cast to the dtype of the
 * destination. */
#ifndef ARR_RANDOM_VECTORS_H
#define ARR_RANDOM_VECTORS_H
#include "arr/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Draws the counts of n trials with several outcomes each (multinomial), one binomial number after the other.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param n  number of trials, an array or a number. Arrays broadcast to the shape without the outcomes, and their
 *      elements are not checked
 *  @param pvals  (..., k) the probabilities of the outcomes, at least one; the last outcome gets what the others leave
 *      to 1. Their sum may exceed 1 by 1e-12; for smaller float types by as much as weights of arr_random_choice may
 *  @param ndim  number of dimensions before that of the outcomes; -1 selects the shape that n and pvals have together
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: (shape..., k) of int64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for pvals */
ARR_API arr_status arr_random_multinomial(arr_generator generator, const arr_value *n, arr_array pvals,
                                          int32_t ndim, const int64_t *shape, arr_stream stream,
                                          arr_array *out);

/** Writes the result of arr_random_multinomial into an existing array: the same counts.
 *  @param[in,written] dst  (..., k) the destination, of integers or floats. A count that the dtype does not hold
 *      becomes its limit; a mean that it does not hold is ARR_E_ARGUMENT
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param n  number of trials, an array or a number
 *  @param pvals  (..., k) the probabilities of the outcomes
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync waits for pvals */
ARR_API arr_status arr_random_multinomial_into(arr_array dst, arr_generator generator, const arr_value *n,
                                               arr_array pvals, arr_stream stream);

/** Draws Dirichlet shares of a whole: each share is a beta number's part of the remainder.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param alpha  (..., k) each > 0
 *  @param ndim  number of dimensions before that of the shares; -1 selects those of alpha
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: (shape..., k) of float64; nan if an alpha, or their sum, is not a positive
 *      finite number
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_random_dirichlet(arr_generator generator, arr_array alpha, int32_t ndim,
                                        const int64_t *shape, arr_stream stream, arr_array *out);

/** Writes the result of arr_random_dirichlet into an existing array: the same shares.
 *  @param[in,written] dst  (..., k) the destination, of floats
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param alpha  (..., k) each > 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_dirichlet_into(arr_array dst, arr_generator generator, arr_array alpha,
                                             arr_stream stream);

#define ARR_NORMAL_CHOLESKY 0 /* the Cholesky factor of the covariance, which must be positive definite */
#define ARR_NORMAL_EIGH 1     /* eigenvectors times square roots of eigenvalues, none negative */
#define ARR_NORMAL_SVD 2      /* singular vectors times square roots of singular values, as NumPy */

/** Draws normal vectors with a mean and a covariance.
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param mean  (k)
 *  @param covariance  (k, k) symmetric; the lower triangle is read, the whole matrix for ARR_NORMAL_SVD; ARR_E_LINALG
 *      if it is not finite
 *  @param method  ARR_NORMAL_CHOLESKY, ARR_NORMAL_EIGH or ARR_NORMAL_SVD
 *  @param ndim  number of dimensions before that of the vectors; -1 selects none
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: (shape..., k) of float64
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LINALG,
 *      ARR_E_UNAVAILABLE
 *  @sync waits for the factors of the covariance */
ARR_API arr_status arr_random_multivariate_normal(arr_generator generator, arr_array mean,
                                                  arr_array covariance, int32_t method, int32_t ndim,
                                                  const int64_t *shape, arr_stream stream, arr_array *out);

/** Writes the result of arr_random_multivariate_normal into an existing array: the same vectors.
 *  @param[in,written] dst  (..., k) the destination, of floats
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param mean  (k)
 *  @param covariance  (k, k) symmetric
 *  @param method  ARR_NORMAL_CHOLESKY, ARR_NORMAL_EIGH or ARR_NORMAL_SVD
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY,
 *      ARR_E_LINALG, ARR_E_UNAVAILABLE
 *  @sync waits for the factors of the covariance */
ARR_API arr_status arr_random_multivariate_normal_into(arr_array dst, arr_generator generator, arr_array mean,
                                                       arr_array covariance, int32_t method,
                                                       arr_stream stream);

/** Draws without replacement and counts each colour (multivariate hypergeometric).
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param colors  (..., k) the number of items of each colour
 *  @param nsample  number of items to draw, an array or a number
 *  @param ndim  number of dimensions before that of the colours; -1 selects the shape that colors and nsample have
 *      together
 *  @param[in,len=ndim] shape  extents
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: (shape..., k) of int64; -1 where there are fewer items than draws
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_random_multivariate_hypergeometric(arr_generator generator, arr_array colors,
                                                          const arr_value *nsample, int32_t ndim,
                                                          const int64_t *shape, arr_stream stream,
                                                          arr_array *out);

/** Writes the result of arr_random_multivariate_hypergeometric into an existing array: the same numbers.
 *  @param[in,written] dst  (..., k) the destination, of signed integers or floats; -1 where there are fewer items than
 *      draws; a count that the dtype does not hold becomes its limit
 *  @param[in,null] generator  the generator, which is advanced; NULL selects the process's generator
 *  @param colors  (..., k) the number of items of each colour
 *  @param nsample  number of items to draw, an array or a number
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_random_multivariate_hypergeometric_into(arr_array dst, arr_generator generator,
                                                               arr_array colors, const arr_value *nsample,
                                                               arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
