// SPDX-License-Identifier: MIT
// printf's conversions by to_chars, which writes the same as printf in the C locale.
#include "io/number_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "ops/text/decimal.h"

namespace arr::io {

namespace {

constexpr int32_t max_columns = 1000;  // limit of a width and a precision

class FormatParser {
 public:
  explicit FormatParser(std::string_view text) : text_(text) {}
  NumberFormat parse() {
    NumberFormat out;
    std::string literal;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c != '%') {
        literal += c;
      } else if (peek() == '%') {
        literal += text_[at_++];
      } else {
        out.conversions.push_back(conversion(std::exchange(literal, {})));
      }
    }
    out.after = literal;
    if (out.conversions.empty())
      fail(ARR_E_ARGUMENT, "argument options: a format without a conversion such as %.18e");
    return out;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  int32_t number() {
    int32_t n = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      n = n * 10 + (peek() - '0');
      if (n > max_columns)
        fail(ARR_E_ARGUMENT, "argument options: at byte ", at_, " of the format: more than ", max_columns,
             " columns");
    }
    return n;
  }
  Conversion conversion(std::string before) {
    Conversion c;
    c.before = std::move(before);
    for (;; ++at_) {
      if (peek() == '-') {
        c.left = true;
      } else if (peek() == '0') {
        c.zeros = true;
      } else if (peek() == '+') {
        c.plus = true;
      } else if (peek() == ' ') {
        c.space = true;
      } else {
        break;
      }
    }
    c.width = number();
    if (peek() == '.') {
      ++at_;
      c.precision = number();
    }
    c.kind = peek() == 'i' || peek() == 'u' ? 'd' : peek() == 'r' ? 's' : peek();
    if (std::string_view("deEfFgGxXos").find(c.kind) == std::string_view::npos || c.kind == '\0')
      fail(ARR_E_ARGUMENT, "argument options: at byte ", at_,
           " of the format: expected one of d, e, E, f, F, g, G, x, X, o, s");
    ++at_;
    return c;
  }
};

template <class... Args>
std::string chars(size_t max_size, Args... args) {
  std::string out(max_size, '\0');
  const auto end = std::to_chars(out.data(), out.data() + out.size(), args...);
  out.resize(static_cast<size_t>(end.ptr - out.data()));
  return out;
}

// Digits of |x|, truncated to an integer.
std::string whole_digits(const Conversion& c, const RealNumber& x) {
  const int base = c.kind == 'd' ? 10 : c.kind == 'o' ? 8 : 16;
  std::string digits;
  if (x.whole) {
    digits = chars(70, x.size, base);
  } else {
    const double size = std::trunc(std::fabs(x.value));
    if (!std::isfinite(size))
      fail(ARR_E_ARGUMENT, "argument a: an element is infinite or nan, which %", c.kind, " does not write");
    if (base != 10)
      fail(ARR_E_DTYPE, "argument a: %", c.kind, " writes integers, expected another format for floats");
    digits = chars(400, size, std::chars_format::fixed, 0);
  }
  if (c.precision > static_cast<int32_t>(digits.size()))
    digits.insert(0, static_cast<size_t>(c.precision) - digits.size(), '0');
  return digits;
}

std::string real_digits(const Conversion& c, double size) {
  if (std::isnan(size)) return "nan";
  if (std::isinf(size)) return "inf";
  const int precision = c.precision < 0 ? 6 : c.precision;
  const char kind = static_cast<char>(c.kind | 0x20);
  const auto format = kind == 'e'   ? std::chars_format::scientific
                      : kind == 'f' ? std::chars_format::fixed
                                    : std::chars_format::general;
  return chars(static_cast<size_t>(precision) + 400, size, format, precision);
}

// Formats like Python's str().
std::string plain_text(const Conversion& c, DType dtype, const RealNumber& x) {
  std::string out;
  if (dtype == DType::bool_) {
    out.append(x.size != 0 ? "True" : "False");
  } else if (x.whole) {
    if (x.negative) out += '-';
    out += chars(70, x.size, 10);
  } else {
    out = scalar_text(x.value, real_type(dtype), false, false);
  }
  if (c.precision >= 0) out.resize(std::min(out.size(), static_cast<size_t>(c.precision)));
  return out;
}

}  // namespace

NumberFormat parse_number_format(std::string_view text) { return FormatParser(text).parse(); }

void append_formatted(const Conversion& c, DType dtype, const RealNumber& x, std::string* out) {
  std::string sign, digits;
  bool padded_by_zeros = c.zeros && !c.left;
  if (c.kind == 's') {
    digits = plain_text(c, dtype, x);
    padded_by_zeros = false;
  } else {
    const bool by_digits = c.kind == 'd' || c.kind == 'x' || c.kind == 'X' || c.kind == 'o';
    digits = by_digits ? whole_digits(c, x) : real_digits(c, std::fabs(x.value));
    // A fraction truncated to 0 has no sign as an integer.
    const bool negative = x.negative && !std::isnan(x.value) && !(by_digits && !x.whole && digits == "0");
    if (negative || c.plus || c.space) sign.assign(1, negative ? '-' : c.plus ? '+' : ' ');
    if (c.kind == 'E' || c.kind == 'F' || c.kind == 'G' || c.kind == 'X') {
      for (char& d : digits) d = d >= 'a' && d <= 'z' ? static_cast<char>(d - 0x20) : d;
    }
  }
  const size_t width = static_cast<size_t>(c.width), own = sign.size() + digits.size();
  const size_t gap = width > own ? width - own : 0;
  if (!c.left && !padded_by_zeros) out->append(gap, ' ');
  *out += sign;
  if (padded_by_zeros) out->append(gap, '0');
  *out += digits;
  if (c.left) out->append(gap, ' ');
}

}  // namespace arr::io
