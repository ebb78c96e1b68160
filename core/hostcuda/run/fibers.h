// SPDX-License-Identifier: MIT
// Stacks and the switch between them. One set of fibers belongs to one OS thread and never leaves it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace arr::host_kernels {

// Marks a context that is not one of the numbered stacks: the thread's own.
constexpr int main_context = -1;

class Fibers {
 public:
  using Start = void (*)(void* argument);  // must not return

  static constexpr size_t capacity = 1024;          // threads of a block
  static constexpr size_t stack_bytes = 256 << 10;  // address space; pages are touched as they are needed

  Fibers() = default;
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  // Puts a new fiber on stack `stack`; what it returns is for `resume`. Throws Error(ARR_E_MEMORY).
  void* prepare(int stack, Start start, void* argument);

  // Leaves the running context, whose position goes to *save, for the one at `position` on `stack`
  // (main_context: the thread's own). `ends`: the running fiber will not be resumed.
  void resume(void** save, void* position, int stack, bool ends);

  [[nodiscard]] bool holds(const void* address) const {
    const auto offset = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(base_);
    return base_ != nullptr && offset < capacity * stack_bytes;
  }

  // To be called first in a new fiber.
  void entered();

 private:
  // Lays out a stack as if the switch had left it in front of `start`'s call; returns its position.
  static void* first_frame(void* top, Start start, void* argument);
  void map();
  void guard(int stack);
  [[nodiscard]] char* bottom(int stack) const { return base_ + static_cast<size_t>(stack) * stack_bytes; }
  [[nodiscard]] char* top(int stack) const;

  char* base_ = nullptr;
  int guarded_ = 0;  // stacks below this have their guard page

  // Only sanitizers use these.
  const void* main_bottom_ = nullptr;
  size_t main_bytes_ = 0;
  void* thread_fibers_[capacity] = {};
  int thread_fiber_uses_[capacity] = {};
  void* main_thread_fiber_ = nullptr;
};

}  // namespace arr::host_kernels

// Saves the callee-saved registers and the position in *save, continues at `load`.
extern "C" void arr_host_switch(void** save, void* load);
