// SPDX-License-Identifier: MIT
// Each function is one program, so it reads and writes memory once. Complex numbers whose parts are treated
// separately are viewed as two real arrays.
#include "ops/ufunc/numeric.h"

#include <cmath>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/create.h"
#include "ops/elementwise/destination.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// A program that is being built, with operators for formulas.
class Formula : public ProgramBuilder {
 public:
  int32_t number(double x) { return scalar(scalar_of(x), true); }
  BoundProgram finish(int32_t result) {
    output(result);
    return ProgramBuilder::finish();
  }
};

Ref<Array> run(const BoundProgram& p, std::initializer_list<const Array*> arrays, Stream* stream) {
  return run(*p.program, Inputs(p, arrays).all(), Order::K, stream);
}

// Applies a function of real numbers, the program of make(dtype), to an array; to complex numbers part by
// part.
template <class Make>
Ref<Array> by_parts(const Array& a, Stream* stream, Make&& program_for) {
  if (!is_complex(a.dtype)) return run(program_for(a.dtype), {&a}, stream);
  Ref<Array> out = empty_like(a, a.dtype, Order::K, stream);
  BoundProgram p = program_for(real_type(a.dtype));
  for (int32_t which : {0, 1}) {
    Ref<Array> from = complex_part(a, which), to = complex_part(*out, which);
    run_into(*to, *p.program, Inputs(p, {from.get()}).all(), stream);
  }
  return out;
}

// The same into an array of a's shape. Uses a temporary if the dtype differs or memory overlaps other than
// exactly.
template <class Make>
void by_parts_into(const Array& dst, const Array& a, Stream* stream, Make&& program_for) {
  const bool apart = !may_share_memory(dst, a) || same_window(dst, a);
  if (dst.dtype != a.dtype || !(dst.device() == a.device()) || !apart) {
    return assign(dst, *by_parts(a, stream, program_for), stream);
  }
  if (!is_complex(a.dtype)) {
    const BoundProgram p = program_for(a.dtype);
    const Array* in = &a;
    if (p.program->nodes[static_cast<size_t>(p.program->outputs[0])].dtype != dst.dtype)
      return assign(dst, *by_parts(a, stream, program_for), stream);
    return run_into(dst, p, {&in, 1}, stream);
  }
  const BoundProgram p = program_for(real_type(a.dtype));
  for (int32_t which : {0, 1}) {
    const Ref<Array> from = complex_part(a, which), to = complex_part(dst, which);
    run_into(*to, *p.program, Inputs(p, {from.get()}).all(), stream);
  }
}

double largest(DType d) {
  switch (d) {
    case DType::float16_:
      return 65504;
    case DType::bfloat16_:
      return 0x1.fep127;
    case DType::float32_:
      return 0x1.fffffep127;
    default:
      return 0x1.fffffffffffffp1023;
  }
}

BoundProgram close_program(DType x_type, DType y_type, const Closeness& c) {
  Formula f;
  int32_t x = f.input(x_type), y = f.input(y_type);
  int32_t wide = f.cast(y, promote_weak(y_type, DKind::FLOAT));
  int32_t distance = f.op(op::absolute, f.op(op::subtract, x, wide));
  int32_t relative = f.op(op::multiply, f.op(op::absolute, wide), f.number(c.rtol));
  int32_t bound = f.op(op::add, relative, f.number(c.atol));
  int32_t near = f.op(op::logical_and, f.op(op::less_equal, distance, bound), f.op(op::isfinite, wide));
  int32_t result = f.op(op::logical_or, near, f.op(op::equal, x, wide));
  if (c.equal_nan) {
    int32_t both = f.op(op::logical_and, f.op(op::isnan, x), f.op(op::isnan, wide));
    result = f.op(op::logical_or, result, both);
  }
  return f.finish(result);
}

const ReductionInfo& all_of() {
  for (const ReductionInfo& r : all_reductions()) {
    if (std::string_view(r.name) == "all") return r;
  }
  fail(ARR_E_INTERNAL, "there is no reduction named all");
}

