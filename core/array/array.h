// SPDX-License-Identifier: MIT
// Buffers and arrays: memory somewhere, and a typed, strided window on it.
#pragma once

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

// Memory that several arrays may share. How it is given back is the business of the derived class.
class Buffer : public Object {
 public:
  Buffer(void* data, int64_t bytes, Device device) noexcept : data_(data), bytes_(bytes), device_(device) {}
  [[nodiscard]] char* data() const noexcept { return static_cast<char*>(data_); }
  [[nodiscard]] int64_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] Device device() const noexcept { return device_; }
  // Whether somebody else owns the memory.
  [[nodiscard]] virtual bool foreign() const noexcept { return false; }

  // The stream that used this memory last, kept by the runtime; empty before the first use.
  std::mutex use_mutex;
  Ref<Object> last_use;

 private:
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
  const bool contiguous;  // in C order; every small call asks
  const Layout layout;

  [[nodiscard]] Device device() const noexcept { return buffer->device(); }
  [[nodiscard]] int64_t item() const noexcept { return item_size(dtype); }
  // Another window on the same memory.
  [[nodiscard]] Ref<Array> view(const Layout& l, int64_t byte_offset = 0) const {
    return make<Array>(buffer, data + byte_offset, dtype, l, readonly);
  }
};

// Whether writing through one may change what the other reads (conservative).
bool may_share_memory(const Array& a, const Array& b) noexcept;

}  // namespace arr
