// SPDX-License-Identifier: MIT
// Planned transforms, for arrays of one shape and dtype that are contiguous in C order.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include "arr/fft_plan.h"
#include "base/object.h"
#include "ops/expression/expression.h"
#include "ops/fft/prepare.h"

namespace arr {

class FftPlan final : public Object {
 public:
  enum class Kind : int32_t { c2c = ARR_FFT_C2C, r2c = ARR_FFT_R2C, c2r = ARR_FFT_C2R };
  // axes: without extents; shape: of the real side.
  FftPlan(Kind kind, DType real, Shape shape, const FftAxes& axes, Device device);

  // dst = transform(a); both as planned, and not the same memory.
  void run(const Array& a, const Array& dst, bool inverse, FftNorm norm, Stream* stream) const;
  // A node of an expression of arrays; without an expression, the first array.
  struct Map {
    const Expression* expression = nullptr;
    int32_t node = 0;
    Arrays arrays;
  };
  // store(transform(load)): load's arrays give the transform's input, and store's arrays follow the transform
  // as inputs of its expression. dst shares no memory with any of them.
  void run_fused(const Map& load, const Map& store, const Array& dst, bool inverse, FftNorm norm,
                 Stream* stream) const;
  // A new array that run() can write.
  [[nodiscard]] Ref<Array> destination(Stream* stream) const;

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] DType real() const { return real_; }
  [[nodiscard]] int32_t ndim() const { return in_.layout.ndim; }
  [[nodiscard]] int32_t naxes() const { return axes_.count; }
  [[nodiscard]] PlanSet::Counts counts() const;
  // Number of calls of run_fused that the backend did in one call.
  [[nodiscard]] int64_t taken() const noexcept { return taken_.load(std::memory_order_relaxed); }

 private:
  struct Side {
    DType dtype = DType::none;
    Layout layout;
  };
  void check_device(const Array& a, std::string_view argument) const;
  void check(const Array& a, const Side& planned, std::string_view argument) const;
  void check_direction(bool inverse) const;
  void check_load(const Map& load) const;
  void check_store(const Map& store, const Array& dst) const;
  // Returns true if the backend did it in one call.
  bool fuse(const Map& load, const Map& store, const Array& dst, bool inverse, FftNorm norm,
            Stream* stream) const;
  [[nodiscard]] int64_t rows_at_once(const Map& load, const Map& store) const;
  [[nodiscard]] FftCall call(const Layout& in, const Layout& out, bool inverse) const;
  // Transforms some rows of the planned shape, or all.
  void transform(const Array& a, const Array& dst, bool inverse, FftNorm norm, Stream* stream) const;

  Kind kind_;
  DType real_;
  Device device_;
  FftAxes axes_;
  Side in_, out_;
  std::shared_ptr<PlanSet> plan_set_;
  mutable std::atomic<int64_t> taken_{0};
};

}  // namespace arr
