// SPDX-License-Identifier: MIT
// Splits CUDA C++ text into tokens, enough to rewrite a few constructs without a parser.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace arr {

enum class TokenKind { identifier, number, literal, punctuation };

struct Token {
  TokenKind kind;
  std::string_view text;
  size_t offset;      // offset of `text` in the source
  int line;           // 1-based
  bool starts_line;   // first token of its line
  bool in_directive;  // part of a preprocessor line, '#' included
};

// Comments are omitted; raw strings, line continuations and digit separators are handled.
std::vector<Token> tokenize(std::string_view source);

}  // namespace arr
