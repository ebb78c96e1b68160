// SPDX-License-Identifier: MIT
// Rows, columns and elements of sparse matrices by their indices: by calls of the backend, or by operations
// on vectors.
#include "ops/sparse/items.h"

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/take.h"
#include "ops/reduce/scan.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// Lines of a matrix as the backend selects their elements: all lines or those of a list; all indices, those
// of a slice, or those of a list.
struct Selection {
  const Array* lines = nullptr;
  const Chosen* inner = nullptr;
};

// The matrix of these by the backend's call: counted first, then written.
Ref<Sparse> selected(const Sparse& a, const Selection& s, const Extents& extents, bool canonical,
                     Stream* stream) {
  const bool wide = a.index_type() == DType::int64_;
  const DType d = index_type_for(extents, 0, wide);
  const Ref<Array> outer = as_type(*a.outer, d, stream), inner = as_type(*a.inner, d, stream);
  const Array* list = s.inner == nullptr ? nullptr : s.inner->list.get();
  SparseSelectCall c;
  c.index_type = d;
  c.item = item_size(a.dtype());
  c.lines = s.lines == nullptr ? a.lines() : s.lines->layout.shape[0];
  c.width = a.width();
  c.from = {outer->data, inner->data, a.data->data};
  const Ref<Array> pointers = vector_like(*a.data, DType::int64_, c.lines + 1, stream);
  c.pointers = reinterpret_cast<int64_t*>(pointers->data);
  if (s.lines != nullptr) c.list = reinterpret_cast<const int64_t*>(s.lines->data);
  if (s.inner != nullptr) {
    c.start = s.inner->start;
    c.step = s.inner->step;
    c.count = s.inner->count;
  }
  Ref<Array> first, order;
  const Queue q = queue_for(a.device(), stream);
  if (list != nullptr) {
    first = vector_like(*a.data, d, a.width() + 1, stream);
    order = vector_like(*a.data, d, s.inner->count, stream);
    c.chosen = reinterpret_cast<const int64_t*>(list->data);
    c.first = first->data;
    c.order = order->data;
    use_to_read(*list->buffer, q);
    for (const auto* work : {&first, &order}) use(*(*work)->buffer, q);
  }
  for (const auto* in : {&outer, &inner, &a.data}) use_to_read(*(*in)->buffer, q);
  if (s.lines != nullptr) use_to_read(*s.lines->buffer, q);
  use(*pointers->buffer, q);
  enqueue(q, api<SparseApi>(q).select, c);
  const auto nnz = static_cast<int64_t>(item(*pointers, {&c.lines, 1}).lo);
  const Ref<Array> indices = vector_like(*a.data, d, nnz, stream),
                   data = vector_like(*a.data, a.dtype(), nnz, stream);
  c.indices = indices->data;
  c.data = data->data;
  for (const auto* out : {&indices, &data}) use(*(*out)->buffer, q);
  if (nnz != 0) enqueue(q, api<SparseApi>(q).select, c);
  return make_sparse(a.format, extents, {data, pointers, indices}, canonical, wide, stream);
}

bool selects(const Sparse& a) { return a.nnz() != 0 && api<SparseApi>(a.device()).select != nullptr; }

// The extents with another number of lines, or of elements in each.
Extents with_lines(const Sparse& a, int64_t n) {
  return a.format == SparseFormat::csc ? Extents{a.extents.rows, n} : Extents{n, a.extents.columns};
}
Extents with_width(const Sparse& a, int64_t n) {
  return a.format == SparseFormat::csc ? Extents{n, a.extents.columns} : Extents{a.extents.rows, n};
}

// Neighbouring lines, which share the elements.
Ref<Sparse> line_range(const Sparse& a, int64_t first, int64_t count, Stream* stream) {
  const int64_t last = first + count;
  const auto pointer = [&](int64_t i) {
    return static_cast<int64_t>(convert(item(*a.outer, {&i, 1}), DType::int64_).lo);
  };
  const int64_t begin = pointer(first), end = pointer(last);
  const Ref<Array> outer = slice_axis(*a.outer, 0, first, last + 1);
  const Ref<Array> moved = compute({outer.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::subtract, in[0], integer(b, begin));
  });
  return make_sparse(a.format, with_lines(a, count),
                     {slice_axis(*a.data, 0, begin, end), moved, slice_axis(*a.inner, 0, begin, end)},
                     a.known_canonical(), a.index_type() == DType::int64_, stream);
}

