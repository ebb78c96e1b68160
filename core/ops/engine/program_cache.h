// SPDX-License-Identifier: MIT
// Programs of functions that are called often with small arrays, kept for ever by what tells them apart:
// building one takes longer than running it.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "base/per_thread.h"
#include "expr/program.h"

namespace arr {

// One per function. A key, not 0, stands for the program with its constants; there are few of them.
class KeptPrograms {
 public:
  template <class Build>
  const BoundProgram& get(uint64_t key, Build&& build) {
    const uint64_t first = key * 0x9e3779b97f4a7c15ULL >> 52;
    for (uint64_t probe = 0; probe < 64; ++probe) {
      Entry& e = entries_[(first + probe) % entries_.size()];
      uint64_t seen = e.key.load(std::memory_order_acquire);
      if (seen == 0 && e.key.compare_exchange_strong(seen, key, std::memory_order_acq_rel)) seen = key;
      if (seen != key) continue;
      if (const BoundProgram* p = e.program.load(std::memory_order_acquire)) return *p;
      auto fresh = std::make_unique<BoundProgram>(build());
      const BoundProgram* other = nullptr;
      if (e.program.compare_exchange_strong(other, fresh.get(), std::memory_order_acq_rel)) {
        return *fresh.release();
      }
      return *other;
    }
    struct Spare {
      BoundProgram program;  // until the thread's next
    };
    return per_thread<Spare>().program = build();
  }

 private:
  struct Entry {
    std::atomic<uint64_t> key{0};
    std::atomic<const BoundProgram*> program{nullptr};
  };
  std::array<Entry, 4096> entries_;
};

}  // namespace arr
