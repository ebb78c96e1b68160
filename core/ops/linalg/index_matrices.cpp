// SPDX-License-Identifier: MIT
// Matrices whose elements are formulas of their indices: one program each over the numbers 0 .. n-1.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/linalg/special_matrices.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// The program of a formula of row i and column j.
struct Formula {
  ProgramBuilder& b;
  int32_t i, j;
  [[nodiscard]] int32_t number(double x) const { return b.scalar(scalar_of(x), true); }
  [[nodiscard]] int32_t whole(int64_t x) const { return b.scalar(scalar_of(x), true); }
  [[nodiscard]] int32_t less_equal(int32_t x, int32_t y) const { return b.op(op::less_equal, x, y); }
  // True if the element is on or below diagonal k.
  [[nodiscard]] int32_t below(int64_t k) const { return less_equal(b.op(op::subtract, j, i), whole(k)); }
};

// Rows and columns as arrays that broadcast to the matrix.
struct Indices {
  Ref<Array> i, j;
};
Indices indices(int64_t rows, int64_t columns, Device device, Stream* stream) {
  const Ref<Array> all = iota(std::max<int64_t>({rows, columns, 1}), device, stream);
  return {broadcastable_vector(*slice_axis(*all, 0, 0, rows), 2, 0), slice_axis(*all, 0, 0, columns)};
}

constexpr uint32_t floating = domain_bits("F"), complex_numbers = domain_bits("C"),
                   any_number = domain_bits("BIUFC");

void check_extent(int64_t n, const char* argument) {
  if (n < 0) fail(ARR_E_ARGUMENT, "argument ", argument, ": ", n, " is negative");
}

// A matrix of f(formula) cast to d.
template <class F>
Ref<Array> matrix_of(int64_t rows, int64_t columns, DType d, const NewArray& made, F&& f) {
  const int64_t shape[2] = {rows, columns};
  Ref<Array> out = empty(d, shape, Order::C, made.device, made.stream);
  if (out->layout.size() == 0) return out;
  const Indices at = indices(rows, columns, made.device, made.stream);
  const BoundProgram p = program_of({at.i.get(), at.j.get()}, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(f(Formula{b, in[0], in[1]}), d);
  });
  const Array* arrays[2] = {at.i.get(), at.j.get()};
  run_into(*out, p, arrays, made.stream);
  return out;
}

// The elements of a where keep(formula) is true, 0 elsewhere.
template <class F>
Ref<Array> masked(const Array& a, Stream* stream, F&& keep) {
  const int32_t n = a.layout.ndim;
  if (n < 2) fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", expected two dimensions or more");
  if (a.layout.size() == 0) return copy(a, Order::K, stream);
  const Indices at = indices(a.layout.shape[n - 2], a.layout.shape[n - 1], a.device(), stream);
  return compute({&a, at.i.get(), at.j.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    Scalar zero;
    zero.dtype = a.dtype;
    return b.op(op::where, keep(Formula{b, in[1], in[2]}), in[0], b.scalar(zero, false));
  });
}

}  // namespace

Ref<Array> tril(const Array& a, int64_t k, Stream* stream) {
  return masked(a, stream, [k](const Formula& f) { return f.below(k); });
}

Ref<Array> triu(const Array& a, int64_t k, Stream* stream) {
  return masked(a, stream,
                [k](const Formula& f) { return f.less_equal(f.whole(k), f.b.op(op::subtract, f.j, f.i)); });
}

Bandwidth bandwidth(const Array& a, Stream* stream) {
  if (a.layout.ndim != 2)
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", expected two dimensions");
  if (a.layout.size() == 0) return {};
  const Indices at = indices(a.layout.shape[0], a.layout.shape[1], a.device(), stream);
  const ReductionInfo& max = *reduction_info(reduction::max);
  auto widest = [&](bool lower) {
    const BoundProgram p =
        program_of({&a, at.i.get(), at.j.get()}, [&](ProgramBuilder& b, const int32_t* in) {
          Scalar zero;
          zero.dtype = a.dtype;
          const int32_t there = b.op(op::not_equal, in[0], b.scalar(zero, false));
          const int32_t distance =
              lower ? b.op(op::subtract, in[1], in[2]) : b.op(op::subtract, in[2], in[1]);
          return b.op(op::where, there, distance, b.scalar(scalar_of(int64_t{0}), true));
        });
    const Array* arrays[3] = {&a, at.i.get(), at.j.get()};
    return map_reduce(max, resolve(max, DType::int64_), *p.program, Inputs(p, arrays).all(), 3, false,
                      stream);
  };
  const Ref<Array> lower = widest(true), upper = widest(false);
  auto number = [](const Array& x) { return std::max<int64_t>(static_cast<int64_t>(item(x, {}).lo), 0); };
  return {number(*lower), number(*upper)};
}

