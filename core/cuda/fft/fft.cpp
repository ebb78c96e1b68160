// SPDX-License-Identifier: MIT
// Transforms by cuFFT: up to three axes in one plan, more in several steps. Strides are passed to the plan if
// cuFFT can express them (positive, each axis a multiple of the next, one distance between transforms);
// otherwise the input or the result goes through a contiguous block of the pool. cuFFT does not scale, and
// overwrites the input of transforms to real numbers, so the factor is a pass over the result and that input
// is always copied.
#include <algorithm>
#include <optional>

#include "backend/elementwise.h"
#include "cuda/device/scratch.h"
#include "cuda/elementwise/calls.h"
#include "cuda/fft/calls.h"
#include "cuda/fft/layout.h"
#include "expr/op_numbers.h"
#include "expr/ops.h"

namespace arr::cuda {

namespace {

using namespace fft_layout;

// to = program(from) over all dimensions.
void pass(Device& d, const Program& program, std::span<const Scalar> immediates, const Side& from,
          const Side& to, int32_t ndim, Stream& s) {
  const int64_t* strides[2] = {to.strides.data(), from.strides.data()};
  Iteration it;
  collapse(ndim, to.shape.data(), 2, strides, 0, &it, nullptr);
  std::array<Operand, 3> operands;
  size_t n = 0;
  operands[n++] = {from.data, it.strides[1], {}};
  for (const Scalar& value : immediates) operands.at(n++) = {nullptr, nullptr, value};
  operands.at(n++) = {to.data, it.strides[0], {}};
  elementwise(d, {&program, it.ndim, it.shape, operands.data()}, s);
}

void copy(Device& d, DType type, const Side& from, const Side& to, int32_t ndim, Stream& s) {
  pass(d, single_cast(type, type), {}, from, to, ndim, s);
}

// to = from * factor; the parts of complex numbers are multiplied by the real factor.
void scale(Device& d, DType type, double factor, const Side& from, const Side& to, int32_t ndim, Stream& s) {
  ProgramBuilder b;
  const int32_t x = b.input(type);
  b.output(b.op(op::multiply, x, b.scalar(scalar_of(factor), true)));
  const BoundProgram p = b.finish();
  pass(d, *p.program, p.immediates, from, to, ndim, s);
}

// Plans that a captured graph will run are kept as long as the graph.
void keep_for_graph(Stream& s, const std::shared_ptr<const FftPlan>& plan) {
  with_capture(s, [&](Capture& c) { c.kept.push_back(plan); });
}

void transform(Device& d, const Step& step, const Side& in, const Side& out, Stream& s) {
  const Batches b = batches_of(in, out, step.nbatch);
  const FftKey key = key_of(step, in, out, b);
  auto make = [&] { return std::make_shared<const FftPlan>(d, key); };
  const auto plan = step.book != nullptr ? step.book->get(key, make) : fft_plans(d.index).get(key, make);
  if (step.planning) return;
  keep_for_graph(s, plan);
  for (int64_t o = 0; o < b.outer; ++o) {
    int64_t rest = o, from = 0, to = 0;
    for (int32_t i = b.it.ndim; i-- > 0;) {
      const int64_t at = rest % b.it.shape[i];
      rest /= b.it.shape[i];
      from += at * b.it.strides[0][i];
      to += at * b.it.strides[1][i];
    }
    plan->run(d, in.data + from, out.data + to,
              step.kind == FftKind::backward ? cufft_inverse : cufft_forward, s);
  }
}

// Tries in this order: both sides in place, one of them through a temporary block, both.
void run_step(Device& d, const Step& step, Stream& s) {
  const Side given = side_of(step, true), result = side_of(step, false);
  const int32_t ndim = step.nbatch + step.ndim;
  const bool overwrites = step.kind == FftKind::c2r && !step.in_is_ours;
  bool copy_in = overwrites, copy_out = false;
  Side in, out;
  auto choose = [&](bool through_in, bool through_out) {
    copy_in = through_in;
    copy_out = through_out;
    in = given;
    out = result;
    if (copy_in) make_contiguous(&in, ndim, nullptr);
    if (copy_out) make_contiguous(&out, ndim, nullptr);
    return fits(step, in, out);
  };
  const bool found = (!overwrites && choose(false, false)) || choose(true, false) ||
                     (!overwrites && choose(false, true)) || choose(true, true);
  if (!found) fail(ARR_E_INTERNAL, "no layout of a transform");
  if (step.planning) return transform(d, step, in, out, s);
  std::optional<Scratch> before, after;
  if (copy_in) {
    before.emplace(d, s, elements(in, ndim) * in.item);
    make_contiguous(&in, ndim, static_cast<char*>(before->data()));
    copy(d, step.in_type(), given, in, ndim, s);
  }
  if (copy_out) {
    after.emplace(d, s, elements(out, ndim) * out.item);
    make_contiguous(&out, ndim, static_cast<char*>(after->data()));
  }
  transform(d, step, in, out, s);
  if (step.scale != 1) {
    scale(d, step.out_type(), step.scale, out, result, ndim, s);
  } else if (copy_out) {
    copy(d, step.out_type(), out, result, ndim, s);
  }
}

// Complex transforms along the first `count` axes of the call, after the input has been read.
void in_place(Device& d, FftCall call, FftKind kind, int32_t count, double factor, Stream& s) {
  call.in = call.out;
  for (Dim& dim : call.dims) dim.in = dim.out;
  for (Dim& dim : call.batch) dim.in = dim.out;
  for (int32_t to = count; to > 0; to -= max_axes) {
    Step step = step_of(call, kind, std::max(to - max_axes, 0), to);
    if (to <= max_axes) step.scale = factor;
    run_step(d, step, s);
  }
}

void complex_axes(Device& d, const FftCall& call, Stream& s) {
  const int32_t from = std::max(call.ndim - max_axes, 0);
  Step first = step_of(call, call.kind, from, call.ndim);
  if (from == 0) first.scale = call.scale;
  run_step(d, first, s);
  in_place(d, call, call.kind, from, call.scale, s);
}

void from_real(Device& d, FftCall call, Stream& s) {
  const int32_t from = std::max(call.ndim - max_axes, 0);
  Step first = step_of(call, FftKind::r2c, from, call.ndim);
  if (from == 0) first.scale = call.scale;
  run_step(d, first, s);
  Dim& halved = call.dims[static_cast<size_t>(call.ndim - 1)];
  halved.n = halved.n / 2 + 1;
  in_place(d, call, FftKind::forward, from, call.scale, s);
}

void to_real(Device& d, const FftCall& call, Stream& s) {
  const int32_t from = std::max(call.ndim - max_axes, 0);
  std::optional<Scratch> memory;
  FftCall rest = call;
  if (from > 0) {
    FftCall others = call;
    others.kind = FftKind::backward;
    others.scale = 1;
    Dim& halved = others.dims[static_cast<size_t>(call.ndim - 1)];
    halved.n = halved.n / 2 + 1;
    int64_t bytes = 2 * item_size(call.real);
    auto set_strides = [&](Dim& to, Dim& reader) {
      to.out = reader.in = bytes;
      bytes *= to.n;
    };
    for (auto i = static_cast<size_t>(call.ndim); i-- > 0;) set_strides(others.dims[i], rest.dims[i]);
    for (auto i = static_cast<size_t>(call.nbatch); i-- > 0;) set_strides(others.batch[i], rest.batch[i]);
    if (!call.planning) memory.emplace(d, s, bytes);
    others.out = memory ? memory->data() : nullptr;
    rest.in = others.out;
    Step first = step_of(others, FftKind::backward, std::max(from - max_axes, 0), from);
    run_step(d, first, s);
    in_place(d, others, FftKind::backward, std::max(from - max_axes, 0), 1, s);
  }
  Step last = step_of(rest, FftKind::c2r, from, call.ndim);
  last.scale = call.scale;
  last.in_is_ours = from > 0;
  run_step(d, last, s);
}

}  // namespace

void plan_fft(Device& d, const FftCall& call, std::shared_ptr<PlanSet>* book, Stream& s) {
  if (*book == nullptr) *book = std::make_shared<FftPlanSet>();
  FftCall plan = call;
  plan.in = plan.out = nullptr;
  plan.book = *book;
  plan.planning = true;
  fft(d, plan, s);
}

void fft(Device& d, const FftCall& call, Stream& s) {
  s.last_work.store("fft", std::memory_order_relaxed);
  if (call.kind == FftKind::r2c) {
    from_real(d, call, s);
  } else if (call.kind == FftKind::c2r) {
    to_real(d, call, s);
  } else {
    complex_axes(d, call, s);
  }
}

}  // namespace arr::cuda
