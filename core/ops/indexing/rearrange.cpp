// SPDX-License-Identifier: MIT
// Moved axes are views. Repetition is one assignment: the source is broadcast along additional axes of the
// result.
#include "ops/indexing/rearrange.h"

#include <algorithm>
#include <utility>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// Dimensions of an assignment, added one at a time, with the strides of both sides.
struct Sides {
  Layout to, from;
  void add(int64_t extent, int64_t to_stride, int64_t from_stride) {
    to.shape[to.ndim] = from.shape[from.ndim] = extent;
    to.strides[to.ndim++] = to_stride;
    from.strides[from.ndim++] = from_stride;
  }
};

void assign_sides(const Array& dst, const Array& src, const Sides& s, Stream* stream) {
  assign(*dst.view(s.to), *src.view(s.from), stream);
}

// Enough dimensions for the repetitions.
Ref<Array> with_leading_axes(const Array& a, size_t ndim) {
  Layout l;
  l.ndim = std::max(a.layout.ndim, static_cast<int32_t>(ndim));
  const int32_t lead = l.ndim - a.layout.ndim;
  for (int32_t i = 0; i < l.ndim; ++i) {
    l.shape[i] = i < lead ? 1 : a.layout.shape[i - lead];
    l.strides[i] = i < lead ? 0 : a.layout.strides[i - lead];
  }
  return a.view(l);
}

int64_t wrapped(int64_t shift, int64_t extent) {
  const int64_t r = extent == 0 ? 0 : shift % extent;
  return r < 0 ? r + extent : r;
}

// Splits each axis from `axis` on, unless its shift is 0, and swaps the two parts.
void roll_parts(const Array& dst, const Array& src, const int64_t* shifts, int32_t axis, Stream* stream) {
  while (axis < src.layout.ndim && shifts[axis] == 0) ++axis;
  if (axis == src.layout.ndim) return assign(dst, src, stream);
  const int64_t n = src.layout.shape[axis], by = shifts[axis];
  roll_parts(*slice_axis(dst, axis, 0, by), *slice_axis(src, axis, n - by, n), shifts, axis + 1, stream);
  roll_parts(*slice_axis(dst, axis, by, n), *slice_axis(src, axis, 0, n - by), shifts, axis + 1, stream);
}

Ref<Array> roll_flat(const Array& a, int64_t by, Stream* stream) {
  Ref<Array> out = empty(a.dtype, a.layout.dims(), Order::C, a.device(), stream);
  const int64_t n = a.layout.size();
  const Ref<Array> from = ravel(a, stream), to = out->view(Layout::contiguous({&n, 1}, a.item(), Order::C));
  roll_parts(*to, *from, &by, 0, stream);
  return out;
}

void check_broadcasts(const Array& a, const Array& dst, const char* argument) {
  Layout both;
  broadcast_shapes(dst.layout, a.layout, argument, &both);
  if (!both.same_shape(dst.layout))
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(), " does not broadcast to dst's ",
         dst.layout.text());
}

// Repeats axis by axis, one assignment per repetition, if splitting would need too many dimensions.
Ref<Array> tile_apart(const Array& a, int64_t* times, Stream* stream) {
  int32_t d = 0;
  while (times[d] == 1 || a.layout.shape[d] == 1) ++d;
  const int64_t n = a.layout.shape[d], count = std::exchange(times[d], 1);
  const Ref<Array> once = tile(a, {times, static_cast<size_t>(a.layout.ndim)}, stream);
  Layout shape = once->layout;
  shape.shape[d] = checked::mul(n, count, "the tiled extent");
  Ref<Array> out = empty(a.dtype, shape.dims(), Order::C, a.device(), stream);
  for (int64_t k = 0; k < count; ++k) assign(*slice_axis(*out, d, k * n, (k + 1) * n), *once, stream);
  return out;
}

}  // namespace

