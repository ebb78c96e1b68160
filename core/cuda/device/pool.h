// SPDX-License-Identifier: MIT
// A caching allocator of device memory. Each stream caches the blocks released on it, by size class; a hit
// costs one short lock. All other free memory is in arenas, split from large pieces and joined again. Memory
// moves to another stream only after an event shows that its old stream has finished with it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

#include "base/allocation_sources.h"
#include "base/checked.h"
#include "base/pressure.h"
#include "base/spin_lock.h"
#include "cuda/device/arena.h"

namespace arr {

struct PoolStats;
struct PoolClass;

}  // namespace arr

namespace arr::cuda {

class Device;
struct Stream;

// Size classes: multiples of 256 bytes up to 2 KiB, then eight per doubling, so at most an eighth is lost.
struct SizeClass {
  static constexpr int32_t count = 8 + 8 * 36;
  static constexpr int64_t largest = int64_t{1} << 47;
  // bytes in 0 .. largest.
  static constexpr int32_t of(int64_t bytes) noexcept {
    if (bytes <= 2048) return static_cast<int32_t>(bytes <= 256 ? 0 : (bytes - 1) / 256);
    int32_t power =
        63 - std::countl_zero(static_cast<uint64_t>(bytes - 1));  // 2^power < bytes <= 2^(power+1)
    return static_cast<int32_t>((bytes - 1) >> (power - 3)) + 8 * (power - 11);
  }
  static constexpr int64_t bytes(int32_t c) noexcept {
    if (c < 8) return 256 * (c + 1);
    return int64_t{c % 8 + 9} << (c / 8 + 7);
  }
};

// The size that a request takes: its class if small, so that streams can cache blocks by class; otherwise no
// more than it needs.
struct BlockSize {
  static constexpr int64_t small = 32768, step = 512;
  static constexpr int64_t of(int64_t bytes) noexcept {
    return bytes <= small ? SizeClass::bytes(SizeClass::of(bytes)) : checked::round_up(bytes, step);
  }
};

// The blocks that a stream caches, and counters.
struct ClassCount {
  int64_t taken = 0, given = 0;  // blocks
  int64_t bytes = 0;             // taken minus given
};
struct StreamBins {
  static constexpr int32_t small = SizeClass::of(BlockSize::small) + 1;
  static constexpr size_t max_recent = 2;
  struct Block {
    CUdeviceptr at;
    int64_t bytes;
  };
  SpinLock lock;
  std::array<std::vector<CUdeviceptr>, small> free;
  std::vector<Block> recent;  // large blocks, oldest first: programs ask for the same sizes again and again
  std::array<ClassCount, SizeClass::count> count{};
  int64_t hits = 0;
  // Under the pool's lock: the name of the stream in the arena, and the next event's number.
  Arena::Owner owner = Arena::no_owner;
  uint64_t epoch = 1;
};

class Pool {
 public:
  explicit Pool(Device& d) : device_(d) {}

  void add(Stream* s);
  // Leaves the stream's blocks to the others, after an event if its work is not complete.
  void remove(Stream* s) noexcept;

  // The device is current in each but release, which makes no driver call where the block is the pool's own.
  CUdeviceptr allocate(int64_t bytes, Stream& s);
  void release(CUdeviceptr block, int64_t bytes, Stream& s);
  // Takes over a block that came directly from the driver, for reuse after the work of the stream.
  void adopt(CUdeviceptr block, int64_t bytes, Stream& s);
  void trim();

  // Sets the source of new blocks; allocated ones return to the source they came from. Throws
  // ARR_E_UNSUPPORTED.
  void set_allocator(AllocatorKind kind, const ExternalFunctions* functions);
  [[nodiscard]] AllocatorKind allocator() const { return sources_.current().kind; }

