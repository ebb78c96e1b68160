// SPDX-License-Identifier: MIT
// Writes blocks at the indices of one index array, in order, after all indices are checked. For a large line,
// items are first partitioned into those for the lower and the upper half of its memory, so that two threads
// can write.
#include <algorithm>
#include <array>

#include "base/checked.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/indexing/indexed_access.h"

namespace arr::host {

namespace {

// Prefetch distance in indices. It prefetches to the second-level cache, because a core can have more such
// accesses in flight than to the first.
constexpr int64_t fetched_ahead = 64;
constexpr int for_level2 = 2;

// Stores items in order. near: the memory is in the caches.
using StoreFn = void (*)(int64_t n, char* memory, const int64_t* offsets, int64_t scale, const char* from,
                         int64_t step, bool near);
template <int64_t Bytes>
void store(int64_t n, char* memory, const int64_t* offsets, int64_t scale, const char* from, int64_t step,
           bool near) {
  int64_t i = 0;
  for (const int64_t fetched = near ? 0 : n - fetched_ahead; i < fetched; ++i, from += step) {
    __builtin_prefetch(memory + offsets[i + fetched_ahead] * scale, 0, for_level2);
    std::copy_n(from, Bytes, memory + offsets[i] * scale);
  }
#pragma GCC unroll 8
  for (; i < n; ++i, from += step) std::copy_n(from, Bytes, memory + offsets[i] * scale);
}
constexpr StoreFn stores[5] = {store<1>, store<2>, store<4>, store<8>, store<16>};

// Indices are partitioned in chunks of chunk_indices; those of the upper half fill the chunk from its end. A
// round has at most round_indices indices.
constexpr int64_t chunk_indices = 8192, round_indices = int64_t{1} << 24;
// Partition from this number of indices on.
constexpr int64_t min_indices = 4 * serial_elements;

// Stores one half of a chunk: its items and offsets are consecutive in the direction of `step`.
template <int64_t Bytes>
void store_list(char* memory, int64_t scale, const uint32_t* at, const char* items, bool one, int64_t n,
                int64_t step) {
  const int64_t from_step = one ? 0 : step * Bytes;
  int64_t i = 0;
  for (; i + fetched_ahead < n; ++i) {
    __builtin_prefetch(memory + int64_t{at[(i + fetched_ahead) * step]} * scale, 0, for_level2);
    std::copy_n(items + i * from_step, Bytes, memory + int64_t{at[i * step]} * scale);
  }
  for (; i < n; ++i) std::copy_n(items + i * from_step, Bytes, memory + int64_t{at[i * step]} * scale);
}
using StoreListFn = void (*)(char* memory, int64_t scale, const uint32_t* at, const char* items, bool one,
                             int64_t n, int64_t step);
constexpr StoreListFn list_stores[5] = {store_list<1>, store_list<2>, store_list<4>, store_list<8>,
                                        store_list<16>};

}  // namespace

void IndexList::write_part(char* to, int64_t part, const int64_t* offsets, int64_t n,
                           const char* from) const {
  const int64_t step = call_.others_step, bytes = std::min(part_bytes, call_.block - part);
  if (item_) return stores[log2_](n, to, offsets, scale_, from, step, near_);
  for (int64_t i = 0; i < n; ++i) {
    std::copy_n(from + i * step + part, bytes, to + offsets[i] * scale_ + part);
  }
}

bool IndexList::checks() const {
  return std::any_of(call_.terms, call_.terms + call_.nterms,
                     [](const IndexTerm& t) { return t.word != nullptr; });
}
bool IndexList::outside() const {
  return std::any_of(call_.terms, call_.terms + call_.nterms,
                     [](const IndexTerm& t) { return t.word != nullptr && *t.word != 0; });
}

void IndexList::check() const {
  parallel_ranges(pieces_, std::max<int64_t>(serial_elements / piece_, 1), [&](int64_t begin, int64_t end) {
    const Room room(scratch(Room::bytes()));
    for (int64_t u = begin; u < end; ++u) {
      const int64_t first = u * piece_, n = std::min(piece_, call_.n - first);
      for (int32_t k = 0; k < call_.nterms; ++k) {
        if (call_.terms[k].word != nullptr) term(call_.terms[k], first, n, room.positions, room.numbers);
      }
    }
  });
}

// Each part of a line is written by one thread, in order.
void IndexList::write_parts() const {
  parallel_ranges(call_.lines * parts_, grain(call_.n, call_.n * std::min(call_.block, part_bytes)),
                  [&](int64_t begin, int64_t end) {
                    const Room room(scratch(Room::bytes()));
                    for (int64_t u = 0; u < pieces_; ++u) {
                      const int64_t first = u * piece_, n = std::min(piece_, call_.n - first);
                      const int64_t* at = offsets(first, n, room);
                      if (outside()) return;
                      for (int64_t k = begin; k < end; ++k) {
                        const int64_t line = k / parts_, part = k % parts_ * part_bytes;
                        const int64_t from = (line * call_.n + first) * call_.others_step;
                        write_part(call_.memory + line * call_.line_stride, part, at, n, call_.others + from);
                      }
                    }
                  });
}

// The partitioned indices of a round. An index is stored as its offset minus the least one.
struct IndexList::Halves {
  uint32_t* at;      // offsets, each chunk at its first index
  char* items;       // nullptr: the value is the same for all indices
  uint32_t* counts;  // for each chunk the number of indices in the lower half
  int64_t first, n;  // the indices of the round
  int64_t min_offset, middle;
};

// The min and max sum of the terms, in units of the offsets.
std::array<int64_t, 2> IndexList::span() const {
  std::array<int64_t, 2> ends = {0, 0};
  for (int32_t k = 0; k < call_.nterms; ++k) {
    const int64_t length = call_.terms[k].stride / scale_ * (call_.terms[k].extent - 1);
    ends[length < 0 ? 0 : 1] += length;
  }
  return ends;
}

bool IndexList::has_halves() const {
  if (!item_ || near_ || call_.lines != 1 || call_.n < min_indices || concurrency() == 1) return false;
  const auto [min_offset, max_offset] = span();
  return max_offset - min_offset <= int64_t{0xffffffff};
}

// Partitions a chunk; returns false if an index is out of range. Bytes: size of an item, 0 if all indices
// have the same. It is branch-free, because branches on indices would be mispredicted.
template <int64_t Bytes>
bool IndexList::split(const Halves& to, int64_t chunk, const Room& room) const {
  const int64_t begin = chunk * chunk_indices, n = std::min(chunk_indices, to.n - begin);
  uint32_t* const at = to.at + begin;
  char* const items = Bytes == 0 ? nullptr : to.items + begin * Bytes;
  int64_t upper = 0;
  for (int64_t from = 0; from < n; from += piece_) {
    const int64_t first = to.first + begin + from, some = std::min(piece_, n - from);
    const int64_t* offset = offsets(first, some, room);
    if (outside()) return false;
    const char* item = call_.others + first * Bytes;
    for (int64_t i = 0; i < some; ++i, item += Bytes) {
      const int64_t distance = offset[i] - to.min_offset, is_upper = distance >= to.middle ? 1 : 0;
      const int64_t k = from + i, index = k - upper + (-is_upper & (n - 1 - k));
      at[index] = static_cast<uint32_t>(distance);
      if constexpr (Bytes > 0) std::copy_n(item, Bytes, items + index * Bytes);
      upper += is_upper;
    }
  }
  to.counts[chunk] = static_cast<uint32_t>(n - upper);
  return true;
}

bool IndexList::split_chunk(const Halves& to, int64_t chunk, const Room& room) const {
  if (to.items == nullptr) return split<0>(to, chunk, room);
  switch (log2_) {
    case 0:
      return split<1>(to, chunk, room);
    case 1:
      return split<2>(to, chunk, room);
    case 2:
      return split<4>(to, chunk, room);
    case 3:
      return split<8>(to, chunk, room);
    default:
      return split<16>(to, chunk, room);
  }
}

void IndexList::write_half(const Halves& lists, bool upper, const char* one) const {
  const StoreListFn store_items = list_stores[log2_];
  char* const memory = call_.memory + lists.min_offset * scale_;
  for (int64_t begin = 0; begin < lists.n; begin += chunk_indices) {
    const int64_t n = std::min(chunk_indices, lists.n - begin), lower = lists.counts[begin / chunk_indices];
    const int64_t start = upper ? begin + n - 1 : begin;
    const char* items = lists.items == nullptr ? one : lists.items + start * call_.block;
    store_items(memory, scale_, lists.at + start, items, lists.items == nullptr, upper ? n - lower : lower,
                upper ? -1 : 1);
  }
}

void IndexList::write_halves() const {
  const bool single = call_.others_step == 0;
  const int64_t max_count = std::min(call_.n, round_indices),
                chunks = checked::ceil_div(max_count, chunk_indices);
  const int64_t items = single ? 0 : max_count * call_.block;
  const PoolBlock memory(items + (max_count + chunks) * 4);
  std::array<char, 16> one{};
  std::copy_n(call_.others, call_.block, one.data());
  auto* at = reinterpret_cast<uint32_t*>(memory.data() + items);
  const auto [min_offset, max_offset] = span();
  Halves lists = {at,         single ? nullptr : memory.data(), at + max_count, 0, 0,
                  min_offset, (max_offset - min_offset) / 2 + 1};
  for (; lists.first < call_.n; lists.first += lists.n) {
    lists.n = std::min(round_indices, call_.n - lists.first);
    parallel_ranges(checked::ceil_div(lists.n, chunk_indices), serial_elements / chunk_indices,
                    [&](int64_t begin, int64_t end) {
                      const Room room(scratch(Room::bytes()));
                      for (int64_t c = begin; c < end; ++c) {
                        if (!split_chunk(lists, c, room)) return;
                      }
                    });
    if (outside()) return;
    parallel_ranges(2, 1, [&](int64_t begin, int64_t end) {
      for (int64_t half = begin; half < end; ++half) write_half(lists, half == 1, one.data());
    });
  }
}

// If everything is one round, or one piece of one line, indices are checked while offsets are computed;
// otherwise in a pass before.
void IndexList::write() const {
  const bool halves = has_halves();
  const bool at_once = halves ? call_.n <= round_indices : pieces_ == 1 && call_.lines == 1 && parts_ == 1;
  if (!at_once && checks()) {
    check();
    if (outside()) return;
  }
  if (!call_.overlaps || (halves && at_once)) return halves ? write_halves() : write_parts();
  const int64_t bytes = call_.others_step == 0 ? call_.block : call_.lines * call_.n * call_.block;
  const PoolBlock copy(bytes);
  parallel_ranges(bytes, parallel_bytes, [&](int64_t begin, int64_t end) {
    std::copy_n(call_.others + begin, end - begin, copy.data() + begin);
  });
  TakePutCall apart = call_;
  apart.others = copy.data();
  const IndexList list(apart);
  halves ? list.write_halves() : list.write_parts();
}

}  // namespace arr::host
