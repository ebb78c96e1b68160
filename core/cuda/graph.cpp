// SPDX-License-Identifier: MIT
// Graphs: the driver captures a stream's work. Scratch memory, counters and the handle of cuBLAS that the
// work uses are the graph's own, for it may run beside what its stream does later.
#include <utility>

#include "cuda/device.h"
#include "cuda/low.h"

namespace arr::cuda {

namespace {

Capture& graph_of(void* graph) { return *static_cast<Capture*>(graph); }

// The stream's own again.
std::unique_ptr<Capture> leave(Device& d, Stream& s) {
  const std::lock_guard lock(s.mutex);
  std::swap(s.blas, s.capture->blas);
  std::swap(s.tickets, s.capture->tickets);
  d.captures.fetch_sub(1);
  return std::move(s.capture);
}

using HostCopies = std::vector<std::unique_ptr<char[]>>;
void free_copies(void* copies) { delete static_cast<HostCopies*>(copies); }

// A launch may still read them: they go when the stream has come by. What the driver cannot take stays.
void give_up(HostCopies copies, Stream& s) noexcept {
  if (copies.empty()) return;
  try {
    auto own = std::make_unique<HostCopies>(std::move(copies));
    driver().cuLaunchHostFunc(s.handle, free_copies, own.get());
    (void)own.release();
  } catch (...) {  // NOLINT(bugprone-empty-catch): out of memory; they were moved or are freed
  }
}

void destroy(Device& d, std::unique_ptr<Capture> c, Stream& s) noexcept {
  if (!d.lost()) {
    give_up(std::move(c->host), s);
    if (c->exec != nullptr) d.note(driver().cuGraphExecDestroy(c->exec), "cuGraphExecDestroy");
    if (c->graph != nullptr) d.note(driver().cuGraphDestroy(c->graph), "cuGraphDestroy");
  }
  if (c->blas != nullptr) cublas().cublasDestroy_v2(c->blas);
  if (c->tickets != 0) d.pool.adopt(c->tickets, ticket_bytes, s);
  for (const Capture::Block& b : c->scratch) d.pool.release(b.at, b.bytes, s);
}

// Ends the stream's capture and makes its work executable: by changing what `old` has, where the new work has
// the same form, else anew.
std::unique_ptr<Capture> captured(const Call& call, Capture* old) {
  if (call.stream.capture == nullptr) fail(ARR_E_ARGUMENT, "argument stream: is not being captured");
  CUgraph graph = nullptr;
  CUresult r = driver().cuStreamEndCapture(call.stream.handle, &graph);
  std::unique_ptr<Capture> c = leave(call.device, call.stream);
  c->graph = graph;
  const char* function = "cuStreamEndCapture";
  CUgraphExecUpdateResultInfo info{};
  const bool can = old != nullptr && driver().cuGraphExecUpdate_v2 != nullptr;
  if (r == CUDA_SUCCESS && can && driver().cuGraphExecUpdate_v2(old->exec, c->graph, &info) == CUDA_SUCCESS) {
    std::swap(c->exec, old->exec);
  } else if (r == CUDA_SUCCESS) {
    r = driver().cuGraphInstantiateWithFlags(&c->exec, c->graph, 0);
    function = "cuGraphInstantiate";
  }
  if (r != CUDA_SUCCESS) {
    destroy(call.device, std::move(c), call.stream);
    call.device.check(r, function, &call.stream);
  }
  return c;
}

}  // namespace

int32_t capture_begin(int32_t device, void* stream, BackendError* e) {
  return seam(e, [&] {
    const Call call(device, stream);
    Stream& s = call.stream;
    if (s.capture != nullptr) fail(ARR_E_ARGUMENT, "argument stream: is being captured already");
    auto fresh = std::make_unique<Capture>();
    // Relaxed: the pool may still ask the driver for memory, and kernels are loaded when they are first met.
    call.device.check(driver().cuStreamBeginCapture_v2(s.handle, CU_STREAM_CAPTURE_MODE_RELAXED),
                      "cuStreamBeginCapture", &s);
    const std::lock_guard lock(s.mutex);
    s.capture = std::move(fresh);
    std::swap(s.blas, s.capture->blas);  // kept aside
    std::swap(s.tickets, s.capture->tickets);
    call.device.captures.fetch_add(1);
  });
}

int32_t capture_end(int32_t device, void* stream, void** graph, BackendError* e) {
  return seam(e, [&] {
    const Call call(device, stream);
    *graph = captured(call, nullptr).release();
  });
}

int32_t graph_update(int32_t device, void* graph, void* stream, void* last, BackendError* e) {
  return seam(e, [&] {
    const Call call(device, stream);
    auto fresh = captured(call, &graph_of(graph));
    std::swap(graph_of(graph), *fresh);
    destroy(call.device, std::move(fresh), call.device.stream(last));
  });
}

int32_t graph_native(int32_t, void* graph, void** native, void** executable, BackendError*) {
  *native = graph_of(graph).graph;
  *executable = graph_of(graph).exec;
  return ARR_OK;
}

int32_t graph_upload(int32_t device, void* graph, void* stream, BackendError* e) {
  return seam(e, [&] {
    const Call call(device, stream);
    call.device.check(driver().cuGraphUpload(graph_of(graph).exec, call.stream.handle), "cuGraphUpload",
                      &call.stream);
  });
}

int32_t graph_launch(int32_t device, void* graph, void* stream, BackendError* e) {
  return seam(e, [&] {
    const Call call(device, stream);
    call.stream.last_work.store("a graph", std::memory_order_relaxed);
    call.device.check(driver().cuGraphLaunch(graph_of(graph).exec, call.stream.handle), "cuGraphLaunch",
                      &call.stream);
  });
}

int32_t graph_dot(int32_t device, void* graph, const char* path, BackendError* e) {
  return seam(e, [&] {
    const Call call(device, nullptr);
    CUresult r = driver().cuGraphDebugDotPrint(graph_of(graph).graph, path, 0);
    if (r == CUDA_ERROR_INVALID_VALUE) fail(ARR_E_IO, "argument path: ", path, ": cannot be written");
    call.device.check(r, "cuGraphDebugDotPrint");
  });
}

int32_t graph_release(int32_t device, void* graph, void* stream, BackendError* e) {
  return seam(e, [&] {
    if (driver_is_the_parents()) return;
    Device* d = Device::find(device);
    if (d == nullptr || graph == nullptr) fail(ARR_E_ARGUMENT, "argument graph: not one of this device");
    const Current current(*d, std::nothrow);
    destroy(*d, std::unique_ptr<Capture>(static_cast<Capture*>(graph)), d->stream(stream));
  });
}

}  // namespace arr::cuda
