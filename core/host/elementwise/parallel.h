// SPDX-License-Identifier: MIT
// Runs independent ranges of work in several threads.
#pragma once

#include <cstdint>

#include "base/threads.h"

namespace arr::host {

// Work of fewer elements runs in the calling thread, because waking another costs more.
inline constexpr int64_t serial_elements = 32 * 1024;

// Arrays of fewer bytes are processed by one thread, unless an element takes long: they are in the caches of
// one core, and moving cache lines to a second core costs more than that core saves.
inline constexpr int64_t serial_bytes = 256 * 1024;
// The same of reductions of what is in memory, which read one array.
inline constexpr int64_t serial_reduced_bytes = 1024 * 1024;

// The number of threads that a loop of the calling thread can use.
int64_t concurrency();

// Calls call(body, first, last) for parts, in several threads. It is not inlined, because instantiating
// oneTBB's loop for each body took most of the compile time.
void run_ranges(int64_t count, int64_t grain, const void* body, void (*call)(const void*, int64_t, int64_t));

// Calls body(first, last) for parts of 0 .. count, in several threads if each gets more than `grain`; the
// calling thread runs some of them. Equal loops are split equally.
template <class Body>
void parallel_ranges(int64_t count, int64_t grain, const Body& body) {
  if (count <= grain || !threads_available()) {
    if (count > 0) body(int64_t{0}, count);
    return;
  }
  run_ranges(count, grain, &body, [](const void* parts, int64_t first, int64_t last) {
    (*static_cast<const Body*>(parts))(first, last);
  });
}

}  // namespace arr::host
