// SPDX-License-Identifier: MIT
// A function of a module of PTX as one of C++: its registers are variables, its branches gotos.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "hostcuda/ptx/module.h"
#include "hostcuda/ptx/names.h"

namespace arr::host_kernels::ptx {

// Stands for all functions whose addresses are taken; no name of PTX.
constexpr const char* any_function = "*";

struct FunctionText {
  std::string code;
  bool syncs = false;  // it has a barrier or a warp function itself
  bool half = false, heap = false;
  std::set<ShimComponent> components;
  std::vector<std::string> calls;      // functions of the module, or any_function
  std::vector<std::string> addressed;  // functions that a register may hold
};

// Its declaration, without the semicolon.
std::string head_of(const Function& f);
FunctionText text_of(const Module& module, const Function& f, const SharedLayout& shared);

}  // namespace arr::host_kernels::ptx
