// SPDX-License-Identifier: MIT
// The kernels of systems with banded matrices.
#pragma once

#include <string>

#include "array/layout.h"
#include "cuda/codegen/emit.h"

namespace arr::cuda {

// Words: the number of matrices, n, right-hand sides, diagonals below and above the main one, 1 if those of a
// definite matrix are below it, scratch for the factors of a matrix per block, x, info; the address and the
// two strides of a and b; batch dimensions, and the extent and the two strides of each of these.
enum BandedWord : int32_t {
  banded_count,
  banded_n,
  banded_k,
  banded_below,
  banded_above,
  banded_lower,
  banded_scratch,
  banded_x,
  banded_info,
  banded_a,
  banded_b = banded_a + 3,
  banded_batches = banded_b + 3,
  banded_batch,
  banded_words = banded_batch + 3 * max_ndim
};
// definite: Cholesky factors.
std::string emit_banded(DType dtype, bool definite);

}  // namespace arr::cuda
