// SPDX-License-Identifier: MIT
// Single numbers from text and to text, in the C locale and lossless.
#pragma once

#include <string>
#include <string_view>

#include "array/dtype.h"

namespace arr::io {

// Reads one number of a dtype, with white space around it, and stores it. Returns false if the text is not a
// number, or an integer does not fit. Numbers are written as in C and Python: "-1", "+1.5e3", "nan", "inf",
// "(1+2j)"; bool is read from integers, and true unless 0.
bool read_number(std::string_view text, DType dtype, char* element);

// Reads the longest number at the start of the text; returns its length, 0 if there is none.
size_t read_number_at(std::string_view text, DType dtype, char* element);

// The shortest text that read_number() reads as the same element.
void append_number(DType dtype, const char* element, std::string* out);

// The real number of an element, or part 0 or 1 of a complex one.
struct RealNumber {
  bool whole = false;  // true for integer dtypes and bool
  bool negative = false;
  uint64_t size = 0;  // the magnitude of an integer, without the sign
  double value = 0;   // also of integers, rounded
};
RealNumber real_number(DType dtype, const char* element, int32_t part);

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
std::string_view trimmed(std::string_view s);

}  // namespace arr::io
