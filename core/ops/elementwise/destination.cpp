// SPDX-License-Identifier: MIT
// Helpers of functions that write into an existing array.
#include "ops/elementwise/destination.h"

#include "ops/elementwise/elementwise.h"

namespace arr {

void check_destination(const Array& dst, const Layout& result, const char* argument) {
  if (!dst.layout.same_shape(result)) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", dst.layout.text(), ", the result has ",
         result.text());
  }
  if (const char* obstacle = write_obstacle(dst)) fail(ARR_E_READONLY, "argument ", argument, ": ", obstacle);
}

void write_result(const Array& dst, const Array& result, Stream* stream) {
  check_destination(dst, result.layout);
  assign(dst, result, stream);
}

bool can_write_directly(const Array& dst, DType result, const Array& a) {
  return dst.dtype == result && dst.device() == a.device() && !may_share_memory(dst, a);
}

}  // namespace arr
