// SPDX-License-Identifier: MIT
// Host memory: blocks of a few sizes, aligned to 256 bytes, kept for reuse when released. Large blocks are
// huge pages where the system has them, for the first touch of a fresh 4 KiB page costs up to ten times the
// work on it.
#pragma once

#include <atomic>
#include <cstdint>

#include "backend.h"

namespace arr::host {

class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() { trim(); }

  // Throws ARR_E_MEMORY where the system has no more or the limit would be passed.
  void* allocate(int64_t bytes);
  // Takes what allocate gave, with the same size.
  void release(void* data, int64_t bytes) noexcept;
  [[nodiscard]] MemoryStats stats() const;
  // Most bytes in use from now on; 0: no limit.
  void limit(int64_t bytes);
  // Gives cached blocks back to the system.
  void trim() noexcept;

  // What a request is rounded up to: steps of 512 bytes to 8 KiB, then eight sizes per doubling, whole huge
  // pages from 1 MiB. Negative or absurd requests throw.
  static int64_t rounded(int64_t bytes);

 private:
  static constexpr int32_t bins = 16 + 8 * 40;
  struct Block {
    Block* next;
  };
  // A short spin lock per bin: taken and given back in a few nanoseconds, hardly ever contended.
  struct alignas(64) Bin {
    std::atomic_flag busy = ATOMIC_FLAG_INIT;
    Block* first = nullptr;
    int64_t count = 0;  // blocks kept
    void lock() noexcept {
      while (busy.test_and_set(std::memory_order_acquire)) {
      }
    }
    void unlock() noexcept { busy.clear(std::memory_order_release); }
  };
  static int32_t bin_of(int64_t size) noexcept;
  static int64_t size_of(int32_t bin) noexcept;
  void* from_system(int64_t size);
  void charge(int64_t size, int64_t requested);

  mutable Bin bins_[bins];
  std::atomic<int64_t> in_use_{0}, peak_{0}, limit_{0};
};

// The pool of the host device; never destroyed, for arrays may outlive every static object.
Pool& pool();

// Memory of the pool for the length of a call.
class PoolBlock {
 public:
  explicit PoolBlock(int64_t bytes) : bytes_(bytes), data_(static_cast<char*>(pool().allocate(bytes))) {}
  PoolBlock(const PoolBlock&) = delete;
  PoolBlock& operator=(const PoolBlock&) = delete;
  ~PoolBlock() { pool().release(data_, bytes_); }
  [[nodiscard]] char* data() const { return data_; }

 private:
  int64_t bytes_;
  char* data_;
};

}  // namespace arr::host
