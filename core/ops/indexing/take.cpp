// SPDX-License-Identifier: MIT
// Reads and writes along one axis by an index array.
#include "ops/indexing/take.h"

#include "ops/elementwise/array_ops.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

void check_devices(const Array& a, const Array& indices) {
  const Input both[] = {{&a, {}, false}, {&indices, {}, false}};
  common_device(both);
}

// Takes a[.., indices, ..]; the axis is not negative.
IndexedView view_along(const Array& a, const Array& indices, int32_t axis, Bounds bounds, bool known) {
  IndexedView p;
  p.view = a.share();
  for (int32_t d = 0; d < axis; ++d) p.add_dimension(a.layout.shape[d], d);
  for (int32_t d = 0; d < indices.layout.ndim; ++d) p.add_dimension(indices.layout.shape[d], -1);
  for (int32_t d = axis + 1; d < a.layout.ndim; ++d) p.add_dimension(a.layout.shape[d], d);
  Layout l = indices.layout;
  for (int32_t d = axis + 1; l.ndim > 0 && d < a.layout.ndim; ++d) {
    l.shape[l.ndim] = 1;
    l.strides[l.ndim++] = 0;
  }
  p.indices.push_back({indices.view(l), axis, axis, bounds, known});
  return p;
}

// Takes elements by matching 1-D slices of indices.
IndexedView view_in_lines(const Array& a, const Array& indices, int32_t axis, Bounds bounds) {
  const int32_t n = a.layout.ndim;
  if (indices.layout.ndim != n) {
    fail(ARR_E_SHAPE, "argument indices: shape ", indices.layout.text(), ", expected ", n,
         " dimensions as in ", a.layout.text());
  }
  Layout lines = a.layout, both;
  lines.shape[axis] = 1;
  Layout others = indices.layout;
  broadcast_shapes(lines, others, "indices", &both);
  IndexedView p;
  p.view = a.share();
  for (int32_t d = 0; d < n; ++d) {
    p.add_dimension(d == axis ? indices.layout.shape[d] : both.shape[d],
                    d == axis || a.layout.shape[d] == 1 ? -1 : d);
  }
  p.indices.push_back({indices.share(), axis, axis, bounds, false});
  return p;
}

Ref<Array> read(const IndexedView& p, Stream* stream) {
  check_extents(p, "indices");
  return gather(p, "indices", stream);
}

void write(IndexedView p, const Input& values, Stream* stream) {
  put_checked(std::move(p), "indices", values, stream);
}

Ref<Array> flat_view(const Array& a) {
  const int64_t n = a.layout.size();
  Layout l = Layout::contiguous({&n, 1}, a.item(), Order::C);
  return n == 0 || reshape_view(a.layout, {&n, 1}, Order::C, &l) ? a.view(l) : Ref<Array>();
}

// Calls `write` with a as a vector: a view if possible, otherwise a copy that is assigned back.
template <class Write>
void write_flat(const Array& a, Stream* stream, Write&& write) {
  if (write_obstacle(a) != nullptr) fail(ARR_E_READONLY, "argument a: ", write_obstacle(a));
  if (const Ref<Array> vector = flat_view(a)) return write(*vector);
  const Ref<Array> whole = copy(a, Order::C, stream);
  write(*flat_view(*whole));
  assign(a, *whole, stream);
}

}  // namespace

Ref<Array> take(const Array& a, const Array& indices, int32_t axis, Bounds bounds, Stream* stream) {
  check_devices(a, indices);
  check_integers(indices, "indices");
  const Ref<Array> from = axis == axis_none ? ravel(a, stream) : a.share();
  const int32_t along = axis == axis_none ? 0 : normalize_axis(a.layout.ndim, axis);
  return read(view_along(*from, indices, along, bounds, false), stream);
}

Ref<Array> take_known(const Array& a, const Array& indices, int32_t axis, Stream* stream) {
  return read(view_along(a, indices, axis, Bounds::unchecked, true), stream);
}

Ref<Array> take_along_axis(const Array& a, const Array& indices, int32_t axis, Bounds bounds,
                           Stream* stream) {
  check_devices(a, indices);
  check_integers(indices, "indices");
  const Ref<Array> from = axis == axis_none ? ravel(a, stream) : a.share();
  const int32_t along = axis == axis_none ? 0 : normalize_axis(a.layout.ndim, axis);
  return read(view_in_lines(*from, indices, along, bounds), stream);
}

void put_flat(const Array& a, const Array& indices, const Input& values, Bounds bounds, Stream* stream) {
  check_devices(a, indices);
  check_integers(indices, "indices");
  const int64_t n = indices.layout.size();
  if (values.array != nullptr && values.array->layout.size() == 0) return;
  const Ref<Array> vector = ravel(indices, stream);
  Input given = values;
  Ref<Array> repeated;
  if (values.array != nullptr) {
    const Ref<Array> all = ravel(*values.array, stream);
    const int64_t have = all->layout.size();
    repeated = have == 1   ? all
               : have >= n ? slice_axis(*all, 0, 0, n)
                           : take(*all, *index_vector(n, a.device(), stream), 0, Bounds::wrap, stream);
    given.array = repeated.get();
  }
  write_flat(a, stream,
             [&](const Array& to) { write(view_along(to, *vector, 0, bounds, false), given, stream); });
}

void put_along_axis(const Array& a, const Array& indices, const Input& values, int32_t axis, Bounds bounds,
                    Stream* stream) {
  check_devices(a, indices);
  check_integers(indices, "indices");
  if (axis == axis_none) {
    return write_flat(a, stream,
                      [&](const Array& to) { write(view_in_lines(to, indices, 0, bounds), values, stream); });
  }
  const int32_t along = normalize_axis(a.layout.ndim, axis);
  write(view_in_lines(a, indices, along, bounds), values, stream);
}

}  // namespace arr
