// SPDX-License-Identifier: MIT
#include "hostcuda/ptx/lexer.h"

#include <algorithm>
#include <string>

#include "hostcuda/ptx/module.h"

namespace arr::host_kernels::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool in_name(char c) { return is_digit(c) || is_letter(c) || c == '_' || c == '$'; }

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view file) : s_(text), file_(file) {}

  std::vector<Token> run() {
    while (skip_blanks()) out_.push_back(next());
    out_.push_back({Token::end, "", line_});
    return std::move(out_);
  }

 private:
  [[nodiscard]] char at(size_t i) const { return i < s_.size() ? s_[i] : '\0'; }

  void advance(size_t to) {
    line_ += static_cast<unsigned>(std::count(s_.begin() + static_cast<std::ptrdiff_t>(at_),
                                              s_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }

  // False at the end. A NUL character ends a text, as in C.
  bool skip_blanks() {
    for (;;) {
      const char c = at(at_);
      if (c == '\0') return false;
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        advance(at_ + 1);
      } else if (c == '/' && at(at_ + 1) == '/') {
        advance(std::min(s_.find('\n', at_), s_.size()));
      } else if (c == '/' && at(at_ + 1) == '*') {
        const size_t end = s_.find("*/", at_ + 2);
        if (end == std::string_view::npos) reject(file_, line_, "comment without an end");
        advance(end + 2);
      } else {
        return true;
      }
    }
  }

  Token take(Token::Kind kind, size_t end) {
    const Token t{kind, s_.substr(at_, end - at_), line_};
    advance(end);
    return t;
  }

  Token next() {
    const char c = s_[at_];
    size_t end = at_ + 1;
    if (is_letter(c) || c == '_' || c == '$' || (c == '%' && in_name(at(end)))) {
      while (in_name(at(end))) end++;
      return take(Token::word, end);
    }
    if (c == '.' && (is_letter(at(end)) || at(end) == '_' || is_digit(at(end)))) {
      while (in_name(at(end)) || (at(end) == ':' && at(end + 1) == ':' && in_name(at(end + 2))))
        end += at(end) == ':' ? 2U : 1U;
      return take(Token::dot, end);
    }
    if (is_digit(c)) return take(Token::number, number_end());
    if (c == '"') {
      while (end < s_.size() && s_[end] != '"' && s_[end] != '\n')
        end += s_[end] == '\\' && end + 1 < s_.size() ? 2U : 1U;
      if (at(end) != '"') reject(file_, line_, "text without an end");
      return take(Token::quoted, end + 1);
    }
    if (std::string_view("{}[]()<>,;:=+-*|@!~&^").find(c) != std::string_view::npos)
      return take(Token::mark, end);
    const bool plain = c > ' ' && c < '\x7f';
    reject(file_, line_, plain ? std::string("unexpected '") + c + "'" : "unexpected character");
  }

  // 12, 0x1F, 0f3F800000, 1.5e-3
  [[nodiscard]] size_t number_end() const {
    size_t end = at_;
    bool point = false;
    for (;; end++) {
      const char c = at(end);
      const bool power = point && (c == '+' || c == '-') && (at(end - 1) | 32) == 'e';
      if (c == '.' && !point && is_digit(at(end + 1)))
        point = true;
      else if (!in_name(c) && !power)
        return end;
    }
  }

  std::string_view s_, file_;
  size_t at_ = 0;
  unsigned line_ = 1;
  std::vector<Token> out_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, std::string_view file) { return Lexer(text, file).run(); }

}  // namespace arr::host_kernels::ptx
