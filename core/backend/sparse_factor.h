// SPDX-License-Identifier: MIT
// Factors of sparse matrices, and triangular solves with them.
#pragma once

#include <memory>
#include <vector>

#include "array/dtype.h"
#include "backend/error.h"
#include "backend/sparse_plans.h"
#include "backend/visit.h"

namespace arr {

enum class LinalgOp : char;  // backend/linalg.h

// LU factors that a backend has computed and keeps.
class SparseLu {
 public:
  SparseLu() = default;
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;
  virtual ~SparseLu() = default;
  int64_t nnz = 0;   // number of elements, with zeros that fill blocks
  int32_t sign = 1;  // of the two permutations together
};

enum class SparseOrdering : int32_t { natural, mmd_ata, mmd_at_plus_a, colamd };

struct SparseLuOptions {
  SparseOrdering ordering = SparseOrdering::colamd;
  double diag_pivot_thresh = 1;
  bool equilibrate = false, symmetric = false;
  // Other than none for backends without Cholesky factors: of a Hermitian matrix, of which one triangle is
  // there, the factors L D L', or if it is definite L L'.
  enum class Hermitian { none, any, definite } hermitian = Hermitian::none;
  bool upper = false;  // the triangle
};

// The LU factors of an n x n matrix in compressed columns, canonical. n and nnz are at least 1. ARR_E_LINALG
// if it is singular, or not definite. The call waits, and has run when it returns. Backends without
// `scatters` (backend/sparse.h) get compressed rows, in arrays that live as long as the factors; those
// without lu_parts choose their own options, and have no permutations.
struct SparseLuCall {
  DType dtype = DType::none;  // float32, float64, complex64 or complex128
  int64_t n = 0, nnz = 0;
  const int32_t* pointers = nullptr;
  const int32_t* indices = nullptr;
  const void* data = nullptr;
  SparseLuOptions options;
  std::shared_ptr<const SparseLu> like;  // factors of the same pattern, whose order of columns is used
  int32_t* perm_r = nullptr;             // results: row i is row perm_r[i] of L U
  int32_t* perm_c = nullptr;
  std::shared_ptr<const SparseLu>* out = nullptr;
};

// x = op(a)^-1 x in place; x is column-major, n x columns.
struct SparseLuSolveCall {
  DType dtype = DType::none;
  int64_t n = 0, columns = 0;
  LinalgOp op{};
  std::shared_ptr<const SparseLu> lu;
  void* x = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseLuSolveCall& c) {
  const int64_t extents[] = {c.n, c.columns};
  v.name([] { return "solve by sparse factors"; });
  v.extents(extents, 2);
}

// Counts the elements of L, with its diagonal of ones, and U, without zeros that fill blocks; where a part
// has memory, writes them in compressed columns, in any order within a column. Like SparseLuCall it waits.
struct SparseLuPartsCall {
  struct Part {
    int64_t* count = nullptr;
    int32_t* pointers = nullptr;  // n + 1
    int32_t* indices = nullptr;
    void* data = nullptr;
  };
  DType dtype = DType::none;
  int64_t n = 0;
  std::shared_ptr<const SparseLu> lu;
  Part lower, upper;
};

// x = op(a)^-1 x in place for a triangle of a, whose other elements are not read; x is contiguous, in C
// order, n x columns. The lines of a are its rows, or its columns if it `scatters`. failed: n, or the first
// row in order of the computation whose diagonal element is 0; then x is undefined.
//
// Backends without `scatters` (backend/sparse.h) get canonical rows, nothing to conjugate, and no `failed`:
// the diagonal has no 0. They may decline. plans: for this pattern; constant: the data are those of all
// calls with these plans.
struct SparseTriangularCall {
  DType dtype = DType::none, index_type = DType::none;
  int64_t n = 0, nnz = 0, columns = 0;
  bool scatters = false, lower = false, unit = false, conjugate = false;  // lower: of op(a)
  const void* pointers = nullptr;
  const void* indices = nullptr;
  const void* data = nullptr;
  void* x = nullptr;
  int64_t* failed = nullptr;
  std::shared_ptr<SparsePlans> plans;
  bool constant = false;
};

template <class Visitor>
void visit(Visitor& v, SparseTriangularCall& c) {
  const int64_t extents[] = {c.n, c.columns};
  v.name([] { return "sparse triangular solve"; });
  v.extents(extents, 2);
}

// Replaces the elements of a canonical matrix in rows by those of its incomplete factors of the same pattern:
// L without its diagonal of ones and U (ILU(0)), or of a triangle by L of L L' (IC(0)). failed: n, or the row
// whose pivot is missing, 0, or not positive.
struct SparseIncompleteCall {
  DType dtype = DType::none, index_type = DType::none;
  int64_t n = 0;
  bool cholesky = false;  // the elements above the diagonal are not there
  const void* pointers = nullptr;
  const void* indices = nullptr;
  void* data = nullptr;
  int64_t* failed = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseIncompleteCall& c) {
  const int64_t extents[] = {c.n};
  v.name([] { return "incomplete factors"; });
  v.extents(extents, 1);
}

// Rows of a matrix whose number of elements its computation finds; data: of the type of the call.
class FactorRows {
 public:
  FactorRows() = default;
  FactorRows(const FactorRows&) = delete;
  FactorRows& operator=(const FactorRows&) = delete;
  virtual ~FactorRows() = default;
  [[nodiscard]] virtual const void* data() const = 0;
  std::vector<int64_t> pointers;
  std::vector<int32_t> indices;
};

struct SparseIlutOptions {
  double drop_tol = 0;           // times the largest magnitude of a row: what is smaller is dropped there
  double fill_factor = 1;        // the most elements of both factors, as a multiple of the matrix's
  double diag_pivot_thresh = 0;  // times the largest magnitude: a smaller element of the diagonal is no pivot
  bool natural = false;          // rows are eliminated in their order
};

// Incomplete LU factors of an n x n matrix in canonical rows: L without its diagonal of ones and U,
// canonical. Waits, as SparseLuCall.
struct SparseIlutCall {
  DType dtype = DType::none;  // float32, float64, complex64 or complex128
  int64_t n = 0;
  const int64_t* pointers = nullptr;
  const int32_t* indices = nullptr;
  const void* data = nullptr;
  SparseIlutOptions options;
  int32_t* perm_r = nullptr;  // results: element (i, j) of a is (perm_r[i], perm_c[j]) of L U
  int32_t* perm_c = nullptr;
  int64_t* failed = nullptr;  // n, or the row without a pivot; then there are no others
  std::shared_ptr<const FactorRows>* out = nullptr;
};

}  // namespace arr
