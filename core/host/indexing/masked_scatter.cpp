// SPDX-License-Identifier: MIT
// Writes consecutive values to the selected elements of an array. Threads work on tiles; the prefix counts of
// the mask bits give the first value of each tile.
#include <algorithm>

#include "backend/indexing.h"
#include "host/elementwise/parallel.h"
#include "host/indexing/calls.h"
#include "host/indexing/flat_tiles.h"
#include "host/loops/indexing/mask_bits.h"

namespace arr::host {

namespace {

class MaskedScatter {
 public:
  explicit MaskedScatter(const MaskedScatterCall& call) : call_(call), shape_(call.ndim, call.shape) {}
  void run() const;

 private:
  struct Tile {
    int64_t first, n, count;
    const uint64_t* bits;
    const char* values;
  };
  [[nodiscard]] bool contiguous() const {
    return shape_.one_row() && (call_.ndim == 0 || call_.target.strides[shape_.col_dimension] == call_.item);
  }
  [[nodiscard]] const char* values_of(int64_t rank, int64_t count, char* room) const;
  void strided(const Tile& t) const;

  const MaskedScatterCall& call_;
  const FlatShape shape_;
};

// Returns `count` values from number `rank` on, with readable memory after them; copies them to `room` if
// necessary.
const char* MaskedScatter::values_of(int64_t rank, int64_t count, char* room) const {
  const int64_t n = call_.nvalues, item = call_.item;
  const auto* values = static_cast<const char*>(call_.values);
  int64_t at = rank % n;
  if ((n - at - count) * item >= compact_slack) return values + at * item;
  for (int64_t done = 0; done < count; at = 0) {
    const int64_t some = std::min(n - at, count - done);
    std::copy_n(values + at * item, some * item, room + done * item);
    done += some;
  }
  return room;
}

// Calls one(position) for each set bit in [begin, end).
template <class One>
void each_bit(const uint64_t* bits, int64_t begin, int64_t end, One&& one) {
  for (int64_t word = begin / 64; word * 64 < end; ++word) {
    uint64_t rest = bits[word];
    if (word == begin / 64) rest &= ~uint64_t{0} << (begin % 64);
    if (end - word * 64 < 64) rest &= (uint64_t{1} << (end - word * 64)) - 1;
    for (; rest != 0; rest &= rest - 1) one(word * 64 + __builtin_ctzll(rest));
  }
}

void MaskedScatter::strided(const Tile& t) const {
  const int64_t *strides = call_.target.strides, item = call_.item;
  const int64_t row_step = shape_.row_dimension >= 0 ? strides[shape_.row_dimension] : 0,
                col_step = shape_.col_dimension >= 0 ? strides[shape_.col_dimension] : 0;
  const char* next = t.values;
  int64_t done = 0;
  shape_.blocks(t.first, t.n, [&](int64_t outer, int64_t row, int64_t rows, int64_t col, int64_t cols) {
    char* to = static_cast<char*>(call_.target.data) + row * row_step + col * col_step;
    shape_.outer.visit(outer, shape_.shape, [&](int32_t d, int64_t steps) { to += steps * strides[d]; });
    for (int64_t r = 0; r < rows; ++r, done += cols, to += row_step) {
      each_bit(t.bits, done, done + cols, [&](int64_t at) {
        std::copy_n(next, item, to + (at - done) * col_step);
        next += item;
      });
    }
  });
}

void MaskedScatter::run() const {
  const MaskBits& m = call_.mask;
  const auto loop = mask_loops().expand[__builtin_ctzll(static_cast<uint64_t>(call_.item))];
  const bool flat = contiguous();
  parallel_ranges(
      MaskBits::tiles(shape_.size), serial_elements / compact_tile, [&](int64_t first, int64_t last) {
        char* room = scratch(std::min(compact_tile, shape_.size) * call_.item + compact_slack);
        for (int64_t i = first; i < last; ++i) {
          Tile t;
          t.first = i * compact_tile;
          t.n = std::min(compact_tile, shape_.size - t.first);
          t.count = m.before[i + 1] - m.before[i];
          t.bits = m.bits + t.first / 64;
          if (t.count == 0) continue;
          t.values = values_of(m.before[i], t.count, room);
          if (!flat) {
            strided(t);
            continue;
          }
          loop(t.n, t.bits, t.values, static_cast<char*>(call_.target.data) + t.first * call_.item);
        }
      });
}

}  // namespace

void masked_scatter(const MaskedScatterCall& call) { MaskedScatter(call).run(); }

}  // namespace arr::host
