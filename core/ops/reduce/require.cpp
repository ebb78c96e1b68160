// SPDX-License-Identifier: MIT
// Copies an array if it does not meet the requirements.
#include "ops/reduce/require.h"

#include "arr/view.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/reduce.h"

namespace arr {

Ref<Array> require(const Array& a, DType dtype, int32_t requirements, Stream* stream) {
  const auto asked = [&](int32_t one) { return (requirements & one) != 0; };
  const DType d = dtype == DType::none ? a.dtype : dtype;
  const Order order = asked(ARR_REQUIRE_F) ? Order::F : asked(ARR_REQUIRE_C) ? Order::C : Order::K;
  if (d != a.dtype) return astype(a, d, Casting::unsafe, order, stream);
  const bool ordered = order == Order::K || a.layout.is_contiguous(a.item(), order);
  const bool writable = !asked(ARR_REQUIRE_WRITABLE) || write_obstacle(a) == nullptr;
  if (ordered && writable && !asked(ARR_REQUIRE_OWN)) return a.share();
  return copy(a, order, stream);
}

void check_finite(const Array& a, Stream* stream) {
  if (is_integer_or_bool(a.dtype) || a.layout.size() == 0) return;
  const Ref<Array> finite = apply(op::isfinite, {&a}, stream);
  if (reduce_item(*reduction_info(reduction::all), *finite, stream).lo != 0) return;
  auto at = static_cast<int64_t>(reduce_item(*reduction_info(reduction::argmin), *finite, stream).lo);
  int64_t index[max_ndim];
  for (int32_t i = a.layout.ndim; i-- > 0; at /= a.layout.shape[i]) index[i] = at % a.layout.shape[i];
  fail(ARR_E_ARGUMENT, "argument a: element ", shape_text(a.layout.ndim, index),
       " is infinite or nan, expected finite numbers");
}

}  // namespace arr