// The elements of a line whose index is start + i * step for 0 <= i < count get the index i.
Ref<Sparse> inner_slice(const Sparse& a, const Chosen& c, bool canonical, Stream* stream) {
  const auto number = [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t moved = b.op(op::subtract, b.cast(in[0], DType::int64_), integer(b, c.start));
    return std::pair{b.op(op::floor_divide, moved, integer(b, c.step)), moved};
  };
  const Ref<Array> mask = compute({a.inner.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const auto [i, moved] = number(b, in);
    const int32_t exact = b.op(op::equal, b.op(op::multiply, i, integer(b, c.step)), moved);
    const int32_t inside = b.op(op::logical_and, b.op(op::greater_equal, i, integer(b, 0)),
                                b.op(op::less, i, integer(b, c.count)));
    return b.op(op::logical_and, exact, inside);
  });
  const Ref<Sparse> kept = keep(a, *mask, stream);
  const Ref<Array> inner = compute({kept->inner.get()}, stream,
                                   [&](ProgramBuilder& b, const int32_t* in) { return number(b, in).first; });
  return make_sparse(a.format, with_width(a, c.count), {kept->data, kept->outer, inner}, canonical,
                     a.index_type() == DType::int64_, stream);
}

// Each element gets the positions of its index in the list.
Ref<Sparse> inner_list(const Sparse& a, const Chosen& c, bool canonical, Stream* stream) {
  const int64_t width = a.width();
  const SortedVector sorted = sort_vector(*c.list, true, stream);
  const Ref<Array> numbers = index_vector(width + 1, a.device(), stream);
  const Ref<Array> first = searchsorted(*sorted.elements, *numbers, false, nullptr, stream);
  const LineElements e = elements_of_lines(*first, *a.inner, stream);
  return make_sparse(a.format, with_width(a, c.count),
                     {take_known(*a.data, *e.from, 0, stream), take_known(*e.before, *a.outer, 0, stream),
                      take_known(*sorted.indices, *e.at, 0, stream)},
                     canonical, a.index_type() == DType::int64_, stream);
}

// The values of elements of a canonical compressed matrix by the backend's call.
Ref<Array> found(const Sparse& a, const Array& line, const Array& index, Stream* stream) {
  Ref<Array> out = vector_like(line, a.dtype(), line.layout.shape[0], stream);
  SparseFindCall c;
  c.index_type = a.index_type();
  c.item = item_size(a.dtype());
  c.lines = a.lines();
  c.n = out->layout.shape[0];
  c.from = {a.outer->data, a.inner->data, a.data->data};
  c.line = reinterpret_cast<const int64_t*>(line.data);
  c.index = reinterpret_cast<const int64_t*>(index.data);
  c.values = out->data;
  const Queue q = queue_for(a.device(), stream);
  for (const Array* in :
       std::initializer_list<const Array*>{a.outer.get(), a.inner.get(), a.data.get(), &line, &index}) {
    use_to_read(*in->buffer, q);
  }
  use(*out->buffer, q);
  enqueue(q, api<SparseApi>(q).find, c);
  return out;
}

// The same by their keys.
Ref<Array> found_by_keys(const Sparse& a, const Array& line, const Array& index, Stream* stream) {
  const Ref<Array> keys = keys_of(a, stream), wanted = key_of(line, index, a.width(), stream);
  const Ref<Array> at = compute({searchsorted(*keys, *wanted, false, nullptr, stream).get()}, stream,
                                [&](ProgramBuilder& b, const int32_t* in) {
                                  return b.op(op::minimum, in[0], integer(b, a.nnz() - 1));
                                });
  const Ref<Array> key = take_known(*keys, *at, 0, stream), value = take_known(*a.data, *at, 0, stream);
  const Scalar zero = convert(scalar_of(int64_t{0}), a.dtype());
  return compute({key.get(), wanted.get(), value.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::where, b.op(op::equal, in[0], in[1]), in[2], b.scalar(zero, false));
  });
}

}  // namespace

LineElements elements_of_ranges(const Array& begins, const Array& ends, Stream* stream) {
  const int64_t n = begins.layout.shape[0];
  const auto numbers = [&](int64_t count) { return index_vector(count, begins.device(), stream); };
  const Ref<Array> lengths = compute({&ends, &begins}, stream, [](ProgramBuilder& p, const int32_t* in) {
    return p.op(op::subtract, p.cast(in[0], DType::int64_), p.cast(in[1], DType::int64_));
  });
  LineElements e;
  const ScanOptions sums{reduction::sum, false, true, false, DType::int64_};
  e.before = scan(sums, *lengths, 0, stream);
  const auto total = static_cast<int64_t>(item(*e.before, {&n, 1}).lo);
  e.from = repeat_counts(*numbers(n), *lengths, 0, total, stream);
  const Ref<Array> first = take_known(begins, *e.from, 0, stream),
                   skipped = take_known(*e.before, *e.from, 0, stream);
  e.at = compute({numbers(total).get(), first.get(), skipped.get()}, stream,
                 [](ProgramBuilder& p, const int32_t* in) {
                   const int32_t within = p.op(op::subtract, in[0], in[2]);
                   return p.op(op::add, within, p.cast(in[1], DType::int64_));
                 });
  return e;
}

