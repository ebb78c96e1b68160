// SPDX-License-Identifier: MIT
// Joins arrays by one assignment per array into a part of the result; splits them into views.
#include "ops/indexing/join.h"

#include <algorithm>
#include <cstdlib>

#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"
#include "ops/elementwise/promotion.h"
#include "ops/indexing/host_fast_path.h"

namespace arr {

namespace {

const Array& first_of(ArrayList arrays) {
  if (arrays.empty()) fail(ARR_E_ARGUMENT, "argument n: 0, expected one array or more");
  return *arrays.front();
}

DType joined_type(ArrayList arrays, DType asked, const char* argument) {
  if (asked == DType::none) return common_type(arrays);
  for (const Array* a : arrays) {
    if (can_cast(a->dtype, asked, Casting::same_kind)) continue;
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(asked), ", to which ", name(a->dtype),
         " does not cast with the same_kind rule");
  }
  return asked;
}

Device joined_device(ArrayList arrays) {
  const Input first{arrays.front(), {}, false};
  for (const Array* a : arrays.subspan(1)) {
    const Input both[] = {first, {a, {}, false}};
    (void)common_device(both);
  }
  return arrays.front()->device();
}

bool fits_beside(const Layout& own, const Layout& shape, int32_t axis) {
  bool fits = own.ndim == shape.ndim;
  for (int32_t d = 0; fits && d < shape.ndim; ++d) fits = d == axis || own.shape[d] == shape.shape[d];
  return fits;
}

// The shape of the result. The axis is already checked.
Layout joined_shape(ArrayList arrays, int32_t axis) {
  Layout shape = arrays.front()->layout;
  for (size_t k = 1; k < arrays.size(); ++k) {
    const Layout& own = arrays[k]->layout;
    if (!fits_beside(own, shape, axis)) {
      fail(ARR_E_SHAPE, "argument arrays: element ", k, " has shape ", own.text(),
           ", expected that of element 0, ", arrays.front()->layout.text(), ", except along axis ", axis);
    }
    shape.shape[axis] = checked::add(shape.shape[axis], own.shape[axis], "the joined extent");
  }
  return shape;
}

// Compares two axes in the memory order of the arrays. 1: axis a is slower than axis b in some array and
// faster in none; -1: the opposite; 0: undecided.
int32_t slower(ArrayList arrays, int32_t a, int32_t b) {
  int32_t known = 0;
  for (const Array* x : arrays) {
    const Layout& l = x->layout;
    if (l.shape[a] == 1 || l.shape[b] == 1 || l.strides[a] == 0 || l.strides[b] == 0) continue;
    if (std::abs(l.strides[a]) <= std::abs(l.strides[b])) return -1;
    known = 1;
  }
  return known;
}

Layout joined_layout(ArrayList arrays, const Layout& shape, int64_t item) {
  (void)Layout::contiguous(shape.dims(), item, Order::C);  // checks that the number of elements fits
  int32_t axes[max_ndim];
  for (int32_t i = 0; i < shape.ndim; ++i) {
    int32_t at = i;
    for (int32_t k = i; k-- > 0;) {
      const int32_t order = slower(arrays, i, axes[k]);
      if (order < 0) break;
      if (order > 0) at = k;
    }
    std::copy_backward(axes + at, axes + i, axes + i + 1);
    axes[at] = i;
  }
  return layout_permuted(shape.dims(), axes, item);
}

int64_t flat_size(ArrayList arrays) {
  int64_t total = 0;
  for (const Array* a : arrays) total = checked::add(total, a->layout.size(), "the joined extent");
  return total;
}

// The vector seen as an array of that shape.
Ref<Array> shaped(const Array& vector, const Layout& shape) {
  Layout l;
  reshape_view(vector.layout, shape.dims(), Order::C, &l);  // an empty axis is split into any number of parts
  return vector.view(l);
}

void write_joined(const Array& dst, ArrayList arrays, int32_t axis, Stream* stream) {
  const bool flat = axis == ARR_AXIS_NONE;
  if (join_on_host(dst, arrays, axis, flat, stream)) return;
  int64_t at = 0;
  for (const Array* a : arrays) {
    const int64_t count = flat ? a->layout.size() : a->layout.shape[axis];
    if (a->layout.size() != 0) {
      const Ref<Array> to = slice_axis(dst, flat ? 0 : axis, at, at + count);
      assign(flat ? *shaped(*to, a->layout) : *to, *a, stream);
    }
    at += count;
  }
}

void check_axes(ArrayList arrays, int32_t* axis) {
  const Array& first = first_of(arrays);
  if (*axis == ARR_AXIS_NONE) return;
  if (first.layout.ndim == 0)
    fail(ARR_E_SHAPE, "argument arrays: element 0 has shape (), expected one dimension or more");
  *axis = normalize_axis(first.layout.ndim, *axis);
}

std::vector<const Array*> pointers(const std::vector<Ref<Array>>& arrays) {
  std::vector<const Array*> out;
  out.reserve(arrays.size());
  for (const Ref<Array>& a : arrays) out.push_back(a.get());
  return out;
}

}  // namespace

Ref<Array> concatenate(ArrayList arrays, int32_t axis, DType dtype, Stream* stream) {
  check_axes(arrays, &axis);
  const DType d = joined_type(arrays, dtype, "dtype");
  const Device device = joined_device(arrays);
  Ref<Array> out;
  if (axis == ARR_AXIS_NONE) {
    const int64_t total = flat_size(arrays);
    out = empty(d, {&total, 1}, Order::C, device, stream);
  } else {
    out = create(d, joined_layout(arrays, joined_shape(arrays, axis), item_size(d)), device, stream);
  }
  write_joined(*out, arrays, axis, stream);
  return out;
}

