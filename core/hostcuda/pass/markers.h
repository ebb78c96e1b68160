// SPDX-License-Identifier: MIT
// The calls by which the shim (shim/fission.h) shows the pass what is CUDA's in a kernel: functions without a
// body, which the pass replaces, so that none is left in an image.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace arr_fission {

// A kernel is a function whose name holds this and whose first parameters are `KernelArgument`.
constexpr const char* kernel_mark = "arr_fission_kernel";
enum KernelArgument {
  block_index,
  block_dim = 3,
  grid_dim = 6,
  dynamic_shared = 9,
  worker = 10,
  run_threads = 11  // along x: those of all blocks of the run
};
// The caller of a kernel uses this function to get the most threads that a run of blocks may have; see
// block_runs.h.
constexpr const char* run_threads_mark = "arr_run_threads";

enum class Marker {
  none,
  thread_index,  // x, y or z by `axis_of`
  block_index,
  block_dim,
  grid_dim,
  dynamic_shared,
  worker,
  lanes,        // (warp): the lanes of a warp that have not ended
  group,        // (): the lanes that went through the last cut_warp with mask 0 together
  cut_phase,    // (): every thread that runs here reaches this before one goes on
  cut_warp,     // (mask, operation, line): a warp function's rendezvous
  cut_block,    // (operation, line): a barrier
  interchange,  // (): as cut_phase; put in by `interchange`
  narrow,       // (): block index times block size plus an index fits an int, along each axis
  yield,        // __nanosleep: threads that wait for each other have no loop form
  tile          // of several warps: nor have these
};

Marker marker_of(const llvm::Instruction& instruction);
unsigned axis_of(const llvm::Instruction& instruction);
inline bool is_cut(Marker m) { return m >= Marker::cut_phase && m <= Marker::interchange; }
bool holds_marker(const llvm::Function& function);
// True if the function has cuts or asks for the lanes of a warp.
bool waits(const llvm::Function& function);
bool is_kernel(const llvm::Function& function);

}  // namespace arr_fission
