// SPDX-License-Identifier: MIT
// The blocks of a cooperative launch, each on a separate OS thread, and their common barrier.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "hostcuda/shim/abi.h"

namespace arr::host_kernels {

class Grid {
 public:
  explicit Grid(uint64_t blocks) : blocks_(blocks) {}

  // Blocks begin together, when all have a thread, or none does: begin() returns what start() was given.
  bool begin();
  void start(bool all);

  enum class Met {
    all,
    stopped,  // a block has failed
    never     // a block has ended without a barrier at which others wait
  };
  Met wait();
  void end(arr_host::Dim block);
  void stop();
  // The block for which others would wait for ever.
  [[nodiscard]] arr_host::Dim ended();
  // Zeros of this launch, in which PTX counts the blocks that have arrived.
  [[nodiscard]] uint32_t* memory() { return memory_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const uint64_t blocks_;
  uint64_t waiting_ = 0, opened_ = 0;
  bool started_ = false, all_ = false, stopped_ = false, any_ended_ = false;
  arr_host::Dim ended_ = {};
  alignas(16) uint32_t memory_[4] = {};
};

// This block's part of a grid barrier. Returns false if the launch cannot continue.
bool meet_other_blocks(arr_host::Worker& w, unsigned line);
// The same of a block on fibers all of whose live threads wait, some of them at a barrier of the grid.
bool open_grid(arr_host::Worker& w);

}  // namespace arr::host_kernels
