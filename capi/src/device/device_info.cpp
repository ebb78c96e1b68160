// SPDX-License-Identifier: MIT
// device.h and stream.h: properties and lists of devices, peer access; properties of streams.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "backend/device.h"
#include "backend/memory.h"
#include "backend/stream.h"
#include "capi/src/entry.h"
#include "ops/elementwise/fuse/fuse.h"
#include "runtime/streams.h"

using namespace arr::capi;
using arr::Device;
using arr::Event;
using arr::Stream;

namespace {

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

arr::DeviceProperties properties_of(Device d) {
  arr::DeviceProperties p;
  arr::call(arr::api<arr::DeviceApi>(d).properties, d.index, &p);
  return p;
}

struct Ids {
  std::string pci, uuid;
};
Ids ids_of(Device d) {
  Ids ids;
  arr::call(arr::api<arr::DeviceApi>(d).ids, d.index, &ids.pci, &ids.uuid);
  return ids;
}

int32_t count_of(int32_t type) {
  int32_t n = 0;
  if (arr::backend_state(type).state == ARR_BACKEND_WORKING)
    arr::call(arr::api<arr::DeviceApi>(arr::backend(type)).count, &n);
  return n;
}

bool passes(Device d, const arr_device_filter& f, const std::string& name) {
  if (!name.empty()) {
    std::string own;
    arr::call(arr::api<arr::DeviceApi>(d).name, d.index, &own);
    if (lower(own).find(name) == std::string::npos) return false;
  }
  if (f.compute > 0 || f.memory_bytes > 0) {
    const arr::DeviceProperties p = properties_of(d);
    if (f.compute > 0 && (p.compute_major < 0 || 10 * p.compute_major + p.compute_minor < f.compute))
      return false;
    if (p.memory_bytes < f.memory_bytes) return false;
  }
  if (f.free_bytes == 0) return true;
  arr::MemoryStats m;
  arr::call(arr::api<arr::MemoryApi>(d).stats, d.index, &m);
  return m.free + m.cached >= f.free_bytes;
}

std::vector<Device> matching(const arr_device_filter& f, const std::string& name) {
  std::vector<Device> all;
  for (int32_t type : {ARR_CUDA, ARR_HOST}) {
    if (f.type != 0 && f.type != type) continue;
    const int32_t n = count_of(type);
    for (int32_t i = 0; i < n; ++i) {
      if (passes({type, i}, f, name)) all.push_back({type, i});
    }
  }
  return all;
}

void check_filter(const arr_device_filter& f) {
  check_size(f, "filter");
  if (f.type != 0 && f.type != ARR_HOST && f.type != ARR_CUDA) {
    arr::fail(ARR_E_ARGUMENT, "argument filter: type ", f.type, ", expected 0, 1 (host) or 2 (CUDA)");
  }
  if (f.compute < 0 || f.memory_bytes < 0 || f.free_bytes < 0) {
    arr::fail(ARR_E_ARGUMENT, "argument filter: compute, memory_bytes and free_bytes must be 0 or more");
  }
}

static_assert(ARR_LIMIT_STACK_BYTES == arr::limit::stack_bytes &&
              ARR_LIMIT_PRINTF_BYTES == arr::limit::printf_bytes &&
              ARR_LIMIT_HEAP_BYTES == arr::limit::heap_bytes);
static_assert(ARR_LIMIT_SYNC_DEPTH == arr::limit::sync_depth &&
              ARR_LIMIT_PENDING_LAUNCHES == arr::limit::pending_launches);
static_assert(ARR_LIMIT_L2_FETCH_BYTES == arr::limit::l2_fetch_bytes &&
              ARR_LIMIT_PERSISTING_L2_BYTES == arr::limit::persisting_l2_bytes);

void check_limit(int32_t limit) {
  if (limit < 0 || limit >= arr::limit::count)
    arr::fail(ARR_E_ARGUMENT, "argument limit: ", limit, ", expected one of ARR_LIMIT_...");
}

}  // namespace

arr_status arr_device_info(const arr_device* device, arr_device_properties* properties) {
  return guard("arr_device_info", [&] {
    check_pointer(properties, "properties");
    check_size(*properties, "properties");
    const arr::DeviceProperties p = properties_of(arr::device_from(device));
    static_assert(sizeof p + sizeof(int64_t) == sizeof(arr_device_properties));
    std::memcpy(&properties->compute_major, &p, sizeof p);
  });
}

arr_status arr_device_attribute(const arr_device* device, const char* name, int64_t length, int64_t* value) {
  return guard("arr_device_attribute", [&] {
    check_pointer(value, "value");
    const std::string text(string_argument(name, length, "name"));
    Device d = arr::device_from(device);
    arr::call(arr::api<arr::DeviceApi>(d).attribute, d.index, &text, value);
  });
}

arr_status arr_device_pci(const arr_device* device, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_device_pci",
               [&] { put_text(ids_of(arr::device_from(device)).pci, capacity, text, length); });
}

arr_status arr_device_uuid(const arr_device* device, int64_t capacity, char* text, int64_t* length) {
  return guard("arr_device_uuid",
               [&] { put_text(ids_of(arr::device_from(device)).uuid, capacity, text, length); });
}

arr_status arr_device_find_pci(const char* pci, int64_t length, arr_device* out) {
  return guard("arr_device_find_pci", [&] {
    check_pointer(out, "out");
    const std::string wanted = lower(string_argument(pci, length, "pci"));
    const int32_t n = count_of(ARR_CUDA);
    for (int32_t i = 0; i < n; ++i) {
      if (lower(ids_of({ARR_CUDA, i}).pci) != wanted) continue;
      *out = {ARR_CUDA, i};
      return;
    }
    arr::fail(ARR_E_ARGUMENT, "argument pci: \"", wanted, "\" matches none of ", n, " CUDA devices");
  });
}

