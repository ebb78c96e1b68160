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

  // True if its work is being captured; every call checks this. captured() returns the
  // capture, or an empty reference.
  [[nodiscard]] bool capturing() const noexcept {
    return captured_.load(std::memory_order_acquire) != nullptr;
  }
  [[nodiscard]] Ref<Captured> captured();
  void enter(Ref<Captured> capture);
  void leave();

 protected:
  ~Stream() override;

 private:
  std::mutex mutex_;  // readers share the capture before another thread ends it
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

  // The position of its last record, if that was in a capture; set by runtime/captures.cpp.
  std::mutex mutex;
  Ref<Object> mark;

 protected:
  ~Event() override;

 private:
  Device device_;
  void* handle_;
};

// The default stream of a device; never destroyed.
Stream& default_stream(Device device);

// The target of the work of one call: backend, device and stream.
struct Queue {
  const Backend* backend = nullptr;
  bool synchronous = false;  // as the backend states
  Device device;
  Stream* stream = nullptr;
  [[nodiscard]] void* handle() const noexcept { return stream->handle(); }
  [[nodiscard]] int32_t index() const noexcept { return device.index; }
};
template <class Api>
const Api& api(const Queue& q) {
  return api<Api>(*q.backend);
}
// The queue for work on `device`; a stream of another device is an error. stream nullptr: the default stream.
Queue queue_for(Device device, Stream* stream);

// Uninitialised memory from the device's pool, first used in q's stream.
Ref<Buffer> allocate(const Queue& q, int64_t bytes);
// Memory of another owner. After own(), which cannot fail, drop(ctx) is called after the last use.
using Drop = void (*)(void*);
Ref<Buffer> wrap(void* data, int64_t bytes, Device device);
void own(Buffer& wrapped, Drop drop, void* ctx) noexcept;

// Announces that work enqueued in q from now on writes the memory: runs work that was deferred on it, and
// makes q's stream wait for the stream that used it last, if that is another one.
void use(Buffer& buffer, const Queue& q);
// Announces work that only reads the memory.
void use_to_read(Buffer& buffer, const Queue& q);
// Orders streams only: for new memory, and for work that was itself deferred.
enum class Use { read, write };
void follow_others(Buffer& buffer, const Queue& q, Use how);
inline void follow(Buffer& buffer, const Queue& q, Use how = Use::write) {
  // Every call does this for each of its arrays.
  const bool alone = q.synchronous || buffer.last_stream.load(std::memory_order_acquire) == q.stream;
  if (!alone || q.stream->capturing()) follow_others(buffer, q, how);
}
// Waits on the host until no enqueued work uses the memory.
void finish_uses(Buffer& buffer);
// Called before this thread itself reads host memory.
inline void read_here(Buffer& buffer) {
  materialize(buffer);
  finish_uses(buffer);
}

// Resources released where no device call may be made, such as in a driver's callback. defer() takes no lock
// and does not allocate; the next allocation on an asynchronous device calls finish(item).
struct Deferred {
  Deferred* next = nullptr;
  void (*finish)(Deferred*) noexcept = nullptr;
};
void defer(Deferred& item) noexcept;
void run_deferred() noexcept;

// Returns true if the bytes in use of a pool have grown by a step since the last call, or memory ran out.
int32_t memory_pressure() noexcept;

}  // namespace arr
