// SPDX-License-Identifier: MIT
// The batch of a transform: rows of lines or planes at equal distances.
#pragma once

#include <array>
#include <cstdint>

#include "array/layout.h"
#include "backend/fft.h"

namespace arr::host {

// The indices of a batch, with adjacent dimensions merged: `outer` rows of `inner` indices. Distances and
// offsets are in bytes.
class BatchRows {
 public:
  BatchRows(int32_t nbatch, const std::array<FftCall::Dim, max_ndim>& batch) {
    int64_t shape[max_ndim], in[max_ndim], out[max_ndim];
    for (int32_t d = 0; d < nbatch; ++d) {
      const FftCall::Dim& dim = batch[static_cast<size_t>(d)];
      shape[d] = dim.n;
      in[d] = dim.in;
      out[d] = dim.out;
    }
    const int64_t* strides[2] = {in, out};
    collapse(nbatch, shape, 2, strides, 0, &it_, nullptr);
    if (it_.ndim == 0) return;
    inner = it_.shape[it_.ndim - 1];
    in_dist = it_.strides[0][it_.ndim - 1];
    out_dist = it_.strides[1][it_.ndim - 1];
    for (int32_t d = 0; d + 1 < it_.ndim; ++d) outer *= it_.shape[d];
  }
  [[nodiscard]] int64_t in(int64_t row, int64_t column) const { return offset(row, 0) + column * in_dist; }
  [[nodiscard]] int64_t out(int64_t row, int64_t column) const { return offset(row, 1) + column * out_dist; }
  // True if all distances of array 0 (the input) or 1 are multiples of 16 bytes.
  [[nodiscard]] bool aligned(int array) const {
    bool all = true;
    for (int32_t d = 0; d < it_.ndim; ++d) all = all && it_.strides[array][d] % 16 == 0;
    return all;
  }

  int64_t outer = 1, inner = 1, in_dist = 0, out_dist = 0;

 private:
  [[nodiscard]] int64_t offset(int64_t row, int array) const {
    int64_t bytes = 0;
    for (int32_t d = it_.ndim - 1; d-- > 0 && row != 0;) {
      bytes += row % it_.shape[d] * it_.strides[array][d];
      row /= it_.shape[d];
    }
    return bytes;
  }

  Iteration it_;
};

}  // namespace arr::host
