// SPDX-License-Identifier: MIT
// Reductions of slices of one axis.
#include <algorithm>

#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"
#include "ops/reduce/ordered.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

Layout slice_of(const Layout& in, int32_t axis, int64_t extent) {
  Layout l = in;
  l.shape[axis] = extent;
  return l;
}

void check_indices(std::span<const int64_t> indices, int64_t extent) {
  for (size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= extent) {
      fail(ARR_E_ARGUMENT, "argument indices: ", indices[i], " at position ", i, ", expected 0 to ",
           extent - 1);
    }
  }
}

// The common part of reduceat() and reduceat_into().
struct Slices {
  Slices(const OpInfo& by, const Array& a, std::span<const int64_t> starts, int32_t along, DType dtype)
      : op(by), row(*reduction_info(reduction_of(by))), indices(starts), asked(dtype) {
    axis = normalize_axis(a.layout.ndim, along);
    extent = a.layout.shape[axis];
    check_indices(indices, extent);
    out_type = dtype == DType::none ? resolve(row, a.dtype).out : dtype;
    shape = slice_of(a.layout, axis, static_cast<int64_t>(indices.size()));
  }
  [[nodiscard]] int64_t count() const { return static_cast<int64_t>(indices.size()); }
  [[nodiscard]] int64_t start(int64_t i) const { return indices[static_cast<size_t>(i)]; }
  [[nodiscard]] int64_t end(int64_t i) const { return i + 1 < count() ? start(i + 1) : extent; }
  [[nodiscard]] int64_t equal_group(int64_t i) const;
  [[nodiscard]] bool few_groups() const;
  [[nodiscard]] const ReductionInfo& combiner() const;
  void reduce_slices(const Array& to, const Array& source, int32_t by, bool keepdims, Stream* stream) const;
  void reduce_groups(const Array& out, const Array& x, Stream* stream) const;
  void reduce_segments(const Array& out, const Array& x, Stream* stream) const;
  void run(const Array& out, const Array& a, Stream* stream) const;
  const OpInfo& op;
  const ReductionInfo& row;
  std::span<const int64_t> indices;
  DType asked;  // none: by the rules of the row
  int32_t axis = 0;
  int64_t extent = 0;
  DType out_type = DType::none;
  Layout shape;  // shape of the result
};

// The number of consecutive slices from slice i on that have its length.
int64_t Slices::equal_group(int64_t i) const {
  const int64_t length = end(i) - start(i);
  int64_t n = 1;
  if (length <= 0 || shape.ndim == max_ndim) return n;
  while (i + n < count() && end(i + n) - start(i + n) == length) ++n;
  return n;
}

// True if one reduction per group of equally long slices is faster than one call for all slices, which has to
// copy their bounds to the device.
bool Slices::few_groups() const {
  constexpr int32_t few = 4;
  int64_t i = 0;
  for (int32_t groups = 0; groups < few && i < count(); ++groups) i += equal_group(i);
  return i == count();
}

// For bool a sum is a logical or, and a product a logical and.
const ReductionInfo& Slices::combiner() const {
  if (out_type != DType::bool_ || row.acc != ReduceAcc::SUM) return row;
  return *reduction_info(row.number == reduction::prod ? reduction::all : reduction::any);
}

// Reduces slices of one length along axis `by` of the source. The other axes are those of `to`.
void Slices::reduce_slices(const Array& to, const Array& source, int32_t by, bool keepdims,
                           Stream* stream) const {
  const ReductionInfo& r = combiner();
  if (resolve(r, source.dtype).out == out_type) {
    reduce_into(to, r, source, 1U << by, keepdims, {}, stream);
  } else {
    const Ref<Array> wide = reduce(r, source, 1U << by, keepdims, {}, stream);
    assign(to, *astype(*wide, out_type, Casting::unsafe, Order::K, stream), stream);
  }
}

