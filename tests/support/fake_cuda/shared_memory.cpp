// SPDX-License-Identifier: MIT
// The fake driver: managed memory, of which only the books are kept, and memory and events that processes
// share. There is one process here, so it may open its own, which a driver refuses; what is opened lies where
// it lay.
#include <cstring>
#include <iterator>

#include "state.h"

namespace arr::fake {
namespace {

struct Handle {
  char magic[8] = {'f', 'a', 'k', 'e', ' ', 'i', 'p', 'c'};
  uintptr_t base = 0;
};

// Events that were given away, by the numbers in their handles.
std::vector<std::weak_ptr<Event>>& given() {
  static std::vector<std::weak_ptr<Event>> all;
  return all;
}

bool is_place(const CUmemLocation& place) {
  return place.type == CU_MEM_LOCATION_TYPE_HOST ||
         (place.type == CU_MEM_LOCATION_TYPE_DEVICE && place.id >= 0 && place.id < setting("devices"));
}

// Whether all bytes lie in one piece of managed memory.
bool is_managed(CUdeviceptr pointer, size_t bytes) {
  size_t whole = 0;
  const auto at = static_cast<uintptr_t>(pointer);
  const uintptr_t base = allocation(at, &whole);
  return base != 0 && current()->managed.count(base) != 0 && bytes <= whole - (at - base);
}

}  // namespace

uintptr_t allocation(uintptr_t address, size_t* bytes) {
  const auto& memory = current()->memory;
  auto next = memory.upper_bound(address);
  if (next == memory.begin()) return 0;
  auto at = std::prev(next);
  if (address - at->first >= at->second) return 0;
  *bytes = at->second;
  return at->first;
}

}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation place, unsigned int flags,
                               CUstream stream) {
  ARR_FAKE_ENTER(cuMemPrefetchAsync_v2);
  ARR_FAKE_CONTEXT;
  if (stream_of(stream) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0 || !is_place(place) || !is_managed(pointer, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}
CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation place) {
  ARR_FAKE_ENTER(cuMemAdvise_v2);
  ARR_FAKE_CONTEXT;
  if (advice < 1 || advice > 6 || !is_place(place) || !is_managed(pointer, bytes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr pointer) {
  ARR_FAKE_ENTER(cuMemGetAddressRange_v2);
  ARR_FAKE_CONTEXT;
  const uintptr_t at = allocation(static_cast<uintptr_t>(pointer), bytes);
  if (at == 0) return CUDA_ERROR_NOT_FOUND;
  *base = static_cast<CUdeviceptr>(at);
  return CUDA_SUCCESS;
}
CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr pointer) {
  ARR_FAKE_ENTER(cuIpcGetMemHandle);
  ARR_FAKE_CONTEXT;
  Handle h;
  h.base = static_cast<uintptr_t>(pointer);
  const Context& c = *current();
  if (c.memory.count(h.base) == 0 || c.managed.count(h.base) + c.pooled.count(h.base) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  *handle = {};
  std::memcpy(handle->reserved, &h, sizeof h);
  return CUDA_SUCCESS;
}
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags) {
  ARR_FAKE_ENTER(cuIpcOpenMemHandle_v2);
  ARR_FAKE_CONTEXT;
  Handle h;
  const Handle right;
  std::memcpy(&h, handle.reserved, sizeof h);
  if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS || std::memcmp(h.magic, right.magic, sizeof h.magic) != 0 ||
      current()->memory.count(h.base) == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  ++live().opened;
  *pointer = static_cast<CUdeviceptr>(h.base);
  return CUDA_SUCCESS;
}
CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  ARR_FAKE_ENTER(cuIpcCloseMemHandle);
  ARR_FAKE_CONTEXT;
  if (live().opened == 0 || current()->memory.count(static_cast<uintptr_t>(pointer)) == 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  --live().opened;
  return CUDA_SUCCESS;
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  ARR_FAKE_ENTER(cuIpcGetEventHandle);
  ARR_FAKE_CONTEXT;
  if (!event_of(event).shared) return CUDA_ERROR_INVALID_HANDLE;
  Handle h;
  h.base = given().size();
  given().push_back(handle_of(event));
  *handle = {};
  std::memcpy(handle->reserved, &h, sizeof h);
  return CUDA_SUCCESS;
}
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  ARR_FAKE_ENTER(cuIpcOpenEventHandle);
  ARR_FAKE_CONTEXT;
  Handle h;
  const Handle right;
  std::memcpy(&h, handle.reserved, sizeof h);
  if (std::memcmp(h.magic, right.magic, sizeof h.magic) != 0 || h.base >= given().size()) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  EventHandle same = given()[h.base].lock();
  if (same == nullptr) return CUDA_ERROR_MAP_FAILED;
  ++live().events;
  *event = reinterpret_cast<CUevent>(new EventHandle(std::move(same)));
  return CUDA_SUCCESS;
}

#pragma GCC visibility pop
}
