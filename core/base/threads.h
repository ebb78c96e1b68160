// SPDX-License-Identifier: MIT
// Tests of whether this process can use threads.
#pragma once

namespace arr {

// True if the system lets this process start `n` more threads at once. Tries it.
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
