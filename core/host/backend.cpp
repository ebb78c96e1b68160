// SPDX-License-Identifier: MIT
// The host backend's struct.
#include <sys/utsname.h>
#include <tbb/version.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

#include "base/checked.h"
#include "host/device/pool.h"
#include "host/device/streams.h"
#include "host/fft/plans.h"
#include "host/host.h"
#include "host/kernels/entries.h"
#include "host/loops/table.h"

namespace arr {

namespace {

void check_device(int32_t device) {
  if (device != 0) fail(ARR_E_ARGUMENT, "argument device: index ", device, ", the host has only 0");
}

// ---------------------------------------------------------------------------------------- devices

int32_t probe(std::string* report, BackendError* e) {
  return seam(e, [&] {
    *report += text("host: loops for x86-64 ", host::loops().level, ", ", std::thread::hardware_concurrency(),
                    " threads by oneTBB ", TBB_runtime_version(), "\n");
    host::blas_report(report);
    host::fftw_report(report);
  });
}
int32_t device_count(int32_t* count, BackendError*) {
  *count = 1;
  return ARR_OK;
}
// The processor's name as the system tells it.
std::string processor() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  cpuinfo.exceptions(std::ios_base::badbit);  // no memory for a line is no end of them
  for (std::string line; std::getline(cpuinfo, line);) {
    size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname name{};
  return uname(&name) == 0 ? name.machine : "host";
}
int32_t device_name(int32_t device, std::string* name, BackendError* e) {
  return seam(e, [&] {
    check_device(device);
    *name = processor();
  });
}

// ------------------------------------------------------------------------------- streams and events

int32_t stream_wrap(int32_t, void*, void**, BackendError* e) {
  return seam(e, [] { fail(ARR_E_UNSUPPORTED, "the host has no streams of its own to wrap"); });
}
int32_t stream_native(int32_t, void*, void**, BackendError* e) {
  return seam(e, [] { fail(ARR_E_UNSUPPORTED, "a stream of the host has nothing native behind it"); });
}

// ----------------------------------------------------------------------------------------- memory

int32_t allocate(int32_t, int64_t bytes, void*, void** data, BackendError* e) {
  return seam(e, [&] { *data = host::pool().allocate(bytes); });
}
int32_t release(int32_t, void* data, int64_t bytes, void* stream, BackendError* e) {
  if (!host::asynchronous()) {
    host::pool().release(data, bytes);
    return ARR_OK;
  }
  return seam(e, [&] {
    host::Stream& s = host::stream_of(stream);
    try {
      s.enqueue({"release", [data, bytes] { host::pool().release(data, bytes); }});
    } catch (const std::bad_alloc&) {
      s.drain();
      host::pool().release(data, bytes);
    }
  });
}
int32_t memory_stats(int32_t, MemoryStats* stats, BackendError* e) {
  return seam(e, [&] { *stats = host::pool().stats(); });
}
int32_t memory_limit(int32_t, int64_t bytes, BackendError* e) {
  return seam(e, [&] { host::pool().limit(bytes); });
}
int32_t memory_trim(int32_t, BackendError* e) {
  return seam(e, [] { host::pool().trim(); });
}
void move(void* to, const void* from, int64_t bytes) {
  if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
}
// A graph reads ordinary memory of the host when it is captured, as the CUDA backend's does.
int32_t copy_from_host(int32_t, void* to, const void* from, int64_t bytes, void* stream, BackendError* e) {
  return seam(e, [&] {
    host::Stream& s = host::stream_of(stream);
    if (s.immediate()) return move(to, from, bytes);
    if (!s.capturing()) {
      s.add({"copy from host", [=] { move(to, from, bytes); }});
      return s.sync();
    }
    const auto* first = static_cast<const char*>(from);
    auto kept = std::make_shared<const std::vector<char>>(first, first + bytes);
    s.add({"copy from host", [to, kept] { move(to, kept->data(), std::ssize(*kept)); }});
  });
}
int32_t copy_to_host(int32_t, void* to, const void* from, int64_t bytes, void* stream, BackendError* e) {
  return seam(e, [&] {
    host::Stream& s = host::stream_of(stream);
    s.refuse_capture();
    if (s.immediate()) return move(to, from, bytes);
    s.add({"copy to host", [=] { move(to, from, bytes); }});
    s.sync();
  });
}
int32_t copy_on_device(int32_t, void* to, const void* from, int64_t bytes, void* stream, BackendError* e) {
  return seam(e, [&] {
    host::Stream& s = host::stream_of(stream);
    if (s.immediate()) return move(to, from, bytes);
    s.add({"copy", [=] { move(to, from, bytes); }});
  });
}

// ------------------------------------------------------------------------------------------- work

int32_t elementwise(int32_t, const ElementwiseCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "elementwise", *call, host::elementwise); });
}
int32_t reduce(int32_t, const ReduceCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "reduce", *call, host::reduce); });
}
int32_t scan(int32_t, const ScanCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "scan", *call, host::scan); });
}
int32_t segments(int32_t, const SegmentsCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "segments", *call, host::segments); });
}
int32_t scatter(int32_t, const ScatterCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "scatter", *call, host::scatter); });
}
int32_t matmul(int32_t, const MatmulCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "matmul", *call, host::matmul); });
}
int32_t quantiles(int32_t, const QuantileCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "quantiles", *call, host::quantiles); });
}

