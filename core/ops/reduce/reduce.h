// SPDX-License-Identifier: MIT
// Reductions over any axes of any layout.
#pragma once

#include <string>

#include "ops/elementwise/create.h"

namespace arr {

struct ReduceOptions {
  DType dtype = DType::none;  // elements are cast to it first, and it is the result's; none: the row's rules
  bool initial_weak = false;  // `initial` is a plain number
  Scalar initial;             // combined with the elements; dtype none: nothing
  const Array* where = nullptr;  // which elements count; broadcasts to the array
  double correction = 0;         // of var and the like
};

// The types of a reduction of `in` with the dtype that the caller asks for (or none), without a check of
// casts.
ReduceTypes reduce_types(const ReductionInfo& reduction, DType in, DType dtype);
// The initial value as that type; a plain number must fit.
Scalar initial_as(const ReduceOptions& options, DType d);

// Throws unless a reduction of elements of that shape takes these options.
void check_reduce_options(const ReductionInfo& reduction, const Layout& shape, const ReduceOptions& options);

// axes: bit i reduces axis i.
Ref<Array> reduce(const ReductionInfo& reduction, const Array& a, uint32_t axes, bool keepdims,
                  const ReduceOptions& options, Stream* stream);
void reduce_into(const Array& dst, const ReductionInfo& reduction, const Array& a, uint32_t axes,
                 bool keepdims, const ReduceOptions& options, Stream* stream);
// Over every axis, its one result as a number. Waits.
Scalar reduce_item(const ReductionInfo& reduction, const Array& a, Stream* stream);
// True if op(later, earlier) holds of any two neighbours of a vector. Waits.
bool any_neighbours(int32_t op, const Array& vector, Stream* stream);

// Further arguments of a reduction.
struct ReduceExtras {
  Scalar initial;  // of dtype types.acc; dtype none: nothing
  double correction = 0;
  const char* argument = "in";  // what errors call the inputs
};
// The reduction of a program over the shape that its inputs broadcast to. map: one output of dtype types.acc
// (see reduce_map); the first array decides the order in memory of the result.
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
// As reduce_item; on the host nothing is allocated for the result.
Scalar map_reduce_item(const ReductionInfo& reduction, const ReduceTypes& types, const Program& map,
                       std::span<const Input> inputs, Stream* stream, const ReduceExtras& extras = {});

}  // namespace arr
