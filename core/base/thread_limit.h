// SPDX-License-Identifier: MIT
// The limit of threads on the host: for loops, raw kernels and OpenBLAS, the calling thread included.
#pragma once

namespace arr {

// The largest limit that can be set.
inline constexpr int max_thread_limit = 4096;

// The limit that was set; else ARR_THREADS; else the processors that this process may use.
int thread_limit() noexcept;

// Sets the limit, 1 to max_thread_limit; 0 restores the one at the start.
void set_thread_limit(int n);

// Registers a function that carries changes of the limit out elsewhere.
void watch_thread_limit(void (*changed)(int));

}  // namespace arr
