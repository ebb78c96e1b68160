// SPDX-License-Identifier: MIT
// Factors of sparse matrices, and solves with them.
#pragma once

#include "backend/linalg.h"
#include "backend/sparse_cholesky.h"
#include "backend/sparse_factor.h"
#include "ops/sparse/sparse.h"

namespace arr {

// A factored n x n matrix.
class SparseFactor final : public Object {
 public:
  enum class Kind : int32_t {
    lu,        // of the backend
    ilu0,      // L without its diagonal of ones and U, in rows
    ic0,       // L of L L', in rows
    cholesky,  // of the backend, definite
    ldl,       // the same of an indefinite matrix
    ilut       // as ilu0, of a matrix with other orders of rows and columns
  };
  SparseFactor(Kind what, int64_t order, DType d, Device where)
      : kind(what), n(order), dtype(d), device(where) {}

  const Kind kind;
  const int64_t n;
  const DType dtype;
  const Device device;
  SparseLuOptions options;                 // of what the backend's lu computed
  std::shared_ptr<const SparseLu> lu;      // null if n is 0; of cholesky and ldl where they are not apart
  SparseCholeskyOptions cholesky_options;  // of cholesky and ldl
  std::shared_ptr<const SparseCholesky> cholesky;  // null if n is 0
  SparseIlutOptions ilut_options;
  Ref<Sparse> rows;  // of ilu0, ic0 and ilut; of lu, the matrix for backends that refer to it
  // int32: element (i, j) of a is (perm_r[i], perm_c[j]) of L U. Null where check_parts() throws.
  Ref<Array> perm_r, perm_c;
  Ref<Array> row_order, column_order;  // int64: the inverses, of ilut

  // The number of elements of both factors, L with its diagonal, with zeros that fill blocks.
  [[nodiscard]] int64_t nnz() const noexcept {
    if (lu != nullptr) return lu->nnz;
    if (cholesky != nullptr) return 2 * cholesky->nnz;
    return rows ? (kind == Kind::ic0 ? 2 * rows->nnz() : rows->nnz() + n) : 0;
  }
};

// The LU factors of a, in a's type, float64 for integers. Waits. ARR_E_LINALG if a is singular.
Ref<SparseFactor> sparse_lu(const Sparse& a, const SparseLuOptions& options, Stream* stream);
// Factors L L' of the definite or L D L' of any Hermitian matrix, of which one triangle is read. Waits.
// ARR_E_LINALG if a pivot is not positive, or about 0.
Ref<SparseFactor> sparse_cholesky(const Sparse& a, const SparseCholeskyOptions& options, Stream* stream);
// Factors of the same kind of a matrix with the elements of a factored one where they are.
Ref<SparseFactor> refactor(const SparseFactor& f, const Sparse& a, Stream* stream);
// Factors without fill. ic0: of the lower triangle. Waits. ARR_E_LINALG if a pivot is 0 or not positive.
Ref<SparseFactor> sparse_ilu0(const Sparse& a, Stream* stream);
Ref<SparseFactor> sparse_ic0(const Sparse& a, Stream* stream);

// Factors with thresholds, computed on the host. Waits. ARR_E_LINALG if a row has no pivot.
Ref<SparseFactor> sparse_ilut(const Sparse& given, const SparseIlutOptions& options, Stream* stream);

// x of op(a) x = b in the factors' type, or its complex one for a complex b.
Ref<Array> solve(const SparseFactor& f, const Array& b, LinalgOp op, Stream* stream);
// x of a x = b, by lu.
Ref<Array> sparse_solve(const Sparse& a, const Array& b, Stream* stream);
// The same of sparse right-hand sides: x in csc, without elements that are 0. Waits.
Ref<Sparse> solve(const SparseFactor& f, const Sparse& b, LinalgOp op, Stream* stream);
Ref<Sparse> sparse_solve(const Sparse& a, const Sparse& b, Stream* stream);

// Throws where the backend keeps the parts of factors for itself.
void check_parts(const SparseFactor& f);
struct SparseFactorParts {
  Ref<Sparse> lower, upper;  // in csc, canonical
};
SparseFactorParts parts_of(const SparseFactor& f, Stream* stream);
// The sign of the determinant and the logarithm of its magnitude, of lu, cholesky or ldl.
struct SparseDeterminant {
  Ref<Array> sign, logabsdet;
};
SparseDeterminant slogdet(const SparseFactor& f, Stream* stream);

// x of op(a) x = b for a triangle of a. ARR_E_LINALG if an element of its diagonal is 0. Waits.
struct SparseTriangle {
  bool lower = false, unit = false;
  LinalgOp op = LinalgOp::none;
  bool factor = false;  // of a SparseFactor: its diagonal has no 0, and its data do not change
};
Ref<Array> sparse_solve_triangular(const Sparse& a, const Array& b, const SparseTriangle& t, Stream* stream);

// ---------------------------------------------------------------------------------------- for the other
// files

// Throws if the backend has no such function.
template <class Function>
void check_offered(Function* function, Device device) {
  if (function != nullptr) return;
  fail(ARR_E_UNSUPPORTED, "argument a: on ", device_text(device),
       ", where sparse factorizations are not offered; copy its parts to the host");
}
// Throws unless factors of n columns of that type can be computed as `like` were.
void check_alike(const SparseFactor& like, int64_t n, DType d);
Ref<Sparse> typed(const Sparse& a, DType d, Stream* stream);
// Factors of a kind that the backend's lu computes, with the order of columns of others unless `like` is
// null.
Ref<SparseFactor> factorize_by_lu(SparseFactor::Kind kind, const Sparse& given,
                                  const SparseLuOptions& options, const SparseFactor* like, Stream* stream);
// For cholesky and ldl; x in C order.
Ref<SparseFactor> refactor_cholesky(const SparseFactor& f, const Sparse& a, Stream* stream);
void solve_by_cholesky(const SparseFactor& f, const Array& x, LinalgOp op, Stream* stream);
SparseFactorParts parts_of_cholesky(const SparseFactor& f, Stream* stream);
// L with ones on its diagonal, and the diagonal of D.
struct CholeskyParts {
  Ref<Sparse> lower;
  Ref<Array> diagonal;
};
CholeskyParts cholesky_parts(const SparseFactor& f, Stream* stream);

// Throws unless a is square.
int64_t check_square(const Sparse& a);
// Throws unless b is a vector or a matrix of n rows on that device.
void check_right_side(const Array& b, int64_t n, Device device);
// Solves in place for contiguous x in C order, [n] or [n, k], of a's type.
void solve_triangular_in_place(const Sparse& a, const Array& x, const SparseTriangle& t, Stream* stream);

}  // namespace arr
