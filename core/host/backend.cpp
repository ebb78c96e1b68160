// SPDX-License-Identifier: MIT
// The host backend's struct. Everything runs before it returns, in the caller's order, so streams are
// tokens and an event is the time at which it was recorded.
#include <sys/utsname.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

#include "base/checked.h"
#include "host/host.h"
#include "host/loops/table.h"
#include "host/pool.h"
#include "host/raw.h"

namespace arr {

namespace {

using Clock = std::chrono::steady_clock;

struct Token {
  int32_t flags;
};
struct Mark {
  Clock::time_point time;
  bool recorded = false;
};

void check_device(int32_t device) {
  if (device != 0) fail(ARR_E_ARGUMENT, "argument device: index ", device, ", the host has only 0");
}

// ---------------------------------------------------------------------------------------- devices

int32_t probe(std::string* report, BackendError* e) {
  return seam(e, [&] {
    *report += text("host: loops for x86-64 ", host::loops().level, ", ", std::thread::hardware_concurrency(),
                    " threads\n");
    host::blas_report(report);
  });
}
int32_t device_count(int32_t* count, BackendError*) {
  *count = 1;
  return ARR_OK;
}
// The processor's name as the system tells it.
std::string processor() {
  std::ifstream cpuinfo("/proc/cpuinfo");
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

int32_t stream_create(int32_t device, int32_t flags, void** stream, BackendError* e) {
  return seam(e, [&] {
    check_device(device);
    *stream = new Token{flags};
  });
}
int32_t stream_wrap(int32_t, void*, void**, BackendError* e) {
  return seam(e, [] { fail(ARR_E_UNSUPPORTED, "the host has no streams of its own to wrap"); });
}
int32_t stream_destroy(int32_t, void* stream, BackendError*) {
  delete static_cast<Token*>(stream);
  return ARR_OK;
}
int32_t stream_native(int32_t, void*, void**, BackendError* e) {
  return seam(e, [] { fail(ARR_E_UNSUPPORTED, "a stream of the host has nothing native behind it"); });
}
int32_t stream_sync(int32_t, void*, BackendError*) { return ARR_OK; }
int32_t stream_query(int32_t, void*, int32_t* done, BackendError*) {
  *done = 1;
  return ARR_OK;
}
int32_t stream_wait_stream(int32_t, void*, void*, BackendError*) { return ARR_OK; }
int32_t event_create(int32_t device, int32_t, void** event, BackendError* e) {
  return seam(e, [&] {
    check_device(device);
    *event = new Mark;
  });
}
int32_t event_destroy(int32_t, void* event, BackendError*) {
  delete static_cast<Mark*>(event);
  return ARR_OK;
}
int32_t event_record(int32_t, void* event, void*, BackendError*) {
  *static_cast<Mark*>(event) = {Clock::now(), true};
  return ARR_OK;
}
int32_t event_sync(int32_t, void*, BackendError*) { return ARR_OK; }
int32_t event_query(int32_t, void*, int32_t* done, BackendError*) {
  *done = 1;
  return ARR_OK;
}
int32_t stream_wait_event(int32_t, void*, void*, BackendError*) { return ARR_OK; }
int32_t event_elapsed(int32_t, void* start, void* stop, double* milliseconds, BackendError* e) {
  return seam(e, [&] {
    const auto &a = *static_cast<Mark*>(start), &b = *static_cast<Mark*>(stop);
    if (!a.recorded || !b.recorded) fail(ARR_E_ARGUMENT, "argument event: was never recorded");
    *milliseconds = std::chrono::duration<double, std::milli>(b.time - a.time).count();
  });
}
int32_t device_sync(int32_t, BackendError*) { return ARR_OK; }

// ----------------------------------------------------------------------------------------- memory

int32_t allocate(int32_t, int64_t bytes, void*, void** data, BackendError* e) {
  return seam(e, [&] { *data = host::pool().allocate(bytes); });
}
int32_t release(int32_t, void* data, int64_t bytes, void*, BackendError*) {
  host::pool().release(data, bytes);
  return ARR_OK;
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
int32_t copy(int32_t, void* to, const void* from, int64_t bytes, void*, BackendError*) {
  if (bytes > 0) std::memmove(to, from, static_cast<size_t>(bytes));
  return ARR_OK;
}

// ------------------------------------------------------------------------------------------- work

int32_t elementwise(int32_t, const ElementwiseCall* call, void*, BackendError* e) {
  return seam(e, [&] { host::elementwise(*call); });
}
int32_t reduce(int32_t, const ReduceCall* call, void*, BackendError* e) {
  return seam(e, [&] { host::reduce(*call); });
}
int32_t scan(int32_t, const ScanCall* call, void*, BackendError* e) {
  return seam(e, [&] { host::scan(*call); });
}
int32_t scatter(int32_t, const ScatterCall* call, void*, BackendError* e) {
  return seam(e, [&] { host::scatter(*call); });
}
int32_t matmul(int32_t, const MatmulCall* call, void*, BackendError* e) {
  return seam(e, [&] { host::matmul(*call); });
}

int32_t quantiles(int32_t, const QuantileCall* call, void*, BackendError* e) {
  return seam(e, [&] { host::quantiles(*call); });
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
    .copy_from_host = copy,
    .copy_to_host = copy,
    .copy_on_device = copy,
    .elementwise = elementwise,
    .reduce = reduce,
    .scan = scan,
    .scatter = scatter,
    .matmul = matmul,
    .quantiles = quantiles,
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
    .kernel_count = kernel_count,
    .cache_counts = cache_counts,
    .low = &host::low_level,
};

}  // namespace

const Backend& host_backend() { return the_backend; }

int32_t host::stream_flags(const void* stream) { return static_cast<const Token*>(stream)->flags; }

}  // namespace arr
