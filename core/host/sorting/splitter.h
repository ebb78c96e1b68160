// SPDX-License-Identifier: MIT
// Splits integers that exceed a core's cache into pieces: by their leading bits, or if these put most
// integers into a few pieces (as the exponents of floats do), by more bits and a table made from a sample.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace arr::host {

inline constexpr int split_bits = 8;
inline constexpr int64_t split_pieces = int64_t{1} << split_bits;

// Integers from `min_key` on, whose bits below `low` are ignored; their distance from it has `bits` bits
// above these.
template <class K>
struct KeySpan {
  K min_key = 0;
  int bits = 0;
};

template <class K>
class Splitter {
 public:
  // Plans the split of n integers x. Only a sample of them is read, if that is allowed.
  Splitter(const K* x, int64_t n, const KeySpan<K>& span, int low, bool sampled) : min_(span.min_key) {
    const int slot_bits =
        std::min(span.bits, std::clamp(static_cast<int>(std::bit_width(static_cast<uint64_t>(n))) - 7,
                                       split_bits, max_slot_bits));
    shift_ = low + std::max(0, span.bits - split_bits);
    if (!sampled || n < min_sampled || slot_bits <= split_bits) return;
    const int slot_shift = low + span.bits - slot_bits;
    std::vector<uint32_t> counts(size_t{1} << slot_bits);
    sample(x, n, slot_shift, counts.data());
    if (are_even(counts)) return;
    shift_ = slot_shift;
    fill(counts);
  }

  [[nodiscard]] bool by_sample() const { return !table_.empty(); }
  // Calls body(piece_of); piece_of(k) is the piece of k, from 0 to split_pieces - 1.
  template <class Body>
  void use(const Body& body) const {
    const K min_key = min_;
    const int shift = shift_;
    if (table_.empty()) {
      return body([=](K k) { return slot_of(k, min_key, shift); });
    }
    const uint8_t* table = table_.data();
    body([=](K k) { return static_cast<size_t>(table[slot_of(k, min_key, shift)]); });
  }

 private:
  static constexpr int max_slot_bits = 16;
  static constexpr int64_t min_sampled = int64_t{1} << 16, samples = int64_t{1} << 12;

  static size_t slot_of(K k, K min_key, int shift) {
    return static_cast<size_t>(static_cast<K>(static_cast<K>(k - min_key) >> shift));
  }
  // Samples one integer of each part of x, at an index from a fixed sequence, so that equal calls do equal
  // work.
  void sample(const K* x, int64_t n, int shift, uint32_t* counts) const {
    uint64_t state = 0x9e3779b97f4a7c15ULL;
    const auto part = static_cast<uint64_t>(n / samples);
    for (int64_t i = 0; i < samples; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      ++counts[slot_of(x[i * static_cast<int64_t>(part) + static_cast<int64_t>((state >> 32) % part)], min_,
                       shift)];
    }
  }
  // True if no piece by leading bits has many times its share of the sample.
  static bool are_even(const std::vector<uint32_t>& counts) {
    const size_t each = counts.size() >> split_bits;
    for (size_t at = 0; at < counts.size(); at += each) {
      uint32_t here = 0;
      for (size_t i = at; i < at + each; ++i) here += counts[i];
      if (here > 3 * samples / split_pieces) return false;
    }
    return true;
  }
  // Neighbouring slots of the table share a piece until it has its share of the sample. A slot with more has
  // a separate piece, so that integers are split even if the sample has only one value.
  void fill(const std::vector<uint32_t>& counts) {
    constexpr uint32_t share = 2 * samples / split_pieces;
    table_.resize(counts.size());
    int64_t piece = 0;
    uint32_t so_far = 0;
    for (size_t i = 0; i < counts.size(); ++i) {
      if (i > 0 && (so_far >= share || so_far + counts[i] > share)) {
        piece = std::min(piece + 1, split_pieces - 1);
        so_far = 0;
      }
      table_[i] = static_cast<uint8_t>(piece);
      so_far += counts[i];
    }
  }

  K min_;
  int shift_ = 0;
  std::vector<uint8_t> table_;
};

}  // namespace arr::host
