// SPDX-License-Identifier: MIT
// Matrices of diagonals and of dense blocks, as compositions of operations on the indices of their elements.
#include "ops/sparse/blocks.h"

#include "base/checked.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"

namespace arr {

namespace {

// 0, 1, ..., n - 1, for broadcasting along an axis of `ndim`.
Ref<Array> counted(int64_t n, int32_t ndim, int32_t axis, Device device, Stream* stream) {
  return broadcastable_vector(*index_vector(n, device, stream), ndim, axis);
}

// The elements of a sorted vector without repetition.
Ref<Array> distinct(const Array& sorted, Stream* stream) {
  return take_known(sorted, *flatnonzero(*segment_heads(sorted, false, stream), stream), 0, stream);
}
Ref<Array> distinct_of(const Array& vector, Stream* stream) {
  if (vector.layout.shape[0] == 0) return vector.share();
  return distinct(*sort_vector(vector, false, stream).elements, stream);
}

// An array of zeros of that shape, with the values at these row-major indices, none of which is repeated.
Ref<Array> spread(std::span<const int64_t> shape, const Array& at, const Array& values, Stream* stream) {
  const Scalar zero = convert(scalar_of(int64_t{0}), values.dtype);
  Ref<Array> out = full(values.dtype, shape, Order::C, zero, values.device(), stream);
  if (values.layout.shape[0] != 0) scatter_unique(*ravel(*out, stream), at, values, stream);
  return out;
}

void check_offsets(const Array& data, const Array& offsets, Stream* stream) {
  if (data.layout.ndim != 2) {
    fail(ARR_E_SHAPE, "argument data: shape ", data.layout.text(), ", expected two dimensions");
  }
  const int64_t n = data.layout.shape[0];
  if (offsets.layout.ndim != 1 || offsets.layout.shape[0] != n) {
    fail(ARR_E_SHAPE, "argument offsets: shape ", offsets.layout.text(), ", expected (", n, ",)");
  }
  if (!is_integer(offsets.dtype)) {
    fail(ARR_E_DTYPE, "argument offsets: got ", name(offsets.dtype), ", expected integers");
  }
  const Input both[2] = {{&data, {}, false}, {&offsets, {}, false}};
  common_device(both);
  if (n < 2) return;
  const SortedVector sorted = sort_vector(*as_type(offsets, DType::int64_, stream), false, stream);
  if (any_neighbours(op::equal, *sorted.elements, stream)) {
    fail(ARR_E_ARGUMENT, "argument offsets: a diagonal is there twice");
  }
}

// Throws unless blocks of these extents divide the matrix.
void check_block(const Extents& e, const Extents& block, const char* argument) {
  if (block.rows > 0 && block.columns > 0 && e.rows % block.rows == 0 && e.columns % block.columns == 0)
    return;
  fail(ARR_E_SHAPE, "argument ", argument, ": blocks of (", block.rows, ",", block.columns,
       "), expected extents that divide those of the matrix, (", e.rows, ",", e.columns, ")");
}

}  // namespace

Ref<Sparse> sparse_dia(const Extents& e, const Array& data, const Array& offsets, Stream* stream) {
  check_extents(e);
  check_lines(e.rows, "rows");
  check_offsets(data, offsets, stream);
  const int64_t n = data.layout.shape[1];
  check_lines(n, "data");
  const Ref<Array> column = counted(n, 2, 1, data.device(), stream);
  const Ref<Array> offset = broadcastable_vector(*as_type(offsets, DType::int64_, stream), 2, 0);
  const Ref<Array> row = apply(op::subtract, {column.get(), offset.get()}, stream);
  // A row that wrapped around is of an offset that no diagonal of the matrix has.
  const Ref<Array> there = compute(
      {row.get(), column.get(), offset.get(), &data}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        const auto both = [&](int32_t x, int32_t y) { return b.op(op::logical_and, x, y); };
        const int32_t rows =
            both(b.op(op::greater_equal, in[0], integer(b, 0)), b.op(op::less, in[0], integer(b, e.rows)));
        const int32_t diagonal =
            both(b.op(op::greater, in[2], integer(b, -e.rows)), b.op(op::less, in[2], integer(b, e.columns)));
        const int32_t columns = b.op(op::less, in[1], integer(b, e.columns));
        return both(both(rows, columns), both(diagonal, b.cast(in[3], DType::bool_)));
      });
  const Ref<Array> at = flatnonzero(*there, stream);
  const auto chosen = [&](const Array& x) {
    return take_known(*ravel(*x.view(broadcast_to(x.layout, {data.layout.shape, 2})), stream), *at, 0,
                      stream);
  };
  return from_elements(SparseFormat::csr, e, {chosen(*row), chosen(*column), chosen(data)}, false, stream);
}

