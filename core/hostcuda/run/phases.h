// SPDX-License-Identifier: MIT
// Threads of a block on fibers that wait for the end of a phase: until a word of memory changes. A phase of a
// barrier in shared memory, which other blocks cannot reach, ends only by threads of the block.
#pragma once

#include "hostcuda/run/scheduler.h"

namespace arr::host_kernels {

// Makes the threads runnable whose phases have ended; returns the first one, or main_context.
int end_phases(arr_host::Worker&);

// Every live thread waits, and no phase has ended. Makes those runnable that wait for what other blocks may
// write; returns the first one, or main_context where there is none.
int ask_again(arr_host::Worker&);

}  // namespace arr::host_kernels
