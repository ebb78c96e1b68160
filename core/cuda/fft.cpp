// SPDX-License-Identifier: MIT
// Transforms by cuFFT: up to three axes in one plan, more in steps. Strides go to the plan where it has words
// for them (positive, each axis a multiple of the next, one distance between transforms); else the input or
// the result goes through a contiguous block of the pool. cuFFT scales nothing and overwrites what it makes
// reals from, so the factor is a pass over the result and that input is always a copy.
#include <algorithm>
#include <optional>

#include "cuda/fft_plans.h"
#include "cuda/work.h"
#include "expr/ops.h"

namespace arr::cuda {

namespace {

constexpr int32_t most_axes = 3;
constexpr int64_t most_calls = 8;  // of one plan, for batches that have no single distance

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
  FftBook* book = nullptr;
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

// One side of a step: memory, and how it is reached.
struct Side {
  char* data = nullptr;
  int64_t item = 0;
  std::array<int64_t, max_ndim> shape{}, strides{};  // of the batch, then of the axes
};
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

// to = from * factor; the parts of complex numbers are scaled by their type's own product with a real one.
void scale(Device& d, DType type, double factor, const Side& from, const Side& to, int32_t ndim, Stream& s) {
  ProgramBuilder b;
  const int32_t x = b.input(type);
  b.output(b.op(op::multiply, x, b.scalar(scalar_of(factor), true)));
  const BoundProgram p = b.finish();
  pass(d, *p.program, p.immediates, from, to, ndim, s);
}

// A side as cuFFT has it, where it can: the axes nested in each other, one distance over `batch`.
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

// The dimensions of the batch beyond the one that goes into the plan.
struct Batches {
  int64_t inner = 1, outer = 1;
  int64_t in_dist = 0, out_dist = 0;  // bytes
  Iteration it;
};
Batches batches_of(const Side& in, const Side& out, int32_t nbatch) {
  Batches b;
  const int64_t* strides[2] = {in.strides.data(), out.strides.data()};
  collapse(nbatch, in.shape.data(), 2, strides, 0, &b.it, nullptr);
  if (b.it.ndim == 0) return b;
  int32_t widest = 0;  // the longest dimension goes into the plan
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

bool plain(int64_t dist, int64_t item, int64_t count) { return count == 1 || (dist > 0 && dist % item == 0); }

// Whether all of a batch's places are aligned as cuFFT wants them, which is for the wider type of a pair.
bool aligned(const Iteration& it, int side) {
  for (int32_t d = 0; d < it.ndim; ++d) {
    if (it.strides[side][d] % 16 != 0) return false;
  }
  return true;
}

void make_contiguous(Side* side, int32_t ndim, char* data) {
  side->data = data;
  int64_t stride = side->item;
  for (int32_t d = ndim; d-- > 0;) {
    side->strides[static_cast<size_t>(d)] = stride;
    stride *= side->shape[static_cast<size_t>(d)];
  }
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

// Plans that a captured graph will run stay as long as it does.
void keep_for_graph(Stream& s, const std::shared_ptr<const FftPlan>& plan) {
  with_capture(s, [&](Capture& c) { c.kept.push_back(plan); });
}

void transform(Device& d, const Step& step, const Side& in, const Side& out, Stream& s) {
  const Batches b = batches_of(in, out, step.nbatch);
  FftKey key;
  key.type = type_of(step);
  key.rank = step.ndim;
  for (int32_t i = 0; i < step.ndim; ++i) key.n[static_cast<size_t>(i)] = step.dims[static_cast<size_t>(i)].n;
  key.in = *nested(in, step.nbatch, step.ndim);
  key.out = *nested(out, step.nbatch, step.ndim);
  key.in.dist = b.in_dist / in.item;
  key.out.dist = b.out_dist / out.item;
  key.batch = b.inner;
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

// Whether a plan takes both sides as they lie, in few calls.
bool fits(const Step& step, const Side& in, const Side& out) {
  const Batches b = batches_of(in, out, step.nbatch);
  return b.outer <= most_calls && nested(in, step.nbatch, step.ndim) && nested(out, step.nbatch, step.ndim) &&
         plain(b.in_dist, in.item, b.inner) && plain(b.out_dist, out.item, b.inner) && aligned(b.it, 0) &&
         aligned(b.it, 1);
}

// Tried in this order: both sides as they lie, one of them through a block, both.
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

// The axes from .. to of a call as a step, the others as batches.
Step step_of(const FftCall& call, FftKind kind, int32_t from, int32_t to) {
  Step step;
  step.kind = kind;
  step.real = call.real;
  step.in = static_cast<char*>(const_cast<void*>(call.in));
  step.out = static_cast<char*>(call.out);
  step.book = static_cast<FftBook*>(call.book.get());
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
  // Complex axes may come in any order: so that each nests in the one before it.
  std::stable_sort(step.dims.begin(), step.dims.begin() + step.ndim - (halved ? 1 : 0),
                   [](const Dim& a, const Dim& b) { return a.in > b.in; });
  return step;
}

// Complex transforms along the first `count` axes of the call, which has been read by what came before.
void in_place(Device& d, FftCall call, FftKind kind, int32_t count, double factor, Stream& s) {
  call.in = call.out;
  for (Dim& dim : call.dims) dim.in = dim.out;
  for (Dim& dim : call.batch) dim.in = dim.out;
  for (int32_t to = count; to > 0; to -= most_axes) {
    Step step = step_of(call, kind, std::max(to - most_axes, 0), to);
    if (to <= most_axes) step.scale = factor;
    run_step(d, step, s);
  }
}

void complex_axes(Device& d, const FftCall& call, Stream& s) {
  const int32_t from = std::max(call.ndim - most_axes, 0);
  Step first = step_of(call, call.kind, from, call.ndim);
  if (from == 0) first.scale = call.scale;
  run_step(d, first, s);
  in_place(d, call, call.kind, from, call.scale, s);
}

void from_real(Device& d, FftCall call, Stream& s) {
  const int32_t from = std::max(call.ndim - most_axes, 0);
  Step first = step_of(call, FftKind::r2c, from, call.ndim);
  if (from == 0) first.scale = call.scale;
  run_step(d, first, s);
  Dim& halved = call.dims[static_cast<size_t>(call.ndim - 1)];
  halved.n = halved.n / 2 + 1;
  in_place(d, call, FftKind::forward, from, call.scale, s);
}

void to_real(Device& d, const FftCall& call, Stream& s) {
  const int32_t from = std::max(call.ndim - most_axes, 0);
  std::optional<Scratch> memory;
  FftCall rest = call;
  if (from > 0) {
    FftCall others = call;
    others.kind = FftKind::backward;
    others.scale = 1;
    Dim& halved = others.dims[static_cast<size_t>(call.ndim - 1)];
    halved.n = halved.n / 2 + 1;
    int64_t bytes = 2 * item_size(call.real);
    auto place = [&](Dim& to, Dim& reader) {
      to.out = reader.in = bytes;
      bytes *= to.n;
    };
    for (auto i = static_cast<size_t>(call.ndim); i-- > 0;) place(others.dims[i], rest.dims[i]);
    for (auto i = static_cast<size_t>(call.nbatch); i-- > 0;) place(others.batch[i], rest.batch[i]);
    if (!call.planning) memory.emplace(d, s, bytes);
    others.out = memory ? memory->data() : nullptr;
    rest.in = others.out;
    Step first = step_of(others, FftKind::backward, std::max(from - most_axes, 0), from);
    run_step(d, first, s);
    in_place(d, others, FftKind::backward, std::max(from - most_axes, 0), 1, s);
  }
  Step last = step_of(rest, FftKind::c2r, from, call.ndim);
  last.scale = call.scale;
  last.in_is_ours = from > 0;
  run_step(d, last, s);
}

}  // namespace

void plan_fft(Device& d, const FftCall& call, std::shared_ptr<PlanBook>* book, Stream& s) {
  if (*book == nullptr) *book = std::make_shared<FftBook>();
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