Ref<Array> swapaxes(const Array& a, int32_t axis1, int32_t axis2) {
  const int32_t i = normalize_axis(a.layout.ndim, axis1, "axis1");
  const int32_t j = normalize_axis(a.layout.ndim, axis2, "axis2");
  Layout l = a.layout;
  std::swap(l.shape[i], l.shape[j]);
  std::swap(l.strides[i], l.strides[j]);
  return a.view(l);
}

Ref<Array> rot90(const Array& a, int64_t k, int32_t axis1, int32_t axis2) {
  const int32_t i = normalize_axis(a.layout.ndim, axis1, "axis1");
  const int32_t j = normalize_axis(a.layout.ndim, axis2, "axis2");
  if (i == j) fail(ARR_E_ARGUMENT, "argument axis2: ", axis2, ", expected another axis than axis1");
  const int64_t turns = wrapped(k, 4);
  if (turns == 0) return a.share();
  if (turns == 2) return reversed(*reversed(a, i), j);
  return turns == 1 ? swapaxes(*reversed(a, j), i, j) : reversed(*swapaxes(a, i, j), j);
}

Ref<Array> moveaxis(const Array& a, std::span<const int32_t> source, std::span<const int32_t> destination) {
  const int32_t ndim = a.layout.ndim;
  int32_t order[max_ndim];
  std::fill(order, order + ndim, -1);
  uint32_t moved = 0;
  for (size_t k = 0; k < source.size(); ++k) {
    const int32_t from = normalize_axis(ndim, source[k], "source");
    const int32_t to = normalize_axis(ndim, destination[k], "destination");
    if ((moved >> from & 1U) != 0) fail(ARR_E_SHAPE, "argument source: axis ", source[k], " is named twice");
    if (order[to] >= 0) fail(ARR_E_SHAPE, "argument destination: axis ", destination[k], " is named twice");
    moved |= 1U << from;
    order[to] = from;
  }
  for (int32_t i = 0, next = 0; i < ndim; ++i) {
    if (order[i] >= 0) continue;
    while ((moved >> next & 1U) != 0) ++next;
    order[i] = next++;
  }
  return a.view(transpose(a.layout, {order, static_cast<size_t>(ndim)}));
}

std::vector<Ref<Array>> broadcast_arrays(ArrayList arrays) {
  Layout shape;
  for (const Array* a : arrays) {
    Layout both;
    broadcast_shapes(shape, a->layout, "arrays", &both);
    shape = both;
  }
  std::vector<Ref<Array>> out;
  for (const Array* a : arrays)
    out.push_back(make<Array>(a->buffer, a->data, a->dtype, broadcast_to(a->layout, shape.dims()), true));
  return out;
}

std::vector<Ref<Array>> meshgrid(ArrayList arrays, GridIndexing indexing, bool sparse, bool copied,
                                 Stream* stream) {
  const auto n = static_cast<int32_t>(std::min<size_t>(arrays.size(), max_ndim + 1));
  if (n > max_ndim) fail(ARR_E_SHAPE, "argument n: ", arrays.size(), ", expected at most ", max_ndim);
  std::vector<Ref<Array>> vectors;
  std::vector<const Array*> all;
  for (int32_t i = 0; i < n; ++i) {
    const int32_t axis = indexing == GridIndexing::xy && n > 1 && i < 2 ? 1 - i : i;
    vectors.push_back(broadcastable_vector(*ravel(*arrays[static_cast<size_t>(i)], stream), n, axis));
    all.push_back(vectors.back().get());
  }
  std::vector<Ref<Array>> out = sparse ? std::move(vectors) : broadcast_arrays(all);
  if (!copied) return out;
  for (Ref<Array>& grid : out) grid = copy(*grid, Order::C, stream);
  return out;
}

