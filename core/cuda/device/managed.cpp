// SPDX-License-Identifier: MIT
// Managed memory: its location and its prefetching.
#include "backend/managed.h"
#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

bool is_managed(Device& d, const void* data) {
  unsigned yes = 0;
  CUresult r = driver().cuPointerGetAttribute(&yes, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                              reinterpret_cast<CUdeviceptr>(data));
  if (r == CUDA_ERROR_INVALID_VALUE) return false;  // memory that the driver does not know
  d.check(r, "cuPointerGetAttribute");
  return yes != 0;
}

// Both functions need the same checks.
void check(Device& d, const void* data, bool has) {
  if (!has) fail(ARR_E_UNSUPPORTED, "the driver is older than CUDA 12.2, which this needs");
  if (!is_managed(d, data)) fail(ARR_E_ARGUMENT, "argument a: its memory is not managed");
}
void check(Device& d, CUresult r, const char* function, const Stream& s) {
  if (r == CUDA_ERROR_INVALID_DEVICE) {
    fail(ARR_E_UNSUPPORTED, "argument device: it does not share managed memory by pages");
  }
  d.check(r, function, &s);
}

CUmemLocation location(int32_t target) {
  if (target < 0) return {CU_MEM_LOCATION_TYPE_HOST, 0};
  return {CU_MEM_LOCATION_TYPE_DEVICE, target};
}

}  // namespace

int32_t memory_device(const void* data, int32_t* device, BackendError* e) {
  return translate_exceptions(e, [&] {
    constexpr int32_t any = 0;
    Device& d = Device::get(any);
    const Current current(d);
    const auto pointer = reinterpret_cast<CUdeviceptr>(data);
    CUmemorytype type = 0;
    int ordinal = -1;
    CUresult r = driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer);
    if (r == CUDA_SUCCESS && (type != CU_MEMORYTYPE_HOST || is_managed(d, data))) {
      r = driver().cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer);
    }
    if (r != CUDA_ERROR_INVALID_VALUE)
      d.check(r, "cuPointerGetAttribute");  // otherwise the driver does not know it
    *device = ordinal;
  });
}

namespace {

int32_t memory_managed(int32_t device, const void* data, int32_t* yes, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    *yes = is_managed(call.device, data) ? 1 : 0;
  });
}

int32_t memory_prefetch(int32_t device, void* data, int64_t bytes, int32_t target, void* stream,
                        BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    check(call.device, data, driver().cuMemPrefetchAsync_v2 != nullptr);
    CUresult r =
        driver().cuMemPrefetchAsync_v2(reinterpret_cast<CUdeviceptr>(data), static_cast<size_t>(bytes),
                                       location(target), 0, call.stream.handle);
    check(call.device, r, "cuMemPrefetchAsync", call.stream);
  });
}

int32_t memory_advise(int32_t device, void* data, int64_t bytes, int32_t advice, int32_t target,
                      BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    check(call.device, data, driver().cuMemAdvise_v2 != nullptr);
    CUresult r = driver().cuMemAdvise_v2(reinterpret_cast<CUdeviceptr>(data), static_cast<size_t>(bytes),
                                         advice, location(target));
    check(call.device, r, "cuMemAdvise", call.stream);
  });
}

}  // namespace

const ManagedApi managed_api = {
    .is_managed = memory_managed,
    .prefetch = memory_prefetch,
    .advise = memory_advise,
};

}  // namespace arr::cuda
