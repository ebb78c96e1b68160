// SPDX-License-Identifier: MIT
// Backends and devices: which there are, loading them, turning their failures into exceptions.
#pragma once

#include <string>

#include "backend/backend.h"

namespace arr {

// The backend of a device type, loaded on first need; ARR_E_UNAVAILABLE with the reasons where it does not
// work. A device that was lost stays loaded: its releases still go there.
const Backend& backend(int32_t device_type);

// The backend also where it found no device, for what needs none; ARR_E_UNAVAILABLE where there is no module.
const Backend& backend_module(int32_t device_type);

// Its functions that only the low-level interface needs.
const LowLevel& low_level(Device device);

// What came of loading it: ARR_BACKEND_..., and a report with a line for everything that was tried.
struct BackendState {
  int32_t state = 0;
  std::string report;
};
const BackendState& backend_state(int32_t device_type);

// Checks type and index; nullptr is the host.
Device device_from(const arr_device* device, const char* argument = "device");
std::string device_text(Device device);

// The environment's choice (ARR_DEVICE), or the first working GPU, or the host.
Device select_device(bool require_gpu);

// Calls a backend function and throws what it reports: call(backend(type).f, args...) .
template <class F, class... Args>
void call(F* function, Args... args) {
  if (function == nullptr) fail(ARR_E_UNSUPPORTED, "this backend does not offer the operation");
  BackendError error;
  int32_t status = function(args..., &error);
  if (status != ARR_OK) throw Error(status, std::move(error.text));
}

}  // namespace arr
