// SPDX-License-Identifier: MIT
// Graphs: the driver captures the work of streams. A graph owns the scratch memory, the counters and the
// cuBLAS handles of its work, because it may run concurrently with later work of its streams.
#include "backend/graph.h"

#include <utility>

#include "cuda/device/device.h"
#include "cuda/device/entries.h"
#include "cuda/tables.h"

namespace arr::cuda {

namespace {

Capture& graph_of(void* graph) { return *static_cast<Capture*>(graph); }

// Exchanges the resources of graphs, or of captures that have ended.
void swap_work(Capture& a, Capture& b) {
  std::swap(a.members, b.members);
  std::swap(a.scratch, b.scratch);
  std::swap(a.host, b.host);
  std::swap(a.kept, b.kept);
  std::swap(a.graph, b.graph);
  std::swap(a.exec, b.exec);
}

// Exchanges the stream's cuBLAS handle and counters with those of a member. The caller holds the stream's
// lock.
void swap_handles(Stream& s, Capture::Member& other) {
  std::swap(s.blas, other.blas);
  std::swap(s.tickets, other.tickets);
}

// Begins to capture the stream's work. The caller holds its lock, and the members have capacity.
void enter(Device& d, Stream& s, Capture& c, CUevent before) {
  c.members.push_back({&s, nullptr, 0});
  swap_handles(s, c.members.back());
  s.capture = &c;
  s.before = before;
  s.capturing.store(true, std::memory_order_release);
  d.captures.fetch_add(1);
}

// Releases the capture's streams. Memory that the other streams released goes back to the stream where the
// capture began, which first waits for their earlier work; returns the driver's result of that wait.
CUresult leave(Device& d, Capture& c, Stream& origin) {
  CUresult worst = CUDA_SUCCESS;
  for (Capture::Member& m : c.members) {
    Stream& s = *std::exchange(m.stream, nullptr);
    CUevent before = nullptr;
    {
      const std::lock_guard lock(s.mutex);
      swap_handles(s, m);
      s.capture = nullptr;
      s.capturing.store(false, std::memory_order_release);
      before = std::exchange(s.before, nullptr);
    }
    d.captures.fetch_sub(1);
    if (&s != &origin) {
      const CUresult waits = driver().cuStreamWaitEvent(origin.handle, before, 0);
      worst = worst == CUDA_SUCCESS ? waits : worst;
    }
    d.give_event(before);
  }
  return worst;
}

using HostCopies = std::vector<std::unique_ptr<char[]>>;
void free_copies(void* copies) { delete static_cast<HostCopies*>(copies); }

// Frees host copies after the stream's earlier work, because a launch may still read them. If the driver
// fails they are not freed.
void free_after_launches(HostCopies copies, Stream& s) noexcept {
  if (copies.empty()) return;
  try {
    const std::lock_guard lock(s.mutex);
    if (s.capture != nullptr) {  // a graph must not free them at each launch: it keeps them instead
      const std::lock_guard shared(s.capture->mutex);
      for (auto& copy : copies) s.capture->host.push_back(std::move(copy));
      return;
    }
    auto own = std::make_unique<HostCopies>(std::move(copies));
    driver().cuLaunchHostFunc(s.handle, free_copies, own.get());
    (void)own.release();
  } catch (...) {  // NOLINT(bugprone-empty-catch): out of memory; they were moved or are freed
  }
}

void destroy(Device& d, std::unique_ptr<Capture> c, Stream& s) noexcept {
  if (!d.lost()) {
    free_after_launches(std::move(c->host), s);
    if (c->exec != nullptr) d.note(driver().cuGraphExecDestroy(c->exec), "cuGraphExecDestroy");
    if (c->graph != nullptr) d.note(driver().cuGraphDestroy(c->graph), "cuGraphDestroy");
  }
  for (const Capture::Member& m : c->members) {
    if (m.blas != nullptr) cublas().cublasDestroy_v2(m.blas);
    if (m.tickets != 0) d.pool.adopt(m.tickets, ticket_bytes, s);
  }
  for (const Capture::Block& b : c->scratch) d.pool.release(b.at, b.bytes, s);
}

std::unique_ptr<Capture> capture_of(Stream& s) {
  const std::lock_guard lock(s.mutex);
  return std::unique_ptr<Capture>(s.capture);
}

// A lost device cannot end a capture, and has none any more.
void forget_where_lost(int32_t device, void* stream) {
  Device* d = Device::find(device);
  if (d == nullptr || !d->lost()) return;
  Stream& s = d->stream(stream);
  if (std::unique_ptr<Capture> c = capture_of(s); c != nullptr) {
    (void)leave(*d, *c, s);
    destroy(*d, std::move(c), s);
  }
}

// Ends the capture and makes its work executable: by updating `old`, which was launched last in `last`, if
// the new work has the same topology; otherwise as a new graph.
std::unique_ptr<Capture> captured(const Call& call, Capture* old, void* last) {
  Device& d = call.device;
  Stream& s = call.stream;
  std::unique_ptr<Capture> c = capture_of(s);
  if (c == nullptr) fail(ARR_E_ARGUMENT, "argument stream: is not being captured");
  const CUresult ended = driver().cuStreamEndCapture(s.handle, &c->graph);
  const CUresult waits = leave(d, *c, s);
  try {
    if (ended == CUDA_ERROR_STREAM_CAPTURE_UNJOINED) fail(ARR_E_ARGUMENT, unjoined_capture);
    d.check(ended, "cuStreamEndCapture", &s);
    d.check(waits, "cuStreamWaitEvent", &s);
    if (old != nullptr) wait_stream(d, s, d.stream(last));
    CUgraphExecUpdateResultInfo info{};
    const bool can = old != nullptr && driver().cuGraphExecUpdate_v2 != nullptr;
    if (can && driver().cuGraphExecUpdate_v2(old->exec, c->graph, &info) == CUDA_SUCCESS) {
      std::swap(c->exec, old->exec);
    } else {
      d.check(driver().cuGraphInstantiateWithFlags(&c->exec, c->graph, 0), "cuGraphInstantiate", &s);
    }
  } catch (...) {
    destroy(d, std::move(c), s);
    throw;
  }
  return c;
}

}  // namespace

void wait_stream(Device& d, Stream& waiter, Stream& first) {
  if (&first == &waiter) return;
  const std::scoped_lock both(first.mutex, waiter.mutex);
  if (first.capture != nullptr && first.capture != waiter.capture) {
    return d.check(driver().cuStreamWaitEvent(waiter.handle, first.before, 0), "cuStreamWaitEvent", &first);
  }
  CUevent e = d.take_event();
  CUresult r = driver().cuEventRecord(e, first.handle);
  const char* function = "cuEventRecord";
  if (r == CUDA_SUCCESS) {
    r = driver().cuStreamWaitEvent(waiter.handle, e, 0);
    function = "cuStreamWaitEvent";
  }
  // The wait refers to the event's state at the call; the event may be recorded again at once.
  d.give_event(e);
  d.check(r, function, &first);
}

namespace {

int32_t capture_begin(int32_t device, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    Device& d = call.device;
    Stream& s = call.stream;
    auto fresh = std::make_unique<Capture>();
    fresh->members.reserve(1);
    const std::lock_guard lock(s.mutex);
    if (s.capture != nullptr) fail(ARR_E_ARGUMENT, "argument stream: is being captured already");
    CUevent before = d.take_event();
    CUresult r = driver().cuEventRecord(before, s.handle);
    const char* function = "cuEventRecord";
    if (r == CUDA_SUCCESS) {
      // Relaxed, because the pool may still request memory from the driver, and kernels are loaded on first
      // use.
      r = driver().cuStreamBeginCapture_v2(s.handle, CU_STREAM_CAPTURE_MODE_RELAXED);
      function = "cuStreamBeginCapture";
    }
    if (r != CUDA_SUCCESS) d.give_event(before);
    d.check(r, function, &s);
    enter(d, s, *fresh.release(), before);
  });
}

