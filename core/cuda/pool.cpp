// SPDX-License-Identifier: MIT
// What the pool does when a stream has no block of a size: other streams' blocks, the driver, trimming.
#include "cuda/pool.h"

#include <algorithm>
#include <utility>

#include "cuda/device.h"

namespace arr::cuda {

static_assert(SizeClass::of(0) == 0 && SizeClass::of(256) == 0 && SizeClass::of(257) == 1);
static_assert(SizeClass::of(2048) == 7 && SizeClass::of(2049) == 8 && SizeClass::bytes(8) == 2304);
static_assert(SizeClass::of(4096) == 15 && SizeClass::of(4097) == 16 && SizeClass::bytes(15) == 4096);
static_assert(SizeClass::of(SizeClass::largest) == SizeClass::count - 1);
static_assert(SizeClass::bytes(SizeClass::count - 1) == SizeClass::largest);

void Pool::add(Stream* s) {
  const std::lock_guard lock(mutex_);
  streams_.push_back(s);
}

void Pool::remove(Stream* s) noexcept {
  const std::lock_guard lock(mutex_);
  streams_.erase(std::remove(streams_.begin(), streams_.end(), s), streams_.end());
  for (int32_t c = 0; c < SizeClass::count; ++c) {
    if (s->bins.free[static_cast<size_t>(c)].empty()) continue;
    try {
      detach(*s, c, nullptr);
    } catch (...) {
      // A lost device: its memory is gone with the context.
      auto& lost = s->bins.free[static_cast<size_t>(c)];
      reserved_.fetch_sub(static_cast<int64_t>(lost.size()) * SizeClass::bytes(c));
      lost.clear();
    }
  }
  for (Pending& p : pending_) p.origin = p.origin == s ? nullptr : p.origin;
}

CUdeviceptr Pool::allocate(int64_t bytes, Stream& s) {
  if (bytes < 0 || bytes > SizeClass::largest) {
    fail(ARR_E_MEMORY, bytes, " bytes are more than a device can have");
  }
  int32_t c = SizeClass::of(bytes);
  int64_t size = SizeClass::bytes(c);
  int64_t use = in_use_.fetch_add(size, std::memory_order_relaxed) + size;
  int64_t most = limit();
  if (most != 0 && use > most) {
    in_use_.fetch_sub(size, std::memory_order_relaxed);
    fail(ARR_E_MEMORY, "CUDA device ", device_.index, ": ", size, " bytes wanted, ", use - size,
         " in use, the limit is ", most);
  }
  CUdeviceptr block = 0;
  {
    const std::lock_guard lock(s.bins.lock);
    auto& list = s.bins.free[static_cast<size_t>(c)];
    if (!list.empty()) {
      block = list.back();
      list.pop_back();
    }
  }
  if (block == 0) {
    try {
      block = miss(c, bytes, s);
    } catch (...) {
      in_use_.fetch_sub(size, std::memory_order_relaxed);
      throw;
    }
  }
  int64_t top = peak();
  while (use > top && !peak_.compare_exchange_weak(top, use, std::memory_order_relaxed)) {
  }
  return block;
}

void Pool::release(CUdeviceptr block, int64_t bytes, Stream& s) {
  int32_t c = SizeClass::of(bytes);
  in_use_.fetch_sub(SizeClass::bytes(c), std::memory_order_relaxed);
  const std::lock_guard lock(s.bins.lock);
  s.bins.free[static_cast<size_t>(c)].push_back(block);
}

void Pool::adopt(CUdeviceptr block, int64_t bytes, Stream& s) {
  int32_t c = SizeClass::of(bytes);
  reserved_.fetch_add(SizeClass::bytes(c), std::memory_order_relaxed);
  in_use_.fetch_add(SizeClass::bytes(c), std::memory_order_relaxed);
  release(block, bytes, s);
}

CUdeviceptr Pool::miss(int32_t c, int64_t requested, Stream& s) {
  const std::lock_guard lock(mutex_);
  if (CUdeviceptr b = from_pending(c, s)) return b;
  if (CUdeviceptr b = from_other_streams(c, s)) return b;
  return from_driver(c, requested);
}

CUdeviceptr Pool::from_pending(int32_t c, const Stream& s) {
  for (size_t i = 0; i < pending_.size(); ++i) {
    Pending& p = pending_[i];
    if (p.size_class != c) continue;
    if (p.origin != &s) {
      CUresult r = driver().cuEventQuery(p.ready);
      if (r == CUDA_ERROR_NOT_READY) continue;
      device_.check(r, "cuEventQuery");
    }
    CUdeviceptr block = p.blocks.back();
    p.blocks.pop_back();
    if (p.blocks.empty()) {
      device_.give_event(p.ready);
      pending_.erase(pending_.begin() + static_cast<ptrdiff_t>(i));
    }
    return block;
  }
  return 0;
}

CUdeviceptr Pool::from_other_streams(int32_t c, const Stream& s) {
  for (Stream* other : streams_) {
    if (other == &s) continue;
    {
      const std::lock_guard lock(other->bins.lock);
      if (other->bins.free[static_cast<size_t>(c)].empty()) continue;
    }
    detach(*other, c, other);
    // Its event has often passed already.
    if (CUdeviceptr b = from_pending(c, s)) return b;
  }
  return 0;
}

void Pool::detach(Stream& s, int32_t c, const Stream* origin) {
  CUevent ready = device_.take_event();
  Pending p{origin, ready, c, {}};
  pending_.reserve(pending_.size() + 1);
  {
    const std::lock_guard lock(s.bins.lock);
    p.blocks.swap(s.bins.free[static_cast<size_t>(c)]);
  }
  // After the blocks are out: everything that used them was enqueued before they were released.
  CUresult r = device_.lost() ? CUDA_ERROR_CONTEXT_IS_DESTROYED : driver().cuEventRecord(ready, s.handle);
  if (r != CUDA_SUCCESS || p.blocks.empty()) {
    device_.give_event(ready);
    const std::lock_guard lock(s.bins.lock);
    auto& list = s.bins.free[static_cast<size_t>(c)];
    list.insert(list.end(), p.blocks.begin(), p.blocks.end());
    device_.check(r, "cuEventRecord", &s);
    return;
  }
  pending_.push_back(std::move(p));
}

CUdeviceptr Pool::from_driver(int32_t c, int64_t requested) {
  int64_t size = SizeClass::bytes(c);
  CUdeviceptr block = 0;
  CUresult r = driver().cuMemAlloc_v2(&block, static_cast<size_t>(size));
  if (r == CUDA_ERROR_OUT_OF_MEMORY) {
    trim_locked();
    r = driver().cuMemAlloc_v2(&block, static_cast<size_t>(size));
  }
  if (r == CUDA_ERROR_OUT_OF_MEMORY) {
    fail(ARR_E_MEMORY, "CUDA device ", device_.index, " is out of memory: ", requested, " bytes wanted, ",
         in_use() - size, " in use by this process's arrays");
  }
  device_.check(r, "cuMemAlloc");
  reserved_.fetch_add(size, std::memory_order_relaxed);
  return block;
}

void Pool::trim() {
  const std::lock_guard lock(mutex_);
  trim_locked();
}

void Pool::trim_locked() {
  std::vector<Cached> all;
  for (Stream* s : streams_) {
    for (int32_t c = 0; c < SizeClass::count; ++c) {
      std::vector<CUdeviceptr> blocks;
      const std::lock_guard lock(s->bins.lock);
      blocks.swap(s->bins.free[static_cast<size_t>(c)]);
      if (!blocks.empty()) all.push_back({SizeClass::bytes(c), std::move(blocks)});
    }
  }
  for (Pending& p : pending_) {
    device_.give_event(p.ready);
    all.push_back({SizeClass::bytes(p.size_class), std::move(p.blocks)});
  }
  pending_.clear();
  // Work that was enqueued before the blocks were released may still use them.
  CUresult worst = driver().cuCtxSynchronize();
  for (const Cached& cached : all) {
    for (CUdeviceptr b : cached.blocks) {
      CUresult r = driver().cuMemFree_v2(b);
      worst = worst == CUDA_SUCCESS ? r : worst;
      reserved_.fetch_sub(cached.each, std::memory_order_relaxed);
    }
  }
  device_.check(worst, "releasing cached memory");
}

}  // namespace arr::cuda
