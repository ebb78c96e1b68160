// SPDX-License-Identifier: MIT
// Reads blocks at the indices of one index array. The offsets of some hundred indices are computed at a time,
// in the first-level cache, and used for several lines.
#include "host/indexing/indexed_access.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/indexing/calls.h"

namespace arr::host {

IndexList::IndexList(const TakePutCall& call)
    : call_(call),
      item_(call.block <= 16 && std::has_single_bit(static_cast<uint64_t>(call.block))),
      stream_(!call.writes && call.lines * call.n * call.block >= stream_bytes) {
  if (item_) log2_ = std::countr_zero(static_cast<uint64_t>(call.block));
  if (!item_) piece_ = std::clamp<int64_t>(parallel_bytes / call.block, 1, piece_indices);
  pieces_ = checked::ceil_div(call.n, piece_);
  if (!item_ && call.writes) parts_ = checked::ceil_div(call.block, part_bytes);
  const IndexTerm* t = call.terms;
  reach_ = call.block;
  for (int32_t k = 0; k < call.nterms; ++k) {
    const int64_t length =
        std::min(std::abs(t[k].stride), near_bytes) * std::min(t[k].extent - 1, near_bytes);
    reach_ += length;
    if (t[k].stride < 0) low_ -= length;
    factors_[k] = t[k].stride;
    const int64_t next = k + 1 < call.nterms ? t[k + 1].stride : 1;
    nested_ = nested_ && next != 0 && t[k].stride % next == 0;
  }
  near_ = reach_ <= near_bytes;
  const bool far_lines = call.lines > near_bytes / std::max<int64_t>(std::abs(call.line_stride), 1);
  fetches_ = near_ && far_lines && call.n * 64 >= reach_;
  if (!nested_) return;
  for (int32_t k = 0; k + 1 < call.nterms; ++k) factors_[k] /= t[k + 1].stride;
  scale_ = factors_[call.nterms - 1];
}

int64_t IndexList::grain(int64_t indices, int64_t bytes) const {
  const int64_t min_chunk = item_ ? serial_elements / indices : parallel_bytes / bytes;
  return std::max<int64_t>(min_chunk, 1);
}

// Returns the positions of a term: a pointer to `to`, or into the index array itself if its numbers are used
// unchanged. `numbers` is scratch memory, which the next term overwrites.
const int64_t* IndexList::term(const IndexTerm& t, int64_t first, int64_t n, int64_t* to,
                               char* numbers) const {
  const char* from = static_cast<const char*>(t.data) + first * t.step;
  const auto dtype = static_cast<size_t>(t.dtype);
  const int64_t item = item_size(t.dtype);
  const bool as_they_are = t.rule == 0 && item == 8;
  if (t.step != item) {
    char* gathered = as_they_are ? reinterpret_cast<char*>(to) : numbers;
    loops().gather[std::countr_zero(static_cast<uint64_t>(item))](1, n, from, 0, t.step, gathered);
    from = gathered;
  }
  if (as_they_are) return reinterpret_cast<const int64_t*>(from);
  const Scalar table = {DType::table_, reinterpret_cast<uintptr_t>(t.word), static_cast<uint64_t>(t.extent)};
  const void* in[3] = {&table.lo, from, nullptr};  // lo and hi form an arr_table
  if (t.rule == 0) in[0] = from;
  const LoopFn loop =
      t.rule == 0 ? loops().cast[dtype][static_cast<size_t>(DType::int64_)] : loops().op[t.rule][dtype];
  loop(n, in, to);
  return to;
}

const int64_t* IndexList::offsets(int64_t first, int64_t n, const Room& room) const {
  const int64_t* sum = term(call_.terms[0], first, n, room.offsets, room.numbers);
  if (call_.nterms == 1) return sum;
  int64_t* to = room.offsets;
  if (!nested_) {
    for (int64_t i = 0; i < n; ++i) to[i] = sum[i] * factors_[0];
    sum = to;
  }
  for (int32_t k = 1; k < call_.nterms; ++k) {
    const int64_t* p = term(call_.terms[k], first, n, room.positions, room.numbers);
    const int64_t before = nested_ ? factors_[k - 1] : 1, own = nested_ ? 1 : factors_[k];
    for (int64_t i = 0; i < n; ++i) to[i] = sum[i] * before + p[i] * own;
    sum = to;
  }
  return sum;
}

// Reads part of a line.
void IndexList::read_line(const char* from, const int64_t* offsets, int64_t n, char* to,
                          const Room& room) const {
  if (item_) {
    const Offsets o = {offsets, 0, 1, scale_, near_};
    char* block = stream_ ? room.line : to;
    loops().gather_at[log2_](1, n, from, 0, 0, o, block);
    if (stream_) loops().copy_nontemporal(n * call_.block, block, to);
    return;
  }
  for (int64_t i = 0; i < n; ++i, to += call_.block) {
    const char* row = from + offsets[i] * scale_;
    if (stream_) {
      loops().copy_nontemporal(call_.block, row, to);
    } else {
      std::copy_n(row, call_.block, to);
    }
  }
}

// Prefetches a line in the order of memory.
void IndexList::fetch(const char* line) const {
  for (int64_t i = 0; i < reach_; i += 64) __builtin_prefetch(line + low_ + i);
}

// Reads a piece of some lines.
void IndexList::read_lines(int64_t line, int64_t lines, int64_t first, int64_t n, const int64_t* at,
                           const Room& room, bool is_new) const {
  const char* from = call_.memory + line * call_.line_stride;
  char* to = call_.others + (line * call_.n + first) * call_.block;
  if (item_ && !stream_ && !fetches_ && pieces_ == 1) {
    return loops().gather_at[log2_](lines, n, from, call_.line_stride, 0, {at, 0, 1, scale_, near_}, to);
  }
  for (int64_t l = 0; l < lines; ++l, from += call_.line_stride, to += call_.n * call_.block) {
    if (fetches_ && is_new) fetch(from);
    read_line(from, at, n, to, room);
  }
}

// A unit of work is a piece of the index array for some lines.
void IndexList::read() const {
  const int64_t groups = checked::ceil_div(call_.lines, group_lines);
  const int64_t lines = std::min(call_.lines, group_lines);
  parallel_ranges(groups * pieces_,
                  grain(lines * std::min(call_.n, piece_), lines * std::min(call_.n, piece_) * call_.block),
                  [&](int64_t begin, int64_t end) {
                    const Room room(scratch(Room::bytes()));
                    for (int64_t u = begin; u < end; ++u) {
                      const int64_t first = u % pieces_ * piece_, line = u / pieces_ * group_lines;
                      const int64_t n = std::min(piece_, call_.n - first);
                      const int64_t* at = offsets(first, n, room);
                      read_lines(line, std::min(group_lines, call_.lines - line), first, n, at, room,
                                 first == 0 || u == begin);
                    }
                    if (stream_) loops().fence_nontemporal();
                  });
}

void take_put(const TakePutCall& call) {
  const IndexList list(call);
  call.writes ? list.write() : list.read();
}

}  // namespace arr::host
