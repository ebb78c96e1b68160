// SPDX-License-Identifier: MIT
// memory.h: pools, hooks, bytes by address.
#include "runtime/memory_hooks.h"

#include <vector>

#include "backend/memory.h"
#include "backend/pinned.h"
#include "backend/pool.h"
#include "backend/stream.h"
#include "capi/src/device/pool_stats.h"
#include "capi/src/entry.h"
#include "ops/elementwise/fuse/fuse.h"
#include "runtime/streams.h"

using namespace arr::capi;
using arr::Device;

namespace {

arr::MemoryStats stats_of(Device d) {
  arr::MemoryStats m;
  arr::call(arr::api<arr::MemoryApi>(d).stats, d.index, &m);
  return m;
}

void check_bytes(const void* p, int64_t bytes, const char* argument) {
  if (bytes < 0) arr::fail(ARR_E_ARGUMENT, "argument bytes: ", bytes, " is negative");
  if (bytes > 0) check_pointer(p, argument);
}

}  // namespace

arr_status arr_memory_info(const arr_device* device, arr_memory_stats* stats) {
  return guard("arr_memory_info", [&] {
    check_pointer(stats, "stats");
    check_size(*stats, "stats");
    const arr::MemoryStats m = stats_of(arr::device_from(device));
    *stats = {sizeof(arr_memory_stats), m.in_use, m.cached, m.peak, m.limit, m.total, m.free};
  });
}

arr_status arr_memory_limit(const arr_device* device, int64_t bytes) {
  return guard("arr_memory_limit", [&] {
    if (bytes < 0) arr::fail(ARR_E_ARGUMENT, "argument bytes: ", bytes, " is negative");
    Device d = arr::device_from(device);
    arr::call(arr::api<arr::MemoryApi>(d).limit, d.index, bytes);
  });
}

arr_status arr_memory_limit_fraction(const arr_device* device, double fraction) {
  return guard("arr_memory_limit_fraction", [&] {
    if (!(fraction >= 0 && fraction <= 1)) {
      arr::fail(ARR_E_ARGUMENT, "argument fraction: ", fraction, ", expected 0 to 1");
    }
    Device d = arr::device_from(device);
    const auto bytes = static_cast<int64_t>(fraction * static_cast<double>(stats_of(d).total));
    arr::call(arr::api<arr::MemoryApi>(d).limit, d.index, bytes);
  });
}

arr_status arr_memory_trim(const arr_device* device) {
  return guard("arr_memory_trim", [&] {
    Device d = arr::device_from(device);
    arr::call(arr::api<arr::MemoryApi>(d).trim, d.index);
  });
}

bool arr_memory_pressure(void) { return arr::memory_pressure() != 0; }

arr_status arr_memory_pool_info(const arr_device* device, arr_memory_pool_stats* stats) {
  return guard("arr_memory_pool_info", [&] {
    check_pointer(stats, "stats");
    check_size(*stats, "stats");
    Device d = arr::device_from(device);
    arr::PoolStats p;
    arr::call(arr::api<arr::PoolApi>(d).stats, d.index, &p);
    *stats = pool_stats_of(p);
  });
}

arr_status arr_memory_pool_classes(const arr_device* device, int32_t capacity, int64_t* largest,
                                   int64_t* allocations, int64_t* blocks, int64_t* bytes, int32_t* count) {
  return guard("arr_memory_pool_classes", [&] {
    check_pointer(count, "count");
    if (capacity < 0) arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, " is negative");
    Device d = arr::device_from(device);
    std::vector<arr::PoolClass> all(512);  // a pool has fewer classes
    int32_t n = 0;
    arr::call(arr::api<arr::PoolApi>(d).classes, d.index, static_cast<int32_t>(all.size()), all.data(), &n);
    for (int32_t i = 0; i < std::min(capacity, n); ++i) {
      const arr::PoolClass& c = all[static_cast<size_t>(i)];
      if (largest != nullptr) largest[i] = c.largest;
      if (allocations != nullptr) allocations[i] = c.allocations;
      if (blocks != nullptr) blocks[i] = c.blocks;
      if (bytes != nullptr) bytes[i] = c.bytes;
    }
    *count = n;
  });
}

