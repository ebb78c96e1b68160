// SPDX-License-Identifier: MIT
#include "cufft_callbacks.h"

#include <algorithm>

#include "base/error.h"

namespace arr::fake {

void Callback::set(const char* name, const void* ltoir, size_t bytes, void* info) {
  name_ = name;
  ltoir_ = ltoir;
  bytes_ = bytes;
  info_ = info;
}

cufftResult Callback::link(bool loads, const char* element) {
  Program p;
  const bool whole = unpack(static_cast<const char*>(ltoir_), &p) && p.form == Form::ltoir &&
                     pack(p, Form::ltoir).size() + 1 == bytes_;
  const bool relocatable =
      std::find(p.options.begin(), p.options.end(), "--relocatable-device-code=true") != p.options.end();
  if (!whole || !relocatable) return CUFFT_INTERNAL_ERROR;
  const std::string type = element, name = name_;
  const std::string head =
      "extern \"C\" __global__ void arr_fake_callback(void* data, const unsigned long long* "
      "offsets, unsigned long long n, void* info, " +
      type +
      "* values) {\n"
      "  while (n-- > 0) {\n    const unsigned long long at = offsets[n];\n";
  if (loads) {
    p.units.push_back(
        {"wrapper.cu",
         text("extern __device__ ", type, " ", name, "(void*, unsigned long long, void*, void*);\n", head,
              "    values[at] = ", name, "(data, at, info, nullptr);\n  }\n}\n")});
  } else {
    p.units.push_back({"wrapper.cu", text("extern __device__ void ", name, "(void*, unsigned long long, ",
                                          type, ", void*, void*);\n", head, "    ", name,
                                          "(data, at, values[at], info, nullptr);\n  }\n}\n")});
  }
  try {
    kernel_ = host_kernels::kernel(build(p), "arr_fake_callback");
  } catch (const std::exception&) {
    return CUFFT_INTERNAL_ERROR;
  }
  return CUFFT_SUCCESS;
}

void Callback::run(void* data, const std::vector<unsigned long long>& offsets, void* values) const {
  const unsigned long long* at = offsets.data();
  unsigned long long n = offsets.size();
  void* info = info_;
  void* args[] = {&data, &at, &n, &info, &values};
  const uint32_t one[3] = {1, 1, 1};
  host_kernels::launch(kernel_, one, one, 0, args, 5);
}

}  // namespace arr::fake
