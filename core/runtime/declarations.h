// SPDX-License-Identifier: MIT
// The declarations of a CUDA C++ source, as far as its tokens show them without a compiler: kernels with
// their parameters, and whether it has variables. Other facts are left open.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/kernels.h"

namespace arr {

struct DeclaredKernel {
  std::string name;                    // with its namespaces
  std::vector<std::string> templates;  // names of template parameters; empty: not a template
  // The parameters' types as they are written, without names and defaults: "const float *".
  std::vector<std::string> params;
};

struct Declarations {
  std::vector<DeclaredKernel> kernels;
  bool variables = false;  // __device__, __constant__ or __managed__ ones of namespace scope
};

Declarations declarations_of(std::string_view source);

// The parameters of the kernel that a name or name expression means; nothing where there is none or several
// differ. bytes is 0 and dtype none where the type is not a scalar type or a pointer to one.
std::optional<std::vector<KernelParam>> parameters_of(const Declarations& declared, std::string_view name);

}  // namespace arr
