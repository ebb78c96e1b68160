// SPDX-License-Identifier: MIT
// Memory of the host's pool for the duration of a call.
#pragma once

#include <cstdint>

namespace arr::host {

class PoolBlock {
 public:
  // Throws as Pool::allocate does.
  explicit PoolBlock(int64_t bytes);
  PoolBlock(const PoolBlock&) = delete;
  PoolBlock& operator=(const PoolBlock&) = delete;
  ~PoolBlock();
  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] int64_t bytes() const { return bytes_; }

 private:
  int64_t bytes_;
  char* data_;
};

}  // namespace arr::host
