// SPDX-License-Identifier: MIT
// The tokens of a text of PTX.
#pragma once

#include <string_view>
#include <vector>

namespace arr::host_kernels::ptx {

struct Token {
  // dot: ".global", ".L1::no_allocate"; word: names with % or $; mark: one character.
  enum Kind { end, word, dot, number, quoted, mark } kind;
  std::string_view text;
  unsigned line;
  [[nodiscard]] bool is(std::string_view s) const { return text == s && kind != Kind::quoted; }
};

// The last token is the end. Throws CompileError for a character that PTX does not have.
std::vector<Token> tokenize(std::string_view text, std::string_view file);

}  // namespace arr::host_kernels::ptx
