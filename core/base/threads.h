// SPDX-License-Identifier: MIT
// Tests of whether this process can use threads.
#pragma once

namespace arr {

// True if the system lets this process start `n` more threads at once, which is tried.
bool threads_start(int n) noexcept;

// True if threads can be used. False in a child of fork(), where oneTBB and OpenBLAS count threads that do
// not exist, and if the system starts no threads: work that oneTBB began without them would be lost.
bool threads_available() noexcept;

// A scope in which loops of the calling thread use no other threads.
class SerialScope {
 public:
  SerialScope() noexcept;
  SerialScope(const SerialScope&) = delete;
  SerialScope& operator=(const SerialScope&) = delete;
  ~SerialScope();
};

}  // namespace arr