// A bool array of one element: true if a bool program is true everywhere.
Ref<Array> everywhere(const BoundProgram& p, const Array& x, const Array& y, Stream* stream) {
  Layout both;
  broadcast_shapes(x.layout, y.layout, "y", &both);
  const ReductionInfo& all = all_of();
  return map_reduce(all, resolve(all, DType::bool_), *p.program, Inputs(p, {&x, &y}).all(),
                    axis_mask(both.ndim, 0, nullptr), false, stream);
}

BoundProgram equal_program(DType x_type, DType y_type, bool equal_nan) {
  Formula f;
  int32_t x = f.input(x_type), y = f.input(y_type);
  int32_t result = f.op(op::equal, x, y);
  if (equal_nan) {
    result = f.op(op::logical_or, result, f.op(op::logical_and, f.op(op::isnan, x), f.op(op::isnan, y)));
  }
  return f.finish(result);
}

Ref<Array> no(const Array& like, Stream* stream) {
  Scalar s;
  s.dtype = DType::bool_;
  return full(DType::bool_, {}, Order::C, s, like.device(), stream);
}

bool broadcast_together(const Layout& a, const Layout& b) {
  for (int32_t i = 1; i <= a.ndim && i <= b.ndim; ++i) {
    int64_t m = a.shape[a.ndim - i], n = b.shape[b.ndim - i];
    if (m != n && m != 1 && n != 1) return false;
  }
  return true;
}

void check_decimals(int32_t decimals) {
  if (decimals > 400 || decimals < -400) {
    fail(ARR_E_ARGUMENT, "argument decimals: ", decimals, ", expected -400 to 400");
  }
}

// The multiple of 10^tens nearest to an integer x, exactly, ties to even; computed on the magnitude in
// uint64. A result that the dtype does not hold wraps.
int32_t round_integer(Formula& f, int32_t x, int32_t tens) {
  constexpr int32_t max_tens = 19;  // 10^20 is more than twice what 64 bits hold
  const DType d = f.dtype(x), u64 = DType::uint64_;
  if (tens > max_tens) return f.op(op::bitwise_xor, x, x);
  uint64_t power = 1;
  for (int32_t i = 0; i < tens; ++i) power *= 10;
  auto whole = [&](uint64_t n) { return f.scalar({u64, n, 0}, false); };
  const bool is_signed = kind(d) == DKind::INT;
  // The absolute value of the smallest int64 wraps to itself, which is 2^63 as a uint64.
  const int32_t size = f.cast(is_signed ? f.op(op::absolute, f.cast(x, DType::int64_)) : x, u64);
  const int32_t quotient = f.op(op::floor_divide, size, whole(power));
  const int32_t rest = f.op(op::subtract, size, f.op(op::multiply, quotient, whole(power)));
  const int32_t odd = f.cast(f.op(op::bitwise_and, quotient, whole(1)), DType::bool_);
  const int32_t tie = f.op(op::logical_and, f.op(op::equal, rest, whole(power / 2)), odd);
  const int32_t up = f.op(op::logical_or, f.op(op::greater, rest, whole(power / 2)), tie);
  const int32_t near = f.op(op::multiply, f.op(op::add, quotient, f.cast(up, u64)), whole(power));
  if (!is_signed) return f.cast(near, d);
  const int32_t plus = f.cast(near, DType::int64_);
  return f.cast(f.op(op::where, f.op(op::less, x, f.scalar(scalar_of(int64_t{0}), true)),
                     f.op(op::negative, plus), plus),
                d);
}

