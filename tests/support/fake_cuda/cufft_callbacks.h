// SPDX-License-Identifier: MIT
// Load and store callbacks of the fake cuFFT.
#pragma once

#include "state.h"

namespace arr::fake {

// As the real one it keeps the addresses that it was given, and reads them when the plan is made. It declares
// the function in C++ with the types of cufftXt.h and links both, so that a function of another name, linkage
// or type is not found.
class Callback {
 public:
  void set(const char* name, const void* ltoir, size_t bytes, void* info);
  [[nodiscard]] bool is_set() const { return name_ != nullptr; }
  // `element`: float2, float, double2 or double. CUFFT_INTERNAL_ERROR where it cannot be linked.
  cufftResult link(bool loads, const char* element);
  // Calls it once for each offset: values[offset] is what it gives, or gets.
  void run(void* data, const std::vector<unsigned long long>& offsets, void* values) const;

 private:
  const char* name_ = nullptr;
  const void* ltoir_ = nullptr;
  size_t bytes_ = 0;
  void* info_ = nullptr;
  host_kernels::Kernel kernel_;
};

}  // namespace arr::fake
