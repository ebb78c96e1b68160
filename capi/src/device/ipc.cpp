// SPDX-License-Identifier: MIT
// ipc.h: arrays and events that other processes open.
#include "arr/ipc.h"

#include <cstring>
#include <memory>

#include "backend/ipc.h"
#include "capi/src/entry.h"
#include "runtime/recorders.h"

using namespace arr::capi;
using arr::Device;

namespace {

void check_capacity(int64_t capacity, int64_t needed) {
  if (capacity >= needed) return;
  arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, ", expected ", needed, " bytes or more");
}

// The GPU that opens a handle; NULL selects the first.
Device gpu_of(const arr_device* device) {
  const arr_device first{ARR_CUDA, 0};
  return arr::device_from(device == nullptr ? &first : device);
}

// The handle of an array. Its shape and its strides in bytes follow.
struct Packed {
  char magic[8] = {'a', 'r', 'r', ' ', 'i', 'p', 'c', '1'};
  arr::IpcHandle memory;
  int64_t offset = 0;  // of element (0,..,0) in the memory
  int32_t dtype = 0, ndim = 0, readonly = 0, reserved = 0;
};
int64_t size_of(int32_t ndim) { return static_cast<int64_t>(sizeof(Packed)) + 16 * int64_t{ndim}; }

// The handle of an event.
struct PackedEvent {
  char magic[8] = {'a', 'r', 'r', ' ', 'e', 'v', 't', '1'};
  arr::IpcHandle event;
};

struct Opened {
  Device device;
  void* base = nullptr;
  Opened() = default;
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (base == nullptr) return;
    arr::BackendError ignored;  // a lost device has closed it
    arr::api<arr::IpcApi>(device).close_memory(device.index, base, &ignored);
  }
};

[[noreturn]] void foreign() {
  arr::fail(ARR_E_ARGUMENT, "argument handle: not a handle made by arr_ipc_export");
}

arr::Ref<arr::Array> open(const Packed& p, const int64_t* dims, Device device) {
  const auto n = static_cast<size_t>(p.ndim);
  int64_t strides[ARR_MAX_NDIM];
  int64_t low = 0, high = 0, bytes = 0;
  arr::DType dtype;
  try {
    dtype = arr::dtype_from(p.dtype);
    const int64_t item = arr::item_size(dtype);
    for (size_t i = 0; i < n; ++i) {
      strides[i] = dims[n + i] / item;
      if (dims[n + i] % item != 0) foreign();
    }
    arr::Layout::strided({dims, n}, {dims + n, n}, item).reach(item, &low, &high);
  } catch (const arr::Error&) {  // no such dtype or shape was ever exported
    foreign();
  }
  auto opened = std::make_unique<Opened>();
  opened->device = device;
  arr::call(arr::api<arr::IpcApi>(device).import_memory, device.index, &p.memory, &opened->base, &bytes);
  if (p.offset < 0 || p.offset > bytes || p.offset + low < 0 || high > bytes - p.offset) {
    arr::fail(ARR_E_ARGUMENT, "argument handle: the array extends beyond the memory of ", bytes, " bytes");
  }
  auto a = arr::wrap_array(
      static_cast<char*>(opened->base) + p.offset, dtype, {dims, n}, {strides, n}, true, device,
      [](void* ctx) { delete static_cast<Opened*>(ctx); }, opened.get(), p.readonly != 0);
  static_cast<void>(opened.release());
  return a;
}

}  // namespace

arr_status arr_ipc_export(arr_array a, int64_t capacity, void* handle, int64_t* length) {
  return guard("arr_ipc_export", [&] {
    check_pointer(length, "length");
    auto of = array(a, "a");
    const arr::Layout& l = of->layout;
    const int64_t needed = size_of(l.ndim);
    if (handle == nullptr) {
      *length = needed;
      return;
    }
    check_capacity(capacity, needed);
    if (of->device().type == ARR_HOST || of->buffer->data() == nullptr) {
      arr::fail(ARR_E_UNSUPPORTED, "argument a: ",
                of->device().type == ARR_HOST
                    ? "the array is on the host, whose memory is shared by shm_open, mmap and arr_wrap"
                    : "the array has no memory");
    }
    Packed p;
    p.dtype = static_cast<int32_t>(of->dtype);
    p.ndim = l.ndim;
    p.readonly = of->is_readonly() ? 1 : 0;
    arr::expose_address(*of->buffer);  // others may read it and write it
    arr::call(arr::api<arr::IpcApi>(of->device()).export_memory, of->device().index, of->data, &p.memory,
              &p.offset);
    auto* to = static_cast<char*>(handle);
    std::memcpy(to, &p, sizeof p);
    std::memcpy(to + sizeof p, l.shape, 8 * static_cast<size_t>(l.ndim));
    std::memcpy(to + sizeof p + 8 * static_cast<size_t>(l.ndim), l.strides, 8 * static_cast<size_t>(l.ndim));
    *length = needed;
  });
}

arr_status arr_ipc_import(const void* handle, int64_t length, const arr_device* device, arr_array* out) {
  return make_array("arr_ipc_import", out, [&] {
    check_pointer(handle, "handle");
    Packed p;
    const Packed right;
    int64_t dims[2 * ARR_MAX_NDIM] = {};
    bool ok = length >= size_of(0);
    if (ok) std::memcpy(&p, handle, sizeof p);
    ok = ok && std::memcmp(p.magic, right.magic, sizeof right.magic) == 0 && p.ndim >= 0 &&
         p.ndim <= ARR_MAX_NDIM && length == size_of(p.ndim);
    if (!ok) foreign();
    std::memcpy(dims, static_cast<const char*>(handle) + sizeof p, 16 * static_cast<size_t>(p.ndim));
    return open(p, dims, gpu_of(device));
  });
}

arr_status arr_ipc_export_event(arr_event event, int64_t capacity, void* handle, int64_t* length) {
  return guard("arr_ipc_export_event", [&] {
    check_pointer(length, "length");
    auto e = lookup<arr::Event>(event, "event");
    PackedEvent p;
    if (handle != nullptr) {
      check_capacity(capacity, sizeof p);
      if (e->device().type == ARR_HOST) {
        arr::fail(ARR_E_UNSUPPORTED, "argument event: events of the host cannot be shared");
      }
      arr::call(arr::api<arr::IpcApi>(e->device()).export_event, e->device().index, e->handle(), &p.event);
      std::memcpy(handle, &p, sizeof p);
    }
    *length = sizeof p;
  });
}

arr_status arr_ipc_import_event(const void* handle, int64_t length, const arr_device* device,
                                arr_event* out) {
  return guard("arr_ipc_import_event", [&] {
    check_pointer(handle, "handle");
    check_pointer(out, "out");
    PackedEvent p;
    const PackedEvent right;
    const bool ok = length == sizeof p && std::memcmp(handle, right.magic, sizeof right.magic) == 0;
    if (!ok) arr::fail(ARR_E_ARGUMENT, "argument handle: not a handle made by arr_ipc_export_event");
    std::memcpy(&p, handle, sizeof p);
    const Device on = gpu_of(device);
    void* opened = nullptr;
    arr::call(arr::api<arr::IpcApi>(on).import_event, on.index, &p.event, &opened);
    publish<arr::Event>(arr::make<arr::Event>(on, opened), out);
  });
}
