// SPDX-License-Identifier: MIT
// Averages with a mask or weights, and vector norms, made from reductions and programs.
#include "ops/reduce/average.h"

#include <cmath>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

const ReductionInfo& row(const char* name) { return *reduction_find(name); }

// The sum in dtype d of build() of the arrays. Reduced axes are kept with extent 1.
template <class Build>
Ref<Array> sum_of(std::initializer_list<const Array*> arrays, DType d, uint32_t axes, Stream* stream,
                  Build&& build) {
  const BoundProgram map = program_of(arrays, build);
  return map_reduce(row("sum"), {d, d, d, d}, *map.program, Inputs(map, arrays).all(), axes, true, stream);
}

// The sum of squared distances from `mean`, over the elements where the mask is true.
Ref<Array> masked_squares(const Array& a, const Array& mask, const Array& mean, const ReduceTypes& types,
                          DType asked, uint32_t axes, Stream* stream) {
  const DType real = real_type(types.element);
  return sum_of({&a, &mask, &mean}, real, axes, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t x = b.cast(asked == DType::none ? in[0] : b.cast(in[0], asked), types.element);
    const int32_t apart = b.op(op::subtract, x, in[2]);
    const int32_t square = reduce_map(b, row("sum_squares"), {types.element, real, real, real}, apart);
    return b.op(op::where, in[1], square, number(b, 0));
  });
}

}  // namespace

Ref<Array> without_axes(Ref<Array> a, uint32_t axes, bool keepdims) {
  if (keepdims) return a;
  int32_t list[max_ndim];
  size_t n = 0;
  for (int32_t i = 0; i < a->layout.ndim; ++i) {
    if ((axes >> i & 1U) != 0) list[n++] = i;
  }
  return n == 0 ? a : a->view(squeeze(a->layout, {list, n}, false));
}

bool is_average(const ReductionInfo& r) noexcept {
  return r.number == row("mean").number || r.number == row("var").number || r.number == row("std").number;
}

Ref<Array> average_mask(const ReductionInfo& r, const Layout& shape, const ReduceOptions& o) {
  if (o.initial.dtype != DType::none) {
    fail(ARR_E_ARGUMENT, "argument options: ", r.name, " does not take an initial value");
  }
  Ref<Array> mask = o.where->view(broadcast_to(o.where->layout, shape.dims()));
  if (mask->dtype != DType::bool_) {
    fail(ARR_E_DTYPE, "argument options: where is ", name(mask->dtype), ", expected bool");
  }
  return mask;
}

Ref<Array> masked_average(const ReductionInfo& r, const ReduceTypes& types, const Array& mask,
                          const MaskedSums& sums, uint32_t axes, bool keepdims, double correction,
                          Stream* stream) {
  const DType real = real_type(types.element);
  const Ref<Array> count = reduce(row("count_nonzero"), mask, axes, true, {}, stream);
  const Ref<Array> sum = sums.sum();
  const bool mean_asked = r.kind == ReduceKind::VALUE;
  Ref<Array> mean = compute({sum.get(), count.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t q = b.op(op::divide, in[0], b.cast(in[1], real));
    return mean_asked ? b.cast(q, types.out) : q;
  });
  if (mean_asked) return without_axes(std::move(mean), axes, keepdims);
  const Ref<Array> squares = sums.squares(*mean);
  Ref<Array> out = compute({squares.get(), count.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t left = b.op(op::subtract, b.cast(in[1], real), number(b, correction));
    int32_t q = b.op(op::divide, in[0], b.op(op::maximum, left, number(b, 0)));
    if (r.number == row("std").number) q = b.op(op::sqrt, q);
    return b.cast(q, types.out);
  });
  return without_axes(std::move(out), axes, keepdims);
}

Ref<Array> masked_average(const ReductionInfo& r, const Array& a, uint32_t axes, bool keepdims,
                          const ReduceOptions& o, Stream* stream) {
  const ReduceTypes types = reduce_types(r, a.dtype, o.dtype);
  const Ref<Array> mask = average_mask(r, a.layout, o);
  MaskedSums sums;
  sums.sum = [&] {
    return sum_of({&a, mask.get()}, types.element, axes, stream, [&](ProgramBuilder& b, const int32_t* in) {
      const int32_t x = b.cast(o.dtype == DType::none ? in[0] : b.cast(in[0], o.dtype), types.element);
      return b.op(op::where, in[1], x, number(b, 0));
    });
  };
  sums.squares = [&](const Array& mean) {
    return masked_squares(a, *mask, mean, types, o.dtype, axes, stream);
  };
  return masked_average(r, types, *mask, sums, axes, keepdims, o.correction, stream);
}

namespace {

// The dtype in which an average of these dtypes is computed: float64 for integers.
DType average_type(DType a, DType weights) {
  const DType d = promote(a, weights);
  return is_floating(d) || is_complex(d) ? d : DType::float64_;
}

}  // namespace

namespace {

Averaged weighted_average(const Array& a, const Array* weights, uint32_t axes, bool keepdims,
                          Stream* stream) {
  const DType out = average_type(a.dtype, weights->dtype);
  const DType e = compute_type(out);
  Ref<Array> total = sum_of({weights}, e, axes, stream,
                            [&](ProgramBuilder& b, const int32_t* in) { return b.cast(in[0], e); });
  Ref<Array> sum = sum_of({&a, weights}, e, axes, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::multiply, b.cast(in[0], e), b.cast(in[1], e));
  });
  Ref<Array> mean = compute({sum.get(), total.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::divide, in[0], in[1]), out);
  });
  return {without_axes(std::move(mean), axes, keepdims), without_axes(std::move(total), axes, keepdims)};
}

}  // namespace

