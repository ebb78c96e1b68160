// SPDX-License-Identifier: MIT
// The host memory pool.
#include "host/device/pool.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <utility>

#include "base/atomic_max.h"
#include "base/available_memory.h"
#include "base/checked.h"
#include "base/environment.h"
#include "base/memory_limit.h"
#include "host/device/pool_block.h"

namespace arr::host {

namespace {

constexpr int64_t small_step = 512, small_limit = 8192;
constexpr int64_t largest = int64_t{1} << 52;

}  // namespace

int64_t Pool::rounded(int64_t bytes) {
  if (bytes < 0 || bytes > largest) fail(ARR_E_MEMORY, bytes, " bytes exceed the address space");
  if (bytes <= small_limit) return bytes == 0 ? small_step : checked::round_up(bytes, small_step);
  auto doubling = static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(bytes - 1)));  // <= 2^doubling
  return checked::round_up(bytes, int64_t{1} << (doubling - 4));
}

int32_t Pool::bin_of(int64_t size) noexcept {
  if (size <= small_limit) return static_cast<int32_t>(size / small_step) - 1;
  auto doubling = static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(size - 1)));
  auto eighth = static_cast<int32_t>((size - 1) >> (doubling - 4)) - 8;
  return 16 + (doubling - 14) * 8 + eighth;
}

// A bin holds blocks of one size.
int64_t Pool::size_of(int32_t bin) noexcept {
  return bin < 16 ? (bin + 1) * small_step : (bin % 8 + 9) * (int64_t{1} << ((bin - 16) / 8 + 10));
}

void Pool::charge(int64_t amount, int64_t requested) {
  const int64_t now = in_use_.fetch_add(amount, std::memory_order_relaxed) + amount;
  const int64_t limit = limit_.load(std::memory_order_relaxed);
  if (limit != 0 && now > limit) {
    in_use_.fetch_sub(amount, std::memory_order_relaxed);
    const int64_t used = now - amount, kept = reserved_.load(std::memory_order_relaxed) - used;
    fail(ARR_E_MEMORY, requested, " bytes requested, ", used, " in use, ", std::max(kept, int64_t{0}),
         " kept, limit ", limit);
  }
  if (pressure_.reached(now)) under_pressure(now);
}

void Pool::uncharge(int64_t amount) noexcept {
  pressure_.on_release(in_use_.fetch_sub(amount, std::memory_order_relaxed) - amount);
}

int64_t Pool::available() const noexcept {
  const int64_t all = available_memory(reserved_.load(std::memory_order_relaxed));
  const int64_t limit = limit_.load(std::memory_order_relaxed);
  return limit == 0 ? all : std::min(all, limit);
}

void Pool::under_pressure(int64_t in_use) noexcept {
  pressure_.start(in_use, available());
  raise_pressure();
}

Pool::Block* Pool::from_bin(int32_t b) noexcept {
  Bin& bin = bins_[b];
  Block* block = bin.first;
  if (block != nullptr) {
    bin.first = block->next;
    --bin.kept;
  }
  return block;
}

void Pool::to_bin(int32_t b, Block* block) noexcept {
  Bin& bin = bins_[b];
  block->next = bin.first;
  bin.first = block;
  ++bin.kept;
}

// Allocates from the system if no block of the size is cached. If the system fails, returns cached blocks to
// it and tries again.
void* Pool::fresh(int64_t size, int64_t requested) {
  // The system may grant more memory than it has, so cached blocks of other sizes are returned before memory
  // is short.
  const int64_t reserved = reserved_.load(std::memory_order_relaxed);
  const int64_t kept = reserved - (in_use_.load(std::memory_order_relaxed) - size);  // size is charged
  if (kept >= size && reserved > pressure_.available() / 4 * 3 - size) trim();
  void* data = from_system(exact(size, requested));
  if (data == nullptr) {
    trim();
    data = from_system(exact(size, requested));
  }
  if (data == nullptr) {
    const MemoryStats s = stats();
    fail(ARR_E_MEMORY, requested, " bytes requested, ", s.in_use - size, " in use, limit ", s.limit,
         ", the system has no more: ", s.free, " free of ", s.total);
  }
  return data;
}

