// SPDX-License-Identifier: MIT
// Floating-point numbers as decimal text, by NumPy's conventions.
#pragma once

#include <string>

#include "array/dtype.h"

namespace arr {

// Values of every float dtype are exact in double; the neighbours in `dtype` determine how many digits
// identify a number.
struct Decimal {
  std::string whole;     // digits before the point, with the sign: "-12", "+0"
  std::string fraction;  // digits after it
  std::string exponent;  // "+20", at least two digits; empty in positional notation
};

// The fewest digits that read back as x, but at most `max_digits` after the point (then x rounded; -1: no
// limit), and at least `min_digits` of them (then more of x's exact digits).
Decimal positional(double x, DType dtype, int max_digits, bool plus);
Decimal scientific(double x, DType dtype, int max_digits, int min_digits, bool plus);

// The text of one real number as NumPy shows a scalar: "1.0", "1e+20", "nan"; for the parts of complex
// numbers "1".
std::string scalar_text(double x, DType dtype, bool in_complex, bool plus);

}  // namespace arr
