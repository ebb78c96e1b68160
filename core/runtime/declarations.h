// SPDX-License-Identifier: MIT
// Declarations in a CUDA C++ source, as far as its tokens show them without a compiler: kernels with their
// parameters, and whether there are variables. Everything else is left undecided.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/kernels.h"

namespace arr {

struct DeclaredKernel {
  std::string name;                    // with its namespaces
  std::vector<std::string> templates;  // names of the template parameters; empty: not a template
  // the parameters' types as written, without names and defaults: "const float *"
  std::vector<std::string> params;
};

struct Declarations {
  std::vector<DeclaredKernel> kernels;
  bool variables = false;  // __device__, __constant__ or __managed__ variables of namespace scope
};

Declarations declarations_of(std::string_view source);

// The parameters of the kernel that a name or name expression refers to; nullopt if there is none, or several
// that differ. If a type is not a scalar type or a pointer to one, bytes is 0 and dtype none.
std::optional<std::vector<KernelParam>> parameters_of(const Declarations& declared, std::string_view name);

}  // namespace arr
