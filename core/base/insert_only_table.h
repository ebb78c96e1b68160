// SPDX-License-Identifier: MIT
// A table from keys to values that are never freed: entries are added and never removed, so readers take no
// lock.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/hash.h"

namespace arr {

// It has 2^Bits slots and open addressing. Keys are not 0.
template <class Value, int32_t Bits>
class InsertOnlyTable {
 public:
  // The key's value, or nullptr.
  [[nodiscard]] const Value* find(uint64_t key) const noexcept {
    for (size_t probe = 0; probe < max_probes; ++probe) {
      const Entry& e = entries_[slot_of(key, probe)];
      const uint64_t seen = e.key.load(std::memory_order_acquire);
      if (seen == key) return e.value.load(std::memory_order_acquire);
      if (seen == 0) break;
    }
    return nullptr;
  }
  // Adds a value and returns it, or the value that another thread has added before; nullptr if all slots for
  // the key are taken.
  const Value* add(uint64_t key, const Value* value) noexcept {
    for (size_t probe = 0; probe < max_probes; ++probe) {
      Entry& e = entries_[slot_of(key, probe)];
      uint64_t seen = e.key.load(std::memory_order_acquire);
      if (seen == 0 && e.key.compare_exchange_strong(seen, key, std::memory_order_acq_rel)) seen = key;
      if (seen != key) continue;
      const Value* other = nullptr;
      return e.value.compare_exchange_strong(other, value, std::memory_order_acq_rel) ? value : other;
    }
    return nullptr;
  }

 private:
  static constexpr size_t slots = size_t{1} << Bits;
  static constexpr size_t max_probes = 64;  // a longer probe would cost more than it saves
  struct Entry {
    std::atomic<uint64_t> key{0};
    std::atomic<const Value*> value{nullptr};
  };
  static size_t slot_of(uint64_t key, size_t probe) noexcept {
    return (hash_slot(key, Bits) + probe) % slots;
  }
  std::array<Entry, slots> entries_;
};

}  // namespace arr
