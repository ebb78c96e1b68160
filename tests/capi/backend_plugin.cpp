// SPDX-License-Identifier: MIT
// A module in libarr_cuda.so's place that behaves as the variable PLUGIN says, and tells on stdout that it
// was loaded and opened.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "backend/interface.h"

namespace {

std::string_view wish() {
  const char* given = std::getenv("PLUGIN");
  return given != nullptr ? given : "";
}

// A static object with a destructor, for abi.constructors to find.
struct Ended {
  ~Ended() { std::fflush(stdout); }
};
Ended& ended() {
  static Ended e;
  return e;
}

[[maybe_unused]] const bool told = [] {
  std::printf("plug-in: loaded\n");
  static_cast<void>(ended());
  return true;
}();

int32_t probe(std::string* report, arr::BackendError* error) {
  static int calls = 0;
  if (wish() == "short of memory once" && calls++ == 0) {
    error->text = "no memory for the plug-in";
    return ARR_E_MEMORY;
  }
  *report += "plug-in: looked around\n";
  error->text = "the plug-in finds no device";
  return ARR_E_UNAVAILABLE;
}

// The log is set before anything is asked.
arr::ServiceApi make_services() {
  arr::ServiceApi services{};
  services.log_to = [](auto*) {};
  services.cache_to = [](auto*) {};
  services.pressure_to = [](auto*) {};
  return services;
}
arr::ServiceApi services = make_services();

arr::DeviceApi make_device() {
  arr::DeviceApi device{};
  device.probe = probe;
  return device;
}
arr::DeviceApi device = make_device();

arr::Backend make() {
  arr::Backend b{};
  b.struct_size = sizeof b;
  b.abi_version = arr::backend_abi_version;
  b.device_type = ARR_CUDA;
  b.name = "plug-in";
  b.tables_bytes = arr::backend_tables_bytes;
  b.device = &device;
  b.services = &services;
  return b;
}
[[maybe_unused]] arr::Backend backend = make();

}  // namespace

#ifndef ARR_PLUGIN_WITHOUT_OPEN
extern "C" __attribute__((visibility("default"))) const arr::Backend* arr_backend_open(int32_t version,
                                                                                       int64_t bytes,
                                                                                       std::string* reason) {
  std::printf("plug-in: opened\n");
  if (wish() == "refuses") {
    *reason = arr::text("not for version ", version);
    return nullptr;
  }
  if (wish() == "older") backend.abi_version = version - 1;
  if (wish() == "newer") backend.abi_version = version + 1;
  if (wish() == "smaller") backend.struct_size = bytes - 8;
  if (wish() == "larger") backend.struct_size = bytes + 8;
  if (wish() == "smaller below") backend.tables_bytes -= 8;
  return &backend;
}
#endif
