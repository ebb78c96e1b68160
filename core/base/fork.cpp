// SPDX-License-Identifier: MIT
// Holding every lock of the process while it is copied.
#include "base/fork.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace arr {

namespace {

std::atomic<bool> is_child{false};

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
  // All or nothing, again and again: whatever order others take their locks in, nobody waits for this thread
  // while it waits. A lock that stays taken for a second is the forking thread's own, which forks in a
  // callback: the child goes on behind that callback and gives it back itself.
  void hold() noexcept {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    for (;;) {
      mutex_.lock();
      const bool late = std::chrono::steady_clock::now() >= until;
      bool all = true;
      for (HeldAtFork* h = first_; h != nullptr && (all || late); h = h->next_) {
        h->held_ = h->try_hold();
        all = all && h->held_;
      }
      if (all || late) return;
      let_go();
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  void let_go() noexcept {
    for (HeldAtFork* h = first_; h != nullptr; h = h->next_) {
      if (h->held_) h->let_go();
      h->held_ = false;
    }
    mutex_.unlock();
  }

 private:
  std::mutex mutex_;
  HeldAtFork* first_ = nullptr;
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
  // Without memory for three pointers forks are not watched, which a child may never notice.
  static_cast<void>(pthread_atfork([] { list().hold(); }, [] { list().let_go(); },
                                   [] {
                                     is_child.store(true, std::memory_order_release);
                                     list().let_go();
                                   }));
}

bool forked() noexcept { return is_child.load(std::memory_order_acquire); }

}  // namespace arr
