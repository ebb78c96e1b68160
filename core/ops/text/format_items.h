// SPDX-License-Identifier: MIT
// The text of single elements, aligned within their array as in NumPy.
#pragma once

#include <string>

#include "array/dtype.h"

namespace arr {

// The common format of real numbers.
struct RealFormat {
  DType dtype = DType::float64_;
  bool plus = false;           // always with a sign, for imaginary parts
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
  size_t width_ = 0;  // columns of an integer
};

// The element of a 0-dimensional array, formatted like a scalar.
std::string single_item_text(DType dtype, const char* element);

}  // namespace arr
