// SPDX-License-Identifier: MIT
// Random integers in a range, and random bits.
#include <limits>

#include "expr/op_numbers.h"
#include "ops/random/draws.h"
#include "ops/random/random.h"

namespace arr {

namespace {

// A bound as 64 bits, which wrap; `negative` if it is below 0.
struct Bound {
  uint64_t bits = 0;
  bool negative = false;
};
Bound bound_of(const Scalar& s, const char* argument) {
  const DKind k = kind(s.dtype);
  if (k == DKind::BOOL || k == DKind::UINT) return {convert(s, DType::uint64_).lo, false};
  if (k == DKind::FLOAT) {
    const auto x = scalar_value<double>(convert(s, DType::float64_));
    if (x != x || x < -0x1p63 || x >= 0x1p63 || static_cast<double>(static_cast<int64_t>(x)) != x) {
      fail(ARR_E_ARGUMENT, "argument ", argument, ": ", x, ", expected a whole number");
    }
  } else if (k != DKind::INT) {
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(s.dtype), ", expected a whole number");
  }
  const uint64_t bits = convert(s, DType::int64_).lo;
  return {bits, static_cast<int64_t>(bits) < 0};
}
bool less(const Bound& a, const Bound& b) { return a.negative != b.negative ? a.negative : a.bits < b.bits; }
std::string text_of(const Bound& b) { return b.negative ? text(static_cast<int64_t>(b.bits)) : text(b.bits); }

// The min and max of a dtype.
std::pair<Bound, Bound> limits(DType d) {
  const auto bits = static_cast<uint64_t>(8 * item_size(d));
  if (d == DType::bool_) return {{0, false}, {1, false}};
  if (kind(d) == DKind::UINT) return {{0, false}, {~uint64_t{0} >> (64 - bits), false}};
  return {{~uint64_t{0} << (bits - 1), true}, {~uint64_t{0} >> (65 - bits), false}};
}

DType whole_type(DType d) {
  if (d == DType::none) return DType::int64_;
  if (is_integer_or_bool(d)) return d;
  fail(ARR_E_DTYPE, "argument dtype: ", name(d), ", expected integers or bool");
}

// The number of integers in the range; 0 means 2^64.
uint64_t width_of(const Scalar& low, const Scalar& high, bool endpoint, DType dtype) {
  const Bound first = bound_of(low, "low"), end = bound_of(high, "high");
  const auto [min, max] = limits(dtype);
  if (less(first, min) || less(max, first))
    fail(ARR_E_ARGUMENT, "argument low: ", text_of(first), " is not in the range of ", name(dtype));
  if (endpoint ? less(end, first) : !less(first, end))
    fail(ARR_E_ARGUMENT, "argument high: ", text_of(end), " is not above low, ", text_of(first));
  const Bound last{endpoint ? end.bits : end.bits - 1, end.negative || (!endpoint && end.bits == 0)};
  if (less(max, last))
    fail(ARR_E_ARGUMENT, "argument high: ", text_of(end), " is not in the range of ", name(dtype));
  return last.bits - first.bits + 1;
}

// Bounds per element, clamped to the dtype's range; above: one more is allowed.
int32_t cut(ProgramBuilder& b, int32_t node, DType to, bool above) {
  const DType t = b.dtype(node);
  const auto [min, max] = limits(to);
  const auto [low, high] = limits(t);
  if (less(low, min))
    node = b.op(op::maximum, node, b.scalar(convert({DType::int64_, min.bits, 0}, t), false));
  if (!less(max, high)) return node;
  return b.op(op::minimum, node,
              b.scalar(convert({DType::uint64_, max.bits + (above ? 1 : 0), 0}, t), false));
}

// A program of integers, with its arrays.
struct Whole {
  BoundProgram program;
  std::vector<Input> arrays;
  size_t channels = 0;
  int64_t blocks = 0;
};

Whole whole_program(bool keyed, const Input& low, const Input& high, bool endpoint, DType dtype, int64_t n) {
  Whole w;
  ProgramBuilder b;
  const bool numbers = low.array == nullptr && high.array == nullptr;
  uint64_t width = 0;
  DType t = DType::uint64_;
  if (numbers) {
    width = width_of(low.scalar, high.scalar, endpoint, dtype);
    if (width != 0 && width <= uint64_t{1} << 32) t = DType::uint32_;
  }
  auto operand = [&](const Input& in, const char* argument) {
    if (in.array == nullptr) {
      const Bound bound = bound_of(in.scalar, argument);
      return b.scalar({bound.negative ? DType::int64_ : DType::uint64_, bound.bits, 0}, false);
    }
    const DKind k = kind(in.array->dtype);
    if (k == DKind::FLOAT || k == DKind::COMPLEX)
      fail(ARR_E_DTYPE, "argument ", argument, ": ", name(in.array->dtype), ", expected integers");
    w.arrays.push_back({in.array, {}, false});
    return b.input(in.array->dtype);
  };
  auto as_bits = [&](int32_t node) { return b.cast(node, DType::uint64_); };
  int32_t start = operand(low, "low"), count = -1;
  if (numbers) {
    count = b.scalar(convert({DType::uint64_, width, 0}, t), false);
  } else {
    start = cut(b, start, dtype, false);
    const int32_t end = cut(b, operand(high, "high"), dtype, !endpoint),
                  one = b.scalar({DType::uint64_, 1, 0}, false);
    const int32_t none = b.op(endpoint ? op::less : op::less_equal, end, start);
    count = b.op(op::subtract, as_bits(end), as_bits(start));
    if (endpoint) count = b.op(op::add, count, one);
    count = b.op(op::where, none, one, count);  // low for an empty range
  }
  const int32_t first = as_bits(start);
  Draws d(&b, DType::float64_, dtype, keyed);
  const int32_t drawn = b.step(op::random_below, t, d.bits(0, t).node, count);
  b.output(b.cast(b.op(op::add, b.cast(drawn, DType::uint64_), first), dtype));
  w.program = b.finish();
  w.channels = d.channels();
  w.blocks = d.blocks(n);
  return w;
}

DType bits_type(DType wanted) {
  const DType dtype = wanted == DType::none ? DType::uint64_ : wanted;
  if (kind(dtype) != DKind::UINT)
    fail(ARR_E_DTYPE, "argument dtype: ", name(dtype), ", expected unsigned integers");
  return dtype;
}

}  // namespace

