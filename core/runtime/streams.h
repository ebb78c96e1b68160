// SPDX-License-Identifier: MIT
// Streams and events as objects, memory of a device, and the order of work on memory across streams.
#pragma once

#include <unordered_set>

#include "runtime/devices.h"
#include "runtime/recorders.h"

namespace arr {

// Memory that captured work uses: kept for as long as the graph is, which orders its own launches.
class Captured : public Object {
 public:
  // Once each; the stream is the one that the memory is new in, where nothing has used it.
  void keep(Buffer& buffer, Object* stream);
  std::vector<Ref<Buffer>> take();

 private:
  std::mutex mutex_;
  std::vector<Ref<Buffer>> all_;
  std::unordered_set<const Buffer*> known_;
};

class Stream : public Object {
 public:
  std::atomic<Captured*> captured{nullptr};  // while its work is being captured
  Stream(Device device, void* handle, bool owned) noexcept
      : device_(device), handle_(handle), owned_(owned) {}
  [[nodiscard]] Device device() const noexcept { return device_; }
  // The backend's pointer; nullptr is the device's default stream.
  [[nodiscard]] void* handle() const noexcept { return handle_; }

 protected:
  ~Stream() override;

 private:
  Device device_;
  void* handle_;
  bool owned_;
};

class Event : public Object {
 public:
  Event(Device device, void* handle) noexcept : device_(device), handle_(handle) {}
  [[nodiscard]] Device device() const noexcept { return device_; }
  [[nodiscard]] void* handle() const noexcept { return handle_; }

 protected:
  ~Event() override;

 private:
  Device device_;
  void* handle_;
};

// The default stream of a device; lives for ever.
Stream& default_stream(Device device);

// Where a call works: the backend, the device and the stream to enqueue in.
struct Queue {
  const Backend* backend = nullptr;
  Device device;
  Stream* stream = nullptr;
  [[nodiscard]] void* handle() const noexcept { return stream->handle(); }
  [[nodiscard]] int32_t index() const noexcept { return device.index; }
};
// For work on `device`; a stream of another device is an error. stream nullptr: the default one.
Queue queue_for(Device device, Stream* stream);

// Uninitialised memory from the device's pool, first used in q's stream.
Ref<Buffer> allocate(const Queue& q, int64_t bytes);
// Memory of somebody else. Once own() has been called, which cannot fail, drop(ctx) is called after the
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
void follow(Buffer& buffer, const Queue& q);
// Waits on the host until nothing enqueued uses the memory.
void finish_uses(Buffer& buffer);
// Before this thread reads memory of the host itself.
inline void read_here(Buffer& buffer) {
  settle(buffer);
  finish_uses(buffer);
}

// What was given up where no device call may be made, such as a driver's callback. defer() takes no lock and
// allocates nothing; the next allocation on a device that works asynchronously calls finish(item).
struct Deferred {
  Deferred* next = nullptr;
  void (*finish)(Deferred*) noexcept = nullptr;
};
void defer(Deferred& item) noexcept;
void run_deferred() noexcept;

// Whether some device's pool is near its limit, or gave memory back to satisfy a call, lately.
int32_t memory_pressure() noexcept;

}  // namespace arr
