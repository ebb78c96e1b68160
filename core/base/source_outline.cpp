// SPDX-License-Identifier: MIT
#include "base/source_outline.h"

#include <algorithm>
#include <array>

namespace arr {

namespace {

// Attributes whose parentheses are not a parameter list.
constexpr std::array<std::string_view, 8> attributes = {
    "__launch_bounds__", "__attribute__", "alignas",        "__align__",
    "__cluster_dims__",  "__maxnreg__",   "__block_size__", "decltype"};

}  // namespace

size_t SourceOutline::close(size_t i) const {
  const std::string_view open = word(i), shut = open == "(" ? ")" : open == "[" ? "]" : "}";
  for (int depth = 0; i < size(); ++i) {
    if (word(i) == open) ++depth;
    if (word(i) == shut && --depth == 0) return i;
  }
  return size();
}

size_t SourceOutline::next(size_t i) const {
  const bool attribute = std::find(attributes.begin(), attributes.end(), word(i)) != attributes.end();
  return attribute && word(i + 1) == "(" ? close(i + 1) + 1 : i + 1;
}

size_t SourceOutline::parameter_list(size_t i) const {
  for (++i; i < size() && word(i) != "(" && word(i) != ";" && word(i) != "{";) i = next(i);
  return word(i) == "(" && is_name(i - 1) ? i : 0;
}

// Enters the scope of a brace: namespace a::b {, extern "C" { or any other.
void SourceOutline::open_scope(size_t brace) {
  std::string name;
  size_t i = brace;
  for (; i > 0 && (is_name(i - 1) || word(i - 1) == ":") && word(i - 1) != "namespace"; --i) {
    name.insert(0, word(i - 1));
  }
  if (i > 0 && word(i - 1) == "namespace") {
    scopes_.push_back({true, name.empty() ? name : name + "::"});
  } else {
    const bool linkage =
        brace >= 2 && tokens_[brace - 1].kind == TokenKind::literal && word(brace - 2) == "extern";
    scopes_.push_back({linkage, {}});
  }
}

void SourceOutline::close_scope() {
  if (!scopes_.empty()) scopes_.pop_back();
}

bool SourceOutline::at_namespace_scope() const {
  return std::all_of(scopes_.begin(), scopes_.end(), [](const Scope& s) { return s.is_namespace; });
}

std::string SourceOutline::qualified(std::string_view name) const {
  std::string result;
  for (const Scope& s : scopes_) result += s.prefix;
  return result.append(name);
}

}  // namespace arr
