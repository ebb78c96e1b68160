// SPDX-License-Identifier: MIT
// Reductions over any axes of any layout, and matrix products.
#pragma once

#include "ops/create.h"

namespace arr {

// axes: bit i reduces axis i.
Ref<Array> reduce(const ReductionInfo& reduction, const Array& a, uint32_t axes, bool keepdims,
                  Stream* stream);
void reduce_into(const Array& dst, const ReductionInfo& reduction, const Array& a, uint32_t axes,
                 bool keepdims, Stream* stream);

Ref<Array> matmul(const Array& a, const Array& b, Stream* stream);
void matmul_into(const Array& dst, const Array& a, const Array& b, Stream* stream);

}  // namespace arr
