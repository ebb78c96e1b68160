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
#include "ops/sparse/fitted.h"
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
  const Ref<Array> numbers = index_vector(lines + 1, keys.device(), stream);
  const Ref<Array> firsts = compute({numbers.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::multiply, in[0], integer(b, width));
  });
  return searchsorted(keys, *firsts, false, nullptr, stream);
}

// Elements in order, as the backend sorts them; see SparseOrderCall.
struct Sorted {
  Ref<Array> pointers, indices, order;
};
Sorted sort_elements(const Elements& e, int64_t lines, DType d, Stream* stream) {
  const int64_t n = e.inner->layout.shape[0];
  const Ref<Array> line = contiguous(*as_type(*e.line, d, stream), Order::C, stream);
  const Ref<Array> inner = contiguous(*as_type(*e.inner, d, stream), Order::C, stream);
  Sorted s{vector_like(*inner, DType::int64_, lines + 1, stream), vector_like(*inner, d, n, stream),
           vector_like(*inner, d, n, stream)};
  SparseOrderCall c;
  c.index_type = d;
  c.n = n;
  c.lines = lines;
  c.line = line->data;
  c.inner = inner->data;
  c.pointers = reinterpret_cast<int64_t*>(s.pointers->data);
  c.sorted = s.indices->data;
  c.order = s.order->data;
  const Queue q = queue_for(inner->device(), stream);
  for (const Array* in : {line.get(), inner.get()}) use_to_read(*in->buffer, q);
  for (const auto* out : {&s.pointers, &s.indices, &s.order}) use(*(*out)->buffer, q);
  enqueue(q, api<SparseApi>(q).order, c);
  return s;
}

// The matrix by the backend's call.
Ref<Sparse> assembled(SparseFormat format, const Extents& extents, const Elements& e, bool wide,
                      Stream* stream) {
  const int64_t n = e.data->layout.shape[0];
  SparseAssembleCall c;
  c.dtype = e.data->dtype;
  c.index_type = index_type_for(extents, n, wide);
  c.n = n;
  c.lines = format == SparseFormat::csc ? extents.columns : extents.rows;
  const auto index = [&](const Ref<Array>& x) {
    return contiguous(*as_type(*x, c.index_type, stream), Order::C, stream);
  };
  const Ref<Array> parts[3] = {index(e.line), index(e.inner), contiguous(*e.data, Order::C, stream)};
  c.line = parts[0]->data;
  c.inner = parts[1]->data;
  c.values = parts[2]->data;
  const auto work = api<SparseApi>(e.data->device()).assemble;
  if (format != SparseFormat::coo) return fitted(format, extents, c, work, parts, n, wide, stream);
  const Ref<Sparse> rows = fitted(SparseFormat::csr, extents, c, work, parts, n, wide, stream);
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
  if (n != 0 && few_lines && api<SparseApi>(e.data->device()).assemble != nullptr)
    return assembled(format, extents, e, wide, stream);
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
  if (a.nnz() != 0 && api<SparseApi>(a.device()).order != nullptr) {
    Sorted s = sort_elements(e, a.extents.rows, d, stream);
    return {as_type(*s.pointers, d, stream), std::move(s.indices), std::move(s.order)};
  }
  const int64_t width = a.extents.columns;
  const SortedVector sorted = sort_vector(*key_of(*e.line, *e.inner, width, stream), true, stream);
  return {as_type(*pointers(*sorted.elements, a.extents.rows, width, stream), d, stream),
          as_type(*divided(op::remainder, *sorted.elements, width, stream), d, stream), sorted.indices};
}

}  // namespace arr
