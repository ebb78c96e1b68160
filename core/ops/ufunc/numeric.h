// SPDX-License-Identifier: MIT
// Element-wise functions that are programs of several ops: rounding, replacing nan, comparing within bounds.
#pragma once

#include "ops/elementwise/elementwise.h"

namespace arr {

// Rounds to a number of decimals; negative ones are left of the point.
Ref<Array> round(const Array& a, int32_t decimals, Stream* stream);
void round_into(const Array& dst, const Array& a, int32_t decimals, Stream* stream);
// posinf, neginf: nullptr for the largest and the lowest finite number.
Ref<Array> nan_to_num(const Array& a, double nan, const double* posinf, const double* neginf, Stream* stream);
// The same with arrays of replacements, which broadcast to the array; a null one selects the default.
struct Replacements {
  const Array* nan = nullptr;
  const Array* posinf = nullptr;
  const Array* neginf = nullptr;
};
Ref<Array> nan_to_num(const Array& a, const Replacements& by, Stream* stream);
void nan_to_num_into(const Array& dst, const Array& a, double nan, const double* posinf, const double* neginf,
                     Stream* stream);

Ref<Array> angle_degrees(const Array& a, Stream* stream);

// The real parts, a view, if all imaginary ones are smaller than tol (tol > 1: that many epsilons); otherwise
// the array. Waits for the imaginary parts.
Ref<Array> real_if_close(const Array& a, double tol, Stream* stream);

// |x - y| <= atol + rtol |y|, element by element; and whether that holds everywhere, as a 0-dimensional
// array.
struct Closeness {
  double rtol = 0, atol = 0;
  bool equal_nan = false;
};
Ref<Array> isclose(const Array& x, const Array& y, const Closeness& c, Stream* stream);
Ref<Array> allclose(const Array& x, const Array& y, const Closeness& c, Stream* stream);
// True if shapes and elements are equal. With array_equiv one may broadcast to the other.
Ref<Array> array_equal(const Array& x, const Array& y, bool equal_nan, Stream* stream);
Ref<Array> array_equiv(const Array& x, const Array& y, Stream* stream);

}  // namespace arr
