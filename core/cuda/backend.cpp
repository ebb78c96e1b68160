// SPDX-License-Identifier: MIT
// The module's one export: the backend struct. Devices, streams, events, memory; the work is in its files.
#include "backend/backend.h"

#include <cstring>
#include <memory>

#include "cuda/codegen/compile.h"
#include "cuda/codegen/kernels.h"
#include "cuda/device/device.h"
#include "cuda/fft/plans.h"
#include "cuda/kernels/entries.h"
#include "cuda/work.h"

namespace arr::cuda {

namespace {

// Flags of the C API (arr/device.h), which the backend gets as they are.
constexpr int32_t stream_blocking = 1, event_timing = 1, event_blocking = 2, event_shared = 4;

CUevent event_of(void* e) { return static_cast<CUevent>(e); }
CUdeviceptr address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

// ------------------------------------------------------------------------------------------- devices

int32_t probe(std::string* report, BackendError* error) {
  return seam(error, [&] {
    bool works = probe_driver(report);
    if (driver_is_the_parents()) {
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

int32_t device_count(int32_t* count, BackendError* error) {
  return seam(error, [&] {
    refuse_in_child();
    int n = 0;
    CUresult r = driver().cuDeviceGetCount(&n);
    if (r != CUDA_SUCCESS && r != CUDA_ERROR_NO_DEVICE) {
      fail(status_of(r), "cuDeviceGetCount: ", error_text(r));
    }
    *count = r == CUDA_SUCCESS ? n : 0;
  });
}

int32_t device_name(int32_t device, std::string* name, BackendError* error) {
  return seam(error, [&] { *name = Device::get(device).name; });
}

int32_t device_sync(int32_t device, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    call.device.check(driver().cuCtxSynchronize(), "cuCtxSynchronize", &call.stream);
    call.device.destroy_buried(true);
    call.device.unload_buried();
  });
}

// ------------------------------------------------------------------------------------------- streams

int32_t stream_create(int32_t device, int32_t flags, void** stream, BackendError* error) {
  return seam(error, [&] {
    if ((flags & ~stream_blocking) != 0) fail(ARR_E_ARGUMENT, "argument flags: ", flags, " has unknown bits");
    const Call call(device, nullptr);
    CUstream handle = nullptr;
    call.device.check(
        driver().cuStreamCreate(&handle, (flags & stream_blocking) != 0 ? 0 : CU_STREAM_NON_BLOCKING),
        "cuStreamCreate");
    *stream = call.device.add_stream(handle, true);
  });
}

int32_t stream_wrap(int32_t device, void* native, void** stream, BackendError* error) {
  return seam(error, [&] { *stream = Device::get(device).add_stream(static_cast<CUstream>(native), false); });
}

int32_t stream_destroy(int32_t device, void* stream, BackendError* error) {
  return seam(error, [&] {
    if (driver_is_the_parents()) return;
    Device* d = Device::find(device);
    if (d == nullptr || stream == nullptr) fail(ARR_E_ARGUMENT, "argument stream: not one of this device");
    const Current current(*d, std::nothrow);
    d->remove_stream(static_cast<Stream*>(stream));
  });
}

int32_t stream_native(int32_t device, void* stream, void** native, BackendError* error) {
  return seam(error, [&] { *native = Device::get(device).stream(stream).handle; });
}

int32_t stream_sync(int32_t device, void* stream, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    refuse_capture(call.stream);
    call.device.check(driver().cuStreamSynchronize(call.stream.handle), "cuStreamSynchronize", &call.stream);
  });
}

int32_t stream_query(int32_t device, void* stream, int32_t* done, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    refuse_capture(call.stream);
    CUresult r = driver().cuStreamQuery(call.stream.handle);
    if (r != CUDA_ERROR_NOT_READY) call.device.check(r, "cuStreamQuery", &call.stream);
    *done = r == CUDA_SUCCESS ? 1 : 0;
  });
}

int32_t stream_wait_stream(int32_t device, void* waiter, void* first, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, waiter);
    wait_stream(call.device, call.stream, call.device.stream(first));
  });
}

// -------------------------------------------------------------------------------------------- events

int32_t event_create(int32_t device, int32_t flags, void** event, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    CUevent e = nullptr;
    const unsigned how = ((flags & event_timing) != 0 ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING) |
                         ((flags & event_blocking) != 0 ? CU_EVENT_BLOCKING_SYNC : 0U) |
                         ((flags & event_shared) != 0 ? CU_EVENT_INTERPROCESS : 0U);
    call.device.check(driver().cuEventCreate(&e, how), "cuEventCreate");
    *event = e;
  });
}

