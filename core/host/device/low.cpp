// SPDX-License-Identifier: MIT
// The host's part of the low-level seam.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "host/device/pool.h"
#include "host/device/streams.h"
#include "host/host.h"
#include "host/kernels/texture_entries.h"

namespace arr::host {

namespace {

int32_t pool_stats(int32_t, PoolStats* stats, BackendError* e) {
  return seam(e, [&] { *stats = pool().details(); });
}
int32_t pool_classes(int32_t, int32_t capacity, PoolClass* classes, int32_t* count, BackendError* e) {
  return seam(e, [&] {
    const std::vector<PoolClass> all = pool().classes();
    std::copy_n(all.begin(), std::min<size_t>(all.size(), static_cast<size_t>(capacity)), classes);
    *count = static_cast<int32_t>(all.size());
  });
}
int32_t pool_reset_peak(int32_t, BackendError* e) {
  return seam(e, [] { pool().reset_peak(); });
}
int32_t allocator_set(int32_t, AllocatorKind kind, const ExternalFunctions* functions, BackendError* e) {
  return seam(e, [&] { pool().set_allocator(kind, functions); });
}
int32_t allocator_get(int32_t, AllocatorKind* kind, BackendError* e) {
  return seam(e, [&] { *kind = pool().allocator(); });
}
int32_t copy_bytes(int32_t, void* to, const void* from, int64_t bytes, CopyKind, void* stream,
                   BackendError* e) {
  return seam(e, [&] {
    stream_of(stream).add({"copy", [=] {
                             if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
                           }});
  });
}
int32_t set_bytes(int32_t, void* to, uint8_t value, int64_t bytes, void* stream, BackendError* e) {
  return seam(e, [&] {
    stream_of(stream).add({"set", [=] {
                             if (bytes > 0) std::memset(to, value, static_cast<size_t>(bytes));
                           }});
  });
}

void only_device(int32_t device) {
  if (device != 0) fail(ARR_E_ARGUMENT, "argument device: index ", device, ", the host has only 0");
}
int32_t device_properties(int32_t device, DeviceProperties* p, BackendError* e) {
  return seam(e, [&] {
    only_device(device);
    p->multiprocessors = static_cast<int64_t>(std::thread::hardware_concurrency());
    p->memory_bytes = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    const int64_t l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    p->l2_bytes = l2 > 0 ? l2 : -1;
    p->warp_size = 32;  // as its raw kernels see it
    p->threads_per_block = 1024;
    p->cooperative_launch = 1;
    p->integrated = p->managed_memory = 1;
  });
}
int32_t device_attribute(int32_t, const std::string* name, int64_t*, BackendError* e) {
  return seam(e, [&] {
    fail(ARR_E_UNSUPPORTED, "argument name: \"", *name,
         "\" is an attribute of CUDA's driver, the host has none");
  });
}
int32_t device_ids(int32_t device, std::string*, std::string*, BackendError* e) {
  return seam(e, [&] { only_device(device); });
}
int32_t peer_possible(int32_t, int32_t, int32_t* yes, BackendError*) {
  *yes = 0;
  return ARR_OK;
}
int32_t peer_access(int32_t, int32_t, int32_t, BackendError* e) {
  return seam(e, [] { fail(ARR_E_UNSUPPORTED, "argument peer: the host is the only device of its type"); });
}
[[noreturn]] void no_limits() {
  fail(ARR_E_UNSUPPORTED, "argument device: the host has no limits of its own, the system sets them");
}
int32_t device_limit(int32_t, int32_t, int64_t*, BackendError* e) {
  return seam(e, [] { no_limits(); });
}
int32_t device_set_limit(int32_t, int32_t, int64_t, BackendError* e) {
  return seam(e, [] { no_limits(); });
}
int32_t profiler(int32_t device, int32_t, BackendError* e) {
  return seam(e, [&] { only_device(device); });  // tools that watch a processor need no such word
}
[[noreturn]] void no_libraries() {
  fail(ARR_E_UNSUPPORTED, "argument device: the host has no libraries of a vendor");
}
int32_t library_function(int32_t, const char*, void**, BackendError* e) {
  return seam(e, [] { no_libraries(); });
}
int32_t library_version(int32_t, int32_t*, BackendError* e) {
  return seam(e, [] { no_libraries(); });
}
int32_t library_toolkit(std::string*, BackendError* e) {
  return seam(e, [] { no_libraries(); });
}
int32_t library_handle(int32_t, int32_t, void*, void**, BackendError* e) {
  return seam(e, [] { no_libraries(); });
}
int32_t priority_range(int32_t, int32_t* least, int32_t* greatest, BackendError*) {
  *least = *greatest = 0;  // work runs in the caller's order
  return ARR_OK;
}
int32_t stream_create_priority(int32_t device, int32_t flags, int32_t, void** stream, BackendError* e) {
  return host_backend().stream_create(device, flags, stream, e);
}
int32_t stream_details(int32_t, void* stream, int32_t* flags, int32_t* priority, int32_t* capturing,
                       BackendError*) {
  const Stream& s = stream_of(stream);
  *flags = s.flags();
  *priority = 0;
  *capturing = s.capturing() ? 1 : 0;
  return ARR_OK;
}
int32_t host_function(int32_t, void* stream, void (*function)(void*), void* ctx, BackendError* e) {
  return seam(e, [&] { stream_of(stream).add({"host function", [=] { function(ctx); }}); });
}

}  // namespace

const LowLevel low_level = {
    .struct_size = sizeof(LowLevel),
    .log_to = nullptr,
    .cache_to = nullptr,
    .pressure_to = nullptr,
    .pool_stats = pool_stats,
    .pool_classes = pool_classes,
    .pool_reset_peak = pool_reset_peak,
    .allocator_set = allocator_set,
    .allocator_get = allocator_get,
    .copy_bytes = copy_bytes,
    .copy_from_peer = nullptr,
    .set_bytes = set_bytes,
    .host_allocate = nullptr,  // the CUDA module asks its driver
    .host_release = nullptr,
    .host_register = nullptr,
    .host_unregister = nullptr,
    .host_pinned = nullptr,
    .host_on_device = nullptr,
    .memory_device = nullptr,
    .memory_managed = nullptr,  // all of it is the host's
    .memory_prefetch = nullptr,
    .memory_advise = nullptr,
    .ipc_export = nullptr,  // libarr maps no files
    .ipc_import = nullptr,
    .ipc_close = nullptr,
    .ipc_export_event = nullptr,  // its events are this process's
    .ipc_import_event = nullptr,
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

}  // namespace arr::host
