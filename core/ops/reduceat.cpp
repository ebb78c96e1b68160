// SPDX-License-Identifier: MIT
// Reductions of slices of one axis.
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

}  // namespace

Ref<Array> reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices, int32_t axis,
                    DType dtype, Stream* stream) {
  const ReductionInfo& r = *reduction_info(reduction_of(op));
  axis = normalize_axis(a.layout.ndim, axis);
  const int64_t extent = a.layout.shape[axis];
  check_indices(indices, extent);
  // With a dtype the elements are cast first, as a reduction in it needs; sums of small integers in 64 bits.
  Ref<Array> x = dtype == DType::none || dtype == a.dtype
                     ? a.view(a.layout)
                     : astype(a, dtype, Casting::unsafe, Order::K, stream);
  const DType out_type = dtype == DType::none ? resolve(r, a.dtype).out : dtype;
  const auto n = static_cast<int64_t>(indices.size());
  const Layout shape = slice_of(a.layout, axis, n);
  Ref<Array> out = create(out_type, layout_like(shape, item_size(out_type), Order::K), a.device(), stream);
  for (int64_t i = 0; i < n; ++i) {
    const int64_t from = indices[static_cast<size_t>(i)];
    const int64_t next = i + 1 < n ? indices[static_cast<size_t>(i + 1)] : extent;
    const Layout part = slice_of(x->layout, axis, next > from ? next - from : 1);
    if (out->layout.size() == 0) return out;
    Ref<Array> source = x->view(part, from * x->layout.strides[axis]);
    Ref<Array> to = out->view(slice_of(out->layout, axis, 1), i * out->layout.strides[axis]);
    // In bool a sum is a logical or, a product a logical and.
    const ReductionInfo* by = &r;
    if (out_type == DType::bool_ && r.acc == ReduceAcc::SUM) {
      by = reduction_info(r.number == reduction::prod ? reduction::all : reduction::any);
    }
    if (part.shape[axis] == 1 && keeps_single(op)) {
      assign(*to, *astype(*source, out_type, Casting::unsafe, Order::K, stream), stream);
    } else if (resolve(*by, x->dtype).out == out_type) {
      reduce_into(*to, *by, *source, 1U << axis, true, {}, stream);
    } else {
      Ref<Array> wide = reduce(*by, *source, 1U << axis, true, {}, stream);
      assign(*to, *astype(*wide, out_type, Casting::unsafe, Order::K, stream), stream);
    }
  }
  return out;
}

}  // namespace arr
