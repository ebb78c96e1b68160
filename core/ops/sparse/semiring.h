// SPDX-License-Identifier: MIT
// Products over semirings, and products of which a mask's elements are computed.
#pragma once

#include "ops/sparse/products.h"

namespace arr {

// The terms op(x, y) of a product and the reduction that combines them.
struct Semiring {
  const ReductionInfo& reduction;
  const OpInfo& op;
};

// The begin and end of each line, for a call of segments. A line without elements gets the single element
// after all of them, where the identity stands.
Ref<Array> segment_bounds(const Array& pointers, int64_t elements, Stream* stream);
// out[i, j] = the reduction of op(given[i, p], x[p, j]) over the elements of row i; its identity if there is
// none.
Ref<Array> semiring_matmul(const Semiring& by, const Sparse& given, const Array& x, Stream* stream);
// The reduction of op(a[i, p], b[p, j]) where both are stored, in csr; no element where there is no such p.
// Waits.
Ref<Sparse> semiring_product(const Semiring& by, const Sparse& a, const Sparse& b, const Mask& mask,
                             Stream* stream);
// The elements of x @ y where the given pattern has one; of its format, with the elements in order.
Ref<Sparse> sampled_matmul(const Sparse& given, const Array& x, const Array& y, Stream* stream);

}  // namespace arr
