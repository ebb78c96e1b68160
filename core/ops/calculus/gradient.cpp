// SPDX-License-Identifier: MIT
// Gradients: second-order differences inside, one-sided ones at the edges, in one pass each.
#include <bit>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/calculus/calculus.h"

namespace arr {

namespace {

// A program builder with operators, so that formulas can be written.
struct Formula {
  ProgramBuilder b;
  int32_t add(int32_t x, int32_t y) { return b.op(op::add, x, y); }
  int32_t subtract(int32_t x, int32_t y) { return b.op(op::subtract, x, y); }
  int32_t multiply(int32_t x, int32_t y) { return b.op(op::multiply, x, y); }
  int32_t divide(int32_t x, int32_t y) { return b.op(op::divide, x, y); }
  int32_t number(double x) { return b.scalar(scalar_of(x), true); }
  // a x + b y + c z
  int32_t weighted(const int32_t w[3], const int32_t x[3]) {
    return add(add(multiply(w[0], x[0]), multiply(w[1], x[1])), multiply(w[2], x[2]));
  }
};

enum class Position { inside, first, last };

// The weights of three neighbours, at distances d1 and d2, for the derivative at one of them.
void weights(Formula& f, Position position, int32_t d1, int32_t d2, int32_t w[3]) {
  const int32_t sum = f.add(d1, d2), low = f.multiply(d1, sum), high = f.multiply(d2, sum);
  const int32_t both = f.multiply(d1, d2);
  auto minus = [&](int32_t x) { return f.b.op(op::negative, x); };
  auto twice = [&](int32_t x, int32_t y) { return f.add(f.multiply(f.number(2), x), y); };
  switch (position) {
    case Position::inside:
      w[0] = f.divide(minus(d2), low);
      w[1] = f.divide(f.subtract(d2, d1), both);
      w[2] = f.divide(d1, high);
      return;
    case Position::first:
      w[0] = f.divide(minus(twice(d1, d2)), low);
      w[1] = f.divide(sum, both);
      w[2] = f.divide(minus(d1), high);
      return;
    case Position::last:
      w[0] = f.divide(d2, low);
      w[1] = f.divide(minus(sum), both);
      w[2] = f.divide(twice(d2, d1), high);
      return;
  }
}

struct Gradient {
  const Array& f;
  const Array& out;
  int32_t axis;
  const Input& spacing;
  Ref<Array> x;  // coordinates along the axis, or nullptr
  Stream* stream;

  // Writes elements from .. to of the result, each from `reads` neighbouring inputs from `at` on.
  void pass(Position position, int32_t reads, int64_t at, int64_t from, int64_t to) const {
    const DType type = f.dtype;
    Formula p;
    int32_t v[3] = {}, c[3] = {};
    std::vector<Ref<Array>> parts;
    for (int32_t i = 0; i < reads; ++i) {
      v[i] = p.b.input(type);
      parts.push_back(slice_axis(f, axis, at + i, at + i + (to - from)));
    }
    for (int32_t i = 0; x && i < reads; ++i) {
      c[i] = p.b.input(x->dtype);
      parts.push_back(slice_axis(*x, axis, at + i, at + i + (to - from)));
    }
    for (int32_t i = 0; i < reads; ++i) v[i] = p.b.cast(v[i], out.dtype);
    p.b.output(p.b.cast(x ? uneven(p, position, reads, v, c) : even(p, position, reads, v), out.dtype));
    std::vector<const Array*> arrays;
    arrays.reserve(parts.size());
    for (const Ref<Array>& r : parts) arrays.push_back(r.get());
    run_into(*slice_axis(out, axis, from, to), p.b.finish(), arrays, stream);
  }
  // A number computed from the spacing, in its dtype.
  int32_t constant(Formula& p, double value) const {
    if (spacing.weak) return p.number(value);
    return p.b.scalar(convert(scalar_of(value), inexact_type(spacing.scalar.dtype)), false);
  }
  int32_t even(Formula& p, Position position, int32_t reads, const int32_t* v) const {
    const double h = std::bit_cast<double>(convert(spacing.scalar, DType::float64_).lo);
    if (reads == 2) return p.divide(p.subtract(v[1], v[0]), constant(p, h));
    if (position == Position::inside) return p.divide(p.subtract(v[2], v[0]), constant(p, 2 * h));
    const double at_first[3] = {-1.5, 2, -0.5}, at_last[3] = {0.5, -2, 1.5};
    int32_t w[3];
    for (int32_t i = 0; i < 3; ++i) {
      w[i] = constant(p, (position == Position::first ? at_first[i] : at_last[i]) / h);
    }
    return p.weighted(w, v);
  }
  static int32_t uneven(Formula& p, Position position, int32_t reads, const int32_t* v, const int32_t* c) {
    const int32_t d1 = p.subtract(c[1], c[0]);
    if (reads == 2) return p.divide(p.subtract(v[1], v[0]), d1);
    int32_t w[3];
    weights(p, position, d1, p.subtract(c[2], c[1]), w);
    return p.weighted(w, v);
  }
};

}  // namespace

Ref<Array> gradient(const Array& f, int32_t axis, const Input& spacing, int32_t edge_order, Stream* stream) {
  axis = normalize_axis(f.layout.ndim, axis, "axes");
  if (edge_order != 1 && edge_order != 2) {
    fail(ARR_E_ARGUMENT, "argument edge_order: ", edge_order, ", expected 1 or 2");
  }
  const int64_t n = f.layout.shape[axis];
  if (n < edge_order + 1) {
    fail(ARR_E_SHAPE, "argument f: extent ", n, " along axis ", axis, ", expected ", edge_order + 1,
         " or more for edge_order ", edge_order);
  }
  const DType type = inexact_type(f.dtype);
  Ref<Array> out = create(type, layout_like(f.layout, item_size(type), Order::K), f.device(), stream);
  Gradient g{f, *out, axis, spacing, nullptr, stream};
  if (spacing.array != nullptr && spacing.array->layout.ndim != 0) {
    const Layout& l = spacing.array->layout;
    if (l.ndim != 1 || l.shape[0] != n) {
      fail(ARR_E_SHAPE, "argument spacing: shape ", l.text(), ", expected a scalar or (", n, ")");
    }
    g.x = broadcastable_vector(*spacing.array, f.layout.ndim, axis);
    // Differences of unsigned and small integers would wrap.
    if (type != inexact_type(g.x->dtype) || inexact_type(g.x->dtype) != g.x->dtype) {
      g.x = astype(*g.x, inexact_type(g.x->dtype), Casting::unsafe, Order::K, stream);
    }
  } else if (spacing.array != nullptr) {
    fail(ARR_E_SHAPE, "argument spacing: an array without dimensions, expected a scalar value or a vector");
  }
  if (!g.x && is_complex(spacing.scalar.dtype)) {
    fail(ARR_E_DTYPE, "argument spacing: ", name(spacing.scalar.dtype), ", expected a real number");
  }
  if (f.layout.size() == 0) return out;
  if (n > 2) g.pass(Position::inside, 3, 0, 1, n - 1);
  const int32_t reads = edge_order + 1;
  g.pass(Position::first, reads, 0, 0, 1);
  g.pass(Position::last, reads, n - reads, n - 1, n);
  return out;
}

}  // namespace arr
