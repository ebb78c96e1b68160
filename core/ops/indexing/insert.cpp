// SPDX-License-Identifier: MIT
// Insertion and deletion along an axis: one assignment for each segment of elements that stay adjacent. With
// many segments, insertion is one gather and deletion one selection by a mask.
#include <algorithm>
#include <numeric>

#include "array/index_check.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/rearrange.h"
#include "ops/indexing/select.h"

namespace arr {

namespace {

// With more segments than this, one gather is faster than an assignment per segment.
constexpr size_t max_segments = 32;

// The array and the axis that a function works on; for ARR_AXIS_NONE all elements as a vector.
struct Lane {
  Ref<Array> array;
  int32_t axis;
};
Lane lane_of(const Array& a, int32_t axis, Stream* stream) {
  if (axis == ARR_AXIS_NONE) return {ravel(a, stream), 0};
  return {a.share(), normalize_axis(a.layout.ndim, axis)};
}

int64_t checked_position(int64_t at, int64_t extent, int64_t last, int32_t axis, const char* argument) {
  if (at < -extent || at > last) fail_index(argument, at, axis, extent, -extent, last);
  return at < 0 ? at + extent : at;
}

bool is_column_major(const Array& a) { return !a.contiguous && a.layout.is_contiguous(a.item(), Order::F); }
// Column-major if the array is column-major and not row-major.
Ref<Array> empty_resized(const Array& a, int32_t axis, int64_t extent, Stream* stream) {
  Layout shape = a.layout;
  shape.shape[axis] = extent;
  return empty(a.dtype, shape.dims(), is_column_major(a) ? Order::F : Order::C, a.device(), stream);
}

// out[..., i, ...] = a[..., sources[i], ...]
void gather_into(const Array& out, const Array& a, int32_t axis, const std::vector<int64_t>& sources,
                 Stream* stream) {
  if (out.layout.size() == 0) return;
  const Ref<Array> flat = ravel(*contiguous(a, Order::C, stream), stream);
  const Ref<Array> index = upload(sources, DType::int64_, a.device(), stream);
  Layout base = Layout::contiguous(a.layout.dims(), 1, Order::C);
  const int64_t inner = base.strides[axis];
  base.shape[axis] = out.layout.shape[axis];
  base.strides[axis] = 0;
  ProgramBuilder b;
  const int32_t from = b.input(DType::int64_), at = b.input(DType::int64_), table = b.input(DType::table_);
  const int32_t step = b.op(op::multiply, at, b.scalar(scalar_of(inner), false));
  b.output(b.step(op::take, a.dtype, table, b.op(op::add, from, step)));
  const BoundProgram p = b.finish();
  const Ref<Array> lane = broadcastable_vector(*index, out.layout.ndim, axis);
  std::vector<Input> inputs = {ramp_input(base, 0), {lane.get(), {}, false}, table_input(*flat)};
  add_constants(p, &inputs);
  run_into(out, *p.program, inputs, stream);
}

// The values, broadcast to an array of that shape.
Ref<Array> spread(const Array& values, const Layout& shape) {
  Layout both;
  broadcast_shapes(shape, values.layout, "values", &both);
  if (!both.same_shape(shape))
    fail(ARR_E_SHAPE, "argument values: shape ", values.layout.text(), " does not broadcast to ",
         shape.text());
  return values.view(broadcast_to(values.layout, shape.dims()));
}

Layout with_extent(const Layout& in, int32_t axis, int64_t extent) {
  Layout out = in;
  out.shape[axis] = extent;
  return out;
}

// out[..., to ...] = a[..., from:end, ...]
void copy_segment(const Array& out, int64_t to, const Array& a, int64_t from, int64_t end, int32_t axis,
                  Stream* stream) {
  if (end > from)
    assign(*slice_axis(out, axis, to, to + end - from), *slice_axis(a, axis, from, end), stream);
}

// Inserts the values as one block before index `at`.
Ref<Array> insert_block(const Lane& lane, int64_t at, const Array& values, Stream* stream) {
  const Array& a = *lane.array;
  const int32_t d = lane.axis;
  const int64_t n = a.layout.shape[d], more = values.layout.shape[d];
  const Ref<Array> block = spread(values, with_extent(a.layout, d, more));
  Ref<Array> out = empty_resized(a, d, checked::add(n, more, "the extent"), stream);
  copy_segment(*out, at, *block, 0, more, d, stream);
  copy_segment(*out, 0, a, 0, at, d, stream);
  copy_segment(*out, at + more, a, at, n, d, stream);
  return out;
}

// Inserts element order[k] of the block before index at[order[k]]; these indices are in ascending order.
Ref<Array> insert_each(const Lane& lane, const std::vector<int64_t>& at, const std::vector<int64_t>& order,
                       const Array& block, Stream* stream) {
  const Array& a = *lane.array;
  const int32_t d = lane.axis;
  const int64_t n = a.layout.shape[d];
  Ref<Array> out =
      empty_resized(a, d, checked::add(n, static_cast<int64_t>(at.size()), "the extent"), stream);
  if (at.size() <= max_segments) {
    int64_t from = 0, to = 0;
    for (const int64_t k : order) {
      const int64_t end = at[static_cast<size_t>(k)];
      copy_segment(*out, to, a, from, end, d, stream);
      to += end - from;
      copy_segment(*out, to++, block, k, k + 1, d, stream);
      from = end;
    }
    copy_segment(*out, to, a, from, n, d, stream);
    return out;
  }
  std::vector<int64_t> sources;
  auto next = order.begin();
  for (int64_t i = 0; i <= n; ++i) {
    for (; next != order.end() && at[static_cast<size_t>(*next)] == i; ++next) sources.push_back(n + *next);
    if (i < n) sources.push_back(i);
  }
  const Array* both[] = {&a, &block};
  gather_into(*out, *concatenate(both, d, a.dtype, stream), d, sources, stream);
  return out;
}

// Copies the elements of an axis that are kept.
struct Segment {
  int64_t from, to;
};

Ref<Array> keep_segments(const Lane& lane, const std::vector<Segment>& segments, Stream* stream) {
  const Array& a = *lane.array;
  int64_t kept = 0;
  for (const Segment& r : segments) kept += r.to - r.from;
  if (segments.size() <= max_segments) {
    Ref<Array> out = empty_resized(a, lane.axis, kept, stream);
    int64_t to = 0;
    for (const Segment& r : segments) {
      copy_segment(*out, to, a, r.from, r.to, lane.axis, stream);
      to += r.to - r.from;
    }
    return out;
  }
  std::vector<uint8_t> stays(static_cast<size_t>(a.layout.shape[lane.axis]));
  for (const Segment& r : segments) std::fill(stays.begin() + r.from, stays.begin() + r.to, uint8_t{1});
  const Ref<Array> mask = upload(stays, DType::bool_, a.device(), stream);
  const Ref<Array> some = compress_known(*mask, a, lane.axis, kept, stream);
  return is_column_major(a) ? copy(*some, Order::F, stream) : some;
}

// The first of the chosen indices, their number and step.
struct Chosen {
  int64_t first = 0, count = 0, step = 1;
};
Chosen chosen(const Positions& at, int64_t extent) {
  const Layout all = Layout::contiguous({&extent, 1}, 1, Order::C);
  Chosen c;
  const Layout some = slice(all, {&at.start, 1}, {&at.stop, 1}, {&at.step, 1}, &c.first);
  c.count = some.shape[0];
  c.step = some.strides[0];
  return c;
}
std::vector<int64_t> listed(const Chosen& c) {
  std::vector<int64_t> out(static_cast<size_t>(c.count));
  for (size_t k = 0; k < out.size(); ++k) out[k] = c.first + static_cast<int64_t>(k) * c.step;
  return out;
}

// A view with axes of extent 1 in front, so that it has the array's number of dimensions.
Ref<Array> of_as_many(const Array& values, const Array& a) {
  const int32_t missing = a.layout.ndim - values.layout.ndim;
  if (missing < 0)
    fail(ARR_E_SHAPE, "argument values: shape ", values.layout.text(), ", expected at most ", a.layout.ndim,
         " dimensions");
  int32_t axes[max_ndim];
  std::iota(axes, axes + missing, 0);
  return values.view(expand_dims(values.layout, {axes, static_cast<size_t>(missing)}, values.item()));
}

void check_values(const Array& a, const Array& values) {
  const Input both[2] = {{&a, {}, false}, {&values, {}, false}};
  (void)common_device(both);
  if (can_cast(values.dtype, a.dtype, Casting::same_kind)) return;
  fail(ARR_E_DTYPE, "argument values: ", name(values.dtype), " does not cast to ", name(a.dtype),
       " with the same_kind rule");
}

}  // namespace

Ref<Array> insert(const Array& a, int64_t index, const Array& values, int32_t axis, Stream* stream) {
  check_values(a, values);
  const Lane lane = lane_of(a, axis, stream);
  const int64_t n = lane.array->layout.shape[lane.axis];
  const int64_t at = checked_position(index, n, n, lane.axis, "index");
  return insert_block(lane, at, *move_axis(*of_as_many(values, *lane.array), 0, lane.axis), stream);
}

Ref<Array> insert_at(const Array& a, std::span<const int64_t> indices, const Array& values, int32_t axis,
                     Stream* stream) {
  check_values(a, values);
  const Lane lane = lane_of(a, axis, stream);
  const int64_t n = lane.array->layout.shape[lane.axis];
  std::vector<int64_t> at;
  for (const int64_t i : indices) at.push_back(checked_position(i, n, n, lane.axis, "indices"));
  const Ref<Array> wide = of_as_many(values, *lane.array);
  if (at.size() == 1) return insert_block(lane, at[0], *wide, stream);
  const auto count = static_cast<int64_t>(at.size());
  const Ref<Array> block = spread(*wide, with_extent(lane.array->layout, lane.axis, count));
  // A stable sort: values of one index keep their order.
  std::vector<int64_t> order(at.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) {
    return at[static_cast<size_t>(x)] < at[static_cast<size_t>(y)];
  });
  return insert_each(lane, at, order, *block, stream);
}

