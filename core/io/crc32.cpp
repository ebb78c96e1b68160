// SPDX-License-Identifier: MIT
// CRC-32 by eight tables, eight bytes at a time.
#include "io/crc32.h"

#include <array>
#include <cstring>

namespace arr::io {

namespace {

using Tables = std::array<std::array<uint32_t, 256>, 8>;

constexpr Tables tables = [] {
  Tables t{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xedb88320U ^ (c >> 1) : c >> 1;
    t[0][i] = c;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t i = 0; i < 256; ++i) t[k][i] = t[0][t[k - 1][i] & 0xffU] ^ (t[k - 1][i] >> 8);
  }
  return t;
}();

}  // namespace

uint32_t crc32(uint32_t so_far, const void* bytes, int64_t n) noexcept {
  const auto* at = static_cast<const unsigned char*>(bytes);
  uint32_t c = ~so_far;
  for (; n >= 8; n -= 8, at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    word ^= c;
    c = 0;
    for (size_t k = 0; k < 8; ++k) c ^= tables[7 - k][word >> (8 * k) & 0xffU];
  }
  for (; n > 0; --n, ++at) c = tables[0][(c ^ *at) & 0xffU] ^ (c >> 8);
  return ~c;
}

}  // namespace arr::io
