// SPDX-License-Identifier: MIT
// Transforms along several axes: one pass per axis, the first from the input to the output, the others within
// the output. Two axes that form a large plane take one pass.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "host/device/pool_block.h"
#include "host/fft/calls.h"
#include "host/fft/passes.h"

namespace arr::host {

namespace {

using Dim = FftCall::Dim;

// The arrays of a transform. The temporary belongs to the call.
enum class Buffer : int8_t { input, output, temporary };

// The passes of a call, in the order in which they run.
class PassList {
 public:
  explicit PassList(const FftCall& call);
  void run() const;

 private:
  struct Step {
    std::unique_ptr<const Pass> pass;
    Buffer in, out;
  };
  // The dimensions of the passes that are still to be planned, with the strides of the arrays that they use.
  struct Source {
    FftCall call;
    Buffer in = Buffer::input, out = Buffer::output;
    // The next pass reads what the previous one has written.
    void continue_in_place() {
      in = out;
      for (Dim& d : call.dims) d.in = d.out;
      for (Dim& d : call.batch) d.in = d.out;
    }
  };

  void add_axes(Source source);
  bool add_planes(Source* source);
  void add_real_to_complex(Source source);
  void add_complex_to_real(Source source);
  void add_lines(const FftCall& call, Buffer in, Buffer out, int32_t axis, FftKind kind, double scale,
                 bool last);
  void add_lines(const Source& source, int32_t axis, FftKind kind, double scale, bool last) {
    add_lines(source.call, source.in, source.out, axis, kind, scale, last);
  }
  [[nodiscard]] bool aligned(Buffer a) const {
    return a == Buffer::temporary || simd_aligned(a == Buffer::input ? in_ : out_);
  }