arr_status arr_memory_reset_peak(const arr_device* device) {
  return guard("arr_memory_reset_peak", [&] {
    Device d = arr::device_from(device);
    arr::call(arr::api<arr::PoolApi>(d).reset_peak, d.index);
  });
}

arr_status arr_memory_hook_add(void (*hook)(void* ctx, int32_t event, int32_t device_type,
                                            int32_t device_index, int64_t bytes, const void* data,
                                            const char* function),
                               void (*drop)(void* ctx), void* ctx, int64_t* id) {
  return guard("arr_memory_hook_add", [&] {
    check_pointer(id, "id");
    if (hook == nullptr) arr::fail(ARR_E_ARGUMENT, "argument hook: NULL");
    *id = arr::add_hook(arr::callback_hook(hook, drop, ctx));
  });
}

arr_status arr_memory_hook_remove(int64_t id) {
  return guard("arr_memory_hook_remove", [&] { arr::remove_hook(id); });
}

arr_status arr_memory_hook_debug(const char* path, int64_t length, int64_t* id) {
  return guard("arr_memory_hook_debug", [&] {
    check_pointer(id, "id");
    std::string name;
    if (path != nullptr) name = string_argument(path, length, "path");
    if (path != nullptr && name.empty())
      arr::fail(ARR_E_ARGUMENT, "argument path: an empty text, expected a file name");
    *id = arr::add_hook(arr::debug_hook(name));
  });
}

arr_status arr_memory_hook_profile(int64_t* id) {
  return guard("arr_memory_hook_profile", [&] {
    check_pointer(id, "id");
    *id = arr::add_hook(arr::profile_hook());
  });
}

arr_status arr_memory_profile_report(int64_t id, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_memory_profile_report", [&] {
    std::string table;
    if (!arr::find_hook(id)->report(&table)) {
      arr::fail(ARR_E_ARGUMENT, "argument id: hook ", id, " was not made by arr_memory_hook_profile");
    }
    put_text(table, capacity, text, length);
  });
}

arr_status arr_memory_copy(const arr_device* device, void* to, const void* from, int64_t bytes, int32_t kind,
                           arr_stream stream_handle) {
  return guard("arr_memory_copy", [&] {
    check_bytes(to, bytes, "to");
    check_bytes(from, bytes, "from");
    const int32_t way = kind & ~ARR_COPY_ASYNC;
    if (way < ARR_COPY_FROM_HOST || way > ARR_COPY_ON_DEVICE) {
      arr::fail(ARR_E_ARGUMENT, "argument kind: ", kind, ", expected one of ARR_COPY_...");
    }
    Device d = arr::device_from(device);
    auto s = stream(stream_handle);
    const arr::Queue q = arr::queue_for(d, s.get());
    arr::fuse_flush();  // recorded operations may read or write these bytes
    arr::call(arr::api<arr::MemoryApi>(d).copy_bytes, d.index, to, from, bytes,
              static_cast<arr::CopyKind>(way), q.handle());
    const bool waits = kind == ARR_COPY_FROM_HOST || kind == ARR_COPY_TO_HOST;
    if (waits) arr::call(arr::api<arr::StreamApi>(q).sync, q.index(), q.handle());
  });
}

arr_status arr_memory_set(const arr_device* device, void* to, int32_t value, int64_t bytes,
                          arr_stream stream_handle) {
  return guard("arr_memory_set", [&] {
    check_bytes(to, bytes, "to");
    if (value < 0 || value > 255) arr::fail(ARR_E_ARGUMENT, "argument value: ", value, ", expected 0 to 255");
    Device d = arr::device_from(device);
    auto s = stream(stream_handle);
    const arr::Queue q = arr::queue_for(d, s.get());
    arr::fuse_flush();
    arr::call(arr::api<arr::MemoryApi>(d).set_bytes, d.index, to, static_cast<uint8_t>(value), bytes,
              q.handle());
  });
}
