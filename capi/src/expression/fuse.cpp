// SPDX-License-Identifier: MIT
// fuse.h: recorded operations.
#include "arr/fuse.h"

#include "capi/src/entry.h"
#include "ops/elementwise/fuse/fuse.h"

using namespace arr::capi;

arr_status arr_fuse_begin(int32_t flags) {
  return guard("arr_fuse_begin", [&] { arr::fuse_begin(flags); });
}

arr_status arr_fuse_end(void) {
  return guard("arr_fuse_end", [] { arr::fuse_end(); });
}

arr_status arr_fuse_flush(void) {
  return guard("arr_fuse_flush", [] { arr::fuse_flush(); });
}

arr_status arr_fuse_set_automatic(int32_t devices) {
  return guard("arr_fuse_set_automatic", [&] { arr::set_automatic_fusion(devices); });
}

arr_status arr_fuse_automatic(int32_t* devices) {
  return guard("arr_fuse_automatic", [&] {
    check_pointer(devices, "devices");
    *devices = arr::automatic_fusion();
  });
}

arr_status arr_fuse_info(arr_fuse_stats* stats) {
  return guard("arr_fuse_info", [&] {
    check_pointer(stats, "stats");
    check_size(*stats, "stats");
    const arr::FuseCounts n = arr::fuse_counts();
    *stats = {sizeof(arr_fuse_stats), arr::fuse_depth(), n.recorded, n.programs, n.skipped};
  });
}
