// SPDX-License-Identifier: MIT
// Who is told of allocations and releases of arrays' memory.
#pragma once

#include <string>

#include "array/array.h"
#include "base/call_name.h"

namespace arr {

struct MemoryEvent {
  int32_t event;  // ARR_MEMORY_...
  Device device;
  int64_t bytes;
  const void* data;
  const char* function;
};

class MemoryHook : public Object {
 public:
  virtual void told(const MemoryEvent& event) noexcept = 0;
  // A table of what was told; false where the hook keeps none.
  virtual bool report(std::string*) { return false; }
  // The hook could not be added: its caller keeps what it would have dropped.
  virtual void disown() noexcept {}
};

// A caller's functions.
using HookFunction = void (*)(void* ctx, int32_t event, int32_t device_type, int32_t device_index,
                              int64_t bytes, const void* data, const char* function);
Ref<MemoryHook> callback_hook(HookFunction hook, void (*drop)(void*), void* ctx);
// Lines in a file; empty: the standard error stream.
Ref<MemoryHook> debug_hook(const std::string& path);
Ref<MemoryHook> profile_hook();

int64_t add_hook(const Ref<MemoryHook>& hook);
void remove_hook(int64_t id);
Ref<MemoryHook> find_hook(int64_t id);

void tell_hooks(int32_t event, Device device, int64_t bytes, const void* data) noexcept;
// One relaxed read where nobody listens.
inline void tell(int32_t event, Device device, int64_t bytes, const void* data) noexcept {
  if (call_listeners.load(std::memory_order_relaxed) != 0) tell_hooks(event, device, bytes, data);
}

}  // namespace arr
