// SPDX-License-Identifier: MIT
// Searches and interpolation: each is one program over the queries, with the sorted vectors as look-up
// tables.
#include "ops/sorting/search.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/compared.h"

namespace arr {

namespace {

void check_vector(const Array& a, const char* argument) {
  if (a.layout.ndim == 1) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(), ", expected one dimension");
}

// The program's queries, and the vector in which it looks up.
Ref<Array> run_lookup(const BoundProgram& p, const Array& x, const Array& table, Stream* stream) {
  return run(*p.program, Inputs(p, {&x}, {&table}).all(), Order::K, stream);
}

// Searches in `a`. minus: returns the number of elements after the position instead of before it.
Ref<Array> search(const Array& a, const Array& v, bool right, bool minus, Stream* stream) {
  static auto* programs = new ProgramCache;
  const DType t = table_type(a.dtype, v.dtype);
  const auto build = [&] {
    ProgramBuilder b;
    const int32_t x = b.input(v.dtype), table = b.input(DType::table_);
    const Sought s = sought(b, x, t);
    int32_t found = b.step(right ? op::search_right : op::search_left, t, table, s.value);
    if (s.beyond >= 0) {
      const int64_t end = t == DType::uint64_ ? 0 : a.layout.size();
      found = b.op(op::where, s.beyond, integer(b, end), found);
    }
    if (minus) {
      const int32_t all = b.scalar(scalar_of(a.layout.size()), false);
      found = b.op(op::subtract, all, found);
    }
    b.output(found);
    return b.finish();
  };
  BoundProgram own;
  const bool has_extent = minus || is_mixed_pair(v.dtype, t);
  if (has_extent) own = build();
  const uint64_t key = static_cast<uint64_t>(v.dtype) << 16 | static_cast<uint64_t>(t) << 8 | (right ? 1 : 0);
  return run_lookup(has_extent ? own : programs->get(key, build), v, *as_table(a, t, stream), stream);
}

// Properties on which the program of an interpolation depends.
struct Outline {
  DType x = DType::none;
  bool left = false, right = false;  // values for x outside of the points are operands
  bool imaginary = false;            // interpolates imaginary parts: the result is 0 where x is nan
};

// The two points around x; their slope may overflow or underflow.
struct Neighbours {
  int32_t x0, x1, f0, f1, slope;
};
// y, or the weighted mean of the two values where these are numbers but the slope is not.
int32_t without_slope(ProgramBuilder& b, int32_t x, const Neighbours& n, int32_t y) {
  auto op = [&](int32_t number, auto... args) { return b.op(number, args...); };
  auto constant = [&](double v) { return b.scalar(scalar_of(v), true); };
  auto both = [&](int32_t l, int32_t r) { return op(op::logical_and, l, r); };
  auto finite = [&](int32_t l, int32_t r) { return both(op(op::isfinite, l), op(op::isfinite, r)); };
  const int32_t half = constant(0.5), near = op(op::subtract, n.x1, n.x0);
  auto halves = [&](int32_t v) {
    return op(op::subtract, op(op::multiply, v, half), op(op::multiply, n.x0, half));
  };
  const int32_t t = op(op::where, op(op::isfinite, near), op(op::divide, op(op::subtract, x, n.x0), near),
                       op(op::divide, halves(x), halves(n.x1)));
  const int32_t mean =
      op(op::add, op(op::multiply, n.f0, op(op::subtract, constant(1), t)), op(op::multiply, n.f1, t));
  // A slope that is subnormal has few digits; one of a distance that overflows is 0.
  const int32_t size = op(op::absolute, n.slope), min_normal = constant(std::numeric_limits<double>::min());
  const int32_t fine =
      both(op(op::isfinite, n.slope),
           op(op::logical_or, op(op::greater_equal, size, min_normal), op(op::equal, n.f0, n.f1)));
  const int32_t far = both(both(finite(n.x0, n.x1), finite(n.f0, n.f1)), op(op::logical_not, fine));
  return op(op::where, far, mean, y);
}

// NumPy's formula: on the line from the point before x, or from the point after it if the first result is
// nan. Operands: x, the tables of the points, the values left and right of them.
BoundProgram interpolation(const Outline& o) {
  ProgramBuilder b;
  constexpr DType f = DType::float64_;
  auto op = [&](int32_t number, auto... args) { return b.op(number, args...); };
  const int32_t given = b.input(o.x), xp = b.input(DType::table_), fp = b.input(DType::table_);
  const int32_t left = o.left ? b.input(f) : -1, right = o.right ? b.input(f) : -1;
  const int32_t x = b.cast(given, f), next = b.step(op::search_right, f, xp, x);
  const int32_t before = op(op::subtract, next, b.scalar(scalar_of(int64_t{1}), true));
  const int32_t x0 = b.step(op::take, f, xp, before), x1 = b.step(op::take, f, xp, next);
  const int32_t f0 = b.step(op::take, f, fp, before), f1 = b.step(op::take, f, fp, next);
  const int32_t slope = op(op::divide, op(op::subtract, f1, f0), op(op::subtract, x1, x0));
  const int32_t from0 = op(op::add, op(op::multiply, slope, op(op::subtract, x, x0)), f0);
  const int32_t from1 = op(op::add, op(op::multiply, slope, op(op::subtract, x, x1)), f1);
  const int32_t flat = op(op::logical_and, op(op::isnan, from1), op(op::equal, f0, f1));
  int32_t y = op(op::where, op(op::isnan, from0), op(op::where, flat, f0, from1), from0);
  y = without_slope(b, x, {x0, x1, f0, f1, slope}, y);
  // At a point the result is its value, whatever the slope. Before the first and after the last point, both
  // neighbours are that point.
  y = op(op::where, op(op::equal, x, x0), f0, y);
  y = op(op::where, op(op::greater, x, x1), o.right ? right : f1, y);
  y = op(op::where, op(op::less, x, x0), o.left ? left : f0, y);
  b.output(op(op::where, op(op::isnan, x), o.imaginary ? b.scalar(scalar_of(0.0), false) : x, y));
  return b.finish();
}

Ref<Array> interpolate(const Array& x, const Array& xp, const Array& fp, const std::optional<Scalar>& left,
                       const std::optional<Scalar>& right, bool imaginary, Stream* stream) {
  static auto* programs = new ProgramCache;
  const Outline outline{x.dtype, left.has_value(), right.has_value(), imaginary};
  const uint64_t key = 8 * static_cast<uint64_t>(x.dtype) + 4 * static_cast<uint64_t>(outline.left) +
                       2 * static_cast<uint64_t>(outline.right) + static_cast<uint64_t>(imaginary);
  const BoundProgram& program = programs->get(key, [&] { return interpolation(outline); });
  std::vector<Input> all = {{&x, {}, false}, table_input(xp), table_input(fp)};
  for (const auto& end : {left, right}) {
    if (end) all.push_back({nullptr, *end, false});
  }
  add_constants(program, &all);
  return run(*program.program, all, Order::K, stream);
}

// The real or imaginary parts of a complex vector.
std::optional<Scalar> part_of(const std::optional<Scalar>& s, int32_t which) {
  if (!s) return {};
  const Scalar wide = convert(*s, DType::complex128_);
  return scalar_of(std::bit_cast<double>(which == 0 ? wide.lo : wide.hi));
}

struct Points {
  Ref<Array> x, f;  // float64, and float64 or complex128
};

// Elements on the host.
template <class T>
std::vector<T> values(const Array& a, Stream* stream) {
  std::vector<T> all(static_cast<size_t>(a.layout.size()));
  get(a, Order::C, all.data(), static_cast<int64_t>(all.size() * sizeof(T)), stream);
  return all;
}

// Values in the order of the points, extended at each end by one from the other end.
template <class T>
Ref<Array> wrapped(const Array& f, const std::vector<size_t>& order, Stream* stream) {
  const std::vector<T> all = values<T>(f, stream);
  std::vector<T> out = {all[order.back()]};
  for (size_t i : order) out.push_back(all[i]);
  out.push_back(all[order.front()]);
  return upload(out, f.dtype, f.device(), stream);
}

// The points of one period, sorted on the host.
Points periodic(const Points& p, double period, Stream* stream) {
  std::vector<double> x = values<double>(*p.x, stream);
  for (double& v : x) {
    v = std::fmod(v, period);
    v = v < 0 ? v + period : std::copysign(v, period);  // remainder(): never negative, and never -0.0
  }
  std::vector<size_t> order(x.size());
  std::iota(order.begin(), order.end(), size_t{0});
  auto before = [&](size_t i, size_t j) { return x[i] < x[j] || (std::isnan(x[j]) && !std::isnan(x[i])); };
  std::stable_sort(order.begin(), order.end(), before);
  std::vector<double> sorted = {x[order.back()] - period};
  for (size_t i : order) sorted.push_back(x[i]);
  sorted.push_back(x[order.front()] + period);
  return {upload(sorted, DType::float64_, p.x->device(), stream),
          is_complex(p.f->dtype) ? wrapped<std::complex<double>>(*p.f, order, stream)
                                 : wrapped<double>(*p.f, order, stream)};
}

void check_points(const Array& x, const Array& xp, const Array& fp, const Interpolation& o) {
  const Input all[] = {{&x, {}, false}, {&xp, {}, false}, {&fp, {}, false}};
  common_device(all);
  check_vector(xp, "xp");
  check_vector(fp, "fp");
  if (xp.layout.shape[0] != fp.layout.shape[0] || xp.layout.shape[0] == 0) {
    fail(ARR_E_SHAPE, "argument fp: shape ", fp.layout.text(), " for points of shape ", xp.layout.text(),
         ", expected as many, and one or more");
  }
  if (is_complex(x.dtype)) fail(ARR_E_DTYPE, "argument x: interp is not defined for ", name(x.dtype));
  if (is_complex(xp.dtype)) fail(ARR_E_DTYPE, "argument xp: interp is not defined for ", name(xp.dtype));
  if (!std::isfinite(o.period))
    fail(ARR_E_ARGUMENT, "argument period: ", o.period, ", expected a finite number");
}

}  // namespace

