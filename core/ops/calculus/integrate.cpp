// SPDX-License-Identifier: MIT
// Integrals by the trapezoidal rule, and phase unwrapping: programs, and sums along an axis.
#include <bit>
#include <cmath>
#include <vector>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/calculus/calculus.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

// The coordinates, broadcast with y.
Ref<Array> coordinates(const Array& y, const Array& x, int32_t axis) {
  if (x.layout.ndim == 1 && x.layout.shape[0] == y.layout.shape[axis]) {
    return broadcastable_vector(x, y.layout.ndim, axis);
  }
  if (x.layout.same_shape(y.layout)) return x.share();
  fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected (", y.layout.shape[axis], ") or ",
       y.layout.text());
}

// The difference and the sum of two neighbours. For integers and bool (0 and 1) they do not wrap: they are
// computed in int64; for 64-bit integers the results are float64, rounded once.
int32_t difference(ProgramBuilder& b, int32_t high, int32_t low) {
  const DType d = b.dtype(high);
  if (!is_integer_or_bool(d)) return b.op(op::subtract, high, low);
  auto wide_difference = [&](int32_t x, int32_t y, DType as) {
    return b.op(op::subtract, b.cast(x, as), b.cast(y, as));
  };
  if (item_size(d) < 8) return wide_difference(high, low, DType::int64_);
  auto distance = [&](int32_t x, int32_t y) {
    return b.cast(wide_difference(x, y, DType::uint64_), DType::float64_);
  };
  const int32_t falls = b.op(op::negative, distance(low, high));
  return b.op(op::where, b.op(op::greater_equal, high, low), distance(high, low), falls);
}

int32_t sum(ProgramBuilder& b, int32_t high, int32_t low) {
  const DType d = b.dtype(high);
  if (!is_integer_or_bool(d)) return b.op(op::add, high, low);
  if (item_size(d) < 8) return b.op(op::add, b.cast(high, DType::int64_), b.cast(low, DType::int64_));
  // Twice the mean rounded down, and the remainder.
  const int32_t one = b.scalar(scalar_of(int64_t{1}), true), differ = b.op(op::bitwise_xor, high, low);
  const int32_t half = b.op(op::add, b.op(op::bitwise_and, high, low), b.op(op::right_shift, differ, one));
  const int32_t twice = b.op(op::multiply, b.cast(half, DType::float64_), number(b, 2));
  return b.op(op::add, twice, b.cast(b.op(op::bitwise_and, differ, one), DType::float64_));
}

// Areas between neighbours: distance * (y1 + y0) / 2, in NumPy's dtype.
struct Areas {
  ProgramBuilder b;
  int32_t node = 0;
  std::vector<Ref<Array>> parts;
  BoundProgram program;

  Areas(const Array& y, const Array* x, double dx, int32_t axis) {
    const int64_t n = y.layout.shape[axis], count = n > 0 ? n - 1 : 0;
    auto neighbours = [&](const Array& a, int32_t* high, int32_t* low) {
      parts.push_back(slice_axis(a, axis, 1, count + 1));
      parts.push_back(slice_axis(a, axis, 0, count));
      *high = b.input(a.dtype);
      *low = b.input(a.dtype);
    };
    int32_t high = 0, low = 0, to = 0, from = 0;
    neighbours(y, &high, &low);
    const OperandType types[3] = {
        {y.dtype, false},
        x == nullptr ? OperandType{DType::float64_, true} : OperandType{x->dtype, false},
        {DType::float64_, true}};
    const DType type = common_type(types);
    int32_t distance = 0;
    if (x != nullptr) {
      neighbours(*coordinates(y, *x, axis), &to, &from);
      distance = b.cast(difference(b, to, from), type);
    } else {
      distance = b.scalar(scalar_of(dx), true);
    }
    const int32_t area = b.op(op::multiply, distance, b.cast(sum(b, high, low), type));
    node = b.op(op::divide, area, number(b, 2));
  }
  std::vector<Input> finish(DType out) {
    b.output(b.cast(node, out));
    program = b.finish();
    std::vector<Input> inputs;
    for (const Ref<Array>& a : parts) inputs.push_back({a.get(), {}, false});
    add_constants(program, &inputs);
    return inputs;
  }
};

}  // namespace

