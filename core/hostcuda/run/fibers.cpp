// SPDX-License-Identifier: MIT
#include "hostcuda/run/fibers.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARR_FIBERS_ASAN 1
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#define ARR_FIBERS_TSAN 1
#include <sanitizer/tsan_interface.h>
#endif

namespace arr::host_kernels {
namespace {

constexpr size_t page_bytes = 4096;

}  // namespace

Fibers::~Fibers() {
#ifdef ARR_FIBERS_TSAN
  for (void* fiber : thread_fibers_)
    if (fiber != nullptr) __tsan_destroy_fiber(fiber);
#endif
  if (base_ != nullptr) munmap(base_, capacity * stack_bytes);
}

void Fibers::map() {
  void* memory = mmap(nullptr, capacity * stack_bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    fail(ARR_E_MEMORY, "stacks for the threads of a block, ", capacity * stack_bytes >> 20,
         " MiB of address space: ", std::strerror(errno));
  base_ = static_cast<char*>(memory);
  madvise(base_, capacity * stack_bytes, MADV_NOHUGEPAGE);  // one touched page per stack, not two megabytes
}

// Installed as stacks are first used, because each guard page splits a mapping and their number is limited.
void Fibers::guard(int stack) {
  for (; guarded_ <= stack; guarded_++)
    if (mprotect(bottom(guarded_), page_bytes, PROT_NONE) != 0)
      fail(ARR_E_MEMORY, "guard page of a kernel thread's stack: ", std::strerror(errno),
           " (vm.max_map_count may be too low)");
}

// Tops are staggered over a page: stacks that all began at the same offset would meet in the same few sets
// of the first-level cache, four times slower with 1024 of them.
char* Fibers::top(int stack) const {
  const auto s = static_cast<size_t>(stack);
  return bottom(stack + 1) - (s % 16 * 256 + s / 16 % 4 * 64);
}

void* Fibers::prepare(int stack, Start start, void* argument) {
  if (base_ == nullptr) map();
  if (stack >= guarded_) guard(stack);
    // A failed block leaves its fibers in the middle of what they did: nothing of that may be inherited.
#ifdef ARR_FIBERS_TSAN
  // Making one is slow, so they serve many times; but each time leaves some frames on its record of calls.
  constexpr int max_uses = 1000;
  void*& fiber = thread_fibers_[stack];
  if (fiber != nullptr && ++thread_fiber_uses_[stack] > max_uses) {
    __tsan_destroy_fiber(fiber);
    fiber = nullptr;
  }
  if (fiber == nullptr) {
    fiber = __tsan_create_fiber(0);
    thread_fiber_uses_[stack] = 0;
  }
#endif
#ifdef ARR_FIBERS_ASAN
  __asan_unpoison_memory_region(bottom(stack) + page_bytes, stack_bytes - page_bytes);
#endif
  return first_frame(top(stack), start, argument);
}

void Fibers::resume(void** save, void* position, int stack, bool ends) {
#ifdef ARR_FIBERS_ASAN
  void* fake = nullptr;
  const void* target = stack == main_context ? main_bottom_ : bottom(stack);
  const size_t bytes = stack == main_context ? main_bytes_ : stack_bytes;
  __sanitizer_start_switch_fiber(ends ? nullptr : &fake, target, bytes);
#endif
#ifdef ARR_FIBERS_TSAN
  if (stack != main_context && main_thread_fiber_ == nullptr) main_thread_fiber_ = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(stack == main_context ? main_thread_fiber_ : thread_fibers_[stack], 0);
#endif
  (void)stack;
  (void)ends;
  arr_host_switch(save, position);
#ifdef ARR_FIBERS_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

// Only the thread's own context starts the first fiber of a block; later ones find its bounds known.
void Fibers::entered() {
#ifdef ARR_FIBERS_ASAN
  const void* from = nullptr;
  size_t bytes = 0;
  __sanitizer_finish_switch_fiber(nullptr, &from, &bytes);
  if (main_bottom_ == nullptr) {
    main_bottom_ = from;
    main_bytes_ = bytes;
  }
#endif
}

}  // namespace arr::host_kernels