Diagonals to_dia(const Sparse& a, Stream* stream) {
  const Ref<Sparse> all = sum_duplicates(a, stream);
  const Ref<Array> row = rows_of(*all, stream), column = columns_of(*all, stream);
  const auto difference = [&](const Array& x, const Array& y) {
    return compute({&x, &y}, stream, [](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::subtract, b.cast(in[0], DType::int64_), b.cast(in[1], DType::int64_));
    });
  };
  const Ref<Array> offset = difference(*column, *row), offsets = distinct_of(*offset, stream);
  const int64_t shape[2] = {offsets->layout.shape[0], a.extents.columns};
  checked::mul(shape[0], shape[1], "diagonals times columns");
  const Ref<Array> line = searchsorted(*offsets, *offset, false, nullptr, stream);
  return {spread(shape, *key_of(*line, *column, shape[1], stream), *all->data, stream), offsets};
}

Ref<Sparse> sparse_bsr(const Extents& e, const Array& data, const Array& indices, const Array& pointers,
                       Stream* stream) {
  check_extents(e);
  check_lines(e.rows, "rows");
  if (data.layout.ndim != 3) {
    fail(ARR_E_SHAPE, "argument data: shape ", data.layout.text(), ", expected three dimensions");
  }
  const int64_t n = data.layout.shape[0];
  check_lines(n, "data");
  const Extents block{data.layout.shape[1], data.layout.shape[2]};
  check_block(e, block, "data");
  const Device device = data.device();
  // The blocks are the elements of a smaller matrix, which checks the indices.
  const Ref<Array> numbers = index_vector(n, device, stream);
  const Ref<Sparse> grid =
      sparse_compressed(SparseFormat::csr, {e.rows / block.rows, e.columns / block.columns}, *numbers,
                        indices, pointers, stream);
  // The index of each element of all blocks: that of its block, and its own in the block.
  const auto within = [&](const Array& of_block, int64_t extent, int32_t axis) {
    const Ref<Array> inside = counted(extent, 3, axis, device, stream);
    const Ref<Array> outside = broadcastable_vector(of_block, 3, 0);
    const Ref<Array> at =
        compute({outside.get(), inside.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
          const int32_t first = b.op(op::multiply, b.cast(in[0], DType::int64_), integer(b, extent));
          return b.op(op::add, first, in[1]);
        });
    return ravel(*at->view(broadcast_to(at->layout, {data.layout.shape, 3})), stream);
  };
  const Elements all{within(*rows_of(*grid, stream), block.rows, 1),
                     within(*columns_of(*grid, stream), block.columns, 2), ravel(data, stream)};
  return from_elements(SparseFormat::csr, e, all, grid->index_type() == DType::int64_, stream);
}

Blocks to_bsr(const Sparse& a, const Extents& block, Stream* stream) {
  check_block(a.extents, block, "block_rows");
  const Ref<Sparse> all = sum_duplicates(a, stream);
  const Ref<Array> row = rows_of(*all, stream), column = columns_of(*all, stream);
  const Extents grid{a.extents.rows / block.rows, a.extents.columns / block.columns};
  check_lines(grid.rows, "a");
  const Ref<Array> key =
      compute({row.get(), column.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        const auto divided = [&](int32_t x, int64_t by) {
          return b.op(op::floor_divide, b.cast(x, DType::int64_), integer(b, by));
        };
        const int32_t line = b.op(op::multiply, divided(in[0], block.rows), integer(b, grid.columns));
        return b.op(op::add, line, divided(in[1], block.columns));
      });
  const Ref<Array> keys = distinct_of(*key, stream),
                   which = searchsorted(*keys, *key, false, nullptr, stream);
  const Ref<Array> at =
      compute({which.get(), row.get(), column.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        const auto inside = [&](int32_t x, int64_t by) {
          return b.op(op::remainder, b.cast(x, DType::int64_), integer(b, by));
        };
        const int32_t line =
            b.op(op::add, b.op(op::multiply, in[0], integer(b, block.rows)), inside(in[1], block.rows));
        return b.op(op::add, b.op(op::multiply, line, integer(b, block.columns)),
                    inside(in[2], block.columns));
      });
  const int64_t n = keys->layout.shape[0], shape[3] = {n, block.rows, block.columns};
  checked::mul(checked::mul(n, block.rows, "the elements of all blocks"), block.columns,
               "the elements of all blocks");
  const Ref<Array> numbers = index_vector(n, a.device(), stream);
  const Ref<Sparse> blocks =
      from_sorted_keys(SparseFormat::csr, grid, {keys, numbers}, a.index_type() == DType::int64_, stream);
  return {spread(shape, *at, *all->data, stream), blocks->inner, blocks->outer};
}

}  // namespace arr
