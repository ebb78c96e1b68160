// SPDX-License-Identifier: MIT
// Traces: calls of public functions on their threads, work on streams, and ranges named by the user. While no
// trace is recorded, each of these costs one test of a flag.
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

#include "arr/device.h"
#include "backend/visit.h"
#include "runtime/streams.h"

namespace arr {

inline std::atomic<bool>& trace_flag() noexcept {
  static std::atomic<bool> on{false};
  return on;
}
inline bool tracing() noexcept { return trace_flag().load(std::memory_order_relaxed); }

// Begins a trace; ARR_E_ARGUMENT if one is being recorded already.
void trace_begin();
// Ends the trace, waits for its work, and returns it in Chrome's Trace Event Format (JSON).
std::string trace_end();

// The time of a scope on the calling thread. `name` must never be freed.
class TraceCall {
 public:
  explicit TraceCall(const char* name) noexcept : name_(name), begin_(tracing() ? now() : 0) {}
  TraceCall(const TraceCall&) = delete;
  TraceCall& operator=(const TraceCall&) = delete;
  ~TraceCall() {
    if (begin_ != 0) finish();
  }

 private:
  static int64_t now() noexcept;
  void finish() noexcept;
  const char* name_;
  int64_t begin_;
};

// Nested ranges of the user on each thread, also shown in NVIDIA's tools. Colours are 0xAARRGGBB, 0 for none.
void range_push(std::string_view name, uint32_t color);
void range_pop();  // ARR_E_ARGUMENT if no range is open
void range_mark(std::string_view name, uint32_t color);
// Ranges that any thread may end, by their number.
int64_t range_start(std::string_view name, uint32_t color);
void range_end(int64_t id);  // ARR_E_ARGUMENT if there is no such range

// The description of work in a trace.
struct TraceWork {
  std::string name, shape;
  int64_t bytes = 0;  // bytes read and written, at least
};
class TraceVisitor : public CallVisitor {
 public:
  template <class Name>
  void name(Name&& name) {
    work_.name = name();
  }
  void shape(const int64_t*& extents, int32_t n) { this->extents(extents, n); }
  void extents(const int64_t* extents, int32_t n);
  void memory(const Operand& o, DType d, int32_t ndim, const int64_t* shape);
  template <class Bytes>
  void bytes(Bytes&& bytes) {
    work_.bytes += bytes();
  }
  TraceWork take() { return std::move(work_); }

 private:
  TraceWork work_;
};
template <class Call>
TraceWork describe_work(Call c) {
  TraceVisitor v;
  visit(v, c);
  return v.take();
}

// The time of a scope's work in a stream; the device's time if the device is asynchronous.
class TraceSpan {
 public:
  TraceSpan(const Queue& q, TraceWork work);
  TraceSpan(const TraceSpan&) = delete;
  TraceSpan& operator=(const TraceSpan&) = delete;
  ~TraceSpan();
  void cancel() noexcept { cancelled_ = true; }  // the work was not enqueued, so it is not recorded

 private:
  const Queue& queue_;
  TraceWork work_;
  int64_t begin_;
  bool cancelled_ = false;
  void* start_ = nullptr;  // events
  void* stop_ = nullptr;
};

}  // namespace arr