Ref<Array> trapezoid(const Array& y, const Array* x, double dx, int32_t axis, Stream* stream) {
  axis = normalize_axis(y.layout.ndim, axis);
  Areas areas(y, x, dx, axis);
  const ReductionInfo& sum = *reduction_info(reduction::sum);
  const ReduceTypes types = resolve(sum, areas.b.dtype(areas.node));
  const std::vector<Input> inputs = areas.finish(types.acc);
  return map_reduce(sum, types, *areas.program.program, inputs, 1U << axis, false, stream);
}

Ref<Array> cumulative_trapezoid(const Array& y, const Array* x, double dx, int32_t axis, bool initial,
                                Stream* stream) {
  axis = normalize_axis(y.layout.ndim, axis);
  if (y.layout.shape[axis] == 0) {
    fail(ARR_E_SHAPE, "argument y: shape ", y.layout.text(), " is empty along axis ", axis);
  }
  Areas areas(y, x, dx, axis);
  const std::vector<Input> inputs = areas.finish(areas.b.dtype(areas.node));
  ScanOptions options;
  options.reduction = reduction::sum;
  options.initial = initial;
  return scan(options, *run(*areas.program.program, inputs, Order::K, stream), axis, stream);
}

namespace {

// The correction that brings jumps of the phase into one period around 0; jumps below `discont` stay.
BoundProgram correction(DType in, DType type, const Scalar& period, double discont) {
  ProgramBuilder b;
  const bool whole = !is_floating(type);
  const auto steps = static_cast<int64_t>(convert(period, DType::int64_).lo);
  auto constant = [&](double x) {
    return b.scalar(convert(scalar_of(x), whole ? DType::int64_ : type), false);
  };
  const double full =
      whole ? static_cast<double>(steps) : std::bit_cast<double>(convert(period, DType::float64_).lo);
  const double high = whole ? std::floor(full / 2) : full / 2;
  const bool ambiguous = !whole || steps % 2 == 0;
  // Jumps of small integers do not fit in their type.
  const DType wide = whole ? DType::int64_ : type;
  const int32_t next = b.cast(b.input(in), wide), now = b.cast(b.input(in), wide);
  const int32_t jump = b.op(op::subtract, next, now), low = constant(-high);
  int32_t inside = b.op(op::add, b.op(op::remainder, b.op(op::subtract, jump, low), constant(full)), low);
  if (ambiguous) {
    const int32_t at_edge = b.op(op::equal, inside, low), up = b.op(op::greater, jump, constant(0));
    inside = b.op(op::where, b.op(op::logical_and, at_edge, up), constant(high), inside);
  }
  const int32_t size = b.op(op::absolute, jump);
  const double min_jump = std::isnan(discont) ? full / 2 : discont;
  // |jump| < least, of whole numbers too.
  const int32_t small = b.op(op::less, size, b.scalar(scalar_of(min_jump), !whole));
  b.output(b.cast(b.op(op::where, small, constant(0), b.op(op::subtract, inside, jump)), type));
  return b.finish();
}

}  // namespace

Ref<Array> unwrap(const Array& p, double discont, int32_t axis, const Scalar& period, bool weak,
                  Stream* stream) {
  axis = normalize_axis(p.layout.ndim, axis);
  if (is_complex(p.dtype) || is_complex(period.dtype)) {
    fail(ARR_E_DTYPE, "argument p: the phase of complex numbers is not unwrapped; take their angle first");
  }
  const DType in = p.dtype == DType::bool_ ? DType::int64_ : p.dtype;
  const DType type = weak ? promote_weak(in, kind(period.dtype)) : promote(in, period.dtype);
  if (kind(type) == DKind::UINT) {
    fail(ARR_E_DTYPE, "argument p: ", name(p.dtype), " has no negative phases; cast it first");
  }
  Ref<Array> out = astype(p, type, Casting::unsafe, Order::K, stream);
  const int64_t n = p.layout.shape[axis];
  if (p.layout.size() == 0 || n < 2) return out;
  const Ref<Array> next = slice_axis(p, axis, 1, n), now = slice_axis(p, axis, 0, n - 1);
  const Array* arrays[2] = {next.get(), now.get()};
  Ref<Array> jumps = run(correction(p.dtype, type, period, discont), arrays, stream);
  ScanOptions options;
  options.reduction = reduction::sum;
  options.dtype = type;
  scan_into(*jumps, options, *jumps, axis, stream);
  const Ref<Array> to = slice_axis(*out, axis, 1, n);
  const Input inputs[2] = {{to.get(), {}, false}, {jumps.get(), {}, false}};
  elementwise_into(*to, *op_info(op::add), inputs, stream);
  return out;
}

}  // namespace arr
