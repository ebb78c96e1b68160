// SPDX-License-Identifier: MIT
// Writes results from a thread's memory, with non-temporal stores if they are too large for the caches.
#pragma once

#include <algorithm>
#include <cstdint>

#include "host/loops/table.h"

namespace arr::host {

struct Writer {
  explicit Writer(bool non_temporal) : streams(non_temporal) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    if (streams) loops().fence_nontemporal();
  }
  void copy(const char* from, int64_t bytes, char* to) const {
    if (streams) return loops().copy_nontemporal(bytes, from, to);
    std::copy_n(from, bytes, to);
  }
  const bool streams;
};

}  // namespace arr::host
