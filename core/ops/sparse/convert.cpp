// SPDX-License-Identifier: MIT
// Conversions between formats and arrays.
#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/index.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/fitted.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// The line of each element of a compressed matrix, int64.
Ref<Array> lines_of(const Sparse& a, Stream* stream) {
  const int64_t n = a.lines();
  const Ref<Array> numbers = index_vector(n, a.device(), stream);
  const Ref<Array> begins = slice_axis(*a.outer, 0, 0, n), ends = slice_axis(*a.outer, 0, 1, n + 1);
  const Ref<Array> lengths = apply(op::subtract, {ends.get(), begins.get()}, stream);
  return repeat_counts(*numbers, *lengths, 0, a.nnz(), stream);
}

// Compressed rows as columns or the other way round, by the backend's call; of a canonical matrix, canonical.
Ref<Sparse> turned(const Sparse& a, SparseFormat format, Stream* stream) {
  const DType d = a.index_type();
  Sparse::Parts parts{vector_like(*a.data, a.dtype(), a.nnz(), stream),
                      vector_like(*a.data, d, a.width() + 1, stream),
                      vector_like(*a.data, d, a.nnz(), stream)};
  SparseTransposeCall c;
  c.index_type = d;
  c.item = item_size(a.dtype());
  c.lines = a.lines();
  c.width = a.width();
  c.nnz = a.nnz();
  c.from = {a.outer->data, a.inner->data, a.data->data};
  c.pointers = parts.outer->data;
  c.indices = parts.inner->data;
  c.data = parts.data->data;
  const Queue q = queue_for(a.device(), stream);
  for (const auto* in : {&a.outer, &a.inner, &a.data}) use_to_read(*(*in)->buffer, q);
  for (const auto* out : {&parts.outer, &parts.inner, &parts.data}) use(*(*out)->buffer, q);
  enqueue(q, api<SparseApi>(q).transpose, c);
  return make<Sparse>(format, a.extents, std::move(parts), true);
}

// A matrix of the same elements, line by line.
Ref<Sparse> compress(SparseFormat format, const Sparse& a, Stream* stream) {
  Elements e{rows_of(a, stream), columns_of(a, stream), a.data};
  if (format == SparseFormat::csc) std::swap(e.line, e.inner);
  return from_elements(format, a.extents, e, a.index_type() == DType::int64_, stream);
}

// The nonzero elements by the backend's call: line by line as the memory has them, then in the format.
Ref<Sparse> compacted(const Array& a, SparseFormat format, Stream* stream) {
  const Extents e{a.layout.shape[0], a.layout.shape[1]};
  const Ref<Array> turned = move_axis(a, 1, 0);
  const bool by_columns = !a.contiguous && turned->contiguous;
  const Ref<Array> lines[1] = {contiguous(by_columns ? *turned : a, Order::C, stream)};
  SparseFromDenseCall c;
  c.dtype = a.dtype;
  c.lines = by_columns ? e.columns : e.rows;
  c.width = by_columns ? e.rows : e.columns;
  c.values = lines[0]->data;
  const SparseFormat found = by_columns ? SparseFormat::csc : SparseFormat::csr;
  Ref<Sparse> out;
  for (c.index_type = index_type_for(e, 0); !out; c.index_type = DType::int64_) {
    out = fitted(found, e, c, api<SparseApi>(a.device()).from_dense, lines, a.layout.size(), false, stream);
  }
  // Coordinates are in the order of rows.
  if (format == SparseFormat::coo) out = convert(*out, SparseFormat::csr, stream);
  return convert(*out, format, stream);
}

}  // namespace

Ref<Array> rows_of(const Sparse& a, Stream* stream) {
  if (a.format == SparseFormat::csr) return lines_of(a, stream);
  return a.format == SparseFormat::coo ? a.outer : a.inner;
}

Ref<Array> columns_of(const Sparse& a, Stream* stream) {
  return a.format == SparseFormat::csc ? lines_of(a, stream) : a.inner;
}