Ref<Array> tri(int64_t rows, int64_t columns, int64_t k, const NewArray& made) {
  if (columns == -1) columns = rows;
  check_extent(rows, "rows");
  check_extent(columns, "columns");
  const DType d = type_of(made, DType::float64_, any_number, "a number");
  return renaming({{"n", rows > columns ? "rows" : "columns"}}, [&] {
    return matrix_of(rows, columns, d, made, [k](const Formula& f) { return f.below(k); });
  });
}

Ref<Array> hadamard(int64_t n, const NewArray& made) {
  if (n < 1 || (n & (n - 1)) != 0) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected a power of 2");
  const DType d = type_of(made, DType::int64_, domain_bits("IFC"), "signed numbers");
  // Sylvester's construction: the sign is the parity of the bits that both indices have in common.
  return matrix_of(n, n, d, made, [](const Formula& f) {
    const int32_t bits = f.b.op(op::bitwise_count, f.b.op(op::bitwise_and, f.i, f.j));
    const int32_t odd = f.b.cast(f.b.op(op::bitwise_and, bits, f.whole(1)), DType::int64_);
    return f.b.op(op::subtract, f.whole(1), f.b.op(op::multiply, odd, f.whole(2)));
  });
}

Ref<Array> hilbert(int64_t n, const NewArray& made) {
  check_extent(n, "n");
  const DType d = type_of(made, DType::float64_, floating, "a float");
  return matrix_of(n, n, d, made, [](const Formula& f) {
    const int32_t below = f.b.op(op::add, f.b.op(op::add, f.i, f.j), f.whole(1));
    return f.b.op(op::divide, f.number(1), f.b.cast(below, DType::float64_));
  });
}

Ref<Array> helmert(int64_t n, bool full, const NewArray& made) {
  if (n < 1) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 1 or more");
  const DType d = type_of(made, DType::float64_, floating, "a float");
  const Ref<Array> out = matrix_of(n, n, d, made, [n](const Formula& f) {
    const int32_t i = f.b.cast(f.i, DType::float64_), one = f.number(1), zero = f.number(0);
    const int32_t lower = f.b.op(op::less, f.j, f.i), on = f.b.op(op::equal, f.j, f.i);
    const int32_t values =
        f.b.op(op::where, lower, one, f.b.op(op::where, on, f.b.op(op::negative, i), zero));
    const int32_t size = f.b.op(op::sqrt, f.b.op(op::multiply, i, f.b.op(op::add, i, one)));
    const int32_t first = f.b.op(op::equal, f.i, f.whole(0));
    const int32_t even = f.number(1 / std::sqrt(static_cast<double>(n)));
    return f.b.op(op::where, first, even, f.b.op(op::divide, values, size));
  });
  return full ? out : copy(*slice_axis(*out, 0, 1, n), Order::C, made.stream);
}

Ref<Array> dft(int64_t n, DftScale scale, const NewArray& made) {
  check_extent(n, "n");
  const DType d = type_of(made, DType::complex128_, complex_numbers, "a complex type");
  const int64_t shape[2] = {n, n};
  Ref<Array> out = empty(d, shape, Order::C, made.device, made.stream);
  if (n == 0) return out;
  const auto size = static_cast<double>(n);
  const double by = scale == DftScale::n ? 1 / size : scale == DftScale::sqrtn ? 1 / std::sqrt(size) : 1;
  const Indices at = indices(n, n, made.device, made.stream);
  for (int32_t which : {0, 1}) {
    const BoundProgram p = program_of({at.i.get(), at.j.get()}, [&](ProgramBuilder& b, const int32_t* in) {
      const Formula f{b, in[0], in[1]};
      // Removes whole turns exactly.
      const int32_t turn = b.op(op::remainder, b.op(op::multiply, f.i, f.j), f.whole(n));
      const int32_t angle =
          b.op(op::multiply, b.cast(turn, DType::float64_), f.number(-2 * std::numbers::pi / size));
      const int32_t value = b.op(which == 0 ? op::cos : op::sin, angle);
      return b.cast(by == 1 ? value : b.op(op::multiply, value, f.number(by)), real_type(d));
    });
    const Array* arrays[2] = {at.i.get(), at.j.get()};
    run_into(*complex_part(*out, which), p, arrays, made.stream);
  }
  return out;
}

}  // namespace arr
