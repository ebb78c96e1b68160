// SPDX-License-Identifier: MIT
// printf's conversions of single numbers, in the C locale: "%.18e", "%+08.3f", "%d", "%s" between other text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/number_text.h"

namespace arr::io {

// One conversion and the text before it.
struct Conversion {
  std::string before;
  bool left = false, zeros = false, plus = false, space = false;
  int32_t width = 0, precision = -1;
  char kind = 's';  // d, e, E, f, F, g, G, x, X, o, s
};
struct NumberFormat {
  std::vector<Conversion> conversions;
  std::string after;
};
// Parses a format; ARR_E_ARGUMENT with the position of a fault.
NumberFormat parse_number_format(std::string_view text);

// Appends the number, without the text before it. Infinities and nan are ARR_E_ARGUMENT for d, x and o.
void append_formatted(const Conversion& c, DType dtype, const RealNumber& x, std::string* out);

}  // namespace arr::io
