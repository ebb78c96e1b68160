// SPDX-License-Identifier: MIT
// Linear equations and determinants. The backend receives a row-major matrix as its transpose.
#include "ops/linalg/solvers.h"

#include <algorithm>
#include <array>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/equations.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

LinalgOp transposed(LinalgOp op) { return op == LinalgOp::none ? LinalgOp::transpose : LinalgOp::none; }

}  // namespace

Ref<Array> solve(const Array& a, const Array& b, OnFailure how, Stream* stream) {
  check_square(a, "a");
  Equations q(a, b, rows_of(a), stream);
  LapackCall job(LinalgKind::solve, q.dtype, q.batch(), a.device(), stream);
  if (row_major(*q.a)) {
    q.a = matrix_transposed(*q.a);
    job.call.op = LinalgOp::transpose;
  }
  Ref<Array> x = q.run(&job);
  if (q.k != 0) {
    job.handle_failures(how, "a", {x.get()});
  } else if (how == OnFailure::error) {
    solve(a, *q.one_column(stream), how, stream);
  }
  return q.visible(x);
}

Ref<Array> inverse(const Array& a, OnFailure how, Stream* stream) {
  check_square(a, "a");
  const DType d = lapack_type(a.dtype, "a");
  Ref<Array> typed = as_type(a, d, stream);
  const bool flipped = row_major(*typed);
  if (flipped) typed = matrix_transposed(*typed);
  LapackCall job(LinalgKind::inverse, d, batch_of(a), a.device(), stream);
  job.call.m = job.call.n = rows_of(a);
  job.read_a(*typed);
  Ref<Array> x = job.matrices(rows_of(a), rows_of(a), d);
  job.call.x = x->data;
  job.run();
  job.handle_failures(how, "a", {x.get()});
  return flipped ? matrix_transposed(*x) : x;
}

namespace {

// Checks the pivots, because swapping rows by invalid ones would access other memory. Waits for the device.
// In captured work they have no values yet; lu_solve() clamps them.
void check_pivots(const Array& pivots, int64_t n, Stream* stream) {
  if (pivots.layout.size() == 0 || queue_for(pivots.device(), stream).stream->capturing()) return;
  const Array* from = &pivots;
  const BoundProgram p = program_of({from}, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t low = b.op(op::less, in[0], b.scalar(scalar_of(int64_t{0}), true));
    return b.op(op::logical_or, low, b.op(op::greater, in[0], b.scalar(scalar_of(n - 1), true)));
  });
  const ReductionInfo& any = *reduction_info(reduction::any);
  if (map_reduce_item(any, resolve(any, DType::bool_), *p.program, Inputs(p, {from}).all(), stream).lo == 0)
    return;
  auto extreme = [&](int32_t r) {
    return scalar_value<int32_t>(reduce_item(*reduction_info(r), pivots, stream));
  };
  fail(ARR_E_ARGUMENT, "argument pivots: from ", extreme(reduction::min), " to ", extreme(reduction::max),
       ", expected 0 to ", n - 1);
}

}  // namespace

Ref<Array> lu_solve(const Array& lu, const Array& pivots, const Array& b, LinalgOp how, Stream* stream) {
  check_square(lu, "lu");
  if (pivots.dtype != DType::int32_)
    fail(ARR_E_DTYPE, "argument pivots: ", name(pivots.dtype), ", expected int32");
  Layout wanted = lu.layout;
  --wanted.ndim;
  if (!pivots.layout.same_shape(wanted)) {
    fail(ARR_E_SHAPE, "argument pivots: shape ", pivots.layout.text(), ", expected ", wanted.text());
  }
  const Equations q(lu, b, rows_of(lu), stream);
  check_pivots(pivots, q.n, stream);
  LapackCall job(LinalgKind::lu_solve, q.dtype, q.batch(), lu.device(), stream);
  Layout full = q.all;
  full.shape[full.ndim++] = q.n;
  const Ref<Array> all = pivots.view(broadcast_to(pivots.layout, full.dims()));
  // Pivots from 1 on and contiguous for the backend, clamped because it reads memory by them.
  const Ref<Array> counted = empty(DType::int32_, full.dims(), Order::C, lu.device(), stream);
  const Array* from = all.get();
  run_into(*counted,
           program_of({from},
                      [&](ProgramBuilder& p, const int32_t* in) {
                        auto number = [&](int64_t x) { return p.scalar(scalar_of(x), true); };
                        const int32_t last = number(std::max<int64_t>(q.n - 1, 0));
                        return p.op(op::add, p.op(op::clip, in[0], number(0), last), number(1));
                      }),
           {&from, 1}, stream);
  job.read_pivots(*counted);
  job.call.op = how;
  return q.visible(q.run(&job));
}