arr_status arr_device_list(const arr_device_filter* filter, double seconds, int32_t capacity,
                           arr_device* devices, int32_t* count) {
  return guard("arr_device_list", [&] {
    check_pointer(count, "count");
    if (capacity < 0) arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, " is negative");
    if (capacity > 0) check_pointer(devices, "devices");
    if (!(seconds >= 0)) arr::fail(ARR_E_ARGUMENT, "argument seconds: ", seconds, ", expected 0 or more");
    arr_device_filter f{};
    f.struct_size = sizeof f;
    if (filter != nullptr) f = *filter;
    check_filter(f);
    std::string name;
    if (f.name != nullptr) name = lower(string_argument(f.name, f.name_length, "filter"));
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    std::vector<Device> found = matching(f, name);
    while (found.empty() && std::chrono::duration<double>(Clock::now() - begin).count() < seconds) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      found = matching(f, name);
    }
    for (size_t i = 0; i < std::min(found.size(), static_cast<size_t>(capacity)); ++i) {
      devices[i] = {found[i].type, found[i].index};
    }
    *count = static_cast<int32_t>(found.size());
  });
}

arr_status arr_device_peer_possible(const arr_device* device, const arr_device* peer, bool* possible) {
  return guard("arr_device_peer_possible", [&] {
    check_pointer(possible, "possible");
    Device d = arr::device_from(device), p = arr::device_from(peer, "peer");
    int32_t yes = 0;
    if (d.type == p.type) arr::call(arr::api<arr::DeviceApi>(d).peer_possible, d.index, p.index, &yes);
    *possible = yes != 0;
  });
}

arr_status arr_device_peer(const arr_device* device, const arr_device* peer, bool enable) {
  return guard("arr_device_peer", [&] {
    Device d = arr::device_from(device), p = arr::device_from(peer, "peer");
    if (d.type != p.type) {
      arr::fail(ARR_E_ARGUMENT, "argument peer: ", arr::device_text(p), " is of another type than ",
                arr::device_text(d));
    }
    arr::call(arr::api<arr::DeviceApi>(d).peer_access, d.index, p.index, enable);
  });
}

arr_status arr_device_limit(const arr_device* device, int32_t limit, int64_t* value) {
  return guard("arr_device_limit", [&] {
    check_pointer(value, "value");
    check_limit(limit);
    Device d = arr::device_from(device);
    arr::call(arr::api<arr::DeviceApi>(d).limit, d.index, limit, value);
  });
}

arr_status arr_device_set_limit(const arr_device* device, int32_t limit, int64_t value) {
  return guard("arr_device_set_limit", [&] {
    check_limit(limit);
    if (value < 0) arr::fail(ARR_E_ARGUMENT, "argument value: ", value, ", expected 0 or more");
    Device d = arr::device_from(device);
    arr::call(arr::api<arr::DeviceApi>(d).set_limit, d.index, limit, value);
  });
}

arr_status arr_stream_create_priority(const arr_device* device, int32_t flags, int32_t priority,
                                      arr_stream* out) {
  return guard("arr_stream_create_priority", [&] {
    check_pointer(out, "out");
    check_flags(flags, ARR_STREAM_BLOCKING);
    Device d = arr::device_from(device);
    void* handle = nullptr;
    arr::call(arr::api<arr::StreamApi>(d).create_with_priority, d.index, flags, priority, &handle);
    publish<Stream>(arr::make<Stream>(d, handle, true), out);
  });
}

arr_status arr_stream_priority_range(const arr_device* device, int32_t* least, int32_t* greatest) {
  return guard("arr_stream_priority_range", [&] {
    check_pointer(least, "least");
    check_pointer(greatest, "greatest");
    Device d = arr::device_from(device);
    arr::call(arr::api<arr::StreamApi>(d).priority_range, d.index, least, greatest);
  });
}

arr_status arr_stream_details(arr_stream stream, int32_t* flags, int32_t* priority, bool* capturing) {
  return guard("arr_stream_details", [&] {
    check_pointer(flags, "flags");
    check_pointer(priority, "priority");
    check_pointer(capturing, "capturing");
    auto s = lookup<Stream>(stream, "stream");
    const Device d = s->device();
    int32_t captured = 0;
    arr::call(arr::api<arr::StreamApi>(d).details, d.index, s->handle(), flags, priority, &captured);
    *capturing = captured != 0;
  });
}

arr_status arr_stream_host_function(arr_stream stream_handle, void (*function)(void* ctx), void* ctx) {
  return guard("arr_stream_host_function", [&] {
    if (function == nullptr) arr::fail(ARR_E_ARGUMENT, "argument function: NULL");
    auto s = stream(stream_handle);
    const Device d = s.get() == nullptr ? Device{} : s->device();
    const arr::Queue q = arr::queue_for(d, s.get());
    arr::fuse_flush();  // recorded operations come first
    arr::call(arr::api<arr::StreamApi>(d).host_function, q.index(), q.handle(), function, ctx);
  });
}

arr_status arr_event_native(arr_event event, void** native) {
  return guard("arr_event_native", [&] {
    check_pointer(native, "native");
    auto e = lookup<Event>(event, "event");
    if (e->device().type == ARR_HOST) {
      arr::fail(ARR_E_UNSUPPORTED, "the host has no native events");
    }
    *native = e->handle();
  });
}
