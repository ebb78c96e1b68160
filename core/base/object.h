// SPDX-License-Identifier: MIT
// Reference-counted objects, the base of everything that handles name, and the smart pointer to them.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/thread_counts.h"

namespace arr {

class Object {
 public:
  Object() noexcept { ThreadCounts::add(1); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() { ThreadCounts::add(-1); }

  void retain() noexcept { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  // Adds a reference to an object of which only a plain pointer is known, and whose destructor has not
  // finished. Returns false if the last reference has been released.
  bool try_retain() noexcept {
    int32_t n = count_.load(std::memory_order_relaxed);
    while (n != 0 && !count_.compare_exchange_weak(n, n + 1, std::memory_order_relaxed)) {
    }
    return n != 0;
  }
  // The number of references that are held at present.
  [[nodiscard]] int32_t references() const noexcept { return count_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool shared() const noexcept { return references() > 1; }
  // The number of objects, for leak checks.
  static int64_t live() noexcept { return ThreadCounts::sum(); }

 private:
  std::atomic<int32_t> count_{1};
};

// Owns one reference.
template <class T>
class Ref {
 public:
  Ref() noexcept = default;
  Ref(std::nullptr_t) noexcept {}
  static Ref adopt(T* p) noexcept {
    Ref r;
    r.p_ = p;
    return r;
  }
  static Ref share(T* p) noexcept {
    if (p != nullptr) p->retain();
    return adopt(p);
  }
  Ref(const Ref& o) noexcept : p_(o.p_) {
    if (p_ != nullptr) p_->retain();
  }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  template <class U>
  Ref(Ref<U>&& o) noexcept : p_(o.detach()) {}
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() {
    if (p_ != nullptr) p_->release();
  }
  T* get() const noexcept { return p_; }
  T* operator->() const noexcept { return p_; }
  T& operator*() const noexcept { return *p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  T* detach() noexcept { return std::exchange(p_, nullptr); }

 private:
  T* p_ = nullptr;
};

template <class T, class... Args>
Ref<T> make(Args&&... args) {
  return Ref<T>::adopt(new T(std::forward<Args>(args)...));
}

}  // namespace arr
