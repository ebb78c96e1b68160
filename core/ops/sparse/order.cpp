// SPDX-License-Identifier: MIT
// Sorts the elements of sparse matrices and adds those of one row and column: by a call of the backend, or by
// their keys, line * width + index, and operations on vectors.
#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/ordered.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/sparse.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The sums of the elements from each start to the next, in the type of the elements; of bool, true if one is.
Ref<Array> sums_between(const Array& data, const Array& starts, Stream* stream) {
  const int64_t count = starts.layout.shape[0], n = data.layout.shape[0], shape[2] = {count, 2};
  const Ref<Array> bounds = empty(DType::int64_, shape, Order::C, data.device(), stream);
  const Ref<Array> begins = index_axis(*bounds, 1, 0), ends = index_axis(*bounds, 1, 1);
  assign(*begins, starts, stream);
  if (count > 1) {
    assign(*slice_axis(*ends, 0, 0, count - 1), *slice_axis(starts, 0, 1, count), stream);
  }
  fill(*slice_axis(*ends, 0, count - 1, count), scalar_of(n), stream);
  const ReductionInfo& r =
      *reduction_info(data.dtype == DType::bool_ ? reduction::bitwise_or_reduce : reduction::sum);
  const ReduceTypes types = resolve(r, data.dtype);
  const Ref<Array> in = as_type(data, types.acc, stream);
  SegmentsCall c;
  c.reduction = &r;
  c.acc = c.out = types.acc;
  c.count = count;
  c.elements = n;
  Ref<Array> out = vector_like(data, types.acc, count, stream);
  enqueue_segments(c, *in, 0, bounds.get(), nullptr, *out, stream);
  return as_type(*out, data.dtype, stream);
}

// Adds the elements of equal keys, which are neighbours.
Keyed add_equal(Keyed e, Stream* stream) {
  const int64_t n = e.keys->layout.shape[0];
  const Ref<Array> starts = flatnonzero(*segment_heads(*e.keys, false, stream), stream);
  if (starts->layout.shape[0] == n) return e;
  return {take_known(*e.keys, *starts, 0, stream), sums_between(*e.data, *starts, stream)};
}

// The keys divided by the width, or their remainders: the lines, or the indices in these.
Ref<Array> divided(int32_t op, const Array& keys, int64_t width, Stream* stream) {
  return compute({&keys}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op, in[0], integer(b, std::max<int64_t>(width, 1)));
  });
}

// The position of the first element of each line among sorted keys, and of the end of the last one. A line
// without room has no elements.
Ref<Array> pointers(const Array& keys, int64_t lines, int64_t width, Stream* stream) {
  const Ref<Array> numbers = slice_axis(*iota(lines + 1, keys.device(), stream), 0, 0, lines + 1);
  const Ref<Array> firsts = compute({numbers.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::multiply, in[0], integer(b, width));
  });
  return searchsorted(keys, *firsts, false, nullptr, stream);
}

// Elements in order, as the backend sorts them; see SparseOrderCall.
struct Sorted {
  Ref<Array> pointers, distinct, indices, order;
};
Sorted sort_elements(const Elements& e, int64_t lines, DType d, Stream* stream) {
  const int64_t n = e.inner->layout.shape[0];
  const Ref<Array> line = contiguous(*as_type(*e.line, d, stream), Order::C, stream);
  const Ref<Array> inner = contiguous(*as_type(*e.inner, d, stream), Order::C, stream);
  Sorted s{vector_like(*inner, DType::int64_, lines + 1, stream),
           vector_like(*inner, DType::int64_, lines + 1, stream), vector_like(*inner, d, n, stream),
           vector_like(*inner, d, n, stream)};
  SparseOrderCall c;
  c.index_type = d;
  c.n = n;
  c.lines = lines;
  c.line = line->data;
  c.inner = inner->data;
  c.pointers = reinterpret_cast<int64_t*>(s.pointers->data);
  c.distinct = reinterpret_cast<int64_t*>(s.distinct->data);
  c.sorted = s.indices->data;
  c.order = s.order->data;
  const Queue q = queue_for(inner->device(), stream);
  for (const Array* in : {line.get(), inner.get()}) use_to_read(*in->buffer, q);
  for (const auto* out : {&s.pointers, &s.distinct, &s.indices, &s.order}) use(*(*out)->buffer, q);
  enqueue(q, api<SparseApi>(q).order, c);
  return s;
}

