// SPDX-License-Identifier: MIT
// Searches lines of indices: halves until a vector register has the rest.
#include "host/loops/level.h"
//
#include "host/loops/sparse/sparse.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace arr::host {
ARR_SPARSE_FILLERS(ARR_LEVEL)
}  // namespace arr::host

namespace arr::host::ARR_LEVEL {

namespace {

#if defined(__AVX2__)
// The lanes of a register of indices that are equal to x, as bits.
ARR_FN uint32_t equal_lanes(const int32_t* indices, int32_t x) {
  const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(indices));
  const __m256i same = _mm256_cmpeq_epi32(all, _mm256_set1_epi32(x));
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
}
ARR_FN uint32_t equal_lanes(const int64_t* indices, int64_t x) {
  const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(indices));
  const __m256i same = _mm256_cmpeq_epi64(all, _mm256_set1_epi64x(x));
  return static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(same)));
}
#endif

template <class I>
ARR_FN int64_t find_one(const I* indices, int64_t begin, int64_t end, I wanted) {
  while (begin < end) {
    const int64_t middle = begin + (end - begin) / 2;
    if (indices[middle] == wanted) return middle;
    if (indices[middle] < wanted) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return -1;
}

template <class I>
void find(const SparseFindLines& c) {
  const I* indices = static_cast<const I*>(c.indices);
#if defined(__AVX2__)
  constexpr int64_t lanes = 32 / static_cast<int64_t>(sizeof(I));
  if (c.nnz >= lanes) {
    for (int64_t k = 0; k < c.n; ++k) {
      const I wanted = static_cast<I>(c.wanted[k]);
      int64_t begin = c.begins[k], end = c.ends[k];
      while (end - begin > lanes) {
        const int64_t middle = begin + (end - begin) / 2;
        if (indices[middle - 1] < wanted) {
          begin = middle;
        } else {
          end = middle;
        }
      }
      // The register may begin before the line, so that it ends with the indices.
      const int64_t from = begin < c.nnz - lanes ? begin : c.nnz - lanes;
      const uint32_t line = ((1U << (end - from)) - 1) & ~0U << (begin - from);
      const uint32_t same = equal_lanes(indices + from, wanted) & line;
      c.found[k] = same == 0 ? -1 : from + __builtin_ctz(same);
    }
    return;
  }
#endif
  for (int64_t k = 0; k < c.n; ++k)
    c.found[k] = find_one(indices, c.begins[k], c.ends[k], static_cast<I>(c.wanted[k]));
}

}  // namespace

void fill_find(SparseLoops& t) {
  t.find[0] = find<int32_t>;
  t.find[1] = find<int64_t>;
}

}  // namespace arr::host::ARR_LEVEL
