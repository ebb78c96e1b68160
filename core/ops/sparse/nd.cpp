// SPDX-License-Identifier: MIT
// Sparse arrays of any number of dimensions, by the keys of their elements.
#include "ops/sparse/nd.h"

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/scan.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/products.h"

namespace arr {

namespace {

// key / stride % extent: the index along an axis with that stride. The first axis needs no remainder.
int32_t index_along(ProgramBuilder& b, int32_t key, const Layout& shape, int32_t axis) {
  const int64_t stride = shape.strides[axis], extent = shape.shape[axis];
  if (stride > 1) key = b.op(op::floor_divide, key, integer(b, stride));
  bool first = true;
  for (int32_t i = 0; i < axis; ++i) first = first && shape.shape[i] == 1;
  return first ? key : b.op(op::remainder, key, integer(b, std::max<int64_t>(extent, 1)));
}

bool is_wide(const Sparse& a) { return a.index_type() == DType::int64_; }

// The single row as an array of that shape.
Ref<Sparse> shaped(const Sparse& row, std::shared_ptr<const Layout> shape) {
  return make<Sparse>(row.format, row.extents, Sparse::Parts{row.data, row.outer, row.inner},
                      row.known_canonical(), std::move(shape));
}

// The same elements in order of axes, as an array of shape `to`, which has as many.
Ref<Sparse> with_axes(const Sparse& a, std::span<const int32_t> order, const Layout& to, Stream* stream) {
  const Layout from = shape_of(a);
  const Ref<Array> old = linear_keys(a, stream);
  const Ref<Array> keys = compute({old.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t key = b.cast(in[0], DType::int64_);
    int32_t sum = b.scalar(scalar_of(int64_t{0}), false);
    int64_t stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      const int64_t extent = from.shape[order[i]];
      if (extent == 1) continue;
      const int32_t index = index_along(b, key, from, order[i]);
      sum = b.op(op::add, sum, b.op(op::multiply, index, integer(b, stride)));
      stride *= std::max<int64_t>(extent, 1);
    }
    return b.cast(sum, DType::int64_);
  });
  return from_keys(to, {keys, a.data}, false, is_wide(a), stream);
}

std::vector<int32_t> axes_in(uint32_t mask, int32_t ndim) {
  std::vector<int32_t> out;
  for (int32_t i = 0; i < ndim; ++i) {
    if ((mask >> i & 1U) != 0) out.push_back(i);
  }
  return out;
}

int64_t product_of(const Layout& shape, std::span<const int32_t> axes) {
  int64_t n = 1;
  for (const int32_t axis : axes) n *= shape.shape[axis];
  return n;
}

}  // namespace

Layout checked_shape(Shape shape) {
  if (shape.empty()) fail(ARR_E_SHAPE, "argument ndim: 0, expected 1 to ", max_ndim);
  return Layout::contiguous(shape, 1, Order::C);
}

Ref<Array> linear_keys(const Sparse& a, Stream* stream) {
  if (a.nd != nullptr) return a.inner;
  return key_of(*rows_of(a, stream), *columns_of(a, stream), a.extents.columns, stream);
}

Ref<Sparse> from_keys(const Layout& shape, const Keyed& e, bool canonical, bool wide, Stream* stream) {
  if (shape.ndim == 2) {
    const auto along = [&](int32_t axis) {
      return compute({e.keys.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
        return index_along(b, b.cast(in[0], DType::int64_), shape, axis);
      });
    };
    return make_sparse(SparseFormat::coo, {shape.shape[0], shape.shape[1]}, {e.data, along(0), along(1)},
                       canonical, wide, stream);
  }
  const Ref<Array> line =
      upload(std::vector<int64_t>{0, e.data->layout.shape[0]}, DType::int64_, e.data->device(), stream);
  const Ref<Sparse> row =
      make_sparse(SparseFormat::csr, {1, shape.size()}, {e.data, line, e.keys}, canonical, wide, stream);
  return shaped(*row, std::make_shared<const Layout>(shape));
}

