// SPDX-License-Identifier: MIT
// Streams of the host. Work runs at once in the caller, except while its stream is being captured: then it
// becomes a step of a graph. With ARR_HOST_ASYNC=1 a thread per stream runs its work in order, as a GPU
// would, so that programs and tests find missing waits on any machine.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

#include "backend/error.h"
#include "host/device/capture.h"
#include "host/device/deferred_call.h"

namespace arr::host {

// True if streams have threads.
bool asynchronous();

class Stream {
 public:
  explicit Stream(int32_t flags) : flags_(flags) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();  // its work continues

  [[nodiscard]] int32_t flags() const noexcept { return flags_; }
  [[nodiscard]] bool capturing() const noexcept { return capturing_.load(std::memory_order_acquire); }
  // True if work runs at once in the caller.
  [[nodiscard]] bool immediate() const noexcept { return !asynchronous() && !capturing(); }
  // Throws if the stream is being captured, for calls that need work to run.
  void refuse_capture() const;
  // The capture that its work goes to, or nullptr.
  [[nodiscard]] std::shared_ptr<Capture> capture();
  void enter(std::shared_ptr<Capture> capture);
  void leave();

  void add(Work work);           // to the capture or to the thread
  void enqueue(Work work);       // to the thread, also while the stream is being captured
  void drain() noexcept;         // waits; a failure stays for the next sync() or done()
  void sync();                   // waits; throws the first failure since the last call
  [[nodiscard]] bool done();     // also throws a failure
  void wait_for(Stream& first);  // later work of this stream runs after the work that `first` has now

  static void sync_all();

 private:
  class WorkQueue;
  std::shared_ptr<WorkQueue> queue();

  const int32_t flags_;
  std::atomic<bool> capturing_{false};  // capture_ is not null
  std::mutex mutex_;                    // protects the following members
  std::shared_ptr<Capture> capture_;
  std::shared_ptr<WorkQueue> queue_;  // work of its thread; made with the first work
};

// The host is one device.
void check_device(int32_t device);

// nullptr: the device's default stream, which is never destroyed.
Stream& stream_of(void* stream);

// A point in a stream's work.
struct Mark {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable changed;
  int64_t recorded = 0, completed = 0;  // the number of times it was recorded, and how many of these have run
  Clock::time_point time;               // time of the last record that has run
  // The capture and the point in it, if the mark was last recorded in captured work.
  std::shared_ptr<Capture> captured;
  Capture::Point at;

  // Waits until the record number `until` has run.
  void wait(int64_t until);
  void reach();
};

// The entry of a call in its table: Run works at once, or later with a copy of the call.
template <auto Run, class Call>
int32_t entry(int32_t /*device*/, const Call* call, void* stream, BackendError* error) {
  return translate_exceptions(error, [&] {
    Stream& s = stream_of(stream);
    if (s.immediate()) return Run(*call);
    auto deferred = std::make_shared<DeferredCall<Call>>(*call);
    s.add({deferred->name(), [deferred] { Run(deferred->call()); }});
  });
}

// Entries of streams and graphs.
int32_t stream_create(int32_t device, int32_t flags, void** stream, BackendError* e);
int32_t stream_destroy(int32_t device, void* stream, BackendError* e);
int32_t stream_sync(int32_t device, void* stream, BackendError* e);
int32_t stream_query(int32_t device, void* stream, int32_t* done, BackendError* e);
int32_t stream_wait_stream(int32_t device, void* waiter, void* first, BackendError* e);
int32_t event_create(int32_t device, int32_t flags, void** event, BackendError* e);
int32_t event_destroy(int32_t device, void* event, BackendError* e);
int32_t event_record(int32_t device, void* event, void* stream, BackendError* e);
int32_t event_sync(int32_t device, void* event, BackendError* e);
int32_t event_query(int32_t device, void* event, int32_t* done, BackendError* e);
int32_t stream_wait_event(int32_t device, void* stream, void* event, BackendError* e);
int32_t event_elapsed(int32_t device, void* start, void* stop, double* milliseconds, BackendError* e);
int32_t device_sync(int32_t device, BackendError* e);

int32_t capture_begin(int32_t device, void* stream, BackendError* e);
int32_t capture_join(int32_t device, void* stream, void* event, void* origin, BackendError* e);
int32_t capture_end(int32_t device, void* stream, void** graph, BackendError* e);
int32_t graph_update(int32_t device, void* graph, void* stream, void* last, BackendError* e);
int32_t graph_native(int32_t device, void* graph, void** native, void** executable, BackendError* e);
int32_t graph_upload(int32_t device, void* graph, void* stream, BackendError* e);
int32_t graph_launch(int32_t device, void* graph, void* stream, BackendError* e);
int32_t graph_dot(int32_t device, void* graph, const char* path, BackendError* e);
int32_t graph_release(int32_t device, void* graph, void* stream, BackendError* e);

}  // namespace arr::host
