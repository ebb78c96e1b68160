// SPDX-License-Identifier: MIT
// Locks across fork(). The child has one thread, the copy of the one that forked: a lock that another thread
// held at that moment would stay held for ever. So fork() waits until it holds all locks of this header
// itself, and until no thread is initialising a static object of a function: the guard of such an object is a
// lock as well.
#pragma once

#include <mutex>

namespace arr {

// Something with locks that lives as long as the process, or nearly. Locks of single objects are not among
// them: what other threads were using when the process was copied the child leaves alone.
class HeldAtFork {
 public:
  HeldAtFork(const HeldAtFork&) = delete;
  HeldAtFork& operator=(const HeldAtFork&) = delete;
  // Takes all of its locks, or none where one is taken; never waits.
  virtual bool try_hold() noexcept = 0;
  virtual void let_go() noexcept = 0;

 protected:
  HeldAtFork() noexcept;
  ~HeldAtFork();

 private:
  friend class ForkList;
  HeldAtFork *previous_ = nullptr, *next_ = nullptr;
  bool held_ = false;
};

// A mutex of the process rather than of an object that comes and goes.
class ProcessMutex : public std::mutex, private HeldAtFork {
 private:
  bool try_hold() noexcept override { return try_lock(); }
  void let_go() noexcept override { unlock(); }
};

// Begins to watch forks, when the library is loaded: threads may be in their first calls when another one
// forks. Of the core's own library alone. The CUDA module holds none of its locks: its calls come from the
// core, which may hold its own then, and in the child they end before any lock.
void watch_forks() noexcept;
// Called before the process has anything that a child would miss: threads, handles.
void note_use() noexcept;
// Whether this process is a child of one that had used the library.
bool forked() noexcept;

}  // namespace arr
