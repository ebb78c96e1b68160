// SPDX-License-Identifier: MIT
// Renames arguments in the text of an error. A function that calls other functions passes on their errors,
// which name the arguments of those functions; this replaces them by the names of its arguments.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace arr {

// The "x" of "argument x: ..." and "argument x[2]: ..."; empty if a text names no argument.
std::string_view argument_of(std::string_view text) noexcept;
// The text after the argument's name.
std::string_view without_argument(std::string_view text) noexcept;

struct Rename {
  std::string_view from,
      to;  // from any_argument: every name that is not listed before it; "x[2]" is tried before "x"
  bool keeps_from = false;  // the former name stays in the text: "argument options: weights: ..."
};
inline constexpr std::string_view any_argument = "*";
using Renames = std::initializer_list<Rename>;

// Rethrows the current error, with a name `from` replaced by its `to`. Called in a handler.
[[noreturn]] void throw_renamed(const Error& e, Renames names);

// Runs a body whose errors name other arguments than the caller's function has.
template <class Body>
decltype(auto) renaming(Renames names, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error& e) {
    throw_renamed(e, names);
  }
}

}  // namespace arr
