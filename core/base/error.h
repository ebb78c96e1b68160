// SPDX-License-Identifier: MIT
// The exception type of the core, and functions that build its text.
#pragma once

#include <cstdint>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "arr/base.h"

namespace arr {

// A status and one line of text: argument, actual value, expected value. The C interface prepends the
// function's name.
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

// A stream that builds a text. If memory runs out it throws, instead of omitting a part as std::ostream
// would.
class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios_base::badbit); }
};

// A part of a text: a reference to anything that can be streamed, and a function that streams it. Error texts
// are built out of line from lists of parts, because a stream in every function that may fail took a third of
// the compile time.
struct TextPart {
  const void* what;
  void (*put)(std::ostream& out, const void* what);
};
template <class P>
void put_part(std::ostream& out, const void* what) {
  out << *static_cast<const P*>(what);
}
void put_literal(std::ostream& out, const void* what);
template <class P>
TextPart text_part(const P& p) {
  if constexpr (std::is_array_v<P>) {
    static_assert(std::is_same_v<std::remove_extent_t<P>, char>, "of arrays, text only");
    return {p, put_literal};
  } else {
    return {&p, put_part<P>};
  }
}

std::string text_of(std::span<const TextPart> parts);
[[noreturn, gnu::cold]] void fail_with(arr_status status, std::span<const TextPart> parts);

// Concatenates the parts.
template <class... Parts>
std::string text(const Parts&... parts) {
  const TextPart list[] = {text_part(parts)...};
  return text_of(list);
}

// Throws Error(status, concatenation of parts).
template <class... Parts>
[[noreturn]] void fail(arr_status status, const Parts&... parts) {
  const TextPart list[] = {text_part(parts)...};
  fail_with(status, list);
}

// "(2,3)" for messages.
std::string shape_text(int64_t n, const int64_t* values);

}  // namespace arr