int32_t event_destroy(int32_t device, void* event, BackendError* error) {
  return seam(error, [&] {
    Device* d = Device::find(device);
    if (d == nullptr || d->lost()) return;  // gone with its context
    const Current current(*d, std::nothrow);
    d->note(driver().cuEventDestroy_v2(event_of(event)), "cuEventDestroy");
  });
}

int32_t event_record(int32_t device, void* event, void* stream, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    call.device.check(driver().cuEventRecord(event_of(event), call.stream.handle), "cuEventRecord",
                      &call.stream);
  });
}

int32_t event_sync(int32_t device, void* event, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    call.device.check(driver().cuEventSynchronize(event_of(event)), "cuEventSynchronize");
  });
}

int32_t event_query(int32_t device, void* event, int32_t* done, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    CUresult r = driver().cuEventQuery(event_of(event));
    if (r != CUDA_ERROR_NOT_READY) call.device.check(r, "cuEventQuery");
    *done = r == CUDA_SUCCESS ? 1 : 0;
  });
}

int32_t stream_wait_event(int32_t device, void* stream, void* event, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    call.device.check(driver().cuStreamWaitEvent(call.stream.handle, event_of(event), 0), "cuStreamWaitEvent",
                      &call.stream);
  });
}

int32_t event_elapsed(int32_t device, void* start, void* stop, double* milliseconds, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    float ms = 0;
    CUresult r = driver().cuEventElapsedTime(&ms, event_of(start), event_of(stop));
    if (r == CUDA_ERROR_NOT_READY) fail(ARR_E_ARGUMENT, "argument stop: the event has not been reached yet");
    if (r == CUDA_ERROR_INVALID_HANDLE) {
      fail(ARR_E_ARGUMENT, "argument start: both events must have been made for timing and recorded");
    }
    call.device.check(r, "cuEventElapsedTime");
    *milliseconds = static_cast<double>(ms);
  });
}

// -------------------------------------------------------------------------------------------- memory

int32_t allocate(int32_t device, int64_t bytes, void* stream, void** data, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    *data = reinterpret_cast<void*>(call.device.pool.allocate(bytes, call.stream));
  });
}

int32_t release(int32_t device, void* data, int64_t bytes, void* stream, BackendError* error) {
  return seam(error, [&] {
    if (driver_is_the_parents()) return;  // and so is the memory
    Device* d = Device::find(device);
    if (d == nullptr) fail(ARR_E_ARGUMENT, "argument device: ", device, " has given out no memory");
    d->pool.release(address(data), bytes, d->stream(stream));
  });
}

int32_t memory_stats(int32_t device, MemoryStats* stats, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    size_t free_bytes = 0, total = 0;
    call.device.check(driver().cuMemGetInfo_v2(&free_bytes, &total), "cuMemGetInfo");
    const Pool& p = call.device.pool;
    stats->in_use = p.in_use();
    stats->cached = p.reserved() - stats->in_use;
    stats->peak = p.peak();
    stats->limit = p.limit();
    stats->total = static_cast<int64_t>(total);
    stats->free = static_cast<int64_t>(free_bytes);
  });
}

int32_t memory_limit(int32_t device, int64_t bytes, BackendError* error) {
  return seam(error, [&] {
    if (bytes < 0) fail(ARR_E_ARGUMENT, "argument bytes: ", bytes, " is negative");
    Device::get(device).pool.set_limit(bytes);
  });
}

int32_t memory_trim(int32_t device, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    call.device.destroy_buried(call.device.captures.load() == 0);
    if (call.device.captures.load() == 0) call.device.unload_buried();
    call.device.pool.trim();
  });
}

int32_t copy_from_host(int32_t device, void* to, const void* host, int64_t bytes, void* stream,
                       BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    const char* kept = nullptr;
    with_capture(call.stream, [&](Capture& c) {
      // The graph reads what the host memory holds now, each time.
      c.host.push_back(std::make_unique_for_overwrite<char[]>(static_cast<size_t>(bytes)));
      std::memcpy(c.host.back().get(), host, static_cast<size_t>(bytes));
      kept = c.host.back().get();
    });
    if (kept != nullptr) {
      return call.device.check(
          driver().cuMemcpyHtoDAsync_v2(address(to), kept, static_cast<size_t>(bytes), call.stream.handle),
          "cuMemcpyHtoDAsync", &call.stream);
    }
    call.device.check(
        driver().cuMemcpyHtoDAsync_v2(address(to), host, static_cast<size_t>(bytes), call.stream.handle),
        "cuMemcpyHtoDAsync", &call.stream);
    call.device.check(driver().cuStreamSynchronize(call.stream.handle), "cuStreamSynchronize", &call.stream);
  });
}

