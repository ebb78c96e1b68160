// SPDX-License-Identifier: MIT
// memory_kinds.h: managed memory, rows at a pitch, arrays and events that other processes open.
#include <cstring>
#include <memory>

#include "backend/ipc.h"
#include "backend/managed.h"
#include "backend/memory.h"
#include "capi/src/entry.h"
#include "runtime/recorders.h"

using namespace arr::capi;
using arr::Device;

namespace {

// The bytes between the first and the last element.
struct Bytes {
  char* data;
  int64_t count;
  explicit Bytes(const arr::Array& a) : data(a.data), count(0) {
    int64_t low = 0, high = 0;
    a.layout.reach(a.item(), &low, &high);
    data += low;
    count = high - low;
  }
};

void check_capacity(int64_t capacity, int64_t needed) {
  if (capacity >= needed) return;
  arr::fail(ARR_E_ARGUMENT, "argument capacity: ", capacity, ", the handle takes ", needed, " bytes");
}

// The GPU where something is opened, the first where none is named.
Device gpu_of(const arr_device* device) {
  const arr_device first{ARR_CUDA, 0};
  return arr::device_from(device == nullptr ? &first : device);
}

// Where memory is to be, as the seam has it; -1: the host.
int32_t target_of(const arr_device* device) {
  const Device d = arr::device_from(device);
  return d.type == ARR_HOST ? -1 : d.index;
}

// What the handle of an array is; shape and strides follow, in bytes.
struct Packed {
  char magic[8] = {'a', 'r', 'r', ' ', 'i', 'p', 'c', '1'};
  arr::IpcHandle memory;
  int64_t offset = 0;  // of element (0,..,0) in the memory
  int32_t dtype = 0, ndim = 0, readonly = 0, reserved = 0;
};
int64_t size_of(int32_t ndim) { return static_cast<int64_t>(sizeof(Packed)) + 16 * int64_t{ndim}; }

// What the handle of an event is.
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

[[noreturn]] void foreign() { arr::fail(ARR_E_ARGUMENT, "argument handle: is none of arr_ipc_export"); }

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
    arr::fail(ARR_E_ARGUMENT, "argument handle: the array reaches out of the memory of ", bytes, " bytes");
  }
  auto a = arr::wrap_array(
      static_cast<char*>(opened->base) + p.offset, dtype, {dims, n}, {strides, n}, true, device,
      [](void* ctx) { delete static_cast<Opened*>(ctx); }, opened.get(), p.readonly != 0);
  static_cast<void>(opened.release());
  return a;
}

}  // namespace

arr_status arr_is_managed(arr_array a, int32_t* managed) {
  return guard("arr_is_managed", [&] {
    check_pointer(managed, "managed");
    auto of = array(a, "a");
    int32_t yes = 1;
    if (of->device().type != ARR_HOST) {
      yes = 0;
      if (of->buffer->data() != nullptr) {
        arr::call(arr::api<arr::ManagedApi>(of->device()).is_managed, of->device().index, of->data, &yes);
      }
    }
    *managed = yes;
  });
}

arr_status arr_memory_device(const void* data, arr_device* device) {
  return guard("arr_memory_device", [&] {
    check_pointer(data, "data");
    check_pointer(device, "device");
    int32_t index = -1;
    if (arr::backend_state(ARR_CUDA).state == ARR_BACKEND_WORKING) {
      arr::call(arr::api<arr::MemoryApi>(arr::Device{ARR_CUDA, 0}).device_of, data, &index);
    }
    *device = index < 0 ? arr_device{ARR_HOST, 0} : arr_device{ARR_CUDA, index};
  });
}

arr_status arr_memory_prefetch(arr_array a, const arr_device* device, arr_stream stream_handle) {
  return guard("arr_memory_prefetch", [&] {
    auto of = array(a, "a");
    const int32_t target = target_of(device);
    auto s = stream(stream_handle);
    const arr::Queue q = arr::queue_for(of->device(), s.get());
    const Bytes bytes(*of);
    if (of->device().type == ARR_HOST || bytes.count == 0) return;
    arr::use_to_read(*of->buffer, q);
    arr::call(arr::api<arr::ManagedApi>(q.device).prefetch, q.index(), bytes.data, bytes.count, target,
              q.handle());
  });
}

arr_status arr_memory_advise(arr_array a, int32_t advice, const arr_device* device) {
  return guard("arr_memory_advise", [&] {
    auto of = array(a, "a");
    if (advice < ARR_ADVISE_READ_MOSTLY || advice > ARR_ADVISE_NOT_USED_BY) {
      arr::fail(ARR_E_ARGUMENT, "argument advice: ", advice, " is none of ARR_ADVISE_...");
    }
    const int32_t target = target_of(device);
    const Bytes bytes(*of);
    const Device d = of->device();
    if (d.type == ARR_HOST || bytes.count == 0) return;
    arr::call(arr::api<arr::ManagedApi>(d).advise, d.index, bytes.data, bytes.count, advice, target);
  });
}

arr_status arr_create_pitched(arr_dtype dtype, int32_t ndim, const int64_t* shape, const arr_device* device,
                              arr_stream stream_handle, arr_array* out) {
  return make_array("arr_create_pitched", out, [&] {
    auto s = stream(stream_handle);
    return arr::empty_pitched(arr::dtype_from(dtype), shape_argument(ndim, shape), arr::device_from(device),
                              s.get());
  });
}

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
                    ? "memory of the host is shared by the system's means (shm_open, mmap) and arr_wrap"
                    : "has no memory");
    }
    Packed p;
    p.dtype = static_cast<int32_t>(of->dtype);
    p.ndim = l.ndim;
    p.readonly = of->readonly ? 1 : 0;
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
        arr::fail(ARR_E_UNSUPPORTED, "argument event: is of the host, which shares none");
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
    if (!ok) arr::fail(ARR_E_ARGUMENT, "argument handle: is none of arr_ipc_export_event");
    std::memcpy(&p, handle, sizeof p);
    const Device on = gpu_of(device);
    void* opened = nullptr;
    arr::call(arr::api<arr::IpcApi>(on).import_event, on.index, &p.event, &opened);
    publish<arr::Event>(arr::make<arr::Event>(on, opened), out);
  });
}
