/* SPDX-License-Identifier: MIT */
/* profile.h - traces, ranges and benchmarks. */
#ifndef ARR_PROFILE_H
#define ARR_PROFILE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Begins a trace of this process. It records the calls of libarr on their threads, the work on its devices and streams
 *  with its shape and the bytes that it reads and writes, and ranges and marks. On a GPU the times of work are the
 *  device's own, measured by two events each. Without a trace a call only reads a flag.
 *  @return ARR_OK, ARR_E_ARGUMENT (a trace is already running)
 *  @sync no */
ARR_API arr_status arr_trace_begin(void);

/** Ends the trace, waits for the work in it and writes it to a file. The file has the Trace Event Format, which
 *  Chrome (chrome://tracing) and Perfetto open: one line per thread and per stream, with times in microseconds. At
 *  most 2^20 records are kept; the record "lost" counts further ones.
 *  @param[in,null] path  name of the file; a failure leaves no partial file, and the trace goes on if the file cannot
 *      be written; NULL discards the trace
 *  @return ARR_OK, ARR_E_ARGUMENT (no trace is running), ARR_E_IO, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_trace_end(const char *path);

/** Opens a range on the calling thread, inside its open ranges. It appears in the trace, and in NVIDIA's tools if the
 *  library was built with their header.
 *  @param name  name of the range or mark
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_range_push(const char *name);

/** Closes the thread's innermost range.
 *  @return ARR_OK, ARR_E_ARGUMENT (no range is open), ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_range_pop(void);

/** Marks a point in time.
 *  @param name  name of the range or mark
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_mark(const char *name);

/** Opens a range like arr_range_push, with a colour. NVIDIA's tools show it, and the trace has it among the range's
 *  arguments.
 *  @param name  name of the range or mark
 *  @param color  0xAARRGGBB; 0 lets the tool choose
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_range_push_color(const char *name, int64_t color);

/** Marks a point in time like arr_mark, with a colour.
 *  @param name  name of the range or mark
 *  @param color  0xAARRGGBB; 0 lets the tool choose
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_mark_color(const char *name, int64_t color);

/** Begins a range that any thread may end and that may overlap other ranges, for example for a task, or from one
 *  callback to the next. The trace shows it next to the threads' lines.
 *  @param name  name of the range or mark
 *  @param color  0xAARRGGBB; 0 lets the tool choose
 *  @param[out] id  identifier for arr_range_end
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_range_start(const char *name, int64_t color, int64_t *id);

/** Ends a range of arr_range_start.
 *  @param id  identifier from arr_range_start
 *  @return ARR_OK, ARR_E_ARGUMENT (there is no such range, or it has ended), ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_range_end(int64_t id);

/** Starts the recording of a profiler that watches the program, such as NVIDIA's Nsight started with
 *  --capture-range=cudaProfilerApi. Earlier work is not recorded. Without a profiler the call does nothing. It also
 *  does nothing on the host, where profilers need no such call.
 *  @param[in,null] device  the device; NULL selects the host
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED (the driver has no such function),
 *      ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_profiler_start(const arr_device *device);

/** Ends the recording that arr_profiler_start began. The call does not wait: wait first for work that the record must
 *  contain.
 *  @param[in,null] device  the device; NULL selects the host
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED (the driver has no such function),
 *      ARR_E_DEVICE, ARR_E_LOST
 *  @sync no */
ARR_API arr_status arr_profiler_stop(const arr_device *device);

/** Options of arr_benchmark. */
typedef struct arr_benchmark_options {
  int64_t struct_size; /* sizeof(arr_benchmark_options) */
  int64_t repeats;     /* largest number of timed runs; 0 selects 100 */
  int64_t warmup;      /* runs before the timed ones; 0 selects 3; negative: none */
  double seconds;      /* seconds after which no further run begins; 0 selects 1 */
  arr_stream stream;   /* the stream; NULL selects the default stream */
} arr_benchmark_options;

/** Times of one run in nanoseconds. Host times run from the call until it returns. Device times are those of the
 *  work in the stream, measured by events; on the host they run until all work has finished. */
typedef struct arr_benchmark_result {
  int64_t struct_size;  /* sizeof(arr_benchmark_result); set by the caller */
  int64_t repeats;      /* number of timed runs */
  double host_median;   /* median, from the call until it returns */
  double host_mean;     /* mean, from the call until it returns */
  double host_min;      /* minimum, from the call until it returns */
  double host_max;      /* maximum, from the call until it returns */
  double host_std;      /* standard deviation, from the call until it returns */
  double device_median; /* median, of the work in the stream */
  double device_mean;   /* mean, of the work in the stream */
  double device_min;    /* minimum, of the work in the stream */
  double device_max;    /* maximum, of the work in the stream */
  double device_std;    /* standard deviation, of the work in the stream */
} arr_benchmark_result;

/** Times a function: first warm-up runs, then timed runs. It waits for each run to finish.
 *  @param fn  the function to time: it enqueues work in the stream and returns ARR_OK, or a status that ends the
 *      benchmark
 *  @param ctx  passed to fn
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,out] result  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_HANDLE, ARR_E_DEVICE, or the status that fn returns
 *  @sync yes */
ARR_API arr_status arr_benchmark(arr_status (*fn)(void *ctx, arr_stream stream), void *ctx,
                                 const arr_device *device, const arr_benchmark_options *options,
                                 arr_benchmark_result *result);

#ifdef __cplusplus
}
#endif
#endif
