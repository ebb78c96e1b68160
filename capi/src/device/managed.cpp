// SPDX-License-Identifier: MIT
// managed.h: managed memory, which moves between host and device.
#include "arr/managed.h"

#include "backend/managed.h"
#include "backend/memory.h"
#include "capi/src/entry.h"
#include "runtime/recorders.h"

using namespace arr::capi;
using arr::Device;

namespace {

// The bytes from the first element to the last.
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

// The index of the device for the backend; -1 is the host.
int32_t target_of(const arr_device* device) {
  const Device d = arr::device_from(device);
  return d.type == ARR_HOST ? -1 : d.index;
}

}  // namespace

arr_status arr_is_managed(arr_array a, bool* managed) {
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
    *managed = yes != 0;
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
      arr::fail(ARR_E_ARGUMENT, "argument advice: ", advice, ", expected one of ARR_ADVISE_...");
    }
    const int32_t target = target_of(device);
    const Bytes bytes(*of);
    const Device d = of->device();
    if (d.type == ARR_HOST || bytes.count == 0) return;
    arr::call(arr::api<arr::ManagedApi>(d).advise, d.index, bytes.data, bytes.count, advice, target);
  });
}
