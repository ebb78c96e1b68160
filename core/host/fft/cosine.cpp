// SPDX-License-Identifier: MIT
// Transforms by cosines and sines in one pass over the lines: of each, while it is in a core's first cache, a
// Fourier transform of half as many complex numbers between loops that permute and rotate. Makhoul: A fast
// cosine transform in one and two dimensions; 1980.
#include <utility>

#include "host/device/pool.h"
#include "host/fft/lines.h"
#include "host/host.h"

namespace arr::host {

namespace {

const CosineLoops& cosine_loops_of(DType real) {
  return real == DType::float64_ ? fft_loops().cosine_of_double : fft_loops().cosine_of_float;
}

// Of lines of an even number of elements, which loops take at any address.
class CosineStep final : public LineStep {
 public:
  explicit CosineStep(const CosineCall& call) : CosineStep(call, plan_of(call)) {}
  void prepare(int64_t, int64_t, int64_t) override {}
  void run(int64_t lines, char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const override {
    for (int64_t r = 0; r < lines; ++r) one(x + r * in_ld, y + r * out_ld, scratch);
  }

 private:
  CosineStep(const CosineCall& call, HeldPlan plan)
      : LineStep(needs_of(call, *plan)),
        type_(call.type),
        sine_(call.sine),
        ends_(call.ends),
        n_(call.axis.n),
        ld_(half_bytes(call)),
        scale_(call.scale),
        plan_(std::move(plan)),
        roots_(fft_plans().get({FftKind::forward, call.real, n_, 1, 0, 0, false, type_ == 4 ? 4 : 2})),
        loops_(cosine_loops_of(call.real)) {}
  static HeldPlan plan_of(const CosineCall& call) {
    return fft_plans().get(
        {call.type == 3 ? FftKind::backward : FftKind::forward, call.real, call.axis.n / 2});
  }
  // Of two in the scratch memory, before the plan's. A few cache lines more: they are not to fall into the
  // same sets of the cache.
  static int64_t half_bytes(const CosineCall& call) {
    return checked::round_up(call.axis.n * item_size(call.real), int64_t{64}) + 192;
  }
  static Needs needs_of(const CosineCall& call, const FftPlan& plan) {
    Needs needs;
    needs.in = needs.out = {item_size(call.real), call.axis.n};
    needs.any_address = true;
    needs.scratch = 2 * half_bytes(call) + plan.scratch();
    return needs;
  }
  void one(const char* x, char* y, char* scratch) const;

  int32_t type_;
  bool sine_, ends_;
  int64_t n_, ld_;
  double scale_;
  HeldPlan plan_, roots_;
  const CosineLoops& loops_;
};

// Sines are cosines of the line with every second element's sign changed, backwards, or the same of the
// result.
void CosineStep::one(const char* x, char* y, char* scratch) const {
  const void* w = roots_->cosine->data();
  const int64_t m = n_ / 2;
  char *a = scratch, *b = a + ld_, *rest = b + ld_;
  const double sign = sine_ ? -1 : 1;
  switch (type_) {
    case 2:
      loops_.pack(m, sign, x, a);
      plan_->run(a, b, rest);
      return loops_.dct2_postprocess(m, w, scale_, sine_, ends_, b, a, y);
    case 3:
      loops_.dct3_preprocess(m, w, scale_, sine_, ends_, x, a, b);
      plan_->run(b, a, rest);
      return loops_.unpack(m, sign, a, y);
    default:
      loops_.pack(m, 1, x, b);
      loops_.dct4_preprocess(m, w, sine_, b, a);
      plan_->run(a, b, rest);
      loops_.dct4_postprocess(m, w, scale_, b, a);
      return loops_.unpack(m, sign, a, y);
  }
}

}  // namespace

void cosine(const CosineCall& call) {
  CosineStep step(call);
  LinePass p;
  p.real = call.real;
  p.n = call.axis.n;
  p.in = static_cast<const char*>(call.in);
  p.out = static_cast<char*>(call.out);
  p.in_step = call.axis.in;
  p.out_step = call.axis.out;
  p.nbatch = call.nbatch;
  p.batch = call.batch;
  run_lines(p, &step);
}

}  // namespace arr::host
