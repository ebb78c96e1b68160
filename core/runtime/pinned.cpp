// SPDX-License-Identifier: MIT
// The pool of page-locked host memory.
#include "runtime/pinned.h"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "arr/device.h"
#include "arr/memory.h"
#include "backend/pinned.h"
#include "backend/pool.h"
#include "base/available_memory.h"
#include "base/checked.h"
#include "base/fork.h"
#include "base/pressure.h"
#include "runtime/devices.h"
#include "runtime/memory_hooks.h"
#include "runtime/streams.h"

namespace arr {

namespace {

constexpr int64_t page = 4096, largest = int64_t{1} << 46;

// The module's functions accept any working device: the memory is accessible to all.
constexpr int32_t any_device = 0;
const PinnedApi& module() { return api<PinnedApi>(Device{ARR_CUDA, any_device}); }

// Whole pages up to 64 KiB, then eight sizes per doubling.
int64_t rounded(int64_t bytes) {
  if (bytes > largest) fail(ARR_E_MEMORY, bytes, " bytes exceed the address space");
  const auto doubling = static_cast<int32_t>(std::bit_width(static_cast<uint64_t>(bytes - 1)));
  const int64_t step = doubling <= 16 ? page : int64_t{1} << (doubling - 4);
  return checked::round_up(bytes, step);
}

class PinnedPool {
 public:
  void* allocate(int64_t bytes, int32_t flags) {
    const int64_t size = rounded(bytes);
    if (!sources_.from_pool()) {
      if (const AllocationSources::Source from = sources_.current(); from.external)
        return allocate_external(from, size, bytes);
    }
    if (void* data = take_free(size, bytes, flags)) return data;
    try {
      return fresh(size, bytes, flags);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      uncharge(size);
      throw;
    }
  }
  void release(void* data, int64_t bytes, int32_t flags) noexcept {
    const int64_t size = rounded(bytes);
    AllocationSources::Source from;
    const bool others = !sources_.empty() && sources_.take(data, &from);
    {
      const std::lock_guard lock(mutex_);
      uncharge(size);
      ++s_.releases;
      if (others) s_.reserved -= size;
      try {
        if (!others) free_[{flags, size}].push_back(data);
        if (!others) return;
      } catch (const std::bad_alloc&) {
        s_.reserved -= size;  // no memory to record it
      }
    }
    if (others) return from.external->release(data, size, any_device, nullptr);
    to_driver(data);
  }
  void trim() {
    std::map<Key, std::vector<void*>> all;
    {
      const std::lock_guard lock(mutex_);
      all.swap(free_);
      for (const auto& [key, blocks] : all) s_.reserved -= key.second * static_cast<int64_t>(blocks.size());
    }
    for (const auto& [key, blocks] : all) {
      for (void* data : blocks) to_driver(data);
    }
  }
  PoolStats stats() {
    const std::lock_guard lock(mutex_);
    PoolStats now = s_;
    for (const auto& [key, blocks] : free_) {
      now.free_blocks += static_cast<int64_t>(blocks.size());
      if (!blocks.empty()) now.largest_free = std::max(now.largest_free, key.second);
    }
    return now;
  }
  void set_functions(const ExternalFunctions* functions) {
    sources_.set(functions != nullptr ? AllocatorKind::external : AllocatorKind::pool, functions,
                 functions == nullptr);
  }
  [[nodiscard]] bool has_functions() const { return !sources_.from_pool(); }
  void limit(int64_t bytes) {
    const std::lock_guard lock(mutex_);
    s_.limit = bytes;
    start_pressure();
  }

 private:
  using Key = std::pair<int32_t, int64_t>;  // flags and bytes

