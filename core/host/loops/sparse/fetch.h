// SPDX-License-Identifier: MIT
// Fetches elements of matrices that are not in a cache earlier than processors do.
#pragma once

#include "host/loops/level.h"

namespace arr::host::ARR_LEVEL {

namespace {

// True for a matrix that is too large for caches; of others, fetching only takes time.
template <class T, class I>
ARR_FN bool is_fetched(int64_t nnz) {
  constexpr int64_t bytes = int64_t{16} << 20;
  return nnz * static_cast<int64_t>(sizeof(T) + sizeof(I)) >= bytes;
}

// Fetches some elements that follow these, which are read one after the other.
template <class T, class I>
ARR_FN void fetch(const T* data, const I* indices) {
  constexpr int64_t ahead = 1024;
  __builtin_prefetch(reinterpret_cast<const char*>(data) + ahead);
  __builtin_prefetch(reinterpret_cast<const char*>(indices) + ahead);
}

}  // namespace

}  // namespace arr::host::ARR_LEVEL
