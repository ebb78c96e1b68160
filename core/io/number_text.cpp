// SPDX-License-Identifier: MIT
// Reads and writes numbers by from_chars and to_chars, which are exact and independent of the locale.
#include "io/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "math/scalar.h"
#include "ops/text/decimal.h"

namespace arr::io {

namespace {

// True if a number that from_chars reports as out of range is too large, not too small.
bool is_large(std::string_view digits) {
  const size_t e = std::min(digits.find_first_of("eE"), digits.size());
  std::string_view exponent = digits.substr(std::min(e + 1, digits.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  int32_t power = 0;
  const auto end = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  if (end.ec == std::errc::result_out_of_range) return !exponent.starts_with('-');
  const std::string_view mantissa = digits.substr(0, e);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t first = mantissa.find_first_of("123456789");  // it exists: zero is in every range
  return static_cast<int64_t>(point) - static_cast<int64_t>(first) > -int64_t{power};
}

// A real number without a sign.
template <class T>
size_t read_unsigned_real(std::string_view s, T* out) {
  // Excludes "nan(chars)", which from_chars accepts.
  const auto is = [&](std::string_view word) {
    return s.size() >= word.size() &&
           std::equal(word.begin(), word.end(), s.begin(), [](char w, char c) { return (c | 0x20) == w; });
  };
  if (is("nan")) return *out = std::numeric_limits<T>::quiet_NaN(), 3;
  if (is("infinity")) return *out = std::numeric_limits<T>::infinity(), 8;
  if (is("inf")) return *out = std::numeric_limits<T>::infinity(), 3;
  if (s.empty() || !((s[0] >= '0' && s[0] <= '9') || s[0] == '.')) return 0;
  const auto end = std::from_chars(s.data(), s.data() + s.size(), *out);
  const auto length = static_cast<size_t>(end.ptr - s.data());
  if (end.ec == std::errc::invalid_argument) return 0;
  if (end.ec == std::errc::result_out_of_range)
    *out = is_large(s.substr(0, length)) ? std::numeric_limits<T>::infinity() : T{0};
  return length;
}

template <class T>
size_t read_real(std::string_view s, T* out) {
  const bool sign = !s.empty() && (s[0] == '+' || s[0] == '-');
  const size_t n = read_unsigned_real(s.substr(sign ? 1 : 0), out);
  if (n == 0) return 0;
  if (sign && s[0] == '-') *out = -*out;
  return n + (sign ? 1 : 0);
}

template <class T>
size_t read_whole(std::string_view s, T* out) {
  const bool plus = s.size() > 1 && s[0] == '+' && s[1] != '-';
  const char* first = s.data() + (plus ? 1 : 0);
  const auto end = std::from_chars(first, s.data() + s.size(), *out);
  return end.ec == std::errc{} ? static_cast<size_t>(end.ptr - s.data()) : 0;
}

// "1", "2j", "1+2j", also in parentheses.
template <class T>
size_t read_complex(std::string_view s, T* parts) {
  const bool bracket = !s.empty() && s[0] == '(';
  size_t at = bracket ? 1 : 0;
  const auto space = [&] {
    while (bracket && at < s.size() && is_space(s[at])) ++at;
  };
  const auto unit = [&] { return at < s.size() && (s[at] == 'j' || s[at] == 'J'); };
  space();
  parts[0] = parts[1] = 0;
  size_t n = read_real(s.substr(at), &parts[0]);
  if (n == 0) return 0;
  at += n;
  if (unit()) {
    parts[1] = std::exchange(parts[0], T{0});
    ++at;
  } else if (at < s.size() && (s[at] == '+' || s[at] == '-')) {
    const size_t before = at;
    n = read_real(s.substr(at), &parts[1]);
    at += n;
    if (n != 0 && unit()) {
      ++at;
    } else {
      at = before;
      parts[1] = 0;
    }
  }
  space();
  if (!bracket) return at;
  return at < s.size() && s[at] == ')' ? at + 1 : 0;
}

template <class T>
void store(const T& value, char* element) {
  __builtin_memcpy(element, &value, sizeof value);
}
template <class T>
T load(const char* element) {
  T value;
  __builtin_memcpy(&value, element, sizeof value);
  return value;
}

template <class T>
size_t whole_at(std::string_view s, char* element) {
  T value{};
  const size_t n = read_whole(s, &value);
  if (n != 0) store(value, element);
  return n;
}
template <class T, class Stored = T>
size_t real_at(std::string_view s, char* element) {
  T value{};
  const size_t n = read_real(s, &value);
  if (n != 0) store(arr_cast<Stored>(value), element);
  return n;
}
template <class T>
size_t complex_at(std::string_view s, char* element) {
  T parts[2];
  const size_t n = read_complex(s, parts);
  if (n != 0) __builtin_memcpy(element, parts, sizeof parts);
  return n;
}
size_t bool_at(std::string_view s, char* element) {
  int64_t value = 0;
  const size_t n = read_whole(s, &value);
  if (n != 0) *element = value != 0 ? 1 : 0;
  return n;
}

using Read = size_t (*)(std::string_view, char*);

Read reader_of(DType d) {
  switch (d) {
    case DType::bool_:
      return bool_at;
    case DType::int8_:
      return whole_at<int8_t>;
    case DType::int16_:
      return whole_at<int16_t>;
    case DType::int32_:
      return whole_at<int32_t>;
    case DType::int64_:
      return whole_at<int64_t>;
    case DType::uint8_:
      return whole_at<uint8_t>;
    case DType::uint16_:
      return whole_at<uint16_t>;
    case DType::uint32_:
      return whole_at<uint32_t>;
    case DType::uint64_:
      return whole_at<uint64_t>;
    case DType::float16_:
      return real_at<double, arr_half>;
    case DType::bfloat16_:
      return real_at<double, arr_bfloat>;
    case DType::float32_:
      return real_at<float>;
    case DType::complex64_:
      return complex_at<float>;
    case DType::complex128_:
      return complex_at<double>;
    default:
      return real_at<double>;
  }
}

template <class... Args>
void append_chars(std::string* out, Args... args) {
  std::array<char, 64> b{};
  const auto end = std::to_chars(b.data(), b.data() + b.size(), args...);
  out->append(b.data(), end.ptr);
}

RealNumber of_whole(bool negative, uint64_t size) {
  const auto value = static_cast<double>(size);
  return {true, negative, size, negative ? -value : value};
}
template <class T>
RealNumber of_integer(const char* element) {
  const auto x = load<T>(element);
  if constexpr (std::is_unsigned_v<T>) return of_whole(false, x);
  return of_whole(x < 0, x < 0 ? 0 - static_cast<uint64_t>(x) : static_cast<uint64_t>(x));
}
RealNumber of_real(double x) { return {false, std::signbit(x), 0, x}; }

}  // namespace

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_space(s.back())) s.remove_suffix(1);
  return s;
}

size_t read_number_at(std::string_view text, DType dtype, char* element) {
  return reader_of(dtype)(text, element);
}

bool read_number(std::string_view text, DType dtype, char* element) {
  const std::string_view s = trimmed(text);
  return !s.empty() && reader_of(dtype)(s, element) == s.size();
}

RealNumber real_number(DType dtype, const char* element, int32_t part) {
  switch (dtype) {
    case DType::bool_:
      return of_whole(false, *element != 0 ? 1 : 0);
    case DType::int8_:
      return of_integer<int8_t>(element);
    case DType::int16_:
      return of_integer<int16_t>(element);
    case DType::int32_:
      return of_integer<int32_t>(element);
    case DType::int64_:
      return of_integer<int64_t>(element);
    case DType::uint8_:
      return of_integer<uint8_t>(element);
    case DType::uint16_:
      return of_integer<uint16_t>(element);
    case DType::uint32_:
      return of_integer<uint32_t>(element);
    case DType::uint64_:
      return of_integer<uint64_t>(element);
    case DType::float16_:
      return of_real(static_cast<double>(arr_half_to_float(load<arr_half>(element))));
    case DType::bfloat16_:
      return of_real(static_cast<double>(arr_bfloat_to_float(load<arr_bfloat>(element))));
    case DType::float32_:
    case DType::complex64_:
      return of_real(static_cast<double>(load<float>(element + 4 * part)));
    default:
      return of_real(load<double>(element + 8 * part));
  }
}

void append_number(DType dtype, const char* element, std::string* out) {
  const auto real = [&](int32_t part, bool sign) {
    const double x = real_number(dtype, element, part).value;
    const DType d = real_type(dtype);
    if (sign && (std::isnan(x) || !std::signbit(x))) *out += '+';
    if (std::isnan(x)) {
      *out += "nan";
    } else if (is_half(d)) {
      *out += scalar_text(x, d, true, false);
    } else if (d == DType::float32_) {
      append_chars(out, static_cast<float>(x));
    } else {
      append_chars(out, x);
    }
  };
  if (is_complex(dtype)) {
    *out += '(';
    real(0, false);
    real(1, true);
    *out += "j)";
  } else if (is_integer_or_bool(dtype)) {
    const RealNumber n = real_number(dtype, element, 0);
    if (n.negative) *out += '-';
    append_chars(out, n.size);
  } else {
    real(0, false);
  }
}

}  // namespace arr::io
