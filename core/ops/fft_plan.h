// SPDX-License-Identifier: MIT
// Transforms that are planned ahead, for arrays of one shape and type that are contiguous in C order.
#pragma once

#include <memory>

#include "arr/fft_plan.h"
#include "base/object.h"
#include "ops/fft_steps.h"

namespace arr {

class FftPlan final : public Object {
 public:
  enum class Kind : int32_t { c2c = ARR_FFT_C2C, r2c = ARR_FFT_R2C, c2r = ARR_FFT_C2R };
  // axes: their extents are open; shape: of the real side.
  FftPlan(Kind kind, DType real, Shape shape, const FftAxes& axes, Device device);

  // dst = transform(a); both as planned, and not the same memory.
  void run(const Array& a, const Array& dst, bool inverse, FftNorm norm, Stream* stream) const;
  // A new array that run() can write.
  [[nodiscard]] Ref<Array> destination(Stream* stream) const;

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] DType real() const { return real_; }
  [[nodiscard]] int32_t ndim() const { return in_.layout.ndim; }
  [[nodiscard]] int32_t naxes() const { return axes_.count; }
  [[nodiscard]] PlanBook::Counts counts() const;

 private:
  struct Side {
    DType dtype = DType::none;
    Layout layout;
  };
  void check(const Array& a, const Side& planned, const char* argument) const;
  [[nodiscard]] FftCall call(bool inverse) const;

  Kind kind_;
  DType real_;
  Device device_;
  FftAxes axes_;
  Side in_, out_;
  std::shared_ptr<PlanBook> book_;
};

}  // namespace arr
