// SPDX-License-Identifier: MIT
// The pool of host memory: blocks of a few sizes, aligned to 256 bytes, which are cached for reuse when they
// are released. Large blocks use huge pages if the system has them, because the first access to a new 4 KiB
// page can cost ten times the work on it. Small blocks come from a cache per thread, whose lock is not
// contended.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "backend/memory.h"
#include "backend/pool.h"
#include "base/allocation_sources.h"
#include "base/fork.h"
#include "base/pressure.h"
#include "base/spin_lock.h"

namespace arr::host {

class Pool final : private HeldAtFork {
 public:
  Pool() { enlist(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    delist();
    trim();
  }

  // Throws ARR_E_MEMORY if the system is out of memory or the limit would be exceeded.
  void* allocate(int64_t bytes) { return sources_.from_pool() ? from_pool(bytes) : from_other(bytes); }
  // Releases a block of allocate(), with the same size.
  void release(void* data, int64_t bytes) noexcept {
    if (data == nullptr || (!sources_.empty() && release_other(data, bytes))) return;
    to_pool(data, bytes);
  }
  // peak: exact with ARR_HOST_ASYNC=1 and while only one thread allocates; else up to 512 KiB per thread too
  // high.
  [[nodiscard]] MemoryStats stats() const;
  [[nodiscard]] PoolStats details() const;
  [[nodiscard]] std::vector<PoolClass> classes() const;  // for the sizes that were used
  void reset_peak() noexcept;
  // Sets the limit of bytes in use; 0: no limit.
  void limit(int64_t bytes);
  // Returns cached blocks to the system.
  void trim() noexcept;
  // Sets the source of new blocks (allocators.cpp). Blocks in use are released to the source that they came
  // from.
  void set_allocator(AllocatorKind kind, const ExternalFunctions* functions);
  [[nodiscard]] AllocatorKind allocator() const { return sources_.current().kind; }

  // The size of a request rounded up: steps of 512 bytes up to 8 KiB, then eight sizes per power of two.
  // Throws for negative or too large requests.
  static int64_t rounded(int64_t bytes);

 private:
  friend Pool& pool();
  friend struct ThreadEnd;
  // With AddressSanitizer every block comes from the system with its exact size, so that overruns and uses
  // after release are detected.
#if defined(__SANITIZE_ADDRESS__)
  static constexpr bool keep_blocks = false;
#else
  static constexpr bool keep_blocks = true;
#endif
  // Smaller blocks come from the C library.
  static constexpr int64_t mapped_from = int64_t{128} << 10;
  static constexpr int32_t bins = 16 + 8 * 40, small_bins = 16 + 8 * 3;  // small: to 64 KiB
  struct Block {
    Block* next;
  };
  struct Count {
    int64_t allocations = 0, releases = 0, hits = 0;
    void add(const Count& o) noexcept {
      allocations += o.allocations;
      releases += o.releases;
      hits += o.hits;
    }
  };
  // Each in a separate cache line.
  struct alignas(64) Lockable : SpinLock {};
  struct Bin : Lockable {
    Block* first = nullptr;
    int64_t kept = 0;  // blocks
    Count count;       // requests that did not go through a thread's cache
  };
  // A thread's cache of the small sizes. credit: bytes that are charged to the pool but not in use.
  struct Cache : Lockable {
    Block* first[small_bins] = {};
    int32_t kept[small_bins] = {};
    Count count[small_bins];
    int64_t credit = 0, min_credit = 0;
  };
  void* from_pool(int64_t bytes);
  void to_pool(void* data, int64_t bytes) noexcept;
  // The same for memory of another source; `size` is the rounded size of the request.
  void* from_other(int64_t bytes);
  void* ask_other(const AllocationSources::Source& from, int64_t size, int64_t requested);
  void to_other(const AllocationSources::Source& from, void* data, int64_t size, int64_t requested) noexcept;
  bool release_other(void* data, int64_t bytes) noexcept;
  static int32_t bin_of(int64_t size) noexcept;
  static int64_t size_of(int32_t bin) noexcept;
  // The remainders of huge pages after their blocks, which serve smaller blocks.
  struct RemainderBlock {
    char* at;
    int64_t bytes;
  };
  struct RemainderBlocks : Lockable {
    static constexpr int32_t max_blocks = 64;
    RemainderBlock rest[max_blocks];
    int32_t count = 0;
  };
  // Memory of the system (pool_system.cpp). exact: the bytes that a block takes.
  static bool is_mapped(int64_t size) noexcept;
  static int64_t exact(int64_t size, int64_t requested) noexcept;
  void* from_system(int64_t size);
  void to_system(void* data, int64_t size) noexcept;
  void unmap(void* data, int64_t size) noexcept;
  void* from_pages(int64_t size) noexcept;
  void* take_remainder(int64_t size) noexcept;
  void keep_remainder(RemainderBlock fresh) noexcept;
  void drop_remainders() noexcept;
  Block* from_bin(int32_t bin) noexcept;
  void to_bin(int32_t bin, Block* block) noexcept;
  void* fresh(int64_t size, int64_t requested);
  void count_reserved(int64_t bytes) noexcept;
  void charge(int64_t amount, int64_t requested);
  void uncharge(int64_t amount) noexcept;
  // The max number of bytes that the pool may have, by its limit and the process's limits.
  [[nodiscard]] int64_t available() const noexcept;
  void under_pressure(int64_t in_use) noexcept;
  // The thread's cache; nullptr if the pool has none or the thread is ending.
  Cache* cache();
  void* from_cache(Cache& c, int32_t bin, int64_t size, int64_t requested);
  bool to_cache(Cache& c, int32_t bin, int64_t size, Block* block) noexcept;
  void note_peak(const Cache& c) noexcept;
  // The same for the calling thread's cache, around changes of in_use_ other than its credit.
  void settle_peak() noexcept;
  void retire(Cache* c) noexcept;
  bool try_lock_for_fork() noexcept override;
  void unlock_after_fork() noexcept override;
  std::vector<PoolClass> count_classes(int64_t* kept_blocks) const;  // [bins], or nullptr

  AllocationSources sources_;
  mutable Bin bins_[bins];
  mutable RemainderBlocks remainders_;
  alignas(64) std::atomic<int64_t> in_use_{0};  // including the credit of all caches
  std::atomic<int64_t> peak_{0}, limit_{0}, reserved_{0}, peak_reserved_{0};
  PressureMark pressure_;
  bool by_thread_ = false;
  mutable std::mutex caches_mutex_;
  std::vector<Cache*> caches_;
};

// The pool of the host device. It is never destroyed, because arrays may outlive every static object.
Pool& pool();

}  // namespace arr::host
