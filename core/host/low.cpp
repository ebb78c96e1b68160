// SPDX-License-Identifier: MIT
// The host's part of the low-level seam.
#include <algorithm>
#include <cstring>

#include "host/host.h"
#include "host/pool.h"

namespace arr::host {

namespace {

int32_t pool_stats(int32_t, PoolStats* stats, BackendError* e) {
  return seam(e, [&] { *stats = pool().details(); });
}
int32_t pool_classes(int32_t, int32_t capacity, PoolClass* classes, int32_t* count, BackendError* e) {
  return seam(e, [&] {
    const std::vector<PoolClass> all = pool().classes();
    std::copy_n(all.begin(), std::min<size_t>(all.size(), static_cast<size_t>(capacity)), classes);
    *count = static_cast<int32_t>(all.size());
  });
}
int32_t pool_reset_peak(int32_t, BackendError* e) {
  return seam(e, [] { pool().reset_peak(); });
}
int32_t copy_bytes(int32_t, void* to, const void* from, int64_t bytes, CopyKind, void*, BackendError*) {
  if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
  return ARR_OK;
}
int32_t set_bytes(int32_t, void* to, uint8_t value, int64_t bytes, void*, BackendError*) {
  if (bytes > 0) std::memset(to, value, static_cast<size_t>(bytes));
  return ARR_OK;
}

}  // namespace

const LowLevel low_level = {
    .struct_size = sizeof(LowLevel),
    .pool_stats = pool_stats,
    .pool_classes = pool_classes,
    .pool_reset_peak = pool_reset_peak,
    .copy_bytes = copy_bytes,
    .set_bytes = set_bytes,
};

}  // namespace arr::host
