// SPDX-License-Identifier: MIT
// Shortest decimal digits: by the standard library for float and double, by a search for 16-bit types.
#include "ops/text/decimal.h"

#include <array>
#include <charconv>
#include <cmath>

#include "math/scalar.h"

namespace arr {

namespace {

using Digits = std::array<char, 1200>;  // the longest text: 309 digits, a point and at most some 1075 more

template <class... Args>
std::string chars(Args... args) {
  Digits b{};
  auto end = std::to_chars(b.data(), b.data() + b.size(), args...);
  return {b.data(), end.ptr};
}

double parsed(const std::string& s) {
  double x = 0;
  std::from_chars(s.data(), s.data() + s.size(), x);
  return x;
}

double rounded_to(double x, DType dtype) {
  if (dtype == DType::float16_) {
    return static_cast<double>(arr_half_to_float(arr_cast<arr_half>(x)));
  }
  return static_cast<double>(arr_bfloat_to_float(arr_cast<arr_bfloat>(x)));
}

// Increments the last digit before the exponent in "1.25e+07"; 9 becomes 10, which still parses.
std::string next_up(std::string s) {
  size_t at = s.find('e');
  while (at-- > 0) {
    if (s[at] == '.') continue;
    if (s[at] != '9') {
      ++s[at];
      return s;
    }
    s[at] = '0';
  }
  return s.insert(0, 1, '1');
}

// |x| as "d.ddde+xx" with the fewest digits.
std::string shortest(double x, DType dtype) {
  if (dtype == DType::float64_) return chars(x, std::chars_format::scientific);
  if (dtype == DType::float32_) return chars(static_cast<float>(x), std::chars_format::scientific);
  for (int digits = 0;; ++digits) {
    std::string s = chars(x, std::chars_format::scientific, digits);
    if (digits == 8 || rounded_to(parsed(s), dtype) == x) return s;
    // Above a power of two neighbours are further away than below, so the second nearest decimal may do.
    if (parsed(s) > x) continue;
    std::string up = next_up(s);
    if (rounded_to(parsed(up), dtype) == x) return up;
  }
}

std::string sign_of(double x, bool plus) { return std::signbit(x) ? "-" : plus ? "+" : ""; }

void trim_zeros(std::string* digits) {
  while (!digits->empty() && digits->back() == '0') digits->pop_back();
}

// Splits "12.5" or "1.25e+07".
Decimal split(const std::string& s, const std::string& sign) {
  Decimal d;
  size_t e = s.find('e'), point = s.find('.');
  if (e == std::string::npos) e = s.size();
  if (point == std::string::npos) point = e;
  d.whole = sign + s.substr(0, point);
  if (point < e) d.fraction = s.substr(point + 1, e - point - 1);
  if (e < s.size()) d.exponent = s.substr(e + 1);
  return d;
}

}  // namespace

Decimal scientific(double x, DType dtype, int max_digits, int min_digits, bool plus) {
  double size = std::fabs(x);
  Decimal d = split(shortest(size, dtype), sign_of(x, plus));
  auto digits = static_cast<int>(d.fraction.size());
  if (max_digits >= 0 && digits > max_digits) {
    d = split(chars(size, std::chars_format::scientific, max_digits), sign_of(x, plus));
    trim_zeros(&d.fraction);
    digits = static_cast<int>(d.fraction.size());
  }
  if (digits < min_digits)
    d = split(chars(size, std::chars_format::scientific, min_digits), sign_of(x, plus));
  return d;
}

Decimal positional(double x, DType dtype, int max_digits, bool plus) {
  double size = std::fabs(x);
  Decimal e = split(shortest(size, dtype), "");
  int exponent = 0;
  const char* number = e.exponent.data() + (e.exponent.starts_with('+') ? 1 : 0);
  std::from_chars(number, e.exponent.data() + e.exponent.size(), exponent);
  std::string digits = e.whole + e.fraction;
  if (exponent < 0) {
    digits.insert(0, static_cast<size_t>(-exponent), '0');
    exponent = 0;
  }
  // Zeros up to the point instead of further digits of x.
  auto before = static_cast<size_t>(exponent) + 1;
  if (digits.size() < before) digits.append(before - digits.size(), '0');
  Decimal d{sign_of(x, plus) + digits.substr(0, before), digits.substr(before), ""};
  trim_zeros(&d.fraction);
  if (max_digits >= 0 && d.fraction.size() > static_cast<size_t>(max_digits)) {
    d = split(chars(size, std::chars_format::fixed, max_digits), sign_of(x, plus));
    trim_zeros(&d.fraction);
  }
  return d;
}

std::string scalar_text(double x, DType dtype, bool in_complex, bool plus) {
  if (std::isnan(x)) return plus ? "+nan" : "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : plus ? "+inf" : "inf";
  double size = std::fabs(x);
  double exponent_from = dtype == DType::float64_ ? 1e16 : dtype == DType::float32_ ? 1e6 : 1e3;
  if (size == 0 || (size >= 1e-4 && size < exponent_from)) {
    Decimal d = positional(x, dtype, -1, plus);
    if (d.fraction.empty()) return in_complex ? d.whole : d.whole + ".0";
    return d.whole + "." + d.fraction;
  }
  Decimal d = scientific(x, dtype, -1, 0, plus);
  return d.whole + (d.fraction.empty() ? "" : "." + d.fraction) + "e" + d.exponent;
}

}  // namespace arr
