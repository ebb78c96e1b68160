// SPDX-License-Identifier: MIT
// Solves triangular systems with sparse matrices.
#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/lapack_call.h"
#include "ops/reduce/reduce.h"
#include "ops/sparse/factor.h"
#include "ops/sparse/products.h"
#include "ops/sparse/shape.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

[[noreturn]] void fail_zero(int64_t at) {
  fail(ARR_E_LINALG, "argument a: is singular: element ", at, " of its diagonal is 0");
}

// By the call of a backend that takes lines of both kinds, in a's format.
void by_lines(const Sparse& given, const Array& x, const SparseTriangle& t, Stream* stream) {
  const Ref<Sparse> a = given.compressed() ? given.share() : given.rows(stream);
  const bool columns = a->format == SparseFormat::csc, turned = t.op != LinalgOp::none;
  const Ref<Array> failed = empty(DType::int64_, {}, Order::C, a->device(), stream);
  SparseTriangularCall c;
  c.dtype = x.dtype;
  c.index_type = a->index_type();
  c.n = a->extents.rows;
  c.columns = x.layout.size() / c.n;
  c.scatters = columns != turned;
  c.lower = t.lower != turned;
  c.unit = t.unit;
  c.conjugate = t.op == LinalgOp::adjoint;
  c.pointers = a->outer->data;
  c.indices = a->inner->data;
  c.data = a->data->data;
  c.x = x.data;
  c.failed = reinterpret_cast<int64_t*>(failed->data);
  const Queue q = queue_for(a->device(), stream);
  for (const auto* in : {&a->data, &a->inner, &a->outer}) use_to_read(*(*in)->buffer, q);
  use(*x.buffer, q);
  use(*failed->buffer, q);
  enqueue(q, api<SparseApi>(q).triangular, c);
  const auto at = static_cast<int64_t>(item(*failed, {}).lo);
  if (at < c.n) fail_zero(at);
}

// The elements whose column has that relation to their row.
Ref<Sparse> elements_where(const Sparse& a, int32_t relation, Stream* stream) {
  const Ref<Array> columns = columns_of(a, stream), rows = rows_of(a, stream);
  return keep(a, *apply(relation, {columns.get(), rows.get()}, stream), stream);
}

// The first element of a diagonal that is 0 is an error.
void check_diagonal(const Array& diagonal, Stream* stream) {
  const Ref<Array> zero = compute({&diagonal}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::equal, in[0], number(b, 0));
  });
  const auto at = static_cast<int64_t>(reduce_item(*reduction_info(reduction::argmax), *zero, stream).lo);
  if (item(*zero, {&at, 1}).lo != 0) fail_zero(at);
}

// op(a), in csr or csc.
Ref<Sparse> operated(const Sparse& given, LinalgOp op, Stream* stream) {
  Ref<Sparse> a = op == LinalgOp::none ? given.share() : given.transpose();
  if (op != LinalgOp::adjoint || !is_complex(a->dtype())) return a;
  return a->with_data(apply(op::conjugate, {a->data.get()}, stream));
}

// By the call of a backend that takes rows; false if it declines.
bool by_rows(const Sparse& given, const Array& x, const SparseTriangle& t, Stream* stream) {
  const Ref<Sparse> a = sum_duplicates(*operated(given, t.op, stream)->rows(stream), stream);
  if (!t.unit && !t.factor) check_diagonal(*sparse_diagonal(*a, 0, stream), stream);
  SparseTriangularCall c;
  c.dtype = x.dtype;
  c.index_type = a->index_type();
  c.n = a->extents.rows;
  c.nnz = a->nnz();
  c.columns = x.layout.size() / c.n;
  c.lower = t.lower != (t.op != LinalgOp::none);
  c.unit = t.unit;
  c.pointers = a->outer->data;
  c.indices = a->inner->data;
  c.data = a->data->data;
  c.x = x.data;
  c.plans = a->plans();
  c.constant = t.factor && (t.op == LinalgOp::none || !is_complex(c.dtype));  // a transpose is not an adjoint
  const Queue q = queue_for(a->device(), stream);
  for (const auto* in : {&a->data, &a->inner, &a->outer}) use_to_read(*(*in)->buffer, q);
  use(*x.buffer, q);
  try {
    enqueue(q, api<SparseApi>(q).triangular, c);
  } catch (const Error& e) {
    if (e.status() == ARR_E_UNSUPPORTED) return false;
    throw;
  }
  return true;
}

