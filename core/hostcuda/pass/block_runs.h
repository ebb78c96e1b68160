// SPDX-License-Identifier: MIT
// Kernels that use blockIdx.x and threadIdx.x only for the thread's index in the whole row of blocks. A run
// of neighbouring blocks then becomes one loop over all their threads, which accesses long contiguous ranges
// of memory.
#pragma once

#include <llvm/IR/Module.h>

namespace arr_fission {

struct Pieces;

// A run of 64 KiB of float is long enough for a processor that fetches ahead and for its pages; more gains
// nothing and leaves less to hand out.
constexpr unsigned max_run_threads = 16384;

// Before the kernel is cut: every use of blockIdx.x and threadIdx.x is blockIdx.x * blockDim.x + threadIdx.x,
// and there is nothing that belongs to one block or waits for another.
bool sees_sums_only(llvm::Function& function);

// Once it is cut: threads go through it together, and nothing is kept per thread.
bool keeps_nothing(const Pieces& pieces);

// Sets the max threads of a run in the function that calls the kernel; see arr_run_threads in the shim.
void set_run_threads(llvm::Function& kernel, bool joins);

}  // namespace arr_fission
