// SPDX-License-Identifier: MIT
#include "base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace arr {
namespace {

constexpr uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t load_big_endian(const uint8_t* p) {
  return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | uint32_t{p[3]};
}

}  // namespace

void Sha256::block(const uint8_t* p) {
  uint32_t w[64];
  for (int i = 0; i < 16; i++) w[i] = load_big_endian(p + 4 * i);
  for (int i = 16; i < 64; i++) {
    const uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  uint32_t v[8];
  std::copy(state_, state_ + 8, v);
  // The standard rotates its eight variables in each round; here their indices rotate.
#pragma GCC unroll 8
  for (int i = 0; i < 64; i++) {
    const auto at = [&](int k) -> uint32_t& { return v[(k - i) & 7]; };
    const uint32_t a = at(0), b = at(1), c = at(2), e = at(4), f = at(5), g = at(6);
    const uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const uint32_t t1 = at(7) + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
    const uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    at(3) += t1;
    at(7) = t1 + s0 + ((a & b) ^ (a & c) ^ (b & c));
  }
  for (int i = 0; i < 8; i++) state_[i] += v[i];
}

void Sha256::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t used = length_ % 64, n = std::min(bytes.size(), 64 - used);
    length_ += n;
    if (n == 64) {
      block(reinterpret_cast<const uint8_t*>(bytes.data()));
    } else {
      std::memcpy(pending_ + used, bytes.data(), n);
      if (length_ % 64 == 0) block(pending_);
    }
    bytes.remove_prefix(n);
  }
}

void Sha256::add_field(std::string_view bytes) {
  const uint64_t n = bytes.size();
  char length[8];
  std::memcpy(length, &n, 8);
  add({length, 8});
  add(bytes);
}

Digest Sha256::finish() {
  const uint64_t bits = length_ * 8;
  add(std::string_view("\x80", 1));
  while (length_ % 64 != 56) add(std::string_view("\0", 1));
  char end[8];
  for (int i = 0; i < 8; i++) end[i] = static_cast<char>(bits >> (56 - 8 * i));
  add({end, 8});
  Digest digest;
  for (size_t i = 0; i < 32; i++) digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

Digest sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.finish();
}

std::string hex(const Digest& digest) {
  std::string text;
  for (uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace arr
