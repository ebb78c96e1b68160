/* SPDX-License-Identifier: MIT */
/* special_matrices.h - matrices made from vectors or from their size, triangles, bandwidths. Vectors are in the
 * last axis; the axes before it are batches. */
#ifndef ARR_SPECIAL_MATRICES_H
#define ARR_SPECIAL_MATRICES_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------- of vectors */

/** Returns a Toeplitz matrix, which is constant along its diagonals.
 *  @param c  (..., m), the first column
 *  @param[in,null] r  (..., n), the first row, whose first element is ignored; NULL selects conj(c)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., m, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_toeplitz(arr_array c, arr_array r, arr_stream stream, arr_array *out);

/** Returns a circulant matrix: each column is the previous column moved down by one.
 *  @param c  (..., n), the first column
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_circulant(arr_array c, arr_stream stream, arr_array *out);

/** Returns a Hankel matrix, which is constant along its antidiagonals.
 *  @param c  (..., m), the first column
 *  @param[in,null] r  (..., n), the last row, whose first element is ignored; NULL selects zeros like c
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., m, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_hankel(arr_array c, arr_array r, arr_stream stream, arr_array *out);

/** Returns the matrix whose product with a vector of n elements is the convolution of a and the vector.
 *  @param a  (..., m), m >= 1
 *  @param n  number of elements of the vector, 1 or more
 *  @param mode  ARR_CONVOLVE_..., of signal.h
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_convolution_matrix(arr_array a, int64_t n, int32_t mode, arr_stream stream,
                                          arr_array *out);

/** Returns the companion matrix of a polynomial: -a[1:] / a[0] in the first row, ones below the diagonal. Integers give
 *  float64.
 *  @param a  (..., n), coefficients from the highest power to the lowest, n >= 2; a[0] is not 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n - 1, n - 1)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the first coefficients, which are checked */
ARR_API arr_status arr_companion(arr_array a, arr_stream stream, arr_array *out);

/** Returns Fiedler's companion matrix of a polynomial, which has five diagonals. Integers give float64.
 *  @param a  (..., n), coefficients from the highest power to the lowest, n >= 2; a[0] is not 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n - 1, n - 1)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the first coefficients, which are checked */
ARR_API arr_status arr_fiedler_companion(arr_array a, arr_stream stream, arr_array *out);

/** Returns a Leslie matrix: f in the first row, s below the diagonal.
 *  @param f  (..., n), fecundity, n >= 2
 *  @param s  (..., n - 1), survival
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_leslie(arr_array f, arr_array s, arr_stream stream, arr_array *out);

/** Returns a Fiedler matrix: the distances |a[i] - a[j]|.
 *  @param a  (..., n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, (..., n, n)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_fiedler(arr_array a, arr_stream stream, arr_array *out);

/** Returns a matrix with blocks along the diagonal and zeros elsewhere.
 *  @param n  number of blocks, 1 or more
 *  @param[in,len=n] blocks  matrices; a vector is a row, and a number is a matrix of one element
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_block_diag(int32_t n, const arr_array *blocks, arr_stream stream, arr_array *out);

/** Returns a matrix with a vector on diagonal k and zeros elsewhere, or diagonal k of a matrix as a view.
 *  @param v  a vector or a matrix
 *  @param k  number of the diagonal: 0 is the main diagonal, positive numbers are above it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_diag(arr_array v, int64_t k, arr_stream stream, arr_array *out);

/** Returns a matrix with all elements of an array, in row-major order, on diagonal k and zeros elsewhere.
 *  @param v  the array
 *  @param k  number of the diagonal: 0 is the main diagonal, positive numbers are above it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_diagflat(arr_array v, int64_t k, arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------- parts of matrices */

/** Returns the lower triangle: elements on diagonal k and below it are kept, others are 0.
 *  @param a  (..., m, n)
 *  @param k  number of the diagonal: 0 is the main diagonal, positive numbers are above it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_tril(arr_array a, int64_t k, arr_stream stream, arr_array *out);

/** Returns the upper triangle: elements on diagonal k and above it are kept, others are 0.
 *  @param a  (..., m, n)
 *  @param k  number of the diagonal: 0 is the main diagonal, positive numbers are above it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_triu(arr_array a, int64_t k, arr_stream stream, arr_array *out);

/** Returns the numbers of diagonals below and above the main diagonal, up to the last one that is not all zeros.
 *  @param a  (m, n)
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] lower  number of diagonals below the main diagonal
 *  @param[out] upper  number of diagonals above the main diagonal
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync waits for the device */
ARR_API arr_status arr_bandwidth(arr_array a, arr_stream stream, int64_t *lower, int64_t *upper);

/* --------------------------------------------------------------------------------- of their size */

/** Returns a matrix with ones on diagonal k and below it, and zeros elsewhere.
 *  @param rows  number of rows, >= 0
 *  @param columns  number of columns, >= 0; -1 for as many as rows
 *  @param k  number of the diagonal: 0 is the main diagonal, positive numbers are above it
 *  @param dtype  the dtype; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_tri(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype,
                           const arr_device *device, arr_stream stream, arr_array *out);

/** Returns a Hadamard matrix by Sylvester's construction: elements 1 and -1 in orthogonal rows.
 *  @param n  number of rows and columns, a power of 2
 *  @param dtype  signed integers, floats or complex; 0 selects int64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_hadamard(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                                arr_array *out);

/** Returns a Hilbert matrix: 1 / (i + j + 1).
 *  @param n  number of rows and columns, >= 0
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_hilbert(int64_t n, arr_dtype dtype, const arr_device *device, arr_stream stream,
                               arr_array *out);

/** Returns a Helmert matrix: orthonormal rows, all of which except the first add up to 0.
 *  @param n  number of rows and columns, 1 or more
 *  @param full  true: with the first row; false: without it
 *  @param dtype  the dtype, a float; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_helmert(int64_t n, bool full, arr_dtype dtype, const arr_device *device,
                               arr_stream stream, arr_array *out);

#define ARR_DFT_UNSCALED 0 /* no factor */
#define ARR_DFT_SQRTN 1    /* divided by sqrt(n): unitary */
#define ARR_DFT_N 2        /* divided by n */

/** Returns the matrix of the discrete Fourier transform: exp(-2 pi i j k / n).
 *  @param n  number of rows and columns, >= 0
 *  @param scale  ARR_DFT_...
 *  @param dtype  complex64 or complex128; 0 selects complex128
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_dft(int64_t n, int32_t scale, arr_dtype dtype, const arr_device *device,
                           arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
