// SPDX-License-Identifier: MIT
// Sparse matrices of random elements.
#include "ops/random/random.h"

#include <cmath>

#include "arr/distributions.h"
#include "ops/elementwise/array_ops.h"
#include "ops/random/order.h"
#include "ops/sorting/sort.h"
#include "ops/sparse/build.h"

namespace arr {

namespace {

// Uniform numbers in [0, 1), integers over their range, or true.
Ref<Array> random_elements(Generator& g, int64_t n, DType dtype, Device device, Stream* stream) {
  RandomShape shape;
  shape.dtype = dtype;
  shape.ndim = 1;
  shape.shape = &n;
  shape.device = device;
  switch (kind(dtype)) {
    case DKind::BOOL:
      return full(dtype, {&n, 1}, Order::C, convert(scalar_of(int64_t{1}), dtype), device, stream);
    case DKind::INT:
    case DKind::UINT:
      shape.dtype = DType::uint64_;
      return as_type(*random_bits(g, shape, stream), dtype, stream);
    case DKind::COMPLEX: {
      Ref<Array> out = empty(dtype, {&n, 1}, Order::C, device, stream);
      for (const int32_t part : {0, 1}) {
        random_into(*complex_part(*out, part), g, ARR_DISTRIBUTION_RANDOM, {}, stream);
      }
      return out;
    }
    default:
      return random(g, ARR_DISTRIBUTION_RANDOM, {}, shape, stream);
  }
}

}  // namespace

Ref<Sparse> sparse_random(Generator& g, const Extents& e, double density, SparseFormat format, DType dtype,
                          Device device, Stream* stream) {
  check_extents(e);
  if (format != SparseFormat::coo) check_lines(format == SparseFormat::csr ? e.rows : e.columns, "rows");
  if (!(density >= 0 && density <= 1)) {
    fail(ARR_E_ARGUMENT, "argument density: ", density, ", expected 0 to 1");
  }
  const int64_t total = e.rows * e.columns;
  // A product that is rounded up to a total of 2^53 or more must not exceed it.
  const double wanted = std::nearbyint(density * static_cast<double>(total));
  const int64_t nnz = wanted >= static_cast<double>(total) ? total : static_cast<int64_t>(wanted);
  const Ref<Array> keys =
      sort(*random_choice(g, {total, false, nullptr}, {&nnz, 1}, device, stream), 0, false, stream);
  return from_sorted_keys(format, e, {keys, random_elements(g, nnz, dtype, device, stream)}, false, stream);
}

}  // namespace arr
