// SPDX-License-Identifier: MIT
// Single numbers from text and to text, in the C locale, without loss.
#pragma once

#include <string>
#include <string_view>

#include "array/dtype.h"

namespace arr::io {

// Reads one number of that type, with spaces around it, and stores it. False if the text is not one, or if an
// integer does not fit. Numbers are written as in C and Python: "-1", "+1.5e3", "nan", "inf", "(1+2j)"; of
// bool whole numbers, which are true unless 0.
bool read_number(std::string_view text, DType dtype, char* element);

// The same of the longest number at the start of the text; returns its length, 0 without one.
size_t read_number_at(std::string_view text, DType dtype, char* element);

// The shortest text that read_number reads as the same element.
void append_number(DType dtype, const char* element, std::string* out);

// A real number from an element, or of a complex one the part 0 or 1.
struct RealNumber {
  bool whole = false;  // of an integer type, or bool
  bool negative = false;
  uint64_t size = 0;  // whole: without the sign
  double value = 0;   // also of whole numbers, rounded
};
RealNumber real_number(DType dtype, const char* element, int32_t part);

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
std::string_view trimmed(std::string_view s);

}  // namespace arr::io
