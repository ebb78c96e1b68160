// SPDX-License-Identifier: MIT
// Recording scopes of threads, their counts, and programs into which recorded operands are inlined.
#include "ops/elementwise/fuse/fuse.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "base/environment.h"
#include "base/log.h"
#include "base/per_thread.h"
#include "ops/elementwise/fuse/graph.h"

namespace arr {

namespace {

struct Counters {
  std::atomic<int64_t> recorded{0}, programs{0}, skipped{0};
} counters;

// The calling thread's scope. A plain pointer, because calls may read it while the thread's objects are
// destroyed.
thread_local fuse::Recording* open_recording = nullptr;  // holds a reference
thread_local int32_t open_depth = 0;

// The calling thread's operations outside of scopes. Nothing is recorded after its objects are destroyed.
struct Automatic {
  fuse::Recording* recording;  // holds a reference
  bool ended;
};
constinit thread_local Automatic automatic{};

}  // namespace

namespace fuse {

void count_recorded(int64_t n) noexcept { counters.recorded.fetch_add(n, std::memory_order_relaxed); }
void count_program() noexcept { counters.programs.fetch_add(1, std::memory_order_relaxed); }
void count_skipped() noexcept { counters.skipped.fetch_add(1, std::memory_order_relaxed); }

}  // namespace fuse

FuseCounts fuse_counts() noexcept {
  return {counters.recorded.load(std::memory_order_relaxed),
          counters.programs.load(std::memory_order_relaxed),
          counters.skipped.load(std::memory_order_relaxed)};
}

int32_t fuse_depth() noexcept { return open_depth; }

fuse::Recording* recording() noexcept { return open_recording; }

namespace {

std::atomic<int32_t> automatic_devices{-1};  // -1: not known yet

int32_t initial_devices() {
  const std::string given = environment("ARR_FUSE");
  if (given == "0") return ARR_FUSE_NOWHERE;
  if (given == "all") return ARR_FUSE_EVERYWHERE;
  if (!given.empty() && given != "host") {
    log_line(log_level::warning, "ARR_FUSE: ", given, ", expected 0, host or all, is ignored");
  }
  return ARR_FUSE_ON_HOST;
}

// True if operations outside of scopes are recorded in this queue.
bool records_automatically(const Queue& q) {
  const int32_t devices = automatic_fusion();
  return devices != ARR_FUSE_NOWHERE && (q.synchronous || devices == ARR_FUSE_EVERYWHERE) &&
         !q.stream->capturing();
}

// The number of elements along the two fastest of at least three dimensions, or along the faster of two.
int64_t inner_elements(const Layout& l) {
  const auto faster = [&](int64_t stride) {
    int32_t n = 0;
    for (int32_t d = 0; d < l.ndim; ++d) n += l.shape[d] > 1 && l.strides[d] < stride ? 1 : 0;
    return n;
  };
  const int32_t inner = faster(std::numeric_limits<int64_t>::max()) > 2 ? 2 : 1;
  int64_t elements = 1;
  for (int32_t d = 0; d < l.ndim; ++d) {
    if (faster(l.strides[d]) < inner) elements *= l.shape[d];
  }
  return elements;
}

// True if an operand is repeated within so few adjacent elements that a tile is copied in parts of few bytes.
// A program of several steps, whose tiles are smaller, takes longer then.
bool repeats_short_rows(const Array& result, std::span<const Input> inputs) {
  constexpr int64_t few_elements = 128;
  const Layout& l = result.layout;
  return inner_elements(l) < few_elements && std::any_of(inputs.begin(), inputs.end(), [&](const Input& in) {
           return in.array != nullptr && !in.array->layout.same_shape(l);
         });
}

// The calling thread's recording of operations outside of scopes; nullptr while the thread ends.
fuse::Recording* automatic_recording() {
  if (automatic.recording == nullptr && !automatic.ended) {
    automatic.recording = make<fuse::Recording>(fuse::Recording::automatic).detach();
    set_thread_recorder(automatic.recording);
    at_thread_end([] {
      set_thread_recorder(nullptr);
      automatic.ended = true;
      std::exchange(automatic.recording, nullptr)->release();
    });
  }
  return automatic.recording;
}

}  // namespace

void set_automatic_fusion(int32_t devices) {
  if (devices < ARR_FUSE_NOWHERE || devices > ARR_FUSE_EVERYWHERE) {
    fail(ARR_E_ARGUMENT, "argument devices: ", devices,
         ", expected ARR_FUSE_NOWHERE, ARR_FUSE_ON_HOST or ARR_FUSE_EVERYWHERE");
  }
  fuse_flush();
  automatic_devices.store(devices, std::memory_order_relaxed);
}

int32_t automatic_fusion() {
  const int32_t known = automatic_devices.load(std::memory_order_relaxed);
  if (known >= 0) return known;
  const int32_t initial = initial_devices();
  int32_t unknown = -1;
  return automatic_devices.compare_exchange_strong(unknown, initial) ? initial : unknown;
}

void fuse_begin(int32_t flags) {
  if ((flags & ~(fuse_shared | fuse_reorder | fuse_small)) != 0) {
    fail(ARR_E_ARGUMENT, "argument flags: ", flags, " has unknown bits");
  }
  if (open_depth == 0) {
    open_recording = make<fuse::Recording>(flags).detach();
    // A scope ends with its thread. Uses of recorded results still run the operations.
    at_thread_end([] {
      open_depth = 0;
      if (fuse::Recording* last = std::exchange(open_recording, nullptr)) last->release();
    });
  }
  ++open_depth;
}

void fuse_end() {
  if (open_depth == 0) fail(ARR_E_ARGUMENT, "no scope is open on this thread");
  if (--open_depth > 0) return;
  // Closed first, so that a failing operation does not keep the scope open.
  const auto ended = Ref<fuse::Recording>::adopt(std::exchange(open_recording, nullptr));
  ended->flush();
}

void fuse_flush() {
  if (automatic.recording != nullptr) automatic.recording->flush();
  if (open_recording != nullptr) open_recording->flush();
}

bool record(std::span<const Array* const> results, const Program& program, std::span<const Input> inputs,
            const Queue& q) {
  if (open_recording != nullptr) return open_recording->record(results, program, inputs, q);
  // Errors of indices belong to the call.
  if (program.faults != 0 || !records_automatically(q) || repeats_short_rows(*results.front(), inputs))
    return false;
  fuse::Recording* outside = automatic_recording();
  return outside != nullptr && outside->record(results, program, inputs, q);
}

bool fuse_reorders() noexcept { return open_recording != nullptr && open_recording->reorders(); }

bool record_write(const Array& dst, const Program& program, std::span<const Input> inputs, const Queue& q) {
  return open_recording->record_write(dst, program, inputs, q);
}

Inlined::Inlined(const Program& program, std::span<const Input> inputs, const Layout& shape, const Queue& q,
                 bool by_order)
    : program_(&program), inputs_(inputs) {
  if (recorders.load(std::memory_order_relaxed) != 0 && !has_ramp(inputs)) {
    fuse::Recording* of = open_recording != nullptr ? open_recording : automatic.recording;
    if (of != nullptr) of->inline_recorded(shape, q, by_order, this);
  }
  if (!lock_) materialize_all(inputs);
}

}  // namespace arr
