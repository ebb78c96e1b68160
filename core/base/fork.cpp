// SPDX-License-Identifier: MIT
// Holding every lock of the process while it is copied, those of function-local static objects included.
#include "base/fork.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

// Entry points that compiled code calls around the initialisation of a function's static object (Itanium C++
// ABI, 3.3.3), for this library alone. The first byte of a guard is theirs, the others are the runtime's.
// NOLINTBEGIN(bugprone-reserved-identifier): the ABI's names
extern "C" {
__attribute__((visibility("hidden"))) int __cxa_guard_acquire(long long* guard) noexcept;
__attribute__((visibility("hidden"))) void __cxa_guard_release(long long* guard) noexcept;
__attribute__((visibility("hidden"))) void __cxa_guard_abort(long long* guard) noexcept;
}
// NOLINTEND(bugprone-reserved-identifier)

namespace arr {

namespace {

std::atomic<bool> used{false}, is_child{false};
std::atomic<uint32_t> forks{0};

void pause() noexcept { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

// The guards of functions' static objects. Constant-initialised, because all other static objects need it.
class Guards {
 public:
  // True: the caller initialises the object. False: another thread has done so.
  bool begin(long long* guard) noexcept {
    auto* bytes = reinterpret_cast<unsigned char*>(guard);
    for (;;) {
      {
        const std::lock_guard lock(mutex_);
        if (std::atomic_ref(bytes[0]).load(std::memory_order_acquire) != 0) return false;
        if (bytes[1] == 0) {
          bytes[1] = 1;
          ++busy_;
          return true;
        }
      }
      // A condition variable would count waiting threads that a child does not have.
      pause();
    }
  }
  void end(long long* guard, bool initialised) noexcept {
    auto* bytes = reinterpret_cast<unsigned char*>(guard);
    const std::lock_guard lock(mutex_);
    bytes[1] = 0;
    if (initialised) std::atomic_ref(bytes[0]).store(1, std::memory_order_release);
    --busy_;
  }
  bool try_lock_for_fork() noexcept {
    if (!mutex_.try_lock()) return false;
    if (busy_ == 0) return true;
    mutex_.unlock();
    return false;
  }
  void unlock_after_fork() noexcept { mutex_.unlock(); }

 private:
  std::mutex mutex_;
  int64_t busy_ = 0;  // objects that threads are initialising
};
constinit Guards guards;

}  // namespace

class ForkList {
 public:
  void add(HeldAtFork& h) noexcept {
    const std::lock_guard lock(mutex_);
    h.next_ = first_;
    if (first_ != nullptr) first_->previous_ = &h;
    first_ = &h;
  }
  void remove(HeldAtFork& h) noexcept {
    const std::lock_guard lock(mutex_);
    (h.previous_ != nullptr ? h.previous_->next_ : first_) = h.next_;
    if (h.next_ != nullptr) h.next_->previous_ = h.previous_;
  }
  // Takes all locks or none, and tries again: in whatever order other threads take their locks, none of them
  // waits for this thread while it waits. A lock that stays held for a second is the forking thread's own,
  // which forks in a callback: the child returns from that callback and unlocks it itself.
  void hold() noexcept {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (;;) {
      mutex_.lock();
      const bool late = std::chrono::steady_clock::now() >= until;
      bool all = guards_held_ = guards.try_lock_for_fork();
      for (HeldAtFork* h = first_; h != nullptr && (all || late); h = h->next_) {
        h->held_ = h->try_lock_for_fork();
        all = all && h->held_;
      }
      if (all || late) return;
      unlock_after_fork();
      pause();
    }
  }
  void unlock_after_fork() noexcept {
    for (HeldAtFork* h = first_; h != nullptr; h = h->next_) {
      if (h->held_) h->unlock_after_fork();
      h->held_ = false;
    }
    if (guards_held_) guards.unlock_after_fork();
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  HeldAtFork* first_ = nullptr;
  bool guards_held_ = false;
};

namespace {

// In static storage and never destroyed: locks may be made before and destroyed after any static object.
ForkList& list() noexcept {
  alignas(ForkList) static unsigned char storage[sizeof(ForkList)];
  static auto* l = new (storage) ForkList;
  return *l;
}

}  // namespace

HeldAtFork::HeldAtFork() noexcept { list().add(*this); }
HeldAtFork::~HeldAtFork() { list().remove(*this); }

void watch_forks() noexcept {
  list();
  // If there is no memory for three pointers, forks are not handled; a child may never notice.
  static_cast<void>(pthread_atfork([] { list().hold(); }, [] { list().unlock_after_fork(); },
                                   [] {
                                     if (used.load(std::memory_order_relaxed)) {
                                       is_child.store(true, std::memory_order_release);
                                     }
                                     forks.fetch_add(1, std::memory_order_relaxed);
                                     list().unlock_after_fork();
                                   }));
}

void note_use() noexcept { used.store(true, std::memory_order_relaxed); }

bool forked() noexcept { return is_child.load(std::memory_order_acquire); }

uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

}  // namespace arr

int __cxa_guard_acquire(long long* guard) noexcept { return arr::guards.begin(guard) ? 1 : 0; }
void __cxa_guard_release(long long* guard) noexcept { arr::guards.end(guard, true); }
void __cxa_guard_abort(long long* guard) noexcept { arr::guards.end(guard, false); }
