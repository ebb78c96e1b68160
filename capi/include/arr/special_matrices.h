/* SPDX-License-Identifier: MIT */
/* special_matrices.h - matrices made of vectors or of their size, triangles, bandwidths. Vectors lie along the last
 * axis; axes before it are batches. */
#ifndef ARR_SPECIAL_MATRICES_H
#define ARR_SPECIAL_MATRICES_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- of vectors */

/** Toeplitz matrix: constant along diagonals.
 *  @param c  (..., m), the first column
 *  @param[in,null] r  (..., n), the first row, of which the first element does not count; NULL: conj(c)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., m, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.toeplitz */
ARR_API arr_status arr_toeplitz(arr_array c, arr_array r, arr_stream stream, arr_array *out);

/** Circulant matrix: each column the one before it moved down by one.
 *  @param c  (..., n), the first column
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.circulant */
ARR_API arr_status arr_circulant(arr_array c, arr_stream stream, arr_array *out);

/** Hankel matrix: constant along the other diagonals.
 *  @param c  (..., m), the first column
 *  @param[in,null] r  (..., n), the last row, of which the first element does not count; NULL: zeros like c
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., m, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.hankel */
ARR_API arr_status arr_hankel(arr_array c, arr_array r, arr_stream stream, arr_array *out);

/** The matrix whose product with a vector of n elements is the convolution of both.
 *  @param a  (..., m), m >= 1
 *  @param n  elements of the vector, 1 or more
 *  @param mode  ARR_CONVOLVE_..., of signal.h
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.convolution_matrix */
ARR_API arr_status arr_convolution_matrix(arr_array a, int64_t n, int32_t mode, arr_stream stream,
                                          arr_array *out);

/** Companion matrix of a polynomial: -a[1:] / a[0] in the first row, ones below the diagonal. Integers give float64.
 *  @param a  (..., n), coefficients from the highest power on, n >= 2; a[0] is not 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n - 1, n - 1)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the first coefficients, which are looked at   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.companion */
ARR_API arr_status arr_companion(arr_array a, arr_stream stream, arr_array *out);

/** Fiedler's companion matrix of a polynomial, with five diagonals. Integers give float64.
 *  @param a  (..., n), coefficients from the highest power on, n >= 2; a[0] is not 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n - 1, n - 1)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the first coefficients, which are looked at   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.fiedler_companion */
ARR_API arr_status arr_fiedler_companion(arr_array a, arr_stream stream, arr_array *out);

/** Leslie matrix: f in the first row, s below the diagonal.
 *  @param f  (..., n), fecundity, n >= 2
 *  @param s  (..., n - 1), survival
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.leslie */
ARR_API arr_status arr_leslie(arr_array f, arr_array s, arr_stream stream, arr_array *out);

/** Fiedler matrix: the distances |a[i] - a[j]|.
 *  @param a  (..., n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.fiedler */
ARR_API arr_status arr_fiedler(arr_array a, arr_stream stream, arr_array *out);

/** Blocks along the diagonal, zeros elsewhere.
 *  @param n  number of blocks, 1 or more
 *  @param[in,len=n] blocks  matrices; a vector is a row, a number a matrix of one element
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.block_diag */
ARR_API arr_status arr_block_diag(int32_t n, const arr_array *blocks, arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------- parts of matrices */

/** The lower triangle: elements on diagonal k and below it, 0 elsewhere.
 *  @param a  (..., m, n)
 *  @param k  which diagonal: 0 the main one, above it positive
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.tril */
ARR_API arr_status arr_tril(arr_array a, int64_t k, arr_stream stream, arr_array *out);

/** The upper triangle: elements on diagonal k and above it, 0 elsewhere.
 *  @param a  (..., m, n)
 *  @param k  which diagonal: 0 the main one, above it positive
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.triu */
ARR_API arr_status arr_triu(arr_array a, int64_t k, arr_stream stream, arr_array *out);

/** How many diagonals below and above the main one there are up to the last that is not all zeros.
 *  @param a  (m, n)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] lower  diagonals below the main one
 *  @param[out] upper  diagonals above it
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the device   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.bandwidth */
ARR_API arr_status arr_bandwidth(arr_array a, arr_stream stream, int64_t *lower, int64_t *upper);

/* --------------------------------------------------------------------------------- of their size */

/** Ones on diagonal k and below it, zeros elsewhere.
 *  @param rows  rows, >= 0
 *  @param columns  columns, >= 0; -1 for as many as rows
 *  @param k  which diagonal: 0 the main one, above it positive
 *  @param dtype  element type; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.tri */
ARR_API arr_status arr_tri(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype,
                           const arr_device *device, arr_stream stream, arr_array *out);

/** Hadamard matrix by Sylvester's construction: of 1 and -1, with orthogonal rows.
 *  @param n  a power of 2
 *  @param dtype  signed integers, floats or complex; 0: int64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.hadamard */
ARR_API arr_status arr_hadamard(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Hilbert matrix: 1 / (i + j + 1).
 *  @param n  rows and columns, >= 0
 *  @param dtype  a float; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.hilbert */
ARR_API arr_status arr_hilbert(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Helmert matrix: orthonormal rows, of which all but the first add up to 0.
 *  @param n  rows and columns, 1 or more
 *  @param full  1: with the first row; 0: without it
 *  @param dtype  a float; 0: float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.helmert */
ARR_API arr_status arr_helmert(int64_t n, int32_t full, arr_dtype dtype, const arr_device *device,
                               arr_stream stream, arr_array *out);

#define ARR_DFT_UNSCALED 0 /* as it is */
#define ARR_DFT_SQRTN 1    /* divided by sqrt(n): unitary */
#define ARR_DFT_N 2        /* divided by n */

/** Matrix of the discrete Fourier transform: exp(-2 pi i j k / n).
 *  @param n  rows and columns, >= 0
 *  @param scale  ARR_DFT_...
 *  @param dtype  complex64 or complex128; 0: complex128
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupyx.scipy.linalg.dft */
ARR_API arr_status arr_dft(int64_t n, int32_t scale, arr_dtype dtype, const arr_device *device,
                           arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