void random_integers_into(const Array& dst, Generator& g, const Input& low, const Input& high, bool endpoint,
                          Stream* stream) {
  check_writable(dst);
  const Whole w = whole_program(g.keyed(), low, high, endpoint, whole_type(dst.dtype), dst.layout.size());
  draw_into(dst, g, w.program, w.arrays, w.channels, w.blocks, stream);
}

Ref<Array> random_integers(Generator& g, const Input& low, const Input& high, bool endpoint,
                           const RandomShape& shape, Stream* stream) {
  const Input both[2] = {low, high};
  const DType dtype = whole_type(shape.dtype);
  Ref<Array> out = random_target(shape, dtype, both, stream);
  const Whole w = whole_program(g.keyed(), low, high, endpoint, dtype, out->layout.size());
  draw_into(*out, g, w.program, w.arrays, w.channels, w.blocks, stream);
  return out;
}

void random_bits_into(const Array& dst, Generator& g, Stream* stream) {
  check_writable(dst);
  bits_type(dst.dtype);
  ProgramBuilder b;
  Draws d(&b, DType::float64_, dst.dtype, g.keyed());
  b.output(d.bits(0, dst.dtype).node);
  draw_into(dst, g, b.finish(), {}, d.channels(), d.blocks(dst.layout.size()), stream);
}

Ref<Array> random_bits(Generator& g, const RandomShape& shape, Stream* stream) {
  Ref<Array> out = random_target(shape, bits_type(shape.dtype), {}, stream);
  random_bits_into(*out, g, stream);
  return out;
}

}  // namespace arr
