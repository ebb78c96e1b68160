// SPDX-License-Identifier: MIT
#include "host/kernels/run/grid.h"

namespace arr::host_kernels {

bool Grid::begin() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return started_; });
  return all_;
}

void Grid::start(bool all) {
  const std::lock_guard lock(mutex_);
  started_ = true;
  all_ = all;
  changed_.notify_all();
}

Grid::Met Grid::wait() {
  std::unique_lock lock(mutex_);
  if (++waiting_ == blocks_) {
    waiting_ = 0;
    opened_++;
    changed_.notify_all();
    return Met::all;
  }
  const uint64_t before = opened_;
  changed_.wait(lock, [&] { return opened_ != before || stopped_ || any_ended_; });
  if (opened_ != before) return Met::all;
  return any_ended_ ? Met::never : Met::stopped;
}

void Grid::end(arr_host::Dim block) {
  const std::lock_guard lock(mutex_);
  if (!any_ended_) ended_ = block;
  any_ended_ = true;
  changed_.notify_all();
}

void Grid::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

arr_host::Dim Grid::ended() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

}  // namespace arr::host_kernels
