// SPDX-License-Identifier: MIT
// The fake driver: devices, contexts, streams.
#include <cstdlib>
#include <cstring>

#include "state.h"

namespace arr::fake {
namespace {

struct ErrorName {
  CUresult code;
  const char *name, *text;
};
constexpr ErrorName error_names[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ERROR_UNSUPPORTED_LIMIT, "CUDA_ERROR_UNSUPPORTED_LIMIT",
     "limit is not supported on this architecture"},
    {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
     "part or all of the requested memory range is already mapped"},
    {CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
     "pointer does not correspond to a registered memory region"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
     "operation not permitted when stream is capturing"},
    {CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION",
     "dependency created on uncaptured work in another stream"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

const ErrorName* find_error(CUresult code) {
  for (const ErrorName& e : error_names) {
    if (e.code == code) return &e;
  }
  return nullptr;
}

// Attributes of the device, but its compute capability; numbers are those of CUDA where its header is not
// used.
constexpr struct {
  int attribute, value;
} attributes[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 0x7fffffff},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, 49152},
    {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448},
    {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
    {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, multiprocessors},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, 512},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 32},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, 131072},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, 32768},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, 16384},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH, 16384},
    {27, 32768},  // MAXIMUM_TEXTURE2D_LAYERED_WIDTH; here and below sizes of layers, cubes and gathers
    {28, 32768},
    {42, 32768},
    {45, 32768},
    {46, 32768},
    {52, 32768},
    {53, 32768},
    {61, 32768},
    {63, 32768},
    {64, 32768},
    {66, 32768},
    {67, 32768},
    {29, 2048},  // MAXIMUM_TEXTURE2D_LAYERED_LAYERS and other numbers of layers
    {43, 2048},
    {54, 2048},
    {62, 2048},
    {65, 2048},
    {68, 2048},
    {10, 32},    // WARP_SIZE
    {39, 2048},  // MAX_THREADS_PER_MULTIPROCESSOR
};

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuInit(unsigned int) {
  ARR_FAKE_ENTER(cuInit);
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  ARR_FAKE_ENTER(cuDriverGetVersion);
  *version = 13000;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** text) {
  ARR_FAKE_ENTER(cuGetErrorName);
  const ErrorName* e = find_error(error);
  *text = e == nullptr ? nullptr : e->name;
  return e == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  ARR_FAKE_ENTER(cuGetErrorString);
  const ErrorName* e = find_error(error);
  *text = e == nullptr ? nullptr : e->text;
  return e == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuDeviceGetCount(int* count) {
  ARR_FAKE_ENTER(cuDeviceGetCount);
  *count = static_cast<int>(setting("devices"));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  ARR_FAKE_ENTER(cuDeviceGet);
  if (ordinal < 0 || ordinal >= setting("devices")) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int length, CUdevice device) {
  ARR_FAKE_ENTER(cuDeviceGetName);
  std::string n = "fake GPU " + std::to_string(device);
  std::strncpy(name, n.c_str(), static_cast<size_t>(length));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice) {
  ARR_FAKE_ENTER(cuDeviceGetAttribute);
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) {
    *value = static_cast<int>(setting("arch") / 10);
    return CUDA_SUCCESS;
  }
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) {
    *value = static_cast<int>(setting("arch") % 10);
    return CUDA_SUCCESS;
  }
  for (const auto& row : attributes) {
    if (row.attribute != attribute) continue;
    *value = row.value;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceTotalMem_v2(size_t* bytes, CUdevice) {
  ARR_FAKE_ENTER(cuDeviceTotalMem_v2);
  *bytes = static_cast<size_t>(setting("memory"));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice device) {
  ARR_FAKE_ENTER(cuDeviceGetPCIBusId);
  std::string id = "0000:0" + std::to_string(device) + ":00.0";
  std::strncpy(text, id.c_str(), static_cast<size_t>(length));
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device) {
  ARR_FAKE_ENTER(cuDeviceGetUuid_v2);
  for (int i = 0; i < 16; ++i) uuid->bytes[i] = static_cast<char>(17 * i + device);
  return CUDA_SUCCESS;
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice device, CUdevice peer) {
  ARR_FAKE_ENTER(cuDeviceCanAccessPeer);
  *can = device != peer ? 1 : 0;
  return CUDA_SUCCESS;
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned int) {
  ARR_FAKE_ENTER(cuCtxEnablePeerAccess);
  ARR_FAKE_CONTEXT;
  return current()->peers.insert(peer).second ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  ARR_FAKE_ENTER(cuCtxDisablePeerAccess);
  ARR_FAKE_CONTEXT;
  return current()->peers.erase(peer) != 0 ? CUDA_SUCCESS : CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  ARR_FAKE_ENTER(cuDevicePrimaryCtxRetain);
  Context* c = primary(device);
  ++c->retained;
  *context = reinterpret_cast<CUcontext>(c);
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ARR_FAKE_ENTER(cuDevicePrimaryCtxRelease_v2);
  Context* c = primary(device);
  if (c->retained == 0) return CUDA_ERROR_INVALID_CONTEXT;
  --c->retained;
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  ARR_FAKE_ENTER(cuCtxGetCurrent);
  *context = reinterpret_cast<CUcontext>(current());
  return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ARR_FAKE_ENTER(cuCtxPushCurrent_v2);
  push(reinterpret_cast<Context*>(context));
  return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  ARR_FAKE_ENTER(cuCtxPopCurrent_v2);
  Context* c = nullptr;
  if (!pop(&c)) return CUDA_ERROR_INVALID_CONTEXT;
  *context = reinterpret_cast<CUcontext>(c);
  return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize(void) {
  ARR_FAKE_ENTER(cuCtxSynchronize);
  ARR_FAKE_CONTEXT;
  if (live().captures != 0) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  run_all();
  return enter(Fn::cuCtxSynchronize);  // what the work itself gave
}

CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  ARR_FAKE_ENTER(cuCtxGetStreamPriorityRange);
  ARR_FAKE_CONTEXT;
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}
CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  ARR_FAKE_ENTER(cuStreamCreateWithPriority);
  ARR_FAKE_CONTEXT;
  auto* s = new Stream;
  s->context = current();
  s->flags = flags;
  s->priority = priority > 0 ? 0 : priority < -5 ? -5 : priority;
  ++live().streams;
  *stream = reinterpret_cast<CUstream>(s);
  return CUDA_SUCCESS;
}
CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  ARR_FAKE_ENTER(cuStreamGetPriority);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *priority = s->priority;
  return CUDA_SUCCESS;
}
CUresult cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  ARR_FAKE_ENTER(cuStreamGetFlags);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *flags = s->flags;
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  ARR_FAKE_ENTER(cuStreamIsCapturing);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *status = s->capture == nullptr ? CU_STREAM_CAPTURE_STATUS_NONE : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  return CUDA_SUCCESS;
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  ARR_FAKE_ENTER(cuLaunchHostFunc);
  Stream* s = stream_of(stream);
  if (s == nullptr || function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  enqueue(*s, [=] {
    function(data);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream* stream, unsigned int flags) {
  ARR_FAKE_ENTER(cuStreamCreate);
  ARR_FAKE_CONTEXT;
  auto* s = new Stream;
  s->context = current();
  s->flags = flags;
  ++live().streams;
  *stream = reinterpret_cast<CUstream>(s);
  return CUDA_SUCCESS;
}
CUresult cuStreamDestroy_v2(CUstream stream) {
  ARR_FAKE_ENTER(cuStreamDestroy_v2);
  Stream* s = stream_of(stream);
  if (stream == nullptr || s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  run(*s->queue, s->queue->queued);
  leave_capture(*s);
  delete s;
  --live().streams;
  return CUDA_SUCCESS;
}
CUresult cuStreamSynchronize(CUstream stream) {
  ARR_FAKE_ENTER(cuStreamSynchronize);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture != nullptr) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  run(*s->queue, s->queue->queued);
  return enter(Fn::cuStreamSynchronize);
}
CUresult cuStreamQuery(CUstream stream) {
  ARR_FAKE_ENTER(cuStreamQuery);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture != nullptr) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  return s->queue->done == s->queue->queued ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

#pragma GCC visibility pop
}
