// SPDX-License-Identifier: MIT
// Descriptors of the fake cuSPARSE, and its numbers.
#pragma once

#include <complex>
#include <cstring>

#include "lapack.h"

namespace arr::fake {

struct SparseHandle {
  CUstream stream = nullptr;
};
struct SparseMatrix {
  int64_t rows, columns, nnz;
  const void *pointers, *indices;
  void* values;
  bool wide;  // indices of 64 bits
  cudaDataType type;
  int lower = 0, unit = 0;
  const void* active = nullptr;  // the buffer of the last preparation
};
struct DenseOperand {
  int64_t rows, columns, ld;
  void* values;
  cudaDataType type;
};
// An analysis: its buffer has a copy of the values behind the mark.
struct SolvePlan {
  void* buffer = nullptr;
  int64_t nnz = 0;
};

template <class Out, class In>
Out* real(In given) {
  return reinterpret_cast<Out*>(const_cast<std::remove_const_t<std::remove_pointer_t<In>>*>(given));
}
inline SparseMatrix& matrix(cusparseConstSpMatDescr_t a) { return *real<SparseMatrix>(a); }
inline DenseOperand& dense(cusparseConstDnVecDescr_t x) { return *real<DenseOperand>(x); }
inline DenseOperand& dense(cusparseConstDnMatDescr_t x) { return *real<DenseOperand>(x); }

inline int64_t item_bytes(cudaDataType type) {
  return type == CUDA_R_16F || type == CUDA_R_16BF ? 2 : bytes_of(type);
}
inline int64_t index_at(const void* x, bool wide, int64_t i) {
  return wide ? static_cast<const int64_t*>(x)[i] : static_cast<const int32_t*>(x)[i];
}
inline bool there(const void* p, int64_t bytes) {
  return bytes == 0 || on_device(reinterpret_cast<uintptr_t>(p), static_cast<size_t>(bytes));
}
inline bool matrix_there(const SparseMatrix& a) {
  const int64_t index = a.wide ? 8 : 4;
  return there(a.pointers, (a.rows + 1) * index) && there(a.indices, a.nnz * index) &&
         there(a.values, a.nnz * item_bytes(a.type));
}
inline bool dense_there(const DenseOperand& x) {
  return there(x.values, ((x.rows - 1) * x.ld + x.columns) * item_bytes(x.type));
}

// Puts work into the handle's stream.
template <class F>
cusparseStatus_t submit_sparse(cusparseHandle_t handle, bool valid, F&& work) {
  if (!valid) return CUSPARSE_STATUS_INVALID_VALUE;
  Stream* s = stream_of(reinterpret_cast<SparseHandle*>(handle)->stream);
  if (s == nullptr) return CUSPARSE_STATUS_EXECUTION_FAILED;
  if (s->capture != nullptr) return CUSPARSE_STATUS_NOT_SUPPORTED;
  enqueue(*s, std::forward<F>(work));
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace arr::fake
