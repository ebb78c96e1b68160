// SPDX-License-Identifier: MIT
#include "cuda/fft/layout.h"

#include <algorithm>

namespace arr::cuda::fft_layout {

namespace {

// A side in cuFFT's form, if possible: nested axes, and one distance over `batch`.
std::optional<FftSide> nested(const Side& side, int32_t nbatch, int32_t ndim) {
  FftSide f;
  const size_t first = static_cast<size_t>(nbatch), last = first + static_cast<size_t>(ndim) - 1;
  if (reinterpret_cast<uintptr_t>(side.data) % 16 != 0) return std::nullopt;
  for (size_t d = first; d <= last; ++d) {
    if (side.strides[d] <= 0 || side.strides[d] % side.item != 0) return std::nullopt;
  }
  f.stride = side.strides[last] / side.item;
  for (size_t d = last; d > first; --d) {
    if (side.strides[d - 1] % side.strides[d] != 0) return std::nullopt;
    const int64_t rows = side.strides[d - 1] / side.strides[d];
    if (rows < side.shape[d]) return std::nullopt;
    f.embed[d - first] = rows;
  }
  f.embed[0] = side.shape[first];
  return f;
}

bool plain(int64_t dist, int64_t item, int64_t count) { return count == 1 || (dist > 0 && dist % item == 0); }

// Returns true if all addresses of a batch have the alignment that cuFFT requires: that of the wider type of
// the two sides.
bool aligned(const Iteration& it, int side) {
  for (int32_t d = 0; d < it.ndim; ++d) {
    if (it.strides[side][d] % 16 != 0) return false;
  }
  return true;
}

cufftType type_of(const Step& s) {
  const bool wide = s.real == DType::float64_;
  switch (s.kind) {
    case FftKind::r2c:
      return wide ? CUFFT_D2Z : CUFFT_R2C;
    case FftKind::c2r:
      return wide ? CUFFT_Z2D : CUFFT_C2R;
    default:
      return wide ? CUFFT_Z2Z : CUFFT_C2C;
  }
}

}  // namespace

Side side_of(const Step& s, bool in) {
  Side side;
  side.data = in ? s.in : s.out;
  side.item = item_size(in ? s.in_type() : s.out_type());
  size_t n = 0;
  for (int32_t i = 0; i < s.nbatch; ++i, ++n) {
    const Dim& d = s.batch[static_cast<size_t>(i)];
    side.shape[n] = d.n;
    side.strides[n] = in ? d.in : d.out;
  }
  for (int32_t i = 0; i < s.ndim; ++i, ++n) {
    const Dim& d = s.dims[static_cast<size_t>(i)];
    side.shape[n] = in ? s.in_extent(i) : s.out_extent(i);
    side.strides[n] = in ? d.in : d.out;
  }
  return side;
}

int64_t elements(const Side& side, int32_t ndim) {
  int64_t n = 1;
  for (int32_t d = 0; d < ndim; ++d) n *= side.shape[static_cast<size_t>(d)];
  return n;
}

void make_contiguous(Side* side, int32_t ndim, char* data) {
  side->data = data;
  int64_t stride = side->item;
  for (int32_t d = ndim; d-- > 0;) {
    side->strides[static_cast<size_t>(d)] = stride;
    stride *= side->shape[static_cast<size_t>(d)];
  }
}

Batches batches_of(const Side& in, const Side& out, int32_t nbatch) {
  Batches b;
  const int64_t* strides[2] = {in.strides.data(), out.strides.data()};
  collapse(nbatch, in.shape.data(), 2, strides, 0, &b.it, nullptr);
  if (b.it.ndim == 0) return b;
  int32_t widest = 0;  // the longest dimension becomes the plan's batch
  for (int32_t d = 1; d < b.it.ndim; ++d) {
    if (b.it.shape[d] >= b.it.shape[widest]) widest = d;
  }
  std::swap(b.it.shape[widest], b.it.shape[b.it.ndim - 1]);
  for (auto& side : {b.it.strides[0], b.it.strides[1]}) std::swap(side[widest], side[b.it.ndim - 1]);
  --b.it.ndim;
  b.inner = b.it.shape[b.it.ndim];
  b.in_dist = b.it.strides[0][b.it.ndim];
  b.out_dist = b.it.strides[1][b.it.ndim];
  for (int32_t d = 0; d < b.it.ndim; ++d) b.outer *= b.it.shape[d];
  return b;
}

bool fits(const Step& step, const Side& in, const Side& out, int64_t calls) {
  const Batches b = batches_of(in, out, step.nbatch);
  return b.outer <= calls && nested(in, step.nbatch, step.ndim) && nested(out, step.nbatch, step.ndim) &&
         plain(b.in_dist, in.item, b.inner) && plain(b.out_dist, out.item, b.inner) && aligned(b.it, 0) &&
         aligned(b.it, 1);
}

FftKey key_of(const Step& step, const Side& in, const Side& out, const Batches& b) {
  FftKey key;
  key.type = type_of(step);
  key.rank = step.ndim;
  for (int32_t i = 0; i < step.ndim; ++i) key.n[static_cast<size_t>(i)] = step.dims[static_cast<size_t>(i)].n;
  key.in = *nested(in, step.nbatch, step.ndim);
  key.out = *nested(out, step.nbatch, step.ndim);
  key.in.dist = b.in_dist / in.item;
  key.out.dist = b.out_dist / out.item;
  key.batch = b.inner;
  return key;
}

Step step_of(const FftCall& call, FftKind kind, int32_t from, int32_t to) {
  Step step;
  step.kind = kind;
  step.real = call.real;
  step.in = static_cast<char*>(const_cast<void*>(call.in));
  step.out = static_cast<char*>(call.out);
  step.book = static_cast<FftPlanSet*>(call.book.get());
  step.planning = call.planning;
  auto batch = [&](const Dim& dim) { step.batch.at(static_cast<size_t>(step.nbatch++)) = dim; };
  for (int32_t i = 0; i < call.nbatch; ++i) batch(call.batch[static_cast<size_t>(i)]);
  const bool halved = kind == FftKind::r2c || kind == FftKind::c2r;
  for (int32_t i = 0; i < call.ndim; ++i) {
    const Dim& dim = call.dims[static_cast<size_t>(i)];
    if (i < from || i >= to) {
      batch(dim);
    } else {
      step.dims.at(static_cast<size_t>(step.ndim++)) = dim;
    }
  }
  // Complex axes may be in any order, so each is nested in the one before it.
  std::stable_sort(step.dims.begin(), step.dims.begin() + step.ndim - (halved ? 1 : 0),
                   [](const Dim& a, const Dim& b) { return a.in > b.in; });
  return step;
}

}  // namespace arr::cuda::fft_layout
