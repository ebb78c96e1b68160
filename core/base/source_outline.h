// SPDX-License-Identifier: MIT
// The structure of a CUDA C++ source from its tokens, without a parser: brackets, namespaces, heads of
// kernels.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lexer.h"

namespace arr {

class SourceOutline {
 public:
  explicit SourceOutline(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  [[nodiscard]] size_t size() const { return tokens_.size(); }
  [[nodiscard]] const Token& token(size_t i) const { return tokens_[i]; }
  // The token's text, or "" after the last token.
  [[nodiscard]] std::string_view word(size_t i) const { return i < size() ? tokens_[i].text : ""; }
  [[nodiscard]] bool is_name(size_t i) const {
    return i < size() && tokens_[i].kind == TokenKind::identifier;
  }
  // The token that closes the bracket at i; size() if none does.
  [[nodiscard]] size_t close(size_t i) const;
  // The token after i; after its parentheses too, if it is an attribute such as __launch_bounds__(128).
  [[nodiscard]] size_t next(size_t i) const;
  // The "(" of the parameters of the kernel whose __global__ is at i; 0 for a specialisation or a macro.
  [[nodiscard]] size_t parameter_list(size_t i) const;

  // Tracks the scopes around a token. Call it for each "{" and "}" outside of directives, in order.
  void open_scope(size_t brace);
  void close_scope();
  // True if all enclosing scopes are namespaces or extern "C" blocks.
  [[nodiscard]] bool at_namespace_scope() const;
  // The name with its namespaces.
  [[nodiscard]] std::string qualified(std::string_view name) const;

 private:
  struct Scope {
    bool is_namespace;
    std::string prefix;  // "a::b::"; empty for an unnamed namespace
  };
  std::vector<Token> tokens_;
  std::vector<Scope> scopes_;
};

}  // namespace arr
