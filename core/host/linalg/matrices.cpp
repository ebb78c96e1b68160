// SPDX-License-Identifier: MIT
// Copies matrices to the layout that libraries need.
#include "host/linalg/matrices.h"

#include "backend/elementwise.h"
#include "backend/operand.h"
#include "host/elementwise/calls.h"
#include "host/loops/table.h"

namespace arr::host {

void load_matrix(DType type, int64_t rows, int64_t cols, const char* from, int64_t row, int64_t column,
                 char* to) {
  if (from == to) return;
  const int64_t item = item_size(type);
  if (rows * cols <= 128 * 128) {
    const auto log2 = static_cast<size_t>(item == 4 ? 2 : item == 8 ? 3 : 4);
    loops().gather[log2](cols, rows, from, column, row, to);
    return;
  }
  const int64_t shape[2] = {cols, rows}, in[2] = {column, row}, out[2] = {rows * item, item};
  const Operand operands[2] = {{const_cast<char*>(from), in, {}}, {to, out, {}}};
  elementwise({&single_cast(type, type), 2, shape, operands});
}

}  // namespace arr::host
