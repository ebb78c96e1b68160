// SPDX-License-Identifier: MIT
#include "hostcuda/run/grid.h"

#include <bit>

#include "base/error.h"
#include "hostcuda/run/deadlock.h"
#include "hostcuda/run/scheduler.h"

namespace arr::host_kernels {

using arr_host::Worker;

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

bool meet_other_blocks(Worker& w, unsigned line) {
  const Grid::Met met = w.grid->wait();
  if (met == Grid::Met::all) return true;
  if (met == Grid::Met::stopped) {
    fail_block(w, "");
    return false;
  }
  const auto index = [](arr_host::Dim i) { return text("(", i.x, ",", i.y, ",", i.z, ")"); };
  fail_block(
      w, text("kernel '", w.kernel_name, "': block ", index(w.block_index), " waits at grid.sync in line ",
              line, ", but block ", index(w.grid->ended()), " has ended without it"));
  return false;
}

bool open_grid(Worker& w) {
  int live = 0, first = main_context;
  for (int k = w.warps - 1; k >= 0; k--) {
    live += std::popcount(w.live[k]);
    if (w.live[k] != 0) first = lowest(k, w.live[k]);
  }
  if (w.grid_waits != live) {
    fail_block(w, deadlock_text(w));
    return false;
  }
  w.grid_waits = 0;
  return meet_other_blocks(w, w.wait_line[first]);
}

}  // namespace arr::host_kernels
