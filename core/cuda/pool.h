// SPDX-License-Identifier: MIT
// Caching device memory. Each stream keeps the blocks released on it, by size class; a hit costs one short
// lock. A block moves to another stream only when an event says that its old stream is through with it.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <vector>

#include "cuda/api_types.h"

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

class SpinLock {
 public:
  void lock() noexcept {
    while (held_.exchange(true, std::memory_order_acquire)) {
      while (held_.load(std::memory_order_relaxed)) {
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
      }
    }
  }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

struct StreamBins {
  SpinLock lock;
  std::array<std::vector<CUdeviceptr>, SizeClass::count> free;
};

class Pool {
 public:
  explicit Pool(Device& d) : device_(d) {}

  void add(Stream* s);
  // Leaves the stream's blocks to the others, behind an event where its work is not done.
  void remove(Stream* s) noexcept;

  // The device is current in each but release, which makes no driver call.
  CUdeviceptr allocate(int64_t bytes, Stream& s);
  void release(CUdeviceptr block, int64_t bytes, Stream& s);
  // Takes over a block that the driver gave directly, for reuse behind the work of the stream.
  void adopt(CUdeviceptr block, int64_t bytes, Stream& s);
  void trim();

  void set_limit(int64_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }
  [[nodiscard]] int64_t in_use() const noexcept { return in_use_.load(std::memory_order_relaxed); }
  [[nodiscard]] int64_t peak() const noexcept { return peak_.load(std::memory_order_relaxed); }
  [[nodiscard]] int64_t limit() const noexcept { return limit_.load(std::memory_order_relaxed); }
  [[nodiscard]] int64_t reserved() const noexcept { return reserved_.load(std::memory_order_relaxed); }

 private:
  // Blocks of one class that `origin` (null: a stream that is gone) may still be using until `ready`.
  struct Pending {
    const Stream* origin;
    CUevent ready;
    int32_t size_class;
    std::vector<CUdeviceptr> blocks;
  };
  struct Cached {
    int64_t each;
    std::vector<CUdeviceptr> blocks;
  };
  // c is a size class.
  CUdeviceptr miss(int32_t c, int64_t requested, Stream& s);
  CUdeviceptr from_pending(int32_t c, const Stream& s);
  CUdeviceptr from_other_streams(int32_t c, const Stream& s);
  CUdeviceptr from_driver(int32_t c, int64_t requested);
  void detach(Stream& s, int32_t c, const Stream* origin);
  void trim_locked();

  Device& device_;
  std::atomic<int64_t> in_use_{0}, peak_{0}, limit_{0}, reserved_{0};
  std::mutex mutex_;  // guards what follows
  std::vector<Stream*> streams_;
  std::vector<Pending> pending_;
};

}  // namespace arr::cuda
