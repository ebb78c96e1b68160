// SPDX-License-Identifier: MIT
// The fake driver: memory.
#include <cstdlib>
#include <cstring>

#include "state.h"

namespace arr::fake {
namespace {

CUresult copy(void* to, const void* from, size_t bytes, Stream* s) {
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  enqueue(*s, [=] {
    std::memmove(to, from, bytes);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

CUresult take(CUdeviceptr* pointer, size_t bytes) {
  ARR_FAKE_CONTEXT;
  Context* c = current();
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  auto total = static_cast<size_t>(setting("memory"));
  if (bytes > total || c->used > total - bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  // Whole pages, which may be given to other processes.
  void* p = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (p == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  std::memset(p, 0xA5, bytes < 65536 ? bytes : 65536);  // fresh memory holds nothing useful
  c->memory[reinterpret_cast<uintptr_t>(p)] = bytes;
  c->used += bytes;
  *pointer = reinterpret_cast<CUdeviceptr>(p);
  return CUDA_SUCCESS;
}

CUresult drop(Context* c, CUdeviceptr pointer) {
  auto at = c->memory.find(static_cast<uintptr_t>(pointer));
  if (at == c->memory.end()) return CUDA_ERROR_INVALID_VALUE;
  auto given = c->shared.find(static_cast<uintptr_t>(pointer));
  if (given != c->shared.end()) {
    if (!given->second->own()) return CUDA_ERROR_INVALID_VALUE;
    c->shared.erase(given);
  }
  c->used -= at->second;
  c->memory.erase(at);
  c->managed.erase(static_cast<uintptr_t>(pointer));
  c->pooled.erase(static_cast<uintptr_t>(pointer));
  std::free(reinterpret_cast<void*>(pointer));
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes) {
  ARR_FAKE_ENTER(cuMemAlloc_v2);
  return take(pointer, bytes);
}
CUresult cuMemFree_v2(CUdeviceptr pointer) {
  ARR_FAKE_ENTER(cuMemFree_v2);
  ARR_FAKE_CONTEXT;
  return drop(current(), pointer);
}
CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned int flags) {
  ARR_FAKE_ENTER(cuMemAllocManaged);
  if (flags != CU_MEM_ATTACH_GLOBAL) return CUDA_ERROR_INVALID_VALUE;
  CUresult r = take(pointer, bytes);
  if (r == CUDA_SUCCESS) current()->managed.insert(static_cast<uintptr_t>(*pointer));
  return r;
}
CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  ARR_FAKE_ENTER(cuMemAllocAsync);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture != nullptr)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;  // a node of the graph, which is not faked
  CUresult r = take(pointer, bytes);
  if (r == CUDA_SUCCESS) current()->pooled.insert(static_cast<uintptr_t>(*pointer));
  return r;
}
CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  ARR_FAKE_ENTER(cuDeviceGetDefaultMemPool);
  if (primary(device) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  *pool = reinterpret_cast<CUmemoryPool>(primary(device));
  return CUDA_SUCCESS;
}
CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  ARR_FAKE_ENTER(cuMemPoolTrimTo);
  return pool == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;  // it keeps nothing
}
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  ARR_FAKE_ENTER(cuMemFreeAsync);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Context* c = current();
  if (c == nullptr || c->memory.count(static_cast<uintptr_t>(pointer)) == 0) return CUDA_ERROR_INVALID_VALUE;
  enqueue(*s, [=] { return drop(c, pointer); });
  return CUDA_SUCCESS;
}
CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
  ARR_FAKE_ENTER(cuMemGetInfo_v2);
  ARR_FAKE_CONTEXT;
  *total = static_cast<size_t>(setting("memory"));
  *free_bytes = *total > current()->used ? *total - current()->used : 0;
  return CUDA_SUCCESS;
}
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
  ARR_FAKE_ENTER(cuMemcpyHtoDAsync_v2);
  if (!on_device(static_cast<uintptr_t>(to), bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (touches_device(reinterpret_cast<uintptr_t>(from), bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copy(reinterpret_cast<void*>(to), from, bytes, stream_of(stream));
}
CUresult cuMemcpyDtoHAsync_v2(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ARR_FAKE_ENTER(cuMemcpyDtoHAsync_v2);
  if (!on_device(static_cast<uintptr_t>(from), bytes)) return CUDA_ERROR_INVALID_VALUE;
  if (touches_device(reinterpret_cast<uintptr_t>(to), bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copy(to, reinterpret_cast<const void*>(from), bytes, stream_of(stream));
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
  ARR_FAKE_ENTER(cuMemcpyDtoDAsync_v2);
  if (!on_device(static_cast<uintptr_t>(from), bytes) || !on_device(static_cast<uintptr_t>(to), bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes, stream_of(stream));
}
CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                           size_t bytes, CUstream stream) {
  ARR_FAKE_ENTER(cuMemcpyPeerAsync);
  if (!on_device(*reinterpret_cast<Context*>(to_context), static_cast<uintptr_t>(to), bytes) ||
      !on_device(*reinterpret_cast<Context*>(from_context), static_cast<uintptr_t>(from), bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return copy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes, stream_of(stream));
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream) {
  ARR_FAKE_ENTER(cuMemsetD8Async);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!on_device(static_cast<uintptr_t>(to), bytes)) return CUDA_ERROR_INVALID_VALUE;
  enqueue(*s, [=] {
    std::memset(reinterpret_cast<void*>(to), value, bytes);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

#pragma GCC visibility pop
}
