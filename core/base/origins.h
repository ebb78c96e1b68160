// SPDX-License-Identifier: MIT
// Where a pool's new blocks come from, and where each block that did not come from the pool itself did: it
// goes back there, whatever the pool has been told since.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/fork.h"

namespace arr {

// As the public ARR_ALLOCATOR_...
enum class AllocatorKind : int32_t { pool = 0, stream_ordered = 1, managed = 2, direct = 3, external = 4 };

// Memory by functions of the caller. drop: once nothing can come from it any more and it has everything back.
struct ExternalFunctions {
  int32_t (*allocate)(void* ctx, int64_t bytes, int32_t device, void* stream, void** data) = nullptr;
  void (*release)(void* ctx, void* data, int64_t bytes, int32_t device, void* stream) = nullptr;
  void (*drop)(void* ctx) = nullptr;
  void* ctx = nullptr;
};
class External {
 public:
  explicit External(const ExternalFunctions& f) noexcept : f_(f) {}
  External(const External&) = delete;
  External& operator=(const External&) = delete;
  ~External() {
    if (f_.drop != nullptr) f_.drop(f_.ctx);
  }
  // nullptr where it has no more; *status: what it said. Throws where the memory is of no use.
  [[nodiscard]] void* allocate(int64_t bytes, int32_t device, void* stream, int32_t* status) const {
    void* data = nullptr;
    *status = f_.allocate(f_.ctx, bytes, device, stream, &data);
    if (*status != 0 || data == nullptr) return nullptr;
    const auto at = reinterpret_cast<uintptr_t>(data);
    if (at % alignment != 0) {
      release(data, bytes, device, stream);
      fail(ARR_E_MEMORY, "the external allocator gave memory aligned to ", at & (~at + 1),
           " bytes, expected ", alignment);
    }
    return data;
  }
  void release(void* data, int64_t bytes, int32_t device, void* stream) const noexcept {
    f_.release(f_.ctx, data, bytes, device, stream);
  }

 private:
  static constexpr uintptr_t alignment = 256;
  ExternalFunctions f_;
};

class Origins {
 public:
  struct Origin {
    AllocatorKind kind = AllocatorKind::pool;
    std::shared_ptr<const External> external;
  };

  // One relaxed read each: whether new blocks come from the pool, and whether all that are out do.
  [[nodiscard]] bool plain() const noexcept { return plain_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool none() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

  // functions: for `external` only. plain: the kind's blocks are the pool's own. When it throws nothing has
  // changed and nothing is dropped.
  void set(AllocatorKind kind, const ExternalFunctions* functions, bool plain) {
    Origin fresh{kind, functions == nullptr ? nullptr : std::make_shared<External>(*functions)};
    const std::lock_guard lock(mutex_);
    std::swap(now_, fresh);  // the former one ends after the lock
    plain_.store(plain, std::memory_order_relaxed);
  }
  [[nodiscard]] Origin now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  // False where the block is out already: nobody may have it twice.
  bool add(const void* block, const Origin& origin) {
    const std::lock_guard lock(mutex_);
    if (!blocks_.emplace(block, origin).second) return false;
    count_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  [[noreturn]] static void given_twice() {
    fail(ARR_E_MEMORY, "the external allocator gave memory that it has given before and not got back");
  }
  // False where the block is the pool's.
  bool take(const void* block, Origin* origin) noexcept {
    const std::lock_guard lock(mutex_);
    auto b = blocks_.find(block);
    if (b == blocks_.end()) return false;
    *origin = std::move(b->second);
    blocks_.erase(b);
    count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }

 private:
  // What every allocation and release reads, apart from what few write.
  alignas(64) std::atomic<bool> plain_{true};
  std::atomic<int64_t> count_{0};
  alignas(64) mutable ProcessMutex mutex_;
  Origin now_;
  std::unordered_map<const void*, Origin> blocks_;
};

}  // namespace arr
