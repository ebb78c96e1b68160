// SPDX-License-Identifier: MIT
// Index arrays made from ranges, each by one program.
#include "ops/indexing/mesh.h"

#include <algorithm>

#include "array/index_check.h"
#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/index_program.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"

namespace arr {

namespace {

// The strides, in elements, of a contiguous array of that shape; throws if it has too many elements.
Layout steps_of(Shape shape, Order order) {
  if (shape.size() > static_cast<size_t>(max_ndim)) {
    fail(ARR_E_SHAPE, "argument ndim: ", shape.size(), ", at most ", max_ndim);
  }
  return Layout::contiguous(shape, 1, order);
}

void check_coordinates(const Array& index, int64_t extent, int32_t axis, Bounds bounds, Stream* stream) {
  check_integers(index, "indices");
  if (index.layout.size() == 0) return;
  if (extent == 0) fail_index("indices", "", axis, 0, 0, -1);
  if (bounds == Bounds::from_one) return check_from_one(index, "indices", axis, extent, stream);
  if (bounds != Bounds::raise) return;
  const uint64_t largest = largest_unsigned(index, 0, stream);
  if (largest < static_cast<uint64_t>(extent)) return;
  fail_index("indices", integer_text(index, largest), axis, extent, 0, extent - 1);
}

// A view of `count` elements of the diagonal of a matrix or cube, starting in a given row.
Ref<Array> diagonal_from(const Array& a, int64_t row, int64_t count) {
  Layout l;
  l.ndim = 1;
  l.shape[0] = count;
  l.strides[0] = 0;
  for (int32_t d = 0; d < a.layout.ndim; ++d) {
    l.strides[0] = Layout::diagonal_stride(count, l.strides[0], a.layout.strides[d]);
  }
  return a.view(l, count == 0 ? 0 : row * a.layout.strides[0]);
}

void fill_piece(const Array& a, int64_t row, int64_t count, int64_t before, const Input& values,
                Stream* stream) {
  const Ref<Array> to = diagonal_from(a, row, count);
  if (values.array == nullptr) return fill(*to, values.scalar, stream);
  const Ref<Array> all = ravel(*values.array, stream);
  const Ref<Array> at = slice_axis(*iota(before + count, a.device(), stream), 0, before, before + count);
  assign(*to, *take(*all, *at, 0, Bounds::wrap, stream), stream);
}

}  // namespace

Ref<Array> ravel_multi_index(std::span<const Array* const> indices, Shape shape,
                             std::span<const Bounds> bounds, Order order, Stream* stream) {
  if (indices.size() != shape.size() || shape.empty()) {
    fail(ARR_E_ARGUMENT, "argument n: ", indices.size(), " arrays for ", shape.size(),
         " dimensions, expected one for each, and one or more");
  }
  std::vector<Input> all;
  for (const Array* a : indices) all.push_back({a, {}, false});
  common_device(all);
  const Layout steps = steps_of(shape, order);
  std::vector<OffsetTerm> terms;
  for (size_t k = 0; k < shape.size(); ++k) {
    const auto axis = static_cast<int32_t>(k);
    check_coordinates(*indices[k], shape[k], axis, bounds[k], stream);
    const bool known = bounds[k] == Bounds::raise || bounds[k] == Bounds::unchecked;
    terms.push_back(
        {indices[k]->view(indices[k]->layout), bounds[k], known, shape[k], steps.strides[k], nullptr});
  }
  return OffsetSum(std::move(terms), stream).load(DType::none, nullptr, Order::K, stream);
}

std::vector<Ref<Array>> unravel_index(const Array& positions, Shape shape, Order order, Stream* stream) {
  check_integers(positions, "indices");
  const Layout steps = steps_of(shape, order);
  int64_t n = 1;
  for (int64_t extent : shape) n *= extent;
  if (positions.layout.size() > 0) {
    const uint64_t largest = largest_unsigned(positions, 0, stream);
    if (largest >= static_cast<uint64_t>(n)) {
      fail(ARR_E_ARGUMENT, "argument indices: ", integer_text(positions, largest), " in ", n,
           " elements, expected 0 to ", n - 1);
    }
  }
  std::vector<Ref<Array>> out;
  for (size_t k = 0; k < shape.size(); ++k) {
    out.push_back(compute({&positions}, stream, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t at = b.op(op::floor_divide, b.cast(in[0], DType::int64_),
                              integer(b, std::max<int64_t>(steps.strides[k], 1)));
      return b.op(op::remainder, at, integer(b, shape[k]));
    }));
  }
  return out;
}

