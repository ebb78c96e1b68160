// SPDX-License-Identifier: MIT
// The handle table: 64-bit names for objects. Any bit pattern may be looked up; only the name of a live
// object of the right kind is found. A name consists of slot (low 32 bits), kind (6 bits) and generation (26
// bits).
//
// Each slot has one atomic state word: the high half repeats the high half of the name, one bit says that the
// owner has not released it, and the rest counts look-ups in progress ("pins"). So check and reference are
// one compare-and-swap, and a concurrent release never frees an object that a call is using: the last pin
// does. A slot whose generation would wrap is not used again.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/fork.h"
#include "base/object.h"

namespace arr {

// Kinds of handles. The numbers are part of names, but not of the API.
enum class Kind : uint32_t {
  array = 1,
  stream,
  event,
  module,
  kernel,
  expr,
  error,
  user_kernel,
  graph,
  generator,
  texels,
  texture,
  fft_plan,
  sparse,
  linop,
  sparse_factor,
  comm,
  decomposition,
  dist,
  dist_sparse
};

const char* kind_name(Kind kind) noexcept;

template <uint32_t GenerationBits = 26>
class BasicHandles {
 public:
  BasicHandles() = default;
  BasicHandles(const BasicHandles&) = delete;
  BasicHandles& operator=(const BasicHandles&) = delete;
  ~BasicHandles() {
    for (auto& c : chunks_) delete[] c.load(std::memory_order_relaxed);
  }

  static constexpr uint32_t kind_bits = 6, chunk = 4096, max_chunks = 8192;
  static constexpr uint32_t last_generation = (1U << GenerationBits) - 1;

  // Takes over the reference; throws ARR_E_MEMORY if there is no free slot.
  uint64_t insert(Kind kind, Ref<Object> object) {
    uint32_t index = take();
    Slot& s = *slot(index);
    s.object = object.detach();
    uint32_t high = s.generation << kind_bits | static_cast<uint32_t>(kind);
    s.state.store(static_cast<uint64_t>(high) << 32 | alive, std::memory_order_release);
    return static_cast<uint64_t>(high) << 32 | index;
  }

  // The object, pinned until unpin(), or nullptr.
  Object* pin(uint64_t name, Kind kind) noexcept {
    Slot* s = find(name, kind);
    if (s == nullptr) return nullptr;
    uint64_t state = s->state.load(std::memory_order_relaxed);
    do {
      if (state >> 32 != name >> 32 || (state & alive) == 0) return nullptr;
    } while (!s->state.compare_exchange_weak(state, state + 1, std::memory_order_acquire,
                                             std::memory_order_relaxed));
    return s->object;
  }
  void unpin(uint64_t name) noexcept {
    Slot* s = slot(static_cast<uint32_t>(name));
    uint64_t before = s->state.fetch_sub(1, std::memory_order_acq_rel);
    if ((before & (alive | pins)) == 1) dispose(*s, static_cast<uint32_t>(name));
  }

  // Releases the owner's reference; returns false if the name is not live.
  bool release(uint64_t name, Kind kind) noexcept {
    Slot* s = find(name, kind);
    if (s == nullptr) return false;
    uint64_t state = s->state.load(std::memory_order_relaxed);
    do {
      if (state >> 32 != name >> 32 || (state & alive) == 0) return false;
    } while (!s->state.compare_exchange_weak(state, state & ~alive, std::memory_order_acq_rel,
                                             std::memory_order_relaxed));
    if ((state & pins) == 0) dispose(*s, static_cast<uint32_t>(name));
    return true;
  }

  // The number of objects, including released ones that a call still uses. It is counted here, because
  // counting in every call would slow down each call.
  [[nodiscard]] int64_t live() noexcept {
    const std::lock_guard lock(mutex_);
    int64_t n = 0;
    for (uint32_t i = 0; i < used_; ++i) {
      n += (slot(i)->state.load(std::memory_order_relaxed) & (alive | pins)) != 0 ? 1 : 0;
    }
    return n;
  }

 private:
  static constexpr uint64_t alive = 1ULL << 31, pins = alive - 1;
  struct Slot {
    std::atomic<uint64_t> state{0};
    Object* object = nullptr;
    uint32_t generation = 1;
    std::atomic<uint32_t> next{0};
  };

  Slot* slot(uint32_t index) noexcept {
    return chunks_[index / chunk].load(std::memory_order_acquire) + index % chunk;
  }
  Slot* find(uint64_t name, Kind kind) noexcept {
    auto index = static_cast<uint32_t>(name);
    if (index / chunk >= max_chunks || (name >> 32 & 63) != static_cast<uint32_t>(kind)) return nullptr;
    Slot* c = chunks_[index / chunk].load(std::memory_order_acquire);
    return c == nullptr ? nullptr : c + index % chunk;
  }
  // A list of free slots whose first word also counts changes, so that the exchange fails if another thread
  // took the first slot and returned it meanwhile. Slots are never freed, so a slot's `next` can be read at
  // any time.
  uint32_t take() {
    uint64_t first = free_.load(std::memory_order_acquire);
    while (static_cast<uint32_t>(first) != none) {
      const auto index = static_cast<uint32_t>(first);
      if (free_.compare_exchange_weak(first, after(first, slot(index)->next.load(std::memory_order_relaxed)),
                                      std::memory_order_acquire, std::memory_order_acquire)) {
        return index;
      }
    }
    const std::lock_guard lock(mutex_);
    if (used_ == chunk * max_chunks) fail(ARR_E_MEMORY, "more than ", used_, " handles are alive");
    if (used_ % chunk == 0) chunks_[used_ / chunk].store(new Slot[chunk], std::memory_order_release);
    return used_++;
  }
  void dispose(Slot& s, uint32_t index) noexcept {
    Object* object = std::exchange(s.object, nullptr);
    if (s.generation != last_generation) {
      ++s.generation;
      uint64_t first = free_.load(std::memory_order_relaxed);
      do {
        s.next.store(static_cast<uint32_t>(first), std::memory_order_relaxed);
      } while (!free_.compare_exchange_weak(first, after(first, index), std::memory_order_release,
                                            std::memory_order_relaxed));
    }
    object->release();  // last: a destructor may call this function
  }
  static uint64_t after(uint64_t first, uint32_t index) noexcept { return ((first >> 32) + 1) << 32 | index; }

  static constexpr uint32_t none = ~0U;
  std::array<std::atomic<Slot*>, max_chunks> chunks_{};
  std::atomic<uint64_t> free_{none};  // the number of changes, and the first free slot
  ProcessMutex mutex_;                // guards chunks_ and used_
  uint32_t used_ = 0;
};

using Handles = BasicHandles<>;

// The table of this process. Never destroyed: handles may be released at exit.
Handles& handles() noexcept;

// A looked-up handle, pinned for the duration of a call.
template <class T>
class Pinned {
 public:
  Pinned(uint64_t name, T* object) noexcept : name_(name), object_(object) {}
  Pinned(const Pinned&) = delete;
  Pinned(Pinned&& o) noexcept : name_(o.name_), object_(std::exchange(o.object_, nullptr)) {}
  Pinned& operator=(const Pinned&) = delete;
  Pinned& operator=(Pinned&&) = delete;
  ~Pinned() {
    if (object_ != nullptr) handles().unpin(name_);
  }
  T* get() const noexcept { return object_; }
  T* operator->() const noexcept { return object_; }
  T& operator*() const noexcept { return *object_; }
  Ref<T> share() const noexcept { return Ref<T>::share(object_); }

 private:
  uint64_t name_;
  T* object_;
};

}  // namespace arr
