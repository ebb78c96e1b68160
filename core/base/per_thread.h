// SPDX-License-Identifier: MIT
// What a thread has for itself.
#pragma once

namespace arr {

// The calling thread's T, made when it first asks. It goes with the thread; but the library may be called
// later than that: a main thread's objects are destroyed before functions of atexit() and destructors of
// static objects run. Those have another T, which nobody destroys. Each T is one object, so types say what
// they are for.
template <class T>
T& per_thread() {
  // Plain data keeps its values to the thread's very end.
  static thread_local T* mine = nullptr;
  static thread_local bool ended = false;
  struct End {
    bool watched = false;
    ~End() {
      ended = true;
      delete mine;
      mine = nullptr;
    }
  };
  if (mine == nullptr) {
    mine = new T;
    if (!ended) {
      static thread_local End end;
      end.watched = true;
    }
  }
  return *mine;
}

}  // namespace arr