Ref<Array> insert_slice(const Array& a, const Positions& at, const Array& values, int32_t axis,
                        Stream* stream) {
  const Lane lane = lane_of(a, axis, stream);
  const Chosen c = chosen(at, lane.array->layout.shape[lane.axis]);
  return insert_at(*lane.array, listed(c), values, lane.axis, stream);
}

Ref<Array> remove_at(const Array& a, std::span<const int64_t> indices, int32_t axis, Stream* stream) {
  const Lane lane = lane_of(a, axis, stream);
  const int64_t n = lane.array->layout.shape[lane.axis];
  std::vector<int64_t> gone;
  for (const int64_t i : indices) gone.push_back(checked_position(i, n, n - 1, lane.axis, "indices"));
  std::sort(gone.begin(), gone.end());
  std::vector<Segment> segments;
  int64_t from = 0;
  for (const int64_t at : gone) {
    if (at > from) segments.push_back({from, at});
    from = at + 1;
  }
  if (n > from) segments.push_back({from, n});
  return keep_segments(lane, segments, stream);
}

Ref<Array> remove_slice(const Array& a, const Positions& at, int32_t axis, Stream* stream) {
  const Lane lane = lane_of(a, axis, stream);
  const int64_t n = lane.array->layout.shape[lane.axis];
  const Chosen c = chosen(at, n);
  if (c.step != 1 && c.step != -1) return remove_at(*lane.array, listed(c), lane.axis, stream);
  const int64_t low = c.step > 0 ? c.first : c.first - c.count + 1;
  if (c.count == 0) return keep_segments(lane, {{0, n}}, stream);
  return keep_segments(lane, {{0, low}, {low + c.count, n}}, stream);
}

}  // namespace arr