std::vector<Ref<Array>> open_mesh(std::span<const Array* const> vectors, Stream* stream) {
  const auto n = static_cast<int32_t>(vectors.size());
  if (n > max_ndim) fail(ARR_E_SHAPE, "argument n: ", n, " vectors, at most ", max_ndim);
  std::vector<Ref<Array>> out;
  for (int32_t k = 0; k < n; ++k) {
    const Array& v = *vectors[static_cast<size_t>(k)];
    if (v.layout.ndim != 1) {
      fail(ARR_E_SHAPE, "argument arrays: shape ", v.layout.text(), ", expected one dimension");
    }
    const Ref<Array> indices = v.dtype == DType::bool_ ? flatnonzero(v, stream) : v.share();
    check_integers(*indices, "arrays");
    out.push_back(broadcastable_vector(*indices, n, k));
  }
  return out;
}

Ref<Array> grid_indices(Shape shape, DType dtype, Device device, Stream* stream) {
  std::vector<int64_t> whole_shape = {static_cast<int64_t>(shape.size())};
  whole_shape.insert(whole_shape.end(), shape.begin(), shape.end());
  Ref<Array> out = empty(dtype, whole_shape, Order::C, device, stream);
  for (int32_t k = 0; out->layout.size() > 0 && k < static_cast<int32_t>(shape.size()); ++k) {
    const Ref<Array> one = index_axis(*out, 0, k);
    const Layout ramp = ramp_along(one->layout, k);
    ProgramBuilder b;
    b.output(b.cast(b.input(DType::int64_), dtype));
    const BoundProgram p = b.finish();
    const Input in = ramp_input(ramp, 0);
    run_into(*one, *p.program, {&in, 1}, stream);
  }
  return out;
}

std::vector<Ref<Array>> diagonal_indices(int64_t n, int32_t ndim, Device device, Stream* stream) {
  if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
  if (ndim < 0 || ndim > max_ndim) {
    fail(ARR_E_ARGUMENT, "argument nout: ", ndim, ", expected 0 to ", max_ndim);
  }
  std::vector<Ref<Array>> out;
  out.reserve(static_cast<size_t>(ndim));
  for (int32_t k = 0; k < ndim; ++k) {
    out.push_back(renaming({{"stop", "n"}}, [&] {
      return arange(scalar_of(int64_t{0}), scalar_of(n), scalar_of(int64_t{1}), DType::int64_, device,
                    stream);
    }));
  }
  return out;
}

void fill_diagonal(const Array& a, const Input& values, bool wrap, Stream* stream) {
  const Layout& l = a.layout;
  if (l.ndim < 2) fail(ARR_E_SHAPE, "argument a: shape ", l.text(), ", expected two dimensions or more");
  for (int32_t d = 1; l.ndim > 2 && d < l.ndim; ++d) {
    if (l.shape[d] != l.shape[0])
      fail(ARR_E_SHAPE, "argument a: shape ", l.text(), ", expected equal extents");
  }
  if (write_obstacle(a) != nullptr) fail(ARR_E_READONLY, "argument a: ", write_obstacle(a));
  Input given = values;
  Ref<Array> own;
  if (values.array != nullptr) {
    const Input both[] = {{&a, {}, false}, values};
    common_device(both);
    if (values.array->layout.size() == 0) {
      fail(ARR_E_ARGUMENT, "argument value: no elements, expected one or more");
    }
    own = may_share_memory(a, *values.array) ? copy(*values.array, Order::C, stream)
                                             : values.array->view(values.array->layout);
    given.array = own.get();
  }
  const int64_t rows = l.shape[0], columns = *std::min_element(l.shape + 1, l.shape + l.ndim);
  if (l.size() == 0) return;
  if (!wrap || l.ndim > 2) return fill_piece(a, 0, std::min(rows, columns), 0, given, stream);
  int64_t before = 0;
  for (int64_t row = 0; row < rows; row += columns + 1) {
    const int64_t count = std::min(columns, rows - row);
    fill_piece(a, row, count, before, given, stream);
    before += count;
  }
}

}  // namespace arr
