// SPDX-License-Identifier: MIT
#include "base/lexer.h"

#include <cctype>
#include <string>
#include <utility>

namespace arr {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<Token> run() {
    while (at_ < source_.size())
      if (!skip_blank()) take();
    return std::move(tokens_);
  }

 private:
  [[nodiscard]] char peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void newline() {
    line_++;
    starts_line_ = true;
    in_directive_ = false;
  }

  // Skips one piece of white space or one comment; returns false at a token.
  bool skip_blank() {
    char c = peek();
    if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += size_t{peek(1) == '\n' ? 2u : 3u};
      line_++;  // line continuation
    } else if (c == '\n') {
      at_++;
      newline();
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      at_++;
    } else if (c == '/' && peek(1) == '/') {
      skip_line_comment();
    } else if (c == '/' && peek(1) == '*') {
      size_t end = source_.find("*/", at_ + 2);
      end = end == std::string_view::npos ? source_.size() : end + 2;
      count_lines(end);
    } else {
      return false;
    }
    return true;
  }

  void skip_line_comment() {
    while (at_ < source_.size() && peek() != '\n') {
      if (peek() == '\\' && peek(1) == '\n') {
        line_++;
        at_++;
      }
      at_++;
    }
  }

  // Moves to `end`, counting lines.
  void count_lines(size_t end) {
    for (; at_ < end; at_++) line_ += source_[at_] == '\n' ? 1 : 0;
  }

  void take() {
    const size_t start = at_;
    const int line = line_;
    TokenKind kind = TokenKind::punctuation;
    if (peek() == '#' && starts_line_) in_directive_ = true;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      kind = TokenKind::number;
      while (is_word(peek()) || peek() == '.' || (peek() == '\'' && is_word(peek(1))) || is_exponent_sign())
        at_++;
    } else if (peek() == '"' || peek() == '\'') {
      kind = TokenKind::literal;
      skip_quoted();
    } else if (is_word(peek())) {
      kind = TokenKind::identifier;
      while (is_word(peek())) at_++;
      if (peek() == '"' && source_[at_ - 1] == 'R') {
        kind = TokenKind::literal;
        skip_raw_string();
      }
    } else {
      at_++;
    }
    tokens_.push_back({kind, source_.substr(start, at_ - start), start, line, starts_line_, in_directive_});
    starts_line_ = false;
  }

  [[nodiscard]] bool is_exponent_sign() const {
    if (peek() != '+' && peek() != '-') return false;
    const char before = source_[at_ - 1];
    return before == 'e' || before == 'E' || before == 'p' || before == 'P';
  }

  void skip_quoted() {
    const char quote = peek();
    for (at_++; at_ < source_.size() && peek() != quote && peek() != '\n'; at_++)
      if (peek() == '\\' && at_ + 1 < source_.size()) {
        at_++;
        if (peek() == '\n') line_++;
      }
    if (peek() == quote) at_++;
  }

  void skip_raw_string() {
    const size_t open = source_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = source_.size();
      return;
    }
    std::string close = ")";
    close += source_.substr(at_ + 1, open - at_ - 1);
    close += '"';
    const size_t end = source_.find(close, open);
    count_lines(end == std::string_view::npos ? source_.size() : end + close.size());
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  bool starts_line_ = true, in_directive_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

}  // namespace arr
