// SPDX-License-Identifier: MIT
// Reads a formula token by token.
#include "ops/expression/tokens.h"

#include "base/error.h"
#include "base/utf8.h"

namespace arr {

namespace {

constexpr std::string_view spellings[] = {"**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+", "-", "*",
                                          "/",  "%",  "<",  ">",  "&",  "|",  "^",  "~",  "(", ")", ","};

}  // namespace

void formula_error(size_t column, std::string_view what) {
  fail(ARR_E_ARGUMENT, "argument text: column ", column, ": ", what);
}

std::string quoted(const FormulaToken& t) {
  if (t.kind == FormulaToken::Kind::end) return "the end";
  return text("\"", t.text.substr(0, 32), t.text.size() > 32 ? "..." : "", "\"");
}

void FormulaTokens::expected(const char* what) const {
  formula_error(token_.column, text("expected ", what, ", got ", quoted(token_)));
}

void FormulaTokens::next() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  token_ = {FormulaToken::Kind::end, {}, at_ + 1};
  if (at_ == text_.size()) return;
  const char c = text_[at_];
  size_t length = 0;
  if (is_letter(c)) {
    token_.kind = FormulaToken::Kind::name;
    length = name_length();
  } else if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
    token_.kind = FormulaToken::Kind::number;
    length = number_length();
  } else {
    token_.kind = FormulaToken::Kind::sign;
    length = sign_length();
  }
  token_.text = text_.substr(at_, length);
  at_ += length;
}

size_t FormulaTokens::name_length() const {
  size_t n = 0;
  while (at_ + n < text_.size() && (is_letter(text_[at_ + n]) || is_digit(text_[at_ + n]))) ++n;
  return n;
}

size_t FormulaTokens::number_length() const {
  size_t n = 0;
  auto look = [&](size_t k) { return at_ + k < text_.size() ? text_[at_ + k] : '\0'; };
  bool hex = look(0) == '0' && (look(1) == 'x' || look(1) == 'X');
  for (;; ++n) {
    char c = look(n);
    bool sign = (c == '+' || c == '-') && n > 0 && !hex && (look(n - 1) == 'e' || look(n - 1) == 'E');
    if (!is_digit(c) && !is_letter(c) && c != '.' && !sign) return n;
  }
}

size_t FormulaTokens::sign_length() const {
  const std::string_view rest = text_.substr(at_);
  for (std::string_view s : spellings) {
    if (rest.starts_with(s)) return s.size();
  }
  const std::string_view whole = first_character(rest);
  const bool shown = character_bytes(whole) != 0 && !is_control(whole);
  formula_error(at_ + 1, shown ? text("\"", whole, "\" belongs to no formula")
                               : text("byte ", static_cast<int32_t>(static_cast<unsigned char>(rest[0])),
                                      " belongs to no formula"));
}

}  // namespace arr
