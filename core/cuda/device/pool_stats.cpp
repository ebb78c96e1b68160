// SPDX-License-Identifier: MIT
// Statistics of the pool, summed over its streams.
#include <algorithm>
#include "backend/pool.h"

#include "cuda/device/device.h"

namespace arr::cuda {

PoolStats Pool::stats() {
  const std::lock_guard lock(mutex_);
  PoolStats p;
  p.hits = past_hits_;
  p.misses = misses_;
  p.largest_free = std::max({small_.largest_free(), large_.largest_free(), managed_.largest_free()});
  p.free_blocks = small_.free_ranges() + large_.free_ranges() + managed_.free_ranges();
  for (const ClassCount& c : past_) {
    p.allocations += c.taken;
    p.releases += c.given;
  }
  for (Stream* s : streams_) {
    const std::lock_guard bins(s->bins.lock);
    p.hits += s->bins.hits;
    for (const ClassCount& c : s->bins.count) {
      p.allocations += c.taken;
      p.releases += c.given;
    }
    for (int32_t c = 0; c < StreamBins::small; ++c) {
      const auto& list = s->bins.free[static_cast<size_t>(c)];
      p.free_blocks += static_cast<int64_t>(list.size());
      if (!list.empty()) p.largest_free = std::max(p.largest_free, SizeClass::bytes(c));
    }
    p.free_blocks += static_cast<int64_t>(s->bins.recent.size());
    for (const StreamBins::Block& b : s->bins.recent) p.largest_free = std::max(p.largest_free, b.bytes);
  }
  p.in_use = in_use();
  p.peak = peak();
  p.limit = limit();
  p.reserved = reserved();
  p.peak_reserved = peak_reserved_.load(std::memory_order_relaxed);
  return p;
}

std::vector<PoolClass> Pool::classes() {
  std::vector<PoolClass> all(SizeClass::count);
  const std::lock_guard lock(mutex_);
  const auto add = [&](const std::array<ClassCount, SizeClass::count>& counts) {
    for (size_t c = 0; c < SizeClass::count; ++c) {
      all[c].largest = SizeClass::bytes(static_cast<int32_t>(c));
      all[c].allocations += counts[c].taken;
      all[c].blocks += counts[c].taken - counts[c].given;
      all[c].bytes += counts[c].bytes;
    }
  };
  add(past_);
  for (Stream* s : streams_) {
    const std::lock_guard bins(s->bins.lock);
    add(s->bins.count);
  }
  std::erase_if(all, [](const PoolClass& c) { return c.allocations == 0; });
  return all;
}

}  // namespace arr::cuda
