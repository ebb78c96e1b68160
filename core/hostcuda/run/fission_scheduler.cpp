// SPDX-License-Identifier: MIT
// The scheduler of kernels compiled with the loop-fission pass, whose threads may be at different pieces. It
// decides which threads may continue when all wait, by the rules of the fibers in scheduler.cpp.
#include <algorithm>
#include <bit>
#include <new>

#include "hostcuda/run/deadlock.h"
#include "hostcuda/run/scheduler.h"

namespace arr::host_kernels {
namespace {

using arr_host::Worker;

struct Threads {
  Worker& w;
  int* next;
  unsigned *masks, *live;
  unsigned n;
  const int* sites;

  [[nodiscard]] bool in_warp(unsigned t) const {
    return next[t] != arr_host::piece_ended && (next[t] & arr_host::piece_waits_in_warp) != 0;
  }
  [[nodiscard]] int operation(unsigned t) const { return sites[2 * (next[t] & arr_host::piece_number)]; }
  [[nodiscard]] unsigned line(unsigned t) const {
    return static_cast<unsigned>(sites[2 * (next[t] & arr_host::piece_number) + 1]);
  }
  [[nodiscard]] unsigned lanes_from(unsigned base) const { return std::min(32u, n - base); }
};

// False when every thread has ended.
bool count_live(const Threads& threads) {
  unsigned any = 0;
  for (unsigned base = 0; base < threads.n; base += 32) {
    unsigned live = 0;
    for (unsigned l = 0; l < threads.lanes_from(base); l++)
      live |= static_cast<unsigned>(threads.next[base + l] != arr_host::piece_ended) << l;
    any |= threads.live[base / 32] = live;
  }
  return any != 0;
}

void check_mask(const Threads& threads, unsigned t) {
  if ((threads.masks[t] >> (t & 31) & 1u) != 0) return;
  const arr_host::Dim size = threads.w.block;
  stop_thread(threads.w, "the mask of a warp function leaves out the calling lane,", threads.line(t),
              threads.w.block_index, {t % size.x, t / size.x % size.y, t / (size.x * size.y)});
}

// All live lanes of the mask that lane t gave wait in the same operation with the same mask.
bool is_complete(const Threads& threads, unsigned t, unsigned need) {
  const unsigned base = t & ~31u, mask = threads.masks[t];
  const int operation = threads.operation(t);
  for (unsigned rest = need; rest != 0; rest &= rest - 1) {
    const unsigned other = base + static_cast<unsigned>(std::countr_zero(rest));
    if (!threads.in_warp(other) || threads.masks[other] != mask || threads.operation(other) != operation)
      return false;
  }
  return true;
}

// The usual case: the whole warp waits at one site with a full mask.
bool release_whole(const Threads& threads, unsigned base) {
  if (threads.lanes_from(base) < 32 || !threads.in_warp(base)) return false;
  bool same = true;
  for (unsigned l = 0; l < 32; l++)
    same &= threads.next[base + l] == threads.next[base] && threads.masks[base + l] == ~0u;
  if (!same) return false;
  for (unsigned l = 0; l < 32; l++) threads.next[base + l] &= arr_host::piece_number;
  return true;
}

bool release_warp(const Threads& threads, unsigned base) {
  if (release_whole(threads, base)) return true;
  bool any = false;
  for (unsigned l = 0; l < threads.lanes_from(base); l++) {
    const unsigned t = base + l;
    if (!threads.in_warp(t) || threads.masks[t] == 0) continue;
    check_mask(threads, t);
    const unsigned need = threads.masks[t] & threads.live[base / 32];
    if (!is_complete(threads, t, need)) continue;
    for (unsigned rest = need; rest != 0; rest &= rest - 1)
      threads.next[base + static_cast<unsigned>(std::countr_zero(rest))] &= arr_host::piece_number;
    any = true;
  }
  return any;
}

// Lanes that wait for no one in particular (__activemask) go on with those at the same site.
bool converge(const Threads& threads, unsigned base) {
  unsigned group = 0;
  int site = 0;
  for (unsigned l = 0; l < threads.lanes_from(base); l++) {
    const unsigned t = base + l;
    if (!threads.in_warp(t) || threads.masks[t] != 0 || (group != 0 && threads.next[t] != site)) continue;
    site = threads.next[t];
    group |= 1u << l;
  }
  for (unsigned rest = group; rest != 0; rest &= rest - 1) {
    const unsigned t = base + static_cast<unsigned>(std::countr_zero(rest));
    threads.next[t] &= arr_host::piece_number;
    threads.masks[t] = group;
  }
  return group != 0;
}

// Barriers of the block meet each other, and so do those of the grid.
bool release_barrier(const Threads& threads) {
  bool block = false, grid = false;
  for (unsigned t = 0; t < threads.n; t++) {
    if (threads.in_warp(t)) return false;
    if (threads.next[t] == arr_host::piece_ended) continue;
    (threads.operation(t) == arr_host::barrier_grid ? grid : block) = true;
  }
  if (block && grid) return false;
  for (unsigned t = 0; t < threads.n; t++)
    if (threads.next[t] != arr_host::piece_ended) threads.next[t] &= arr_host::piece_number;
  return true;
}

[[noreturn]] void deadlock(const Threads& threads) {
  Worker& w = threads.w;
  w.warps = static_cast<int>((threads.n + 31) / 32);
  for (unsigned t = 0; t < threads.n; t++) {
    const unsigned warp = t / 32, bit = 1u << (t & 31);
    if ((t & 31) == 0) w.live[warp] = w.in_warp[warp] = 0;
    if (threads.next[t] == arr_host::piece_ended) continue;
    w.live[warp] |= bit;
    if (threads.in_warp(t)) w.in_warp[warp] |= bit;
    w.wait_op[t] = static_cast<int8_t>(threads.operation(t));
    w.wait_line[t] = threads.line(t);
    w.wait_mask[t] = threads.masks != nullptr && threads.in_warp(t) ? threads.masks[t] : 0;
  }
  stop_block(w, deadlock_text(w));
}

}  // namespace

void* context(Worker* worker, unsigned long long bytes) {
  constexpr unsigned long long alignment = 64;
  if (worker->context_bytes < bytes) {
    worker->context.reset(new (std::nothrow) char[bytes + alignment]);
    worker->context_bytes = worker->context != nullptr ? bytes : 0;
    if (worker->context == nullptr) stop_short_of_memory(*worker);
  }
  const auto address = reinterpret_cast<uintptr_t>(worker->context.get());
  return reinterpret_cast<void*>((address + alignment - 1) / alignment * alignment);
}

int release(Worker* worker, int* next, unsigned* masks, unsigned* live, unsigned n, const int* sites,
            arr_host::Dim block_index) {
  worker->block_index = block_index;
  const Threads threads{*worker, next, masks, live, n, sites};
  if (!count_live(threads)) return -1;
  bool any = false;
  const auto each_warp = [&](auto rule) {
    for (unsigned base = 0; base < n; base += 32) any = rule(threads, base) || any;
  };
  if (masks != nullptr) {
    each_warp(release_warp);
    if (!any) each_warp(converge);
  }
  if (!any && !release_barrier(threads)) deadlock(threads);
  return *std::min_element(next, next + n);
}

}  // namespace arr::host_kernels
