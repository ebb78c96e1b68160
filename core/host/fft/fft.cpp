// SPDX-License-Identifier: MIT
// Transforms of several axes: one pass per axis, the first from input to output, the others in place.
#include <algorithm>
#include <cstdlib>

#include "host/device/pool.h"
#include "host/engine/parallel.h"
#include "host/fft/lines.h"
#include "host/host.h"

namespace arr::host {

namespace {

// A pass along axis `d` of the call; all other axes are its batch.
LinePass pass_along(const FftCall& call, int32_t d) {
  const auto axis = static_cast<size_t>(d);
  LinePass p;
  p.plans = PlanSource(call);
  p.real = call.real;
  p.n = call.dims[axis].n;
  p.in = static_cast<const char*>(call.in);
  p.out = static_cast<char*>(call.out);
  p.in_step = call.dims[axis].in;
  p.out_step = call.dims[axis].out;
  for (int32_t i = 0; i < call.nbatch; ++i)
    p.batch[static_cast<size_t>(p.nbatch++)] = call.batch[static_cast<size_t>(i)];
  for (int32_t i = 0; i < call.ndim; ++i) {
    if (i != d) p.batch[static_cast<size_t>(p.nbatch++)] = call.dims[static_cast<size_t>(i)];
  }
  return p;
}

// As pass_along, of complex lines within one array.
LinePass pass_within(const FftCall& call, int32_t d) {
  LinePass p = pass_along(call, d);
  p.in = p.out;
  p.in_step = p.out_step;
  for (int32_t i = 0; i < p.nbatch; ++i)
    p.batch[static_cast<size_t>(i)].in = p.batch[static_cast<size_t>(i)].out;
  return p;
}

// The axis along which memory runs: read and written once where it lies as the plans want it.
int32_t first_axis(const FftCall& call) {
  int32_t best = call.ndim - 1;
  for (int32_t d = 0; d < call.ndim; ++d) {
    if (std::abs(call.dims[static_cast<size_t>(d)].in) < std::abs(call.dims[static_cast<size_t>(best)].in))
      best = d;
  }
  return best;
}

// Axes of a plane that is too large for a core's cache: passes over it would each go through memory.
constexpr int64_t plane_bytes = 512 * 1024;

// The two axes along which the result runs, the faster one last, where their plane is large.
struct Plane {
  int32_t slow = -1, fast = -1;
};
Plane plane_of(const FftCall& call) {
  Plane p;
  auto step = [&](int32_t d) { return std::abs(call.dims[static_cast<size_t>(d)].out); };
  for (int32_t d = 0; d < call.ndim; ++d) {
    if (p.fast < 0 || step(d) < step(p.fast)) {
      p.slow = p.fast;
      p.fast = d;
    } else if (p.slow < 0 || step(d) < step(p.slow)) {
      p.slow = d;
    }
  }
  if (p.slow < 0) return {};
  const int64_t elements =
      call.dims[static_cast<size_t>(p.slow)].n * call.dims[static_cast<size_t>(p.fast)].n;
  return elements >= plane_bytes / (2 * item_size(call.real)) ? p : Plane{};
}

// The plane of each index of the batch.
void each_plane(const FftCall& call, Plane plane, FftKind kind, bool within) {
  LinePass batch = pass_along(call, plane.fast);  // of whose batch the other axis has no part
  int64_t count = 1;
  std::array<FftCall::Dim, max_ndim> dims;
  int32_t ndim = 0;
  for (int32_t i = 0; i < batch.nbatch; ++i) {
    if (i == call.nbatch + plane.slow - (plane.slow > plane.fast ? 1 : 0)) continue;
    dims.at(static_cast<size_t>(ndim)) = batch.batch.at(static_cast<size_t>(i));
    count *= dims.at(static_cast<size_t>(ndim++)).n;
  }
  FftCall::Dim slow = call.dims[static_cast<size_t>(plane.slow)],
               fast = call.dims[static_cast<size_t>(plane.fast)];
  const char* in = within ? static_cast<const char*>(call.out) : static_cast<const char*>(call.in);
  if (within) {
    slow.in = slow.out;
    fast.in = fast.out;
    for (FftCall::Dim& d : dims) d.in = d.out;
  }
  const PlanSource plans(call);
  if (plans.planning()) count = 1;
  parallel_ranges(count, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      int64_t rest = i, from = 0, to = 0;
      for (int32_t d = ndim; d-- > 0;) {
        const FftCall::Dim& dim = dims[static_cast<size_t>(d)];
        from += rest % dim.n * dim.in;
        to += rest % dim.n * dim.out;
        rest /= dim.n;
      }
      run_plane(slow, fast, kind, call.real, in + from, static_cast<char*>(call.out) + to, call.scale, plans);
    }
  });
}

