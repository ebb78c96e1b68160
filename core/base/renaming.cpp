// SPDX-License-Identifier: MIT
#include "base/renaming.h"

namespace arr {

namespace {

constexpr std::string_view word = "argument ";

}  // namespace

std::string_view argument_of(std::string_view text) noexcept {
  if (!text.starts_with(word)) return {};
  const std::string_view rest = text.substr(word.size());
  const size_t end = rest.find_first_of(":[ ");
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

std::string_view without_argument(std::string_view text) noexcept {
  if (argument_of(text).empty()) return text;
  const size_t end = text.find(": ");
  return end == std::string_view::npos ? text : text.substr(end + 2);
}

void throw_renamed(const Error& e, Renames names) {
  const std::string_view whole = e.text(), own = argument_of(whole);
  if (own.empty()) throw;
  const std::string_view after = whole.substr(word.size());
  const std::string_view with_index = after.substr(0, after.find(':'));  // "x[2]"
  for (const Rename& r : names) {
    if (r.from != own && r.from != with_index && r.from != any_argument) continue;
    if (r.to == own) break;
    const std::string_view rest = after.substr(r.from == with_index ? with_index.size() : own.size());
    throw Error(e.status(), r.keeps_from ? text(word, r.to, ": ", own, rest) : text(word, r.to, rest));
  }
  throw;
}

}  // namespace arr
