// SPDX-License-Identifier: MIT
// Cosine and sine transforms in one pass over the lines. While a line is in the first-level cache, loops
// permute and rotate its elements before and after a Fourier transform of half as many complex numbers.
// Makhoul: A fast cosine transform in one and two dimensions; 1980.
#include <memory>
#include <utility>

#include "host/fft/calls.h"
#include "host/fft/passes.h"

namespace arr::host {

namespace {

const CosineLoops& cosine_loops_of(DType real) {
  return real == DType::float64_ ? fft_loops().cosine_of_double : fft_loops().cosine_of_float;
}

// Transforms lines of an even number of elements at any address.
class CosineTransform final : public LineTransform {
 public:
  explicit CosineTransform(const CosineCall& call) : CosineTransform(call, plan_of(call)) {}
  void prepare(int64_t, int64_t, int64_t) override {}
  void run(int64_t lines, char* x, int64_t in_ld, char* y, int64_t out_ld, char* scratch) const override {
    for (int64_t r = 0; r < lines; ++r) one(x + r * in_ld, y + r * out_ld, scratch);
  }

 private:
  CosineTransform(const CosineCall& call, HeldPlan plan)
      : LineTransform(requirements_of(call, *plan)),
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
  // Bytes of each of the two buffers at the start of the scratch memory; the plan's scratch memory follows
  // them. The padding of a few cache lines keeps the buffers out of the same cache sets.
  static int64_t half_bytes(const CosineCall& call) {
    return checked::round_up(call.axis.n * item_size(call.real), int64_t{64}) + 192;
  }
  static Requirements requirements_of(const CosineCall& call, const FftPlan& plan) {
    Requirements r;
    r.in = r.out = {item_size(call.real), call.axis.n};
    r.any_alignment = true;
    r.scratch = 2 * half_bytes(call) + plan.scratch();
    return r;
  }
  void one(const char* x, char* y, char* scratch) const;

  int32_t type_;
  bool sine_, ends_;
  int64_t n_, ld_;
  double scale_;
  HeldPlan plan_, roots_;
  const CosineLoops& loops_;
};

// A sine transform is a cosine transform of the line with the sign of every second element changed, in
// reverse order; or these two changes are made to the result.
void CosineTransform::one(const char* x, char* y, char* scratch) const {
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
  LineLayout lines;
  lines.real = call.real;
  lines.n = call.axis.n;
  lines.in_step = call.axis.in;
  lines.out_step = call.axis.out;
  lines.nbatch = call.nbatch;
  lines.batch = call.batch;
  plan_lines(lines, std::make_unique<CosineTransform>(call))
      ->run(static_cast<const char*>(call.in), static_cast<char*>(call.out));
}

}  // namespace arr::host
