// SPDX-License-Identifier: MIT
// The formulas of core/math as text for kernels, in a separate namespace.
#pragma once

#include <string>

namespace arr::host_kernels {

struct FormulaUse {
  bool special;  // CUDA's special functions over them
  bool random;   // the generators of random numbers
  bool complex;  // functions of complex numbers
};
std::string formulas_text(const FormulaUse& use);

}  // namespace arr::host_kernels
