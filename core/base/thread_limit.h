// SPDX-License-Identifier: MIT
// The limit of threads on the host: for loops, raw kernels and OpenBLAS, including the calling thread.
#pragma once

namespace arr {

// The largest limit that can be set.
inline constexpr int max_thread_limit = 4096;

// The limit that was set, or ARR_THREADS, or the number of processors that this process may use.
int thread_limit() noexcept;

// Sets the limit, 1 to max_thread_limit; 0 restores the initial one.
void set_thread_limit(int n);

// Registers a function that applies changes of the limit elsewhere.
void watch_thread_limit(void (*changed)(int));

}  // namespace arr
