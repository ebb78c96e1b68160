// SPDX-License-Identifier: MIT
// A call that runs later.
#pragma once

#include <functional>
#include <string>

namespace arr::host {

struct Work {
  std::string what;  // as a graph's picture calls it
  std::function<void()> run;
};

}  // namespace arr::host
