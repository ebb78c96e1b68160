// SPDX-License-Identifier: MIT
// Indices of triangles in row-major order. Each index pair is computed from its number, so the cost is
// proportional to the result, not to the matrix.
#include <algorithm>
#include <array>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/mesh.h"

namespace arr {

namespace {

// In a lower triangle, row first + t has count + t elements; rows from `full` on have all columns.
struct Triangle {
  Triangle(int64_t rows, int64_t width, int64_t k) : columns(width) {
    k = std::clamp(k, -rows, std::max<int64_t>(columns - 1, 0));
    first = std::max<int64_t>(-k, 0);
    count = std::min(columns, first + k + 1);
    if (first >= rows || count <= 0) return;
    full = std::clamp(columns - k - 1, first, rows);
    const int64_t growing = full - first;
    const int64_t pairs = growing % 2 == 0 ? checked::mul(growing / 2, growing - 1, what)
                                           : checked::mul((growing - 1) / 2, growing, what);
    slope = checked::add(checked::mul(growing, count, what), pairs, what);
    size = checked::add(slope, checked::mul(rows - full, columns, what), what);
  }
  static constexpr const char* what = "the number of indices";
  int64_t columns, first = 0, count = 0, full = 0;
  int64_t slope = 0, size = 0;  // number of elements before row `full`, and in total
};

// The program that computes the row and column of element number p.
class Rows {
 public:
  Rows(ProgramBuilder& b, const Triangle& t, int32_t p) : b_(b), t_(t), p_(p) {
    if (t.slope > 0) grow();
    if (t.size > t.slope) fill();
  }
  int32_t row = -1, column = -1;

 private:
  int32_t add(int32_t x, int32_t y) { return b_.op(op::add, x, y); }
  int32_t subtract(int32_t x, int32_t y) { return b_.op(op::subtract, x, y); }
  int32_t multiply(int32_t x, int32_t y) { return b_.op(op::multiply, x, y); }
  int32_t as_integer(int32_t x) { return b_.cast(x, DType::int64_); }

  // The number of elements before row first + t: t * count + t * (t - 1) / 2.
  int32_t before(int32_t t) {
    return b_.op(op::right_shift, multiply(t, add(t, integer(b_, 2 * t_.count - 1))), integer(b_, 1));
  }
  // The largest t whose row begins at or before p: (t + h)^2 <= 2 p + h^2 with h = count - 1/2. Rounding
  // changes the root by at most 1, which is corrected.
  void grow() {
    const double h = static_cast<double>(t_.count) - 0.5;
    const int32_t twice = multiply(b_.cast(p_, DType::float64_), number(b_, 2));
    const int32_t root = b_.op(op::sqrt, add(twice, number(b_, h * h)));
    const int32_t near = as_integer(b_.op(op::floor, subtract(root, number(b_, h))));
    const int32_t low = subtract(near, as_integer(b_.op(op::greater, before(near), p_)));
    const int32_t next = before(add(low, integer(b_, 1)));
    const int32_t t = add(low, as_integer(b_.op(op::less_equal, next, p_)));
    row = add(t, integer(b_, t_.first));
    column = subtract(p_, before(t));
  }
  void fill() {
    const int32_t rest = subtract(p_, integer(b_, t_.slope)), width = integer(b_, t_.columns);
    const int32_t i = add(b_.op(op::floor_divide, rest, width), integer(b_, t_.full));
    const int32_t j = b_.op(op::remainder, rest, width);
    if (row < 0) {
      row = i;
      column = j;
      return;
    }
    const int32_t there = b_.op(op::greater_equal, rest, integer(b_, 0));
    row = b_.op(op::where, there, i, row);
    column = b_.op(op::where, there, j, column);
  }

  ProgramBuilder& b_;
  const Triangle& t_;
  int32_t p_;
};

void check_extent(int64_t n, const char* argument) {
  if (n < 0) fail(ARR_E_SHAPE, "argument ", argument, ": ", n, " is negative");
}

}  // namespace

// An upper triangle is a lower one with rows and columns reversed.
std::vector<Ref<Array>> triangle_indices(int64_t rows, int64_t columns, int64_t k, bool lower, Device device,
                                         Stream* stream) {
  check_extent(rows, "rows");
  check_extent(columns, "columns");
  k = std::clamp(k, -rows, columns);
  const Triangle t(rows, columns, lower ? k : columns - rows - k);
  const Shape shape = {&t.size, 1};
  std::vector<Ref<Array>> out = {empty(DType::int64_, shape, Order::C, device, stream),
                                 empty(DType::int64_, shape, Order::C, device, stream)};
  if (t.size == 0) return out;
  ProgramBuilder b;
  int32_t p = b.input(DType::int64_);
  if (!lower) p = b.op(op::subtract, integer(b, t.size - 1), p);
  const Rows at(b, t, p);
  b.output(lower ? at.row : b.op(op::subtract, integer(b, rows - 1), at.row));
  b.output(lower ? at.column : b.op(op::subtract, integer(b, columns - 1), at.column));
  const BoundProgram program = b.finish();
  const Layout ramp = ramp_of(out[0]->layout);
  std::vector<Input> inputs = {ramp_input(ramp, 0)};
  add_constants(program, &inputs);
  const Array* dsts[] = {out[0].get(), out[1].get()};
  run_all_into(dsts, *program.program, inputs, stream);
  return out;
}

}  // namespace arr
