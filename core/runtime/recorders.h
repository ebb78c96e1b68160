// SPDX-License-Identifier: MIT
// Work that was deferred: what must run before memory is read, written or handed out.
#pragma once

#include <atomic>

#include "array/array.h"

namespace arr {

// Somebody who defers work that reads memory, and therefore runs it before that memory changes.
class Recorder : public Object {
 public:
  // Runs what reads any of the memory's bytes; nullptr: everything.
  virtual void before_write(const Buffer* memory) = 0;
};
// From construction to destruction of the recorder.
void add_recorder(Recorder& recorder);
void remove_recorder(Recorder& recorder) noexcept;

inline std::atomic<int32_t> recorders{0};  // how many there are; every call asks
void run_recorders(const Buffer* memory);

// Before the memory is read.
inline void settle(Buffer& memory) {
  const Ref<Pending> pending = memory.pending();
  if (pending) pending->settle();
}
// Before it is written.
inline void settle_for_write(Buffer& memory) {
  settle(memory);
  if (recorders.load(std::memory_order_acquire) != 0) run_recorders(&memory);
}
// Before code outside of the library learns where it is. From then on nothing that reads it is deferred.
inline void hand_out(Buffer& memory) {
  memory.exposed.store(true, std::memory_order_relaxed);
  settle_for_write(memory);
}

}  // namespace arr
