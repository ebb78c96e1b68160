// SPDX-License-Identifier: MIT
// Memory that is kept between calls for the work of one stream.
#pragma once

#include "cuda/device/device.h"

namespace arr::cuda {

// A block of the pool. It is given back when this ends, or with the stream if that is destroyed first.
class StreamMemory {
 public:
  StreamMemory(Device& d, Stream& s, int64_t bytes);
  ~StreamMemory();
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;
  [[nodiscard]] void* data() const { return reinterpret_cast<void*>(block_); }
  // True if it is there, for this stream.
  [[nodiscard]] bool belongs_to(const Stream& s) const noexcept;
  // The end of a stream: gives all of its memory back.
  static void leave(Stream& s) noexcept;

 private:
  void give_back() noexcept;
  Stream* stream_;
  int64_t bytes_;
  CUdeviceptr block_;
  StreamMemory *next_ = nullptr, **before_ = nullptr;  // of the stream's list
};

}  // namespace arr::cuda
