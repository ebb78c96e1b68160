// SPDX-License-Identifier: MIT
#include "arr/profile.h"

#include "backend/device.h"
#include "capi/src/entry.h"
#include "io/file.h"
#include "ops/elementwise/fuse/fuse.h"
#include "runtime/benchmark.h"
#include "runtime/trace.h"

using namespace arr::capi;

namespace {

void profiler(const arr_device* device, int32_t on) {
  const arr::Device d = arr::device_from(device);
  arr::fuse_flush();  // recorded operations belong to the time before the call
  arr::call(arr::api<arr::DeviceApi>(d).profiler, d.index, on);
}

uint32_t color_from(int64_t color) {
  constexpr int64_t max_color = 0xFFFFFFFF;
  if (color < 0 || color > max_color)
    arr::fail(ARR_E_ARGUMENT, "argument color: ", color, ", expected 0 .. ", max_color);
  return static_cast<uint32_t>(color);
}

}  // namespace

arr_status arr_trace_begin(void) {
  return guard("arr_trace_begin", [] { arr::trace_begin(); });
}

arr_status arr_trace_end(const char* path) {
  return guard("arr_trace_end", [&] {
    if (path == nullptr) {
      arr::trace_end();
      return;
    }
    arr::io::Writer file{std::string_view(path)};  // opened first: if this fails, the trace goes on
    const std::string json = arr::trace_end();
    file.write(json.data(), static_cast<int64_t>(json.size()));
    file.commit();
  });
}

arr_status arr_range_push(const char* name) {
  return guard("arr_range_push", [&] {
    check_pointer(name, "name");
    arr::range_push(name, 0);
  });
}

arr_status arr_range_push_color(const char* name, int64_t color) {
  return guard("arr_range_push_color", [&] {
    check_pointer(name, "name");
    arr::range_push(name, color_from(color));
  });
}

arr_status arr_range_pop(void) {
  return guard("arr_range_pop", [] { arr::range_pop(); });
}

arr_status arr_mark(const char* name) {
  return guard("arr_mark", [&] {
    check_pointer(name, "name");
    arr::range_mark(name, 0);
  });
}

arr_status arr_mark_color(const char* name, int64_t color) {
  return guard("arr_mark_color", [&] {
    check_pointer(name, "name");
    arr::range_mark(name, color_from(color));
  });
}

arr_status arr_range_start(const char* name, int64_t color, int64_t* id) {
  return guard("arr_range_start", [&] {
    check_pointer(name, "name");
    check_pointer(id, "id");
    *id = arr::range_start(name, color_from(color));
  });
}

arr_status arr_range_end(int64_t id) {
  return guard("arr_range_end", [&] { arr::range_end(id); });
}

arr_status arr_profiler_start(const arr_device* device) {
  return guard("arr_profiler_start", [&] { profiler(device, 1); });
}

arr_status arr_profiler_stop(const arr_device* device) {
  return guard("arr_profiler_stop", [&] { profiler(device, 0); });
}

arr_status arr_benchmark(arr_status (*fn)(void* ctx, arr_stream stream), void* ctx, const arr_device* device,
                         const arr_benchmark_options* options, arr_benchmark_result* result) {
  return guard("arr_benchmark", [&] {
    if (fn == nullptr) arr::fail(ARR_E_ARGUMENT, "argument fn: NULL");
    check_pointer(result, "result");
    check_size(*result, "result");
    arr::BenchmarkPlan plan;
    arr_stream handle = nullptr;
    if (options != nullptr) {
      check_size(*options, "options");
      if (options->repeats < 0 || !(options->seconds >= 0)) {
        arr::fail(ARR_E_ARGUMENT, "argument options: repeats is ", options->repeats, " and seconds is ",
                  options->seconds, ", expected 0 or more");
      }
      if (options->repeats != 0) plan.repeats = options->repeats;
      if (options->warmup != 0) plan.warmup = options->warmup;
      if (options->seconds != 0) plan.seconds = options->seconds;
      handle = options->stream;
    }
    auto s = stream(handle);
    const arr::Queue q = arr::queue_for(arr::device_from(device), s.get());
    const arr::BenchmarkResult r = arr::benchmark(plan, q, [&] {
      const arr_status status = fn(ctx, handle);
      if (status != ARR_OK)
        throw arr::Error(status, std::string("the timed function failed: ") + arr_last_error());
    });
    *result = {sizeof(arr_benchmark_result),
               r.repeats,
               r.host.median,
               r.host.mean,
               r.host.min,
               r.host.max,
               r.host.std,
               r.device.median,
               r.device.mean,
               r.device.min,
               r.device.max,
               r.device.std};
  });
}
