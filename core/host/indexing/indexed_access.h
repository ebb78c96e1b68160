// SPDX-License-Identifier: MIT
// Access to blocks at the indices of one index array: indexed_access.cpp reads, indexed_access_write.cpp
// writes.
#pragma once

#include <array>
#include <cstdint>

#include "backend/indexing.h"

namespace arr::host {

class IndexList {
 public:
  explicit IndexList(const TakePutCall& call);
  void read() const;
  void write() const;

 private:
  // Number of indices whose offsets are computed at once, and of lines for which they are used then.
  static constexpr int64_t piece_indices = 1024, group_lines = 8;
  // A write of this many bytes justifies another thread; threads share blocks in parts of part_bytes.
  static constexpr int64_t parallel_bytes = 256 * 1024, part_bytes = 8 * 1024;
  // The size of a core's own caches.
  static constexpr int64_t near_bytes = 512 * 1024;
  static constexpr int32_t max_terms = 4;
  struct Room {  // scratch memory of a thread
    explicit Room(char* memory)
        : offsets(reinterpret_cast<int64_t*>(memory)),
          positions(offsets + piece_indices),
          numbers(reinterpret_cast<char*>(positions + piece_indices)),
          line(numbers + piece_indices * 8) {}
    static int64_t bytes() { return piece_indices * (8 + 8 + 8 + 16); }
    int64_t *offsets, *positions;
    char* numbers;
    char* line;
  };
  struct Halves;

  const int64_t* term(const IndexTerm& t, int64_t first, int64_t n, int64_t* to, char* numbers) const;
  const int64_t* offsets(int64_t first, int64_t n, const Room& room) const;
  void fetch(const char* line) const;
  void read_lines(int64_t line, int64_t lines, int64_t first, int64_t n, const int64_t* at, const Room& room,
                  bool is_new) const;
  void read_line(const char* from, const int64_t* offsets, int64_t n, char* to, const Room& room) const;
  void write_part(char* to, int64_t part, const int64_t* offsets, int64_t n, const char* from) const;
  void write_parts() const;
  [[nodiscard]] bool checks() const;
  [[nodiscard]] bool outside() const;
  void check() const;
  [[nodiscard]] std::array<int64_t, 2> span() const;
  [[nodiscard]] bool has_halves() const;
  template <int64_t Bytes>
  bool split(const Halves& to, int64_t chunk, const Room& room) const;
  bool split_chunk(const Halves& to, int64_t chunk, const Room& room) const;
  void write_half(const Halves& lists, bool upper, const char* one) const;
  void write_halves() const;
  // The min number of units of work for a thread; a unit has that many indices and bytes.
  [[nodiscard]] int64_t grain(int64_t indices, int64_t bytes) const;

  const TakePutCall& call_;
  int64_t piece_ = piece_indices, pieces_ = 0;  // indices per piece; number of pieces
  int64_t parts_ = 1;                           // number of parts of a block that is written
  bool item_, stream_, near_ = false;
  bool fetches_ = false;  // prefetch lines that the caches do not hold and of which most is read
  int32_t log2_ = 0;
  int64_t low_ = 0, reach_ = 0;      // range of a line's elements in bytes, from its first element on
  int64_t factors_[max_terms] = {};  // offset = (.. (p0 * f0 + p1) * f1 ..) * scale, or a sum of products
  int64_t scale_ = 1;
  bool nested_ = true;
};

}  // namespace arr::host
