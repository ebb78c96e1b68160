// SPDX-License-Identifier: MIT
// The batch of a transform: rows of lines or planes at equal distances.
#pragma once

#include <algorithm>
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
    Iteration merged;
    collapse(nbatch, shape, 2, strides, 0, &merged, nullptr);
    ndim_ = merged.ndim;
    if (ndim_ == 0) return;
    std::copy_n(merged.shape, ndim_, shape_);
    for (int array = 0; array < 2; ++array) std::copy_n(merged.strides[array], ndim_, strides_[array]);
    inner = merged.shape[ndim_ - 1];
    in_dist = merged.strides[0][ndim_ - 1];
    out_dist = merged.strides[1][ndim_ - 1];
    for (int32_t d = 0; d + 1 < ndim_; ++d) outer *= merged.shape[d];
  }
  [[nodiscard]] int64_t in(int64_t row, int64_t column) const { return offset(row, 0) + column * in_dist; }
  [[nodiscard]] int64_t out(int64_t row, int64_t column) const { return offset(row, 1) + column * out_dist; }
  // True if all distances of array 0 (the input) or 1 are multiples of 16 bytes.
  [[nodiscard]] bool aligned(int array) const {
    bool all = true;
    for (int32_t d = 0; d < ndim_; ++d) all = all && strides_[array][d] % 16 == 0;
    return all;
  }

  int64_t outer = 1, inner = 1, in_dist = 0, out_dist = 0;

 private:
  [[nodiscard]] int64_t offset(int64_t row, int array) const {
    int64_t bytes = 0;
    for (int32_t d = ndim_ - 1; d-- > 0 && row != 0;) {
      bytes += row % shape_[d] * strides_[array][d];
      row /= shape_[d];
    }
    return bytes;
  }

  int32_t ndim_ = 0;
  int64_t shape_[max_ndim], strides_[2][max_ndim];  // the first ndim_ are set
};

}  // namespace arr::host
