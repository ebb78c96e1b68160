// SPDX-License-Identifier: MIT
// Parses the parameter lists of users' kernels, "T x, raw float32 y", and finds names in their code.
#include <algorithm>

#include "base/utf8.h"
#include "ops/kernels/kernel.h"

namespace arr {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

class List {
 public:
  List(std::string_view text, const char* argument) : text_(text), argument_(argument) {}

  std::vector<UserParam> run() {
    std::vector<UserParam> out;
    skip();
    if (at_ == text_.size()) return out;
    for (;;) {
      out.push_back(one());
      for (size_t k = 0; k + 1 < out.size(); ++k) {
        if (out[k].name == out.back().name) error(start_, text("the name ", out[k].name, " is used twice"));
      }
      skip();
      if (at_ == text_.size()) return out;
      if (text_[at_] != ',') error(at_, text("expected \",\", got ", seen()));
      ++at_;
    }
  }

 private:
  [[noreturn]] void error(size_t at, std::string_view what) const {
    fail(ARR_E_ARGUMENT, "argument ", argument_, ": column ", at + 1, ": ", what);
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  [[nodiscard]] std::string seen() const {
    if (at_ >= text_.size()) return "the end";
    const std::string_view whole = first_character(text_.substr(at_));
    if (character_bytes(whole) == 0 || is_control(whole)) {
      return text("byte ", static_cast<int32_t>(static_cast<unsigned char>(text_[at_])));
    }
    if (whole.size() > 1) return text("\"", whole, "\"");
    size_t n = 1;
    while (is_word(text_[at_]) && at_ + n < text_.size() && is_word(text_[at_ + n])) ++n;
    return text("\"", text_.substr(at_, std::min<size_t>(n, 32)), "\"");
  }
  std::string_view word(const char* what) {
    skip();
    start_ = at_;
    if (at_ == text_.size() || !is_letter(text_[at_])) error(at_, text("expected ", what, ", got ", seen()));
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    return text_.substr(start_, at_ - start_);
  }
  UserParam one() {
    UserParam p;
    std::string_view type = word("a type");
    if (type == "raw") {
      p.raw = true;
      type = word("a type");
    }
    if (type.size() == 1) {
      p.placeholder = std::string(type);
    } else {
      for (const DTypeInfo& d : dtype_table) {
        if (d.bytes != 0 && type == d.name) p.dtype = d.dtype;
      }
      if (p.dtype == DType::none) {
        error(start_, text("\"", type, "\" is not a dtype, and a placeholder has one letter"));
      }
    }
    p.name = std::string(word("a name"));
    if (p.name == "i" || p.name == "raw" || p.name[0] == '_' || p.name.starts_with("arr_")) {
      error(start_, text("the name ", p.name, " is taken"));
    }
    return p;
  }

  std::string_view text_;
  const char* argument_;
  size_t at_ = 0, start_ = 0;
};

}  // namespace

std::vector<UserParam> parse_params(std::string_view text, const char* argument) {
  return List(text, argument).run();
}

bool mentions(std::string_view code, std::string_view identifier) {
  for (size_t at = 0; at < code.size();) {
    char c = code[at];
    if (is_letter(c)) {
      size_t n = 1;
      while (at + n < code.size() && is_word(code[at + n])) ++n;
      if (code.substr(at, n) == identifier) return true;
      at += n;
    } else if (code.substr(at).starts_with("//")) {
      at = std::min(code.find('\n', at), code.size());
    } else if (code.substr(at).starts_with("/*")) {
      size_t end = code.find("*/", at + 2);
      at = end == std::string_view::npos ? code.size() : end + 2;
    } else if (c == '"' || c == '\'') {
      for (++at; at < code.size() && code[at] != c; ++at) at += code[at] == '\\' ? size_t{1} : size_t{0};
      ++at;
    } else {
      // Letters in a number, as in 1e5f, are not a name.
      bool number = c >= '0' && c <= '9';
      for (++at; number && at < code.size() && is_word(code[at]); ++at) {
      }
    }
  }
  return false;
}

}  // namespace arr
