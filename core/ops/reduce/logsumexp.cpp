// SPDX-License-Identifier: MIT
// Logarithms of weighted sums of exponentials: one pass for the largest exponent, another for the sum.
#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/average.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// The type of the result.
DType logarithm_type(const Array& a, const Array& b) {
  const DType d = promote(a.dtype, b.dtype);
  if (is_complex(d)) fail(ARR_E_DTYPE, "arguments a, b: got ", name(d), ", expected real numbers");
  return inexact_type(d);
}

// The exponent, or -inf if its weight is 0, so that the element adds nothing to the sum.
int32_t exponent(ProgramBuilder& b, DType acc, const int32_t* in) {
  const int32_t none = b.op(op::equal, in[1], number(b, 0));
  return b.op(op::where, none, number(b, -__builtin_inf()), b.cast(in[0], acc));
}

SignedLogarithm of_nothing(const Array& a, uint32_t axes, DType out, Stream* stream) {
  int64_t shape[max_ndim];
  for (int32_t i = 0; i < a.layout.ndim; ++i) shape[i] = (axes >> i & 1U) != 0 ? 1 : a.layout.shape[i];
  const auto make_full = [&](double x) {
    return full(out, {shape, static_cast<size_t>(a.layout.ndim)}, Order::C, convert(scalar_of(x), out),
                a.device(), stream);
  };
  return {make_full(-__builtin_inf()), make_full(0)};
}

SignedLogarithm in_two_passes(const Array& a, const Array& b, uint32_t axes, DType out, Stream* stream) {
  const DType acc = compute_type(out);
  const auto reduced = [&](const char* reduction, std::initializer_list<const Array*> arrays, auto&& build) {
    const BoundProgram map = program_of(arrays, build);
    return map_reduce(*reduction_find(reduction), {acc, acc, acc, acc}, *map.program,
                      Inputs(map, arrays).all(), axes, true, stream);
  };
  const Ref<Array> largest =
      reduced("max", {&a, &b}, [&](ProgramBuilder& p, const int32_t* in) { return exponent(p, acc, in); });
  // Nothing is subtracted if the largest element is infinite.
  const Ref<Array> offset = compute({largest.get()}, stream, [](ProgramBuilder& p, const int32_t* in) {
    return p.op(op::where, p.op(op::isfinite, in[0]), in[0], number(p, 0));
  });
  const Ref<Array> sum = reduced("sum", {&a, &b, offset.get()}, [&](ProgramBuilder& p, const int32_t* in) {
    const int32_t shifted = p.op(op::subtract, exponent(p, acc, in), in[2]);
    return p.op(op::multiply, p.cast(in[1], acc), p.op(op::exp, shifted));
  });
  SignedLogarithm result;
  result.logarithm = compute({sum.get(), offset.get()}, stream, [&](ProgramBuilder& p, const int32_t* in) {
    return p.cast(p.op(op::add, p.op(op::log, p.op(op::absolute, in[0])), in[1]), out);
  });
  result.sign = compute({sum.get()}, stream, [&](ProgramBuilder& p, const int32_t* in) {
    return p.cast(p.op(op::sign, in[0]), out);
  });
  return result;
}

}  // namespace

SignedLogarithm weighted_logsumexp(const Array& a, const Array& b, uint32_t axes, bool keepdims,
                                   Stream* stream) {
  const DType out = logarithm_type(a, b);
  const Input both[2] = {{&a, {}, false}, {&b, {}, false}};
  common_device(both);
  const Ref<Array> weights =
      renaming({{"shape", "b"}}, [&] { return b.view(broadcast_to(b.layout, a.layout.dims())); });
  SignedLogarithm all =
      a.layout.size() == 0 ? of_nothing(a, axes, out, stream) : in_two_passes(a, *weights, axes, out, stream);
  return {without_axes(std::move(all.logarithm), axes, keepdims),
          without_axes(std::move(all.sign), axes, keepdims)};
}

Ref<Array> positive_logarithm(const SignedLogarithm& of, Stream* stream) {
  return compute({of.logarithm.get(), of.sign.get()}, stream, [](ProgramBuilder& p, const int32_t* in) {
    const int32_t negative = p.op(op::less, in[1], number(p, 0));
    return p.op(op::where, negative, number(p, __builtin_nan("")), in[0]);
  });
}

}  // namespace arr
