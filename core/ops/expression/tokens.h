// SPDX-License-Identifier: MIT
// The tokens of a formula.
#pragma once

#include <string>
#include <string_view>

namespace arr {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct FormulaToken {
  enum class Kind : uint8_t { end, name, number, sign } kind = Kind::end;
  std::string_view text;
  size_t column = 1;
};

// Throws an error at a column of the formula.
[[noreturn]] void formula_error(size_t column, std::string_view what);
// The token for error texts, cut to 32 bytes.
std::string quoted(const FormulaToken& t);

// Reads a formula token by token.
class FormulaTokens {
 public:
  explicit FormulaTokens(std::string_view text) : text_(text) { next(); }
  [[nodiscard]] const FormulaToken& token() const { return token_; }
  void next();
  // True if the token is this name or sign.
  [[nodiscard]] bool sees(std::string_view what) const {
    return token_.kind != FormulaToken::Kind::number && token_.kind != FormulaToken::Kind::end &&
           token_.text == what;
  }
  // Skips the token if it is this one. Returns true if it was.
  bool take(std::string_view what) {
    if (!sees(what)) return false;
    next();
    return true;
  }
  [[noreturn]] void expected(const char* what) const;
  void require(std::string_view what) {
    if (!take(what)) expected(what == ")" ? "\")\"" : "\"(\"");
  }

 private:
  [[nodiscard]] size_t name_length() const;
  [[nodiscard]] size_t number_length() const;
  [[nodiscard]] size_t sign_length() const;

  std::string_view text_;
  FormulaToken token_;
  size_t at_ = 0;
};

}  // namespace arr
