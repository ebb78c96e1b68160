// SPDX-License-Identifier: MIT
// Matrix products of stacks, with an epilogue if the backend offers it.
#pragma once

#include <complex>

#include "backend/matmul.h"
#include "ops/elementwise/create.h"

namespace arr {

// The shape of a product; strides of the layout are not used.
Layout matmul_shape(const Array& a, const Array& b);
Ref<Array> matmul(const Array& a, const Array& b, Stream* stream);
void matmul_into(const Array& dst, const Array& a, const Array& b, Stream* stream);
// The epilogue of a product: activation(alpha a b + beta added). added broadcasts to the product; if it is
// null, beta multiplies the destination. alpha is not 0; beta is 0 only if nothing is added.
struct FusedProduct {
  std::complex<double> alpha = 1, beta = 0;
  const Array* added = nullptr;  // shares no memory with the destination
  MatmulActivation activation = MatmulActivation::none;
};
// The product and its epilogue as one call of the backend. Returns nullptr or false, with nothing done, if
// the backend does not offer it for these operands and this destination.
Ref<Array> matmul_fused(const Array& a, const Array& b, const FusedProduct& f, Stream* stream);
bool matmul_fused_into(const Array& dst, const Array& a, const Array& b, const FusedProduct& f,
                       Stream* stream);

}  // namespace arr
