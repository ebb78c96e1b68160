// SPDX-License-Identifier: MIT
// What functions that write into an existing array share.
#include "ops/destination.h"

#include "ops/elementwise.h"

namespace arr {

void check_destination(const Array& dst, const Layout& result) {
  if (!dst.layout.same_shape(result)) {
    fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", the result has ", result.text());
  }
  check_writable(dst);
}

bool writes_straight(const Array& dst, DType result, const Array& a) {
  return dst.dtype == result && dst.device() == a.device() && !may_share_memory(dst, a);
}

}  // namespace arr
