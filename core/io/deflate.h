// SPDX-License-Identifier: MIT
// Deflated data (RFC 1951) and the checksum of ZIP archives, by zlib.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace arr::io {

// More input: up to `max_bytes` bytes to `to`, as many as it returns; 0 at the end.
using BytesIn = std::function<int64_t(char* to, int64_t max_bytes)>;
using BytesOut = std::function<void(const char* from, int64_t bytes)>;

// Inflates raw deflated data piece by piece.
class Inflater {
 public:
  explicit Inflater(BytesIn input);
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater();
  // Reads up to `bytes` more; fewer only at the end of the data. -1: the data are invalid.
  int64_t read(char* to, int64_t bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Deflates bytes piece by piece.
class Deflater {
 public:
  explicit Deflater(BytesOut output);
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater();
  void write(const char* from, int64_t bytes);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
  void run(const char* from, int64_t bytes, int flush);
};

// CRC-32 (IEEE 802.3): continues the checksum `so_far` (0 at first) with these bytes.
uint32_t checksum(uint32_t so_far, const void* bytes, int64_t n) noexcept;

}  // namespace arr::io
