// SPDX-License-Identifier: MIT
#include "hostcuda/run/scheduler.h"

#include <sched.h>

#include <bit>
#include <exception>

#include "base/error.h"
#include "hostcuda/run/deadlock.h"
#include "hostcuda/run/phases.h"
#include "hostcuda/run/textures.h"
#include "hostcuda/run/warp.h"

namespace arr::host_kernels {
namespace {

using arr_host::Worker;

// Bits above lane l; none above lane 31.
constexpr uint32_t above(int l) { return ~1u << (l & 31); }

// Lanes of a warp that wait for no one in particular (__activemask) go on with those in the same line.
int converge(Worker& w) {
  for (int k = 0; k < w.warps; k++) {
    uint32_t group = 0;
    for (uint32_t rest = w.in_warp[k]; rest != 0; rest &= rest - 1) {
      const int t = lowest(k, rest);
      if (w.wait_mask[t] == 0 && (group == 0 || w.wait_line[t] == w.wait_line[lowest(k, group)]))
        group |= bit_of(t);
    }
    if (group == 0) continue;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) w.value[lowest(k, rest)] = group;
    w.in_warp[k] &= ~group;
    w.run[k] |= group;
    return lowest(k, group);
  }
  return main_context;
}

constexpr const char* not_cooperative = "grid.sync() in a launch that is not cooperative,";

// Every live thread waits. When all wait at the barrier it opens; otherwise some wait for each other.
int open_barrier(Worker& w) {
  bool stuck = w.phase_waits != 0, any = false;
  for (int k = 0; k < w.warps; k++) {
    stuck = stuck || w.in_warp[k] != 0;
    any = any || w.live[k] != 0;
  }
  if (!any) return main_context;  // the block has ended
  if (stuck) {
    if (const int t = end_phases(w); t != main_context) return t;
    if (const int t = converge(w); t != main_context) return t;
    if (const int t = ask_again(w); t != main_context) return t;
    fail_block(w, deadlock_text(w));
    return main_context;
  }
  if (w.grid_waits != 0 && !open_grid(w)) return main_context;
  if (w.checks != nullptr) w.checks->barrier();
  w.opened_yes = w.yes;
  w.opened_no = w.no;
  w.yes = w.no = 0;
  int first = main_context;
  for (int k = w.warps - 1; k >= 0; k--) {
    w.run[k] = w.live[k];
    if (w.run[k] != 0) first = lowest(k, w.run[k]);
  }
  return first;
}

// The thread to run after t: the next of its warp, else of a later warp, else of any.
int next_thread(Worker& w, int t) {
  const int warp = t >> 5;
  const uint32_t mask = w.run[warp];
  if ((mask & above(t)) != 0) return lowest(warp, mask & above(t));
  if (mask != 0) return lowest(warp, mask);
  for (int k = warp + 1; k < w.warps; k++)
    if (w.run[k] != 0) return lowest(k, w.run[k]);
  for (int k = 0; k < warp; k++)
    if (w.run[k] != 0) return lowest(k, w.run[k]);
  return open_barrier(w);
}

void fiber_main(void* argument);

// Continues with thread `to` (or the main context), leaving thread `from` (or the main context).
void go(Worker& w, int from, int to, bool ends) {
  void*& save = from == main_context ? w.main_position : w.position[from];
  if (to == main_context) return w.fibers.resume(&save, w.main_position, main_context, ends);
  w.current = to;
  if (w.position[to] == nullptr) {
    const int stack = w.n_free > 0 ? w.free_stacks[--w.n_free] : w.n_stacks++;
    w.stack_of[to] = static_cast<int16_t>(stack);
    try {
      w.position[to] = w.fibers.prepare(stack, &fiber_main, &w);
    } catch (const Error& error) {  // no memory: nothing may be thrown through the image's frames
      fail_block(w, error.text());
      if (from == main_context) return;
      return w.fibers.resume(&save, w.main_position, main_context, true);
    }
  }
  w.fibers.resume(&save, w.position[to], w.stack_of[to], ends);
}

// So may it a tile's function: of which its warp or another is part.
void complete_tiles(Worker& w) {
  for (int k = 0; k < w.warps; k++)
    if (w.in_warp[k] != 0)
      if (const int t = lowest(k, w.in_warp[k]); is_tile(w.wait_op[t])) complete_tile(w, t);
}

// A warp function waits only for live lanes, so a thread's end may complete it.
void complete_after_exit(Worker& w, int warp) {
  for (uint32_t waiting = w.in_warp[warp]; waiting != 0; waiting &= waiting - 1) {
    const int t = lowest(warp, waiting);
    if ((w.in_warp[warp] & bit_of(t)) != 0 && w.wait_mask[t] != 0 && !is_tile(w.wait_op[t]))
      complete_warp(w, warp, w.wait_mask[t]);
  }
}

// Runs threads one after the other on the same stack for as long as they do not wait.
void fiber_main(void* argument) {
  Worker& w = *static_cast<Worker*>(argument);
  w.fibers.entered();
  for (;;) {
    const int t = w.current;
    w.body(w.args, static_cast<unsigned>(t));
    const int warp = t >> 5;
    w.run[warp] &= ~bit_of(t);
    w.live[warp] &= ~bit_of(t);
    if (w.in_warp[warp] != 0) complete_after_exit(w, warp);
    if (w.tiles) complete_tiles(w);
    const int next = next_thread(w, t);
    if (next != main_context && w.position[next] == nullptr) {
      w.current = next;
      w.stack_of[next] = w.stack_of[t];
      continue;
    }
    w.free_stacks[w.n_free++] = w.stack_of[t];
    go(w, t, next, true);
  }
}

void clear(Worker& w) {
  for (int k = 0; k < Worker::max_warps; k++) w.run[k] = w.live[k] = w.in_warp[k] = w.in_phase[k] = 0;
  w.yes = w.no = w.grid_waits = w.phase_waits = 0;
  w.tiles = false;
  w.n_free = w.n_stacks = w.current = 0;
}

int run_block(Worker* worker, unsigned threads, arr_host::Body body, void* const* args,
              arr_host::Dim block_index) {
  Worker& w = *worker;
  clear(w);
  w.blocks++;
  w.warps = static_cast<int>((threads + 31) / 32);
  w.body = body;
  w.args = args;
  w.block_index = block_index;
  for (int k = 0; k < w.warps; k++) {
    const unsigned lanes = threads - static_cast<unsigned>(k) * 32;
    w.run[k] = w.live[k] = lanes >= 32 ? ~0u : (1u << lanes) - 1;
  }
  for (unsigned t = 0; t < threads; t++) w.position[t] = nullptr;
  try {
    if (w.checks != nullptr) w.checks->begin_block(threads);
  } catch (const std::exception&) {  // nothing may be thrown through the image's frames
    fail_block(w, text("kernel '", w.kernel_name, "': no memory for checking its accesses"));
    return 0;
  }
  go(w, main_context, 0, false);
  if (w.checks != nullptr) w.checks->end_block();
  return w.failed ? 0 : 1;
}

// A failed thread never continues: its block, and the run of blocks it is part of, end.
void leave(Worker& w) { w.fibers.resume(&w.abandoned, w.main_position, main_context, true); }

// A sync call in code that was found to have none: the image was read wrongly.
void not_on_fibers(Worker& w) {
  fail_block(w, text("kernel '", w.kernel_name, "': barrier in code taken to be free of barriers"));
  leave(w);
}

[[gnu::noinline]] void wait_at_barrier(Worker& w, int t) {
  if (w.live[t >> 5] == 0) not_on_fibers(w);
  const int next = next_thread(w, t);
  if (next != t) go(w, t, next, false);
}

// The hot path: a few stores and the switch, which is the last thing done so that it is a jump.
void sync(Worker* worker, unsigned line) {
  Worker& w = *worker;
  const int t = w.current;
  w.wait_op[t] = arr_host::barrier_sync;
  w.wait_line[t] = line;
  const uint32_t later = (w.run[t >> 5] &= ~bit_of(t)) & above(t);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  if (later != 0) [[likely]] {
    const int next = lowest(t >> 5, later);
    if (void* position = w.position[next]; position != nullptr) [[likely]] {
      w.current = next;
      const char* ahead = static_cast<const char*>(w.position[(next + 2) & (Worker::max_threads - 1)]);
      __builtin_prefetch(ahead);
      __builtin_prefetch(ahead + 64);
      __builtin_prefetch(ahead + 128);
      __builtin_prefetch(ahead + 192);
      return arr_host_switch(&w.position[t], position);
    }
  }
#else
  (void)later;
#endif
  return wait_at_barrier(w, t);
}

std::string index_text(arr_host::Dim i) { return text("(", i.x, ",", i.y, ",", i.z, ")"); }

void stop(Worker& w, const char* what, unsigned line, arr_host::Dim block, arr_host::Dim thread) {
  fail_block(w, text("kernel '", w.kernel_name, "': ", what, " in line ", line, ", block ", index_text(block),
                     ", thread ", index_text(thread)));
  leave(w);
}
// The same of thread t of the block that runs.
void stop_at(Worker& w, const char* what, unsigned line, int t) {
  const auto i = static_cast<unsigned>(t);
  stop(w, what, line, w.block_index, {i % w.block.x, i / w.block.x % w.block.y, i / (w.block.x * w.block.y)});
}

int barrier(Worker* worker, int kind, int predicate, unsigned line) {
  Worker& w = *worker;
  const int t = w.current;
  w.wait_op[t] = static_cast<int8_t>(kind);
  w.wait_line[t] = line;
  if (kind == arr_host::barrier_grid) {
    if (w.grid == nullptr) stop_at(w, not_cooperative, line, t);
    w.grid_waits++;
  } else {
    (predicate != 0 ? w.yes : w.no)++;
  }
  w.run[t >> 5] &= ~bit_of(t);
  wait_at_barrier(w, t);
  if (kind == arr_host::barrier_count) return w.opened_yes;
  if (kind == arr_host::barrier_or) return w.opened_yes != 0 ? 1 : 0;
  return w.opened_no == 0 ? 1 : 0;
}

unsigned long long warp(Worker* worker, int op, unsigned mask, unsigned long long value, unsigned source,
                        unsigned line) {
  Worker& w = *worker;
  const int t = w.current, warp = t >> 5;
  if (w.live[warp] == 0) not_on_fibers(w);
  const bool converges = op == arr_host::warp_active;  // goes on when nothing else can; see converge
  if (!converges && (mask & bit_of(t)) == 0)
    stop_at(w, "the mask of a warp function leaves out the calling lane,", line, t);
  w.wait_op[t] = static_cast<int8_t>(op);
  w.wait_line[t] = line;
  w.wait_mask[t] = mask;
  w.value[t] = value;
  w.source[t] = source;
  w.run[warp] &= ~bit_of(t);
  w.in_warp[warp] |= bit_of(t);
  if (converges) w.wait_mask[t] = 0;
  const bool tile = is_tile(op);
  w.tiles = w.tiles || tile;
  if (converges || !(tile ? complete_tile(w, t) : complete_warp(w, warp, mask)))
    if (const int next = next_thread(w, t); next != t) go(w, t, next, false);
  return w.value[t];
}

// Lets every other runnable thread go first, so that a thread that polls does not keep them from running.
void yield(Worker* worker) {
  Worker& w = *worker;
  const int t = w.current, warp = t >> 5;
  if (w.live[warp] == 0) return;
  end_phases(w);
  int next = t;
  if ((w.run[warp] & above(t)) != 0) {
    next = lowest(warp, w.run[warp] & above(t));
  } else {
    for (int i = 1; i <= w.warps && next == t; i++) {
      const int k = (warp + i) % w.warps;
      if (w.run[k] != 0) next = lowest(k, w.run[k]);
    }
  }
  if (next != t) go(w, t, next, false);
}

void rest(Worker* worker) {
  yield(worker);
  sched_yield();
}

void wait(Worker* worker, const unsigned* word, unsigned mask, unsigned value, int kind, unsigned number,
          unsigned line) {
  Worker& w = *worker;
  const int t = w.current;
  if (w.live[t >> 5] == 0) not_on_fibers(w);
  w.wait_op[t] = static_cast<int8_t>(kind);
  w.wait_line[t] = line;
  w.word[t] = word;
  w.wait_mask[t] = mask;
  w.value[t] = value;
  w.source[t] = number;
  w.run[t >> 5] &= ~bit_of(t);
  w.in_phase[t >> 5] |= bit_of(t);
  w.phase_waits++;
  if (const int next = next_thread(w, t); next != t) go(w, t, next, false);
}

// The error text is made on the OS thread's own stack; see Launch.
void access(Worker* worker, const void* address, unsigned long long bytes, int kind, const void* code) {
  Worker& w = *worker;
  if (w.checks == nullptr) return;
  if (w.checks->access(w.current, address, bytes, kind, code, w.fibers.holds(address))) return;
  fail_block(w, "");
  leave(w);
}

int grid(Worker* worker, int meet, unsigned line, arr_host::Dim block, arr_host::Dim thread) {
  Worker& w = *worker;
  if (meet == 0) return w.grid != nullptr ? 1 : 0;
  if (w.grid == nullptr) stop(w, not_cooperative, line, block, thread);
  w.block_index = block;
  if (!meet_other_blocks(w, line)) leave(w);
  return 1;
}

// The blocks that this OS thread runs; null: none.
thread_local Worker* running = nullptr;
struct Running {
  explicit Running(Worker& w) { running = &w; }
  ~Running() { running = nullptr; }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
};

// A kernel's own stack can be left at any time; between blocks on fibers there is none, and run_block() ends
// them.
void passed(const void* code) {
  Worker* w = running;
  if (w == nullptr || std::chrono::steady_clock::now() < w->deadline) return;
  w->stopped_at = code;
  fail_block(*w, "");
  if (w->fibers.holds(__builtin_frame_address(0))) leave(*w);
}

struct LoopCall {
  void (*range)(const arr_host::Range*);
  const arr_host::Range* r;
};

void loop_main(void* argument) {
  const LoopCall& call = *static_cast<const LoopCall*>(argument);
  Worker& w = *call.r->worker;
  w.fibers.entered();
  call.range(call.r);
  leave(w);
}

void fail_thread(Worker* worker, const char* what, unsigned line, arr_host::Dim block, arr_host::Dim thread) {
  stop(*worker, what, line, block, thread);
}

}  // namespace

