// SPDX-License-Identifier: MIT
// Matrices made from vectors or numbers, and parts of matrices. Vectors lie along the last axis; other axes
// are batches.
#pragma once

#include "arr/special_matrices.h"
#include "ops/calculus/calculus.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/new_array.h"

namespace arr {

// First column c and first row r, whose first element is ignored; r nullptr: conj(c).
Ref<Array> toeplitz(const Array& c, const Array* r, Stream* stream);
Ref<Array> circulant(const Array& c, Stream* stream);
// First column c and last row r, whose first element is ignored; r nullptr: zeros.
Ref<Array> hankel(const Array& c, const Array* r, Stream* stream);
// The matrix whose product with a vector of n elements is convolve(a, vector, mode).
Ref<Array> convolution_matrix(const Array& a, int64_t n, ConvolveMode mode, Stream* stream);
// Highest coefficient first; throws if it is 0, for which it waits.
Ref<Array> companion(const Array& a, Stream* stream);
Ref<Array> fiedler_companion(const Array& a, Stream* stream);
Ref<Array> leslie(const Array& f, const Array& s, Stream* stream);
Ref<Array> fiedler(const Array& a, Stream* stream);
Ref<Array> block_diag(std::span<const Array* const> blocks, Stream* stream);

// diag: a matrix with the vector on diagonal k, or diagonal k of a matrix, a view. diagflat: uses all
// elements in row-major order.
Ref<Array> diag(const Array& v, int64_t k, Stream* stream);
Ref<Array> diagflat(const Array& v, int64_t k, Stream* stream);

// The elements on and below (above) diagonal k; 0 elsewhere.
Ref<Array> tril(const Array& a, int64_t k, Stream* stream);
Ref<Array> triu(const Array& a, int64_t k, Stream* stream);
// The number of diagonals below and above the main one up to the last that is not all 0. Waits for the
// device.
struct Bandwidth {
  int64_t lower = 0, upper = 0;
};
Bandwidth bandwidth(const Array& a, Stream* stream);

Ref<Array> tri(int64_t rows, int64_t columns, int64_t k, const NewArray& made);
Ref<Array> hadamard(int64_t n, const NewArray& made);
Ref<Array> hilbert(int64_t n, const NewArray& made);
Ref<Array> helmert(int64_t n, bool full, const NewArray& made);
enum class DftScale : int32_t { none = ARR_DFT_UNSCALED, sqrtn = ARR_DFT_SQRTN, n = ARR_DFT_N };
Ref<Array> dft(int64_t n, DftScale scale, const NewArray& made);

}  // namespace arr
