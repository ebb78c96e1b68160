// SPDX-License-Identifier: MIT
// Scalar evaluation of programs, comparison and test values.
#include "math/host_math.h"
//
#include "math/scalar.h"
//
#include "math/libm.h"
//
#include "math/math.h"
//
#include "math/elementary.h"
//
#include "math/complex.h"
//
#include "math/bessel.h"
//
#include "math/special.h"
//
#include <algorithm>
#include <limits>
#include <random>

#include "expr/op_numbers.h"
#include "unit/host/support.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-parameter"

namespace arr::test {

namespace {

template <class T>
T get(const Scalar& s) {
  T t;
  std::memcpy(static_cast<void*>(&t), &s.lo, sizeof(T));
  return t;
}
template <class T>
Scalar put(T t, DType d) {
  Scalar s;
  s.dtype = d;
  std::memcpy(&s.lo, static_cast<const void*>(&t), sizeof(T));
  return s;
}

#define ARR_PARAMS_1_SAME T x
#define ARR_PARAMS_2_SAME T x, T y
#define ARR_PARAMS_3_SAME T x, T y, T z
#define ARR_PARAMS_3_COND bool x, T y, T z
#define ARR_PARAMS_2_INT64 T x, long long y
#define ARR_PARAMS_1_OWN T x
#define ARR_PARAMS_2_OWN T x, T y
#define ARR_PARAMS_2_EXACT T x, T y
#define ARR_ARGS_2_INT64 get<T>(a[0]), get<long long>(a[1])
#define ARR_ARGS_1_OWN get<T>(a[0])
#define ARR_ARGS_2_OWN get<T>(a[0]), get<T>(a[1])
#define ARR_ARGS_2_EXACT get<T>(a[0]), get<T>(a[1])
#define ARR_HALVES_SAME false
#define ARR_HALVES_COND false
#define ARR_HALVES_INT64 false
#define ARR_HALVES_OWN true
#define ARR_HALVES_EXACT false
#define ARR_ARGS_1_SAME get<T>(a[0])
#define ARR_ARGS_2_SAME get<T>(a[0]), get<T>(a[1])
#define ARR_ARGS_3_SAME get<T>(a[0]), get<T>(a[1]), get<T>(a[2])
#define ARR_ARGS_3_COND get<bool>(a[0]), get<T>(a[1]), get<T>(a[2])
#define ARR_RESULT_SAME T
#define ARR_RESULT_BOOL bool
#define ARR_RESULT_REAL typename arr_real_of<T>::type
#define ARR_RESULT_INT32 int
#define ARR_RESULT_UINT8 unsigned char

template <class T, DType D>
Scalar apply_as(int32_t op, const Scalar* a, DType result) {
  constexpr uint32_t bit = domain_bit(kind(D));
#define ARR_OP(number, name, nin, in, out, domain, lift, ulp32, ulp64, doc, cupy, ...)   \
  if constexpr ((domain_bits(#domain) & bit) != 0 && (!is_half(D) || ARR_HALVES_##in)) { \
    if (op == number) {                                                                  \
      auto f = [](ARR_PARAMS_##nin##_##in) { return __VA_ARGS__; };                      \
      return put(arr_cast<ARR_RESULT_##out>(f(ARR_ARGS_##nin##_##in)), result);          \
    }                                                                                    \
  }
#include "table/ops.def"
#undef ARR_OP
  return {};
}

}  // namespace

Scalar apply(int32_t op, DType compute, const Scalar* operands, DType result) {
  switch (compute) {
    case DType::bool_:
      return apply_as<bool, DType::bool_>(op, operands, result);
    case DType::int8_:
      return apply_as<signed char, DType::int8_>(op, operands, result);
    case DType::int16_:
      return apply_as<short, DType::int16_>(op, operands, result);
    case DType::int32_:
      return apply_as<int, DType::int32_>(op, operands, result);
    case DType::int64_:
      return apply_as<long long, DType::int64_>(op, operands, result);
    case DType::uint8_:
      return apply_as<unsigned char, DType::uint8_>(op, operands, result);
    case DType::uint16_:
      return apply_as<unsigned short, DType::uint16_>(op, operands, result);
    case DType::uint32_:
      return apply_as<unsigned, DType::uint32_>(op, operands, result);
    case DType::uint64_:
      return apply_as<unsigned long long, DType::uint64_>(op, operands, result);
    case DType::float16_:
      return apply_as<arr_half, DType::float16_>(op, operands, result);
    case DType::bfloat16_:
      return apply_as<arr_bfloat, DType::bfloat16_>(op, operands, result);
    case DType::float32_:
      return apply_as<float, DType::float32_>(op, operands, result);
    case DType::float64_:
      return apply_as<double, DType::float64_>(op, operands, result);
    case DType::complex64_:
      return apply_as<arr_cplx<float>, DType::complex64_>(op, operands, result);
    case DType::complex128_:
      return apply_as<arr_cplx<double>, DType::complex128_>(op, operands, result);
    default:
      return {};
  }
}

std::vector<Scalar> evaluate(const Program& program, const std::vector<Scalar>& inputs) {
  std::vector<Scalar> at;
  for (const Node& n : program.nodes) {
    Scalar a[3];
    for (int i = 0; i < 3 && n.kind != Node::Kind::input && n.args[i] >= 0; ++i) {
      a[i] = at[static_cast<size_t>(n.args[i])];
    }
    at.push_back(n.kind == Node::Kind::input  ? inputs[static_cast<size_t>(n.args[0])]
                 : n.kind == Node::Kind::cast ? convert(a[0], n.dtype)
                                              : apply(n.op, n.compute, a, n.dtype));
  }
  std::vector<Scalar> out;
  for (int32_t o : program.outputs) out.push_back(at[static_cast<size_t>(o)]);
  return out;
}

int allowed_ulp(const Program& program) {
  int max_ulp = 0;
  for (const Node& n : program.nodes) {
    if (n.kind != Node::Kind::op) continue;
    max_ulp = std::max({max_ulp, op_info(n.op)->ulp32, op_info(n.op)->ulp64});
  }
  return max_ulp;
}

long double real_part(const Scalar& s) {
  switch (kind(s.dtype)) {
    case DKind::INT:
      return static_cast<long double>(static_cast<int64_t>(convert(s, DType::int64_).lo));
    case DKind::UINT:
    case DKind::BOOL:
      return static_cast<long double>(convert(s, DType::uint64_).lo);
    default:
      return get<double>(convert(s, DType::float64_));
  }
}

long double imaginary_part(const Scalar& s) {
  return is_complex(s.dtype) ? get<arr_cplx<double>>(convert(s, DType::complex128_)).im : 0.0L;
}

// Rows whose last step may cancel: their errors are relative to something larger than the result.
bool cancels(int32_t number) {
  constexpr int32_t rows[] = {op::beta,   op::betaln,    op::digamma,    op::gammaln,  op::j0, op::j1,
                              op::kl_div, op::logaddexp, op::logaddexp2, op::rel_entr, op::y0, op::y1};
  return std::find(std::begin(rows), std::end(rows), number) != std::end(rows);
}

long double cancelled(const Program& program, const std::vector<Scalar>& inputs) {
  long double max_abs = 0;
  for (const Node& n : program.nodes) {
    if (n.kind != Node::Kind::op || !cancels(n.op)) continue;
    max_abs = std::max(max_abs, 1.0L);
    for (const Scalar& s : inputs) {
      const long double v = real_part(s);
      if (__builtin_isfinite(v)) max_abs = std::max(max_abs, __builtin_fabsl(v));
    }
  }
  return max_abs;
}

bool same(const Scalar& a, const Scalar& b, int ulp, long double cancelled) {
  if (a == b) return true;
  if (!is_floating(a.dtype) && !is_complex(a.dtype)) return false;
  const DType part = real_type(a.dtype);
  const long double eps = part == DType::float64_   ? 0x1p-52L
                          : part == DType::float32_ ? 0x1p-23L
                          : part == DType::float16_ ? 0x1p-10L
                                                    : 0x1p-7L;
  const long double x[2] = {real_part(a), imaginary_part(a)}, y[2] = {real_part(b), imaginary_part(b)};
  long double size = cancelled;
  for (const long double v : x) {
    if (__builtin_isfinite(v)) size = std::max(size, __builtin_fabsl(v));
  }
  const long double tiny = part == DType::float64_ ? 0x1p-1073L : 0x1p-148L;
  for (int i = 0; i < 2; ++i) {
    const bool nan = x[i] != x[i] || y[i] != y[i];
    if (nan ? x[i] == x[i] || y[i] == y[i] : false) return false;
    if (nan || x[i] == y[i]) {
      if (!nan && __builtin_signbit(x[i]) != __builtin_signbit(y[i]) && ulp == 0) return false;
      continue;
    }
    if (ulp == 0 || !__builtin_isfinite(x[i]) || !__builtin_isfinite(y[i])) return false;
    if (__builtin_fabsl(x[i] - y[i]) > ulp * eps * size + ulp * tiny) return false;
  }
  return true;
}

std::string show(const Scalar& s) {
  return text(name(s.dtype), " ", real_part(s), is_complex(s.dtype) ? " + i " : "",
              is_complex(s.dtype) ? text(imaginary_part(s)) : "");
}

namespace {

// Doubles that any float type meets; narrower types round or overflow them.
constexpr double special_floats[] = {0.0,  -0.0,  1.0,     -1.0,  0.5,     2.0,     -2.5,
                                     3.0,  7.0,   -7.0,    100.0, 1e-40,   -5e-324, 1e-8,
                                     6e-8, 65504, -65520., 1e30,  1.7e308, -1e300};

double real_value(std::mt19937& g, int64_t i) {
  constexpr auto count = static_cast<int64_t>(std::size(special_floats));
  if (i < count) return special_floats[i];
  if (i == count) return std::numeric_limits<double>::infinity();
  if (i == count + 1) return -std::numeric_limits<double>::infinity();
  if (i == count + 2) return std::numeric_limits<double>::quiet_NaN();
  return std::uniform_real_distribution<double>(-20, 20)(g);
}

Scalar value(DType d, std::mt19937& g, int64_t i) {
  if (is_floating(d)) return convert(scalar_of(real_value(g, i)), d);
  if (is_complex(d)) {
    double re = real_value(g, i % 23), im = real_value(g, i / 23 % 23 + i % 7);
    return convert(put(arr_cplx<double>(re, im), DType::complex128_), d);
  }
  auto bits = static_cast<int64_t>(uint64_t{g()} << 32 | g());
  constexpr int64_t small[] = {0, 1, -1, 2, 3, -7, 127, -128, 255, 63};
  if (i < 10) bits = small[i];
  if (i == 10) bits = std::numeric_limits<int64_t>::min();
  if (i == 11) bits = std::numeric_limits<int64_t>::max();
  if (i > 11 && i % 3 == 0) bits %= 16;
  if (d == DType::bool_) bits &= 1;
  return convert(scalar_of(bits), d);
}

}  // namespace

std::vector<char> values(DType d, int64_t n, uint32_t seed) {
  std::mt19937 g(seed);
  const auto item = static_cast<size_t>(item_size(d));
  std::vector<char> out(static_cast<size_t>(n) * item);
  for (int64_t i = 0; i < n; ++i) {
    // Rotated, so that two operands pair different values.
    store(value(d, g, (i + seed) % std::max<int64_t>(n, 1)), out.data() + static_cast<size_t>(i) * item);
  }
  return out;
}

Block make_block(const std::vector<int64_t>& shape, DType d, Form form, uint32_t seed) {
  const int64_t item = item_size(d);
  const auto nd = static_cast<int64_t>(shape.size());
  Block b;
  b.strides.assign(shape.size(), 0);
  int64_t step = form == Form::stepped || form == Form::reversed ? 2 * item : item;
  for (int64_t i = 0; i < nd; ++i) {
    const auto dim = static_cast<size_t>(form == Form::f ? i : nd - 1 - i);
    const bool used = form == Form::row      ? dim + 1 == shape.size()
                      : form == Form::column ? dim == 0
                                             : form != Form::point && form != Form::scalar;
    if (!used) continue;
    b.strides[dim] = step;
    step *= shape[dim];
    if (form == Form::apart && i == 0) step += 3 * item;
  }
  b.memory = values(d, std::max<int64_t>(step / item, 1), seed);
  if (form == Form::reversed) {
    for (size_t i = 0; i < shape.size(); ++i) {
      b.offset += (shape[i] - 1) * b.strides[i];
      b.strides[i] = -b.strides[i];
    }
  }
  return b;
}

bool next(std::vector<int64_t>* index, const std::vector<int64_t>& shape) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++(*index)[d] < shape[d]) return true;
    (*index)[d] = 0;
  }
  return false;
}

}  // namespace arr::test
