// SPDX-License-Identifier: MIT
// Capturing a stream's work, and running it again in the order of whatever else uses its memory.
#include "runtime/graphs.h"

#include "backend_low.h"

namespace arr {

void begin_capture(Stream& stream) {
  const Device d = stream.device();
  auto fresh = make<Captured>();
  call(low_level(d).capture_begin, d.index, stream.handle());
  stream.captured.store(fresh.detach(), std::memory_order_release);
}

namespace {

Ref<Captured> leave(Stream& stream) {
  auto kept = Ref<Captured>::adopt(stream.captured.exchange(nullptr, std::memory_order_acq_rel));
  if (!kept) fail(ARR_E_ARGUMENT, "argument stream: is not being captured");
  return kept;
}

}  // namespace

Ref<Graph> end_capture(Stream& stream) {
  const Device d = stream.device();
  const Ref<Captured> kept = leave(stream);
  void* handle = nullptr;
  call(low_level(d).capture_end, d.index, stream.handle(), &handle);
  try {
    return make<Graph>(d, handle, kept->take(), Ref<Stream>::share(&stream));
  } catch (...) {
    BackendError ignored;
    low_level(d).graph_release(d.index, handle, stream.handle(), &ignored);
    throw;
  }
}

void Graph::update(Stream& stream) {
  const std::lock_guard lock(mutex_);
  if (!(stream.device() == device)) {
    fail(ARR_E_ARGUMENT, "argument stream: is on ", device_text(stream.device()), ", the graph on ",
         device_text(device));
  }
  const Ref<Captured> kept = leave(stream);
  call(low_level(device).graph_update, device.index, handle, stream.handle(), last_->handle());
  memory_ = kept->take();
}

void Graph::launch(const Queue& q) {
  const std::lock_guard lock(mutex_);
  if (q.stream->captured.load(std::memory_order_acquire) != nullptr) {
    fail(ARR_E_UNSUPPORTED,
         "argument stream: its work is being captured, and a graph in a graph is not offered");
  }
  // Behind the last launch, and behind all that uses the same arrays.
  if (last_.get() != q.stream) call(q.backend->stream_wait_stream, q.index(), q.handle(), last_->handle());
  for (const Ref<Buffer>& b : memory_) use(*b, q);
  call(low_level(device).graph_launch, device.index, handle, q.handle());
  last_ = Ref<Stream>::share(q.stream);
}

Graph::~Graph() {
  BackendError ignored;
  low_level(device).graph_release(device.index, handle, last_->handle(), &ignored);
}

}  // namespace arr