Layout shape_of(const Sparse& a) {
  if (a.nd != nullptr) return *a.nd;
  const int64_t shape[2] = {a.extents.rows, a.extents.columns};
  return Layout::contiguous(shape, 1, Order::C);
}

Ref<Sparse> as_matrix(const Sparse& a, std::span<const int32_t> rows, std::span<const int32_t> columns,
                      Stream* stream) {
  const Layout shape = shape_of(a);
  std::vector<int32_t> order(rows.begin(), rows.end());
  order.insert(order.end(), columns.begin(), columns.end());
  const int64_t extents[2] = {product_of(shape, rows), product_of(shape, columns)};
  return with_axes(a, order, Layout::contiguous(extents, 1, Order::C), stream);
}

Ref<Sparse> in_shape_of(const Sparse& a, Ref<Sparse> result) {
  return a.nd == nullptr || result->nd != nullptr ? std::move(result) : shaped(*result, a.nd);
}

Ref<Sparse> sparse_coo_nd(Shape given, const Array& data, std::span<const Array* const> coords,
                          Stream* stream) {
  const Layout shape = checked_shape(given);
  check_vector(data, "data", -1);
  std::vector<Input> all{{&data, {}, false}};
  std::vector<std::string> names;
  bool wide = false;
  for (const Array* c : coords) {
    names.push_back(text("coords[", names.size(), "]"));
    check_vector(*c, names.back().c_str(), data.layout.shape[0]);
    check_index_type(*c, names.back().c_str());
    all.push_back({c, {}, false});
    wide = wide || item_size(c->dtype) == 8 || c->dtype == DType::uint32_;
  }
  common_device(all);
  // Checked in copies, so that nobody changes them after the check.
  std::vector<Ref<Array>> own;
  for (size_t i = 0; i < coords.size(); ++i) {
    own.push_back(copy(*coords[i], Order::C, stream));
    check_range(*own[i], shape.shape[i], names[i].c_str(), stream);
  }
  Ref<Array> values = contiguous(data, Order::C, stream);
  if (shape.ndim == 2) {
    return make_sparse(SparseFormat::coo, {shape.shape[0], shape.shape[1]},
                       {std::move(values), own[0], own[1]}, false, wide, stream);
  }
  Ref<Array> keys = own[0];
  for (size_t i = 1; i < own.size(); ++i) keys = key_of(*keys, *own[i], shape.shape[i], stream);
  return from_keys(shape, {keys, std::move(values)}, false, wide, stream);
}

Ref<Sparse> sparse_from_dense_nd(const Array& a, Stream* stream) {
  const Layout shape = checked_shape(a.layout.dims());
  const int64_t row[2] = {1, shape.size()};
  const Ref<Sparse> out = sparse_from_dense(*reshape(a, row, Order::C, stream), SparseFormat::csr, stream);
  return from_keys(shape, {out->inner, out->data}, true, false, stream);
}

Ref<Array> to_dense_nd(const Sparse& a, Order order, Stream* stream) {
  const Ref<Array> out = reshape(*to_dense(a, Order::C, stream), a.nd->dims(), Order::C, stream);
  return contiguous(*out, order, stream);
}

std::vector<Ref<Array>> coordinates_of(const Sparse& a, const Layout& shape, Stream* stream) {
  if (shape.ndim == 2) return {rows_of(a, stream), columns_of(a, stream)};
  const Ref<Array> keys = a.inner;  // of a single row
  std::vector<Ref<Array>> out;
  out.reserve(static_cast<size_t>(shape.ndim));
  for (int32_t axis = 0; axis < shape.ndim; ++axis) {
    out.push_back(compute({keys.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return b.cast(index_along(b, b.cast(in[0], DType::int64_), shape, axis), a.index_type());
    }));
  }
  return out;
}

Ref<Array> coordinates_of(const Sparse& a, int32_t axis, Stream* stream) {
  const Layout shape = shape_of(a);
  axis = normalize_axis(shape.ndim, axis);
  if (a.nd == nullptr) {
    return as_type(axis == 0 ? *rows_of(a, stream) : *columns_of(a, stream), a.index_type(), stream);
  }
  return compute({a.inner.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(index_along(b, b.cast(in[0], DType::int64_), shape, axis), a.index_type());
  });
}