Ref<Array> weights_along(const Array& a, const Array& w, std::span<const int32_t> axes) {
  if (w.layout.same_shape(a.layout)) return w.share();
  Layout l = a.layout;
  std::fill_n(l.strides, l.ndim, 0);
  bool fits = w.layout.ndim > 0 && static_cast<size_t>(w.layout.ndim) == axes.size();
  for (size_t k = 0; fits && k < axes.size(); ++k) {
    const int32_t axis = normalize_axis(a.layout.ndim, axes[k], "axes");
    l.strides[axis] = w.layout.strides[k];
    fits = w.layout.shape[k] == a.layout.shape[axis];
  }
  if (!fits) {
    fail(ARR_E_SHAPE, "argument weights: shape ", w.layout.text(), ", expected that of a, ", a.layout.text(),
         ", or the extents of a along the axes");
  }
  return w.view(l);
}

Ref<Array> average(const Array& a, const Array* weights, uint32_t axes, bool keepdims, Stream* stream) {
  if (weights == nullptr) return reduce(row("mean"), a, axes, keepdims, {}, stream);
  return weighted_average(a, weights, axes, keepdims, stream).average;
}

Averaged average_returned(const Array& a, const Array* weights, uint32_t axes, bool keepdims,
                          Stream* stream) {
  if (weights != nullptr) {
    Averaged both = weighted_average(a, weights, axes, keepdims, stream);
    both.sum = astype(*both.sum, both.average->dtype, Casting::unsafe, Order::K, stream);
    return both;
  }
  Averaged both{reduce(row("mean"), a, axes, keepdims, {}, stream), {}};
  int64_t count = 1;
  for (int32_t i = 0; i < a.layout.ndim; ++i) {
    if ((axes >> i & 1U) != 0) count *= a.layout.shape[i];
  }
  const Array& like = *both.average;
  const Scalar value = convert(scalar_of(count), like.dtype);
  both.sum = full(like.dtype, like.layout.dims(), Order::C, value, like.device(), stream);
  return both;
}

Ref<Array> scales_of(const Array& sizes, Stream* stream) {
  // The powers of 2 whose reciprocals are normal numbers too.
  const double max_exponent = sizes.dtype == DType::float16_   ? 14
                              : sizes.dtype == DType::float64_ ? 1022
                                                               : 126;
  return compute({&sizes}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t power = b.op(op::clip, b.op(op::floor, b.op(op::log2, in[0])), number(b, -max_exponent),
                               number(b, max_exponent));
    const int32_t some =
        b.op(op::logical_and, b.op(op::isfinite, in[0]), b.op(op::greater, in[0], number(b, 0)));
    return b.cast(b.op(op::where, some, b.op(op::exp2, power), number(b, 1)), sizes.dtype);
  });
}

namespace {

// The sum of powers of the elements divided by the largest one (the smallest if p is negative).
Ref<Array> power_norm(const Array& a, double p, uint32_t axes, bool keepdims, Stream* stream) {
  const ReductionInfo& magnitudes = row("sum_abs");
  const ReduceTypes types = resolve(magnitudes, a.dtype);
  const ReductionInfo& extreme = row(p > 0 ? "max_abs" : "min_abs");
  bool none = false;
  for (int32_t i = 0; i < a.layout.ndim; ++i)
    none = none || ((axes >> i & 1U) != 0 && a.layout.shape[i] == 0);
  const ReduceTypes wide = {types.element, types.acc, types.acc, types.acc};
  Ref<Array> scales;
  if (!none) {
    const BoundProgram map = program_of(
        {&a}, [&](ProgramBuilder& b, const int32_t* in) { return reduce_map(b, extreme, wide, in[0]); });
    scales = scales_of(*map_reduce(extreme, wide, *map.program, Inputs(map, {&a}).all(), axes, true, stream),
                       stream);
  } else {
    scales = sum_of({&a}, types.acc, axes, stream, [&](ProgramBuilder& b, const int32_t* in) {
      return reduce_map(b, magnitudes, types, in[0]);
    });
  }
  const Ref<Array> sum =
      sum_of({&a, scales.get()}, types.acc, axes, stream, [&](ProgramBuilder& b, const int32_t* in) {
        const int32_t size = b.op(op::divide, reduce_map(b, magnitudes, types, in[0]), in[1]);
        return b.op(op::power, size, number(b, p));
      });
  Ref<Array> out = compute({sum.get(), scales.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t root = b.op(op::power, in[0], number(b, 1 / p));
    return b.cast(none ? root : b.op(op::multiply, root, in[1]), types.out);
  });
  return without_axes(std::move(out), axes, keepdims);
}

}  // namespace

Ref<Array> vector_norm(const Array& a, double p, uint32_t axes, bool keepdims, Stream* stream) {
  if (std::isnan(p)) fail(ARR_E_ARGUMENT, "argument p: nan, expected a number or an infinity");
  if (std::isinf(p)) {
    bool empty = false;
    for (int32_t d = 0; d < a.layout.ndim; ++d)
      empty = empty || ((axes >> d & 1) != 0 && a.layout.shape[d] == 0);
    // The max of no elements is 0, as in NumPy.
    return reduce(row(p < 0 ? "min_abs" : empty ? "sum_abs" : "max_abs"), a, axes, keepdims, {}, stream);
  }
  if (p == 1) return reduce(row("sum_abs"), a, axes, keepdims, {}, stream);
  if (p == 2) return reduce(row("norm2"), a, axes, keepdims, {}, stream);
  if (p == 0) {
    Ref<Array> count = reduce(row("count_nonzero"), a, axes, keepdims, {}, stream);
    return astype(*count, resolve(row("sum_abs"), a.dtype).out, Casting::unsafe, Order::K, stream);
  }
  return power_norm(a, p, axes, keepdims, stream);
}

}  // namespace arr