void each_axis(const FftCall& call, FftKind kind) {
  const Plane plane = plane_of(call);
  if (plane.slow >= 0) {
    bool within = false;
    for (int32_t d = 0; d < call.ndim; ++d) {
      if (d == plane.slow || d == plane.fast) continue;
      LinePass p = within ? pass_within(call, d) : pass_along(call, d);
      p.last = false;
      transform_lines(p, kind);
      within = true;
    }
    return each_plane(call, plane, kind, within);
  }
  const int32_t first = first_axis(call);
  int32_t left = call.ndim;
  auto run = [&](LinePass p) {
    p.last = --left == 0;
    if (p.last) p.scale = call.scale;
    transform_lines(p, kind);
  };
  run(pass_along(call, first));
  for (int32_t d = call.ndim; d-- > 0;) {
    if (d != first) run(pass_within(call, d));
  }
}

// The halved axis first, the others on what it left.
void from_real(FftCall call) {
  const int32_t last = call.ndim - 1;
  LinePass p = pass_along(call, last);
  p.scale = last == 0 ? call.scale : 1;
  p.last = last == 0;
  transform_lines(p, FftKind::r2c);
  FftCall::Dim& halved = call.dims[static_cast<size_t>(last)];
  halved.n = halved.n / 2 + 1;
  for (int32_t d = last; d-- > 0;) {
    p = pass_within(call, d);
    p.scale = d == 0 ? call.scale : 1;
    transform_lines(p, FftKind::forward);
  }
}

// The other axes first, into memory of the call's own: the input is not to be touched.
void to_real(const FftCall& call) {
  const auto last = static_cast<size_t>(call.ndim - 1);
  if (last == 0) {
    LinePass p = pass_along(call, 0);
    p.scale = call.scale;
    return transform_lines(p, FftKind::c2r);
  }
  FftCall others = call;
  others.scale = 1;
  others.ndim = call.ndim - 1;
  FftCall::Dim halved = call.dims[last];
  halved.n = halved.n / 2 + 1;
  others.batch[static_cast<size_t>(others.nbatch++)] = halved;
  // The memory in row-major order, the halved axis fastest, which is the batch's last.
  int64_t stride = 2 * item_size(call.real);
  for (int32_t i = others.nbatch; i-- > 0;) {
    FftCall::Dim& dim = others.batch[static_cast<size_t>(i)];
    dim.out = stride;
    if (i == others.nbatch - 1) {
      stride *= dim.n;
      for (int32_t d = others.ndim; d-- > 0;) {
        others.dims[static_cast<size_t>(d)].out = stride;
        stride *= others.dims[static_cast<size_t>(d)].n;
      }
    } else {
      stride *= dim.n;
    }
  }
  const PoolBlock memory(call.planning ? 1 : stride);
  others.out = memory.data();
  each_axis(others, FftKind::backward);
  FftCall rest = call;
  rest.in = memory.data();
  for (int32_t d = 0; d < others.ndim; ++d)
    rest.dims[static_cast<size_t>(d)].in = others.dims[static_cast<size_t>(d)].out;
  for (int32_t i = 0; i < call.nbatch; ++i)
    rest.batch[static_cast<size_t>(i)].in = others.batch[static_cast<size_t>(i)].out;
  rest.dims[last].in = 2 * item_size(call.real);
  LinePass p = pass_along(rest, call.ndim - 1);
  p.scale = call.scale;
  transform_lines(p, FftKind::c2r);
}

}  // namespace

void plan_fft(const FftCall& call, std::shared_ptr<PlanSet>* book) {
  if (*book == nullptr) *book = std::make_shared<FftPlanSet>();
  // Two places with the alignment of arrays.
  alignas(64) static char places[128];
  FftCall plan = call;
  plan.in = places;
  plan.out = places + 64;
  plan.book = *book;
  plan.planning = true;
  fft(plan);
}

void fft(const FftCall& call) {
  if (call.kind == FftKind::r2c) {
    from_real(call);
  } else if (call.kind == FftKind::c2r) {
    to_real(call);
  } else {
    each_axis(call, call.kind);
  }
}

}  // namespace arr::host
