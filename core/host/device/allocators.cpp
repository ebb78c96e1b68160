// SPDX-License-Identifier: MIT
// Allocators other than the host pool: the system allocator for each block, and functions of the caller.
// Their memory has the pool's statistics and is released by the allocator that it came from.
#include <mutex>

#include "base/atomic_max.h"
#include "host/device/pool.h"

namespace arr::host {

namespace {

// Every device that supports managed memory can use all of the host's memory.
bool is_plain(AllocatorKind kind) { return kind == AllocatorKind::pool || kind == AllocatorKind::managed; }

}  // namespace

void Pool::set_allocator(AllocatorKind kind, const ExternalFunctions* functions) {
  if (kind == AllocatorKind::stream_ordered) {
    fail(ARR_E_UNSUPPORTED, "argument kind: the host has no driver with its own pool");
  }
  sources_.set(kind, functions, is_plain(kind));
}

void* Pool::ask_other(const AllocationSources::Source& from, int64_t size, int64_t requested) {
  if (from.kind == AllocatorKind::direct) return fresh(size, requested);
  int32_t status = 0;
  void* data = from.external->allocate(size, 0, nullptr, &status);
  if (data == nullptr) {
    trim();  // the memory that the pool caches may be what the allocator lacks
    data = from.external->allocate(size, 0, nullptr, &status);
  }
  if (data == nullptr) {
    fail(ARR_E_MEMORY, "the external allocator returned none: status ", status, ", ", requested,
         " bytes requested, ", details().in_use - size, " in use");
  }
  count_reserved(size);
  return data;
}

void Pool::to_other(const AllocationSources::Source& from, void* data, int64_t size,
                    int64_t requested) noexcept {
  if (from.kind == AllocatorKind::direct) return to_system(data, exact(size, requested));
  reserved_.fetch_sub(size, std::memory_order_relaxed);
  from.external->release(data, size, 0, nullptr);
}

void* Pool::from_other(int64_t bytes) {
  const AllocationSources::Source from = sources_.current();
  if (is_plain(from.kind)) return from_pool(bytes);
  const int64_t size = rounded(bytes);
  Bin& bin = bins_[bin_of(size)];
  settle_peak();
  charge(size, bytes);
  void* data = nullptr;
  try {
    data = ask_other(from, size, bytes);
    if (!sources_.add(data, from)) {
      data = nullptr;
      reserved_.fetch_sub(size, std::memory_order_relaxed);
      AllocationSources::fail_duplicate_address();
    }
  } catch (...) {
    if (data != nullptr) to_other(from, data, size, bytes);
    uncharge(size);
    throw;
  }
  {
    const std::lock_guard lock(bin);
    ++bin.count.allocations;
  }
  if (!by_thread_) atomic_fetch_max(&peak_, in_use_.load(std::memory_order_relaxed));
  settle_peak();
  return data;
}

bool Pool::release_other(void* data, int64_t bytes) noexcept {
  AllocationSources::Source from;
  if (!sources_.take(data, &from)) return false;
  const int64_t size = rounded(bytes);
  settle_peak();
  uncharge(size);
  {
    Bin& bin = bins_[bin_of(size)];
    const std::lock_guard lock(bin);
    ++bin.count.releases;
  }
  to_other(from, data, size, bytes);
  return true;
}

}  // namespace arr::host
