// SPDX-License-Identifier: MIT
// Streams, events, buffers from pools and of other owners, and the order of streams.
#include "runtime/streams.h"

#include <array>
#include <atomic>

#include "arr/memory.h"
#include "backend/backend.h"
#include "backend/memory.h"
#include "backend/stream.h"
#include "base/pressure.h"
#include "runtime/captures.h"
#include "runtime/memory_hooks.h"

namespace arr {

namespace {

std::atomic<Deferred*> deferred{nullptr};

// Memory of a device's pool, returned in order of the stream that used it last.
class PoolBuffer final : public Buffer {
 public:
  PoolBuffer(const Backend* backend, void* data, int64_t bytes, Device device) noexcept
      : Buffer(data, bytes, device), backend_(backend) {}

 protected:
  ~PoolBuffer() override {
    end_await(*this);
    if (data() == nullptr) return;
    notify_hooks(ARR_MEMORY_FREE, device(), bytes(), data());
    auto* last = static_cast<Stream*>(last_use.get());
    BackendError ignored;  // a lost device cannot take it back; there is no caller to report that to
    api<MemoryApi>(*backend_).release(device().index, data(), bytes(),
                                      last == nullptr ? nullptr : last->handle(), &ignored);
  }

 private:
  const Backend* backend_;
};

class ForeignBuffer final : public Buffer {
 public:
  using Buffer::Buffer;
  [[nodiscard]] bool foreign() const noexcept override { return true; }
  [[nodiscard]] bool lasting() const noexcept override { return drop_ != nullptr; }
  void own(Drop drop, void* ctx) noexcept {
    drop_ = drop;
    ctx_ = ctx;
  }

 protected:
  ~ForeignBuffer() override {
    // The owner may reuse the memory at once, so no work may still use it.
    try {
      finish_uses(*this);
    } catch (...) {  // NOLINT(bugprone-empty-catch): a lost device runs no more work
    }
    if (drop_ != nullptr) drop_(ctx_);
  }

