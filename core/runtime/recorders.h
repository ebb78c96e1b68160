// SPDX-License-Identifier: MIT
// Deferred work, which must run before memory that it uses is read, written or exposed.
#pragma once

#include <atomic>

#include "array/array.h"

namespace arr {

// An object that defers work which reads memory, and runs it before that memory changes.
class Recorder : public Object {
 public:
  // Runs the deferred work that reads any byte of the memory; all deferred work if memory is nullptr.
  virtual void before_write(const Buffer* memory) = 0;
  // Runs the deferred work that reads memory to which nothing else refers, so that the memory is released.
  virtual void release_operands() {}
};
// A recorder is in the list from its construction to its destruction.
void add_recorder(Recorder& recorder);
void remove_recorder(Recorder& recorder) noexcept;

inline std::atomic<int32_t> recorders{0};  // length of the list; every call reads it
void run_recorders(const Buffer* memory);

// Sets the recorder of the calling thread whose release_operands() is called before memory is allocated;
// nullptr for none.
void set_thread_recorder(Recorder* recorder) noexcept;
void release_deferred_operands();

// Called before memory is allocated, so that deferred work does not need more of it than work that runs at
// once.
inline void before_allocation() {
  if (recorders.load(std::memory_order_relaxed) != 0) release_deferred_operands();
}

// Called before the memory is read.
inline void materialize(Buffer& memory) {
  const Ref<Pending> pending = memory.pending();
  if (pending) pending->materialize();
}
// Called before the memory is written.
inline void materialize_for_write(Buffer& memory) {
  materialize(memory);
  if (recorders.load(std::memory_order_acquire) != 0) run_recorders(&memory);
}
// Called before code outside of the library gets the address. From then on no work that reads the memory is
// deferred.
inline void expose_address(Buffer& memory) {
  memory.exposed.store(true, std::memory_order_relaxed);
  materialize_for_write(memory);
}

}  // namespace arr