int32_t capture_join(int32_t device, void* stream, void* event, void* origin, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    Device& d = call.device;
    Stream &s = call.stream, &first = d.stream(origin);
    if (&s == &first) fail(ARR_E_ARGUMENT, "argument stream: is being captured already");
    const std::scoped_lock both(s.mutex, first.mutex);
    if (s.capture != nullptr) fail(ARR_E_ARGUMENT, "argument stream: is being captured already");
    if (first.capture == nullptr) fail(ARR_E_ARGUMENT, "argument event: its capture has ended");
    Capture& c = *first.capture;
    const std::lock_guard shared(c.mutex);
    c.members.reserve(c.members.size() + 1);
    CUevent before = d.take_event();
    CUresult r = driver().cuEventRecord(before, s.handle);
    const char* function = "cuEventRecord";
    if (r == CUDA_SUCCESS) {
      r = driver().cuStreamWaitEvent(s.handle, static_cast<CUevent>(event), 0);
      function = "cuStreamWaitEvent";
    }
    if (r != CUDA_SUCCESS) d.give_event(before);
    d.check(r, function, &s);
    enter(d, s, c, before);
  });
}

int32_t capture_end(int32_t device, void* stream, void** graph, BackendError* e) {
  return translate_exceptions(e, [&] {
    forget_where_lost(device, stream);
    const Call call(device, stream, std::nothrow);
    *graph = captured(call, nullptr, nullptr).release();
  });
}

