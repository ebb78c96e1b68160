// SPDX-License-Identifier: MIT
// From units to a loaded object: cache, compiler, and the check that each kernel was compiled the right way.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hostcuda/compile/compiler.h"
#include "hostcuda/compile/object.h"
#include "hostcuda/source/source.h"
#include "hostcuda/source/translation.h"

namespace arr::host_kernels {

struct Recipe {
  Source source;
  Compiler compiler;
  HostOptions options;
  bool checked = false;  // accesses to memory call the runtime; every kernel runs on fibers
};

struct Built {
  std::shared_ptr<Object> object;
  std::vector<Unit> units;  // entry i of the object is units[i]
  std::string log;
};

// `found`: the units were found by the token pass, so that one the compiler does not know (left out by an
// #if, or overloaded) is dropped; otherwise it is an error.
Built build(const Recipe& recipe, std::vector<Unit> units, bool found, bool wide_grid);

}  // namespace arr::host_kernels
