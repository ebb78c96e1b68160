// SPDX-License-Identifier: MIT
// Memory hooks: functions that are called for every allocation and release of arrays' memory.
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
  virtual void on_event(const MemoryEvent& event) noexcept = 0;
  // Writes a table of the events so far; returns false if the hook does not record any.
  virtual bool report(std::string*) { return false; }
  // Called when the hook could not be added: the caller still owns ctx, so drop is not called.
  virtual void disown() noexcept {}
};

// A caller's functions.
using HookFunction = void (*)(void* ctx, int32_t event, int32_t device_type, int32_t device_index,
                              int64_t bytes, const void* data, const char* function);
Ref<MemoryHook> callback_hook(HookFunction hook, void (*drop)(void*), void* ctx);
// Writes lines to a file, or to the standard error stream if path is empty.
Ref<MemoryHook> debug_hook(const std::string& path);
Ref<MemoryHook> profile_hook();

int64_t add_hook(const Ref<MemoryHook>& hook);
void remove_hook(int64_t id);
Ref<MemoryHook> find_hook(int64_t id);

void call_hooks(int32_t event, Device device, int64_t bytes, const void* data) noexcept;
// Calls the hooks. Costs one relaxed load if there are none.
inline void notify_hooks(int32_t event, Device device, int64_t bytes, const void* data) noexcept {
  if (call_listeners.load(std::memory_order_relaxed) != 0) call_hooks(event, device, bytes, data);
}

}  // namespace arr
