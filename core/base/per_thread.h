// SPDX-License-Identifier: MIT
// Objects of a thread, and functions that run when it ends.
#pragma once

namespace arr {

// Runs an `End` once when the calling thread ends, however often this is called in the thread. Each lambda
// has its own type, so each call in the source is separate. Must not be called after the thread has run it.
template <class End>
void at_thread_end(End) {
  struct Guard {
    bool armed = false;
    ~Guard() { End()(); }
  };
  static thread_local Guard guard;
  guard.armed = true;
}

// The calling thread's T, created by its first call and destroyed when the thread ends. The library may be
// called after that, because functions of atexit() and destructors of static objects run after the main
// thread's objects are destroyed; such calls use another T, which is never destroyed. There is one object per
// type, so types are named for their purpose.
template <class T>
T& per_thread() {
  // Plain data keeps its values until the thread has ended.
  static thread_local T* mine = nullptr;
  static thread_local bool ended = false;
  if (mine == nullptr) {
    mine = new T;
    if (!ended) {
      at_thread_end([] {
        ended = true;
        delete mine;
        mine = nullptr;
      });
    }
  }
  return *mine;
}

}  // namespace arr
