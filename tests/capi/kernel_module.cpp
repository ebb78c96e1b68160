// SPDX-License-Identifier: MIT
// A library in the place of libarr_hostcuda.so, of another version or with other types: none of its functions
// may be called.
#include <cstdlib>
#include <string_view>

#include "hostcuda/module.h"

namespace {

arr::host_kernels::Module make() {
  const char* given = std::getenv("PLUGIN");
  const std::string_view wish = given != nullptr ? given : "";
  arr::host_kernels::Module m{};
  m.struct_size = sizeof m;
  m.abi_version = arr::host_kernels::module_abi_version + (wish == "newer" ? 1 : 0);
  m.types_bytes = arr::host_kernels::module_types_bytes - (wish == "other types" ? 8 : 0);
  return m;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const arr::host_kernels::Module* arr_host_kernels_open(
    int32_t version, int64_t, std::string* reason) {
  static arr::host_kernels::Module m;
  m = make();
  if (std::getenv("PLUGIN") == std::string_view("refuses")) {
    *reason = arr::text("not for version ", version);
    return nullptr;
  }
  return &m;
}
