// SPDX-License-Identifier: MIT
// The thread caches of the host pool. Each thread caches some small blocks and reserves some bytes, so that
// threads need no shared state while these last. Also the statistics, which add up all caches.
#include <unistd.h>

#include <algorithm>

#include "base/atomic_max.h"
#include "base/per_thread.h"
#include "host/device/pool.h"

namespace arr::host {

namespace {

// The bytes that a thread reserves if there is no limit, and the blocks of a size that it caches.
constexpr int64_t advance = int64_t{256} << 10, kept_bytes = int64_t{128} << 10;
constexpr int32_t min_kept = 2, max_kept = 16;

// Trivial, so that it can be read at any time, also while the thread ends.
thread_local void* mine = nullptr;
thread_local bool ended = false;

}  // namespace

// Returns a thread's cache to the pool when the thread ends.
struct ThreadEnd {
  bool watched = false;
  ~ThreadEnd() {
    ended = true;
    if (mine != nullptr) pool().retire(static_cast<Pool::Cache*>(std::exchange(mine, nullptr)));
  }
};

namespace {
thread_local ThreadEnd end_of_thread;
}  // namespace

Pool::Cache* Pool::cache() {
  if (!by_thread_) return nullptr;
  if (mine != nullptr) return static_cast<Cache*>(mine);
  if (ended) return nullptr;
  auto* c = new (std::nothrow) Cache;
  if (c == nullptr) return nullptr;
  const std::lock_guard lock(caches_mutex_);
  try {
    caches_.push_back(c);
  } catch (const std::bad_alloc&) {
    delete c;
    return nullptr;
  }
  mine = c;
  at_thread_end([] {
    ended = true;
    if (mine != nullptr) pool().retire(static_cast<Cache*>(std::exchange(mine, nullptr)));
  });
  return c;
}

bool Pool::try_lock_for_fork() noexcept {
  if (!caches_mutex_.try_lock()) return false;
  size_t held = 0;
  int32_t b = 0;
  while (held < caches_.size() && caches_[held]->try_lock()) ++held;
  if (held == caches_.size()) {
    while (b < bins && bins_[b].try_lock()) ++b;
    if (b == bins && remainders_.try_lock()) return true;
  }
  while (b > 0) bins_[--b].unlock();
  while (held > 0) caches_[--held]->unlock();
  caches_mutex_.unlock();
  return false;
}

void Pool::unlock_after_fork() noexcept {
  remainders_.unlock();
  for (Bin& bin : bins_) bin.unlock();
  for (Cache* c : caches_) c->unlock();
  caches_mutex_.unlock();
}

// in_use_ includes the credit of every thread; that of this thread is known.
void Pool::note_peak(const Cache& c) noexcept {
  atomic_fetch_max(&peak_, in_use_.load(std::memory_order_relaxed) - c.min_credit);
}

void Pool::settle_peak() noexcept {
  Cache* c = cache();
  if (c == nullptr) return;
  const std::lock_guard lock(*c);
  note_peak(*c);
  c->min_credit = c->credit;
}

void* Pool::from_cache(Cache& c, int32_t b, int64_t size, int64_t requested) {
  {
    const std::lock_guard lock(c);
    if (c.credit < size) {
      const int64_t more = limit_.load(std::memory_order_relaxed) == 0 ? advance : 0;
      note_peak(c);
      charge(size + more - c.credit, requested);
      c.credit = c.min_credit = size + more;
    }
    c.credit -= size;
    c.min_credit = std::min(c.min_credit, c.credit);
    ++c.count[b].allocations;
    if (Block* block = c.first[b]) {
      c.first[b] = block->next;
      --c.kept[b];
      ++c.count[b].hits;
      return block;
    }
  }
  Bin& bin = bins_[b];
  bin.lock();
  Block* block = from_bin(b);
  bin.count.hits += block != nullptr ? 1 : 0;
  bin.unlock();
  if (block != nullptr) return block;
  try {
    return fresh(size, requested);
  } catch (...) {
    const std::lock_guard lock(c);
    c.credit += size;
    --c.count[b].allocations;
    throw;
  }
}

bool Pool::to_cache(Cache& c, int32_t b, int64_t size, Block* block) noexcept {
  const int32_t room = std::clamp(static_cast<int32_t>(kept_bytes / size), min_kept, max_kept);
  const std::lock_guard lock(c);
  if (c.kept[b] >= room) return false;
  block->next = c.first[b];
  c.first[b] = block;
  ++c.kept[b];
  ++c.count[b].releases;
  c.credit += size;
  const int64_t more = limit_.load(std::memory_order_relaxed) == 0 ? advance : 0;
  if (c.credit > 2 * more) {
    note_peak(c);
    uncharge(c.credit - more);
    c.credit = c.min_credit = more;
  }
  return true;
}

void Pool::retire(Cache* c) noexcept {
  const std::lock_guard lock(caches_mutex_);
  std::erase(caches_, c);
  note_peak(*c);
  uncharge(c->credit);
  for (int32_t b = 0; b < small_bins; ++b) {
    Bin& bin = bins_[b];
    const std::lock_guard busy(bin);
    bin.count.add(c->count[b]);
    while (c->first[b] != nullptr) {
      Block* next = c->first[b]->next;
      to_bin(b, c->first[b]);
      c->first[b] = next;
    }
  }
  delete c;
}

// ----------------------------------------------------------------------------------------- statistics

std::vector<PoolClass> Pool::count_classes(int64_t* kept_blocks) const {
  std::vector<PoolClass> all(bins);
  const std::lock_guard lock(caches_mutex_);
  for (int32_t b = 0; b < bins; ++b) {
    PoolClass& out = all[static_cast<size_t>(b)];
    Bin& bin = bins_[b];
    bin.lock();
    Count count = bin.count;
    int64_t kept = bin.kept;
    bin.unlock();
    if (b < small_bins) {
      for (Cache* c : caches_) {
        const std::lock_guard busy(*c);
        count.add(c->count[b]);
        kept += c->kept[b];
      }
    }
    out.largest = size_of(b);
    out.allocations = count.allocations;
    out.blocks = count.allocations - count.releases;
    out.bytes = out.blocks * out.largest;
    if (kept_blocks != nullptr) kept_blocks[b] = kept;
  }
  return all;
}

std::vector<PoolClass> Pool::classes() const {
  std::vector<PoolClass> all = count_classes(nullptr);
  std::erase_if(all, [](const PoolClass& c) { return c.allocations == 0; });
  return all;
}

PoolStats Pool::details() const {
  PoolStats s;
  int64_t cached = 0, kept[bins];
  const std::vector<PoolClass> all = count_classes(kept);
  for (int32_t b = 0; b < bins; ++b) {
    const PoolClass& c = all[static_cast<size_t>(b)];
    s.allocations += c.allocations;
    s.releases += c.allocations - c.blocks;
    s.free_blocks += kept[b];
    cached += kept[b] * c.largest;
    if (kept[b] != 0) s.largest_free = c.largest;
  }
  {
    const std::lock_guard lock(remainders_);
    s.free_blocks += remainders_.count;
    for (int32_t i = 0; i < remainders_.count; ++i) {
      cached += remainders_.rest[i].bytes;
      s.largest_free = std::max(s.largest_free, remainders_.rest[i].bytes);
    }
  }
  const std::lock_guard lock(caches_mutex_);
  int64_t credit = 0, high = 0;
  for (Cache* c : caches_) {
    const std::lock_guard busy(*c);
    for (const Count& n : c->count) s.hits += n.hits;
    credit += c->credit;
    high = std::max(high, in_use_.load(std::memory_order_relaxed) - c->min_credit);
  }
  for (Bin& bin : bins_) {
    const std::lock_guard busy(bin);
    s.hits += bin.count.hits;
  }
  s.misses = s.allocations - s.hits;
  s.in_use = in_use_.load(std::memory_order_relaxed) - credit;
  s.reserved = s.in_use + cached;
  s.peak = std::max({peak_.load(std::memory_order_relaxed), high, s.in_use});
  s.peak_reserved = std::max(peak_reserved_.load(std::memory_order_relaxed), s.reserved);
  s.limit = limit_.load(std::memory_order_relaxed);
  return s;
}

MemoryStats Pool::stats() const {
  const PoolStats p = details();
  MemoryStats s;
  s.in_use = p.in_use;
  s.cached = p.reserved - p.in_use;
  s.peak = p.peak;
  s.limit = p.limit;
  const int64_t page = sysconf(_SC_PAGESIZE);
  s.total = sysconf(_SC_PHYS_PAGES) * page;
  s.free = sysconf(_SC_AVPHYS_PAGES) * page;
  return s;
}

void Pool::reset_peak() noexcept {
  const std::lock_guard lock(caches_mutex_);
  int64_t credit = 0;
  for (Cache* c : caches_) {
    const std::lock_guard busy(*c);
    c->min_credit = c->credit;
    credit += c->credit;
  }
  peak_.store(in_use_.load(std::memory_order_relaxed) - credit, std::memory_order_relaxed);
  peak_reserved_.store(reserved_.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

}  // namespace arr::host