Ref<Sparse> reshape_nd(const Sparse& a, Shape given, Stream* stream) {
  if (given.empty()) fail(ARR_E_SHAPE, "argument ndim: 0, expected 1 to ", max_ndim);
  const Layout shape = checked_shape(reshape_shape(shape_of(a), given).dims());
  const bool canonical = a.format != SparseFormat::csc && a.known_canonical();
  return from_keys(shape, {linear_keys(a, stream), a.data}, canonical, is_wide(a), stream);
}

Ref<Sparse> permute_dims(const Sparse& a, std::span<const int32_t> axes, Stream* stream) {
  Layout numbered = shape_of(a);
  for (int32_t i = 0; i < numbered.ndim; ++i) numbered.strides[i] = i;
  const Layout turned = transpose(numbered, axes);
  const std::vector<int32_t> order(turned.strides, turned.strides + turned.ndim);
  return with_axes(a, order, Layout::contiguous(turned.dims(), 1, Order::C), stream);
}

Ref<Array> sparse_reduce_axes(const ReductionInfo& r, const Sparse& a, uint32_t axes, bool keepdims,
                              DType dtype, Stream* stream) {
  const Layout shape = shape_of(a);
  const std::vector<int32_t> gone = axes_in(axes, shape.ndim), kept = axes_in(~axes, shape.ndim);
  std::vector<int64_t> extents;
  for (int32_t i = 0; i < shape.ndim; ++i) {
    const bool reduced = (axes >> i & 1U) != 0;
    if (!reduced || keepdims) extents.push_back(reduced ? 1 : shape.shape[i]);
  }
  const Ref<Array> out = kept.empty() ? sparse_reduce(r, a, axis_none, dtype, stream)
                                      : sparse_reduce(r, *as_matrix(a, kept, gone, stream), 1, dtype, stream);
  return reshape(*out, extents, Order::C, stream);
}

Ref<Sparse> sparse_tensordot(const Sparse& a, const Sparse& b, const ContractedAxes& axes, Stream* stream) {
  const Layout left = shape_of(a), right = shape_of(b);
  std::vector<int32_t> over[2];
  uint32_t masks[2] = {0, 0};
  for (size_t i = 0; i < axes.a.size(); ++i) {
    over[0].push_back(normalize_axis(left.ndim, axes.a[i], "a_axes"));
    over[1].push_back(normalize_axis(right.ndim, axes.b[i], "b_axes"));
    const int64_t x = left.shape[over[0][i]], y = right.shape[over[1][i]];
    if (x != y) {
      fail(ARR_E_SHAPE, "argument b_axes: axis ", axes.b[i], " of extent ", y, ", expected ", x, " as axis ",
           axes.a[i], " of a");
    }
    for (int32_t k = 0; k < 2; ++k) {
      const uint32_t bit = 1U << over[k][i];
      if ((masks[k] & bit) != 0) {
        fail(ARR_E_SHAPE, "argument ", k == 0 ? "a_axes" : "b_axes", ": axis ", over[k][i],
             " is named twice");
      }
      masks[k] |= bit;
    }
  }
  const std::vector<int32_t> rows = axes_in(~masks[0], left.ndim), columns = axes_in(~masks[1], right.ndim);
  std::vector<int64_t> shape;
  shape.reserve(rows.size() + columns.size());
  for (const int32_t axis : rows) shape.push_back(left.shape[axis]);
  for (const int32_t axis : columns) shape.push_back(right.shape[axis]);
  if (shape.empty()) shape.push_back(1);
  checked_shape(shape);
  const Ref<Sparse> x = as_matrix(a, rows, over[0], stream), y = as_matrix(b, over[1], columns, stream);
  return reshape_nd(*matmul(*x, *y, stream), shape, stream);
}

}  // namespace arr
