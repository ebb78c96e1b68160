// SPDX-License-Identifier: MIT
// The CUDA module's part of the low-level seam.
#include "cuda/device/low.h"

#include <algorithm>

#include "base/pressure.h"
#include "cuda/device/device.h"
#include "cuda/work.h"

namespace arr::cuda {

namespace {

CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

int32_t pool_stats(int32_t device, PoolStats* stats, BackendError* e) {
  return seam(e, [&] { *stats = Device::get(device).pool.stats(); });
}

int32_t pool_classes(int32_t device, int32_t capacity, PoolClass* classes, int32_t* count, BackendError* e) {
  return seam(e, [&] {
    const std::vector<PoolClass> all = Device::get(device).pool.classes();
    std::copy_n(all.begin(), std::min<size_t>(all.size(), static_cast<size_t>(capacity)), classes);
    *count = static_cast<int32_t>(all.size());
  });
}

int32_t pool_reset_peak(int32_t device, BackendError* e) {
  return seam(e, [&] { Device::get(device).pool.reset_peak(); });
}

int32_t allocator_set(int32_t device, AllocatorKind kind, const ExternalFunctions* functions,
                      BackendError* e) {
  return seam(e, [&] {
    const Call call(device, nullptr);
    call.device.pool.set_allocator(kind, functions);
  });
}

int32_t allocator_get(int32_t device, AllocatorKind* kind, BackendError* e) {
  return seam(e, [&] { *kind = Device::get(device).pool.allocator(); });
}

int32_t copy_bytes(int32_t device, void* to, const void* from, int64_t bytes, CopyKind kind, void* stream,
                   BackendError* e) {
  return seam(e, [&] {
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
  return seam(e, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    call.device.check(
        driver().cuMemsetD8Async(address(to), value, static_cast<size_t>(bytes), call.stream.handle),
        "cuMemsetD8Async", &call.stream);
  });
}

}  // namespace

const LowLevel low_level = {
    .struct_size = sizeof(LowLevel),
    .log_to = [](const LogSink* sink) { log_sink.store(sink, std::memory_order_release); },
    .cache_to = [](const CacheStore* store) { cache_store.store(store, std::memory_order_release); },
    .pressure_to = [](std::atomic<int32_t>* core) { pressure.store(core, std::memory_order_release); },
    .pool_stats = pool_stats,
    .pool_classes = pool_classes,
    .pool_reset_peak = pool_reset_peak,
    .allocator_set = allocator_set,
    .allocator_get = allocator_get,
    .copy_bytes = copy_bytes,
    .copy_from_peer = copy_from_peer,
    .set_bytes = set_bytes,
    .host_allocate = host_allocate,
    .host_release = host_release,
    .host_register = host_register,
    .host_unregister = host_unregister,
    .host_pinned = host_pinned,
    .host_on_device = host_on_device,
    .memory_device = memory_device,
    .memory_managed = memory_managed,
    .memory_prefetch = memory_prefetch,
    .memory_advise = memory_advise,
    .ipc_export = ipc_export,
    .ipc_import = ipc_import,
    .ipc_close = ipc_close,
    .ipc_export_event = ipc_export_event,
    .ipc_import_event = ipc_import_event,
    .device_properties = device_properties,
    .device_attribute = device_attribute,
    .device_ids = device_ids,
    .peer_possible = peer_possible,
    .peer_access = peer_access,
    .device_limit = device_limit,
    .device_set_limit = device_set_limit,
    .profiler = profiler,
    .priority_range = priority_range,
    .stream_create_priority = stream_create_priority,
    .stream_details = stream_details,
    .capture_begin = capture_begin,
    .capture_join = capture_join,
    .capture_end = capture_end,
    .graph_update = graph_update,
    .graph_native = graph_native,
    .graph_upload = graph_upload,
    .graph_launch = graph_launch,
    .graph_dot = graph_dot,
    .graph_release = graph_release,
    .host_function = host_function,
    .texels_create = texels_create,
    .texels_copy = texels_copy,
    .texels_release = texels_release,
    .texture_create = texture_create,
    .texture_release = texture_release,
    .library_function = library_function,
    .library_version = library_version,
    .library_toolkit = library_toolkit,
    .library_handle = library_handle,
};

}  // namespace arr::cuda
