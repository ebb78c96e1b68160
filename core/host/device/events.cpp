// SPDX-License-Identifier: MIT
// Events of the host: positions in the work of a stream, which may be captured.
#include <optional>

#include "arr/stream.h"
#include "host/device/capture.h"
#include "host/device/streams.h"

namespace arr::host {

void Mark::wait(int64_t until) {
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return completed >= until; });
}

void Mark::reach() {
  const std::lock_guard lock(mutex);
  time = Clock::now();
  ++completed;
  changed.notify_all();
}

namespace {

// An event's handle. Pending work shares the mark.
using Event = std::shared_ptr<Mark>;
Event& event_of(void* event) { return *static_cast<Event*>(event); }

// The number of times that the mark must be passed before the recorded work has run.
int64_t records_of(Mark& m) {
  const std::lock_guard lock(m.mutex);
  return m.recorded;
}

}  // namespace

int32_t event_create(int32_t device, int32_t flags, void** event, BackendError* e) {
  return translate_exceptions(e, [&] {
    check_device(device);
    if ((flags & ARR_EVENT_SHARED) != 0) {
      fail(ARR_E_UNSUPPORTED, "argument flags: events of the host are not shared with other processes");
    }
    *event = std::make_unique<Event>(std::make_shared<Mark>()).release();
  });
}

int32_t event_destroy(int32_t, void* event, BackendError*) {
  delete static_cast<Event*>(event);
  return ARR_OK;
}

int32_t event_record(int32_t, void* event, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    const Event mark = event_of(event);
    if (const std::shared_ptr<Capture> capture = s.capture(); capture != nullptr) {
      Capture::Point now = capture->now(s);
      const std::lock_guard lock(mark->mutex);
      mark->captured = capture;
      mark->at = std::move(now);
      return;
    }
    std::shared_ptr<Capture> before;
    {
      const std::lock_guard lock(mark->mutex);
      before = std::move(mark->captured);
      mark->captured.reset();
      ++mark->recorded;
    }
    try {
      s.enqueue({"event", [mark] { mark->reach(); }});
    } catch (...) {  // otherwise waiting threads would never return
      const std::lock_guard lock(mark->mutex);
      mark->captured = std::move(before);
      --mark->recorded;
      throw;
    }
  });
}

int32_t event_sync(int32_t, void* event, BackendError* e) {
  return translate_exceptions(e, [&] {
    Mark& m = *event_of(event);
    m.wait(records_of(m));
  });
}

int32_t event_query(int32_t, void* event, int32_t* done, BackendError* e) {
  return translate_exceptions(e, [&] {
    Mark& m = *event_of(event);
    const int64_t until = records_of(m);
    const std::lock_guard lock(m.mutex);
    *done = m.completed >= until ? 1 : 0;
  });
}

int32_t stream_wait_event(int32_t, void* stream, void* event, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    const Event mark = event_of(event);
    if (const std::shared_ptr<Capture> capture = s.capture(); capture != nullptr) {
      const std::lock_guard lock(mark->mutex);
      return capture->wait(s, mark->at);  // the caller has checked that the event belongs to the same capture
    }
    const int64_t until = records_of(*mark);
    if (asynchronous()) s.enqueue({"wait", [mark, until] { mark->wait(until); }});
  });
}

int32_t capture_join(int32_t, void* stream, void* event, void*, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    const Event mark = event_of(event);
    const std::lock_guard lock(mark->mutex);
    s.enter(mark->captured);
    try {
      mark->captured->join(s, mark->at);
    } catch (...) {
      s.leave();
      throw;
    }
  });
}

int32_t event_elapsed(int32_t, void* start, void* stop, double* milliseconds, BackendError* e) {
  return translate_exceptions(e, [&] {
    std::optional<Mark::Clock::time_point> times[2];
    for (int i = 0; i < 2; ++i) {
      Mark& m = *event_of(i == 0 ? start : stop);
      const int64_t until = records_of(m);
      const std::lock_guard lock(m.mutex);
      const char* argument = i == 0 ? "start" : "stop";
      if (until == 0) fail(ARR_E_ARGUMENT, "argument ", argument, ": was never recorded");
      if (m.completed < until) {
        fail(ARR_E_ARGUMENT, "argument ", argument, ": the event has not been reached yet");
      }
      times[i] = m.time;
    }
    *milliseconds = std::chrono::duration<double, std::milli>(*times[1] - *times[0]).count();
  });
}

}  // namespace arr::host
