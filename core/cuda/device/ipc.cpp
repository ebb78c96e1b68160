// SPDX-License-Identifier: MIT
// Memory and events that other processes open.
#include "backend/ipc.h"
#include <cstring>

#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/tables.h"

namespace arr::cuda {

static_assert(sizeof(CUipcMemHandle) == sizeof(IpcHandle::bytes));
static_assert(sizeof(CUipcEventHandle) == sizeof(IpcHandle::bytes));

namespace {

int32_t ipc_export(int32_t device, const void* data, IpcHandle* handle, int64_t* offset, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    const auto at = reinterpret_cast<CUdeviceptr>(data);
    CUdeviceptr base = 0;
    size_t bytes = 0;
    call.device.check(driver().cuMemGetAddressRange_v2(&base, &bytes, at), "cuMemGetAddressRange");
    CUipcMemHandle native{};
    CUresult r = driver().cuIpcGetMemHandle(&native, base);
    if (r == CUDA_ERROR_INVALID_VALUE || r == CUDA_ERROR_NOT_SUPPORTED) {
      fail(ARR_E_UNSUPPORTED, "argument a: memory of this kind, or this device's, is not shared with others");
    }
    call.device.check(r, "cuIpcGetMemHandle");
    std::memcpy(handle->bytes, &native, sizeof native);
    *offset = static_cast<int64_t>(at - base);
  });
}

int32_t ipc_import(int32_t device, const IpcHandle* handle, void** base, int64_t* bytes, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    CUipcMemHandle native{};
    std::memcpy(&native, handle->bytes, sizeof native);
    CUdeviceptr at = 0, start = 0;
    CUresult r = driver().cuIpcOpenMemHandle_v2(&at, native, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
    if (r == CUDA_ERROR_INVALID_VALUE || r == CUDA_ERROR_INVALID_HANDLE || r == CUDA_ERROR_INVALID_CONTEXT) {
      fail(ARR_E_ARGUMENT, "argument handle: the driver knows no such memory of another process");
    }
    call.device.check(r, "cuIpcOpenMemHandle");
    size_t size = 0;
    r = driver().cuMemGetAddressRange_v2(&start, &size, at);
    if (r != CUDA_SUCCESS) call.device.note(driver().cuIpcCloseMemHandle(at), "cuIpcCloseMemHandle");
    call.device.check(r, "cuMemGetAddressRange");
    *base = reinterpret_cast<void*>(at);
    *bytes = static_cast<int64_t>(size - static_cast<size_t>(at - start));
  });
}

int32_t ipc_close(int32_t device, void* base, BackendError* e) {
  return translate_exceptions(e, [&] {
    Device* d = Device::find(device);
    if (d == nullptr || d->lost()) return;
    const Current current(*d, std::nothrow);
    d->note(driver().cuIpcCloseMemHandle(reinterpret_cast<CUdeviceptr>(base)), "cuIpcCloseMemHandle");
  });
}

int32_t ipc_export_event(int32_t device, void* event, IpcHandle* handle, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    CUipcEventHandle native{};
    const CUresult r = driver().cuIpcGetEventHandle(&native, static_cast<CUevent>(event));
    if (r == CUDA_ERROR_INVALID_VALUE || r == CUDA_ERROR_INVALID_HANDLE || r == CUDA_ERROR_MAP_FAILED) {
      fail(ARR_E_ARGUMENT, "argument event: was not made with ARR_EVENT_SHARED");
    }
    call.device.check(r, "cuIpcGetEventHandle");
    std::memcpy(handle->bytes, &native, sizeof native);
  });
}

int32_t ipc_import_event(int32_t device, const IpcHandle* handle, void** event, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    CUipcEventHandle native{};
    std::memcpy(&native, handle->bytes, sizeof native);
    CUevent opened = nullptr;
    const CUresult r = driver().cuIpcOpenEventHandle(&opened, native);
    if (r == CUDA_ERROR_INVALID_VALUE || r == CUDA_ERROR_INVALID_HANDLE || r == CUDA_ERROR_INVALID_CONTEXT ||
        r == CUDA_ERROR_MAP_FAILED) {
      fail(ARR_E_ARGUMENT, "argument handle: the driver knows no such event of another process");
    }
    call.device.check(r, "cuIpcOpenEventHandle");
    *event = opened;
  });
}

}  // namespace

const IpcApi ipc_api = {
    .export_memory = ipc_export,
    .import_memory = ipc_import,
    .close_memory = ipc_close,
    .export_event = ipc_export_event,
    .import_event = ipc_import_event,
};

}  // namespace arr::cuda
