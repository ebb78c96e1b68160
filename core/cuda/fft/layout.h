// SPDX-License-Identifier: MIT
// The description of a transform for cuFFT: some axes of a call, and the memory layout of both sides.
#pragma once

#include <optional>

#include "cuda/fft/plans.h"

namespace arr::cuda::fft_layout {

inline constexpr int32_t max_axes = 3;
inline constexpr int64_t max_calls = 8;  // max calls of one plan, for batches that have no single distance

using Dim = FftCall::Dim;

// Some axes of a call, with all other dimensions as batches.
struct Step {
  FftKind kind = FftKind::forward;
  DType real = DType::none;
  char* in = nullptr;
  char* out = nullptr;
  int32_t ndim = 0, nbatch = 0;
  std::array<Dim, max_ndim> dims, batch;
  double scale = 1;
  bool in_is_ours = false;  // may be overwritten
  FftPlanSet* book = nullptr;
  bool planning = false;

  [[nodiscard]] DType in_type() const { return kind == FftKind::r2c ? real : complex_type(); }
  [[nodiscard]] DType out_type() const { return kind == FftKind::c2r ? real : complex_type(); }
  [[nodiscard]] DType complex_type() const {
    return real == DType::float32_ ? DType::complex64_ : DType::complex128_;
  }
  [[nodiscard]] int64_t in_extent(int32_t d) const { return extent(d, FftKind::c2r); }
  [[nodiscard]] int64_t out_extent(int32_t d) const { return extent(d, FftKind::r2c); }

 private:
  [[nodiscard]] int64_t extent(int32_t d, FftKind halved) const {
    const int64_t n = dims[static_cast<size_t>(d)].n;
    return kind == halved && d == ndim - 1 ? n / 2 + 1 : n;
  }
};

// One side of a step: memory and its layout.
struct Side {
  char* data = nullptr;
  int64_t item = 0;
  std::array<int64_t, max_ndim> shape{}, strides{};  // batch dimensions first, then the axes
};
// The dimensions of the batch beyond the one that goes into the plan.
struct Batches {
  int64_t inner = 1, outer = 1;
  int64_t in_dist = 0, out_dist = 0;  // bytes
  Iteration it;
};

Side side_of(const Step& s, bool in);
int64_t elements(const Side& side, int32_t ndim);
void make_contiguous(Side* side, int32_t ndim, char* data);
Batches batches_of(const Side& in, const Side& out, int32_t nbatch);
// Returns true, with the plan, if a plan can use both sides in place with at most `calls` calls.
bool fits(const Step& step, const Side& in, const Side& out, int64_t calls = max_calls);
FftKey key_of(const Step& step, const Side& in, const Side& out, const Batches& b);
// The axes from .. to of a call as a step, the others as batches.
Step step_of(const FftCall& call, FftKind kind, int32_t from, int32_t to);

}  // namespace arr::cuda::fft_layout
