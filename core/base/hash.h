// SPDX-License-Identifier: MIT
// Hash functions for tables in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace arr {

// 2^64 divided by the golden ratio: multiplication by it spreads keys evenly (Knuth, TAOCP volume 3, 6.4).
inline constexpr uint64_t hash_factor = 0x9e3779b97f4a7c15U;

// Combines the hash h with one more word.
constexpr uint64_t hash_combine(uint64_t h, uint64_t word) noexcept {
  h = (h ^ word) * hash_factor;
  return h ^ h >> 29;
}

// The first slot to look for a key in a table of 2^bits slots.
constexpr size_t hash_slot(uint64_t key, int32_t bits) noexcept {
  return static_cast<size_t>(key * hash_factor >> (64 - bits));
}

// The hash of a range of integers.
template <class Words>
constexpr size_t hash_words(const Words& words) noexcept {
  uint64_t h = 0x243f6a8885a308d3U;
  for (const auto word : words) h = hash_combine(h, static_cast<uint64_t>(word));
  return static_cast<size_t>(h);
}

// For keys whose words() are a range of integers.
template <class Key>
struct HashWords {
  size_t operator()(const Key& key) const noexcept { return hash_words(key.words()); }
};

// FNV-1a, for names: it must not change between processes.
constexpr uint64_t hash_bytes(std::string_view bytes) noexcept {
  uint64_t h = 0xcbf29ce484222325U;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return h;
}

}  // namespace arr
