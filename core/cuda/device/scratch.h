// SPDX-License-Identifier: MIT
// Pool memory for the work of one scope.
#pragma once

#include "cuda/device/device.h"

namespace arr::cuda {

// A block of the pool for the work that is enqueued in this scope.
class Scratch {
 public:
  Scratch(Device& d, Stream& s, int64_t bytes)
      : device_(d), stream_(s), bytes_(bytes), block_(d.pool.allocate(bytes, s)) {}
  ~Scratch() { device_.pool.release(block_, bytes_, stream_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] void* data() const { return reinterpret_cast<void*>(block_); }

 private:
  Device& device_;
  Stream& stream_;
  int64_t bytes_;
  CUdeviceptr block_;
};

}  // namespace arr::cuda