// Adjacent slices of one length are the rows of a view, and take one reduction.
void Slices::reduce_groups(const Array& out, const Array& x, Stream* stream) const {
  const int64_t stride = x.layout.strides[axis];
  for (int64_t i = 0, n = 0; i < count(); i += n) {
    n = equal_group(i);
    const int64_t length = std::max<int64_t>(end(i) - start(i), 1);
    const Ref<Array> to = out.view(slice_of(out.layout, axis, n), i * out.layout.strides[axis]);
    Layout part = slice_of(x.layout, axis, n * length);
    if (length == 1 && identity_on_single_element(op)) {
      const Ref<Array> source = x.view(part, start(i) * stride);
      assign(*to, *astype(*source, out_type, Casting::unsafe, Order::K, stream), stream);
    } else if (n == 1) {
      reduce_slices(*to, *x.view(part, start(i) * stride), axis, true, stream);
    } else {
      std::copy_backward(part.shape + axis, part.shape + part.ndim, part.shape + part.ndim + 1);
      std::copy_backward(part.strides + axis, part.strides + part.ndim, part.strides + part.ndim + 1);
      ++part.ndim;
      part.shape[axis] = n;
      part.strides[axis] = length * stride;
      part.shape[axis + 1] = length;
      reduce_slices(*to, *x.view(part, start(i) * stride), axis + 1, false, stream);
    }
  }
}

// Reduces all slices by one call of the backend, with their bounds and the mapped elements.
void Slices::reduce_segments(const Array& out, const Array& x, Stream* stream) const {
  const ReductionInfo& r = combiner();
  const ReduceTypes types = resolve(r, x.dtype);
  const Array* given[] = {&x};
  const Ref<Array> in = x.dtype == types.acc ? x.share() : arr::run(reduce_map(r, x.dtype), given, stream);
  SegmentsCall c;
  const Ref<Array> bounds = slice_bounds(indices, extent, x.device(), &c, stream);
  c.reduction = &r;
  c.acc = types.acc;
  c.out = out_type;
  enqueue_segments(c, *in, axis, bounds.get(), nullptr, out, stream);
}

// Reduces into an array of the result's shape and dtype, which shares no memory with a.
void Slices::run(const Array& out, const Array& a, Stream* stream) const {
  if (out.layout.size() == 0) return;
  // With a dtype, elements are cast first, as the reduction requires; small integers are summed in 64 bits.
  const Ref<Array> x = asked == DType::none || asked == a.dtype
                           ? a.share()
                           : astype(a, asked, Casting::unsafe, Order::K, stream);
  if (few_groups()) return reduce_groups(out, *x, stream);
  reduce_segments(out, *x, stream);
}

Ref<Array> checked_ordered_reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices,
                                    int32_t axis, DType dtype, Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  check_indices(indices, a.layout.shape[axis]);
  return ordered_reduceat(op, a, indices, axis, dtype, stream);
}

}  // namespace

Ref<Array> reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices, int32_t axis,
                    DType dtype, Stream* stream) {
  if (is_order_dependent(op)) return checked_ordered_reduceat(op, a, indices, axis, dtype, stream);
  const Slices s(op, a, indices, axis, dtype);
  Ref<Array> out =
      create(s.out_type, layout_like(s.shape, item_size(s.out_type), Order::K), a.device(), stream);
  s.run(*out, a, stream);
  return out;
}

void reduceat_into(const Array& dst, const OpInfo& op, const Array& a, std::span<const int64_t> indices,
                   int32_t axis, DType dtype, Stream* stream) {
  if (is_order_dependent(op)) {
    const Ref<Array> result = checked_ordered_reduceat(op, a, indices, axis, dtype, stream);
    check_destination(dst, result->layout);
    return assign(dst, *result, stream);
  }
  const Slices s(op, a, indices, axis, dtype);
  check_destination(dst, s.shape);
  if (can_write_directly(dst, s.out_type, a)) return s.run(dst, a, stream);
  assign(dst, *reduceat(op, a, indices, axis, dtype, stream), stream);
}

}  // namespace arr
