// SPDX-License-Identifier: MIT
// Streams and events as objects, memory of a device, and the order of work on memory across streams.
#pragma once

#include "runtime/devices.h"
#include "runtime/recorders.h"

namespace arr {

class Captured;

class Stream : public Object {
 public:
  Stream(Device device, void* handle, bool owned) noexcept
      : device_(device), handle_(handle), owned_(owned) {}
  [[nodiscard]] Device device() const noexcept { return device_; }
  // The backend's pointer; nullptr is the device's default stream.
  [[nodiscard]] void* handle() const noexcept { return handle_; }

  // True if its work is being captured: every call asks. Then the capture, or nothing.
  [[nodiscard]] bool capturing() const noexcept {
    return captured_.load(std::memory_order_acquire) != nullptr;
  }
  [[nodiscard]] Ref<Captured> captured();
  void enter(Ref<Captured> capture);
  void leave();

 protected:
  ~Stream() override;

 private:
  std::mutex mutex_;  // who reads the capture shares it before another thread ends it
  std::atomic<Captured*> captured_{nullptr};
  Device device_;
  void* handle_;
  bool owned_;
};

class Event : public Object {
 public:
  Event(Device device, void* handle) noexcept : device_(device), handle_(handle) {}
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] void* handle() const noexcept { return handle_; }

  // The position of its last record, if that was in captured work; of runtime/captures.cpp.
  std::mutex mutex;
  Ref<Object> mark;

 protected:
  ~Event() override;

 private:
  Device device_;
  void* handle_;
};

// The default stream of a device; lives for ever.
Stream& default_stream(Device device);

// The target of a call's work: the backend, the device and the stream to enqueue in.
struct Queue {
  const Backend* backend = nullptr;
  bool synchronous = false;  // as the backend says
  Device device;
  Stream* stream = nullptr;
  [[nodiscard]] void* handle() const noexcept { return stream->handle(); }
  [[nodiscard]] int32_t index() const noexcept { return device.index; }
};
template <class Api>
const Api& api(const Queue& q) {
  return api<Api>(*q.backend);
}
// For work on `device`; a stream of another device is an error. stream nullptr: the default one.
Queue queue_for(Device device, Stream* stream);

// Uninitialised memory from the device's pool, first used in q's stream.
Ref<Buffer> allocate(const Queue& q, int64_t bytes);
// Memory of another owner. Once own() has been called, which cannot fail, drop(ctx) is called after the
// last use.
using Drop = void (*)(void*);
Ref<Buffer> wrap(void* data, int64_t bytes, Device device);
void own(Buffer& wrapped, Drop drop, void* ctx) noexcept;

// Says that work enqueued in q from now on writes the memory, or may: runs what was deferred on it, and makes
// q's stream wait for the stream that used it last, if that was another one. On one stream nothing happens.
void use(Buffer& buffer, const Queue& q);
// The same for work that only reads it.
void use_to_read(Buffer& buffer, const Queue& q);
// The order of streams alone: for memory that is new, and for what was deferred itself.
enum class Use { read, write };
void follow_others(Buffer& buffer, const Queue& q, Use how);
inline void follow(Buffer& buffer, const Queue& q, Use how = Use::write) {
  // Every call asks for each of its arrays.
  const bool alone = q.synchronous || buffer.last_stream.load(std::memory_order_acquire) == q.stream;
  if (!alone || q.stream->capturing()) follow_others(buffer, q, how);
}
// Waits on the host until nothing enqueued uses the memory.
void finish_uses(Buffer& buffer);
// Before this thread reads memory of the host itself.
inline void read_here(Buffer& buffer) {
  materialize(buffer);
  finish_uses(buffer);
}

// Resources given up where no device call may be made, such as a driver's callback. defer() takes no lock and
// allocates nothing; the next allocation on a device that works asynchronously calls finish(item).
struct Deferred {
  Deferred* next = nullptr;
  void (*finish)(Deferred*) noexcept = nullptr;
};
void defer(Deferred& item) noexcept;
void run_deferred() noexcept;

// Returns whether the bytes in use of a pool have grown by a step since the last call, or memory ran out.
int32_t memory_pressure() noexcept;

}  // namespace arr
