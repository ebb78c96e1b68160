// SPDX-License-Identifier: MIT
#include "hostcuda/run/warp.h"

#include <algorithm>
#include <bit>

namespace arr::host_kernels {
namespace {

using arr_host::Worker;

// Values and results of one warp, as its 32 lanes.
struct Lanes {
  uint64_t* value;
  const unsigned* source;
  uint32_t group;  // the lanes that take part

  template <class F>
  void each(F f) const {
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) f(std::countr_zero(rest));
  }
  void give_all(uint64_t result) const {
    each([&](int l) { value[l] = result; });
  }
  template <class F>
  void reduce(F f) const {
    uint64_t result = value[std::countr_zero(group)];
    for (uint32_t rest = group & (group - 1); rest != 0; rest &= rest - 1)
      result = f(result, value[std::countr_zero(rest)]);
    give_all(result);
  }
};

// A lane that is not there leaves the reader its own value (undefined in CUDA).
void shuffle(const Lanes& lanes) {
  uint64_t from[32];
  std::copy(lanes.value, lanes.value + 32, from);
  lanes.each([&](int l) {
    const unsigned s = lanes.source[l] & 31u;
    if ((lanes.group >> s & 1u) != 0) lanes.value[l] = from[s];
  });
}

void ballot(const Lanes& lanes) {
  uint32_t bits = 0;
  lanes.each([&](int l) { bits |= lanes.value[l] != 0 ? 1u << l : 0u; });
  lanes.give_all(bits);
}

uint32_t equal_to(const Lanes& lanes, uint64_t value) {
  uint32_t bits = 0;
  lanes.each([&](int l) { bits |= lanes.value[l] == value ? 1u << l : 0u; });
  return bits;
}

void match_any(const Lanes& lanes) {
  uint64_t result[32] = {};
  lanes.each([&](int l) { result[l] = equal_to(lanes, lanes.value[l]); });
  lanes.each([&](int l) { lanes.value[l] = result[l]; });
}

void match_all(const Lanes& lanes) {
  const bool all = equal_to(lanes, lanes.value[std::countr_zero(lanes.group)]) == lanes.group;
  lanes.give_all(all ? lanes.group : 0u);
}

void exchange(int op, const Lanes& lanes) {
  const auto as_signed = [](uint64_t v) { return static_cast<int32_t>(static_cast<uint32_t>(v)); };
  const auto as_unsigned = [](uint64_t v) { return static_cast<uint32_t>(v); };
  switch (op) {
    case arr_host::warp_shuffle:
      return shuffle(lanes);
    case arr_host::warp_ballot:
      return ballot(lanes);
    case arr_host::warp_match_any:
      return match_any(lanes);
    case arr_host::warp_match_all:
      return match_all(lanes);
    case arr_host::warp_add:
      return lanes.reduce([](uint64_t a, uint64_t b) { return a + b; });
    case arr_host::warp_and:
      return lanes.reduce([](uint64_t a, uint64_t b) { return a & b; });
    case arr_host::warp_or:
      return lanes.reduce([](uint64_t a, uint64_t b) { return a | b; });
    case arr_host::warp_xor:
      return lanes.reduce([](uint64_t a, uint64_t b) { return a ^ b; });
    case arr_host::warp_min_signed:
      return lanes.reduce([&](uint64_t a, uint64_t b) { return as_signed(a) < as_signed(b) ? a : b; });
    case arr_host::warp_max_signed:
      return lanes.reduce([&](uint64_t a, uint64_t b) { return as_signed(a) > as_signed(b) ? a : b; });
    case arr_host::warp_min_unsigned:
      return lanes.reduce([&](uint64_t a, uint64_t b) { return as_unsigned(a) < as_unsigned(b) ? a : b; });
    case arr_host::warp_max_unsigned:
      return lanes.reduce([&](uint64_t a, uint64_t b) { return as_unsigned(a) > as_unsigned(b) ? a : b; });
    default:
      return;  // warp_sync
  }
}

// Results of a tile's threads from `first` on; `live` says whether a thread of the block is still there.
template <class Live>
void exchange_in_tile(Worker& w, int op, int first, int last, Live live) {
  uint64_t from[Worker::max_threads] = {};
  uint64_t count = 0;
  for (int t = first; t < last; t++) {
    from[t] = w.value[t];
    if (live(t) && w.value[t] != 0) count++;
  }
  for (int t = first; t < last; t++) {
    const int source = first + static_cast<int>(w.source[t] >> 8);
    if (op == arr_host::tile_count) w.value[t] = count;
    if (op == arr_host::tile_shuffle && source < last && live(source)) w.value[t] = from[source];
  }
}

}  // namespace

bool complete_tile(Worker& w, int t) {
  const int op = w.wait_op[t], n = static_cast<int>(w.source[t] & 255u), first = (t >> 5) / n * n;
  const int last = std::min(first + n, w.warps);
  const auto live = [&](int i) { return (w.live[i >> 5] >> (i & 31) & 1u) != 0; };
  for (int k = first; k < last; k++)
    if (w.in_warp[k] != w.live[k]) return false;
  for (int i = first * 32; i < last * 32; i++)
    if (live(i) && (w.wait_op[i] != op || static_cast<int>(w.source[i] & 255u) != n)) return false;
  exchange_in_tile(w, op, first * 32, last * 32, live);
  if (w.checks != nullptr) w.checks->barrier();
  for (int k = first; k < last; k++) {
    w.run[k] |= w.in_warp[k];
    w.in_warp[k] = 0;
  }
  return true;
}

bool complete_warp(Worker& w, int warp, uint32_t mask) {
  const uint32_t need = mask & w.live[warp];
  if ((w.in_warp[warp] & need) != need) return false;
  const int base = warp * 32, op = w.wait_op[base + std::countr_zero(need)];
  for (uint32_t rest = need; rest != 0; rest &= rest - 1) {
    const int t = base + std::countr_zero(rest);
    if (w.wait_mask[t] != mask || w.wait_op[t] != op) return false;
  }
  exchange(op, {w.value + base, w.source + base, need});
  if (w.checks != nullptr) w.checks->join(base, need);
  w.in_warp[warp] &= ~need;
  w.run[warp] |= need;
  return true;
}

}  // namespace arr::host_kernels
