// SPDX-License-Identifier: MIT
// The text of single elements, aligned with the others of their array as NumPy aligns them.
#pragma once

#include <string>

#include "array/dtype.h"

namespace arr {

// The format of real numbers that makes all of them line up.
struct RealFormat {
  DType dtype = DType::float64_;
  bool plus = false;           // a sign always, as in imaginary parts
  bool exponential = false;    // 1.5e+10
  size_t left = 0, right = 0;  // columns before and after the point
  int digits = 0;              // exponential: after the point
  size_t exponent_digits = 0;

  // From n numbers, `step` bytes apart.
  RealFormat() = default;
  RealFormat(DType type, bool sign, const char* data, int64_t n, int64_t step);
  [[nodiscard]] std::string text(double x) const;

 private:
  void measure(double x);
};

class ItemFormat {
 public:
  // From n contiguous elements.
  ItemFormat(DType dtype, const char* data, int64_t n);
  [[nodiscard]] std::string text(const char* element) const;

 private:
  DType dtype_;
  RealFormat real_, imaginary_;
  size_t width_ = 0;  // of integers
};

// The element of an array without dimensions, as a scalar shows itself.
std::string single_item_text(DType dtype, const char* element);

}  // namespace arr
