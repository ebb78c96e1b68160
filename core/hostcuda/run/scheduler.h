// SPDX-License-Identifier: MIT
// Runs the threads of one block as fibers of one OS thread: barriers, warp functions, deadlocks, failures.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "hostcuda/run/checks.h"
#include "hostcuda/run/fibers.h"
#include "hostcuda/run/grid.h"
#include "hostcuda/shim/abi.h"

namespace arr_host {

// A thread is numbered t in its block, is lane t % 32 of warp t / 32. It is either runnable, or waits in a
// warp function (in_warp), or for the end of a phase (in_phase, see phases.h), or waits at a barrier (live
// and none of these), or has ended (not live).
struct Worker {
  static constexpr int max_threads = 1024, max_warps = 32;

  uint32_t run[max_warps] = {}, live[max_warps] = {}, in_warp[max_warps] = {}, in_phase[max_warps] = {};
  void* position[max_threads] = {};  // null: not started
  int16_t stack_of[max_threads] = {};
  int current = 0;
  int warps = 0;
  bool tiles = false;  // a thread of the block has waited in a tile of several warps

  // The operation that each waiting thread waits for, and its line of the source.
  int8_t wait_op[max_threads] = {};  // in a warp function: its WarpOp; otherwise its Barrier
  unsigned wait_line[max_threads] = {}, wait_mask[max_threads] = {}, source[max_threads] = {};
  uint64_t value[max_threads] = {};        // in: the lane's value; out: its result
  const unsigned* word[max_threads] = {};  // of a phase, which ends when `value` is no longer there
  int phase_waits = 0;                     // threads that wait for the end of one

  // True and false predicates at the barrier being gathered, and at the last one opened.
  int yes = 0, no = 0, opened_yes = 0, opened_no = 0;

  uint64_t blocks = 0;                      // that this worker has begun on fibers
  int grid_waits = 0;                       // threads at a barrier of the whole grid
  arr::host_kernels::Grid* grid = nullptr;  // of a cooperative launch

  // The owner of the blocks' variables and shared memory.
  const arr::host_kernels::Object* object = nullptr;
  const void* dynamic = nullptr;
  uint64_t shared_bytes = 0;

  Body body = nullptr;
  void* const* args = nullptr;
  void* main_position = nullptr;
  void* abandoned = nullptr;  // of a context that is not resumed
  int free_stacks[max_threads] = {}, n_free = 0, n_stacks = 0;
  arr::host_kernels::Fibers fibers;

  // One failure ends the range of blocks this thread was running.
  bool failed = false, short_of_memory = false;
  std::string failure;  // empty where there was no memory
  const char* kernel_name = "";
  Dim block_index = {}, block = {};

  // With ARR_CHECK=1; null in a launch without. Kept in `checker` from one launch to the next.
  arr::host_kernels::Checks* checks = nullptr;
  std::unique_ptr<arr::host_kernels::Checks> checker;

  std::unique_ptr<char[]> dynamic_shared, context;
  uint64_t dynamic_bytes = 0, context_bytes = 0;

  // End of the launch's time, and the code that ran then; see time_limit.h.
  std::chrono::steady_clock::time_point deadline;
  const void* stopped_at = nullptr;
};

}  // namespace arr_host

namespace arr::host_kernels {

extern const arr_host::Runtime runtime_table;

constexpr uint32_t bit_of(int t) { return 1u << (t & 31); }
// The thread of the lowest lane in `mask`.
inline int lowest(int warp, uint32_t mask) { return warp * 32 + std::countr_zero(mask); }

// Notes the error of the block that runs. The first one counts.
void fail_block(arr_host::Worker& w, std::string text);

// Ends the run of blocks of this worker with an error. Do not return.
[[noreturn]] void stop_block(arr_host::Worker& w, std::string text);
// The same for want of memory: nothing is thrown through an image's frames.
[[noreturn]] void stop_short_of_memory(arr_host::Worker& w);
[[noreturn]] void stop_thread(arr_host::Worker& w, const char* what, unsigned line, arr_host::Dim block,
                              arr_host::Dim thread);

// For images made with the pass; see shim/abi.h and fission_scheduler.cpp.
void* context(arr_host::Worker* worker, unsigned long long bytes);
int release(arr_host::Worker* worker, int* next, unsigned* masks, unsigned* live, unsigned n,
            const int* sites, arr_host::Dim block_index);

// Runtime::address; see address_spaces.cpp.
unsigned long long address(arr_host::Worker* worker, int asked, unsigned long long at);

// Calls `range(r)`, an entry's `fiber` (on_fibers) or `loop`, which runs blocks on the calling OS thread.
// False when a block failed: the text is in r->worker->failure.
bool run_range(void (*range)(const arr_host::Range*), const arr_host::Range& r, bool on_fibers);

}  // namespace arr::host_kernels
