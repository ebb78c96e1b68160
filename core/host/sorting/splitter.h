// SPDX-License-Identifier: MIT
// The pieces into which a sort splits integers that no cache holds: by their leading bits or, where these
// leave most of them in few pieces (as the exponents of floats do), by more bits and a table that a sample
// fills.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace arr::host {

inline constexpr int split_bits = 8;
inline constexpr int64_t split_pieces = int64_t{1} << split_bits;

// Integers from `least` on, which is 0 in the bits below `low`; their distance from it has `bits` bits above
// those.
template <class K>
struct KeySpan {
  K least = 0;
  int bits = 0;
};

template <class K>
class Splitter {
 public:
  // Splits n integers x. It reads only a sample of them, where one is allowed.
  Splitter(const K* x, int64_t n, const KeySpan<K>& span, int low, bool sampled) : min_(span.least) {
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
  // body(piece_of), where piece_of(k) is 0 to split_pieces - 1.
  template <class Body>
  void use(const Body& body) const {
    const K least = min_;
    const int shift = shift_;
    if (table_.empty()) {
      return body([=](K k) { return slot_of(k, least, shift); });
    }
    const uint8_t* table = table_.data();
    body([=](K k) { return static_cast<size_t>(table[slot_of(k, least, shift)]); });
  }

 private:
  static constexpr int max_slot_bits = 16;
  static constexpr int64_t min_sampled = int64_t{1} << 16, samples = int64_t{1} << 12;

  static size_t slot_of(K k, K least, int shift) {
    return static_cast<size_t>(static_cast<K>(static_cast<K>(k - least) >> shift));
  }
  // One integer of each part of x, at an index from a fixed sequence, so that equal calls do equal work.
  void sample(const K* x, int64_t n, int shift, uint32_t* counts) const {
    uint64_t state = 0x9e3779b97f4a7c15ULL;
    const auto part = static_cast<uint64_t>(n / samples);
    for (int64_t i = 0; i < samples; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      ++counts[slot_of(x[i * static_cast<int64_t>(part) + static_cast<int64_t>((state >> 32) % part)], min_,
                       shift)];
    }
  }
  // True if no piece by leading bits has many times its share.
  static bool are_even(const std::vector<uint32_t>& counts) {
    const size_t each = counts.size() >> split_bits;
    for (size_t at = 0; at < counts.size(); at += each) {
      uint32_t here = 0;
      for (size_t i = at; i < at + each; ++i) here += counts[i];
      if (here > 3 * samples / split_pieces) return false;
    }
    return true;
  }
  // Neighbouring slots share a piece until it has its share of the sample. A slot with more has a piece of
  // its own, so that integers are split even if the sample has only one.
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
