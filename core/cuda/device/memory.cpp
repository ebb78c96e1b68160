// SPDX-License-Identifier: MIT
// Memory of a device: the pool's entries and copies.
#include "backend/memory.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "backend/pool.h"
#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

int32_t pool_stats(int32_t device, PoolStats* stats, BackendError* e) {
  return translate_exceptions(e, [&] { *stats = Device::get(device).pool.stats(); });
}

int32_t pool_classes(int32_t device, int32_t capacity, PoolClass* classes, int32_t* count, BackendError* e) {
  return translate_exceptions(e, [&] {
    const std::vector<PoolClass> all = Device::get(device).pool.classes();
    std::copy_n(all.begin(), std::min<size_t>(all.size(), static_cast<size_t>(capacity)), classes);
    *count = static_cast<int32_t>(all.size());
  });
}

int32_t pool_reset_peak(int32_t device, BackendError* e) {
  return translate_exceptions(e, [&] { Device::get(device).pool.reset_peak(); });
}

int32_t allocator_set(int32_t device, AllocatorKind kind, const ExternalFunctions* functions,
                      BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    call.device.pool.set_allocator(kind, functions);
  });
}

int32_t allocator_get(int32_t device, AllocatorKind* kind, BackendError* e) {
  return translate_exceptions(e, [&] { *kind = Device::get(device).pool.allocator(); });
}

int32_t copy_bytes(int32_t device, void* to, const void* from, int64_t bytes, CopyKind kind, void* stream,
                   BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    const auto n = static_cast<size_t>(bytes);
    CUstream s = call.stream.handle;
    switch (kind) {
      case CopyKind::from_host:
        return call.device.check(driver().cuMemcpyHtoDAsync_v2(address(to), from, n, s), "cuMemcpyHtoDAsync",
                                 &call.stream);
      case CopyKind::to_host:
        return call.device.check(driver().cuMemcpyDtoHAsync_v2(to, address(from), n, s), "cuMemcpyDtoHAsync",
                                 &call.stream);
      case CopyKind::on_device:
        return call.device.check(driver().cuMemcpyDtoDAsync_v2(address(to), address(from), n, s),
                                 "cuMemcpyDtoDAsync", &call.stream);
    }
  });
}

int32_t set_bytes(int32_t device, void* to, uint8_t value, int64_t bytes, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    call.device.check(
        driver().cuMemsetD8Async(address(to), value, static_cast<size_t>(bytes), call.stream.handle),
        "cuMemsetD8Async", &call.stream);
  });
}

int32_t allocate(int32_t device, int64_t bytes, void* stream, void** data, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    *data = reinterpret_cast<void*>(call.device.pool.allocate(bytes, call.stream));
  });
}

int32_t release(int32_t device, void* data, int64_t bytes, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    if (driver_initialized_before_fork()) return;  // and so is the memory
    Device* d = Device::find(device);
    if (d == nullptr) fail(ARR_E_ARGUMENT, "argument device: ", device, " has given out no memory");
    d->pool.release(address(data), bytes, d->stream(stream));
  });
}

int32_t memory_stats(int32_t device, MemoryStats* stats, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    size_t free_bytes = 0, total = 0;
    call.device.check(driver().cuMemGetInfo_v2(&free_bytes, &total), "cuMemGetInfo");
    const Pool& p = call.device.pool;
    stats->in_use = p.in_use();
    stats->cached = p.reserved() - stats->in_use;
    stats->peak = p.peak();
    stats->limit = p.limit();
    stats->total = static_cast<int64_t>(total);
    stats->free = static_cast<int64_t>(free_bytes);
  });
}

int32_t memory_limit(int32_t device, int64_t bytes, BackendError* error) {
  return translate_exceptions(error, [&] {
    if (bytes < 0) fail(ARR_E_ARGUMENT, "argument bytes: ", bytes, " is negative");
    Device::get(device).pool.set_limit(bytes);
  });
}

int32_t memory_trim(int32_t device, BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, nullptr);
    call.device.collect_deferred_textures(call.device.captures.load() == 0);
    if (call.device.captures.load() == 0) call.device.collect_deferred_modules();
    call.device.pool.trim();
  });
}

int32_t copy_from_host(int32_t device, void* to, const void* host, int64_t bytes, void* stream,
                       BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    const char* kept = nullptr;
    with_capture(call.stream, [&](Capture& c) {
      // The graph reads the host memory's current contents at each launch.
      c.host.push_back(std::make_unique_for_overwrite<char[]>(static_cast<size_t>(bytes)));
      std::memcpy(c.host.back().get(), host, static_cast<size_t>(bytes));
      kept = c.host.back().get();
    });
    if (kept != nullptr) {
      return call.device.check(
          driver().cuMemcpyHtoDAsync_v2(address(to), kept, static_cast<size_t>(bytes), call.stream.handle),
          "cuMemcpyHtoDAsync", &call.stream);
    }
    call.device.check(
        driver().cuMemcpyHtoDAsync_v2(address(to), host, static_cast<size_t>(bytes), call.stream.handle),
        "cuMemcpyHtoDAsync", &call.stream);
    call.device.check(driver().cuStreamSynchronize(call.stream.handle), "cuStreamSynchronize", &call.stream);
    call.device.error_flags.report(&call.stream);
  });
}

int32_t copy_to_host(int32_t device, void* host, const void* from, int64_t bytes, void* stream,
                     BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    refuse_capture(call.stream);
    call.device.check(
        driver().cuMemcpyDtoHAsync_v2(host, address(from), static_cast<size_t>(bytes), call.stream.handle),
        "cuMemcpyDtoHAsync", &call.stream);
    call.device.check(driver().cuStreamSynchronize(call.stream.handle), "cuStreamSynchronize", &call.stream);
    call.device.error_flags.report(&call.stream);
  });
}

int32_t copy_on_device(int32_t device, void* to, const void* from, int64_t bytes, void* stream,
                       BackendError* error) {
  return translate_exceptions(error, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    call.device.check(driver().cuMemcpyDtoDAsync_v2(address(to), address(from), static_cast<size_t>(bytes),
                                                    call.stream.handle),
                      "cuMemcpyDtoDAsync", &call.stream);
  });
}

}  // namespace

const MemoryApi memory_api = {
    .allocate = allocate,
    .release = release,
    .stats = memory_stats,
    .limit = memory_limit,
    .trim = memory_trim,
    .copy_from_host = copy_from_host,
    .copy_to_host = copy_to_host,
    .copy_on_device = copy_on_device,
    .copy_bytes = copy_bytes,
    .copy_from_peer = copy_from_peer,
    .set_bytes = set_bytes,
    .device_of = memory_device,
};

const PoolApi pool_api = {
    .stats = pool_stats,
    .classes = pool_classes,
    .reset_peak = pool_reset_peak,
    .set_allocator = allocator_set,
    .allocator = allocator_get,
};

}  // namespace arr::cuda