// A float x rounded to `decimals` decimal places: scaled, rounded and scaled back by an integer power of ten,
// as in NumPy. A power that its type does not hold takes two steps. Numbers without digits below the last
// one, or whose scaling overflows, stay as they are.
int32_t round_decimals(Formula& f, int32_t x, int32_t decimals) {
  const DType d = f.dtype(x);
  const int32_t max_tens = d == DType::float32_ ? 38 : 308, first = std::min(decimals, max_tens);
  const double limit = std::ldexp(1.0, float_format(d).fraction + 1);
  const int32_t power = f.number(std::pow(10.0, first));
  const int32_t more = decimals > first ? f.number(std::pow(10.0, decimals - first)) : -1;
  int32_t scaled = f.op(op::multiply, x, power);
  if (more >= 0) scaled = f.op(op::multiply, scaled, more);
  int32_t rounded = f.op(op::rint, scaled);
  if (more >= 0) rounded = f.op(op::divide, rounded, more);
  rounded = f.op(op::divide, rounded, power);
  const int32_t has_digits = f.op(op::less, f.op(op::absolute, scaled), f.number(limit));
  return f.op(op::where, has_digits, rounded, x);
}

// The multiple of 10^tens nearest to the float x.
int32_t round_tens(Formula& f, int32_t x, int32_t tens) {
  const int32_t max_tens = f.dtype(x) == DType::float32_ ? 38 : 308;
  // Every number is nearer to 0 than to such a power; infinities and nan stay.
  if (tens > max_tens) {
    const int32_t none = f.op(op::copysign, f.number(0), x);
    return f.op(op::where, f.op(op::isfinite, x), none, x);
  }
  const int32_t power = f.number(std::pow(10.0, tens));
  return f.op(op::multiply, f.op(op::rint, f.op(op::divide, x, power)), power);
}

BoundProgram rounding(DType d, int32_t decimals) {
  Formula f;
  int32_t x = f.input(d);
  if (decimals == 0) return f.finish(f.op(op::rint, x));
  if (is_integer(d)) return f.finish(round_integer(f, x, -decimals));
  // 16-bit floats, also those made from bool, are computed in float32 and rounded once.
  const DType own = d == DType::bool_ ? DType::float16_ : d;
  x = f.cast(x, compute_type(own));
  const int32_t r = decimals > 0 ? round_decimals(f, x, decimals) : round_tens(f, x, -decimals);
  return f.finish(f.cast(r, own));
}

BoundProgram numbers(DType d, double nan, const double* posinf, const double* neginf) {
  Formula f;
  int32_t x = f.input(d);
  int32_t top = f.number(posinf != nullptr ? *posinf : largest(d));
  int32_t bottom = f.number(neginf != nullptr ? *neginf : -largest(d));
  int32_t finite = f.op(op::where, f.op(op::isneginf, x), bottom, x);
  finite = f.op(op::where, f.op(op::isposinf, x), top, finite);
  return f.finish(f.op(op::where, f.op(op::isnan, x), f.number(nan), finite));
}

}  // namespace

Ref<Array> round(const Array& a, int32_t decimals, Stream* stream) {
  check_decimals(decimals);
  if (is_integer(a.dtype) && decimals >= 0) return copy(a, Order::K, stream);
  return by_parts(a, stream, [&](DType d) { return rounding(d, decimals); });
}

void round_into(const Array& dst, const Array& a, int32_t decimals, Stream* stream) {
  check_decimals(decimals);
  check_destination(dst, a.layout);
  if (is_integer(a.dtype) && decimals >= 0) return assign(dst, a, stream);
  by_parts_into(dst, a, stream, [&](DType d) { return rounding(d, decimals); });
}

Ref<Array> nan_to_num(const Array& a, double nan, const double* posinf, const double* neginf,
                      Stream* stream) {
  if (is_integer_or_bool(a.dtype)) return copy(a, Order::K, stream);
  return by_parts(a, stream, [&](DType d) { return numbers(d, nan, posinf, neginf); });
}

