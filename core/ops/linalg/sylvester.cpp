// SPDX-License-Identifier: MIT
// Sylvester's and Lyapunov's equations.
#include "ops/linalg/sylvester.h"

#include <array>

#include "expr/op_numbers.h"
#include "ops/linalg/matmul.h"

namespace arr {

Ref<Array> triangular_sylvester(const Array& a, const Array& b, const Array& c, Stream* stream) {
  LapackCall job(LinalgKind::sylvester, c.dtype, batch_of(c), c.device(), stream);
  job.call.m = rows_of(c);
  job.call.n = columns_of(c);
  job.read_a(a);
  job.read_b(b);
  Ref<Array> x = job.matrices(job.call.m, job.call.n, c.dtype);
  assign(*x, c, stream);
  job.call.x = x->data;
  job.run();
  return x;
}

namespace {

void check_rows(const Array& q, int64_t rows, int64_t columns) {
  check_matrices(q, "q");
  if (rows_of(q) == rows && columns_of(q) == columns) return;
  fail(ARR_E_SHAPE, "argument q: shape ", q.layout.text(), ", expected (..., ", rows, ", ", columns, ")");
}

Layout stack_of(const Array& a) {
  Layout l = a.layout;
  l.ndim -= 2;
  return l;
}

Ref<Array> spread(const Array& a, const Layout& batch) {
  Layout l = batch;
  l.shape[l.ndim++] = rows_of(a);
  l.shape[l.ndim++] = columns_of(a);
  return a.view(broadcast_to(a.layout, l.dims()));
}

// Products of three.
Ref<Array> product(const Array& a, const Array& b, const Array& c, Stream* stream) {
  return matmul(*matmul(a, b, stream), c, stream);
}

// a x + x b = q by the Schur forms of a and b, in a's dtype.
Ref<Array> by_forms(const Array& a, const Array& b, const Array& q, Stream* stream) {
  const DType d = promote(promote(a.dtype, b.dtype), q.dtype);
  Layout left, batch;
  broadcast_shapes(stack_of(a), stack_of(b), "b", &left);
  broadcast_shapes(left, stack_of(q), "q", &batch);
  if (batch.ndim + 2 > max_ndim) fail(ARR_E_SHAPE, "argument q: too many dimensions");
  const SchurForm of_a = schur(a, OnFailure::nan, stream), of_b = schur(b, OnFailure::nan, stream);
  const DType complex = promote(d, DType::complex64_);
  const Ref<Array> wide = as_type(q, complex, stream);
  const Ref<Array> right = product(*adjoint(*of_a.q, stream), *wide, *of_b.q, stream);
  const Ref<Array> y = triangular_sylvester(*as_type(*spread(*of_a.t, batch), complex, stream),
                                            *as_type(*spread(*of_b.t, batch), complex, stream),
                                            *as_type(*spread(*right, batch), complex, stream), stream);
  const Ref<Array> x = product(*of_a.q, *y, *adjoint(*of_b.q, stream), stream);
  return is_complex(d) ? x : apply(op::real, {x.get()}, stream);
}

Ref<Array> typed(const Array& a, const char* name, Stream* stream) {
  return as_type(a, lapack_type(a.dtype, name), stream);
}

}  // namespace

Ref<Array> solve_sylvester(const Array& a, const Array& b, const Array& q, Stream* stream) {
  common_device(std::array{Input{&a, {}, false}, Input{&b, {}, false}, Input{&q, {}, false}});
  check_square(a, "a");
  check_square(b, "b");
  check_rows(q, rows_of(a), rows_of(b));
  return by_forms(*typed(a, "a", stream), *typed(b, "b", stream), *typed(q, "q", stream), stream);
}

Ref<Array> solve_continuous_lyapunov(const Array& a, const Array& q, Stream* stream) {
  common_device(std::array{Input{&a, {}, false}, Input{&q, {}, false}});
  check_square(a, "a");
  check_rows(q, rows_of(a), rows_of(a));
  const Ref<Array> x = typed(a, "a", stream);
  return by_forms(*x, *adjoint(*x, stream), *typed(q, "q", stream), stream);
}

// By the transformation b = (a + 1)^-1 (a - 1), for which b x + x b' = -2 (a + 1)^-1 q (a' + 1)^-1.
Ref<Array> solve_discrete_lyapunov(const Array& a, const Array& q, Stream* stream) {
  common_device(std::array{Input{&a, {}, false}, Input{&q, {}, false}});
  check_square(a, "a");
  check_rows(q, rows_of(a), rows_of(a));
  const Ref<Array> x = typed(a, "a", stream);
  const Ref<Array> above = copy(*x, Order::C, stream), below = copy(*x, Order::C, stream);
  add_to_diagonals(*above, 1, stream);
  add_to_diagonals(*below, -1, stream);
  const Ref<Array> b = solve(*above, *below, OnFailure::nan, stream);
  const Ref<Array> half = solve(*above, *typed(q, "q", stream), OnFailure::nan, stream);
  const Ref<Array> whole = adjoint(*solve(*above, *adjoint(*half, stream), OnFailure::nan, stream), stream);
  const Ref<Array> right = compute({whole.get()}, stream, [](ProgramBuilder& p, const int32_t* in) {
    return p.op(op::multiply, in[0], number(p, -2));
  });
  return by_forms(*b, *adjoint(*b, stream), *right, stream);
}

}  // namespace arr
