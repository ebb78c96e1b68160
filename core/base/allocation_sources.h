// SPDX-License-Identifier: MIT
// The sources of a pool's memory. A block that came from another source than the pool returns to that source,
// even if another one has been selected since.
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

// The same numbers as the public ARR_ALLOCATOR_...
enum class AllocatorKind : int32_t { pool = 0, stream_ordered = 1, managed = 2, direct = 3, external = 4 };

// The caller's allocation functions. drop is called when they are no longer selected and all their blocks are
// returned.
struct ExternalFunctions {
  int32_t (*allocate)(void* ctx, int64_t bytes, int32_t device, void* stream, void** data) = nullptr;
  void (*release)(void* ctx, void* data, int64_t bytes, int32_t device, void* stream) = nullptr;
  void (*drop)(void* ctx) = nullptr;
  void* ctx = nullptr;
};
class ExternalAllocator {
 public:
  explicit ExternalAllocator(const ExternalFunctions& f) noexcept : f_(f) {}
  ExternalAllocator(const ExternalAllocator&) = delete;
  ExternalAllocator& operator=(const ExternalAllocator&) = delete;
  ~ExternalAllocator() {
    if (f_.drop != nullptr) f_.drop(f_.ctx);
  }
  // Returns nullptr if the function has no memory; *status: its return value. Throws if the memory is not
  // aligned.
  [[nodiscard]] void* allocate(int64_t bytes, int32_t device, void* stream, int32_t* status) const {
    void* data = nullptr;
    *status = f_.allocate(f_.ctx, bytes, device, stream, &data);
    if (*status != 0 || data == nullptr) return nullptr;
    const auto at = reinterpret_cast<uintptr_t>(data);
    if (at % alignment != 0) {
      release(data, bytes, device, stream);
      fail(ARR_E_MEMORY, "the external allocator returned memory aligned to ", at & (~at + 1),
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

class AllocationSources {
 public:
  struct Source {
    AllocatorKind kind = AllocatorKind::pool;
    std::shared_ptr<const ExternalAllocator> external;
  };

  // One relaxed load each: true if new blocks come from the pool, and if all blocks in use do.
  [[nodiscard]] bool from_pool() const noexcept { return from_pool_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool empty() const noexcept { return count_.load(std::memory_order_relaxed) == 0; }

  // functions: for `external` only. pooled: the pool itself serves the kind. If it throws, nothing has
  // changed and nothing is dropped.
  void set(AllocatorKind kind, const ExternalFunctions* functions, bool pooled) {
    Source fresh{kind, functions == nullptr ? nullptr : std::make_shared<ExternalAllocator>(*functions)};
    const std::lock_guard lock(mutex_);
    std::swap(current_, fresh);  // the former functions are destroyed after the lock is released
    from_pool_.store(pooled, std::memory_order_relaxed);
  }
  [[nodiscard]] Source current() const {
    const std::lock_guard lock(mutex_);
    return current_;
  }
  // Returns false if the block is in use already: two arrays must not own it.
  bool add(const void* block, const Source& source) {
    const std::lock_guard lock(mutex_);
    if (!blocks_.emplace(block, source).second) return false;
    count_.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  [[noreturn]] static void fail_duplicate_address() {
    fail(ARR_E_MEMORY, "the external allocator returned memory that is still in use");
  }
  // Removes the block; returns false if it belongs to the pool.
  bool take(const void* block, Source* source) noexcept {
    const std::lock_guard lock(mutex_);
    auto b = blocks_.find(block);
    if (b == blocks_.end()) return false;
    *source = std::move(b->second);
    blocks_.erase(b);
    count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }

 private:
  // Every allocation and release reads these two, so they have a separate cache line.
  alignas(64) std::atomic<bool> from_pool_{true};
  std::atomic<int64_t> count_{0};
  alignas(64) mutable ProcessMutex mutex_;
  Source current_;
  std::unordered_map<const void*, Source> blocks_;
};

}  // namespace arr
