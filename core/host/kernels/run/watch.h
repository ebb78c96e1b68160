// SPDX-License-Identifier: MIT
// Ends kernels that wait for ever: a thread that polls memory which no other thread of the launch will write.
// Decision 0033 has the reasons.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace arr_host {
struct Worker;
}

namespace arr::host_kernels {

class Object;

// The state of one worker: written by its thread, read by the thread that watches.
struct Watched {
  explicit Watched(arr_host::Worker& of);
  ~Watched();
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

  enum Request : int { none, sample, stop };

  arr_host::Worker& worker;
  std::atomic<uint64_t> turn{0};             // odd while it runs blocks
  std::atomic<const void*> launch{nullptr};  // that these belong to
  std::atomic<bool> sleeps{false};           // at a barrier of the grid
  std::atomic<int> os_thread{0};
  std::atomic<uintptr_t> code_begin{0}, code_end{0};  // of the image
  // Answers of the thread's signal handler. `place` is 0 outside of the image's code.
  std::atomic<int> request{none};
  std::atomic<uint64_t> place{0}, registers{0};
  std::atomic<uintptr_t> stopped_at{0};
  std::vector<uintptr_t> places;  // of the loop: set before the thread is stopped

  // For the thread, where it lets others go on and the kernel is at `code`: answers a request. It may not
  // return.
  void at_rest(const void* code) {
    if (request.load(std::memory_order_relaxed) != none) [[unlikely]]
      answer(code);
  }
  // A sample of the kernel's state: the place in its code, and a number that other registers change.
  void reply(uintptr_t at, uint64_t mixed);

 private:
  void answer(const void* code);
};

// A scope in which a worker runs blocks of a launch.
class Watch {
 public:
  Watch(Watched& watched, const void* launch, const Object& object);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  Watched* watched_ = nullptr;
};

// A scope in which a worker sleeps until other blocks have come to a barrier of the grid.
class Sleep {
 public:
  explicit Sleep(Watched& watched) : watched_(watched) {
    watched_.sleeps.store(true, std::memory_order_relaxed);
  }
  ~Sleep() { watched_.sleeps.store(false, std::memory_order_relaxed); }
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;

 private:
  Watched& watched_;
};

// The message of a launch that was ended; "" if this worker was not.
std::string wait_text(const arr_host::Worker& worker, const Object& object);

}  // namespace arr::host_kernels