int32_t graph_update(int32_t device, void* graph, void* stream, void* last, BackendError* e) {
  return translate_exceptions(e, [&] {
    forget_where_lost(device, stream);
    const Call call(device, stream, std::nothrow);
    auto fresh = captured(call, &graph_of(graph), last);
    swap_work(graph_of(graph), *fresh);
    destroy(call.device, std::move(fresh), call.stream);
  });
}

int32_t graph_native(int32_t, void* graph, void** native, void** executable, BackendError*) {
  *native = graph_of(graph).graph;
  *executable = graph_of(graph).exec;
  return ARR_OK;
}

int32_t graph_upload(int32_t device, void* graph, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    call.device.check(driver().cuGraphUpload(graph_of(graph).exec, call.stream.handle), "cuGraphUpload",
                      &call.stream);
  });
}

int32_t graph_launch(int32_t device, void* graph, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, stream);
    call.stream.last_work.store("a graph", std::memory_order_relaxed);
    call.device.check(driver().cuGraphLaunch(graph_of(graph).exec, call.stream.handle), "cuGraphLaunch",
                      &call.stream);
  });
}

int32_t graph_dot(int32_t device, void* graph, const char* path, BackendError* e) {
  return translate_exceptions(e, [&] {
    const Call call(device, nullptr);
    CUresult r = driver().cuGraphDebugDotPrint(graph_of(graph).graph, path, 0);
    if (r == CUDA_ERROR_INVALID_VALUE) fail(ARR_E_IO, "argument path: ", path, ": cannot be written");
    call.device.check(r, "cuGraphDebugDotPrint");
  });
}

int32_t graph_release(int32_t device, void* graph, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    if (driver_initialized_before_fork()) return;
    Device* d = Device::find(device);
    if (d == nullptr || graph == nullptr) fail(ARR_E_ARGUMENT, "argument graph: not one of this device");
    const Current current(*d, std::nothrow);
    destroy(*d, std::unique_ptr<Capture>(&graph_of(graph)), d->stream(stream));
  });
}

}  // namespace

const GraphApi graph_api = {
    .capture_begin = capture_begin,
    .capture_join = capture_join,
    .capture_end = capture_end,
    .update = graph_update,
    .native = graph_native,
    .upload = graph_upload,
    .launch = graph_launch,
    .dot = graph_dot,
    .release = graph_release,
};

}  // namespace arr::cuda
