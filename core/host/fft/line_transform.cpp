// SPDX-License-Identifier: MIT
// Fourier transforms of contiguous lines by plans, one line at a time or several.
#include <algorithm>
#include <utility>

#include "host/fft/passes.h"

namespace arr::host {

namespace {

constexpr int64_t short_line =
    256;  // elements; for shorter lines a call per line costs as much as the transform

class PlannedTransform final : public LineTransform {
 public:
  PlannedTransform(const LineKey& key, const PlanSource& plans)
      : PlannedTransform(key, plans, plans.get(key)) {}

  void prepare(int64_t lines, int64_t in_ld, int64_t out_ld) override {
    if (one_->radix != nullptr) {
      const int64_t width = requirements().batch_width;
      if (width > 1 && lines >= width) plan_several(width);
      return;
    }
    // FFTW's plans for several lines need positive distances.
    if (lines == 1 || key_.n > short_line || in_ld < 0 || out_ld < 0) return;
    key_.lines = lines;
    key_.in_ld = in_ld;
    key_.out_ld = out_ld;
    several_ = plans_.get(key_);
  }

  void run(int64_t lines, char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const override {
    if (key_.kind == FftKind::c2r && one_->radix == nullptr) clear_imaginary_ends(lines, x, in_ld);
    int64_t r = 0;
    if (several_ != nullptr) {
      for (; r + key_.lines <= lines; r += key_.lines) {
        several_->run(x + r * in_ld, y + r * out_ld, scratch, in_ld, out_ld);
      }
    }
    for (; r < lines; ++r) one_->run(x + r * in_ld, y + r * out_ld, scratch);
  }

  void prepare_across() override { plan_several(requirements().lanes_across); }
  void run_across(const char* x, int64_t in_step, char* y, int64_t out_step, double scale,
                  char* scratch) const override {
    several_->radix->run_across(x, in_step, y, out_step, scale, scratch);
  }

 private:
  PlannedTransform(const LineKey& key, const PlanSource& plans, HeldPlan plan)
      : LineTransform(requirements_of(key, *plan)), plans_(plans), key_(key), one_(std::move(plan)) {}

  void plan_several(int64_t lines) {
    key_.lines = lines;
    several_ = plans_.get(key_);
    require_scratch(several_->scratch());
  }

  static Requirements requirements_of(const LineKey& key, const FftPlan& plan) {
    const FftKind kind = key.kind;
    const DType real = key.real;
    const int64_t n = key.n;
    auto side = [&](FftKind reals, int64_t bytes) {
      const int64_t item = item_size(real) * (kind == reals ? 1 : 2);
      return Side{item, bytes / item};
    };
    Requirements r;
    r.in = side(FftKind::r2c, line_in_bytes(kind, real, n));
    r.out = side(FftKind::c2r, line_out_bytes(kind, real, n));
    const bool radix = plan.radix != nullptr;
    r.any_alignment = radix;
    r.preserves_input = radix || kind != FftKind::c2r;
    r.sequential_access = false;
    r.scratch = plan.scratch();
    if (radix) {
      r.batch_width = plan.radix->batch_width;
      r.lanes_across = plan.radix->lanes_across;
    }
    return r;
  }

  // Sets the imaginary parts that must be 0 to 0, because FFTW may read them.
  void clear_imaginary_ends(int64_t lines, char* x, int64_t ld) const {
    const int64_t real = item_size(key_.real), middle = key_.n / 2 * 2 * real;
    for (int64_t r = 0; r < lines; ++r) {
      char* line = x + r * ld;
      std::fill_n(line + real, real, char{0});
      if (key_.n % 2 == 0) std::fill_n(line + middle + real, real, char{0});
    }
  }

  const PlanSource plans_;
  LineKey key_;
  HeldPlan one_, several_;
};

}  // namespace

std::unique_ptr<const Pass> plan_fft_lines(const LineLayout& layout, FftKind kind, const PlanSource& plans) {
  const Split split = split_of(layout.n, kind);
  if (split.n1 != 0) return plan_four_step(layout, kind, split, plans);
  return plan_lines(layout, std::make_unique<PlannedTransform>(LineKey{kind, layout.real, layout.n}, plans));
}

}  // namespace arr::host