// x = D^-1 (b - N x), where D is the diagonal and N the rest of the triangle. A row is right from the round
// on after those that it depends on, so that x changes in as many rounds as the longest chain of rows has.
void by_rounds(const Sparse& given, const Array& x, const SparseTriangle& t, Stream* stream) {
  constexpr int64_t rounds_at_once = 8;  // between looks at x
  const bool turned = t.op != LinalgOp::none;
  const Ref<Sparse> a = operated(given, t.op, stream);
  const Ref<Sparse> rest = elements_where(*a, t.lower != turned ? op::less : op::greater, stream);
  const int64_t n = a->extents.rows;
  Ref<Array> diagonal = full(x.dtype, {&n, 1}, Order::C, scalar_of(int64_t{1}), a->device(), stream);
  if (!t.unit) {
    diagonal = matmul(*elements_where(*a, op::equal, stream), *diagonal, stream);
    check_diagonal(*diagonal, stream);
  }
  const Ref<Array> divisor = x.layout.ndim == 2 ? expand_axis(*diagonal, 1) : diagonal;
  const Ref<Array> b = copy(x, Order::C, stream);
  Ref<Array> now = apply(op::divide, {b.get(), divisor.get()}, stream);
  for (int64_t round = 0; round < n;) {
    Ref<Array> last = now;
    for (int64_t i = 0; i < rounds_at_once; ++i, ++round) {
      last = now;
      const Ref<Array> sum = matmul(*rest, *now, stream);
      now = compute({b.get(), sum.get(), divisor.get()}, stream, [](ProgramBuilder& p, const int32_t* in) {
        return p.op(op::divide, p.op(op::subtract, in[0], in[1]), in[2]);
      });
    }
    const Ref<Array> changed =
        compute({now.get(), last.get()}, stream, [](ProgramBuilder& p, const int32_t* in) {
          const int32_t nan = p.op(op::logical_and, p.op(op::isnan, in[0]), p.op(op::isnan, in[1]));
          return p.op(op::logical_not, p.op(op::logical_or, nan, p.op(op::equal, in[0], in[1])));
        });
    if (reduce_item(*reduction_info(reduction::any), *ravel(*changed, stream), stream).lo == 0) break;
  }
  assign(x, *now, stream);
}

}  // namespace

int64_t check_square(const Sparse& a) {
  if (a.extents.rows == a.extents.columns) return a.extents.rows;
  fail(ARR_E_SHAPE, "argument a: shape (", a.extents.rows, ", ", a.extents.columns,
       "), expected a square matrix");
}

void check_right_side(const Array& b, int64_t n, Device device) {
  if (b.layout.ndim != 1 && b.layout.ndim != 2) {
    fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(), ", expected one or two dimensions");
  }
  if (b.layout.shape[0] != n) {
    fail(ARR_E_SHAPE, "argument b: shape ", b.layout.text(), ", expected ", n, " rows");
  }
  if (b.device() != device) {
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(device), " and on ", device_text(b.device()));
  }
}

void solve_triangular_in_place(const Sparse& a, const Array& x, const SparseTriangle& t, Stream* stream) {
  if (x.layout.size() == 0) return;
  const SparseApi& offered = api<SparseApi>(a.device());
  if (offered.triangular != nullptr && offered.scatters) return by_lines(a, x, t, stream);
  if (offered.triangular == nullptr || !by_rows(a, x, t, stream)) by_rounds(a, x, t, stream);
}

Ref<Array> sparse_solve_triangular(const Sparse& a, const Array& b, const SparseTriangle& t, Stream* stream) {
  check_right_side(b, check_square(a), a.device());
  const DType d = promote(lapack_type(a.dtype(), "a"), b.dtype);
  lapack_type(d, "b");
  Ref<Array> x = copy(*as_type(b, d, stream), Order::C, stream);
  const Ref<Sparse> typed = a.dtype() == d ? a.share() : a.with_data(as_type(*a.data, d, stream));
  solve_triangular_in_place(*typed, *x, t, stream);
  return x;
}

}  // namespace arr
