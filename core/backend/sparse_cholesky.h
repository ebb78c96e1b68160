// SPDX-License-Identifier: MIT
// Factors L D L' of Hermitian sparse matrices.
#pragma once

#include <memory>

#include "array/dtype.h"
#include "backend/error.h"
#include "backend/visit.h"

namespace arr {

// Factors that a backend has computed and keeps.
class SparseCholesky {
 public:
  SparseCholesky() = default;
  SparseCholesky(const SparseCholesky&) = delete;
  SparseCholesky& operator=(const SparseCholesky&) = delete;
  virtual ~SparseCholesky() = default;
  int64_t nnz = 0;  // number of elements of L, with its diagonal and with zeros that fill blocks
};

struct SparseCholeskyOptions {
  bool definite = false;  // pivots that are not positive are refused, otherwise those that are about 0
  bool upper = false;     // the triangle that is read
  bool natural = false;   // columns are eliminated in their order
};

// P a P' = L D L' for an n x n matrix, with ones on L's diagonal and real D, without exchanges for the size
// of pivots. The lines of a, canonical, are its columns, or if `upper` its rows; only elements whose index is
// at least their line are read. n is at least 1. The call waits, and has run when it returns.
struct SparseCholeskyCall {
  DType dtype = DType::none;  // float32, float64, complex64 or complex128
  int64_t n = 0;
  const int64_t* pointers = nullptr;
  const int32_t* indices = nullptr;
  const void* data = nullptr;
  SparseCholeskyOptions options;
  std::shared_ptr<const SparseCholesky> like;  // factors of the same pattern, whose order is used
  int32_t* perm = nullptr;                     // result: row i is row perm[i] of L
  int64_t* failed = nullptr;  // n, or the column whose pivot is refused; then there is no `out`
  double* pivot = nullptr;    // that pivot
  std::shared_ptr<const SparseCholesky>* out = nullptr;
};

// x = a^-1 x, or conj(a)^-1 x, in place; x is contiguous, in C order, n x columns.
struct SparseCholeskySolveCall {
  DType dtype = DType::none;
  int64_t n = 0, columns = 0;
  bool conjugate = false;
  std::shared_ptr<const SparseCholesky> factors;
  void* x = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseCholeskySolveCall& c) {
  const int64_t extents[] = {c.n, c.columns};
  v.name([] { return "solve by sparse Cholesky factors"; });
  v.extents(extents, 2);
}

// Counts the elements of L that are not 0; with memory for them, writes these, canonical in compressed
// columns, and D, of type dtype. Like SparseCholeskyCall it waits.
struct SparseCholeskyPartsCall {
  DType dtype = DType::none;
  std::shared_ptr<const SparseCholesky> factors;
  int64_t* count = nullptr;
  int64_t* pointers = nullptr;  // n + 1
  int32_t* indices = nullptr;
  void* data = nullptr;
  void* diagonal = nullptr;
};

}  // namespace arr
