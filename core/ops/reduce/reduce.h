// SPDX-License-Identifier: MIT
// Reductions over any axes of any layout.
#pragma once

#include <string>

#include "ops/elementwise/create.h"

namespace arr {

struct ReduceOptions {
  DType dtype = DType::none;     // dtype of the computation and the result; none: by the rules of the row
  bool initial_weak = false;     // `initial` is a weak scalar
  Scalar initial;                // combined with the elements; unused without a dtype
  const Array* where = nullptr;  // the elements to reduce; broadcasts to the array
  double correction = 0;         // divisor correction of var and related reductions
};

// The dtypes of a reduction of `in` with the requested dtype (or none), the argument of that name; casts are
// not checked.
ReduceTypes reduce_types(const ReductionInfo& reduction, DType in, DType dtype,
                         const char* argument = "options");
// The initial value as that dtype; throws if a weak scalar does not fit.
Scalar initial_as(const ReduceOptions& options, DType d);

// Throws if a reduction of elements of that shape does not accept these options.
void check_reduce_options(const ReductionInfo& reduction, const Layout& shape, const ReduceOptions& options);

// axes: bit i reduces axis i.
Ref<Array> reduce(const ReductionInfo& reduction, const Array& a, uint32_t axes, bool keepdims,
                  const ReduceOptions& options, Stream* stream);
void reduce_into(const Array& dst, const ReductionInfo& reduction, const Array& a, uint32_t axes,
                 bool keepdims, const ReduceOptions& options, Stream* stream);
// Reduces over all axes and returns the result. Waits.
Scalar reduce_item(const ReductionInfo& reduction, const Array& a, Stream* stream);
// True if op(element, previous element) is true for all neighbours of a vector. Waits.
bool any_neighbours(int32_t op, const Array& vector, Stream* stream);

// Further arguments of a reduction.
struct ReduceExtras {
  Scalar initial;  // of dtype types.acc; unused without a dtype
  double correction = 0;
  const char* argument = "in";  // names of the inputs in error texts
};
// Reduces a program over the shape to which its inputs broadcast. map: has one output of dtype types.acc (see
// reduce_map). The first array determines the memory order of the result.
Ref<Array> map_reduce(const ReductionInfo& reduction, const ReduceTypes& types, const Program& map,
                      std::span<const Input> inputs, uint32_t axes, bool keepdims, Stream* stream,
                      const ReduceExtras& extras = {});
void map_reduce_into(const Array& dst, const ReductionInfo& reduction, const ReduceTypes& types,
                     const Program& map, std::span<const Input> inputs, uint32_t axes, bool keepdims,
                     Stream* stream, const ReduceExtras& extras = {});
// The source text that a backend would compile for the reduction.
std::string map_reduce_text(const ReductionInfo& reduction, const ReduceTypes& types, const Program& map,
                            std::span<const Input> inputs, uint32_t axes, bool keepdims,
                            const ReduceExtras& extras, const Backend& backend);
// Like reduce_item; on the host the result needs no allocation.
Scalar map_reduce_item(const ReductionInfo& reduction, const ReduceTypes& types, const Program& map,
                       std::span<const Input> inputs, Stream* stream, const ReduceExtras& extras = {});

}  // namespace arr
