// SPDX-License-Identifier: MIT
// The host backend: its tables.
#include "backend/interface.h"
#include "host/device/streams.h"
#include "host/elementwise/thread_limit.h"
#include "host/kernels/loader.h"
#include "host/tables.h"

namespace arr {

namespace {

// Programs run by loops that are compiled in.
int32_t kernel_count(int64_t* kernels, BackendError*) {
  *kernels = 0;
  return ARR_OK;
}

int32_t cache_counts(CacheCounts* counts, BackendError*) {
  *counts = arr::cache_counts();
  if (const host_kernels::Module* module = host::opened_kernel_module()) {
    const CacheCounts of_kernels = module->cache_counts();
    counts->hits += of_kernels.hits;
    counts->misses += of_kernels.misses;
    counts->stored += of_kernels.stored;
    counts->refused += of_kernels.refused;
  }
  return ARR_OK;
}

// The host is linked in: it uses the core's log, cache and pressure directly.
constexpr ServiceApi services = {
    .log_to = nullptr,
    .cache_to = nullptr,
    .pressure_to = nullptr,
    .kernel_count = kernel_count,
    .cache_counts = cache_counts,
};

}  // namespace

const Backend& host_backend() {
  static const bool limited = (host::follow_thread_limit(), true);
  static_cast<void>(limited);
  static const Backend b = {
      .struct_size = sizeof(Backend),
      .abi_version = backend_abi_version,
      .device_type = ARR_HOST,
      .tables_bytes = backend_tables_bytes,
      .name = "host",
      .synchronous = !host::asynchronous(),
      .device = &host::device_api,
      .stream = &host::stream_api,
      .memory = &host::memory_api,
      .pool = &host::pool_api,
      .pinned = nullptr,   // the CUDA module asks the driver
      .managed = nullptr,  // all memory is host memory
      .ipc = nullptr,      // libarr maps no files, and its events belong to this process
      .graph = &host::graph_api,
      .services = &services,
      .libraries = &host::library_api,
      .kernels = &host::kernel_api,
      .texture = &host::texture_api,
#define ARR_BACKEND_FAMILY(name, table, contents) .name = &host::name##_api,
#include "table/families.def"
  };
  return b;
}

}  // namespace arr
