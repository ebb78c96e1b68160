// SPDX-License-Identifier: MIT
// Fourier transforms of lines by plans: one at a time, or several.
#include <algorithm>
#include <utility>

#include "host/fft/lines.h"

namespace arr::host {

namespace {

constexpr int64_t short_line = 256;  // elements; calls for less would cost as much as they do

class PlanStep final : public LineStep {
 public:
  PlanStep(const LineKey& key, const PlanSource& plans) : PlanStep(key, plans, plans.get(key)) {}

  void prepare(int64_t lines, int64_t in_ld, int64_t out_ld) override {
    // Plans for several lines go up in memory.
    if (one_->radix != nullptr) {
      if (needs().together > 1 && lines >= needs().together) take_several(needs().together);
      return;
    }
    if (lines == 1 || key_.n > short_line || in_ld < 0 || out_ld < 0) return;
    key_.lines = lines;
    key_.in_ld = in_ld;
    key_.out_ld = out_ld;
    several_ = plans_.get(key_);
  }

  void run(int64_t lines, char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const override {
    if (key_.kind == FftKind::c2r && one_->radix == nullptr) clear(lines, x, in_ld);
    int64_t r = 0;
    if (several_ != nullptr) {
      for (; r + key_.lines <= lines; r += key_.lines) {
        several_->run(x + r * in_ld, y + r * out_ld, scratch, in_ld, out_ld);
      }
    }
    for (; r < lines; ++r) one_->run(x + r * in_ld, y + r * out_ld, scratch);
  }

  void prepare_abreast() override { take_several(needs().abreast); }
  void run_abreast(const char* x, int64_t in_step, char* y, int64_t out_step, double scale,
                   char* scratch) const override {
    several_->radix->run_abreast(x, in_step, y, out_step, scale, scratch);
  }

 private:
  void take_several(int64_t lines) {
    key_.lines = lines;
    several_ = plans_.get(key_);
    need_scratch(several_->scratch());
  }
  PlanStep(const LineKey& key, const PlanSource& plans, HeldPlan plan)
      : LineStep(needs_of(key, *plan)), plans_(plans), key_(key), one_(std::move(plan)) {}
  static Needs needs_of(const LineKey& key, const FftPlan& plan) {
    const FftKind kind = key.kind;
    const DType real = key.real;
    const int64_t n = key.n;
    auto side = [&](FftKind reals, int64_t bytes) {
      const int64_t item = item_size(real) * (kind == reals ? 1 : 2);
      return Side{item, bytes / item};
    };
    Needs needs;
    needs.in = side(FftKind::r2c, line_in_bytes(kind, real, n));
    needs.out = side(FftKind::c2r, line_out_bytes(kind, real, n));
    const bool radix = plan.radix != nullptr;
    needs.any_address = radix;
    needs.keeps_input = radix || kind != FftKind::c2r;
    needs.follows = false;  // a line is read in many places at once
    needs.scratch = plan.scratch();
    if (radix) {
      needs.together = plan.radix->together;
      needs.abreast = plan.radix->abreast;
    }
    return needs;
  }

  // The parts that have no meaning, which FFTW may look at.
  void clear(int64_t lines, char* x, int64_t ld) const {
    const int64_t real = item_size(key_.real), middle = key_.n / 2 * 2 * real;
    for (int64_t r = 0; r < lines; ++r) {
      char* line = x + r * ld;
      std::fill_n(line + real, real, char{0});
      if (key_.n % 2 == 0) std::fill_n(line + middle + real, real, char{0});
    }
  }

  const PlanSource& plans_;
  LineKey key_;
  HeldPlan one_, several_;
};

}  // namespace

void transform_lines(const LinePass& pass, FftKind kind) {
  const Split split = split_of(pass, kind);
  if (split.n1 != 0) {
    if (pass.plans.planning()) return plan_split(pass, kind, split);
    return each_line(pass, [&](const char* in, char* out) { run_split(pass, kind, split, in, out); });
  }
  PlanStep step({kind, pass.real, pass.n}, pass.plans);
  run_lines(pass, &step);
}

}  // namespace arr::host