int32_t copy_to_host(int32_t device, void* host, const void* from, int64_t bytes, void* stream,
                     BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    refuse_capture(call.stream);
    call.device.check(
        driver().cuMemcpyDtoHAsync_v2(host, address(from), static_cast<size_t>(bytes), call.stream.handle),
        "cuMemcpyDtoHAsync", &call.stream);
    call.device.check(driver().cuStreamSynchronize(call.stream.handle), "cuStreamSynchronize", &call.stream);
  });
}

int32_t copy_on_device(int32_t device, void* to, const void* from, int64_t bytes, void* stream,
                       BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    if (bytes == 0) return;
    call.device.check(driver().cuMemcpyDtoDAsync_v2(address(to), address(from), static_cast<size_t>(bytes),
                                                    call.stream.handle),
                      "cuMemcpyDtoDAsync", &call.stream);
  });
}

// ---------------------------------------------------------------------------------------------- work

template <auto Work, class CallStruct>
int32_t work(int32_t device, const CallStruct* c, void* stream, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, stream);
    Work(call.device, *c, call.stream);
  });
}

int32_t fft_plan(int32_t device, const FftCall* c, std::shared_ptr<PlanBook>* book, BackendError* error) {
  return seam(error, [&] {
    const Call call(device, nullptr);
    plan_fft(call.device, *c, book, call.stream);
  });
}

template <auto Print, class CallStruct>
int32_t text_of(const CallStruct* c, std::string* text, BackendError* error) {
  return seam(error, [&] { *text = translation_unit(Print(*c)); });
}

int32_t kernel_count(int64_t* kernels, BackendError*) {
  *kernels = kernels_made();
  return ARR_OK;
}

int32_t cache_counts(CacheCounts* counts, BackendError*) {
  *counts = arr::cache_counts();
  return ARR_OK;
}

constexpr Backend backend = {
    .struct_size = sizeof(Backend),
    .abi_version = backend_abi_version,
    .device_type = ARR_CUDA,
    .name = "cuda",
    .synchronous = false,
    .probe = probe,
    .device_count = device_count,
    .device_name = device_name,
    .stream_create = stream_create,
    .stream_wrap = stream_wrap,
    .stream_destroy = stream_destroy,
    .stream_native = stream_native,
    .stream_sync = stream_sync,
    .stream_query = stream_query,
    .stream_wait_stream = stream_wait_stream,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_sync = event_sync,
    .event_query = event_query,
    .stream_wait_event = stream_wait_event,
    .event_elapsed = event_elapsed,
    .device_sync = device_sync,
    .allocate = allocate,
    .release = release,
    .memory_stats = memory_stats,
    .memory_limit = memory_limit,
    .memory_trim = memory_trim,
    .copy_from_host = copy_from_host,
    .copy_to_host = copy_to_host,
    .copy_on_device = copy_on_device,
    .elementwise = work<elementwise, ElementwiseCall>,
    .reduce = work<reduce, ReduceCall>,
    .scan = work<scan, ScanCall>,
    .segments = work<segments, SegmentsCall>,
    .scatter = work<scatter, ScatterCall>,
    .matmul = work<matmul, MatmulCall>,
    .quantiles = work<quantiles, QuantileCall>,
    .linalg = work<linalg, LinalgCall>,
    .fft = work<fft, FftCall>,
    .blocks = work<blocks, BlocksCall>,
    .suits_blocks = suits_blocks,
    .cosine = nullptr,
    .fft_plan = fft_plan,
    .fft_cache_stats = fft_cache_stats,
    .fft_cache_limit = fft_cache_limit,
    .fft_cache_clear = fft_cache_clear,
    .fft_plan_effort = fft_plan_effort,
    .fft_wisdom = fft_wisdom,
    .fft_wisdom_import = fft_wisdom_import,
    .module_create = module_create,
    .module_destroy = module_destroy,
    .module_image = module_image,
    .module_global = module_global,
    .module_kernel = module_kernel,
    .kernel_params = kernel_params,
    .kernel_attribute = kernel_attribute,
    .kernel_set_attribute = kernel_set_attribute,
    .kernel_occupancy = kernel_occupancy,
    .kernel_block_size = kernel_block_size,
    .kernel_launch = kernel_launch,
    .program_text = text_of<elementwise_text, ElementwiseCall>,
    .reduce_text = text_of<reduction_text, ReduceCall>,
    .scan_text = text_of<scan_text, ScanCall>,
    .kernel_count = kernel_count,
    .cache_counts = cache_counts,
    .low = &low_level,
    .matmul_takes = matmul_takes,
    .fft_cache_plans = fft_cache_plans,
    .fft_cache_drop = fft_cache_drop,
    .fft_fused = fft_fused,
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
