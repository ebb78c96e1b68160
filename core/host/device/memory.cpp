// SPDX-License-Identifier: MIT
// Memory of the host backend: the pool's entries and copies.
#include "backend/memory.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "host/device/pool.h"
#include "host/device/streams.h"
#include "host/tables.h"

namespace arr::host {

namespace {

int32_t allocate(int32_t, int64_t bytes, void*, void** data, BackendError* e) {
  return translate_exceptions(e, [&] { *data = pool().allocate(bytes); });
}
int32_t release(int32_t, void* data, int64_t bytes, void* stream, BackendError* e) {
  if (!asynchronous()) {
    pool().release(data, bytes);
    return ARR_OK;
  }
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    try {
      s.enqueue({"release", [data, bytes] { pool().release(data, bytes); }});
    } catch (const std::bad_alloc&) {
      s.drain();
      pool().release(data, bytes);
    }
  });
}
int32_t memory_stats(int32_t, MemoryStats* stats, BackendError* e) {
  return translate_exceptions(e, [&] { *stats = pool().stats(); });
}
int32_t memory_limit(int32_t, int64_t bytes, BackendError* e) {
  return translate_exceptions(e, [&] { pool().limit(bytes); });
}
int32_t memory_trim(int32_t, BackendError* e) {
  return translate_exceptions(e, [] { pool().trim(); });
}

void move(void* to, const void* from, int64_t bytes) {
  if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
}
// A graph reads ordinary host memory at the capture, as with the CUDA backend.
int32_t copy_from_host(int32_t, void* to, const void* from, int64_t bytes, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    if (s.immediate()) return move(to, from, bytes);
    if (!s.capturing()) {
      s.add({"copy from host", [=] { move(to, from, bytes); }});
      return s.sync();
    }
    const auto* first = static_cast<const char*>(from);
    auto kept = std::make_shared<const std::vector<char>>(first, first + bytes);
    s.add({"copy from host", [to, kept] { move(to, kept->data(), std::ssize(*kept)); }});
  });
}
int32_t copy_to_host(int32_t, void* to, const void* from, int64_t bytes, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    s.refuse_capture();
    if (s.immediate()) return move(to, from, bytes);
    s.add({"copy to host", [=] { move(to, from, bytes); }});
    s.sync();
  });
}
int32_t copy_on_device(int32_t, void* to, const void* from, int64_t bytes, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    if (s.immediate()) return move(to, from, bytes);
    s.add({"copy", [=] { move(to, from, bytes); }});
  });
}
int32_t copy_bytes(int32_t, void* to, const void* from, int64_t bytes, CopyKind, void* stream,
                   BackendError* e) {
  return translate_exceptions(e, [&] {
    stream_of(stream).add({"copy", [=] {
                             if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
                           }});
  });
}
int32_t set_bytes(int32_t, void* to, uint8_t value, int64_t bytes, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    stream_of(stream).add({"set", [=] {
                             if (bytes > 0) std::memset(to, value, static_cast<size_t>(bytes));
                           }});
  });
}

int32_t pool_stats(int32_t, PoolStats* stats, BackendError* e) {
  return translate_exceptions(e, [&] { *stats = pool().details(); });
}
int32_t pool_classes(int32_t, int32_t capacity, PoolClass* classes, int32_t* count, BackendError* e) {
  return translate_exceptions(e, [&] {
    const std::vector<PoolClass> all = pool().classes();
    std::copy_n(all.begin(), std::min<size_t>(all.size(), static_cast<size_t>(capacity)), classes);
    *count = static_cast<int32_t>(all.size());
  });
}
int32_t pool_reset_peak(int32_t, BackendError* e) {
  return translate_exceptions(e, [] { pool().reset_peak(); });
}
int32_t allocator_set(int32_t, AllocatorKind kind, const ExternalFunctions* functions, BackendError* e) {
  return translate_exceptions(e, [&] { pool().set_allocator(kind, functions); });
}
int32_t allocator_get(int32_t, AllocatorKind* kind, BackendError* e) {
  return translate_exceptions(e, [&] { *kind = pool().allocator(); });
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
    .copy_from_peer = nullptr,
    .set_bytes = set_bytes,
    .device_of = nullptr,
};

const PoolApi pool_api = {
    .stats = pool_stats,
    .classes = pool_classes,
    .reset_peak = pool_reset_peak,
    .set_allocator = allocator_set,
    .allocator = allocator_get,
};

}  // namespace arr::host
