// SPDX-License-Identifier: MIT
// The fake driver: page-locked memory of the host. Nothing is locked; the books are kept as the driver would.
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "state.h"

namespace arr::fake {
namespace {

struct Range {
  size_t bytes;
  unsigned flags;
  bool ours;  // of cuMemHostAlloc
};
std::map<uintptr_t, Range>& ranges() {
  static auto* m = new std::map<uintptr_t, Range>;
  return *m;
}

// The range an address lies in, or the end.
std::map<uintptr_t, Range>::iterator find(uintptr_t address) {
  auto next = ranges().upper_bound(address);
  if (next == ranges().begin()) return ranges().end();
  auto r = std::prev(next);
  return address - r->first < r->second.bytes ? r : ranges().end();
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  ARR_FAKE_ENTER(cuMemHostAlloc);
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (bytes == 0 || (flags & ~7U) != 0) return CUDA_ERROR_INVALID_VALUE;
  void* p = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (p == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  std::memset(p, 0xA5, bytes < 65536 ? bytes : 65536);
  ranges()[reinterpret_cast<uintptr_t>(p)] = {bytes, flags, true};
  ++live().pinned;
  *pointer = p;
  return CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void* pointer) {
  ARR_FAKE_ENTER(cuMemFreeHost);
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  auto r = ranges().find(reinterpret_cast<uintptr_t>(pointer));
  if (r == ranges().end() || !r->second.ours) return CUDA_ERROR_INVALID_VALUE;
  ranges().erase(r);
  --live().pinned;
  std::free(pointer);
  return CUDA_SUCCESS;
}
CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned int flags) {
  ARR_FAKE_ENTER(cuMemHostRegister_v2);
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (pointer == nullptr || bytes == 0 || (flags & ~15U) != 0) return CUDA_ERROR_INVALID_VALUE;
  const auto first = reinterpret_cast<uintptr_t>(pointer);
  auto next = ranges().lower_bound(first);
  if (find(first) != ranges().end() || (next != ranges().end() && next->first - first < bytes)) {
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  }
  ranges()[first] = {bytes, flags, false};
  ++live().registered;
  return CUDA_SUCCESS;
}
CUresult cuMemHostUnregister(void* pointer) {
  ARR_FAKE_ENTER(cuMemHostUnregister);
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  auto r = ranges().find(reinterpret_cast<uintptr_t>(pointer));
  if (r == ranges().end() || r->second.ours) return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  ranges().erase(r);
  --live().registered;
  return CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pointer, void* host, unsigned int flags) {
  ARR_FAKE_ENTER(cuMemHostGetDevicePointer_v2);
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  auto r = find(reinterpret_cast<uintptr_t>(host));
  if (flags != 0 || r == ranges().end() || (r->second.flags & host_alloc_mapped) == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *pointer = reinterpret_cast<CUdeviceptr>(host);
  return CUDA_SUCCESS;
}
CUresult cuPointerGetAttribute(void* value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  ARR_FAKE_ENTER(cuPointerGetAttribute);
  if (current() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED) {
    size_t bytes = 0;
    const uintptr_t base = allocation(static_cast<uintptr_t>(pointer), &bytes);
    if (base == 0) return CUDA_ERROR_INVALID_VALUE;
    *static_cast<unsigned*>(value) = static_cast<unsigned>(current()->managed.count(base));
    return CUDA_SUCCESS;
  }
  const bool host = find(static_cast<uintptr_t>(pointer)) != ranges().end();
  const Context* of = owner(static_cast<uintptr_t>(pointer));
  if (!host && of == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) {
    *static_cast<int*>(value) = host ? 0 : of->device;
    return CUDA_SUCCESS;
  }
  if (attribute != CU_POINTER_ATTRIBUTE_MEMORY_TYPE) return CUDA_ERROR_INVALID_VALUE;
  *static_cast<CUmemorytype*>(value) = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  return CUDA_SUCCESS;
}

#pragma GCC visibility pop
}
