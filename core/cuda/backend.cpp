// SPDX-License-Identifier: MIT
// The module's one export: the backend and its tables.
#include "backend/interface.h"
#include "base/pressure.h"
#include "cuda/codegen/compile.h"
#include "cuda/codegen/kernels.h"
#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/driver/errors.h"
#include "cuda/tables.h"

namespace arr::cuda {

int32_t probe(std::string* report, BackendError* error) {
  return translate_exceptions(error, [&] {
    bool works = probe_driver(report);
    if (driver_initialized_before_fork()) {
      *report += "devices: none, CUDA was started before fork() made this process\n";
      works = false;
    } else if (works) {
      int count = 0;
      CUresult r = driver().cuDeviceGetCount(&count);
      *report += text("devices: ", r == CUDA_SUCCESS ? text(count) : error_text(r), "\n");
      works = r == CUDA_SUCCESS && count > 0;
    }
    probe_nvrtc(report);
    if (!works) fail(ARR_E_UNAVAILABLE, "CUDA does not work on this machine");
  });
}

namespace {

int32_t kernel_count(int64_t* kernels, BackendError*) {
  *kernels = kernels_made();
  return ARR_OK;
}

int32_t cache_counts(CacheCounts* counts, BackendError*) {
  *counts = arr::cache_counts();
  return ARR_OK;
}

constexpr ServiceApi services = {
    .log_to = [](const LogSink* sink) { log_sink.store(sink, std::memory_order_release); },
    .cache_to = [](const CacheStore* store) { cache_store.store(store, std::memory_order_release); },
    .pressure_to = [](std::atomic<int32_t>* core) { pressure.store(core, std::memory_order_release); },
    .kernel_count = kernel_count,
    .cache_counts = cache_counts,
};

constexpr Backend backend = {
    .struct_size = sizeof(Backend),
    .abi_version = backend_abi_version,
    .device_type = ARR_CUDA,
    .tables_bytes = backend_tables_bytes,
    .name = "cuda",
    .synchronous = false,
    .device = &device_api,
    .stream = &stream_api,
    .memory = &memory_api,
    .pool = &pool_api,
    .pinned = &pinned_api,
    .managed = &managed_api,
    .ipc = &ipc_api,
    .graph = &graph_api,
    .services = &services,
    .libraries = &library_api,
    .kernels = &kernel_api,
    .texture = &texture_api,
#define ARR_BACKEND_FAMILY(name, table, contents) .name = &name##_api,
#include "table/families.def"
};

}  // namespace

}  // namespace arr::cuda

extern "C" __attribute__((visibility("default"))) const arr::Backend* arr_backend_open(int32_t abi_version,
                                                                                       int64_t struct_size,
                                                                                       std::string* reason) {
  const arr::Backend& b = arr::cuda::backend;
  if (abi_version != b.abi_version || struct_size != b.struct_size) {
    *reason = arr::text("the module is for backend version ", b.abi_version, " (", b.struct_size,
                        " bytes), the library for ", abi_version, " (", struct_size, " bytes)");
    return nullptr;
  }
  return &b;
}
