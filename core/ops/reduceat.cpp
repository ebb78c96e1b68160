// SPDX-License-Identifier: MIT
// Reductions of slices of one axis.
#include "ops/destination.h"
#include "ops/reduce.h"
#include "ops/scan.h"

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

// What reduceat() and reduceat_into() share.
struct Slices {
  Slices(const OpInfo& by, const Array& a, std::span<const int64_t> starts, int32_t along, DType dtype)
      : op(by), row(*reduction_info(reduction_of(by))), indices(starts), asked(dtype) {
    axis = normalize_axis(a.layout.ndim, along);
    extent = a.layout.shape[axis];
    check_indices(indices, extent);
    out_type = dtype == DType::none ? resolve(row, a.dtype).out : dtype;
    shape = slice_of(a.layout, axis, static_cast<int64_t>(indices.size()));
  }
  void one(const Array& to, const Array& source, Stream* stream) const;
  void run(const Array& out, const Array& a, Stream* stream) const;
  const OpInfo& op;
  const ReductionInfo& row;
  std::span<const int64_t> indices;
  DType asked;  // none: by the rules of the row
  int32_t axis = 0;
  int64_t extent = 0;
  DType out_type = DType::none;
  Layout shape;  // of the result
};

// One slice.
void Slices::one(const Array& to, const Array& source, Stream* stream) const {
  // In bool a sum is a logical or, a product a logical and.
  const ReductionInfo* by = &row;
  if (out_type == DType::bool_ && row.acc == ReduceAcc::SUM) {
    by = reduction_info(row.number == reduction::prod ? reduction::all : reduction::any);
  }
  if (source.layout.shape[axis] == 1 && keeps_single(op)) {
    assign(to, *astype(source, out_type, Casting::unsafe, Order::K, stream), stream);
  } else if (resolve(*by, source.dtype).out == out_type) {
    reduce_into(to, *by, source, 1U << axis, true, {}, stream);
  } else {
    const Ref<Array> wide = reduce(*by, source, 1U << axis, true, {}, stream);
    assign(to, *astype(*wide, out_type, Casting::unsafe, Order::K, stream), stream);
  }
}

// Into an array of the result's shape and type that shares no memory with a.
void Slices::run(const Array& out, const Array& a, Stream* stream) const {
  if (out.layout.size() == 0) return;
  // With a dtype the elements are cast first, as a reduction in it needs; sums of small integers in 64 bits.
  const Ref<Array> x = asked == DType::none || asked == a.dtype
                           ? a.view(a.layout)
                           : astype(a, asked, Casting::unsafe, Order::K, stream);
  const auto n = static_cast<int64_t>(indices.size());
  for (int64_t i = 0; i < n; ++i) {
    const int64_t from = indices[static_cast<size_t>(i)];
    const int64_t next = i + 1 < n ? indices[static_cast<size_t>(i + 1)] : extent;
    const Layout part = slice_of(x->layout, axis, next > from ? next - from : 1);
    const Ref<Array> source = x->view(part, from * x->layout.strides[axis]);
    const Ref<Array> to = out.view(slice_of(out.layout, axis, 1), i * out.layout.strides[axis]);
    one(*to, *source, stream);
  }
}

}  // namespace

Ref<Array> reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices, int32_t axis,
                    DType dtype, Stream* stream) {
  const Slices s(op, a, indices, axis, dtype);
  Ref<Array> out =
      create(s.out_type, layout_like(s.shape, item_size(s.out_type), Order::K), a.device(), stream);
  s.run(*out, a, stream);
  return out;
}

void reduceat_into(const Array& dst, const OpInfo& op, const Array& a, std::span<const int64_t> indices,
                   int32_t axis, DType dtype, Stream* stream) {
  const Slices s(op, a, indices, axis, dtype);
  check_destination(dst, s.shape);
  if (writes_straight(dst, s.out_type, a)) return s.run(dst, a, stream);
  assign(dst, *reduceat(op, a, indices, axis, dtype, stream), stream);
}

}  // namespace arr
