/* SPDX-License-Identifier: MIT */
/* profile.h - what ran, when and for how long: traces, ranges, benchmarks. */
#ifndef ARR_PROFILE_H
#define ARR_PROFILE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Begins a record of what runs in this process: calls of libarr on their threads; work on its devices and
 *  streams with its shape and the bytes that it reads and writes; ranges and marks. On a GPU work has the device's
 *  own times, by two events each; without a trace a call only looks at a flag.
 *  @return ARR_OK, ARR_E_ARGUMENT (there is a trace already)
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_trace_begin(void);

/** Ends the trace, waits for the work in it and writes it in the Trace Event Format, which Chrome
 *  (chrome://tracing) and Perfetto open: a line per thread and per stream, times in microseconds. At most 2^20
 *  records are kept; what is beyond is counted in the record "lost".
 *  @param[in,null] path  of the file, which appears whole or not at all; NULL: what was recorded is dropped. Where
 *  there can be no such file the trace goes on
 *  @return ARR_OK, ARR_E_ARGUMENT (there is no trace), ARR_E_IO, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1 */
ARR_API arr_status arr_trace_end(const char *path);

/** Opens a range on the calling thread, inside of those that are open: in the trace, and for NVIDIA's tools where
 *  the library was built with their header.
 *  @param name  what it is called
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvtx.RangePush, cupyx.profiler.time_range */
ARR_API arr_status arr_range_push(const char *name);

/** Closes the thread's innermost range.
 *  @return ARR_OK, ARR_E_ARGUMENT (none is open), ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvtx.RangePop */
ARR_API arr_status arr_range_pop(void);

/** Marks a point in time.
 *  @param name  what it is called
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvtx.Mark */
ARR_API arr_status arr_mark(const char *name);

/** arr_range_push with a colour, which NVIDIA's tools show and the trace has among the range's arguments.
 *  @param name  what it is called
 *  @param color  0xAARRGGBB; 0: the tool's choice
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvtx.RangePushC */
ARR_API arr_status arr_range_push_color(const char *name, int64_t color);

/** arr_mark with a colour.
 *  @param name  what it is called
 *  @param color  0xAARRGGBB; 0: the tool's choice
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvtx.MarkC */
ARR_API arr_status arr_mark_color(const char *name, int64_t color);

/** Begins a range that any thread may end, and that need not lie inside of others: for what a task does, or a
 *  stretch from one call-back to the next. The trace has it beside the threads' lines.
 *  @param name  what it is called
 *  @param color  0xAARRGGBB; 0: the tool's choice
 *  @param[out] id  for arr_range_end
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvtx.RangeStart */
ARR_API arr_status arr_range_start(const char *name, int64_t color, int64_t *id);

/** Ends a range that arr_range_start began.
 *  @param id  of arr_range_start
 *  @return ARR_OK, ARR_E_ARGUMENT (there is no such range, or it has ended), ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvtx.RangeEnd */
ARR_API arr_status arr_range_end(int64_t id);

/** Tells a profiler that watches the program, such as NVIDIA's Nsight started with --capture-range=cudaProfilerApi,
 *  to record from now on: what was enqueued before is not in its record. Without one nothing happens; nor does it on
 *  the host, where such tools need no word from the program.
 *  @param[in,null] device  where (NULL: the host)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED (a driver without it), ARR_E_DEVICE,
 *          ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.profiler.start, cupy.cuda.runtime.profilerStart, cupyx.profiler.profile, cupy.cuda.profile */
ARR_API arr_status arr_profiler_start(const arr_device *device);

/** Ends what arr_profiler_start began. It does not wait: work that is to be in the record has to be waited for first.
 *  @param[in,null] device  where (NULL: the host)
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED (a driver without it), ARR_E_DEVICE,
 *          ARR_E_LOST
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.profiler.stop, cupy.cuda.runtime.profilerStop, cupyx.profiler.profile */
ARR_API arr_status arr_profiler_stop(const arr_device *device);

/** How a function is timed. */
typedef struct arr_benchmark_options {
  int64_t struct_size; /* sizeof(arr_benchmark_options) */
  int64_t repeats;     /* most timed runs; 0: 100 */
  int64_t warmup;      /* runs before; 0: 3, negative: none */
  double seconds;      /* no further run begins after so many; 0: 1 */
  arr_stream stream;   /* NULL: the device's default */
} arr_benchmark_options;

/** Times in nanoseconds of one run. Host: from the call until it returns. Device: of the work in the stream, by
 *  its events; on the host until all has run. */
typedef struct arr_benchmark_result {
  int64_t struct_size;  /* sizeof(arr_benchmark_result), set by the caller */
  int64_t repeats;      /* timed runs */
  double host_median;   /* median, from the call until it returns */
  double host_mean;     /* mean, from the call until it returns */
  double host_min;      /* least, from the call until it returns */
  double host_max;      /* most, from the call until it returns */
  double host_std;      /* standard deviation, from the call until it returns */
  double device_median; /* median, of the work in the stream */
  double device_mean;   /* mean, of the work in the stream */
  double device_min;    /* least, of the work in the stream */
  double device_max;    /* most, of the work in the stream */
  double device_std;    /* standard deviation, of the work in the stream */
} arr_benchmark_result;

/** Times a function: warm-up, then runs of which each is waited for.
 *  @param fn  what is timed: enqueues work in the stream and returns ARR_OK, or a status that ends the benchmark
 *  @param ctx  given to it
 *  @param[in,null] device  where it works (NULL: the host)
 *  @param[in,null] options  NULL for all defaults
 *  @param[in,out] result  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_HANDLE, ARR_E_DEVICE, what fn returns
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupyx.profiler.benchmark, cupyx.profiler._time._PerfCaseResult,
 *  cupyx.profiler._time._PerfCaseResult.cpu_times, cupyx.profiler._time._PerfCaseResult.gpu_times */
ARR_API arr_status arr_benchmark(arr_status (*fn)(void *ctx, arr_stream stream), void *ctx,
                                 const arr_device *device, const arr_benchmark_options *options,
                                 arr_benchmark_result *result);

#ifdef __cplusplus
}
#endif
#endif
