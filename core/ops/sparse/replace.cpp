// SPDX-License-Identifier: MIT
// Sparse matrices with other elements at some indices: the elements that are left, and the new ones.
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/join.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/items.h"

namespace arr {

namespace {

// The position of each index in the choice, the last one if there are several; -1 for others.
Ref<Array> position_in(const Chosen& c, int64_t extent, const Array& index, Stream* stream) {
  if (!c.list) {
    return compute({&index}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t moved = b.op(op::subtract, b.cast(in[0], DType::int64_), integer(b, c.start));
      const int32_t k = b.op(op::floor_divide, moved, integer(b, c.step));
      const int32_t exact = b.op(op::equal, b.op(op::multiply, k, integer(b, c.step)), moved);
      const int32_t inside = b.op(op::logical_and, b.op(op::greater_equal, k, integer(b, 0)),
                                  b.op(op::less, k, integer(b, c.count)));
      return b.op(op::where, b.op(op::logical_and, exact, inside), k, integer(b, -1));
    });
  }
  const Device device = index.device();
  const Ref<Array> table =
      full(DType::int64_, {&extent, 1}, Order::C, scalar_of(int64_t{-1}), device, stream);
  const Ref<Array> numbers = index_vector(c.count, device, stream);
  const Index at{ARR_INDEX_ARRAY, 0, 0, 1, c.list.get()};
  if (c.count != 0) set_items(*table, {&at, 1}, Bounds::unchecked, {numbers.get(), {}, false}, stream);
  return take_known(*table, index, 0, stream);
}

Ref<Array> selected_at(const Chosen& c, const Array& positions, Stream* stream) {
  return take_known(*listed(c, positions.device(), stream), positions, 0, stream);
}

Ref<Array> kept(const Array& mask, const Array& x, Stream* stream) { return compress(mask, x, 0, stream); }

// The elements of `a` where the mask is true, and others.
Ref<Sparse> with_more(const Sparse& a, const Array& mask, Elements more, Stream* stream) {
  const Ref<Sparse> left = keep(a, mask, stream);
  const auto both = [&](const Array& x, const Array& y) {
    const Array* parts[2] = {&x, &y};
    return concatenate(parts, 0, DType::none, stream);
  };
  if (a.format == SparseFormat::csc) std::swap(more.line, more.inner);
  const Ref<Array> line = a.format == SparseFormat::csc ? columns_of(*left, stream) : rows_of(*left, stream);
  return from_elements(
      a.format, a.extents,
      {both(*line, *more.line), both(*left->inner, *more.inner), both(*left->data, *more.data)},
      a.index_type() == DType::int64_, stream);
}

}  // namespace

Ref<Array> cast_to(const Sparse& a, const Array& values, const char* argument, Stream* stream) {
  if (!can_cast(values.dtype, a.dtype(), Casting::same_kind)) {
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(values.dtype), ", a is ", name(a.dtype()),
         ", to which it does not cast with the same_kind rule");
  }
  return as_type(values, a.dtype(), stream);
}

Ref<Sparse> with_items(const Sparse& a, std::span<const Index> indices, const Sparse& block, Stream* stream) {
  const ChosenItems c = chosen_items(a.extents, indices, a.device(), stream);
  if (block.device() != a.device()) {
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a.device()), " and on ",
         device_text(block.device()));
  }
  if (block.extents.rows != c.rows.count || block.extents.columns != c.columns.count) {
    fail(ARR_E_SHAPE, "argument block: shape (", block.extents.rows, ",", block.extents.columns,
         "), expected that of the indexed elements, (", c.rows.count, ",", c.columns.count, ")");
  }
  const Ref<Array> values = cast_to(a, *block.data, "block", stream);
  const Ref<Array> from_row = rows_of(block, stream), from_column = columns_of(block, stream);
  const Ref<Array> row = selected_at(c.rows, *from_row, stream),
                   column = selected_at(c.columns, *from_column, stream);
  const Ref<Array> row_wins = position_in(c.rows, a.extents.rows, *row, stream),
                   column_wins = position_in(c.columns, a.extents.columns, *column, stream);
  const Ref<Array> wins = compute({row_wins.get(), from_row.get(), column_wins.get(), from_column.get()},
                                  stream, [](ProgramBuilder& b, const int32_t* in) {
                                    const int32_t x = b.op(op::equal, in[0], b.cast(in[1], DType::int64_));
                                    const int32_t y = b.op(op::equal, in[2], b.cast(in[3], DType::int64_));
                                    return b.op(op::logical_and, x, y);
                                  });
  const Ref<Array> in_rows = position_in(c.rows, a.extents.rows, *rows_of(a, stream), stream),
                   in_columns = position_in(c.columns, a.extents.columns, *columns_of(a, stream), stream);
  const Ref<Array> outside =
      compute({in_rows.get(), in_columns.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::logical_or, b.op(op::less, in[0], integer(b, 0)),
                    b.op(op::less, in[1], integer(b, 0)));
      });
  return with_more(a, *outside,
                   {kept(*wins, *row, stream), kept(*wins, *column, stream), kept(*wins, *values, stream)},
                   stream);
}

Ref<Sparse> with_elements(const Sparse& a, const Array& rows, const Array& columns, const Input& values,
                          Stream* stream) {
  const auto [row, column, shape] = pairs_of(a, rows, columns, stream);
  const Ref<Array> one = values.array == nullptr
                             ? full(a.dtype(), {}, Order::C, values.scalar, a.device(), stream)
                             : values.array->share();
  if (!broadcasts_to(one->layout, shape)) {
    fail(ARR_E_SHAPE, "argument value: shape ", one->layout.text(),
         " does not broadcast to that of rows and cols, ", shape.text());
  }
  const Input both[2] = {{a.data.get(), {}, false}, {one.get(), {}, false}};
  common_device(both);
  const Ref<Array> cast = cast_to(a, *one, "value", stream);
  const Ref<Array> all = ravel(*cast->view(broadcast_to(cast->layout, shape.dims())), stream);
  const int64_t n = row->layout.shape[0];
  if (n == 0) return a.share();
  const SortedVector keys = sort_vector(*key_of(*row, *column, a.extents.columns, stream), true, stream);
  Ref<Array> last = full(DType::bool_, {&n, 1}, Order::C, {DType::bool_, 1, 0}, a.device(), stream);
  if (n > 1) {
    const Ref<Array> differs = sorted_differences(*keys.elements, false, stream);
    assign(*slice_axis(*last, 0, 0, n - 1), *differs, stream);
  }
  const Ref<Array> distinct = kept(*last, *keys.elements, stream), from = kept(*last, *keys.indices, stream);
  const Ref<Array> own = key_of(*rows_of(a, stream), *columns_of(a, stream), a.extents.columns, stream);
  const int64_t most = distinct->layout.shape[0] - 1;
  const Ref<Array> at = compute(
      {searchsorted(*distinct, *own, false, nullptr, stream).get()}, stream,
      [&](ProgramBuilder& b, const int32_t* in) { return b.op(op::minimum, in[0], integer(b, most)); });
  const Ref<Array> outside =
      apply(op::not_equal, {take_known(*distinct, *at, 0, stream).get(), own.get()}, stream);
  const Ref<Array> chosen = take_known(*all, *from, 0, stream),
                   nonzero = as_type(*chosen, DType::bool_, stream);
  const auto stored = [&](const Array& x) {
    return kept(*nonzero, *take_known(x, *from, 0, stream), stream);
  };
  return with_more(a, *outside, {stored(*row), stored(*column), kept(*nonzero, *chosen, stream)}, stream);
}

}  // namespace arr
