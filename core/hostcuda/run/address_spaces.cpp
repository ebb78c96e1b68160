// SPDX-License-Identifier: MIT
// The address space of an address in a kernel: shared memory is the image's thread-local variables and the
// block's dynamic memory; local memory is on the stacks of its threads. Everything else is global.
#include <algorithm>

#include "hostcuda/compile/object.h"
#include "hostcuda/run/grid.h"
#include "hostcuda/run/scheduler.h"

namespace arr::host_kernels {
namespace {

using arr_host::Worker;

constexpr uint64_t nowhere = ~uint64_t{0};
// The numbers of shared addresses: variables by their offsets, then dynamic memory. Below 2^32, as on a GPU.
constexpr uint64_t first_dynamic = uint64_t{1} << 24;

struct Piece {
  uint64_t low, bytes, number;
};

// Calls `f` for each piece of shared memory until it returns true.
template <class F>
void for_shared(const Worker& w, F f) {
  const auto base = reinterpret_cast<uintptr_t>(make_thread_variables(w.object->thread_module()));
  for (const ThreadVariable& v : w.object->thread_variables()) {
    const bool storage = v.name == "arr_dynamic_storage";  // see shim/entry.h
    if (!v.shared && !storage) continue;
    const uint64_t bytes = storage ? std::min(v.bytes, w.shared_bytes) : v.bytes;
    if (f(Piece{base + v.offset, bytes, storage ? first_dynamic : v.offset})) return;
  }
  f(Piece{reinterpret_cast<uintptr_t>(w.dynamic), w.shared_bytes, first_dynamic});
}

bool holds(const Piece& piece, uint64_t at) { return at >= piece.low && at - piece.low < piece.bytes; }

uint64_t to_shared(const Worker& w, uint64_t at) {
  uint64_t number = nowhere;
  for_shared(w, [&](const Piece& piece) {
    if (!holds(piece, at)) return false;
    number = piece.number + (at - piece.low);
    return true;
  });
  return number;
}

uint64_t from_shared(const Worker& w, uint64_t number) {
  uint64_t at = nowhere;
  for_shared(w, [&](const Piece& piece) {
    if (number < piece.number || number - piece.number >= piece.bytes) return false;
    at = piece.low + (number - piece.number);
    return true;
  });
  return at;
}

bool is_local(const Worker& w, uint64_t at) {
  const auto context = reinterpret_cast<uintptr_t>(w.context.get());
  return w.fibers.holds(reinterpret_cast<const void*>(at)) ||
         (context != 0 && at >= context && at - context < w.context_bytes + 64);
}

}  // namespace

unsigned long long address(Worker* worker, int asked, unsigned long long at) {
  const Worker& w = *worker;
  if (asked == arr_host::address_block) return w.blocks;
  if (asked == arr_host::address_grid)
    return w.grid == nullptr ? 0 : reinterpret_cast<uintptr_t>(w.grid->memory());
  if (asked == arr_host::address_to_shared) return to_shared(w, at);
  if (asked == arr_host::address_from_shared) return from_shared(w, at);
  if (to_shared(w, at) != nowhere) return arr_host::space_shared;
  return is_local(w, at) ? arr_host::space_local : arr_host::space_global;
}

}  // namespace arr::host_kernels
