// SPDX-License-Identifier: MIT
// The fake driver: events.
#include <chrono>

#include "state.h"

namespace arr::fake {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// In a capture an event marks nothing that ever happens.
bool captured(const Event& e) { return e.capture != nullptr; }
bool done(const Event& e) {
  return (e.queue == nullptr || e.queue->done >= e.at) && (e.mark == nullptr || reached(*e.mark));
}

}  // namespace
}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int) {
  ARR_FAKE_ENTER(cuStreamWaitEvent);
  Stream* s = stream_of(stream);
  if (s == nullptr || event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Event& e = event_of(event);
  if (s->capture != nullptr || captured(e)) return wait_captured(*s, e);
  enqueue(*s, [queue = e.queue, at = e.at, all = handle_of(event)] {
    if (queue != nullptr) run(*queue, at);
    if (all->mark != nullptr) wait_for(*all->mark);
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}

CUresult cuEventCreate(CUevent* event, unsigned int flags) {
  ARR_FAKE_ENTER(cuEventCreate);
  ARR_FAKE_CONTEXT;
  auto e = std::make_shared<Event>();
  e->timing = (flags & CU_EVENT_DISABLE_TIMING) == 0;
  const bool shared = (flags & CU_EVENT_INTERPROCESS) != 0;
  if (e->timing && shared) return CUDA_ERROR_INVALID_VALUE;
  if (shared) e->mark = Shared::make(nullptr, sizeof(Mark));
  if (shared && e->mark == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  ++live().events;
  *event = reinterpret_cast<CUevent>(new EventHandle(std::move(e)));
  return CUDA_SUCCESS;
}
CUresult cuEventDestroy_v2(CUevent event) {
  ARR_FAKE_ENTER(cuEventDestroy_v2);
  delete &handle_of(event);
  --live().events;
  return CUDA_SUCCESS;
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
  ARR_FAKE_ENTER(cuEventRecord);
  Stream* s = stream_of(stream);
  if (s == nullptr || event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  Event& e = event_of(event);
  e.capture = s->capture;
  e.after = s->after;
  e.queue = nullptr;
  if (captured(e)) return CUDA_SUCCESS;
  e.queue = s->queue;
  e.at = s->queue->queued + 1;
  e.reached = std::make_shared<double>(0);
  Mark* mark = e.mark == nullptr ? nullptr : static_cast<Mark*>(e.mark->data());
  if (mark != nullptr) ++mark->recorded;
  enqueue(*s, [when = e.reached, mark, all = handle_of(event)] {
    *when = now();
    if (mark != nullptr) ++mark->reached;
    return CUDA_SUCCESS;
  });
  return CUDA_SUCCESS;
}
CUresult cuEventSynchronize(CUevent event) {
  ARR_FAKE_ENTER(cuEventSynchronize);
  Event& e = event_of(event);
  if (captured(e)) return CUDA_ERROR_CAPTURED_EVENT;
  if (e.queue != nullptr) run(*e.queue, e.at);
  if (e.mark != nullptr) wait_for(*e.mark);
  return enter(Fn::cuEventSynchronize);
}
CUresult cuEventQuery(CUevent event) {
  ARR_FAKE_ENTER(cuEventQuery);
  if (captured(event_of(event))) return CUDA_ERROR_CAPTURED_EVENT;
  return done(event_of(event)) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}
CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent stop) {
  ARR_FAKE_ENTER(cuEventElapsedTime);
  const Event &a = event_of(start), &b = event_of(stop);
  if (captured(a) || captured(b)) return CUDA_ERROR_CAPTURED_EVENT;
  if (!a.timing || !b.timing || !a.queue || !b.queue) return CUDA_ERROR_INVALID_HANDLE;
  if (!done(a) || !done(b)) return CUDA_ERROR_NOT_READY;
  *milliseconds = static_cast<float>((*b.reached - *a.reached) * 1e3);
  return CUDA_SUCCESS;
}

#pragma GCC visibility pop
}
