// SPDX-License-Identifier: MIT
// Memory from other sources than the pool's pieces: managed memory, the driver's stream-ordered pool, the
// driver itself, functions of the caller. It is counted like the pool's, and returned to its source.
#include "cuda/device/device.h"

namespace arr::cuda {

namespace {

constexpr int64_t piece_step = int64_t{2} << 20;

CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }
const void* pointer(CUdeviceptr p) { return reinterpret_cast<const void*>(p); }

}  // namespace

void Pool::set_allocator(AllocatorKind kind, const ExternalFunctions* functions) {
  const auto has = [&](CUdevice_attribute attribute) {
    int value = 0;
    CUresult r = driver().cuDeviceGetAttribute(&value, attribute, device_.index);
    if (r != CUDA_ERROR_INVALID_VALUE) device_.check(r, "cuDeviceGetAttribute");
    return value != 0;
  };
  if (kind == AllocatorKind::stream_ordered &&
      (driver().cuMemAllocAsync == nullptr || driver().cuMemFreeAsync == nullptr ||
       !has(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED))) {
    fail(ARR_E_UNSUPPORTED, "argument kind: the driver has no stream-ordered allocation for the device");
  }
  if (kind == AllocatorKind::managed && !has(CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY)) {
    fail(ARR_E_UNSUPPORTED, "argument kind: the device has no managed memory");
  }
  sources_.set(kind, functions, kind == AllocatorKind::pool);
}

// One attempt; returns no block if the source has no more memory.
Pool::ExternalBlock Pool::request_external(const AllocationSources::Source& from, int64_t size, Stream& s) {
  ExternalBlock g;
  CUresult r = CUDA_SUCCESS;
  const char* function = "cuMemAlloc";
  if (from.kind == AllocatorKind::managed) return from_managed(size, s);
  if (from.kind == AllocatorKind::external) {
    g.block = address(from.external->allocate(size, device_.index, s.handle, &g.status));
    return g;
  }
  if (from.kind == AllocatorKind::stream_ordered) {
    driver_pool_.store(true, std::memory_order_relaxed);
    r = driver().cuMemAllocAsync(&g.block, static_cast<size_t>(size), s.handle);
    function = "cuMemAllocAsync";
  } else {
    r = driver().cuMemAlloc_v2(&g.block, static_cast<size_t>(size));
  }
  if (r == CUDA_ERROR_OUT_OF_MEMORY) return {};
  device_.check(r, function, &s);
  return g;
}

CUdeviceptr Pool::allocate_external(int64_t size, int64_t requested, Stream& s) {
  const AllocationSources::Source from = sources_.current();
  // A block from the driver's pool in a stream under capture would belong to the graph, anew at each launch.
  if (from.kind == AllocatorKind::pool ||
      (from.kind == AllocatorKind::stream_ordered && s.capturing.load(std::memory_order_acquire))) {
    return miss(size, requested, s);
  }
  ExternalBlock g = request_external(from, size, s);
  if (g.block == 0) {
    trim();
    g = request_external(from, size, s);
  }
  if (g.block == 0) refused(from, g.status, requested);
  record_external(from, g.block, size, s);
  const std::lock_guard lock(mutex_);
  const std::lock_guard bins(s.bins.lock);
  g.reused ? ++s.bins.hits : ++misses_;
  return g.block;
}

void Pool::record_external(const AllocationSources::Source& from, CUdeviceptr block, int64_t size,
                           Stream& s) {
  // Managed memory is counted by pieces.
  if (from.kind != AllocatorKind::managed) count_reserved(size);
  bool once = false;
  try {
    once = sources_.add(pointer(block), from);
  } catch (...) {
    return_external(from, block, size, s);
    throw;
  }
  if (once) return;
  reserved_.fetch_sub(size, std::memory_order_relaxed);
  AllocationSources::fail_duplicate_address();
}

void Pool::refused(const AllocationSources::Source& from, int32_t status, int64_t requested) {
  const std::lock_guard lock(mutex_);
  if (from.kind != AllocatorKind::external) exhausted(requested);
  fail(ARR_E_MEMORY, "CUDA device ", device_.index, ": the external allocator returned none: status ", status,
       ", ", requested, " bytes requested, ", in_use() - BlockSize::of(requested), " in use");
}

// Its pieces are split, joined and handed from stream to stream as the pool's own are.
Pool::ExternalBlock Pool::from_managed(int64_t size, Stream& s) {
  const std::lock_guard lock(mutex_);
  CUdeviceptr block = managed_.take(size, s.bins.owner);
  if (block == 0) {
    sweep(s);
    block = managed_.take(size, s.bins.owner);
  }
  if (block != 0) return {block, true};
  const int64_t whole = checked::round_up(size, piece_step);
  if (!ask_managed(whole) && (whole == size || !ask_managed(size))) return {};
  return {managed_.take(size, s.bins.owner), false};
}

bool Pool::ask_managed(int64_t bytes) {
  CUdeviceptr base = 0;
  CUresult r = driver().cuMemAllocManaged(&base, static_cast<size_t>(bytes), CU_MEM_ATTACH_GLOBAL);
  if (r == CUDA_ERROR_OUT_OF_MEMORY) return false;
  device_.check(r, "cuMemAllocManaged");
  try {
    managed_.add(base, bytes);
  } catch (...) {
    driver().cuMemFree_v2(base);
    throw;
  }
  count_reserved(bytes);
  return true;
}

// The block counts as allocated, and as reserved unless it is managed.
void Pool::return_external(const AllocationSources::Source& from, CUdeviceptr block, int64_t size,
                           Stream& s) noexcept {
  if (from.kind == AllocatorKind::managed) {
    const std::lock_guard lock(mutex_);
    return managed_.give(block, s.bins.owner, s.bins.epoch);
  }
  reserved_.fetch_sub(size, std::memory_order_relaxed);
  const Current current(device_, std::nothrow);
  if (from.kind == AllocatorKind::external) {
    from.external->release(reinterpret_cast<void*>(block), size, device_.index, s.handle);
  } else if (device_.lost()) {
    return;  // its memory is gone with its context
  } else if (from.kind == AllocatorKind::stream_ordered) {
    device_.note(driver().cuMemFreeAsync(block, s.handle), "cuMemFreeAsync");
  } else {
    // The work that uses it was enqueued on the stream, or the stream waits for it.
    device_.note(driver().cuStreamSynchronize(s.handle), "cuStreamSynchronize");
    device_.note(driver().cuMemFree_v2(block), "cuMemFree");
  }
}

bool Pool::release_external(CUdeviceptr block, int64_t bytes, Stream& s) noexcept {
  AllocationSources::Source from;
  if (!sources_.take(pointer(block), &from)) return false;
  const int64_t size = BlockSize::of(bytes);
  uncharge(size);
  {
    const std::lock_guard lock(s.bins.lock);
    ClassCount& count = s.bins.count[static_cast<size_t>(SizeClass::of(bytes))];
    ++count.given;
    count.bytes -= size;
  }
  return_external(from, block, size, s);
  return true;
}

// The driver decides how much its pool keeps, but another program may need that memory.
void Pool::trim_driver_pool() {
  if (!driver_pool_.load(std::memory_order_relaxed) || driver().cuMemPoolTrimTo == nullptr) return;
  CUmemoryPool pool = nullptr;
  device_.check(driver().cuDeviceGetDefaultMemPool(&pool, device_.index), "cuDeviceGetDefaultMemPool");
  device_.check(driver().cuMemPoolTrimTo(pool, 0), "cuMemPoolTrimTo");
}

}  // namespace arr::cuda