LineElements elements_of_lines(const Array& outer, const Array& lines, Stream* stream) {
  const Ref<Array> all_ends = slice_axis(outer, 0, 1, outer.layout.shape[0]);
  return elements_of_ranges(*take_known(outer, lines, 0, stream), *take_known(*all_ends, lines, 0, stream),
                            stream);
}

Ref<Sparse> lines_at(const Sparse& a, const Chosen& c, Stream* stream) {
  if (c.whole(a.lines())) return a.share();
  if (!c.list && c.step == 1) return line_range(a, c.start, c.count, stream);
  const Ref<Array> list = listed(c, a.device(), stream);
  if (selects(a)) {
    return selected(a, {list.get(), nullptr}, with_lines(a, c.count), a.known_canonical(), stream);
  }
  const LineElements e = elements_of_lines(*a.outer, *list, stream);
  return make_sparse(
      a.format, with_lines(a, c.count),
      {take_known(*a.data, *e.at, 0, stream), e.before, take_known(*a.inner, *e.at, 0, stream)},
      a.known_canonical(), a.index_type() == DType::int64_, stream);
}

Ref<Sparse> inner_at(const Sparse& a, const Chosen& c, Stream* stream) {
  if (c.whole(a.width())) return a.share();
  const bool canonical = a.known_canonical() && c.rises;
  if (selects(a)) return selected(a, {nullptr, &c}, with_width(a, c.count), canonical, stream);
  return c.list ? inner_list(a, c, canonical, stream) : inner_slice(a, c, canonical, stream);
}

Ref<Sparse> get_items(const Sparse& a, std::span<const Index> indices, Stream* stream) {
  const ChosenItems c = chosen_items(a.extents, indices, a.device(), stream);
  checked::mul(c.rows.count, c.columns.count, "rows times columns");
  const Ref<Sparse> from = a.compressed() ? a.share() : convert(a, SparseFormat::csr, stream);
  const bool by_columns = from->format == SparseFormat::csc;
  const Chosen &lines = by_columns ? c.columns : c.rows, &inner = by_columns ? c.rows : c.columns;
  check_lines(lines.count, "indices");
  return inner_at(*lines_at(*from, lines, stream), inner, stream);
}

Pairs pairs_of(const Sparse& a, const Array& rows, const Array& columns, Stream* stream) {
  const Input all[3] = {{a.data.get(), {}, false}, {&rows, {}, false}, {&columns, {}, false}};
  common_device(all);
  check_integers(rows, "rows");
  check_integers(columns, "cols");
  Pairs p;
  broadcast_shapes(rows.layout, columns.layout, "cols", &p.shape);
  const auto vector = [&](const Array& index) {
    const Layout l = broadcast_to(index.layout, p.shape.dims());
    return contiguous(*ravel(*index.view(l), stream), Order::C, stream);
  };
  p.row = vector(*in_range(rows, a.extents.rows, 0, "rows", stream));
  p.column = vector(*in_range(columns, a.extents.columns, 1, "cols", stream));
  return p;
}

Ref<Array> elements_at(const Sparse& a, const Array& rows, const Array& columns, Stream* stream) {
  const auto [row, column, shape] = pairs_of(a, rows, columns, stream);
  if (a.nnz() == 0 || shape.size() == 0) {
    const Scalar zero = convert(scalar_of(int64_t{0}), a.dtype());
    return full(a.dtype(), shape.dims(), Order::C, zero, a.device(), stream);
  }
  const Ref<Sparse> from = sum_duplicates(a, stream);
  const bool by_columns = a.format == SparseFormat::csc;
  const Array &line = by_columns ? *column : *row, &index = by_columns ? *row : *column;
  const bool finds = a.compressed() && api<SparseApi>(a.device()).find != nullptr;
  const Ref<Array> out =
      finds ? found(*from, line, index, stream) : found_by_keys(*from, line, index, stream);
  return reshape(*out, shape.dims(), Order::C, stream);
}

}  // namespace arr
