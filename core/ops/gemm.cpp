// SPDX-License-Identifier: MIT
// The product by the backend's, the rest by one program over it, in place where it can be.
#include "ops/gemm.h"

#include "ops/parts.h"
#include "ops/reduce.h"

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

// into: the dtype of an existing array for the results, none for a new one.
BoundProgram program(DType product, const Epilogue& e, DType into = DType::none) {
  ProgramBuilder b;
  int32_t x = times(b, e.alpha, b.input(product));
  if (e.c != nullptr) x = b.op(op::add, x, times(b, e.beta, b.input(e.c->dtype)));
  x = activated(b, e.activation, x);
  if (into != DType::none && !can_cast(b.dtype(x), into, Casting::same_kind))
    fail(ARR_E_DTYPE, "argument dst: ", name(into), ", the result is ", name(b.dtype(x)),
         ", which does not cast to it within a kind");
  b.output(into == DType::none ? x : b.cast(x, into));
  return b.finish();
}

// Reports what the epilogue cannot do before anything is multiplied. dst: nullptr where the result is new.
void check(const Array* dst, const Array& a, const Array& b, const Epilogue& e) {
  const DType x = e.c == nullptr ? promote(a.dtype, b.dtype) : promote(promote(a.dtype, b.dtype), e.c->dtype);
  if (is_complex(x) && e.activation != Activation::none) {
    fail(ARR_E_DTYPE, "argument activation: none is of ", name(x), ", expected real numbers");
  }
  const Layout product = matmul_shape(a, b);
  if (dst != nullptr && !dst->layout.same_shape(product)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", dst->layout.text(), ", the result has ", product.text());
  }
  if (e.c == nullptr) return;
  Layout both;
  broadcast_shapes(product, e.c->layout, "c", &both);
  if (both.same_shape(product)) return;
  fail(ARR_E_SHAPE, "argument c: shape ", e.c->layout.text(), " does not broadcast to the product's ",
       product.text());
}

struct Operands {
  Operands(const Array& product, const Epilogue& e) : arrays{&product, e.c}, n(e.c == nullptr ? 1 : 2) {}
  [[nodiscard]] std::span<const Array* const> all() const { return {arrays, n}; }
  const Array* arrays[2];
  size_t n;
};

}  // namespace

Ref<Array> gemm(const Array& a, const Array& b, const Epilogue& e, Stream* stream) {
  check(nullptr, a, b, e);
  Ref<Array> product = matmul(a, b, stream);
  if (e.empty()) return product;
  const BoundProgram p = program(product->dtype, e);
  const Operands operands(*product, e);
  const DType result = p.program->nodes[static_cast<size_t>(p.program->outputs.front())].dtype;
  if (result != product->dtype) return run(p, operands.all(), stream);
  run_into(*product, p, operands.all(), stream);
  return product;
}

void gemm_into(const Array& dst, const Array& a, const Array& b, const Epilogue& e, Stream* stream) {
  check(&dst, a, b, e);
  const bool read = e.c != nullptr && may_share_memory(dst, *e.c);
  const BoundProgram p = program(promote(a.dtype, b.dtype), e, dst.dtype);
  if (read || dst.dtype != promote(a.dtype, b.dtype)) {
    const Ref<Array> product = matmul(a, b, stream);
    return run_into(dst, p, Operands(*product, e).all(), stream);
  }
  matmul_into(dst, a, b, stream);
  if (!e.empty()) run_into(dst, p, Operands(dst, e).all(), stream);
}

}  // namespace arr
