// SPDX-License-Identifier: MIT
// Recording scopes of threads, their counts, and programs into which recorded operands are inlined.
#include "ops/elementwise/fuse/fuse.h"

#include <atomic>
#include <utility>

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
  if (open_recording != nullptr) open_recording->flush();
}

bool record(std::span<const Array* const> results, const Program& program, std::span<const Input> inputs,
            const Queue& q) {
  return recording()->record(results, program, inputs, q);
}

bool record_write(const Array& dst, const Program& program, std::span<const Input> inputs, const Queue& q) {
  return recording()->record_write(dst, program, inputs, q);
}

Inlined::Inlined(const Program& program, std::span<const Input> inputs, const Layout& shape, const Queue& q,
                 bool by_order)
    : program_(&program), inputs_(inputs) {
  if (fusing() && !has_ramp(inputs)) recording()->inline_recorded(shape, q, by_order, this);
  if (!lock_) materialize_all(inputs);
}

}  // namespace arr
