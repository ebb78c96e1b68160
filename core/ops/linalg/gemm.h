// SPDX-License-Identifier: MIT
// Matrix products with an epilogue.
#pragma once

#include <optional>

#include "arr/gemm.h"
#include "ops/elementwise/create.h"

namespace arr {

enum class Activation : int32_t {
  none = ARR_ACTIVATION_NONE,
  relu = ARR_ACTIVATION_RELU,
  gelu = ARR_ACTIVATION_GELU,
  gelu_tanh = ARR_ACTIVATION_GELU_TANH,
  silu = ARR_ACTIVATION_SILU,
  sigmoid = ARR_ACTIVATION_SIGMOID,
  tanh = ARR_ACTIVATION_TANH,
};

struct Factor {
  Scalar number;
  bool weak = false;
};
// The epilogue of a product x: activation(alpha x + beta c).
struct Epilogue {
  std::optional<Factor> alpha, beta;  // 1 if there is no scaling
  const Array* c = nullptr;           // broadcasts to the product; nullptr: nothing is added
  Activation activation = Activation::none;
  bool fast = false;  // the activation as a library of the device computes it
  [[nodiscard]] bool empty() const { return !alpha && c == nullptr && activation == Activation::none; }
};

Ref<Array> gemm(const Array& a, const Array& b, const Epilogue& e, Stream* stream);
void gemm_into(const Array& dst, const Array& a, const Array& b, const Epilogue& e, Stream* stream);

}  // namespace arr