Ref<Array> nan_to_num(const Array& a, const Replacements& by, Stream* stream) {
  const struct {
    const Array* array;
    const char* name;
  } given[] = {{by.nan, "nan"}, {by.posinf, "posinf"}, {by.neginf, "neginf"}};
  const DType part = real_type(a.dtype);
  std::vector<Input> all = {{&a, {}, false}};
  std::vector<Ref<Array>> typed;  // in the type of a's parts
  for (const auto& g : given) {
    if (g.array == nullptr) continue;
    all.push_back({g.array, {}, false});
    if (is_complex(g.array->dtype)) {
      fail(ARR_E_DTYPE, "argument ", g.name, ": ", name(g.array->dtype), ", expected real numbers");
    }
    if (!broadcasts_to(g.array->layout, a.layout)) {
      fail(ARR_E_SHAPE, "argument ", g.name, ": shape ", g.array->layout.text(),
           ", expected one that broadcasts to ", a.layout.text());
    }
    if (!is_integer_or_bool(a.dtype)) typed.push_back(as_type(*g.array, part, stream));
  }
  common_device(all);
  if (is_integer_or_bool(a.dtype)) return copy(a, Order::K, stream);
  Formula f;
  const int32_t x = f.input(part);
  const int32_t nan = by.nan != nullptr ? f.input(part) : f.number(0);
  const int32_t top = by.posinf != nullptr ? f.input(part) : f.number(largest(part));
  const int32_t bottom = by.neginf != nullptr ? f.input(part) : f.number(-largest(part));
  const int32_t above = f.op(op::where, f.op(op::isneginf, x), bottom, x);
  const int32_t finite = f.op(op::where, f.op(op::isposinf, x), top, above);
  const BoundProgram p = f.finish(f.op(op::where, f.op(op::isnan, x), nan, finite));
  Ref<Array> out = empty_like(a, a.dtype, Order::K, stream);
  for (int32_t which = 0; which < (is_complex(a.dtype) ? 2 : 1); ++which) {
    const bool parts = is_complex(a.dtype);
    const Ref<Array> from = parts ? complex_part(a, which) : a.view(a.layout);
    const Ref<Array> to = parts ? complex_part(*out, which) : out;
    std::vector<const Array*> arrays = {from.get()};
    for (const Ref<Array>& t : typed) arrays.push_back(t.get());
    run_into(*to, p, arrays, stream);
  }
  return out;
}

void nan_to_num_into(const Array& dst, const Array& a, double nan, const double* posinf, const double* neginf,
                     Stream* stream) {
  check_destination(dst, a.layout);
  if (is_integer_or_bool(a.dtype)) return assign(dst, a, stream);
  by_parts_into(dst, a, stream, [&](DType d) { return numbers(d, nan, posinf, neginf); });
}

Ref<Array> angle_degrees(const Array& a, Stream* stream) {
  return compute({&a}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::multiply, b.op(op::angle, in[0]), number(b, 180 / 3.14159265358979323846));
  });
}

Ref<Array> real_if_close(const Array& a, double tol, Stream* stream) {
  if (!is_complex(a.dtype)) return a.share();
  const DType real = real_type(a.dtype);
  if (tol > 1) tol *= std::ldexp(1.0, -float_format(real).fraction);
  const Ref<Array> imag = complex_part(a, 1);
  Formula f;
  const int32_t size = f.op(op::absolute, f.input(real));
  const BoundProgram p = f.finish(f.op(op::less, size, f.number(tol)));
  const ReductionInfo& all = all_of();
  const Scalar small =
      map_reduce_item(all, resolve(all, DType::bool_), *p.program, Inputs(p, {imag.get()}).all(), stream);
  return small.lo != 0 ? complex_part(a, 0) : a.share();
}

Ref<Array> isclose(const Array& x, const Array& y, const Closeness& c, Stream* stream) {
  return run(close_program(x.dtype, y.dtype, c), {&x, &y}, stream);
}

Ref<Array> allclose(const Array& x, const Array& y, const Closeness& c, Stream* stream) {
  return everywhere(close_program(x.dtype, y.dtype, c), x, y, stream);
}

Ref<Array> array_equal(const Array& x, const Array& y, bool equal_nan, Stream* stream) {
  if (!x.layout.same_shape(y.layout)) return no(x, stream);
  return everywhere(equal_program(x.dtype, y.dtype, equal_nan), x, y, stream);
}

Ref<Array> array_equiv(const Array& x, const Array& y, Stream* stream) {
  if (!broadcast_together(x.layout, y.layout)) return no(x, stream);
  return everywhere(equal_program(x.dtype, y.dtype, false), x, y, stream);
}

}  // namespace arr
