// SPDX-License-Identifier: MIT
// Factorizations and solvers of stacks of matrices, as LAPACK names them; the table of these and of products.
#pragma once

#include "backend/error.h"
#include "backend/matmul.h"

namespace arr {

// Operations on a matrix a of size m x n: inputs -> outputs, and when info is positive.
enum class LinalgKind : int32_t {
  solve,        // a (n x n), b (n x k) -> x, of op(a) x = b; info i: the i-th pivot is 0
  inverse,      // a (n x n) -> x (n x n); info as solve
  lu,           // a -> x: unit L below U, pivots (min(m, n)); info as solve
  lu_solve,     // a: x of lu (n x n), pivots, b (n x k) -> x, of op(a) x = b
  cholesky,     // a (triangle `lower`) -> x, in the same triangle; the other is undefined;
                // info i: the leading minor of order i is not positive
  qr,           // a -> x: R above the Householder vectors, values: their factors (min(m, n)), of a's dtype;
                // left: the first `columns` columns of Q (m x columns) unless that is 0; info is undefined
  qr_multiply,  // a: x of qr (m x n), values: its factors, b (m x k) -> x (m x k): op(Q) b, of all m columns
                // of Q; info is undefined
  svd,          // a -> values, real; with vectors left: U (m x ..), right: V' (.. x n); these are square if
                // `full`, otherwise have min(m, n) columns (rows); info: not converged
  eigh,         // a (n x n, triangle `lower`) -> values, real, ascending; with vectors x (n x n), in columns;
                // info: not converged
  eig,    // a (n x n) -> values, complex; with vectors x (n x n, complex), in columns; info: not converged
  schur,  // a (n x n, complex) -> x: T (n x n), upper triangular, left: Q (n x n), unitary, of a = Q T Q';
          // info: not converged
  ldl,  // a (n x n, triangle `lower`) -> x: L or U with exchanged rows (n x n), left: D (n x n), pivots from
        // 0 on: the rows of x that make a triangle (n); info is 0
  banded,  // a (m x n): the diagonals of a matrix (n x n), its element (i, j) in row m - 1 - columns + i - j
           // of column j, `columns` of them below the main one; b (n x k) -> x; info as solve
  banded_cholesky,  // a (m x n): the main diagonal of a positive definite matrix and those on one side, in
                    // the same rows (`lower`: m - 1 of them below it), b (n x k) -> x; info as cholesky
  sylvester,  // a (m x m), b (n x n), both complex and upper triangular, x: C (m x n) -> x, of a x + x b = C;
              // a quotient of 0 by 0 is 0; info is not written
  triangular,  // a (n x n, triangle `lower`, with a unit diagonal if `unit`), b (n x k) -> x, of op(a) x = b;
               // info is not written
};

enum class LinalgOp : char { none = 'N', transpose = 'T', adjoint = 'C' };

// Inputs have any strides and are not written, but x may be the memory of a or b if its layout is that of x.
// Outputs are contiguous column-major matrices (or vectors), in row-major order of the batch's indices, and
// overlap nothing else. No extent is 0. dtype is float32, float64, complex64 or
// complex128.
struct LinalgCall {
  LinalgKind kind = LinalgKind::solve;
  DType dtype = DType::none;
  int64_t m = 0, n = 0, k = 0, columns = 0;
  int32_t nbatch = 0;
  const int64_t* batch_shape = nullptr;
  MatmulCall::Matrix a, b;
  LinalgOp op = LinalgOp::none;
  bool lower = false, unit = false, vectors = false, full = false;
  void *x = nullptr, *values = nullptr, *left = nullptr, *right = nullptr;
  int32_t* pivots = nullptr;  // from 1 on
  // One per matrix, in device memory: 0, or a positive value as stated for the kind, or negative if the
  // matrix has nan or inf and the method does not accept these. If it is not 0, the matrix's outputs are
  // undefined, except pivots and x of lu.
  int32_t* info = nullptr;

  [[nodiscard]] int64_t count() const noexcept {
    int64_t all = 1;
    for (int32_t d = 0; d < nbatch; ++d) all *= batch_shape[d];
    return all;
  }
};

constexpr const char* name(LinalgKind kind) {
  switch (kind) {
    case LinalgKind::solve:
      return "solve";
    case LinalgKind::inverse:
      return "inverse";
    case LinalgKind::lu:
      return "lu";
    case LinalgKind::lu_solve:
      return "lu_solve";
    case LinalgKind::cholesky:
      return "cholesky";
    case LinalgKind::qr:
      return "qr";
    case LinalgKind::qr_multiply:
      return "qr_multiply";
    case LinalgKind::svd:
      return "svd";
    case LinalgKind::eigh:
      return "eigh";
    case LinalgKind::eig:
      return "eig";
    case LinalgKind::schur:
      return "schur";
    case LinalgKind::ldl:
      return "ldl";
    case LinalgKind::sylvester:
      return "sylvester";
    case LinalgKind::banded:
    case LinalgKind::banded_cholesky:
      return "banded solve";
    default:
      return "triangular solve";
  }
}

template <class Visitor>
void visit(Visitor& v, LinalgCall& c) {
  const int64_t extents[] = {c.count(), c.m, c.n, c.k};
  v.name([&] { return name(c.kind); });
  v.extents(extents, c.k == 0 ? 3 : 4);
  v.numbers(c.batch_shape, c.nbatch);
  for (MatmulCall::Matrix* m : {&c.a, &c.b}) v.numbers(m->batch, c.nbatch);
  v.bytes([&] { return c.count() * item_size(c.dtype) * (c.m * c.n + c.n * c.k); });
}

// Tridiagonal systems: lower[i - 1] x[i - 1] + diagonal[i] x[i] + upper[i] x[i + 1] = b[i] for i = 0 .. n -
// 1, solved by Gaussian elimination with partial pivoting. Vectors have any strides (bytes), `step` from an
// element to the next; x has no gaps and overlaps nothing. n is 1 or more. dtype as in LinalgCall.
struct TridiagonalCall {
  struct Vectors {
    char* data = nullptr;
    int64_t step = 0;
    const int64_t* batch = nullptr;
  };
  DType dtype = DType::none;
  int64_t n = 0;
  int32_t nbatch = 0;
  const int64_t* batch_shape = nullptr;
  Vectors lower, diagonal, upper, b, x;
  // One int32 per system, without a step: 0, or i if the i-th pivot is 0, where x is undefined.
  Vectors info;

  [[nodiscard]] int64_t count() const noexcept {
    int64_t all = 1;
    for (int32_t d = 0; d < nbatch; ++d) all *= batch_shape[d];
    return all;
  }
};

template <class Visitor>
void visit(Visitor& v, TridiagonalCall& c) {
  const int64_t extents[] = {c.count(), c.n};
  v.name([] { return "tridiagonal solve"; });
  v.extents(extents, 2);
  v.numbers(c.batch_shape, c.nbatch);
  for (auto* vectors : {&c.lower, &c.diagonal, &c.upper, &c.b, &c.x, &c.info})
    v.numbers(vectors->batch, c.nbatch);
  v.bytes([&] { return c.count() * c.n * item_size(c.dtype) * 5; });
}

struct LinalgApi {
  // Declines products with an epilogue if it has no library for them.
  int32_t (*matmul)(int32_t device, const MatmulCall*, void* stream, BackendError*);
  int32_t (*linalg)(int32_t device, const LinalgCall*, void* stream, BackendError*);
  int32_t (*tridiagonal)(int32_t device, const TridiagonalCall*, void* stream, BackendError*);
};

}  // namespace arr
