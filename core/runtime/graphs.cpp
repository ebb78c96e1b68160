// SPDX-License-Identifier: MIT
// Captures a stream's work and launches it again, in order with other work on the same memory.
#include "runtime/graphs.h"

#include "backend/graph.h"
#include "backend/stream.h"
#include "runtime/captures.h"

namespace arr {

void begin_capture(Stream& stream) {
  const Device d = stream.device();
  auto fresh = make<Captured>(stream);
  call(api<GraphApi>(d).capture_begin, d.index, stream.handle());
  stream.enter(std::move(fresh));
}

namespace {

// A capture that is being ended in the backend, which needs its streams until then.
struct Ending {
  Ref<Captured> capture;
  std::vector<Captured::Member> members;
  std::vector<Ref<Buffer>> memory;
};

Ending leave(Stream& stream) {
  const Ref<Captured> capture = stream.captured();
  if (!capture) fail(ARR_E_ARGUMENT, "argument stream: is not being captured");
  if (!capture->began_in(stream)) {
    fail(ARR_E_ARGUMENT,
         "argument stream: has joined the capture of another stream, which ends where it began");
  }
  std::vector<Captured::Member> members = capture->end();
  std::vector<Ref<Buffer>> memory = capture->take();
  return {capture, std::move(members), std::move(memory)};
}

}  // namespace

Ref<Graph> end_capture(Stream& stream) {
  const Device d = stream.device();
  Ending ending = leave(stream);
  void* handle = nullptr;
  call(api<GraphApi>(d).capture_end, d.index, stream.handle(), &handle);
  try {
    return make<Graph>(d, handle, std::move(ending.capture), std::move(ending.memory),
                       Ref<Stream>::share(&stream));
  } catch (...) {
    BackendError ignored;
    api<GraphApi>(d).release(d.index, handle, stream.handle(), &ignored);
    throw;
  }
}

void abort_capture(Stream& stream) noexcept {
  const Ref<Captured> capture = stream.captured();
  if (!capture || !capture->began_in(stream)) return;
  try {
    const Ref<Graph> unwanted = end_capture(stream);
  } catch (...) {  // NOLINT(bugprone-empty-catch): the capture has ended in any case
  }
}

void Graph::update(Stream& stream) {
  const std::lock_guard lock(mutex_);
  if (!(stream.device() == device)) {
    fail(ARR_E_ARGUMENT, "argument stream: is on ", device_text(stream.device()), ", the graph on ",
         device_text(device));
  }
  Ending ending = leave(stream);
  call(api<GraphApi>(device).update, device.index, handle, stream.handle(), last_->handle());
  std::swap(captured_, ending.capture);
  memory_.swap(ending.memory);
  last_ = Ref<Stream>::share(&stream);
}

void Graph::launch(const Queue& q) {
  const std::lock_guard lock(mutex_);
  if (q.stream->capturing()) {
    fail(ARR_E_UNSUPPORTED,
         "argument stream: its work is being captured, and a graph cannot contain a graph");
  }
  if (unlaunched.load(std::memory_order_relaxed) != 0) {
    for (const Ref<Buffer>& b : memory_) refuse_unlaunched(*b, captured_.get());
  }
  // After the last launch, and after all uses of the same arrays.
  if (last_.get() != q.stream) call(api<StreamApi>(q).wait_stream, q.index(), q.handle(), last_->handle());
  for (const Ref<Buffer>& b : memory_) {
    materialize_for_write(*b);
    follow(*b, q);
  }
  call(api<GraphApi>(device).launch, device.index, handle, q.handle());
  for (const Ref<Buffer>& b : memory_) end_await(*b);
  last_ = Ref<Stream>::share(q.stream);
}

Graph::~Graph() {
  BackendError ignored;
  api<GraphApi>(device).release(device.index, handle, last_->handle(), &ignored);
}

}  // namespace arr
