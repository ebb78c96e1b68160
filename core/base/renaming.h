// SPDX-License-Identifier: MIT
// What errors call the argument that they are about. A function that is put together from others takes their
// errors too, which name the arguments of those: it says what it calls them itself.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace arr {

// "x" of "argument x: ..." and "argument x[2]: ..."; empty where a text names none.
std::string_view argument_of(std::string_view text) noexcept;
// The text behind that.
std::string_view without_argument(std::string_view text) noexcept;

struct Rename {
  std::string_view from,
      to;             // from any_argument: every name that is not listed before; "x[2]" goes before "x"
  bool told = false;  // the name that it was stays in the text: "argument options: weights: ..."
};
inline constexpr std::string_view any_argument = "*";
using Renames = std::initializer_list<Rename>;

// Throws the error again, about `to` where it is about a `from`. In a handler only.
[[noreturn]] void throw_renamed(const Error& e, Renames names);

// Runs a body whose errors name other arguments than those of the caller.
template <class Body>
decltype(auto) renaming(Renames names, Body&& body) {
  try {
    return std::forward<Body>(body)();
  } catch (const Error& e) {
    throw_renamed(e, names);
  }
}

}  // namespace arr
