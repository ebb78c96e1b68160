// SPDX-License-Identifier: MIT
// Products of sparse matrices with arrays and with each other.
#include "ops/sparse/products.h"

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"
#include "ops/sorting/segments.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

void check_inner(int64_t have, int64_t other, const char* argument) {
  if (have == other) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": ", other, " rows, expected the number of columns, ", have);
}

Device check_devices(Device a, Device b) {
  if (a == b) return a;
  fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a), " and on ", device_text(b));
}

// a @ x for x of the type of the product, contiguous: by lines of csr, or of csc where the backend can
// scatter; otherwise by the order of rows.
Ref<Array> times(const Sparse& given, const Array& x, Shape shape, Stream* stream) {
  const bool scatters = given.format == SparseFormat::csc && api<SparseApi>(given.device()).scatters;
  const Ref<Sparse> in_rows = scatters ? given.share() : given.rows(stream);
  const Sparse& a = *in_rows;
  const DType d = x.dtype;
  const Ref<Array> data = as_type(*a.data, d, stream);
  Ref<Array> out = empty(d, shape, Order::C, a.device(), stream);
  if (out->layout.size() == 0) return out;
  SparseProductCall c;
  c.dtype = d;
  c.index_type = a.index_type();
  c.scatters = scatters;
  c.rows = a.lines();
  c.outputs = a.extents.rows;
  c.nnz = a.nnz();
  c.columns = out->layout.size() / a.extents.rows;
  c.data = data->data;
  c.indices = a.inner->data;
  c.pointers = a.outer->data;
  c.x = x.data;
  c.y = out->data;
  const Queue q = queue_for(a.device(), stream);
  for (const Array* in : std::initializer_list<const Array*>{data.get(), a.inner.get(), a.outer.get(), &x}) {
    use_to_read(*in->buffer, q);
  }
  use(*out->buffer, q);
  enqueue(q, api<SparseApi>(q).product, c);
  return out;
}

// The products of each element of a with the row of b that its column names.
Elements products(const Sparse& a, const Sparse& b, DType d, Stream* stream) {
  const Device device = a.device();
  const int64_t n = a.nnz();
  const Ref<Array> begins = take_known(*b.outer, *a.inner, 0, stream);
  const Ref<Array> ends = take_known(*slice_axis(*b.outer, 0, 1, b.lines() + 1), *a.inner, 0, stream);
  const Ref<Array> lengths =
      compute({ends.get(), begins.get()}, stream, [](ProgramBuilder& p, const int32_t* in) {
        return p.op(op::subtract, p.cast(in[0], DType::int64_), p.cast(in[1], DType::int64_));
      });
  const ScanOptions sums{reduction::sum, false, true, false, DType::int64_};
  const Ref<Array> before = scan(sums, *lengths, 0, stream);
  const auto total = static_cast<int64_t>(item(*before, {&n, 1}).lo);
  const auto numbers = [&](int64_t count) { return slice_axis(*iota(count, device, stream), 0, 0, count); };
  const Ref<Array> from = repeat_counts(*numbers(n), *lengths, 0, total, stream);  // the element of a
  const Ref<Array> first = take_known(*begins, *from, 0, stream),
                   skipped = take_known(*before, *from, 0, stream);
  const Ref<Array> at = compute({numbers(total).get(), first.get(), skipped.get()}, stream,
                                [](ProgramBuilder& p, const int32_t* in) {
                                  const int32_t within = p.op(op::subtract, in[0], in[2]);
                                  return p.op(op::add, within, p.cast(in[1], DType::int64_));
                                });
  const Ref<Array> row = take_known(*rows_of(a, stream), *from, 0, stream);
  const Ref<Array> column = take_known(*b.inner, *at, 0, stream);
  const Ref<Array> x = take_known(*as_type(*a.data, d, stream), *from, 0, stream);
  const Ref<Array> y = take_known(*as_type(*b.data, d, stream), *at, 0, stream);
  return {row, column, apply(op::multiply, {x.get(), y.get()}, stream)};
}

// The most columns of a result whose rows the backend's call adds up, each in memory for all columns.
constexpr int64_t max_row = int64_t{1} << 24;

