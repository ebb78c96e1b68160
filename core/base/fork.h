// SPDX-License-Identifier: MIT
// Handling of fork(). The child has one thread, a copy of the one that forked. A lock that another thread
// held would stay locked in the child, and a function-local static that another thread was initialising would
// never become ready. So a child computes only if no other running thread of its parent had called the
// library. fork() also waits until it holds all locks of this header, for the library's own threads and for
// the end of the child.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

namespace arr {

// An object with locks that lives about as long as the process. Locks of single objects need not be held,
// because the child does not use objects that other threads were using at the fork. A class of such objects
// calls enlist() at the end of its constructor and delist() at the beginning of its destructor: fork() may
// call the functions of a listed object at any time, on another thread.
class HeldAtFork {
 public:
  HeldAtFork(const HeldAtFork&) = delete;
  HeldAtFork& operator=(const HeldAtFork&) = delete;
  // Takes all of the object's locks, or none if one of them is held. Never waits.
  virtual bool try_lock_for_fork() noexcept = 0;
  virtual void unlock_after_fork() noexcept = 0;

 protected:
  HeldAtFork() = default;
  ~HeldAtFork() = default;
  void enlist() noexcept;
  void delist() noexcept;

 private:
  friend class ForkList;
  HeldAtFork *previous_ = nullptr, *next_ = nullptr;
  bool held_ = false;
};

// A mutex that belongs to the process, not to an object with a shorter life.
class ProcessMutex final : public std::mutex, private HeldAtFork {
 public:
  ProcessMutex() noexcept { enlist(); }
  ~ProcessMutex() { delist(); }

 private:
  bool try_lock_for_fork() noexcept override { return try_lock(); }
  void unlock_after_fork() noexcept override { unlock(); }
};

// Installs the fork handlers when the library is loaded, because threads may be in their first calls when
// another one forks. Only the core's library installs them. The CUDA module needs none: its calls come from
// the core, which may hold its own locks, and in the child they fail before they take a lock.
void watch_forks() noexcept;
// Called by a public function on a thread that is not counted yet (CallName::is_first); counts it until it
// ends. Throws ARR_E_LOST in a child that must not compute, where no thread is counted.
void first_call_of_thread();
// Counts a thread of the library, while it works, like a thread that calls the library.
class CallerScope {
 public:
  CallerScope() noexcept;
  CallerScope(const CallerScope&) = delete;
  CallerScope& operator=(const CallerScope&) = delete;
  ~CallerScope();
};
inline std::atomic<bool> is_lost_by_fork{false};
// True in a child whose calls fail, because other threads of its parent used the library.
inline bool lost_by_fork() noexcept { return is_lost_by_fork.load(std::memory_order_relaxed); }
// Called before the process creates a thread or a handle, which a child would not have.
void note_use() noexcept;
// True in a child of a process that had used the library.
bool forked() noexcept;
// The number of forks between the process and the one that loaded the library.
uint32_t fork_count() noexcept;

}  // namespace arr