Ref<Array> append(const Array& a, const Array& values, int32_t axis, Stream* stream) {
  if (axis != ARR_AXIS_NONE) {
    axis = normalize_axis(a.layout.ndim, axis);
    if (!fits_beside(values.layout, a.layout, axis)) {
      fail(ARR_E_SHAPE, "argument values: shape ", values.layout.text(), ", expected that of argument a, ",
           a.layout.text(), ", except along axis ", axis);
    }
  }
  const Array* both[] = {&a, &values};
  return concatenate(both, axis, DType::none, stream);
}

void concatenate_into(const Array& dst, ArrayList arrays, int32_t axis, Stream* stream) {
  check_axes(arrays, &axis);
  Layout shape;
  if (axis == ARR_AXIS_NONE) {
    shape.ndim = 1;
    shape.shape[0] = flat_size(arrays);
  } else {
    shape = joined_shape(arrays, axis);
  }
  check_destination(dst, shape);
  (void)joined_type(arrays, dst.dtype, "dst");
  const bool overlaps =
      std::any_of(arrays.begin(), arrays.end(), [&](const Array* a) { return may_share_memory(dst, *a); });
  if (overlaps) return assign(dst, *concatenate(arrays, axis, dst.dtype, stream), stream);
  write_joined(dst, arrays, axis, stream);
}

Ref<Array> stack(ArrayList arrays, int32_t axis, DType dtype, Stream* stream) {
  const Layout& shape = first_of(arrays).layout;
  if (shape.ndim == max_ndim)
    fail(ARR_E_SHAPE, "argument arrays: element 0 has ", shape.ndim, " dimensions, expected fewer than ",
         max_ndim);
  const int32_t at = normalize_axis(shape.ndim + 1, axis);
  std::vector<Ref<Array>> views;
  for (size_t k = 0; k < arrays.size(); ++k) {
    const Array& a = *arrays[k];
    if (!a.layout.same_shape(shape)) {
      fail(ARR_E_SHAPE, "argument arrays: element ", k, " has shape ", a.layout.text(),
           ", expected that of element 0, ", shape.text());
    }
    views.push_back(a.view(expand_dims(a.layout, {&at, 1}, a.item())));
  }
  return concatenate(pointers(views), at, dtype, stream);
}

Ref<Array> atleast_nd(const Array& a, int32_t ndim) {
  if (ndim < 1 || ndim > 3) fail(ARR_E_ARGUMENT, "argument nd: ", ndim, ", expected 1, 2 or 3");
  // The axes to add, by the number of dimensions wanted and present.
  static constexpr int32_t added[4][3][3] = {{}, {{0}}, {{0, 1}, {0}}, {{0, 1, 2}, {0, 2}, {2}}};
  if (a.layout.ndim >= ndim) return a.share();
  const int32_t* axes = added[ndim][a.layout.ndim];
  return a.view(expand_dims(a.layout, {axes, static_cast<size_t>(ndim - a.layout.ndim)}, a.item()));
}

Ref<Array> stack_as(StackKind kind, ArrayList arrays, DType dtype, Stream* stream) {
  (void)first_of(arrays);
  const int32_t ndim = kind == StackKind::columns ? 1 : kind == StackKind::depth ? 3 : 2;
  std::vector<Ref<Array>> views;
  for (const Array* a : arrays) {
    Ref<Array> v = atleast_nd(*a, ndim);
    if (kind == StackKind::vectors && a->layout.ndim < 2) v = v->view(transpose(v->layout, {}));
    views.push_back(std::move(v));
  }
  int32_t axis = kind == StackKind::depth ? 2 : kind == StackKind::rows ? 0 : 1;
  if (kind == StackKind::columns && views.front()->layout.ndim == 1) axis = 0;
  return concatenate(pointers(views), axis, dtype, stream);
}

std::vector<Ref<Array>> split(const Array& a, int64_t n, int32_t axis, bool equal) {
  const int32_t d = normalize_axis(a.layout.ndim, axis);
  const int64_t extent = a.layout.shape[d];
  if (n < 1) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 1 or more");
  if (equal && extent % n != 0)
    fail(ARR_E_SHAPE, "argument n: ", n, ", expected a divisor of the extent ", extent, " of axis ", d);
  std::vector<Ref<Array>> out;
  for (int64_t i = 0, from = 0; i < n; ++i) {
    const int64_t to = from + extent / n + (i < extent % n ? 1 : 0);
    out.push_back(slice_axis(a, d, from, to));
    from = to;
  }
  return out;
}

std::vector<Ref<Array>> split_at(const Array& a, std::span<const int64_t> positions, int32_t axis) {
  const int32_t d = normalize_axis(a.layout.ndim, axis);
  const int64_t extent = a.layout.shape[d];
  const auto clipped = [extent](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + extent : at, 0, extent);
  };
  std::vector<Ref<Array>> out;
  int64_t from = 0;
  for (const int64_t at : positions) {
    out.push_back(slice_axis(a, d, from, clipped(at)));
    from = clipped(at);
  }
  out.push_back(slice_axis(a, d, from, extent));
  return out;
}

std::vector<Ref<Array>> unstack(const Array& a, int32_t axis, int64_t n) {
  const int32_t d = normalize_axis(a.layout.ndim, axis);
  if (n != a.layout.shape[d])
    fail(ARR_E_SHAPE, "argument n: ", n, ", expected ", a.layout.shape[d], ", the extent of axis ", d);
  std::vector<Ref<Array>> out;
  for (int64_t i = 0; i < n; ++i) out.push_back(index_axis(a, d, i));
  return out;
}

}  // namespace arr
