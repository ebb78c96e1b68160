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

// The same of a program over the shape that its inputs broadcast to. map: one output of dtype types.acc.
Ref<Array> map_reduce(const ReductionInfo& reduction, const ReduceTypes& types, const Program& map,
                      std::span<const Input> inputs, uint32_t axes, bool keepdims, Stream* stream);
void map_reduce_into(const Array& dst, const ReductionInfo& reduction, const ReduceTypes& types,
                     const Program& map, std::span<const Input> inputs, uint32_t axes, bool keepdims,
                     Stream* stream);

Ref<Array> matmul(const Array& a, const Array& b, Stream* stream);
void matmul_into(const Array& dst, const Array& a, const Array& b, Stream* stream);

}  // namespace arr