int32_t blocks(int32_t, const BlocksCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "blocks", *call, host::blocks); });
}
int32_t linalg(int32_t, const LinalgCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, name(call->kind), *call, host::linalg); });
}
int32_t fft(int32_t, const FftCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "fft", *call, host::fft); });
}
int32_t fft_plan(int32_t, const FftCall* call, std::shared_ptr<PlanBook>* book, BackendError* e) {
  return seam(e, [&] { host::plan_fft(*call, book); });
}
int32_t cosine(int32_t, const CosineCall* call, void* stream, BackendError* e) {
  return seam(e, [&] { host::submit(stream, "cosine", *call, host::cosine); });
}
int32_t fft_cache_stats(int32_t, FftCacheStats* stats, BackendError* e) {
  return seam(e, [&] { *stats = host::fft_plans().stats(); });
}
int32_t fft_cache_limit(int32_t, int64_t plans, int64_t bytes, BackendError* e) {
  return seam(e, [&] { host::fft_plans().limit(plans, bytes); });
}
int32_t fft_cache_clear(int32_t, BackendError* e) {
  return seam(e, [] { host::fft_plans().clear(); });
}
int32_t fft_cache_plans(int32_t, std::vector<FftCachePlan>* plans, BackendError* e) {
  return seam(e, [&] { *plans = host::fft_plans().list(); });
}
int32_t fft_cache_drop(int32_t, int64_t id, int32_t* dropped, BackendError* e) {
  return seam(e, [&] { *dropped = host::fft_plans().drop(id) ? 1 : 0; });
}
int32_t fft_plan_effort(int32_t, FftEffort effort, FftEffort* before, BackendError* e) {
  return seam(e, [&] { *before = host::fft_plans().effort(effort); });
}
int32_t fft_wisdom(int32_t, std::string* text, BackendError* e) {
  return seam(e, [&] { *text = host::fftw_wisdom(); });
}
int32_t fft_wisdom_import(int32_t, const char* text, BackendError* e) {
  return seam(e, [&] {
    if (text == nullptr) return host::fftw_forget_wisdom();
    host::fftw_import_wisdom(text);
    host::fft_plans().clear();  // which knew less
  });
}

// Programs run by loops that are compiled in.
int32_t kernel_count(int64_t* kernels, BackendError*) {
  *kernels = 0;
  return ARR_OK;
}

int32_t cache_counts(CacheCounts* counts, BackendError*) {
  *counts = arr::cache_counts();
  return ARR_OK;
}

constexpr Backend the_backend = {
    .struct_size = sizeof(Backend),
    .abi_version = backend_abi_version,
    .device_type = ARR_HOST,
    .name = "host",
    .synchronous = true,
    .probe = probe,
    .device_count = device_count,
    .device_name = device_name,
    .stream_create = host::stream_create,
    .stream_wrap = stream_wrap,
    .stream_destroy = host::stream_destroy,
    .stream_native = stream_native,
    .stream_sync = host::stream_sync,
    .stream_query = host::stream_query,
    .stream_wait_stream = host::stream_wait_stream,
    .event_create = host::event_create,
    .event_destroy = host::event_destroy,
    .event_record = host::event_record,
    .event_sync = host::event_sync,
    .event_query = host::event_query,
    .stream_wait_event = host::stream_wait_event,
    .event_elapsed = host::event_elapsed,
    .device_sync = host::device_sync,
    .allocate = allocate,
    .release = release,
    .memory_stats = memory_stats,
    .memory_limit = memory_limit,
    .memory_trim = memory_trim,
    .copy_from_host = copy_from_host,
    .copy_to_host = copy_to_host,
    .copy_on_device = copy_on_device,
    .elementwise = elementwise,
    .reduce = reduce,
    .scan = scan,
    .segments = segments,
    .scatter = scatter,
    .matmul = matmul,
    .quantiles = quantiles,
    .linalg = linalg,
    .fft = fft,
    .blocks = blocks,
    .suits_blocks = [](const BlocksCall*) { return true; },
    .cosine = cosine,
    .fft_plan = fft_plan,
    .fft_cache_stats = fft_cache_stats,
    .fft_cache_limit = fft_cache_limit,
    .fft_cache_clear = fft_cache_clear,
    .fft_plan_effort = fft_plan_effort,
    .fft_wisdom = fft_wisdom,
    .fft_wisdom_import = fft_wisdom_import,
    .module_create = host::module_create,
    .module_destroy = host::module_destroy,
    .module_image = host::module_image,
    .module_global = host::module_global,
    .module_kernel = host::module_kernel,
    .kernel_params = host::kernel_params,
    .kernel_attribute = host::kernel_attribute,
    .kernel_set_attribute = host::kernel_set_attribute,
    .kernel_occupancy = host::kernel_occupancy,
    .kernel_block_size = host::kernel_block_size,
    .kernel_launch = host::kernel_launch,
    .program_text = nullptr,
    .reduce_text = nullptr,
    .scan_text = nullptr,
    .kernel_count = kernel_count,
    .cache_counts = cache_counts,
    .low = &host::low_level,
    .matmul_takes = nullptr,
    .fft_cache_plans = fft_cache_plans,
    .fft_cache_drop = fft_cache_drop,
    .fft_fused = nullptr,
};

}  // namespace

const Backend& host_backend() {
  static const Backend b = [] {
    Backend fresh = the_backend;
    fresh.synchronous = !host::asynchronous();
    return fresh;
  }();
  return b;
}

}  // namespace arr
