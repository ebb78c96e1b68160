// SPDX-License-Identifier: MIT
// Holds every lock of the process during fork(), and refuses calls in a child that cannot compute.
#include "base/fork.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/call_name.h"
#include "base/error.h"
#include "base/fork_modules.h"
#include "base/per_thread.h"

namespace arr {

namespace {

std::atomic<bool> used{false}, is_child{false};
std::atomic<uint32_t> forks{0};
std::atomic<bool> late_hold{false};

void pause() noexcept { std::this_thread::sleep_for(std::chrono::microseconds(50)); }

// The threads that have called the library and still run.
class Callers {
 public:
  void add() noexcept {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  void remove() noexcept {
    const std::lock_guard lock(mutex_);
    --count_;
  }
  // From lock to unlock no thread can make its first call.
  void lock() noexcept { mutex_.lock(); }
  void unlock() noexcept { mutex_.unlock(); }
  [[nodiscard]] bool others() const noexcept { return count_ > (calling_thread.counted ? 1 : 0); }
  void keep_one() noexcept { count_ = calling_thread.counted ? 1 : 0; }

 private:
  std::mutex mutex_;
  int64_t count_ = 0;
};
constinit Callers callers;

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
  // Takes all locks, or none and tries again, so that other threads, in whatever order they take locks, never
  // wait for this one while it waits. A lock that stays held for a second is held by the forking thread
  // itself, which forks in a callback; the child returns from that callback and unlocks it.
  void hold() noexcept {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (;;) {
      mutex_.lock();
      const bool late = std::chrono::steady_clock::now() >= until;
      late_hold.store(late, std::memory_order_relaxed);
      const bool held = take(late);
      late_hold.store(false, std::memory_order_relaxed);
      if (held) return;
      unlock_after_fork();
      pause();
    }
  }
  // One attempt. If it succeeds, the list stays locked too.
  bool try_hold(bool late) noexcept {
    if (!mutex_.try_lock()) return false;
    const bool held = take(late);
    if (!held) unlock_after_fork();
    return held;
  }
  void unlock_after_fork() noexcept {
    for (HeldAtFork* h = first_; h != nullptr; h = h->next_) {
      if (h->held_) h->unlock_after_fork();
      h->held_ = false;
    }
    mutex_.unlock();
  }

 private:
  // Takes all locks, or with `late` those that are free. On failure some of them stay taken.
  bool take(bool late) noexcept {
    bool all = true;
    for (HeldAtFork* h = first_; h != nullptr && (all || late); h = h->next_) {
      h->held_ = h->try_lock_for_fork();
      all = all && h->held_;
    }
    return all || late;
  }

  std::mutex mutex_;
  HeldAtFork* first_ = nullptr;
};

namespace {

// In static storage and never destroyed: locks may be created before, and destroyed after, any static object.
ForkList& list() noexcept {
  alignas(ForkList) static unsigned char storage[sizeof(ForkList)];
  static auto* l = new (storage) ForkList;
  return *l;
}

void begin_child() {
  if (used.load(std::memory_order_relaxed)) is_child.store(true, std::memory_order_release);
  forks.fetch_add(1, std::memory_order_relaxed);
  if (callers.others()) {
    is_lost_by_fork.store(true, std::memory_order_relaxed);
    calling_thread.counted = false;  // so that calls of this thread fail too
  }
  callers.keep_one();
  callers.unlock();
  list().unlock_after_fork();
}

}  // namespace

void HeldAtFork::enlist() noexcept { list().add(*this); }
void HeldAtFork::delist() noexcept { list().remove(*this); }

bool try_lock_all_for_fork(bool late) noexcept { return list().try_hold(late); }
void unlock_all_after_fork() noexcept { list().unlock_after_fork(); }

bool fork_is_late() noexcept { return late_hold.load(std::memory_order_relaxed); }

void watch_forks() noexcept {
  list();
  // Without memory for three pointers forks are not handled; that is noticed only if a child calls the
  // library.
  static_cast<void>(pthread_atfork(
      [] {
        list().hold();
        callers.lock();
      },
      [] {
        callers.unlock();
        list().unlock_after_fork();
      },
      begin_child));
}

void note_use() noexcept { used.store(true, std::memory_order_relaxed); }

bool forked() noexcept { return is_child.load(std::memory_order_acquire); }

uint32_t fork_count() noexcept { return forks.load(std::memory_order_relaxed); }

CallerScope::CallerScope() noexcept {
  callers.add();
  calling_thread.counted = true;
}

CallerScope::~CallerScope() {
  calling_thread.counted = false;
  callers.remove();
}

void first_call_of_thread() {
  if (lost_by_fork()) {
    fail(ARR_E_LOST,
         "fork() made this process, and other threads of its parent had called libarr: exec, or use libarr "
         "only in the parent");
  }
  static thread_local bool ended = false;
  callers.add();
  calling_thread.counted = true;
  // A call after the thread's own objects have been destroyed counts permanently, because nothing would end
  // it.
  if (ended) return;
  at_thread_end([] {
    ended = true;
    calling_thread.counted = false;
    callers.remove();
  });
}

}  // namespace arr
