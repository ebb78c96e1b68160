// SPDX-License-Identifier: MIT
// Page-locked host memory. It is always portable, because an array of the host must not depend on the device
// whose context was current.
#include "backend/pinned.h"
#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

// A call on a device, for which the stream does not matter.
struct Here {
  Device& device;
  Current current;
  explicit Here(int32_t index) : device(Device::get(index)), current(device) {}
};

CUmemorytype memory_type(Device& d, const void* data) {
  CUmemorytype type = 0;
  CUresult r = driver().cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                              reinterpret_cast<CUdeviceptr>(data));
  if (r == CUDA_ERROR_INVALID_VALUE) return 0;  // memory that the driver does not know
  d.check(r, "cuPointerGetAttribute");
  return type;
}

}  // namespace

namespace {

int32_t host_allocate(int32_t device, int64_t bytes, int32_t flags, void** data, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Here here(device);
    unsigned f = host_alloc_portable;
    if ((flags & pinned::mapped) != 0) f |= host_alloc_mapped;
    if ((flags & pinned::write_combined) != 0) f |= host_alloc_write_combined;
    here.device.check(driver().cuMemHostAlloc(data, static_cast<size_t>(bytes), f), "cuMemHostAlloc");
  });
}

int32_t host_release(int32_t device, void* data, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Here here(device);
    here.device.check(driver().cuMemFreeHost(data), "cuMemFreeHost");
  });
}

int32_t host_register(int32_t device, void* data, int64_t bytes, int32_t flags, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Here here(device);
    unsigned f = host_register_portable;
    if ((flags & pinned::mapped) != 0) f |= host_register_mapped;
    if ((flags & pinned::read_only) != 0) f |= host_register_read_only;
    CUresult r = driver().cuMemHostRegister_v2(data, static_cast<size_t>(bytes), f);
    if (r == CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED) {
      fail(ARR_E_ARGUMENT, "argument data: some of the memory is page-locked already");
    }
    here.device.check(r, "cuMemHostRegister");
  });
}

int32_t host_unregister(int32_t device, void* data, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Here here(device);
    CUresult r = driver().cuMemHostUnregister(data);
    if (r == CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED) {
      fail(ARR_E_ARGUMENT, "argument data: ", data, " is not a registered address");
    }
    here.device.check(r, "cuMemHostUnregister");
  });
}

int32_t host_pinned(int32_t device, const void* data, int32_t* yes, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Here here(device);
    *yes = memory_type(here.device, data) == CU_MEMORYTYPE_HOST ? 1 : 0;
  });
}

int32_t host_on_device(int32_t device, void* data, void** address, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Here here(device);
    if (memory_type(here.device, data) != CU_MEMORYTYPE_HOST) {
      fail(ARR_E_ARGUMENT, "argument a: its memory is not page-locked, so the device has no address for it");
    }
    CUdeviceptr p = 0;
    CUresult r = driver().cuMemHostGetDevicePointer_v2(&p, data, 0);
    if (r == CUDA_ERROR_INVALID_VALUE) {
      fail(ARR_E_ARGUMENT, "argument a: its memory is not mapped for devices (ARR_PINNED_MAPPED)");
    }
    here.device.check(r, "cuMemHostGetDevicePointer");
    *address = reinterpret_cast<void*>(p);
  });
}

}  // namespace

const PinnedApi pinned_api = {
    .allocate = host_allocate,
    .release = host_release,
    .register_memory = host_register,
    .unregister_memory = host_unregister,
    .is_pinned = host_pinned,
    .device_address = host_on_device,
};

}  // namespace arr::cuda
