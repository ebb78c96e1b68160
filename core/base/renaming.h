// SPDX-License-Identifier: MIT
// Renames the argument in the text of an error. A function that calls other functions passes on their errors,
// which name the arguments of those functions: it replaces them by the names of its arguments.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace arr {

// "x" of "argument x: ..." and "argument x[2]: ..."; empty where a text names none.
std::string_view argument_of(std::string_view text) noexcept;
// The text after that.
std::string_view without_argument(std::string_view text) noexcept;

struct Rename {
  std::string_view from,
      to;                   // from any_argument: every name that is not listed before; "x[2]" goes before "x"
  bool keeps_from = false;  // the former name stays in the text: "argument options: weights: ..."
};
inline constexpr std::string_view any_argument = "*";
using Renames = std::initializer_list<Rename>;

// Throws the error again, with a name `from` replaced by its `to`. To be called in a handler.
[[noreturn]] void throw_renamed(const Error& e, Renames names);

// Runs a body whose errors name other arguments than the caller's.
template <class Body>
decltype(auto) renaming(Renames names, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error& e) {
    throw_renamed(e, names);
  }
}

}  // namespace arr