// The product by the backend's call: counted first, then written.
Ref<Sparse> by_rows(const Sparse& a, const Sparse& b, DType d, bool wide, Stream* stream) {
  const Extents e{a.extents.rows, b.extents.columns};
  const DType index = wide ? DType::int64_ : DType::int32_;
  const auto cast = [&](const Ref<Array>& x, DType type) { return as_type(*x, type, stream); };
  const Ref<Array> parts[6] = {cast(a.outer, index), cast(a.inner, index), cast(a.data, d),
                               cast(b.outer, index), cast(b.inner, index), cast(b.data, d)};
  const Ref<Array> pointers = vector_like(*a.data, DType::int64_, e.rows + 1, stream);
  SparseGemmCall c;
  c.dtype = d;
  c.index_type = index;
  c.rows = e.rows;
  c.inner = a.extents.columns;
  c.columns = e.columns;
  c.a = {parts[0]->data, parts[1]->data, parts[2]->data};
  c.b = {parts[3]->data, parts[4]->data, parts[5]->data};
  c.pointers = reinterpret_cast<int64_t*>(pointers->data);
  const Queue q = queue_for(a.device(), stream);
  for (const auto& part : parts) use_to_read(*part->buffer, q);
  use(*pointers->buffer, q);
  enqueue(q, api<SparseApi>(q).gemm, c);
  const auto count = static_cast<int64_t>(item(*pointers, {&e.rows, 1}).lo);
  const Ref<Array> indices = vector_like(*a.data, index, count, stream),
                   sums = vector_like(*a.data, d, count, stream);
  c.indices = indices->data;
  c.sums = sums->data;
  for (const auto* part : {&indices, &sums}) use(*(*part)->buffer, q);
  if (count != 0) enqueue(q, api<SparseApi>(q).gemm, c);
  return make_sparse(SparseFormat::csr, e, {sums, pointers, indices}, true, wide, stream);
}

}  // namespace

Ref<Array> matmul(const Sparse& a, const Array& x, Stream* stream) {
  check_devices(a.device(), x.device());
  if (x.layout.ndim != 1 && x.layout.ndim != 2) {
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected one or two dimensions");
  }
  check_inner(a.extents.columns, x.layout.shape[0], "x");
  const DType d = promote(a.dtype(), x.dtype);
  const Ref<Array> given = contiguous(*as_type(x, d, stream), Order::C, stream);
  const int64_t shape[2] = {a.extents.rows, x.layout.ndim == 2 ? x.layout.shape[1] : 1};
  return times(a, *given, {shape, static_cast<size_t>(x.layout.ndim)}, stream);
}

Ref<Array> matmul(const Array& x, const Sparse& a, Stream* stream) {
  if (x.layout.ndim != 1 && x.layout.ndim != 2) {
    fail(ARR_E_SHAPE, "argument x: shape ", x.layout.text(), ", expected one or two dimensions");
  }
  const int64_t columns = x.layout.shape[x.layout.ndim - 1];
  if (columns != a.extents.rows) {
    fail(ARR_E_SHAPE, "argument a: ", a.extents.rows, " rows, expected the number of columns of x, ",
         columns);
  }
  const Ref<Sparse> turned = a.transpose();
  if (x.layout.ndim == 1) return matmul(*turned, x, stream);
  return move_axis(*matmul(*turned, *move_axis(x, 1, 0), stream), 1, 0);
}

Ref<Sparse> matmul(const Sparse& a, const Sparse& b, Stream* stream) {
  check_devices(a.device(), b.device());
  check_inner(a.extents.columns, b.extents.rows, "b");
  const Extents e{a.extents.rows, b.extents.columns};
  checked::mul(e.rows, e.columns, "rows times columns");
  const DType d = promote(a.dtype(), b.dtype());
  const bool wide = a.index_type() == DType::int64_ || b.index_type() == DType::int64_;
  const Ref<Sparse> left = a.rows(stream), right = b.rows(stream);
  Ref<Sparse> out;
  if (left->nnz() == 0 || right->nnz() == 0) {
    const auto nothing = [&](DType type) { return vector_like(*a.data, type, 0, stream); };
    out = from_sorted_keys(SparseFormat::csr, e, {nothing(DType::int64_), nothing(d)}, wide, stream);
  } else if (api<SparseApi>(a.device()).gemm != nullptr && e.columns <= max_row) {
    out = by_rows(*left, *right, d, wide, stream);
  } else {
    out = from_elements(SparseFormat::csr, e, products(*left, *right, d, stream), wide, stream);
  }
  return eliminate_zeros(*out, stream);
}

}  // namespace arr