Sought sought(ProgramBuilder& b, int32_t x, DType table) {
  const DType d = b.dtype(x);
  if (!is_mixed_pair(d, table)) return {b.cast(x, table)};
  if (d == DType::uint64_) {
    const int32_t max_index = b.scalar({d, ~uint64_t{0} >> 1, 0}, false);
    return {b.cast(b.op(op::minimum, x, max_index), table), b.op(op::greater, x, max_index)};
  }
  const int32_t wide = b.cast(x, DType::int64_), zero = integer(b, 0);
  return {b.cast(b.op(op::maximum, wide, zero), table), b.op(op::less, wide, zero)};
}

Ref<Array> searchsorted(const Array& a, const Array& v, bool right, const Array* sorter, Stream* stream) {
  const Input all[] = {{&a, {}, false}, {&v, {}, false}, {sorter, {}, false}};
  common_device(all);
  check_vector(a, "a");
  if (sorter == nullptr) return search(a, v, right, false, stream);
  if (!is_integer(sorter->dtype)) {
    fail(ARR_E_DTYPE, "argument sorter: ", name(sorter->dtype), ", expected integers");
  }
  if (!sorter->layout.same_shape(a.layout)) {
    fail(ARR_E_SHAPE, "argument sorter: shape ", sorter->layout.text(), ", expected that of a, ",
         a.layout.text());
  }
  if (a.layout.size() == 0) return search(a, v, right, false, stream);
  return search(*take(a, *sorter, 0, Bounds::clip, stream), v, right, false, stream);
}

