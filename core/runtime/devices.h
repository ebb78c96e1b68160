// SPDX-License-Identifier: MIT
// Backends and devices: finding and loading them, and turning their failures into exceptions.
#pragma once

#include <string>
#include <utility>

#include "array/array.h"
#include "backend/error.h"

namespace arr {

struct Backend;

// The backend of a device type, loaded on first use. ARR_E_UNAVAILABLE with the reasons if it does not work.
// A device that was lost stays loaded, because releases still go to it.
const Backend& backend(int32_t device_type);

// The backend even if it found no device, for functions that need none. ARR_E_UNAVAILABLE if there is no
// module.
const Backend& backend_module(int32_t device_type);

// The table of a family, such as api<FftApi>(device).plan; ARR_E_UNSUPPORTED if the backend does not have it.
template <class Api>
const Api& api(const Backend& backend);  // in devices.cpp, for each table of backend/tables.def
template <class Api>
const Api& api(Device device) {
  return api<Api>(backend(device.type));
}

// The result of loading it: ARR_BACKEND_..., and a report with a line for everything that was tried.
struct BackendState {
  int32_t state = 0;
  std::string report;
};
const BackendState& backend_state(int32_t device_type);

// Checks type and index; nullptr is the host.
Device device_from(const arr_device* device, const char* argument = "device");
std::string device_text(Device device);

// The device that ARR_DEVICE names, or the first working GPU, or the host.
Device select_device(bool require_gpu);

[[noreturn]] void fail_not_offered();

// Calls a backend function and throws the failure that it reports: call(api<FftApi>(device).plan, args...).
template <class F, class... Args>
void call(F* function, Args... args) {
  if (function == nullptr) fail_not_offered();
  BackendError error;
  int32_t status = function(args..., &error);
  if (status != ARR_OK) throw Error(status, std::move(error.text));
}

// Calls a function that the backend may decline; returns false, with nothing enqueued, if it does.
template <class F, class... Args>
bool try_call(F* function, Args... args) {
  if (function == nullptr) return false;
  BackendError error;
  int32_t status = function(args..., &error);
  if (status == ARR_E_UNSUPPORTED) return false;
  if (status != ARR_OK) throw Error(status, std::move(error.text));
  return true;
}

}  // namespace arr
