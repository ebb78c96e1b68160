// SPDX-License-Identifier: MIT
// Memory that is kept between calls for the work of one stream.
#include "cuda/device/stream_memory.h"

namespace arr::cuda {

namespace {

// Guards the lists of all streams: a stream may end while memory of it is given back elsewhere.
std::mutex& lists() {
  static auto* m = new std::mutex;
  return *m;
}

}  // namespace

StreamMemory::StreamMemory(Device& d, Stream& s, int64_t bytes)
    : stream_(&s), bytes_(bytes), block_(d.pool.allocate(bytes, s)) {
  const std::lock_guard lock(lists());
  next_ = s.memory;
  before_ = &s.memory;
  if (next_ != nullptr) next_->before_ = &next_;
  s.memory = this;
}

StreamMemory::~StreamMemory() {
  const std::lock_guard lock(lists());
  if (stream_ != nullptr) give_back();
}

bool StreamMemory::belongs_to(const Stream& s) const noexcept {
  const std::lock_guard lock(lists());
  return stream_ == &s;
}

void StreamMemory::leave(Stream& s) noexcept {
  const std::lock_guard lock(lists());
  while (s.memory != nullptr) s.memory->give_back();
}

void StreamMemory::give_back() noexcept {
  *before_ = next_;
  if (next_ != nullptr) next_->before_ = before_;
  stream_->device->pool.release(block_, bytes_, *stream_);
  stream_ = nullptr;
}

}  // namespace arr::cuda