Ref<Array> digitize(const Array& x, const Array& bins, bool right, Stream* stream) {
  const Input all[] = {{&x, {}, false}, {&bins, {}, false}};
  common_device(all);
  check_vector(bins, "bins");
  for (const Array* a : {&x, &bins}) {
    if (!is_complex(a->dtype)) continue;
    fail(ARR_E_DTYPE, "argument ", a == &x ? "x" : "bins", ": digitize is not defined for ", name(a->dtype));
  }
  if (!any_neighbours(op::less, bins, stream)) return search(bins, x, !right, false, stream);
  if (any_neighbours(op::greater, bins, stream)) {
    fail(ARR_E_ARGUMENT, "argument bins: must be monotonic");
  }
  Layout l = bins.layout;
  l.strides[0] = -l.strides[0];
  Ref<Array> rising = bins.view(l, (l.shape[0] - 1) * bins.layout.strides[0]);
  return search(*rising, x, !right, true, stream);
}

Ref<Array> interp(const Array& x, const Array& xp, const Array& fp, const Interpolation& options,
                  Stream* stream) {
  check_points(x, xp, fp, options);
  const bool complex = is_complex(fp.dtype);
  Points p = {as_table(xp, DType::float64_, stream),
              as_table(fp, complex ? DType::complex128_ : DType::float64_, stream)};
  const double period = std::fabs(options.period);
  std::optional<Scalar> left = options.left, right = options.right;
  Ref<Array> at = x.share();
  if (period != 0) {
    p = periodic(p, period, stream);
    left = right = {};
    ProgramBuilder b;
    const int32_t wide = b.cast(b.input(x.dtype), DType::float64_);
    b.output(b.op(op::remainder, wide, b.scalar(scalar_of(period), false)));
    const Array* one[] = {&x};
    at = run(b.finish(), one, stream);
  }
  if (!complex) {
    auto real = [](const std::optional<Scalar>& v) {
      return v ? std::optional(convert(*v, DType::float64_)) : std::nullopt;
    };
    return interpolate(*at, *p.x, *p.f, real(left), real(right), false, stream);
  }
  Ref<Array> out = empty_like(*at, DType::complex128_, Order::K, stream);
  for (int32_t which : {0, 1}) {
    Ref<Array> f = contiguous(*complex_part(*p.f, which), Order::C, stream);
    Ref<Array> y =
        interpolate(*at, *p.x, *f, part_of(left, which), part_of(right, which), which == 1, stream);
    assign(*complex_part(*out, which), *y, stream);
  }
  return out;
}

}  // namespace arr
