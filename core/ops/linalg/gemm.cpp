// SPDX-License-Identifier: MIT
// Computes the product by the backend, with as much of the epilogue as the backend offers. One program over
// the product does the rest, in place if possible.
#include "ops/linalg/gemm.h"

#include "backend/matmul.h"
#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/linalg/matmul.h"

namespace arr {

namespace {

int32_t times(ProgramBuilder& b, const std::optional<Factor>& factor, int32_t x) {
  return factor ? b.op(op::multiply, x, b.scalar(factor->number, factor->weak)) : x;
}

int32_t activated(ProgramBuilder& b, Activation a, int32_t x) {
  auto number = [&](double value) { return b.scalar(scalar_of(value), true); };
  switch (a) {
    case Activation::relu:
      return b.op(op::maximum, x, b.scalar(scalar_of(int64_t{0}), true));
    case Activation::gelu:
      return b.op(op::multiply, x, b.op(op::ndtr, x));
    case Activation::gelu_tanh: {
      // (1 + tanh(y)) / 2 is the logistic function of 2 y.
      constexpr double slope = 1.5957691216057308;  // 2 sqrt(2 / pi)
      const int32_t cube = b.op(op::multiply, b.op(op::multiply, x, x), number(slope * 0.044715));
      const int32_t inner = b.op(op::multiply, x, b.op(op::add, cube, number(slope)));
      return b.op(op::multiply, x, b.op(op::expit, inner));
    }
    case Activation::silu:
      return b.op(op::multiply, x, b.op(op::expit, x));
    case Activation::sigmoid:
      return b.op(op::expit, x);
    case Activation::tanh:
      return b.op(op::tanh, x);
    default:
      return x;
  }
}

bool zero(const std::optional<Factor>& factor) {
  return factor && scalar_value<std::complex<double>>(convert(factor->number, DType::complex128_)) == 0.0;
}
// As in BLAS, an array multiplied by a beta of 0 is not read, so nan in it has no effect.
bool adds(const Epilogue& e) { return e.c != nullptr && !zero(e.beta); }

// into: the dtype of an existing array for the results; none for a new one.
BoundProgram program(DType product, const Epilogue& e, DType into = DType::none) {
  ProgramBuilder b;
  int32_t x = times(b, e.alpha, b.input(product));
  if (adds(e)) {
    x = b.op(op::add, x, times(b, e.beta, b.input(e.c->dtype)));
  } else if (e.c != nullptr) {
    ProgramBuilder sum;  // only its dtype matters
    const int32_t left = times(sum, e.alpha, sum.input(product));
    const int32_t right = times(sum, e.beta, sum.input(e.c->dtype));
    x = b.cast(x, sum.dtype(sum.op(op::add, left, right)));
  }
  x = renaming({{"x", "activation"}}, [&] { return activated(b, e.activation, x); });  // of a complex alpha
  if (into != DType::none && !can_cast(b.dtype(x), into, Casting::same_kind))
    fail(ARR_E_DTYPE, "argument dst: ", name(into), ", the result is ", name(b.dtype(x)),
         ", which does not cast to it with the same_kind rule");
  b.output(into == DType::none ? x : b.cast(x, into));
  return b.finish();
}

DType result_type(const Program& p) { return p.nodes[static_cast<size_t>(p.outputs.front())].dtype; }

// Checks the epilogue before anything is multiplied. dst: nullptr if the result is new.
void check(const Array* dst, const Array& a, const Array& b, const Epilogue& e) {
  const DType x = e.c == nullptr ? promote(a.dtype, b.dtype) : promote(promote(a.dtype, b.dtype), e.c->dtype);
  if (is_complex(x) && e.activation != Activation::none) {
    fail(ARR_E_DTYPE, "argument activation: not defined for ", name(x), ", expected a real dtype");
  }
  const Layout product = matmul_shape(a, b);
  if (dst != nullptr && !dst->layout.same_shape(product)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", dst->layout.text(), ", the result has ", product.text());
  }
  if (e.c == nullptr || broadcasts_to(e.c->layout, product)) return;
  fail(ARR_E_SHAPE, "argument c: shape ", e.c->layout.text(), " does not broadcast to the product's ",
       product.text());
}

bool same(const Array& x, const Array& y) { return x.dtype == y.dtype && same_window(x, y); }
MatmulActivation fast_activation(const Epilogue& e) {
  if (!e.fast) return MatmulActivation::none;
  return e.activation == Activation::relu        ? MatmulActivation::relu
         : e.activation == Activation::gelu_tanh ? MatmulActivation::gelu_tanh
                                                 : MatmulActivation::none;
}

// A product with the part of the epilogue that the backend may do, and the rest.
struct Part {
  FusedProduct product;
  Epilogue rest;
};
// whole: including the activation. Empty if there is nothing to do, or if the results would differ from those
// of the pass because of another dtype. dst: nullptr if the result is new.
std::optional<Part> part(const Epilogue& e, DType product, const Array* dst, bool whole) {
  Part p;
  const bool added = adds(e);
  if (whole) p.product.activation = fast_activation(e);
  const bool activated = p.product.activation != MatmulActivation::none;
  if (whole ? !activated : !e.alpha && !added) return std::nullopt;
  if (!(is_floating(product) || is_complex(product)) || (added && e.c->dtype != product)) return std::nullopt;
  if (result_type(*program(product, e).program) != product) return std::nullopt;
  auto number = [](const std::optional<Factor>& factor) -> std::complex<double> {
    return factor ? scalar_value<std::complex<double>>(convert(factor->number, DType::complex128_)) : 1;
  };
  p.product.alpha = number(e.alpha);
  if (added) {
    p.product.beta = number(e.beta);
    const bool in_place = dst != nullptr && same(*e.c, *dst);
    if (dst != nullptr && !in_place && may_share_memory(*dst, *e.c)) return std::nullopt;
    if (!in_place) p.product.added = e.c;
  }
  if (!activated) p.rest.activation = e.activation;
  return p;
}

struct Operands {
  Operands(const Array& product, const Epilogue& e) : arrays{&product, e.c}, n(adds(e) ? 2 : 1) {}
  [[nodiscard]] std::span<const Array* const> all() const { return {arrays, n}; }
  const Array* arrays[2];
  size_t n;
};

// The product if alpha is 0: zeros, and a and b are not read, as in BLAS.
Ref<Array> zero_product(const Array* dst, const Array& a, const Array& b, const Epilogue& e, Stream* stream) {
  Input all[4];
  size_t n = 0;
  for (const Array* x : {&a, &b, e.c, dst}) {
    if (x != nullptr) all[n++] = {x, {}, false};
  }
  const Device device = common_device(std::span<const Input>(all, n));
  Scalar nothing;
  nothing.dtype = promote(a.dtype, b.dtype);
  return full(nothing.dtype, matmul_shape(a, b).dims(), Order::C, nothing, device, stream);
}

Ref<Array> finished(const Ref<Array>& product, const Epilogue& e, Stream* stream) {
  if (e.empty()) return product;
  const BoundProgram p = program(product->dtype, e);
  const Operands operands(*product, e);
  if (result_type(*p.program) != product->dtype) return run(p, operands.all(), stream);
  run_into(*product, p, operands.all(), stream);
  return product;
}

}  // namespace

Ref<Array> gemm(const Array& a, const Array& b, const Epilogue& e, Stream* stream) {
  check(nullptr, a, b, e);
  if (zero(e.alpha)) return finished(zero_product(nullptr, a, b, e, stream), e, stream);
  for (const bool whole : {true, false}) {
    const std::optional<Part> p = part(e, promote(a.dtype, b.dtype), nullptr, whole);
    if (!p) continue;
    if (const Ref<Array> product = matmul_fused(a, b, p->product, stream)) {
      return finished(product, p->rest, stream);
    }
  }
  return finished(matmul(a, b, stream), e, stream);
}

void gemm_into(const Array& dst, const Array& a, const Array& b, const Epilogue& e, Stream* stream) {
  check(&dst, a, b, e);
  const DType type = promote(a.dtype, b.dtype);
  const BoundProgram p = program(type, e, dst.dtype);
  if (zero(e.alpha)) {
    const Ref<Array> product = zero_product(&dst, a, b, e, stream);
    return run_into(dst, p, Operands(*product, e).all(), stream);
  }
  for (const bool whole : {true, false}) {
    const std::optional<Part> f = dst.dtype == type ? part(e, type, &dst, whole) : std::nullopt;
    if (!f || !matmul_fused_into(dst, a, b, f->product, stream)) continue;
    if (!f->rest.empty()) run_into(dst, program(type, f->rest, type), Operands(dst, f->rest).all(), stream);
    return;
  }
  const bool read = adds(e) && may_share_memory(dst, *e.c);
  if (read || dst.dtype != type) {
    const Ref<Array> product = matmul(a, b, stream);
    return run_into(dst, p, Operands(*product, e).all(), stream);
  }
  matmul_into(dst, a, b, stream);
  if (!e.empty()) run_into(dst, p, Operands(dst, e).all(), stream);
}

}  // namespace arr