Ref<Array> keys_of(const Sparse& a, Stream* stream) {
  const Ref<Array> lines = a.compressed() ? lines_of(a, stream) : a.outer;
  return key_of(*lines, *a.inner, a.width(), stream);
}

Ref<Sparse> keep(const Sparse& a, const Array& mask, Stream* stream) {
  const auto count =
      static_cast<int64_t>(reduce_item(*reduction_info(reduction::count_nonzero), mask, stream).lo);
  if (count == a.nnz()) return a.share();
  const auto kept = [&](const Array& x) { return compress_known(mask, x, 0, count, stream); };
  Sparse::Parts parts{kept(*a.data), {}, kept(*a.inner)};
  if (!a.compressed()) {
    parts.outer = kept(*a.outer);
  } else {
    const ScanOptions sums{reduction::sum, false, true, false, DType::int64_};
    parts.outer = take_known(*scan(sums, mask, 0, stream), *a.outer, 0, stream);
  }
  return make_sparse(a.format, a.extents, std::move(parts), a.known_canonical(),
                     a.index_type() == DType::int64_, stream);
}

Ref<Sparse> sum_duplicates(const Sparse& a, Stream* stream) {
  if (a.canonical(stream)) return a.share();
  const Elements e{a.compressed() ? lines_of(a, stream) : a.outer, a.inner, a.data};
  return from_elements(a.format, a.extents, e, a.index_type() == DType::int64_, stream);
}

Ref<Sparse> eliminate_zeros(const Sparse& a, Stream* stream) {
  return keep(a, *as_type(*a.data, DType::bool_, stream), stream);
}

Ref<Sparse> convert(const Sparse& a, SparseFormat format, Stream* stream) {
  if (a.format == format) return a.share();
  if (format == SparseFormat::coo) {
    return make_sparse(format, a.extents, {a.data, rows_of(a, stream), columns_of(a, stream)},
                       a.format == SparseFormat::csr && a.known_canonical(), a.index_type() == DType::int64_,
                       stream);
  }
  const bool turns = a.compressed() && a.nnz() != 0 && api<SparseApi>(a.device()).transpose != nullptr;
  return turns && a.canonical(stream) ? turned(a, format, stream) : compress(format, a, stream);
}

Ref<Sparse> sparse_from_dense(const Array& a, SparseFormat format, Stream* stream) {
  if (a.layout.ndim != 2)
    fail(ARR_E_SHAPE, "argument a: shape ", a.layout.text(), ", expected two dimensions");
  const Extents e{a.layout.shape[0], a.layout.shape[1]};
  if (a.layout.size() != 0 && api<SparseApi>(a.device()).from_dense != nullptr) {
    return compacted(a, format, stream);
  }
  const bool by_columns = format == SparseFormat::csc;
  const Ref<Array> lines = by_columns ? move_axis(a, 1, 0) : a.share();
  const Ref<Array> keys = flatnonzero(*lines, stream);
  const int64_t count = keys->layout.shape[0];
  const Ref<Array> mask = as_type(*lines, DType::bool_, stream);
  const Ref<Array> flat = ravel(*lines, stream), flat_mask = ravel(*mask, stream);
  const Ref<Array> data = compress_known(*flat_mask, *flat, 0, count, stream);
  return from_sorted_keys(format, e, {keys, data}, false, stream);
}

Ref<Array> to_dense(const Sparse& a, Order order, Stream* stream) {
  const int64_t shape[2] = {a.extents.rows, a.extents.columns};
  const Scalar zero = convert(scalar_of(int64_t{0}), a.dtype());
  Ref<Array> out = full(a.dtype(), shape, order, zero, a.device(), stream);
  if (a.nnz() == 0) return out;
  const Ref<Array> row = rows_of(a, stream), column = columns_of(a, stream);
  const Array* at[2] = {row.get(), column.get()};
  const Input values{a.data.get(), {}, false};
  ufunc_at(*op_info(a.dtype() == DType::bool_ ? op::logical_or : op::add), *out, at, &values, stream);
  return out;
}

}  // namespace arr
