// SPDX-License-Identifier: MIT
// The steps of the pool when a stream has no cached block of a size: the arenas, other streams' memory, the
// driver, and finally waiting.
#include "cuda/device/pool.h"

#include <algorithm>
#include <utility>

#include "base/atomic_max.h"
#include "cuda/device/device.h"

namespace arr::cuda {

static_assert(SizeClass::of(0) == 0 && SizeClass::of(256) == 0 && SizeClass::of(257) == 1);
static_assert(SizeClass::of(2048) == 7 && SizeClass::of(2049) == 8 && SizeClass::bytes(8) == 2304);
static_assert(SizeClass::of(4096) == 15 && SizeClass::of(4097) == 16 && SizeClass::bytes(15) == 4096);
static_assert(SizeClass::of(SizeClass::largest) == SizeClass::count - 1);
static_assert(SizeClass::bytes(SizeClass::count - 1) == SizeClass::largest);

namespace {

// A new piece is larger than the request; its size grows with the memory that the pool has already.
constexpr int64_t misses_per_sweep = 8;
constexpr int64_t piece_step = int64_t{2} << 20, largest_piece = int64_t{64} << 20;

}  // namespace

void Pool::add(Stream* s) {
  const std::lock_guard lock(mutex_);
  s->bins.owner = ++last_owner_;
  streams_.push_back(s);
}

void Pool::remove(Stream* s) noexcept {
  const std::lock_guard lock(mutex_);
  streams_.erase(std::remove(streams_.begin(), streams_.end(), s), streams_.end());
  for (size_t c = 0; c < SizeClass::count; ++c) {
    past_[c].taken += s->bins.count[c].taken;
    past_[c].given += s->bins.count[c].given;
    past_[c].bytes += s->bins.count[c].bytes;
  }
  past_hits_ += s->bins.hits;
  try {
    flush(*s);
    // A lost device's memory is gone with its context.
    if (!device_.lost()) mark(*s);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the memory is returned when the device is idle
  }
}

int64_t Pool::charge(int64_t size, int64_t requested) {
  int64_t use = in_use_.fetch_add(size, std::memory_order_relaxed) + size;
  int64_t max_bytes = limit();
  if (max_bytes != 0 && use > max_bytes) {
    in_use_.fetch_sub(size, std::memory_order_relaxed);
    const int64_t used = use - size, kept = std::max(reserved() - used, int64_t{0});
    fail(ARR_E_MEMORY, "CUDA device ", device_.index, ": ", requested, " bytes requested, ", used,
         " in use, ", kept, " kept, limit ", max_bytes);
  }
  if (pressure_.reached(use)) under_pressure(use);
  return use;
}

// Memory of the device that other programs have allocated by now counts too.
void Pool::under_pressure(int64_t in_use) noexcept {
  const int64_t max_bytes = limit();
  int64_t available = max_bytes == 0 ? total_ : std::min(max_bytes, total_);
  size_t free_bytes = 0, total = 0;
  if (driver().cuMemGetInfo_v2(&free_bytes, &total) == CUDA_SUCCESS) {
    available = std::min(available, reserved() + static_cast<int64_t>(free_bytes));
  }
  pressure_.start(in_use, available);
  raise_pressure();
}

CUdeviceptr Pool::try_cached(int64_t size, StreamBins& bins) {
  CUdeviceptr block = 0;
  if (size <= BlockSize::small) {
    auto& list = bins.free[static_cast<size_t>(SizeClass::of(size))];
    if (list.empty()) return 0;
    block = list.back();
    list.pop_back();
  } else {
    for (size_t i = bins.recent.size(); i-- > 0 && block == 0;) {
      if (bins.recent[i].bytes != size) continue;
      block = bins.recent[i].at;
      bins.recent.erase(bins.recent.begin() + static_cast<ptrdiff_t>(i));
    }
  }
  return block;
}

CUdeviceptr Pool::allocate(int64_t bytes, Stream& s) {
  if (bytes < 0 || bytes > SizeClass::largest) {
    fail(ARR_E_MEMORY, bytes, " bytes are more than a device can have");
  }
  // Reserves now the memory that notes the release, because a release cannot report a failure.
  with_capture(s, [](Capture& c) {
    if (c.scratch.capacity() < ++c.allocated) c.scratch.reserve(2 * c.allocated);
  });
  const int64_t size = BlockSize::of(bytes);
  ClassCount& count = s.bins.count[static_cast<size_t>(SizeClass::of(bytes))];
  const int64_t use = charge(size, bytes);
  CUdeviceptr block = 0;
  {
    const std::lock_guard lock(s.bins.lock);
    block = sources_.from_pool() ? try_cached(size, s.bins) : 0;
    ++count.taken;
    count.bytes += size;
    s.bins.hits += block != 0 ? 1 : 0;
  }
  if (block == 0) {
    try {
      block = sources_.from_pool() ? miss(size, bytes, s) : allocate_external(size, bytes, s);
    } catch (...) {
      uncharge(size);
      const std::lock_guard lock(s.bins.lock);
      --count.taken;
      count.bytes -= size;
      throw;
    }
  }
  atomic_fetch_max(&peak_, use);
  return block;
}

void Pool::release(CUdeviceptr block, int64_t bytes, Stream& s) {
  StreamBins::Block oldest{};
  // Captured work uses the block whenever its graph is launched.
  if (with_capture(s, [&](Capture& c) { c.scratch.push_back({block, bytes}); })) return;
  if (!sources_.empty() && release_external(block, bytes, s)) return;
  const int64_t size = BlockSize::of(bytes);
  const auto c = static_cast<size_t>(SizeClass::of(bytes));
  uncharge(size);
  bool kept = false;
  {
    const std::lock_guard lock(s.bins.lock);
    kept = keep(block, size, s.bins);
    ++s.bins.count[c].given;
    s.bins.count[c].bytes -= size;
  }
  if (!kept) {
    const std::lock_guard lock(mutex_);
    return arena_of(size).give(block, s.bins.owner, s.bins.epoch);
  }
  // A release does not wait: if the pool is busy, the stream caches one block more.
  if (size > BlockSize::small && mutex_.try_lock()) {
    const std::lock_guard lock(mutex_, std::adopt_lock);
    while (pop_excess(s.bins, &oldest)) large_.give(oldest.at, s.bins.owner, s.bins.epoch);
  }
}

bool Pool::keep(CUdeviceptr block, int64_t size, StreamBins& bins) noexcept {
  try {
    if (size <= BlockSize::small) {
      bins.free[static_cast<size_t>(SizeClass::of(size))].push_back(block);
    } else {
      bins.recent.push_back({block, size});
    }
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool Pool::pop_excess(StreamBins& bins, StreamBins::Block* oldest) {
  const std::lock_guard lock(bins.lock);
  if (bins.recent.size() <= StreamBins::max_recent) return false;
  *oldest = bins.recent.front();
  bins.recent.erase(bins.recent.begin());
  return true;
}

void Pool::adopt(CUdeviceptr block, int64_t bytes, Stream& s) {
  const std::lock_guard lock(mutex_);
  arena_of(bytes).add(block, bytes, s.bins.owner, s.bins.epoch);
  count_reserved(bytes);
}

// Each step frees more memory and costs more time; the driver is asked before the pool waits for any work.
CUdeviceptr Pool::miss(int64_t size, int64_t requested, Stream& s) {
  const std::lock_guard lock(mutex_);
  // From time to time all cached blocks are joined before the memory is needed, which avoids fragmentation.
  if (++since_sweep_ >= misses_per_sweep) sweep(s);
  CUdeviceptr block = from_arena(size, s);
  if (block == 0) {
    sweep(s);
    block = from_arena(size, s);
  }
  const bool had = block != 0;
  if (!had && !grow(size)) {
    // The driver refuses to wait for a device on which work is being captured.
    if (device_.captures.load() != 0) exhausted(requested);
    wait_for_all();
    block = from_arena(size, s);
    if (block == 0) {
      give_back();
      if (!ask_driver(size, size)) exhausted(requested);
    }
  }
  if (block == 0) block = from_arena(size, s);
  const std::lock_guard bins(s.bins.lock);
  had ? ++s.bins.hits : ++misses_;
  return block;
}

CUdeviceptr Pool::from_arena(int64_t size, Stream& s) { return arena_of(size).take(size, s.bins.owner); }

void Pool::sweep(Stream& s) {
  since_sweep_ = 0;
  for (Stream* other : streams_) {
    flush(*other);
    if (other != &s) mark(*other);
  }
  poll();
  for (Arena* a : {&small_, &large_, &managed_}) a->coalesce_for(s.bins.owner);
}

// Moves the stream's cached blocks to the arenas, where they join their neighbours; the stream stays the
// owner.
void Pool::flush(Stream& s) {
  const std::lock_guard lock(s.bins.lock);
  for (auto& list : s.bins.free) {
    while (!list.empty()) {
      small_.give(list.back(), s.bins.owner, s.bins.epoch);
      list.pop_back();
    }
  }
  for (const StreamBins::Block& b : s.bins.recent) large_.give(b.at, s.bins.owner, s.bins.epoch);
  s.bins.recent.clear();
}

// Records an event after the work of a stream, unless an equivalent one exists.
void Pool::mark(Stream& s) {
  const auto through = [&](const Arena& a) { return a.latest(s.bins.owner) < s.bins.epoch; };
  if (through(small_) && through(large_) && through(managed_)) return;
  // In a stream that is being captured, or begins to be, the event would become part of the graph.
  const std::unique_lock own(s.mutex, std::try_to_lock);
  if (!own || s.capture != nullptr) return;
  marks_.reserve(marks_.size() + 1);
  CUevent ready = device_.take_event();
  // Everything that used the memory was enqueued before it was released.
  if (CUresult r = driver().cuEventRecord(ready, s.handle); r != CUDA_SUCCESS) {
    device_.give_event(ready);
    device_.check(r, "cuEventRecord", &s);
  }
  marks_.push_back({s.bins.owner, s.bins.epoch++, ready});
}

void Pool::poll() {
  for (size_t i = 0; i < marks_.size();) {
    const Mark m = marks_[i];
    CUresult r = driver().cuEventQuery(m.ready);
    if (r == CUDA_ERROR_NOT_READY) {
      ++i;
      continue;
    }
    device_.check(r, "cuEventQuery");
    marks_.erase(marks_.begin() + static_cast<ptrdiff_t>(i));
    device_.give_event(m.ready);
    for (Arena* a : {&small_, &large_, &managed_}) a->mark_complete(m.owner, m.epoch);
  }
}

void Pool::wait_for_all() {
  for (Stream* s : streams_) flush(*s);
  device_.check(driver().cuCtxSynchronize(), "cuCtxSynchronize");
  for (const Mark& m : marks_) device_.give_event(m.ready);
  marks_.clear();
  for (Arena* a : {&small_, &large_, &managed_}) a->mark_all_complete();
}

bool Pool::grow(int64_t size) {
  const int64_t min_bytes = checked::round_up(size, piece_step);
  const int64_t more = size <= BlockSize::small
                           ? min_bytes
                           : std::min(checked::round_up(reserved() / 64, piece_step), largest_piece);
  // Memory beyond the limit could not be used and would only be missing for other programs.
  const int64_t max_bytes = limit() == 0 ? largest_piece : std::max(limit() - reserved(), int64_t{0});
  const int64_t wanted = std::max(min_bytes, std::min(more, max_bytes / piece_step * piece_step));
  return ask_driver(wanted, size) || (wanted != min_bytes && ask_driver(min_bytes, size)) ||
         (min_bytes != size && ask_driver(size, size));
}

bool Pool::ask_driver(int64_t bytes, int64_t size) {
  CUdeviceptr base = 0;
  CUresult r = driver().cuMemAlloc_v2(&base, static_cast<size_t>(bytes));
  if (r == CUDA_ERROR_OUT_OF_MEMORY) return false;
  device_.check(r, "cuMemAlloc");
  try {
    arena_of(size).add(base, bytes);
  } catch (...) {
    driver().cuMemFree_v2(base);
    throw;
  }
  count_reserved(bytes);
  return true;
}

void Pool::give_back() {
  CUresult worst = CUDA_SUCCESS;
  for (Arena* a : {&small_, &large_, &managed_}) {
    for (const Arena::Piece& p : a->remove_unused()) {
      CUresult r = driver().cuMemFree_v2(p.base);
      worst = worst == CUDA_SUCCESS ? r : worst;
      reserved_.fetch_sub(p.bytes, std::memory_order_relaxed);
    }
  }
  device_.check(worst, "releasing cached memory");
}

void Pool::exhausted(int64_t requested) {
  size_t free_bytes = 0, total = 0;
  driver().cuMemGetInfo_v2(&free_bytes, &total);
  // The charge of this request does not count as use.
  const int64_t used = in_use() - BlockSize::of(requested);
  fail(ARR_E_MEMORY, "CUDA device ", device_.index, " is out of memory: ", requested, " bytes requested, ",
       used, " in use, ", reserved() - used, " kept, the largest free piece ", large_.largest_free(),
       ", limit ", limit(), ", the device has ", free_bytes, " free of ", total);
}

void Pool::trim() {
  const std::lock_guard lock(mutex_);
  since_sweep_ = 0;  // so that the pool's next steps do not depend on its history
  if (device_.captures.load() == 0) {
    wait_for_all();
  } else {
    // Waiting for a device is impossible while work is captured on it; free the memory of complete work.
    for (Stream* s : streams_) {
      flush(*s);
      mark(*s);
    }
    poll();
  }
  give_back();
  trim_driver_pool();
}

void Pool::count_reserved(int64_t bytes) noexcept {
  atomic_fetch_max(&peak_reserved_, reserved_.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

void Pool::reset_peak() noexcept {
  peak_.store(in_use(), std::memory_order_relaxed);
  peak_reserved_.store(reserved(), std::memory_order_relaxed);
}

}  // namespace arr::cuda