Ref<Array> qr_multiply(const Array& h, const Array& tau, const Array& b, LinalgOp how, Stream* stream) {
  const Equations q(*matrix_transposed(h), b, columns_of(h), stream);
  LapackCall job(LinalgKind::qr_multiply, q.dtype, q.batch(), h.device(), stream);
  Layout full = q.all;
  full.shape[full.ndim++] = tau.layout.shape[tau.layout.ndim - 1];
  const Ref<Array> all = tau.view(broadcast_to(tau.layout, full.dims()));
  const Ref<Array> factors = contiguous(*all, Order::C, stream);
  job.read_vectors(*factors);
  job.call.op = how;
  return q.visible(q.run(&job));
}

namespace {

// Writes for each matrix the index, from 1 on, of the first 0 on the diagonal, or 0.
void find_zero(const Array& a, const Array& info, Stream* stream) {
  const Ref<Array> diagonal = diagonals(a);
  const std::initializer_list<const Array*> arrays = {diagonal.get()};
  const uint32_t last = 1U << (diagonal->layout.ndim - 1);
  const Ref<Array> zeros = compute(arrays, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::equal, in[0], b.scalar(scalar_of(int64_t{0}), true));
  });
  const Ref<Array> any = reduce(*reduction_info(reduction::any), *zeros, last, false, {}, stream);
  const Ref<Array> first = reduce(*reduction_info(reduction::argmax), *zeros, last, false, {}, stream);
  const Array* both[] = {any.get(), first.get()};
  run_into(info,
           program_of({both[0], both[1]},
                      [](ProgramBuilder& b, const int32_t* in) {
                        auto number = [&](int64_t x) { return b.scalar(scalar_of(x), true); };
                        return b.cast(b.op(op::where, in[0], b.op(op::add, in[1], number(1)), number(0)),
                                      DType::int32_);
                      }),
           both, stream);
}

}  // namespace

namespace {

// solve_triangular() of a matrix that the caller knows by another name.
Ref<Array> substitute(const Array& a, const Array& b, const TriangularSolve& t, OnFailure how,
                      const char* name, Stream* stream) {
  check_square(a, name);
  Equations q(a, b, rows_of(a), stream, name);
  LapackCall job(LinalgKind::triangular, q.dtype, q.batch(), a.device(), stream);
  job.call.lower = t.lower;
  job.call.unit = t.unit;
  job.call.op = t.op;
  if (row_major(*q.a) && (t.op != LinalgOp::adjoint || !is_complex(q.dtype))) {
    q.a = matrix_transposed(*q.a);
    job.call.lower = !t.lower;
    job.call.op = transposed(t.op);
  }
  const Ref<Array> x = q.run(&job);
  if (q.k == 0 && how == OnFailure::error) {
    substitute(a, *q.one_column(stream), t, how, name, stream);
  }
  if (q.k == 0 || job.idle() || t.unit) return q.visible(x);
  find_zero(*q.a, job.info(), stream);
  job.handle_failures(how, name, {x.get()});
  return q.visible(x);
}

}  // namespace

Ref<Array> solve_triangular(const Array& a, const Array& b, const TriangularSolve& t, OnFailure how,
                            Stream* stream) {
  return substitute(a, b, t, how, "a", stream);
}