// The sums of `count` distinct elements, with their indices in parts.inner.
void add_sorted(const Sorted& s, const Array& data, int64_t count, Sparse::Parts* parts, Stream* stream) {
  parts->inner = vector_like(data, s.indices->dtype, count, stream);
  parts->data = vector_like(data, data.dtype, count, stream);
  SparseSumCall c;
  c.dtype = data.dtype;
  c.index_type = s.indices->dtype;
  c.n = data.layout.shape[0];
  c.lines = s.pointers->layout.shape[0] - 1;
  c.pointers = reinterpret_cast<const int64_t*>(s.pointers->data);
  c.distinct = reinterpret_cast<const int64_t*>(s.distinct->data);
  c.sorted = s.indices->data;
  c.order = s.order->data;
  c.data = data.data;
  c.inner = parts->inner->data;
  c.sums = parts->data->data;
  const Queue q = queue_for(data.device(), stream);
  for (const Array* in : std::initializer_list<const Array*>{s.pointers.get(), s.distinct.get(),
                                                             s.indices.get(), s.order.get(), &data}) {
    use_to_read(*in->buffer, q);
  }
  for (const auto* out : {&parts->inner, &parts->data}) use(*(*out)->buffer, q);
  enqueue(q, api<SparseApi>(q).sum, c);
}

bool has_order(Device device) { return api<SparseApi>(device).order != nullptr; }

// The same by the backend's calls.
Ref<Sparse> sorted_matrix(SparseFormat format, const Extents& extents, const Elements& e, bool wide,
                          Stream* stream) {
  const bool by_columns = format == SparseFormat::csc;
  const int64_t lines = by_columns ? extents.columns : extents.rows, n = e.data->layout.shape[0];
  const DType d = index_type_for(extents, n, wide);
  const Sorted s = sort_elements(e, lines, d, stream);
  const auto count = static_cast<int64_t>(item(*s.distinct, {&lines, 1}).lo);
  Sparse::Parts parts;
  if (count == n) {
    parts = {take_known(*e.data, *s.order, 0, stream), s.pointers, s.indices};
  } else {
    parts.outer = s.distinct;
    add_sorted(s, *contiguous(*e.data, Order::C, stream), count, &parts, stream);
  }
  if (format != SparseFormat::coo) return make_sparse(format, extents, std::move(parts), true, wide, stream);
  const Ref<Sparse> rows = make_sparse(SparseFormat::csr, extents, std::move(parts), true, wide, stream);
  return convert(*rows, SparseFormat::coo, stream);
}

}  // namespace

Ref<Array> key_of(const Array& line, const Array& index, int64_t width, Stream* stream) {
  return compute({&line, &index}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t first = b.op(op::multiply, b.cast(in[0], DType::int64_), integer(b, width));
    return b.op(op::add, first, b.cast(in[1], DType::int64_));
  });
}

Ref<Sparse> from_elements(SparseFormat format, const Extents& extents, const Elements& e, bool wide,
                          Stream* stream) {
  const bool by_columns = format == SparseFormat::csc;
  const int64_t n = e.data->layout.shape[0], width = by_columns ? extents.rows : extents.columns;
  if (format != SparseFormat::coo) check_lines(by_columns ? extents.columns : extents.rows, "a");
  // The backend needs memory for all lines, which coordinates have no use for.
  const bool few_lines = format != SparseFormat::coo || extents.rows / 8 <= n;
  if (n != 0 && few_lines && has_order(e.data->device()))
    return sorted_matrix(format, extents, e, wide, stream);
  Keyed elements{key_of(*e.line, *e.inner, width, stream), e.data};
  if (n != 0) {
    const SortedVector sorted = sort_vector(*elements.keys, true, stream);
    elements = add_equal({sorted.elements, take_known(*e.data, *sorted.indices, 0, stream)}, stream);
  }
  return from_sorted_keys(format, extents, elements, wide, stream);
}

Ref<Sparse> from_sorted_keys(SparseFormat format, const Extents& extents, const Keyed& elements, bool wide,
                             Stream* stream) {
  const bool by_columns = format == SparseFormat::csc;
  const int64_t width = by_columns ? extents.rows : extents.columns;
  Sparse::Parts parts{elements.data, {}, divided(op::remainder, *elements.keys, width, stream)};
  if (format == SparseFormat::coo) {
    parts.outer = divided(op::floor_divide, *elements.keys, width, stream);
  } else {
    parts.outer = pointers(*elements.keys, by_columns ? extents.columns : extents.rows, width, stream);
  }
  return make_sparse(format, extents, std::move(parts), true, wide, stream);
}

Sparse::Order order_by_rows(const Sparse& a, Stream* stream) {
  check_lines(a.extents.rows, "a");
  const DType d = a.index_type();
  const Elements e{rows_of(a, stream), columns_of(a, stream), a.data};
  if (a.nnz() != 0 && has_order(a.device())) {
    Sorted s = sort_elements(e, a.extents.rows, d, stream);
    return {as_type(*s.pointers, d, stream), std::move(s.indices), std::move(s.order)};
  }
  const int64_t width = a.extents.columns;
  const SortedVector sorted = sort_vector(*key_of(*e.line, *e.inner, width, stream), true, stream);
  return {as_type(*pointers(*sorted.elements, a.extents.rows, width, stream), d, stream),
          as_type(*divided(op::remainder, *sorted.elements, width, stream), d, stream), sorted.indices};
}

}  // namespace arr
