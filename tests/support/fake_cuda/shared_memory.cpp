// SPDX-License-Identifier: MIT
// The fake driver: managed memory, of which only the books are kept, and memory and events that processes
// share. A process may open its own, which a driver refuses; then it lies where it lay.
#include <unistd.h>

#include <cstring>
#include <iterator>

#include "state.h"

namespace arr::fake {
namespace {

static_assert(sizeof(ShareName) <= sizeof(CUipcMemHandle) && sizeof(ShareName) <= sizeof(CUipcEventHandle));

template <class Handle>
void write(Handle* handle, const ShareName& name) {
  *handle = {};
  std::memcpy(handle->reserved, &name, sizeof name);
}
template <class Handle>
ShareName read(const Handle& handle) {
  ShareName name;
  std::memcpy(&name, handle.reserved, sizeof name);
  return name;
}

// The memory of this process that has the name; 0: none.
uintptr_t own(const ShareName& name) {
  for (const auto& [base, shared] : current()->shared) {
    if (shared->own() && std::memcmp(&shared->name(), &name, sizeof name) == 0) return base;
  }
  return 0;
}

// Events that were given away.
std::vector<std::weak_ptr<Event>>& given() {
  static std::vector<std::weak_ptr<Event>> all;
  return all;
}

bool is_location(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_HOST || (location.type == CU_MEM_LOCATION_TYPE_DEVICE &&
                                                        location.id >= 0 && location.id < setting("devices"));
}

// Returns whether all bytes are in one piece of managed memory.
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

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int flags,
                               CUstream stream) {
  ARR_FAKE_ENTER(cuMemPrefetchAsync_v2);
  ARR_FAKE_CONTEXT;
  if (stream_of(stream) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (flags != 0 || !is_location(location) || !is_managed(pointer, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}
CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, CUmem_advise advice, CUmemLocation location) {
  ARR_FAKE_ENTER(cuMemAdvise_v2);
  ARR_FAKE_CONTEXT;
  if (advice < 1 || advice > 6 || !is_location(location) || !is_managed(pointer, bytes)) {
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
  const auto base = static_cast<uintptr_t>(pointer);
  Context& c = *current();
  const auto at = c.memory.find(base);
  if (at == c.memory.end() || c.managed.count(base) + c.pooled.count(base) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::unique_ptr<Shared>& shared = c.shared[base];
  if (shared == nullptr) shared = Shared::make(reinterpret_cast<void*>(base), at->second);
  if (shared == nullptr) c.shared.erase(base);
  if (c.shared.count(base) == 0) return CUDA_ERROR_OUT_OF_MEMORY;
  if (!shared->own()) return CUDA_ERROR_INVALID_VALUE;
  write(handle, shared->name());
  return CUDA_SUCCESS;
}
CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* pointer, CUipcMemHandle handle, unsigned int flags) {
  ARR_FAKE_ENTER(cuIpcOpenMemHandle_v2);
  ARR_FAKE_CONTEXT;
  const ShareName name = read(handle);
  if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) return CUDA_ERROR_INVALID_VALUE;
  uintptr_t base = 0;
  if (name.process == getpid()) {
    base = own(name);
  } else if (auto shared = Shared::open(name)) {
    base = reinterpret_cast<uintptr_t>(shared->data());
    current()->memory[base] = name.bytes;
    current()->shared[base] = std::move(shared);
  }
  if (base == 0) return CUDA_ERROR_INVALID_VALUE;
  ++live().opened;
  *pointer = static_cast<CUdeviceptr>(base);
  return CUDA_SUCCESS;
}
CUresult cuIpcCloseMemHandle(CUdeviceptr pointer) {
  ARR_FAKE_ENTER(cuIpcCloseMemHandle);
  ARR_FAKE_CONTEXT;
  Context& c = *current();
  const auto at = c.shared.find(static_cast<uintptr_t>(pointer));
  if (live().opened == 0 || at == c.shared.end()) return CUDA_ERROR_INVALID_VALUE;
  run_all();  // what uses it, as the driver waits for that
  if (!at->second->own()) {
    c.memory.erase(at->first);
    c.shared.erase(at);
  }
  --live().opened;
  return CUDA_SUCCESS;
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  ARR_FAKE_ENTER(cuIpcGetEventHandle);
  ARR_FAKE_CONTEXT;
  const Event& e = event_of(event);
  if (e.mark == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  given().push_back(handle_of(event));
  write(handle, e.mark->name());
  return CUDA_SUCCESS;
}
CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  ARR_FAKE_ENTER(cuIpcOpenEventHandle);
  ARR_FAKE_CONTEXT;
  const ShareName name = read(handle);
  EventHandle opened;
  if (name.process == getpid()) {
    for (const auto& weak : given()) {
      const EventHandle one = weak.lock();
      if (one != nullptr && std::memcmp(&one->mark->name(), &name, sizeof name) == 0) opened = one;
    }
  } else if (auto mark = name.bytes == sizeof(Mark) ? Shared::open(name) : nullptr) {
    opened = std::make_shared<Event>();
    opened->mark = std::move(mark);
  }
  if (opened == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  ++live().events;
  *event = reinterpret_cast<CUevent>(new EventHandle(std::move(opened)));
  return CUDA_SUCCESS;
}

#pragma GCC visibility pop
}
