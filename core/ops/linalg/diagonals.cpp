// SPDX-License-Identifier: MIT
// Matrices with one nonzero diagonal.
#include <limits>

#include "ops/linalg/products.h"
#include "ops/linalg/special_matrices.h"

namespace arr {

Ref<Array> diag(const Array& v, int64_t k, Stream* stream) {
  if (v.layout.ndim == 2) return diagonal(v, k, 0, 1);
  if (v.layout.ndim != 1)
    fail(ARR_E_SHAPE, "argument v: shape ", v.layout.text(), ", expected a vector or a matrix");
  const int64_t max_offset = std::numeric_limits<int64_t>::max();
  const int64_t away = k >= 0 ? k : k < -max_offset ? max_offset : -k;
  const int64_t n = checked::add(v.layout.shape[0], away, "the number of rows");
  const int64_t shape[2] = {n, n};
  Scalar zero;
  zero.dtype = v.dtype;
  Ref<Array> out = full(v.dtype, shape, Order::C, zero, v.device(), stream);
  assign(*diagonal(*out, k, 0, 1), v, stream);
  return out;
}

Ref<Array> diagflat(const Array& v, int64_t k, Stream* stream) { return diag(*ravel(v, stream), k, stream); }

}  // namespace arr
