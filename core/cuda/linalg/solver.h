// SPDX-License-Identifier: MIT
// Parts common to all of linear algebra: cuSOLVER's handle, workspaces, and copies of matrices in cuSOLVER's
// layout.
#pragma once

#include <optional>
#include <span>

#include "array/layout.h"
#include "backend/linalg.h"
#include "backend/matmul.h"
#include "backend/operand.h"
#include "cuda/codegen/offsets.h"
#include "cuda/device/data_type.h"
#include "cuda/device/library_handles.h"
#include "cuda/device/scratch.h"

namespace arr::cuda {

// Workspaces of one function, for all matrices of a call.
struct Workspace {
  size_t device_bytes = 0, host_bytes = 0;
  std::optional<Scratch> device;
  std::vector<char> host;
  void reserve(Device& d, Stream& s);
  [[nodiscard]] void* device_data() const { return device ? device->data() : nullptr; }
};

// A call on its way to cuSOLVER.
class Solving {
 public:
  Solving(Device& device, const LinalgCall& call, Stream& stream);

  // Runs f(handle, params), which returns a status, with the stream's lock.
  template <class F>
  void run(const char* function, F&& f) {
    cusolverStatus_t r = CUSOLVER_STATUS_SUCCESS;
    {
      const std::lock_guard lock(s.mutex);
      const Solver solver = solver_handle(s);
      r = f(solver.handle, solver.params);
    }
    check(r, function);
  }
  // The same for each matrix of the call.
  template <class F>
  void run_each(const char* function, F&& f) {
    for (int64_t i = 0; i < count; ++i) {
      run(function, [&](cusolverDnHandle_t h, cusolverDnParams_t p) { return f(h, p, i); });
    }
  }
  // An operand as contiguous column-major matrices of `type`; transposed if requested.
  void stack(const MatmulCall::Matrix& from, int64_t rows, int64_t columns, bool transposed, DType type,
             void* to);
  // to[i][j] = from[i][j] for contiguous matrices; the first `columns` of each.
  void copy_columns(const void* from, int64_t from_columns, void* to, int64_t to_columns, int64_t rows,
                    int64_t columns);
  void transpose(const void* from, int64_t rows, int64_t columns, void* to);
  // The adjoints of the first `columns` of each.
  void adjoint_of_columns(const void* from, int64_t from_columns, void* to, int64_t rows, int64_t columns);
  void identity(void* to, int64_t n);
  void convert(const void* from, DType from_type, void* to, DType to_type, int64_t n);

  // The last of the operands, at most four, is the output; strides of all of them, but of numbers.
  void map(const Program& program, int32_t ndim, const int64_t* shape, std::span<const Operand> operands);

  Device& d;
  const LinalgCall& c;
  Stream& s;
  const int64_t count, item;
  const cudaDataType type, real;
  const bool batched;  // a stack of small matrices, of a kind that the libraries take as one call

 private:
  void check(cusolverStatus_t r, const char* function);
  void copy(const Program& program, int32_t ndim, const int64_t* shape, const Operand& from,
            const int64_t* to_strides, void* to);
};

// The address of piece i of pieces of `bytes` bytes.
inline void* piece(void* first, int64_t i, int64_t bytes) { return static_cast<char*>(first) + i * bytes; }

// For methods that may not terminate with nan or inf: replaces matrices that contain one by zeros, and sets
// their info to -1 after `tell`(). Does not wait.
class Finite {
 public:
  // The call's contiguous stack of matrices, of `elements` elements each.
  Finite(Solving& x, void* a, DType type, int64_t elements);
  void tell();

 private:
  Solving& x_;
  Scratch good_;
};

// For each batch index a matrix that cuBLAS and cuSOLVER can read, column-major with a leading dimension: the
// call's a in place, or a copy if the layout is another; or a contiguous stack.
class Readable {
 public:
  explicit Readable(Solving& x);
  Readable(Solving& x, const void* stack);
  [[nodiscard]] const void* at(int64_t i) const;
  [[nodiscard]] const MatmulCall::Matrix& matrix() const { return matrix_; }
  int64_t ld;

 private:
  void stacked(const void* first);
  Solving& x_;
  MatmulCall::Matrix matrix_;
  int64_t steps_[max_ndim];
  std::optional<Scratch> copy_;
};

inline cublasOperation_t operation(LinalgOp op) {
  return op == LinalgOp::none ? CUBLAS_OP_N : op == LinalgOp::transpose ? CUBLAS_OP_T : CUBLAS_OP_C;
}
inline cublasFillMode_t fill_mode(bool lower) {
  return lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
}
inline int blas_size(int64_t n) {
  if (n > INT32_MAX) fail(ARR_E_UNSUPPORTED, "a matrix of extent ", n, "; cuBLAS takes at most 2^31 - 1");
  return static_cast<int>(n);
}

// Whole stacks in one call: LU of contiguous square matrices, pivots from 1 on; the solution by it, in place
// (b -> x); Cholesky factors of c.x in place.
void factor_batched(Solving& x, void* a, int32_t* pivots);
void substitute_batched(Solving& x, const Readable& a, const int32_t* pivots, int64_t k, void* b);
void cholesky_batched(Solving& x);
// R and Householder vectors of the stack at c.x, in place.
void qr_batched(Solving& x);
// Singular values of the stack at `a`, which is overwritten.
void svd_batched(Solving& x, void* a);
// Eigenvalues of the Hermitian stack at `a`, which is overwritten by its eigenvectors.
void eigh_batched(Solving& x, void* a, cusolverEigMode_t job);
// Does not use cuSOLVER.
void triangular(Solving& x);
// By generated kernels.
void schur(Solving& x);
void sylvester(Solving& x);
void svd(Solving& x);
void eigh(Solving& x);
void eig(Solving& x);

}  // namespace arr::cuda
