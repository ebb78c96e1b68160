// SPDX-License-Identifier: MIT
// Scans along one axis: running reductions.
#pragma once

#include <string>

#include "ops/elementwise/create.h"

namespace arr {

inline constexpr int32_t axis_none = ARR_AXIS_NONE;

struct ScanOptions {
  int32_t reduction = 0;      // row of core/table/reductions.def that supports scans
  bool skip_nan = false;      // nan is treated as the identity; for sums and products
  bool initial = false;       // the result begins with the identity; for sums and products
  bool flattens = true;       // axis_none is allowed if there are several dimensions
  DType dtype = DType::none;  // dtype of the accumulator and the result; none: that of the reduction's result
};

// axis_none scans all elements in row-major order.
Ref<Array> scan(const ScanOptions& options, const Array& a, int32_t axis, Stream* stream);
void scan_into(const Array& dst, const ScanOptions& options, const Array& a, int32_t axis, Stream* stream);

// Scans a program along an axis of the shape to which its inputs broadcast. given: has one output of dtype
// types.acc.
Ref<Array> map_scan(const ReductionInfo& r, const ReduceTypes& types, const Program& given,
                    std::span<const Input> operands_given, int32_t axis, Stream* stream);
void map_scan_into(const Array& dst, const ReductionInfo& r, const ReduceTypes& types, const Program& given,
                   std::span<const Input> operands_given, int32_t axis, Stream* stream);

// The source text that a backend would compile for the scan.
std::string map_scan_text(const ReductionInfo& r, const ReduceTypes& types, const Program& map,
                          std::span<const Input> inputs, int32_t axis, const Backend& backend);

// The reduction that accumulates an op; throws if it has none.
int32_t reduction_of(const OpInfo& op);

// The scan by an op.
Ref<Array> accumulate(const OpInfo& op, const Array& a, int32_t axis, DType dtype, Stream* stream);
void accumulate_into(const Array& dst, const OpInfo& op, const Array& a, int32_t axis, DType dtype,
                     Stream* stream);
// True if the scan of one element is the element itself, not its image under the reduction's map (such as the
// magnitude). That is so if another row of the table accumulates the op.
bool identity_on_single_element(const OpInfo& op);

// out[.., i, ..] = a[.., indices[i]:indices[i + 1], ..] reduced along the axis, or a[.., indices[i], ..] if
// the next index is not larger. The last slice ends with the axis.
Ref<Array> reduceat(const OpInfo& op, const Array& a, std::span<const int64_t> indices, int32_t axis,
                    DType dtype, Stream* stream);
void reduceat_into(const Array& dst, const OpInfo& op, const Array& a, std::span<const int64_t> indices,
                   int32_t axis, DType dtype, Stream* stream);

}  // namespace arr
