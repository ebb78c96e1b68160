// SPDX-License-Identifier: MIT
// Fourier transforms of lines by FFTW: one at a time, or several short ones by one plan.
#include <algorithm>

#include "host/fft_lines.h"

namespace arr::host {

namespace {

constexpr int64_t short_line = 256;  // elements; calls for less would cost as much as they do

class FftwStep final : public LineStep {
 public:
  FftwStep(FftKind kind, DType real, int64_t n, const PlanSource& plans)
      : LineStep(needs_of(kind, real, n)), plans_(plans), key_{kind, real, n}, one_(plans.get(key_)) {
    const Fftw& f = *one_->library;
    execute_ = kind == FftKind::r2c ? f.execute_r2c : kind == FftKind::c2r ? f.execute_c2r : f.execute_dft;
  }

  void prepare(int64_t lines, int64_t in_ld, int64_t out_ld) override {
    // Plans for several lines go up in memory.
    if (lines == 1 || key_.n > short_line || in_ld < 0 || out_ld < 0) return;
    key_.lines = lines;
    key_.in_ld = in_ld;
    key_.out_ld = out_ld;
    several_ = plans_.get(key_);
  }

  void run(int64_t lines, char* x, int64_t in_ld, char* y, int64_t out_ld, char*) const override {
    if (key_.kind == FftKind::c2r) clear(lines, x, in_ld);
    if (several_ != nullptr && lines == key_.lines) return execute_(several_->plan, x, y);
    for (int64_t r = 0; r < lines; ++r) execute_(one_->plan, x + r * in_ld, y + r * out_ld);
  }

 private:
  static Needs needs_of(FftKind kind, DType real, int64_t n) {
    auto side = [&](FftKind reals, int64_t bytes) {
      const int64_t item = item_size(real) * (kind == reals ? 1 : 2);
      return Side{item, bytes / item};
    };
    Needs needs;
    needs.in = side(FftKind::r2c, line_in_bytes(kind, real, n));
    needs.out = side(FftKind::c2r, line_out_bytes(kind, real, n));
    needs.keeps_input = kind != FftKind::c2r;
    needs.follows = false;  // FFTW reads a line in many places at once
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
  void (*execute_)(Fftw::Plan, void*, void*);
};

}  // namespace

void transform_lines(const LinePass& pass, FftKind kind) {
  const Split split = split_of(pass, kind);
  if (split.n1 != 0) {
    if (pass.plans.planning()) return plan_split(pass, kind, split);
    return each_line(pass, [&](const char* in, char* out) { run_split(pass, kind, split, in, out); });
  }
  FftwStep step(kind, pass.real, pass.n, pass.plans);
  run_lines(pass, &step);
}

}  // namespace arr::host
