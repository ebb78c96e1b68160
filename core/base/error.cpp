// SPDX-License-Identifier: MIT
// Text helpers for messages.
#include "base/error.h"

namespace arr {

std::string shape_text(int64_t n, const int64_t* values) {
  std::string out = "(";
  for (int64_t i = 0; i < n; ++i) {
    if (i != 0) out += ',';
    out += std::to_string(values[i]);
  }
  if (n == 1) out += ',';
  return out + ")";
}

}  // namespace arr
