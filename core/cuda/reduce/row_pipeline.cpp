// SPDX-License-Identifier: MIT
// Chooses and launches the kernel of a sequence of steps over rows (emit_row_pipeline.cpp).
#include <algorithm>
#include <atomic>
#include <bit>

#include "backend/row_pipeline.h"
#include "cuda/codegen/kernels.h"
#include "cuda/codegen/offsets.h"
#include "cuda/reduce/axis_order.h"
#include "cuda/reduce/calls.h"
#include "cuda/reduce/emit_row_pipeline.h"

namespace arr::cuda {

namespace {

// More elements would not fit in a thread's registers, twice and in float64.
constexpr int32_t max_each = 32;

// A sequence of steps, independent of its space and memory. Programs are never freed, and neither are
// sequences.
struct Sequence {
  int32_t nsteps = 0, narrays = 0;
  std::array<BlocksCall::Step, BlocksCall::max_steps> steps{};
  std::array<BlocksArray, BlocksCall::max_arrays> kinds{};
  friend bool operator==(const Sequence&, const Sequence&) = default;
};
struct Known {
  Sequence sequence;
  Kernels kernels;
  Known* next = nullptr;
};

Sequence sequence_of(const BlocksCall& c) {
  Sequence s{c.nsteps, c.narrays, c.steps, {}};
  for (int32_t k = 0; k < c.narrays; ++k) s.kinds.at(static_cast<size_t>(k)) = kind_of(c, k);
  return s;
}

// Looked up without a lock, like the kernels of programs; entries are only added.
Kernels& kernels_of(const BlocksCall& c) {
  static std::atomic<Known*> head{nullptr};
  static std::mutex mutex;
  const Sequence wanted = sequence_of(c);
  const auto find = [&]() -> Known* {
    Known* k = head.load(std::memory_order_acquire);
    while (k != nullptr && !(k->sequence == wanted)) k = k->next;
    return k;
  };
  if (Known* k = find()) return k->kernels;
  const std::lock_guard lock(mutex);
  if (Known* k = find()) return k->kernels;
  auto* fresh = new Known;  // never freed, reachable from `head`
  fresh->sequence = wanted;
  fresh->next = head.load(std::memory_order_relaxed);
  head.store(fresh, std::memory_order_release);
  return fresh->kernels;
}

int64_t product(const BlocksCall& c, int32_t from, int32_t to) {
  int64_t n = 1;
  for (int32_t d = from; d < to; ++d) n *= c.shape[d];
  return n;
}
int64_t length_of(const BlocksCall& c) { return product(c, c.nkept, c.ndim); }

int32_t vector_of(const BlocksCall& c, int64_t n) {
  if (c.ndim - c.nkept != 1) return 1;
  Width width;
  for (const int32_t k : {0, 1}) width.add(c.arrays[k], item_size(dtype_of(c, k)), c.ndim);
  const int32_t v = width.elements();
  if (n % v != 0) return 1;
  for (const int32_t k : {0, 1})
    if (!aligned(c.arrays[k], item_size(dtype_of(c, k)), v, c.ndim, c.shape)) return 1;
  return v;
}

// Rounds to 1, 2, 3, 4, 6, 8, 12 ... elements per thread, so that few kernels serve rows of any length.
int32_t rounded(int64_t each, int32_t vector) {
  int32_t e = vector;
  while (e < each)
    e = std::has_single_bit(static_cast<uint32_t>(e)) && e % (2 * vector) == 0 ? e + e / 2
        : std::has_single_bit(static_cast<uint32_t>(e))                        ? 2 * e
                                                                               : e / 3 * 4;
  return e;
}

BlocksShape shape_of(const BlocksCall& c) {
  BlocksShape s;
  const int64_t n = length_of(c);
  s.kept = c.nkept;
  s.reduced = c.ndim - c.nkept;
  s.vector = vector_of(c, n);
  const auto share = static_cast<uint64_t>(checked::ceil_div(n, std::max(4, s.vector)));
  s.lanes =
      n > 32 * max_each ? block_threads : static_cast<int32_t>(std::min<uint64_t>(32, std::bit_ceil(share)));
  s.each = rounded(checked::ceil_div(n, s.lanes), s.vector);
  s.full = n == int64_t{s.lanes} * s.each;
  s.wide = product(c, 0, c.nkept) > INT32_MAX;
  for (const int32_t k : {0, 1}) s.wide = s.wide || reach(c.ndim, c.shape, c.arrays[k].strides) > INT32_MAX;
  return s;
}

KernelKey key_of(const BlocksShape& s, int32_t device) {
  KernelKey key;
  key.device = device;
  key.shape = static_cast<uint64_t>(s.kept) | static_cast<uint64_t>(s.reduced) << 8 |
              static_cast<uint64_t>(s.lanes) << 16 | static_cast<uint64_t>(s.each) << 32 |
              static_cast<uint64_t>(s.vector) << 40 | static_cast<uint64_t>(s.full) << 48 |
              static_cast<uint64_t>(s.wide) << 49;
  return key;
}

std::string name_of(const BlocksCall& c) {
  std::string name;
  for (int32_t i = 0; i < c.nsteps; ++i) {
    const BlocksCall::Step& step = c.steps.at(static_cast<size_t>(i));
    const std::string program = describe(*step.program);
    name += i == 0 ? "" : "; ";
    name += step.reduction != nullptr ? text(step.reduction->name, "(", program, ")") : program;
  }
  return name;
}

bool suits_blocks(const BlocksCall& c) {
  return length_of(c) <= int64_t{block_threads} * max_each &&
         !kept_runs_fastest(c.arrays[0], c.nkept, c.ndim, c.shape);
}

}  // namespace

void blocks(Device& d, const BlocksCall& c, Stream& s) {
  if (c.nsteps == 0) {  // only asked
    if (!suits_blocks(c)) fail(ARR_E_UNSUPPORTED, "rows: too long for a block, or next to each other");
    return;
  }
  const BlocksShape shape = shape_of(c);
  const int64_t rows = product(c, 0, c.nkept);
  const Kernel& kernel = kernels_of(c).get(
      d, key_of(shape, d.index), [&] { return emit_blocks(c, shape); }, [&] { return name_of(c); },
      [&] { return blocks_words(c, shape); });
  const Words& w = kernel.words;
  Arguments args(w.count);
  args.set(0, rows);
  args.set(1, length_of(c));
  set_extents(c.shape, c.ndim, shape.wide, w, &args);
  for (int32_t k = 0; k < c.narrays; ++k) {
    const Operand& o = c.arrays[k];
    const size_t at = static_cast<size_t>(k);
    if (kind_of(c, k) == BlocksArray::immediate) args.set(w.pointer[at], o.value);
    if (kind_of(c, k) != BlocksArray::memory) continue;
    args.set(w.pointer[at], o.data);
    for (int32_t i = 0; i < c.ndim; ++i) args.set(w.stride[at] + i, o.strides[i]);
  }
  launch(d, kernel, {checked::ceil_div(rows, block_threads / shape.lanes), 1, block_threads, 1}, args, s);
}

}  // namespace arr::cuda
