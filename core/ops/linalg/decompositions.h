// SPDX-License-Identifier: MIT
// Factorizations of matrices into triangular, orthogonal and diagonal factors. Arrays are stacks of matrices
// in their last two dimensions. Results are column-major if the backend writes them so.
#pragma once

#include <optional>

#include "ops/linalg/lapack_call.h"

namespace arr {

// a = L L', or with upper a = U' U; only that triangle of a is read.
Ref<Array> cholesky(const Array& a, bool upper, OnFailure how, Stream* stream);

enum class QrMode : int32_t {
  reduced = ARR_QR_REDUCED,
  complete = ARR_QR_COMPLETE,
  r = ARR_QR_R,
  raw = ARR_QR_RAW
};
// {q, r}; in mode r: {r}; in mode raw: {h, tau}.
std::vector<Ref<Array>> qr(const Array& a, QrMode mode, Stream* stream);

struct Svd {
  Ref<Array> u, s, vh;  // u and vh are null unless requested
};
// full: u and vh are square.
Svd svd(const Array& a, bool vectors, bool full, OnFailure how, Stream* stream);
// The singular values: real, in descending order.
Ref<Array> svdvals(const Array& a, OnFailure how, Stream* stream);

struct Eigen {
  Ref<Array> values, vectors;  // eigenvectors in columns; null unless requested
};
// Eigenvalues of symmetric or Hermitian matrices: real, in ascending order. One triangle is read.
Eigen eigh(const Array& a, bool lower, bool vectors, OnFailure how, Stream* stream);
// Eigenvalues of general matrices: complex.
Eigen eig(const Array& a, bool vectors, OnFailure how, Stream* stream);

struct SchurForm {
  Ref<Array> t, q;
};
// a = q t q' with triangular t and unitary q, both complex.
SchurForm schur(const Array& a, OnFailure how, Stream* stream);

struct Polar {
  Ref<Array> u, p;
};
// a = u p, or with left: a = p u; p is Hermitian and has no negative eigenvalue.
Polar polar(const Array& a, bool left, OnFailure how, Stream* stream);

struct Ldl {
  Ref<Array> lu, d, permutation;  // lu[permutation] is triangular
};
// a = lu d lu' for Hermitian a, of which one triangle is read; d has blocks of one or two rows.
Ldl ldl(const Array& a, bool lower, Stream* stream);

struct LuFactors {
  Ref<Array> lu, pivots;  // pivots from 0 on
};
// Row i was exchanged with row pivots[i], in order. The factors of a singular matrix are valid too.
LuFactors lu_factor(const Array& a, Stream* stream);
// {p, l, u} with a = p l u. Waits for the device.
std::vector<Ref<Array>> lu(const Array& a, Stream* stream);

}  // namespace arr
