// SPDX-License-Identifier: MIT
// The one exception type of the core, and helpers to write its text.
#pragma once

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "arr/base.h"

namespace arr {

// Carries a status and one line of text: argument, what was got, what was expected.
// The C interface puts the function's name in front.
class Error : public std::exception {
 public:
  Error(arr_status status, std::string text) : status_(status), text_(std::move(text)) {}
  [[nodiscard]] arr_status status() const noexcept { return status_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  arr_status status_;
  std::string text_;
};

// A stream for a text. Where there is no memory for a piece of the text, it throws instead of omitting the
// piece.
class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios_base::badbit); }
};

// Concatenates anything that can be streamed.
template <class... Parts>
std::string text(const Parts&... parts) {
  TextStream out;
  (out << ... << parts);
  return out.str();
}

// Throws Error(status, concatenation of parts).
template <class... Parts>
[[noreturn]] void fail(arr_status status, const Parts&... parts) {
  throw Error(status, text(parts...));
}

// "(2,3)" for messages.
std::string shape_text(int64_t n, const int64_t* values);

}  // namespace arr