void fail_block(Worker& w, std::string text) {
  if (!w.failed) w.failure = std::move(text);
  w.failed = true;
}

const arr_host::Runtime runtime_table = {&run_block, &sync,        &barrier, &warp,    &yield,   &rest,
                                         &wait,      &fail_thread, &context, &release, &access,  &texture,
                                         &texel,     &surface,     &query,   &grid,    &address, &passed};

void stop_short_of_memory(Worker& w) {
  w.failed = w.short_of_memory = true;
  w.failure.clear();
  leave(w);
  __builtin_unreachable();
}

void stop_block(Worker& w, std::string text) {
  fail_block(w, std::move(text));
  leave(w);
  __builtin_unreachable();
}

void stop_thread(Worker& w, const char* what, unsigned line, arr_host::Dim block, arr_host::Dim thread) {
  stop(w, what, line, block, thread);
  __builtin_unreachable();
}

bool run_range(void (*range)(const arr_host::Range*), const arr_host::Range& r, bool on_fibers) {
  Worker& w = *r.worker;
  w.failed = w.short_of_memory = false;
  w.stopped_at = nullptr;
  clear(w);
  const Running scope(w);
  if (on_fibers) {
    range(&r);
    return !w.failed;
  }
  // A loop over threads runs on a fiber too, as the way out of a failed assertion.
  LoopCall call{range, &r};
  void* position = nullptr;
  try {
    position = w.fibers.prepare(0, &loop_main, &call);
  } catch (const Error& error) {
    fail_block(w, error.text());
    return false;
  }
  w.fibers.resume(&w.main_position, position, 0, false);
  return !w.failed;
}

}  // namespace arr::host_kernels
