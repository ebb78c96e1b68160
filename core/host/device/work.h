// SPDX-License-Identifier: MIT
// A call that runs later.
#pragma once

#include <functional>
#include <string>

namespace arr::host {

struct Work {
  std::string what;  // name in drawings of graphs
  std::function<void()> run;
};

}  // namespace arr::host
