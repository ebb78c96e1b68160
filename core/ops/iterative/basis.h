// SPDX-License-Identifier: MIT
// Orthonormal bases, the rows of a matrix, and small matrices on the host.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "ops/iterative/krylov.h"

namespace arr {

using Complex = std::complex<double>;

// An uninitialised matrix whose rows are vectors.
Ref<Array> empty_basis(const Vectors& s, int64_t count, int64_t n);
// conj(v_i) . w for each row.
Ref<Array> projections(const Vectors& s, const Array& basis, const Array& w);
// The sum of h_i v_i over the rows.
Ref<Array> combination(const Vectors& s, const Array& h, const Array& basis);
// w minus that sum.
Ref<Array> without(const Vectors& s, const Array& w, const Array& h, const Array& basis);
// w without its projections on the rows, which are h: classical Gram-Schmidt sums, twice (L. Giraud et al.,
// Numerische Mathematik 101, 2005).
struct Orthogonal {
  Ref<Array> w, h;
};
Orthogonal orthogonalize(const Vectors& s, const Array& basis, const Array& w);
// Writes w / size into a row, or 0 if the size is at most eps times that before.
void write_unit(const Vectors& s, const Array& row, const Array& w, const Array& size, const Array& before);

// The reduced QR factorization of a matrix with few columns, whose rows are divided as vectors: q, r.
std::array<Ref<Array>, 2> tall_qr(const Vectors& s, const Array& a);

// Elements on the host; waits.
std::vector<Complex> read_all(const Array& a, Stream* stream);
// A vector, or a matrix of that many columns, on the device.
Ref<Array> write_all(const Vectors& s, const std::vector<Complex>& elements, int64_t columns = 0);

// A small matrix on the host.
struct Matrix {
  Matrix(size_t m, size_t n) : rows(m), columns(n), elements(m * n) {}
  size_t rows, columns;
  std::vector<Complex> elements;
  Complex& operator()(size_t i, size_t j) { return elements[i * columns + j]; }
  const Complex& operator()(size_t i, size_t j) const { return elements[i * columns + j]; }
};
Matrix product(const Matrix& a, const Matrix& b);
Matrix adjoint(const Matrix& a);
// Eigenvalues in ascending order, and eigenvectors in columns, of a Hermitian matrix whose lower triangle is
// read.
struct SmallEigen {
  std::vector<double> values;
  Matrix vectors;
};
SmallEigen eigen(const Matrix& a, bool real);

}  // namespace arr