Ref<Array> cho_solve(const Array& c, const Array& b, bool lower, Stream* stream) {
  check_square(c, "c");
  // The first result of a vector is a vector for each matrix, which would not be taken for columns.
  const bool vector = b.layout.ndim == 1;
  const Ref<Array> columns = vector ? expand_axis(b, -1) : b.view(b.layout);
  const TriangularSolve first{lower, false, lower ? LinalgOp::none : LinalgOp::adjoint},
      second{lower, false, lower ? LinalgOp::adjoint : LinalgOp::none};
  const Ref<Array> y = substitute(c, *columns, first, OnFailure::nan, "c", stream);
  const Ref<Array> x = substitute(c, *y, second, OnFailure::nan, "c", stream);
  return vector ? index_axis(*x, -1, 0) : x;
}

namespace {

// The factors of determinants: the diagonal of U, and the row exchanges.
struct Factors {
  Factors(const Array& a, Stream* stream) {
    check_square(a, "a");
    const DType d = lapack_type(a.dtype, "a");
    Ref<Array> typed = as_type(a, d, stream);
    if (row_major(*typed)) typed = matrix_transposed(*typed);
    LapackCall job(LinalgKind::lu, d, batch_of(a), a.device(), stream);
    const int64_t n = rows_of(a);
    job.call.m = job.call.n = n;
    job.read_a(*typed);
    const Ref<Array> lu = job.matrices(n, n, d);
    pivots = job.vectors(n, DType::int32_);
    job.call.x = lu->data;
    job.call.pivots = reinterpret_cast<int32_t*>(pivots->data);
    job.run();
    diagonal = diagonals(*lu);
    unmoved = broadcastable_vector(*slice_axis(*iota(n + 1, a.device(), stream), 0, 1, n + 1),
                                   a.layout.ndim - 1, a.layout.ndim - 2);
  }
  Ref<Array> diagonal, pivots, unmoved;

  // Reduces build() of each diagonal, with the opposite sign if the number of row exchanges is odd.
  template <class Build>
  Ref<Array> product(Stream* stream, Build&& build) const {
    const std::initializer_list<const Array*> arrays = {diagonal.get(), pivots.get(), unmoved.get()};
    const BoundProgram p = program_of(arrays, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t x = build(b, in[0]);
      return b.op(op::where, b.op(op::equal, in[1], in[2]), x, b.op(op::negative, x));
    });
    const ReductionInfo& by = *reduction_info(reduction::prod);
    return map_reduce(by, resolve(by, diagonal->dtype), *p.program, Inputs(p, arrays).all(),
                      1U << (diagonal->layout.ndim - 1), false, stream);
  }
};

}  // namespace

Ref<Array> det(const Array& a, Stream* stream) {
  const Ref<Array> product = Factors(a, stream).product(stream, [](ProgramBuilder&, int32_t x) { return x; });
  // A negative zero would only show that rows were exchanged.
  return compute({product.get()}, stream,
                 [](ProgramBuilder& b, const int32_t* in) { return b.op(op::add, in[0], number(b, 0)); });
}

std::vector<Ref<Array>> slogdet(const Array& a, Stream* stream) {
  const Factors f(a, stream);
  const Ref<Array> sign = f.product(stream, [](ProgramBuilder& b, int32_t x) { return b.op(op::sign, x); });
  const DType real = real_type(f.diagonal->dtype);
  const std::initializer_list<const Array*> arrays = {f.diagonal.get()};
  const BoundProgram p = program_of(
      arrays, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::log, b.op(op::absolute, in[0])); });
  const ReductionInfo& by = *reduction_info(reduction::sum);
  const Ref<Array> logarithm = map_reduce(by, resolve(by, real), *p.program, Inputs(p, arrays).all(),
                                          1U << (f.diagonal->layout.ndim - 1), false, stream);
  return {sign, logarithm};
}

}  // namespace arr
