// SPDX-License-Identifier: MIT
// Buffers and arrays: memory, and a typed, strided view of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "array/layout.h"
#include "base/object.h"

namespace arr {

struct Device {
  int32_t type = ARR_HOST;
  int32_t index = 0;
  friend bool operator==(const Device&, const Device&) = default;
};

// Values that memory will have: those of an operation that was recorded but has not run
// (ops/elementwise/fuse/fuse.h).
class Pending : public Object {
 public:
  // Runs the operation unless it has run. A failed operation throws its error every time.
  virtual void materialize() = 0;
  // Called when the memory is released, so the values are no longer needed.
  virtual void cancel() noexcept = 0;
};

// Memory that several arrays may share. A derived class releases it.
class Buffer : public Object {
 public:
  Buffer(void* data, int64_t bytes, Device device) noexcept : data_(data), bytes_(bytes), device_(device) {}
  ~Buffer() override {
    Pending* p = pending_.load(std::memory_order_acquire);
    if (p == nullptr) return;
    p->cancel();
    p->release();
  }
  [[nodiscard]] char* data() const noexcept { return static_cast<char*>(data_); }
  [[nodiscard]] int64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  // True if the memory is the caller's or another library's.
  [[nodiscard]] virtual bool foreign() const noexcept { return false; }

  // True if the memory exists as long as this object. A caller may free foreign memory when its last array is
  // released.
  [[nodiscard]] virtual bool lasting() const noexcept { return true; }

  // The values that must be computed before the memory is used; the runtime's use() does that.
  [[nodiscard]] Ref<Pending> pending() {
    if (pending_.load(std::memory_order_acquire) == nullptr) return nullptr;
    const std::lock_guard lock(use_mutex);
    return Ref<Pending>::share(pending_.load(std::memory_order_relaxed));
  }
  // For memory that no other thread can access yet.
  void begin_pending(Ref<Pending> values) noexcept {
    pending_.store(values.detach(), std::memory_order_release);
  }
  // For memory that will be overwritten entirely. Returns the former pending values.
  [[nodiscard]] Ref<Pending> set_pending(Ref<Pending> values) {
    const std::lock_guard lock(use_mutex);
    return Ref<Pending>::adopt(pending_.exchange(values.detach(), std::memory_order_acq_rel));
  }
  // Called once the values are computed, or enqueued in the stream that used the memory last. Returns them.
  [[nodiscard]] Ref<Pending> clear_pending() {
    const std::lock_guard lock(use_mutex);
    return Ref<Pending>::adopt(pending_.exchange(nullptr, std::memory_order_acq_rel));
  }

  // True if code outside of the library may know the address and write to the memory at any time.
  std::atomic<bool> exposed{false};

  // The number of objects that rely on the contents; while there is one, the arrays of this memory are
  // read-only.
  std::atomic<int32_t> constant{0};

  // The stream that used this memory last; empty before the first use. The runtime sets it. Most calls read
  // only its address, which is written last: if it is the call's own stream, there is nothing to wait for.
  std::mutex use_mutex;
  Ref<Object> last_use;
  std::atomic<const Object*> last_stream{nullptr};

 private:
  std::atomic<Pending*> pending_{nullptr};
  void* data_;
  int64_t bytes_;
  Device device_;
};

class Array : public Object {
 public:
  Array(Ref<Buffer> memory, char* first, DType type, const Layout& window, bool read_only = false) noexcept
      : buffer(std::move(memory)),
        data(first),
        dtype(type),
        readonly(read_only),
        contiguous(window.is_contiguous(item_size(type), Order::C)),
        layout(window) {}

  const Ref<Buffer> buffer;
  char* const data;  // element (0,..,0)
  const DType dtype;
  const bool readonly;
  const bool contiguous;  // in C order; stored because every small call reads it
  const Layout layout;

  // True if it cannot be written: since it was made, or while other objects rely on its contents.
  [[nodiscard]] bool is_readonly() const noexcept {
    return readonly || buffer->constant.load(std::memory_order_acquire) != 0;
  }
  [[nodiscard]] Device device() const noexcept { return buffer->device(); }
  [[nodiscard]] int64_t item() const noexcept { return item_size(dtype); }
  // Another reference to this array, which is never changed.
  [[nodiscard]] Ref<Array> share() const noexcept { return Ref<Array>::share(const_cast<Array*>(this)); }
  // Another view of the same memory.
  [[nodiscard]] Ref<Array> view(const Layout& l, int64_t byte_offset = 0) const {
    return make<Array>(buffer, data + byte_offset, dtype, l, readonly);
  }
};

// True if both have the same elements in the same order; dtypes of one size may differ.
bool same_window(const Array& a, const Array& b) noexcept;
// True if writing one may change the other (conservative).
bool may_share_memory(const Array& a, const Array& b) noexcept;

}  // namespace arr
