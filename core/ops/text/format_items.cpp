// SPDX-License-Identifier: MIT
// NumPy's rules for aligned numbers: at most 8 digits after the point, exponents if magnitudes differ a lot.
#include "ops/text/format_items.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "math/scalar.h"
#include "ops/text/decimal.h"

namespace arr {

namespace {

constexpr int precision = 8;

template <class T>
T load(const char* at) {
  T x;
  std::memcpy(&x, at, sizeof x);
  return x;
}

double load_real(DType dtype, const char* at) {
  switch (dtype) {
    case DType::float16_:
      return static_cast<double>(arr_half_to_float(load<arr_half>(at)));
    case DType::bfloat16_:
      return static_cast<double>(arr_bfloat_to_float(load<arr_bfloat>(at)));
    case DType::float32_:
      return static_cast<double>(load<float>(at));
    default:
      return load<double>(at);
  }
}

std::string integer_text(DType dtype, const char* at) {
  switch (dtype) {
    case DType::int8_:
      return std::to_string(load<int8_t>(at));
    case DType::int16_:
      return std::to_string(load<int16_t>(at));
    case DType::int32_:
      return std::to_string(load<int32_t>(at));
    case DType::int64_:
      return std::to_string(load<int64_t>(at));
    case DType::uint8_:
      return std::to_string(load<uint8_t>(at));
    case DType::uint16_:
      return std::to_string(load<uint16_t>(at));
    case DType::uint32_:
      return std::to_string(load<uint32_t>(at));
    default:
      return std::to_string(load<uint64_t>(at));
  }
}

// x rounded to the dtype, like quotients and constants of a computation in it.
double round_to(DType dtype, double x) {
  if (dtype == DType::float64_) return x;
  auto f = static_cast<float>(x);
  if (dtype == DType::float16_) f = arr_half_to_float(arr_half_from_float(f));
  if (dtype == DType::bfloat16_) f = arr_bfloat_to_float(arr_bfloat_from_float(f));
  return static_cast<double>(f);
}

// From this magnitude on numbers are written with an exponent, because the dtype does not have the other
// digits.
double exponent_from(DType dtype) {
  return dtype == DType::float64_ ? 1e8 : dtype == DType::float32_ ? 1e6 : 1e3;
}

std::string padded(std::string s, size_t width) {
  if (s.size() < width) s.insert(0, width - s.size(), ' ');
  return s;
}

std::string special_text(double x, bool plus) {
  if (std::isnan(x)) return plus ? "+nan" : "nan";
  return x < 0 ? "-inf" : plus ? "+inf" : "inf";
}

}  // namespace

RealFormat::RealFormat(DType type, bool sign, const char* data, int64_t n, int64_t step)
    : dtype(type), plus(sign) {
  double largest = 0, smallest = HUGE_VAL;
  bool special = false, below = false;
  for (int64_t i = 0; i < n; ++i) {
    double x = load_real(dtype, data + i * step);
    if (!std::isfinite(x)) {
      special = true;
      below = below || x < 0;
      continue;
    }
    if (x == 0) continue;
    largest = std::max(largest, std::fabs(x));
    smallest = std::min(smallest, std::fabs(x));
  }
  if (largest > 0) {
    exponential = largest >= exponent_from(dtype) || smallest < round_to(dtype, 1e-4) ||
                  round_to(dtype, largest / smallest) > 1000;
  }
  for (int64_t i = 0; i < n; ++i) {
    double x = load_real(dtype, data + i * step);
    if (std::isfinite(x)) measure(x);
  }
  if (exponential) right = exponent_digits + 2 + static_cast<size_t>(digits);
  if (special) {
    size_t after = right + 1, wide = plus || below ? 4 : 3;
    left = std::max({left, after < 3 ? 3 - after : 0, after < wide ? wide - after : 0});
  }
}

void RealFormat::measure(double x) {
  Decimal d = exponential ? scientific(x, dtype, precision, 0, plus) : positional(x, dtype, precision, plus);
  left = std::max(left, d.whole.size());
  right = std::max(right, d.fraction.size());
  digits = std::max(digits, static_cast<int>(d.fraction.size()));
  if (exponential) exponent_digits = std::max(exponent_digits, d.exponent.size() - 1);
}

std::string RealFormat::text(double x) const {
  if (!std::isfinite(x)) return padded(special_text(x, plus), left + right + 1);
  if (!exponential) {
    Decimal d = positional(x, dtype, precision, plus);
    d.fraction.append(right - d.fraction.size(), ' ');
    return padded(d.whole, left) + "." + d.fraction;
  }
  Decimal d = scientific(x, dtype, digits, digits, plus);
  std::string sign = d.exponent.substr(0, 1), size = d.exponent.substr(1);
  size.insert(0, exponent_digits - std::min(exponent_digits, size.size()), '0');
  return padded(d.whole, left) + "." + d.fraction + "e" + sign + size;
}

ItemFormat::ItemFormat(DType dtype, const char* data, int64_t n) : dtype_(dtype) {
  DKind k = kind(dtype);
  int64_t item = item_size(dtype);
  if (k == DKind::FLOAT) real_ = RealFormat(dtype, false, data, n, item);
  if (k == DKind::COMPLEX) {
    real_ = RealFormat(real_type(dtype), false, data, n, item);
    imaginary_ = RealFormat(real_type(dtype), true, data + item / 2, n, item);
  }
  if (!is_integer(dtype)) return;
  for (int64_t i = 0; i < n; ++i) width_ = std::max(width_, integer_text(dtype, data + i * item).size());
}

std::string ItemFormat::text(const char* element) const {
  switch (kind(dtype_)) {
    case DKind::BOOL:
      return *element != 0 ? " True" : "False";
    case DKind::FLOAT:
      return real_.text(load_real(dtype_, element));
    case DKind::COMPLEX: {
      DType part = real_type(dtype_);
      std::string i = imaginary_.text(load_real(part, element + item_size(part)));
      i.insert(i.find_last_not_of(' ') + 1, 1, 'j');
      return real_.text(load_real(part, element)) + i;
    }
    default:
      return padded(integer_text(dtype_, element), width_);
  }
}

std::string single_item_text(DType dtype, const char* element) {
  switch (kind(dtype)) {
    case DKind::BOOL:
      return *element != 0 ? "True" : "False";
    case DKind::FLOAT:
      return scalar_text(load_real(dtype, element), dtype, false, false);
    case DKind::COMPLEX: {
      DType part = real_type(dtype);
      double re = load_real(part, element), im = load_real(part, element + item_size(part));
      if (re == 0 && !std::signbit(re)) return scalar_text(im, part, true, false) + "j";
      std::string out(1, '(');
      out += scalar_text(re, part, true, false);
      out += scalar_text(im, part, true, true);
      return out.append("j)");
    }
    default:
      return integer_text(dtype, element);
  }
}

}  // namespace arr
