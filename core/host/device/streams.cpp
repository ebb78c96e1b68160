// SPDX-License-Identifier: MIT
// Streams of the host: work runs at once, is captured for a graph, or is run in order by a thread of the
// stream.
#include "host/device/streams.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <exception>
#include <thread>

#include "base/environment.h"
#include "base/float_environment.h"
#include "base/fork.h"

namespace arr::host {

namespace {

std::atomic<bool> process_ended{false};  // the process is ending and has waited for the threads

}  // namespace

bool asynchronous() {
  static const bool on = environment_flag("ARR_HOST_ASYNC");
  // A forked child has none of the threads; their work runs in the parent.
  return on && !forked() && !process_ended.load(std::memory_order_acquire);
}

// ------------------------------------------------------------------------------------------ threads

// The work of a stream's thread, in order. The thread shares ownership and ends when the stream is destroyed
// and all work has run. Until then the queue is in the list that a device synchronization and the end of the
// process wait for.
class Stream::WorkQueue {
 public:
  void add(Work work) {
    std::unique_lock lock(mutex_);
    if (closed_) {  // the process is ending: new work of other threads would keep this thread alive
      changed_.wait(lock, [&] { return idle(); });
      lock.unlock();
      return run_one(work);
    }
    waiting_.push_back(std::move(work));
    changed_.notify_all();
  }
  static std::shared_ptr<WorkQueue> start();
  // Lets the thread end when all work has run.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  static void finish_all();
  static std::vector<std::shared_ptr<WorkQueue>> all();
  void drain() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return idle(); });
  }
  void sync() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return idle(); });
    rethrow();
  }
  bool done() {
    const std::lock_guard lock(mutex_);
    rethrow();
    return idle();
  }

 private:
  static void leave(const std::shared_ptr<WorkQueue>& queue);
  void run() {
    for (;;) {
      std::unique_lock lock(mutex_);
      running_ = false;
      changed_.notify_all();
      changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const CallerScope scope;
      const Work work = std::move(waiting_.front());
      waiting_.pop_front();
      running_ = true;
      lock.unlock();
      run_one(work);
    }
  }
  [[nodiscard]] bool idle() const { return waiting_.empty() && !running_; }
  void rethrow() {
    if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) std::rethrow_exception(failure);
  }
  void run_one(const Work& work) noexcept {
    const DefaultFloats floats;  // a caller's function may have changed them
    try {
      work.run();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (failure_ == nullptr) failure_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  bool running_ = false, closed_ = false;
  std::exception_ptr failure_;  // the first one since the last call of sync() or done()
  std::thread thread_;

  struct List {
    ProcessMutex mutex;
    std::vector<std::shared_ptr<WorkQueue>> queues;
  };
  static List& list() {
    static List& l = *new List;  // never destroyed: threads may outlive static objects
    return l;
  }
};

std::shared_ptr<Stream::WorkQueue> Stream::WorkQueue::start() {
  note_use();  // no handle need exist yet, and a child would wait for the queue's lock
  static const int registered = std::atexit(finish_all);
  if (registered != 0) fail(ARR_E_MEMORY, "no memory to end streams with the process");
  auto fresh = std::make_shared<WorkQueue>();
  List& l = list();
  const std::lock_guard lock(l.mutex);
  l.queues.push_back(fresh);
  try {
    fresh->thread_ = std::thread([fresh] {
      fresh->run();
      leave(fresh);
    });
  } catch (...) {
    l.queues.pop_back();
    throw;
  }
  return fresh;
}

// Called at the end of the thread, which is joined only when the process ends.
void Stream::WorkQueue::leave(const std::shared_ptr<WorkQueue>& queue) {
  List& l = list();
  const std::lock_guard lock(l.mutex);
  std::erase(l.queues, queue);
  if (queue->thread_.joinable()) queue->thread_.detach();
}

std::vector<std::shared_ptr<Stream::WorkQueue>> Stream::WorkQueue::all() {
  List& l = list();
  const std::lock_guard lock(l.mutex);
  return l.queues;
}

void Stream::WorkQueue::finish_all() {
  if (forked()) return;
  for (const auto& queue : all()) {
    queue->close();
    std::thread thread;
    {
      const std::lock_guard lock(list().mutex);
      if (queue->thread_.get_id() != std::this_thread::get_id()) thread = std::move(queue->thread_);
    }
    if (thread.joinable()) thread.join();
  }
  process_ended.store(true,
                      std::memory_order_release);  // later calls of the library run their work in the caller
}

std::shared_ptr<Stream::WorkQueue> Stream::queue() {
  const std::lock_guard lock(mutex_);
  if (queue_ == nullptr) queue_ = WorkQueue::start();
  return queue_;
}

Stream::~Stream() {
  if (queue_ != nullptr) queue_->close();
}

void Stream::sync_all() {
  for (const auto& queue : WorkQueue::all()) queue->sync();
}

Stream& stream_of(void* stream) {
  static Stream& usual = *new Stream(0);  // never destroyed: threads may outlive static objects
  return stream != nullptr ? *static_cast<Stream*>(stream) : usual;
}

// ------------------------------------------------------------------------------------------ streams

void Stream::refuse_capture() const {
  if (capturing()) {
    fail(ARR_E_ARGUMENT,
         "argument stream: its work is being captured into a graph, and nothing of it has run");
  }
}

std::shared_ptr<Capture> Stream::capture() {
  if (!capturing()) return nullptr;
  const std::lock_guard lock(mutex_);
  return capture_;
}

void Stream::enter(std::shared_ptr<Capture> capture) {
  const std::lock_guard lock(mutex_);
  if (capture_ != nullptr) fail(ARR_E_ARGUMENT, "argument stream: is being captured already");
  capture_ = std::move(capture);
  capturing_.store(true, std::memory_order_release);
}

void Stream::leave() {
  const std::lock_guard lock(mutex_);
  capture_.reset();
  capturing_.store(false, std::memory_order_release);
}

void Stream::add(Work work) {
  if (const std::shared_ptr<Capture> into = capture(); into != nullptr) {
    return into->add(*this, std::move(work));
  }
  enqueue(std::move(work));
}

void Stream::enqueue(Work work) {
  if (!asynchronous()) return work.run();
  queue()->add(std::move(work));
}

void Stream::drain() noexcept {
  if (!asynchronous()) return;
  std::shared_ptr<WorkQueue> queue;
  {
    const std::lock_guard lock(mutex_);
    queue = queue_;
  }
  if (queue != nullptr) queue->drain();  // a thread without a queue has no work
}

void Stream::sync() {
  if (asynchronous()) queue()->sync();
}

bool Stream::done() { return !asynchronous() || queue()->done(); }

void Stream::wait_for(Stream& first) {
  if (&first == this) return;
  const std::shared_ptr<Capture> shared = capture();
  if (shared != nullptr && first.capture() == shared) return shared->wait(*this, shared->now(first));
  if (!asynchronous()) return;
  auto mark = std::make_shared<Mark>();
  mark->recorded = 1;
  first.enqueue({"mark", [mark] { mark->reach(); }});
  enqueue({"wait", [mark] { mark->wait(1); }});
}

void check_device(int32_t device) {
  if (device != 0) fail(ARR_E_ARGUMENT, "argument device: index ", device, ", the host has only 0");
}

int32_t stream_create(int32_t device, int32_t flags, void** stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    check_device(device);
    *stream = new Stream(flags);
  });
}

int32_t stream_destroy(int32_t, void* stream, BackendError*) {
  delete static_cast<Stream*>(stream);
  return ARR_OK;
}

int32_t stream_sync(int32_t, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    s.refuse_capture();
    s.sync();
  });
}

int32_t stream_query(int32_t, void* stream, int32_t* done, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    s.refuse_capture();
    *done = s.done() ? 1 : 0;
  });
}

int32_t stream_wait_stream(int32_t, void* waiter, void* first, BackendError* e) {
  return translate_exceptions(e, [&] { stream_of(waiter).wait_for(stream_of(first)); });
}

int32_t device_sync(int32_t, BackendError* e) {
  return translate_exceptions(e, [] { Stream::sync_all(); });
}

}  // namespace arr::host
