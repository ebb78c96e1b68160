// SPDX-License-Identifier: MIT
// Shapes and bytes of calls for traces.
#include "backend/operand.h"
#include "runtime/trace.h"

namespace arr {

void TraceVisitor::extents(const int64_t* extents, int32_t n) {
  std::string all;
  for (int32_t d = 0; d < n; ++d) all += text(d == 0 ? "" : ", ", extents[d]);
  work_.shape = text("(", all, ")");
}

// Counts each element once.
void TraceVisitor::memory(const Operand& o, DType d, int32_t ndim, const int64_t* shape) {
  if (o.data == nullptr || o.ramp) return;
  int64_t bytes = item_size(d);
  for (int32_t i = 0; i < ndim; ++i) bytes *= o.strides[i] == 0 ? 1 : shape[i];
  work_.bytes += bytes;
}

}  // namespace arr
