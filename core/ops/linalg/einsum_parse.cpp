// SPDX-License-Identifier: MIT
// Parses the subscripts of einsum.
#include <algorithm>
#include <charconv>
#include <string>

#include "base/utf8.h"
#include "ops/linalg/einsum.h"

namespace arr {

namespace {

constexpr int32_t ellipsis_mark = -1;

int32_t label_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';  // in the order of their character codes, like NumPy
  if (c >= 'a' && c <= 'z') return 26 + c - 'a';
  return -2;
}

// Labels of one operand or the result; an ellipsis is a special label.
Labels term(std::string_view text) {
  Labels out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (out.size() > static_cast<size_t>(max_ndim)) {
      fail(ARR_E_ARGUMENT, "argument subscripts: more than ", max_ndim, " labels in a row");
    }
    if (c == '.') {
      if (text.substr(i, 3) != "...")
        fail(ARR_E_ARGUMENT, "argument subscripts: a stray '.' (an ellipsis is \"...\")");
      if (std::find(out.begin(), out.end(), ellipsis_mark) != out.end()) {
        fail(ARR_E_ARGUMENT, "argument subscripts: two ellipses in \"", text, "\"");
      }
      out.push_back(ellipsis_mark);
      i += 2;
      continue;
    }
    const int32_t label = label_of(c);
    if (label < 0)
      fail(ARR_E_ARGUMENT, "argument subscripts: '", first_character(text.substr(i)), "' in \"", text,
           "\", expected a letter");
    out.push_back(label);
  }
  return out;
}

bool has_ellipsis(const Labels& l) { return std::find(l.begin(), l.end(), ellipsis_mark) != l.end(); }

// Replaces the ellipsis by labels of `count` dimensions.
Labels spelled_out(const Labels& given, int32_t count) {
  Labels out;
  for (int32_t l : given) {
    if (l != ellipsis_mark) {
      out.push_back(l);
      continue;
    }
    for (int32_t i = count; i-- > 0;) out.push_back(first_ellipsis_label + i);
  }
  return out;
}

// The labels that occur once, after those of the ellipses.
Labels implicit_output(const std::vector<Labels>& inputs, int32_t ellipsis) {
  Labels out = spelled_out({ellipsis_mark}, ellipsis);
  for (int32_t label = 0; label < first_ellipsis_label; ++label) {
    int64_t n = 0;
    for (const Labels& l : inputs) n += std::count(l.begin(), l.end(), label);
    if (n == 1) out.push_back(label);
  }
  return out;
}

void check_output(const std::vector<Labels>& inputs, const Labels& out, std::string_view text) {
  for (size_t i = 0; i < out.size(); ++i) {
    const int32_t l = out[i];
    if (std::find(out.begin(), out.begin() + static_cast<int64_t>(i), l) !=
        out.begin() + static_cast<int64_t>(i)) {
      fail(ARR_E_ARGUMENT, "argument subscripts: a label is repeated in the result \"", text, "\"");
    }
    const bool found = std::any_of(inputs.begin(), inputs.end(), [l](const Labels& x) {
      return std::find(x.begin(), x.end(), l) != x.end();
    });
    if (!found)
      fail(ARR_E_ARGUMENT, "argument subscripts: the result \"", text, "\" has a label that no operand has");
  }
}

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> out;
  out.reserve(1 + static_cast<size_t>(std::count(text.begin(), text.end(), ',')));
  for (size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    out.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  out.push_back(text);
  return out;
}

}  // namespace

Subscripts parse_subscripts(std::string_view text, std::span<const Array* const> operands) {
  const size_t arrow = text.find("->");
  const std::vector<std::string_view> terms = split(text.substr(0, arrow));
  if (terms.size() != operands.size()) {
    fail(ARR_E_ARGUMENT, "argument subscripts: ", terms.size(), " operands in \"", text, "\", got ",
         operands.size(), " arrays");
  }
  Subscripts s;
  s.inputs.reserve(terms.size());
  int32_t ellipsis = 0;  // max number of dimensions of an ellipsis
  for (size_t i = 0; i < terms.size(); ++i) {
    const Labels given = term(terms[i]);
    const bool open = has_ellipsis(given);
    const int32_t named = static_cast<int32_t>(given.size()) - (open ? 1 : 0),
                  ndim = operands[i]->layout.ndim;
    if (open ? named > ndim : named != ndim) {
      fail(ARR_E_SHAPE, "argument operands: ", ndim, " dimensions of number ", i, ", \"", terms[i],
           "\" names ", named);
    }
    s.inputs.push_back(spelled_out(given, ndim - named));
    if (open) ellipsis = std::max(ellipsis, ndim - named);
  }
  if (arrow == std::string_view::npos) {
    s.out = implicit_output(s.inputs, ellipsis);
  } else {
    const std::string_view right = text.substr(arrow + 2);
    const Labels given = term(right);
    if (ellipsis > 0 && !has_ellipsis(given)) {
      fail(ARR_E_ARGUMENT, "argument subscripts: the result \"", right, "\" has no ellipsis for ", ellipsis,
           " dimensions under one");
    }
    s.out = spelled_out(given, ellipsis);
    check_output(s.inputs, s.out, right);
  }
  if (s.out.size() > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_SHAPE, "argument subscripts: the result has ", s.out.size(), " dimensions, at most ",
         max_ndim);
  }
  return s;
}

namespace {

// Reads a path from left to right.
class PathText {
 public:
  explicit PathText(std::string_view text) : text_(text) {}
  EinsumSteps steps() {
    EinsumSteps all;
    const bool list = take('[');
    for (const char quote : {'\'', '"'}) {  // NumPy's list begins with its name
      if (take(quote)) name(quote);
    }
    while (take('(')) {
      all.push_back(step());
      take(',');
    }
    if (list && !take(']')) fail_here("a step in parentheses, or ]");
    if (rest() != text_.size()) fail_here(list ? "the end" : "a step in parentheses");
    return all;
  }

 private:
  size_t rest() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_;
  }
  bool take(char c) {
    if (rest() == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail_here(const char* expected) {
    const std::string got = rest() == text_.size() ? std::string("the end")
                                                   : arr::text("'", first_character(text_.substr(at_)), "'");
    fail(ARR_E_ARGUMENT, "argument path: ", got, " at byte ", at_, ", expected ", expected);
  }
  void name(char quote) {
    constexpr std::string_view expected = "einsum_path";
    if (text_.substr(at_, expected.size()) != expected) fail_here("einsum_path");
    at_ += expected.size();
    if (!take(quote)) fail_here("a quotation mark");
    take(',');
  }
  std::vector<int32_t> step() {
    std::vector<int32_t> positions;
    while (!take(')')) {
      int32_t number = 0;
      const char* from = text_.data() + rest();
      const auto [end, bad] = std::from_chars(from, text_.data() + text_.size(), number);
      if (bad != std::errc{}) fail_here("a position in the list of operands");
      at_ += static_cast<size_t>(end - from);
      positions.push_back(number);
      if (!take(',') && (rest() == text_.size() || text_[at_] != ')')) fail_here(", or )");
    }
    return positions;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

EinsumSteps parse_path(std::string_view text) { return PathText(text).steps(); }

}  // namespace arr
