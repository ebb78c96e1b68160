// SPDX-License-Identifier: MIT
// Sparse matrices of diagonals.
#include "ops/sparse/build.h"

#include <algorithm>

#include "ops/indexing/join.h"

namespace arr {

namespace {

// first, first + 1, ..., n of them.
Ref<Array> counted(int64_t first, int64_t n, Device device, Stream* stream) {
  return arange(scalar_of(first), scalar_of(first + n), scalar_of(int64_t{1}), DType::int64_, device, stream);
}
// All vectors, one after the other.
Ref<Array> joined(const std::vector<Ref<Array>>& vectors, Stream* stream) {
  std::vector<const Array*> all;
  all.reserve(vectors.size());
  for (const auto& a : vectors) all.push_back(a.get());
  return concatenate(all, 0, DType::none, stream);
}

}  // namespace

int64_t diagonal_length(const Extents& e, int64_t k) {
  if (k >= e.columns || k <= -e.rows) return 0;
  return std::min(e.rows + std::min<int64_t>(k, 0), e.columns - std::max<int64_t>(k, 0));
}

Ref<Array> along_diagonal(int32_t axis, int64_t k, int64_t n, Device device, Stream* stream) {
  const bool begins_later = n > 0 && (axis == 0 ? k < 0 : k > 0);
  return counted(!begins_later ? 0 : axis == 0 ? -k : k, n, device, stream);
}

Ref<Sparse> sparse_eye(const Extents& e, int64_t k, DType dtype, Device device, Stream* stream) {
  check_extents(e);
  check_lines(e.rows, "rows");
  const int64_t n = diagonal_length(e, k);
  const Scalar one = convert(scalar_of(int64_t{1}), dtype);
  const Ref<Array> ones = full(dtype, {&n, 1}, Order::C, one, device, stream);
  const Elements all{along_diagonal(0, k, n, device, stream), along_diagonal(1, k, n, device, stream), ones};
  return from_elements(SparseFormat::csr, e, all, false, stream);
}

Ref<Sparse> sparse_diags(const Extents& e, std::span<const Array* const> diagonals,
                         std::span<const int64_t> offsets, Stream* stream) {
  check_extents(e);
  check_lines(e.rows, "rows");
  std::vector<Ref<Array>> rows, columns, data;
  for (size_t i = 0; i < diagonals.size(); ++i) {
    const Array& d = *diagonals[i];
    const int64_t k = offsets[i], n = diagonal_length(e, k);
    if (std::find(offsets.begin(), offsets.begin() + static_cast<int64_t>(i), k) !=
        offsets.begin() + static_cast<int64_t>(i)) {
      fail(ARR_E_ARGUMENT, "argument offsets: ", k, " at position ", i, " is there twice");
    }
    if (d.layout.ndim != 1 || (d.layout.shape[0] != n && d.layout.shape[0] != 1)) {
      fail(ARR_E_SHAPE, "argument diagonals: shape ", d.layout.text(), " of diagonal ", k, ", expected (", n,
           ",) or (1,)");
    }
    rows.push_back(along_diagonal(0, k, n, d.device(), stream));
    columns.push_back(along_diagonal(1, k, n, d.device(), stream));
    data.push_back(d.view(broadcast_to(d.layout, {&n, 1})));
  }
  const Elements all{joined(rows, stream), joined(columns, stream), joined(data, stream)};
  return from_elements(SparseFormat::csr, e, all, false, stream);
}

}  // namespace arr