 private:
  Drop drop_ = nullptr;
  void* ctx_ = nullptr;
};

}  // namespace

Stream::~Stream() {
  BackendError ignored;
  if (owned_) api<StreamApi>(device_).destroy(device_.index, handle_, &ignored);
}

Ref<Captured> Stream::captured() {
  if (!capturing()) return nullptr;
  const std::lock_guard lock(mutex_);
  return Ref<Captured>::share(captured_.load(std::memory_order_relaxed));
}

void Stream::enter(Ref<Captured> capture) {
  const std::lock_guard lock(mutex_);
  captured_.store(capture.detach(), std::memory_order_release);
}

void Stream::leave() {
  Ref<Captured> last;  // destroyed without the lock
  const std::lock_guard lock(mutex_);
  last = Ref<Captured>::adopt(captured_.exchange(nullptr, std::memory_order_acq_rel));
}

Event::~Event() {
  BackendError ignored;
  api<StreamApi>(device_).event_destroy(device_.index, handle_, &ignored);
}

Stream& default_stream(Device device) {
  constexpr int32_t max_devices = 64;  // devices of a type
  static std::array<std::array<std::atomic<Stream*>, max_devices>, 3> streams{};
  if (device.index < 0 || device.index >= max_devices) {
    fail(ARR_E_UNSUPPORTED, "argument device: index ", device.index, ", at most ", max_devices - 1);
  }
  auto& slot = streams[static_cast<size_t>(device.type)][static_cast<size_t>(device.index)];
  Stream* s = slot.load(std::memory_order_acquire);
  if (s != nullptr) return *s;
  auto* fresh = new Stream(device, nullptr, false);
  if (slot.compare_exchange_strong(s, fresh, std::memory_order_acq_rel)) return *fresh;
  fresh->release();
  return *s;
}

Queue queue_for(Device device, Stream* stream) {
  if (stream != nullptr && !(stream->device() == device)) {
    fail(ARR_E_ARGUMENT, "argument stream: is on ", device_text(stream->device()), ", the work on ",
         device_text(device));
  }
  const Backend& b = backend(device.type);
  return {&b, b.synchronous, device, stream != nullptr ? stream : &default_stream(device)};
}

namespace {

// Deferred work keeps its operands alive; running it may release enough memory for a second attempt.
void take(const Queue& q, int64_t bytes, void** data) {
  try {
    return call(api<MemoryApi>(q).allocate, q.index(), bytes, q.handle(), data);
  } catch (const Error& e) {
    if (e.status() != ARR_E_MEMORY || recorders.load(std::memory_order_acquire) == 0) throw;
  }
  run_recorders(nullptr);
  call(api<MemoryApi>(q).allocate, q.index(), bytes, q.handle(), data);
}

}  // namespace

Ref<Buffer> allocate(const Queue& q, int64_t bytes) {
  before_allocation();
  if (!q.synchronous) run_deferred();
  void* data = nullptr;
  if (bytes > 0) {
    try {
      take(q, bytes, &data);
    } catch (const Error& e) {
      if (e.status() == ARR_E_MEMORY) raise_pressure();
      throw;
    }
  }
  Ref<Buffer> buffer;
  try {
    buffer = make<PoolBuffer>(q.backend, data, bytes, q.device);
  } catch (...) {
    BackendError ignored;
    if (data != nullptr) api<MemoryApi>(q).release(q.index(), data, bytes, q.handle(), &ignored);
    throw;
  }
  follow(*buffer, q);
  if (const Ref<Captured> capture = q.stream->captured()) await_launch(*buffer, *capture);
  if (data != nullptr) notify_hooks(ARR_MEMORY_ALLOC, q.device, bytes, data);
  return buffer;
}

Ref<Buffer> wrap(void* data, int64_t bytes, Device device) {
  return make<ForeignBuffer>(data, bytes, device);
}

void own(Buffer& wrapped, Drop drop, void* ctx) noexcept {
  static_cast<ForeignBuffer&>(wrapped).own(drop, ctx);
}

void use(Buffer& buffer, const Queue& q) {
  materialize_for_write(buffer);
  check_launched(buffer, q.stream);
  follow(buffer, q);
}

void use_to_read(Buffer& buffer, const Queue& q) {
  materialize(buffer);
  check_launched(buffer, q.stream);
  follow(buffer, q, Use::read);
}

void follow_others(Buffer& buffer, const Queue& q, Use how) {
  if (const Ref<Captured> capture = q.stream->captured(); capture && capture->keep(buffer, q, how)) return;
  if (q.synchronous) return;
  const std::lock_guard lock(buffer.use_mutex);
  auto* last = static_cast<Stream*>(buffer.last_use.get());
  if (last == q.stream) return;
  if (last != nullptr) call(api<StreamApi>(q).wait_stream, q.index(), q.handle(), last->handle());
  buffer.last_use = Ref<Object>::share(q.stream);
  buffer.last_stream.store(q.stream, std::memory_order_release);
}

void finish_uses(Buffer& buffer) {
  check_launched(buffer, nullptr);
  Ref<Object> last;
  {
    const std::lock_guard lock(buffer.use_mutex);
    last = buffer.last_use;
  }
  if (!last) return;
  call(api<StreamApi>(buffer.device()).sync, buffer.device().index,
       static_cast<Stream*>(last.get())->handle());
}

void defer(Deferred& item) noexcept {
  item.next = deferred.load(std::memory_order_relaxed);
  while (!deferred.compare_exchange_weak(item.next, &item, std::memory_order_release,
                                         std::memory_order_relaxed)) {
  }
}

void run_deferred() noexcept {
  if (deferred.load(std::memory_order_relaxed) == nullptr) return;
  Deferred* item = deferred.exchange(nullptr, std::memory_order_acquire);
  while (item != nullptr) {
    Deferred* next = item->next;  // finish() ends the item
    item->finish(item);
    item = next;
  }
}

int32_t memory_pressure() noexcept {
  if (own_pressure.load(std::memory_order_relaxed) == 0) return 0;
  return own_pressure.exchange(0, std::memory_order_relaxed);
}

}  // namespace arr
