// SPDX-License-Identifier: MIT
// Error flags of calls: words in page-locked memory that kernels write. Calls that wait anyway read them.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "backend/error.h"
#include "backend/fault.h"

namespace arr::cuda {

class Device;
struct Stream;

class ErrorFlags {
 public:
  // The device address of a word for work of the stream. If too many are in use, it waits and reports errors.
  void* take(Device& d, const FaultCall& fault, Stream& s);
  // Drops a word: of work that was not enqueued, or of a graph that was released but may still run.
  void drop(const void* word, bool may_run) noexcept;
  // Throws the first error that has not been reported. `done`: the caller has waited for this stream, so its
  // words are free; all: for every stream.
  void report(const Stream* done, bool all = false) {
    if (used_.load(std::memory_order_acquire) != 0) look(done, all);
  }
  // Called when the stream is destroyed; its work may still run.
  void forget(const Stream& s) noexcept;

 private:
  struct Addresses {
    uint64_t* host = nullptr;
    uint64_t* device = nullptr;
  };
  struct Word {
    Addresses at;
    FaultCall fault;
    const Stream* stream = nullptr;  // null: of a graph, or of a destroyed stream
    bool captured = false;           // belongs to a graph, which may run again
    bool reported = false;
  };
  void look(const Stream* done, bool all);
  void wait_for_some(Device& d, Stream& s);
  Addresses unused(Device& d);

  std::atomic<int64_t> used_{0};
  std::mutex mutex_;
  std::vector<Word> words_;  // in the order of their calls
  std::vector<Addresses> unused_;
};

int32_t fault_begin(int32_t device, const FaultCall* fault, void* stream, void** word, BackendError* e);
int32_t fault_end(int32_t device, void* word, int32_t enqueued, void* stream, BackendError* e);

}  // namespace arr::cuda
