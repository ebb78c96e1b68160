// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), for keys and contents of the cache of compiled kernels.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace arr {

using Digest = std::array<uint8_t, 32>;

class Sha256 {
 public:
  void add(std::string_view bytes);
  // Adds the length and then the bytes, so that ("ab","c") and ("a","bc") differ.
  void add_field(std::string_view bytes);
  Digest finish();

 private:
  void block(const uint8_t* p);
  uint32_t state_[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  uint8_t pending_[64] = {};
  uint64_t length_ = 0;
};

Digest sha256(std::string_view bytes);
std::string hex(const Digest& digest);

}  // namespace arr