void* Pool::from_pool(int64_t bytes) {
  const int64_t size = rounded(bytes);
  const int32_t b = bin_of(size);
  if (b < small_bins) {
    if (Cache* c = cache()) return from_cache(*c, b, size, bytes);
  }
  settle_peak();
  charge(size, bytes);
  Bin& bin = bins_[b];
  Block* block = nullptr;
  {
    const std::lock_guard lock(bin);
    block = keep_blocks ? from_bin(b) : nullptr;
    ++bin.count.allocations;
    bin.count.hits += block != nullptr ? 1 : 0;
  }
  if (block == nullptr) {
    try {
      block = static_cast<Block*>(fresh(size, bytes));
    } catch (...) {
      uncharge(size);
      const std::lock_guard lock(bin);
      --bin.count.allocations;
      throw;
    }
  }
  if (!by_thread_) atomic_fetch_max(&peak_, in_use_.load(std::memory_order_relaxed));
  settle_peak();
  return block;
}

void Pool::to_pool(void* data, int64_t bytes) noexcept {
  const int64_t size = rounded(bytes);
  const int32_t b = bin_of(size);
  auto* block = static_cast<Block*>(data);
  if (b < small_bins) {
    Cache* c = cache();
    if (c != nullptr && to_cache(*c, b, size, block)) return;
  }
  settle_peak();
  uncharge(size);
  Bin& bin = bins_[b];
  {
    const std::lock_guard lock(bin);
    ++bin.count.releases;
    if (keep_blocks) to_bin(b, block);
  }
  if (!keep_blocks) to_system(data, exact(size, bytes));
}

void Pool::limit(int64_t bytes) {
  if (bytes < 0) fail(ARR_E_ARGUMENT, "argument bytes: a limit of ", bytes, " is negative; 0 means no limit");
  limit_.store(bytes, std::memory_order_relaxed);
  pressure_.start(in_use_.load(std::memory_order_relaxed), available());
  // With a limit no thread may reserve bytes that it does not use.
  const std::lock_guard lock(caches_mutex_);
  for (Cache* c : caches_) {
    const std::lock_guard busy(*c);
    note_peak(*c);
    uncharge(std::exchange(c->credit, 0));
    c->min_credit = 0;
  }
}

void Pool::trim() noexcept {
  const auto free_all = [this](Block* block, int32_t b) {
    while (block != nullptr) {
      Block* next = block->next;
      to_system(block, size_of(b));
      block = next;
    }
  };
  {
    const std::lock_guard lock(caches_mutex_);
    for (Cache* c : caches_) {
      for (int32_t b = 0; b < small_bins; ++b) {
        c->lock();
        Block* block = std::exchange(c->first[b], nullptr);
        c->kept[b] = 0;
        c->unlock();
        free_all(block, b);
      }
    }
  }
  for (int32_t b = 0; b < bins; ++b) {
    Bin& bin = bins_[b];
    bin.lock();
    Block* block = std::exchange(bin.first, nullptr);
    bin.kept = 0;
    bin.unlock();
    free_all(block, b);
  }
  drop_remainders();
}

// Throws, in this and every later call, if ARR_MEMORY_LIMIT is invalid.
Pool& pool() {
  static auto* p = [] {
    auto made = std::make_unique<Pool>();
    // With asynchronous streams threads release what others allocate; bytes reserved per thread would make
    // the peak inaccurate.
    made->by_thread_ = Pool::keep_blocks && !environment_flag("ARR_HOST_ASYNC");
    made->limit(memory_limit_from_environment(made->stats().total));
    return made.release();
  }();
  return *p;
}

PoolBlock::PoolBlock(int64_t bytes) : bytes_(bytes), data_(static_cast<char*>(pool().allocate(bytes))) {}
PoolBlock::~PoolBlock() { pool().release(data_, bytes_); }

}  // namespace arr::host
