// SPDX-License-Identifier: MIT
#include "arr/cache.h"

#include "backend/services.h"
#include "base/disk_cache.h"
#include "capi/src/entry.h"
#include "runtime/cache_store.h"
#include "runtime/devices.h"

using namespace arr::capi;

namespace {

constexpr const char* folders[] = {arr::host_cache_folder, arr::cuda_cache_folder,
                                   arr::compiler_cache_folder};

}  // namespace

arr_status arr_cache_info(arr_cache_stats* stats) {
  return guard("arr_cache_info", [&] {
    check_pointer(stats, "stats");
    check_size(*stats, "stats");
    arr_cache_stats s = {};
    s.struct_size = stats->struct_size;
    auto count = [&](const arr::CacheCounts& c) {
      s.hits += c.hits;
      s.misses += c.misses;
      s.stored += c.stored;
      s.refused += c.refused;
    };
    for (const int32_t type : {ARR_HOST, ARR_CUDA}) {
      if (arr::backend_state(type).state == ARR_BACKEND_ABSENT) continue;
      arr::CacheCounts c;
      arr::call(arr::api<arr::ServiceApi>(arr::backend_module(type)).cache_counts, &c);
      count(c);
    }
    for (const char* folder : folders) {
      const arr::CacheSize size = arr::cache_size(folder);
      s.entries += size.entries;
      s.bytes += size.bytes;
      s.limit = size.limit;
    }
    *stats = s;
  });
}

arr_status arr_cache_directory(int64_t capacity, char* text, int64_t* length) {
  return guard("arr_cache_directory", [&] { put_text(arr::cache_directory(), capacity, text, length); });
}

arr_status arr_cache_clear(void) {
  return guard("arr_cache_clear", [] {
    for (const char* folder : folders) arr::cache_clear(folder);
  });
}

arr_status arr_cache_set_store(int64_t (*get)(void* ctx, const char* name, void* bytes, int64_t capacity),
                               void (*put)(void* ctx, const char* name, const void* bytes, int64_t count),
                               void (*drop)(void* ctx), void* ctx) {
  return guard("arr_cache_set_store", [&] { arr::set_cache_store({get, put}, drop, ctx); });
}
