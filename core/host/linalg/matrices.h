// SPDX-License-Identifier: MIT
// Helpers of calls on batches of matrices.
#pragma once

#include "backend/matmul.h"

namespace arr::host {

// The matrix of a batch index; call: a MatmulCall or LinalgCall.
template <class Call>
char* matrix_at(const Call& call, const MatmulCall::Matrix& m, int64_t index) {
  auto* data = static_cast<char*>(m.data);
  for (int32_t d = call.nbatch; d-- > 0 && index != 0;) {
    data += index % call.batch_shape[d] * m.batch[d];
    index /= call.batch_shape[d];
  }
  return data;
}

// Copies a matrix with any strides (bytes) to a column-major one without gaps.
void load_matrix(DType type, int64_t rows, int64_t cols, const char* from, int64_t row, int64_t column,
                 char* to);

}  // namespace arr::host