Ref<Array> tile(const Array& a, std::span<const int64_t> reps, Stream* stream) {
  if (reps.size() > max_ndim)
    fail(ARR_E_SHAPE, "argument nreps: ", reps.size(), ", expected at most ", max_ndim);
  const Ref<Array> src = with_leading_axes(a, reps.size());
  const Layout& in = src->layout;
  int64_t times[max_ndim];
  Layout shape = in;
  int32_t wanted = in.ndim;
  for (int32_t i = 0; i < in.ndim; ++i) {
    const int32_t k = i - (in.ndim - static_cast<int32_t>(reps.size()));
    times[i] = k < 0 ? 1 : reps[static_cast<size_t>(k)];
    if (times[i] < 0) fail(ARR_E_ARGUMENT, "argument reps: ", times[i], ", expected 0 or more");
    shape.shape[i] = checked::mul(in.shape[i], times[i], "the tiled extent");
    if (times[i] > 1 && in.shape[i] > 1) ++wanted;
  }
  if (wanted > max_ndim) return tile_apart(*src, times, stream);
  Ref<Array> out = empty(a.dtype, shape.dims(), Order::C, a.device(), stream);
  if (shape.size() == 0) return out;
  Sides s;
  for (int32_t i = 0; i < in.ndim; ++i) {
    const int64_t n = in.shape[i], to = out->layout.strides[i];
    if (times[i] > 1) s.add(times[i], n * to, 0);
    if (times[i] == 1 || n > 1) s.add(n, to, in.strides[i]);
  }
  assign_sides(*out, *src, s, stream);
  return out;
}

Ref<Array> repeat(const Array& a, int64_t count, int32_t axis, Stream* stream) {
  if (count < 0) fail(ARR_E_ARGUMENT, "argument count: ", count, ", expected 0 or more");
  if (axis == ARR_AXIS_NONE) {
    // In row-major order, repeated elements run along an additional last axis.
    if (a.layout.ndim == max_ndim) return repeat(*ravel(a, stream), count, 0, stream);
    const int32_t last = -1;
    const Ref<Array> wide = a.view(expand_dims(a.layout, {&last, 1}, a.item()));
    return ravel(*repeat(*wide, count, -1, stream), stream);
  }
  const int32_t d = normalize_axis(a.layout.ndim, axis);
  Layout shape = a.layout;
  shape.shape[d] = checked::mul(shape.shape[d], count, "the repeated extent");
  Ref<Array> out = empty(a.dtype, shape.dims(), Order::C, a.device(), stream);
  if (shape.size() == 0) return out;
  if (a.layout.ndim == max_ndim) {
    for (int64_t k = 0; k < count; ++k) assign(*strided_slice(*out, d, k, count), a, stream);
    return out;
  }
  Sides s;
  for (int32_t i = 0; i < a.layout.ndim; ++i) {
    const int64_t n = a.layout.shape[i], to = out->layout.strides[i];
    s.add(n, i == d ? to * count : to, a.layout.strides[i]);
    if (i == d) s.add(count, to, 0);
  }
  assign_sides(*out, a, s, stream);
  return out;
}

Ref<Array> roll(const Array& a, std::span<const int64_t> shifts, const int32_t* axes, Stream* stream) {
  const int32_t ndim = a.layout.ndim;
  int64_t by[max_ndim] = {};
  int64_t flat = 0;
  const int64_t all = a.layout.size();
  for (size_t k = 0; k < shifts.size(); ++k) {
    if (axes == nullptr) {
      flat = wrapped(wrapped(shifts[k], all) - all + flat, all);
      continue;
    }
    const int32_t d = normalize_axis(ndim, axes[k], "axes");
    const int64_t n = a.layout.shape[d];
    by[d] = wrapped(wrapped(shifts[k], n) - n + by[d], n);
  }
  if (axes == nullptr) return roll_flat(a, flat, stream);
  // Parts double with each axis that is rolled: after a few axes another pass is cheaper.
  constexpr int32_t max_rolled = 4;
  int64_t now[max_ndim] = {};
  Ref<Array> out = a.share();
  int32_t rolled = 0;
  bool copied = false;
  for (int32_t d = 0; d < ndim; ++d) {
    now[d] = by[d];
    if (by[d] != 0) ++rolled;
    if ((d + 1 < ndim && rolled < max_rolled) || (copied && rolled == 0)) continue;
    copied = true;
    const Ref<Array> from = std::exchange(out, empty_like(a, a.dtype, Order::K, stream));
    roll_parts(*out, *from, now, 0, stream);
    std::fill(now, now + ndim, 0);
    rolled = 0;
  }
  return ndim == 0 ? copy(a, Order::K, stream) : out;
}