  // Sets the device's memory size; called first.
  void set_total(int64_t bytes) noexcept { total_ = bytes; }
  void set_limit(int64_t bytes) noexcept {
    limit_.store(bytes, std::memory_order_relaxed);
    pressure_.start(in_use(), bytes == 0 ? total_ : std::min(bytes, total_));
  }
  void reset_peak() noexcept;
  [[nodiscard]] int64_t in_use() const noexcept { return in_use_.load(std::memory_order_relaxed); }
  [[nodiscard]] int64_t peak() const noexcept { return peak_.load(std::memory_order_relaxed); }
  [[nodiscard]] int64_t limit() const noexcept { return limit_.load(std::memory_order_relaxed); }
  [[nodiscard]] int64_t reserved() const noexcept { return reserved_.load(std::memory_order_relaxed); }
  PoolStats stats();
  std::vector<PoolClass> classes();

 private:
  // The work of an owner up to an epoch is complete when the event is.
  struct Mark {
    Arena::Owner owner;
    uint64_t epoch;
    CUevent ready;
  };
  // `size` is the size that the request takes. All but `charge` and `try_cached` need the lock; `miss` takes
  // it.
  int64_t charge(int64_t size, int64_t requested);  // returns the bytes in use afterwards
  void uncharge(int64_t size) noexcept {
    pressure_.on_release(in_use_.fetch_sub(size, std::memory_order_relaxed) - size);
  }
  void under_pressure(int64_t in_use) noexcept;
  static CUdeviceptr try_cached(int64_t size, StreamBins& bins);
  CUdeviceptr miss(int64_t size, int64_t requested, Stream& s);
  // Returns false if the stream's list cannot grow.
  static bool keep(CUdeviceptr block, int64_t size, StreamBins& bins) noexcept;
  bool pop_excess(StreamBins& bins, StreamBins::Block* oldest);
  // The same for memory that is not the pool's own (allocators.cpp).
  struct ExternalBlock {
    CUdeviceptr block = 0;
    bool reused = false;
    int32_t status = 0;  // status of an external allocator
  };
  CUdeviceptr allocate_external(int64_t size, int64_t requested, Stream& s);
  ExternalBlock request_external(const AllocationSources::Source& from, int64_t size, Stream& s);
  ExternalBlock from_managed(int64_t size, Stream& s);
  bool ask_managed(int64_t bytes);
  void record_external(const AllocationSources::Source& from, CUdeviceptr block, int64_t size, Stream& s);
  void return_external(const AllocationSources::Source& from, CUdeviceptr block, int64_t size,
                       Stream& s) noexcept;
  bool release_external(CUdeviceptr block, int64_t bytes, Stream& s) noexcept;
  [[noreturn]] void refused(const AllocationSources::Source& from, int32_t status, int64_t requested);
  void trim_driver_pool();
  void count_reserved(int64_t bytes) noexcept;
  CUdeviceptr from_arena(int64_t size, Stream& s);
  // Moves all blocks that streams cache to the arenas, and joins for s those that no work uses any more.
  Arena& arena_of(int64_t size) { return size <= BlockSize::small ? small_ : large_; }
  void sweep(Stream& s);
  void flush(Stream& s);
  void mark(Stream& s);
  void poll();
  void wait_for_all();
  // Gets a new piece with room for `size` from the driver; returns false if it has none.
  bool grow(int64_t size);
  bool ask_driver(int64_t bytes, int64_t size);
  void give_back();
  [[noreturn]] void exhausted(int64_t requested);

  Device& device_;
  AllocationSources sources_;
  std::atomic<bool> driver_pool_{false};  // whether memory ever came from the driver's pool
  std::atomic<int64_t> in_use_{0}, peak_{0}, limit_{0}, reserved_{0}, peak_reserved_{0};
  PressureMark pressure_;
  int64_t total_ = 0;
  std::mutex mutex_;  // guards the following members
  std::vector<Stream*> streams_;
  std::vector<Mark> marks_;
  // Small blocks have separate ranges, so that they do not fragment the memory of large ones.
  Arena small_, large_, managed_;
  Arena::Owner last_owner_ = Arena::no_owner;
  int64_t misses_ = 0, since_sweep_ = 0;
  // The counters of removed streams.
  std::array<ClassCount, SizeClass::count> past_{};
  int64_t past_hits_ = 0;
};

}  // namespace arr::cuda