  // Requires the lock.
  void charge(int64_t size, int64_t requested) {
    if (s_.limit != 0 && s_.in_use + size > s_.limit) {
      fail(ARR_E_MEMORY, "page-locked memory: ", requested, " bytes requested, ", s_.in_use,
           " in use, limit ", s_.limit);
    }
    s_.in_use += size;
    if (!pressure_.reached(s_.in_use)) return;
    start_pressure();
    raise_pressure();
  }
  void uncharge(int64_t size) {
    s_.in_use -= size;
    pressure_.on_release(s_.in_use);
  }
  void start_pressure() {
    const int64_t all = available_memory(s_.reserved);
    pressure_.start(s_.in_use, s_.limit == 0 ? all : std::min(all, s_.limit));
  }
  // Accounts for the bytes. Returns a free block, or nullptr.
  void* take_free(int64_t size, int64_t requested, int32_t flags) {
    const std::lock_guard lock(mutex_);
    charge(size, requested);
    auto f = free_.find({flags, size});
    if (f == free_.end() || f->second.empty()) return nullptr;
    void* data = f->second.back();
    f->second.pop_back();
    ++s_.hits;
    count_allocation();
    return data;
  }
  void* allocate_external(const AllocationSources::Source& from, int64_t size, int64_t requested) {
    {
      const std::lock_guard lock(mutex_);
      charge(size, requested);
    }
    try {
      void* data = ask(from, size, requested);
      const std::lock_guard lock(mutex_);
      count_fresh(size);
      return data;
    } catch (...) {
      const std::lock_guard lock(mutex_);
      uncharge(size);
      throw;
    }
  }
  void* ask(const AllocationSources::Source& from, int64_t size, int64_t requested) {
    int32_t status = 0;
    void* data = from.external->allocate(size, any_device, nullptr, &status);
    if (data == nullptr) {
      trim();
      data = from.external->allocate(size, any_device, nullptr, &status);
    }
    if (data == nullptr) {
      fail(ARR_E_MEMORY, "page-locked memory: ", requested,
           " bytes requested, the external allocator returned none, with status ", status);
    }
    try {
      if (sources_.add(data, from)) return data;
    } catch (...) {
      from.external->release(data, size, any_device, nullptr);
      throw;
    }
    AllocationSources::fail_duplicate_address();
  }
  void* fresh(int64_t size, int64_t requested, int32_t flags) {
    void* data = ask(size, flags);
    if (data == nullptr) {
      trim();
      data = ask(size, flags);
    }
    const std::lock_guard lock(mutex_);
    if (data == nullptr) {
      fail(ARR_E_MEMORY, "page-locked memory: ", requested, " bytes requested, ", s_.in_use - size,
           " in use, limit ", s_.limit, ", the driver locks no more");
    }
    count_fresh(size);
    return data;
  }
  void count_fresh(int64_t size) {
    s_.reserved += size;
    s_.peak_reserved = std::max(s_.peak_reserved, s_.reserved);
    ++s_.misses;
    count_allocation();
  }
  void count_allocation() {
    ++s_.allocations;
    s_.peak = std::max(s_.peak, s_.in_use);
  }
  // Called without the lock, because the driver is slow. Returns nullptr if the driver has no memory.
  static void* ask(int64_t size, int32_t flags) {
    void* data = nullptr;
    try {
      call(module().allocate, any_device, size, flags, &data);
    } catch (const Error& e) {
      if (e.status() != ARR_E_MEMORY) throw;
    }
    return data;
  }
  static void to_driver(void* data) noexcept {
    BackendError ignored;  // a lost device's driver has released the memory already
    module().release(any_device, data, &ignored);
  }

  AllocationSources sources_;
  ProcessMutex mutex_;
  PoolStats s_;
  PressureMark pressure_;
  std::map<Key, std::vector<void*>> free_;
};

// Never destroyed: arrays may outlive every static object.
PinnedPool& pool() {
  static auto* p = new PinnedPool;
  return *p;
}

class PinnedBuffer final : public Buffer {
 public:
  PinnedBuffer(void* data, int64_t bytes, int32_t flags) noexcept : Buffer(data, bytes, {}), flags_(flags) {}

 protected:
  ~PinnedBuffer() override {
    // The next array gets the block at once, on any stream, so no work may still use it.
    try {
      finish_uses(*this);
    } catch (...) {  // NOLINT(bugprone-empty-catch): a lost device runs no more work
    }
    notify_hooks(ARR_MEMORY_FREE, device(), bytes(), data());
    pool().release(data(), bytes(), flags_);
  }

 private:
  int32_t flags_;
};

}  // namespace

bool can_pin() { return backend_state(ARR_CUDA).state == ARR_BACKEND_WORKING; }

bool makes_pinned() { return pool().has_functions() || can_pin(); }
void set_pinned_functions(const ExternalFunctions* functions) { pool().set_functions(functions); }

Ref<Buffer> allocate_pinned(int64_t bytes, int32_t flags) {
  void* data = pool().allocate(bytes, flags);
  Ref<Buffer> buffer;
  try {
    buffer = make<PinnedBuffer>(data, bytes, flags);
  } catch (...) {
    pool().release(data, bytes, flags);
    throw;
  }
  notify_hooks(ARR_MEMORY_ALLOC, {}, bytes, data);
  return buffer;
}

PoolStats pinned_stats() { return pool().stats(); }
void pinned_limit(int64_t bytes) { pool().limit(bytes); }
void pinned_trim() { pool().trim(); }

void pin(void* data, int64_t bytes, int32_t flags) {
  call(module().register_memory, any_device, data, bytes, flags);
}
void unpin(void* data) { call(module().unregister_memory, any_device, data); }

bool is_pinned(const void* data) {
  if (!can_pin()) return false;
  int32_t yes = 0;
  call(module().is_pinned, any_device, data, &yes);
  return yes != 0;
}

void* pinned_on_device(void* data, Device device) {
  void* address = nullptr;
  call(api<PinnedApi>(device).device_address, device.index, data, &address);
  return address;
}

}  // namespace arr