Ref<Array> resize(const Array& a, Shape shape, Stream* stream) {
  Scalar zero;
  zero.dtype = a.dtype;
  const Layout wanted = Layout::contiguous(shape, a.item(), Order::C);
  const int64_t n = a.layout.size(), total = wanted.size();
  if (n == 0) return full(a.dtype, shape, Order::C, zero, a.device(), stream);
  Ref<Array> out = create(a.dtype, wanted, a.device(), stream);
  if (total == 0) return out;
  const Ref<Array> from = ravel(a, stream);
  const Ref<Array> to = out->view(Layout::contiguous({&total, 1}, a.item(), Order::C));
  const int64_t whole = total / n;
  if (whole > 0) {
    Sides s;
    s.add(whole, n * a.item(), 0);
    s.add(n, a.item(), from->layout.strides[0]);
    assign_sides(*to, *from, s, stream);
  }
  assign(*slice_axis(*to, 0, whole * n, total), *slice_axis(*from, 0, 0, total - whole * n), stream);
  return out;
}

Ref<Array> trim_zeros(const Array& a, bool front, bool back, uint32_t mask, Stream* stream) {
  const uint32_t all = axis_mask(a.layout.ndim, 0, nullptr);
  if (mask == 0) return a.share();
  const auto position = [&](const Array& found) {
    return static_cast<int64_t>(reduce_item(*reduction_info(reduction::argmax), found, stream).lo);
  };
  const Ref<Array> nonzero = as_type(a, DType::bool_, stream);
  const bool none =
      a.layout.size() == 0 || reduce_item(*reduction_info(reduction::any), *nonzero, stream).lo == 0;
  Ref<Array> out = a.share();
  for (int32_t d = 0; d < a.layout.ndim; ++d) {
    if ((mask >> d & 1U) == 0) continue;
    const int64_t n = a.layout.shape[d];
    if (none) {
      out = slice_axis(*out, d, 0, 0);
      continue;
    }
    const Ref<Array> along_axis = a.layout.ndim == 1 ? nonzero
                                                     : reduce(*reduction_info(reduction::any), *nonzero,
                                                              all & ~(1U << d), false, {}, stream);
    const int64_t from = front ? position(*along_axis) : 0;
    const int64_t to = back ? n - position(*reversed(*along_axis, 0)) : n;
    out = slice_axis(*out, d, from, to);
  }
  return out;
}

void copyto(const Array& dst, const Array& src, Casting casting, const Array* where, Stream* stream) {
  if (!can_cast(src.dtype, dst.dtype, casting)) {
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", to which ", name(src.dtype),
         " does not cast within the casting rule");
  }
  check_writable(dst);
  const Ref<Array> same = as_type(*as_written(src, dst.layout), dst.dtype, stream);
  if (where == nullptr) return assign(dst, *same, stream);
  if (where->dtype != DType::bool_)
    fail(ARR_E_DTYPE, "argument where: ", name(where->dtype), ", expected bool");
  // Half types are copied as uint16, so that elements which are not copied keep their bits.
  const auto bits = [](const Array& a) {
    return is_half(a.dtype) ? make<Array>(a.buffer, a.data, DType::uint16_, a.layout, a.readonly) : a.share();
  };
  const Ref<Array> to = bits(dst), from = bits(*same);
  check_broadcasts(*where, dst, "where");
  check_broadcasts(*same, dst, "src");
  const Array* operands[] = {where, from.get(), to.get()};
  const BoundProgram p =
      program_of({operands[0], operands[1], operands[2]},
                 [](ProgramBuilder& b, const int32_t* in) { return b.op(op::where, in[0], in[1], in[2]); });
  run_into(*to, p, operands, stream);
}

}  // namespace arr
