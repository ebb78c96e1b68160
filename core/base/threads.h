// SPDX-License-Identifier: MIT
// Whether work may be spread over threads at all.
#pragma once

namespace arr {

// Whether the system lets this process have `n` more threads at once, by having them.
bool threads_start(int n) noexcept;

// Not in a child of fork(), which has the threads of oneTBB and OpenBLAS in their books only, and not where
// the system has let none be started: oneTBB is not to be asked then, for what it had begun would be lost.
bool threads_are_there() noexcept;

// A scope in which the calling thread's loops are not spread over threads.
class Alone {
 public:
  Alone() noexcept;
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;
  ~Alone();
};

}  // namespace arr