  const char* in_;
  char* out_;
  PlanSource plans_;
  int64_t temporary_bytes_ = 0;
  std::vector<Step> steps_;
};

PassList::PassList(const FftCall& call)
    : in_(static_cast<const char*>(call.in)), out_(static_cast<char*>(call.out)), plans_(call) {
  steps_.reserve(static_cast<size_t>(call.ndim));
  if (call.ndim == 1) {
    add_lines(call, Buffer::input, Buffer::output, 0, call.kind, call.scale, true);
  } else if (call.kind == FftKind::r2c) {
    add_real_to_complex({call});
  } else if (call.kind == FftKind::c2r) {
    add_complex_to_real({call});
  } else {
    add_axes({call});
  }
}

void PassList::run() const {
  std::optional<PoolBlock> temporary;
  if (temporary_bytes_ > 0) temporary.emplace(temporary_bytes_);
  for (const Step& s : steps_) {
    const char* in = s.in == Buffer::input ? in_ : s.in == Buffer::output ? out_ : temporary->data();
    s.pass->run(in, s.out == Buffer::output ? out_ : temporary->data());
  }
}

// A pass along one axis; all other axes are its batch.
void PassList::add_lines(const FftCall& call, Buffer in, Buffer out, int32_t axis, FftKind kind, double scale,
                         bool last) {
  const Dim& dim = call.dims[static_cast<size_t>(axis)];
  LineLayout lines;
  lines.real = call.real;
  lines.n = dim.n;
  lines.in_step = dim.in;
  lines.out_step = dim.out;
  for (int32_t i = 0; i < call.nbatch; ++i)
    lines.batch[static_cast<size_t>(lines.nbatch++)] = call.batch[static_cast<size_t>(i)];
  for (int32_t i = 0; i < call.ndim; ++i) {
    if (i != axis) lines.batch[static_cast<size_t>(lines.nbatch++)] = call.dims[static_cast<size_t>(i)];
  }
  lines.in_place = in == out;
  lines.in_aligned = aligned(in);
  lines.out_aligned = aligned(out);
  lines.scale = scale;
  lines.last = last;
  steps_.push_back({plan_fft_lines(lines, kind, plans_), in, out});
}

// The axis with the smallest input stride: the first pass reads the input, best along memory.
int32_t first_axis(const FftCall& call) {
  int32_t best = call.ndim - 1;
  for (int32_t d = 0; d < call.ndim; ++d) {
    if (std::abs(call.dims[static_cast<size_t>(d)].in) < std::abs(call.dims[static_cast<size_t>(best)].in))
      best = d;
  }
  return best;
}

// A plane of at least this size does not fit into a core's cache: each pass over it would go through memory.
constexpr int64_t plane_bytes = 512 * 1024;

// The two axes with the smallest output strides, if their plane is large; else slow is -1.
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

// Complex transforms along all axes.
void PassList::add_axes(Source source) {
  if (add_planes(&source)) return;
  const FftCall& call = source.call;
  const int32_t first = first_axis(call);
  int32_t left = call.ndim;
  auto add = [&](int32_t d) {
    const bool last = --left == 0;
    add_lines(source, d, call.kind, last ? call.scale : 1, last);
    source.continue_in_place();
  };
  add(first);
  for (int32_t d = call.ndim; d-- > 0;) {
    if (d != first) add(d);
  }
}

// The same if two axes form a large plane: one pass for each other axis, then one for the planes. Else
// returns false.
bool PassList::add_planes(Source* source) {
  FftCall& call = source->call;
  const Plane plane = plane_of(call);
  if (plane.slow < 0) return false;
  for (int32_t d = 0; d < call.ndim; ++d) {
    if (d == plane.slow || d == plane.fast) continue;
    add_lines(*source, d, call.kind, 1, false);
    source->continue_in_place();
  }
  PlaneLayout planes;
  planes.real = call.real;
  planes.slow = call.dims[static_cast<size_t>(plane.slow)];
  planes.fast = call.dims[static_cast<size_t>(plane.fast)];
  auto add_batch = [&](const Dim& d) { planes.batch[static_cast<size_t>(planes.nbatch++)] = d; };
  for (int32_t i = 0; i < call.nbatch; ++i) add_batch(call.batch[static_cast<size_t>(i)]);
  for (int32_t d = 0; d < call.ndim; ++d) {
    if (d != plane.slow && d != plane.fast) add_batch(call.dims[static_cast<size_t>(d)]);
  }
  planes.in_aligned = aligned(source->in);
  planes.out_aligned = aligned(source->out);
  planes.scale = call.scale;
  steps_.push_back({plan_planes(planes, call.kind, plans_), source->in, source->out});
  return true;
}

// The halved axis first, then the others in place.
void PassList::add_real_to_complex(Source source) {
  FftCall& call = source.call;
  const int32_t last = call.ndim - 1;
  add_lines(source, last, FftKind::r2c, 1, false);
  Dim& halved = call.dims[static_cast<size_t>(last)];
  halved.n = halved.n / 2 + 1;
  source.continue_in_place();
  for (int32_t d = last; d-- > 0;) add_lines(source, d, FftKind::forward, d == 0 ? call.scale : 1, true);
}

// The halved axis last. The others go to the temporary, because the input may not be overwritten.
void PassList::add_complex_to_real(Source source) {
  FftCall& call = source.call;
  const auto last = static_cast<size_t>(call.ndim - 1);
  Source others = {call, Buffer::input, Buffer::temporary};
  FftCall& before = others.call;
  before.kind = FftKind::backward;
  before.scale = 1;
  before.ndim = call.ndim - 1;
  Dim halved = call.dims[last];
  halved.n = halved.n / 2 + 1;
  before.batch[static_cast<size_t>(before.nbatch++)] = halved;
  // The temporary is in row-major order: the batch, the transformed axes, and the halved axis, which is
  // fastest.
  int64_t stride = 2 * item_size(call.real);
  auto set_stride = [&](Dim* d) {
    d->out = stride;
    stride *= d->n;
  };
  set_stride(&before.batch[static_cast<size_t>(before.nbatch - 1)]);
  for (int32_t d = before.ndim; d-- > 0;) set_stride(&before.dims[static_cast<size_t>(d)]);
  for (int32_t i = before.nbatch - 1; i-- > 0;) set_stride(&before.batch[static_cast<size_t>(i)]);
  temporary_bytes_ = stride;
  for (int32_t d = 0; d < before.ndim; ++d)
    call.dims[static_cast<size_t>(d)].in = before.dims[static_cast<size_t>(d)].out;
  for (int32_t i = 0; i < call.nbatch; ++i)
    call.batch[static_cast<size_t>(i)].in = before.batch[static_cast<size_t>(i)].out;
  call.dims[last].in = 2 * item_size(call.real);
  source.in = Buffer::temporary;
  add_axes(std::move(others));
  add_lines(source, call.ndim - 1, FftKind::c2r, call.scale, true);
}

}  // namespace

void plan_fft(const FftCall& call, std::shared_ptr<PlanSet>* book) {
  if (*book == nullptr) *book = std::make_shared<FftPlanSet>();
  // Addresses with the alignment of arrays.
  alignas(64) static char addresses[128];
  FftCall plan = call;
  plan.in = addresses;
  plan.out = addresses + 64;
  plan.book = *book;
  static_cast<void>(PassList(plan));
}

void fft(const FftCall& call) { PassList(call).run(); }

}  // namespace arr::host
