// SPDX-License-Identifier: MIT
// A call of the backend's factorizations and solvers: operands as stacks of matrices, results, failures.
#pragma once

#include <vector>

#include "arr/decompositions.h"
#include "backend/linalg.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

// The result for a matrix that is singular or otherwise unsuitable: an error, or nan.
enum class OnFailure : int32_t { error = ARR_LINALG_ERROR, nan = ARR_LINALG_NAN };

// The dtype in which LAPACK computes an operand: float64 for integers and bool; ARR_E_DTYPE for 16-bit
// floats.
DType lapack_type(DType d, const char* argument);
// ARR_E_SHAPE if it has less than two dimensions, or its matrices are not square.
void check_matrices(const Array& a, const char* argument);
void check_square(const Array& a, const char* argument);

inline int64_t rows_of(const Array& a) { return a.layout.shape[a.layout.ndim - 2]; }
inline int64_t columns_of(const Array& a) { return a.layout.shape[a.layout.ndim - 1]; }
// All dimensions except the last n.
inline Shape batch_of(const Array& a, int32_t n = 2) {
  return {a.layout.shape, static_cast<size_t>(a.layout.ndim - n)};
}
// True if elements along a row have the smaller stride.
bool row_major(const Array& a);
// The matrices transposed, a view.
Ref<Array> matrix_transposed(const Array& a);
// The conjugate transpose: a view for real matrices, a copy for complex ones.
Ref<Array> adjoint(const Array& a, Stream* stream);
// The diagonals, a view of one dimension less.
Ref<Array> diagonals(const Array& a);
// Adds a number to the elements of the diagonals, in place.
void add_to_diagonals(const Array& a, double addend, Stream* stream);
// The 1-norms of matrices, real, of shape (..., 1, 1).
Ref<Array> norms_1(const Array& a, Stream* stream);
// Sets the elements above (or below) the diagonal to 0, in place.
void clear_triangle(const Array& a, bool upper, Stream* stream);
// A copy of the other triangle, with 0 elsewhere.
Ref<Array> triangle(const Array& a, bool upper, Stream* stream);

// Throws if a matrix of `argument` has failed, for which it waits for the device; or writes nan to the
// results of such matrices. info: one number per matrix, of the kind's meaning; contiguous, with the first
// dimensions of the results.
void handle_failures(const Array& info, LinalgKind kind, OnFailure how, const char* argument,
                     std::initializer_list<const Array*> results, Stream* stream);

class LapackCall {
 public:
  LapackCall(LinalgKind kind, DType dtype, Shape batch, Device device, Stream* stream);
  LapackCall(const LapackCall&) = delete;
  LapackCall& operator=(const LapackCall&) = delete;
  ~LapackCall() = default;

  LinalgCall call;  // the caller sets sizes and options

  // The operands, broadcast to the batch; they must outlive the call.
  void read_a(const Array& a);
  void read_b(const Array& b);
  void read_pivots(const Array& pivots);
  // Values that the call reads, one contiguous vector per matrix.
  void read_vectors(const Array& values);
  // Results: matrices in column-major order, vectors.
  Ref<Array> matrices(int64_t rows, int64_t columns, DType d);
  Ref<Array> vectors(int64_t n, DType d);
  // Enqueues the call unless idle().
  void run();
  // True if an extent is 0, so that there is nothing to compute. Call it after setting the sizes.
  [[nodiscard]] bool idle() const;
  // One number per matrix, written by the backend or by the caller.
  [[nodiscard]] const Array& info() const { return *info_; }
  // The same of this call, unless it is idle().
  void handle_failures(OnFailure how, const char* argument, std::initializer_list<const Array*> results);

 private:
  MatmulCall::Matrix operand(const Array& a, int64_t* batch_strides);
  Queue queue_;
  Stream* stream_;
  Layout batch_;
  int64_t strides_[2][max_ndim];
  Ref<Array> info_;
  std::vector<Ref<Buffer>> read_, written_;
};

}  // namespace arr
