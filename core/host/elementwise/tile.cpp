// SPDX-License-Identifier: MIT
// Runs a plan on one tile.
#include "host/elementwise/tile.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/checked.h"
#include "base/per_thread.h"

namespace arr::host {

namespace {

constexpr int64_t line = 64;

// Prefetch distance for the operands of a tile of one row. The hardware prefetcher follows a single loop, but
// the work between the loops of a tile interrupts it.
constexpr int64_t ahead = 4096;

void fetch(const char* from, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += line) __builtin_prefetch(from + i);
}

struct Free {
  void operator()(char* p) const noexcept { std::free(p); }
};
struct Memory {
  std::unique_ptr<char, Free> data;
  int64_t bytes = 0;
};

}  // namespace

void set_tile_operand(const Operand& from, int32_t ndim, int32_t row, int32_t col, TileOperand* to) {
  TileOperand& o = *to;
  o = {};
  o.data = static_cast<char*>(from.data);
  o.scalar = from.value;
  o.constant = from.data == nullptr;
  if (o.constant) return;
  if (row >= 0) o.row = from.strides[row];
  if (col >= 0) o.col = from.strides[col];
  o.ramp = from.ramp != 0;
  o.constant = !o.ramp && std::all_of(from.strides, from.strides + ndim, [](int64_t s) { return s == 0; });
}

char* scratch(int64_t bytes) {
  auto& memory = per_thread<Memory>();
  if (memory.bytes < bytes) {
    const int64_t size = checked::ceil_div(bytes, 4096) * 4096;
    memory.data.reset(static_cast<char*>(std::aligned_alloc(4096, static_cast<size_t>(size))));
    memory.bytes = memory.data ? size : 0;
    if (!memory.data) throw std::bad_alloc();
  }
  return memory.data.get();  // NOLINT(clang-analyzer-unix.Malloc): lives as long as the thread
}

// Blocks are one cache line further apart than their size, because equal offsets in all blocks would
// otherwise map to the same cache sets.
int64_t TileRunner::scratch_bytes(const Plan& plan, int64_t capacity) {
  const int64_t block = checked::ceil_div(capacity * plan.widest, line) * line + line;
  return block * (plan.operands + plan.temporaries);
}

TileRunner::TileRunner(const Plan& plan, const TileOperand* operands, int64_t capacity, bool stream,
                       char* memory)
    : plan_(plan),
      operands_(operands),
      loops_(loops()),
      capacity_(capacity),
      block_(checked::ceil_div(capacity * plan.widest, line) * line + line),
      stream_(stream),
      memory_(memory) {
  for (int32_t r = 0; r < plan.operands + plan.temporaries; ++r) registers_[r] = memory_ + r * block_;
  for (int32_t k = 0; k < plan.inputs; ++k) {
    if ((plan.offset_inputs >> k & 1U) == 0) continue;
    row_offsets_ = row_offsets_ || operands[k].row != 0;
    col_offsets_ = col_offsets_ || operands[k].col != 0;
  }
  find_shadowed();
}

// Called once, before the first tile that needs the blocks of constants.
void TileRunner::fill_constants() {
  filled_ = true;
  for (int32_t k = 0; k < plan_.inputs; ++k) {
    const TileOperand& o = operands_[k];
    if (!o.constant || (plan_.load_bases >> k & 1U) != 0) continue;
    if ((plan_.tables >> k & 1U) != 0) {
      static_assert(offsetof(Scalar, hi) == offsetof(Scalar, lo) + 8, "lo and hi are an arr_table");
      registers_[k] = reinterpret_cast<char*>(const_cast<uint64_t*>(&o.scalar.lo));  // only read
      continue;
    }
    fill(k, capacity_, registers_[k]);
  }
}

// Writes the constant n times.
void TileRunner::fill(int32_t k, int64_t n, char* to) const {
  const TileOperand& o = operands_[k];
  const void* value = o.data != nullptr ? static_cast<const void*>(o.data) : &o.scalar.lo;
  loops_.fill[plan_.log2[static_cast<size_t>(k)]](n, value, to);
}

// An output may be in the memory of an input. If it is written before the input's last use, the input is
// copied first.
void TileRunner::find_shadowed() {
  for (size_t j = 0; j < plan_.outputs.size(); ++j) {
    const char* out = operands_[static_cast<size_t>(plan_.inputs) + j].data;
    for (int32_t k = 0; k < plan_.inputs; ++k) {
      if (operands_[k].data != out || out == nullptr) continue;
      bool read_later = plan_.last_read[static_cast<size_t>(k)] > plan_.outputs[j].made;
      for (const Plan::Output& o : plan_.outputs) read_later |= o.source == k && plan_.outputs[j].source != k;
      shadowed_[k] |= read_later;
    }
  }
}

bool TileRunner::direct(int32_t k, int64_t rows, int64_t cols) const {
  const TileOperand& o = operands_[k];
  if (o.ramp) return false;
  const int64_t item = plan_.item[static_cast<size_t>(k)];
  if (rows == 1) return cols == 1 || o.col == item;
  if (cols == 1) return o.row == item;
  return o.col == item && o.row == cols * item;
}

void TileRunner::load(char* const* data, int64_t rows, int64_t cols) {
  if (!filled_) fill_constants();
  for (int32_t k = 0; k < plan_.inputs; ++k) {
    if (operands_[k].constant || (plan_.load_bases >> k & 1U) != 0) continue;
    const bool offsets = (plan_.offset_inputs >> k & 1U) != 0;
    load_one(k, data, offsets && !row_offsets_ ? 1 : rows, offsets && !col_offsets_ ? 1 : cols);
  }
}

// Returns true if the block of an input already has the tile's elements; otherwise records that it will.
bool TileRunner::gathered(int32_t k, const char* data, int64_t rows, int64_t cols) {
  if (!keep_) return false;
  Gathered& g = gathered_[static_cast<size_t>(k)];
  if (g.data == data && g.rows == rows && g.cols == cols) return true;
  g = {data, rows, cols};
  return false;
}

void TileRunner::load_one(int32_t k, char* const* data, int64_t rows, int64_t cols) {
  const TileOperand& o = operands_[k];
  if (o.ramp) {
    registers_[k] = memory_ + k * block_;
    loops_.ramp(rows, cols, ramp_number(data[k]), o.row, o.col, registers_[k]);
  } else if (!shadowed_[k] && direct(k, rows, cols)) {
    registers_[k] = data[k];
  } else {
    registers_[k] = memory_ + k * block_;
    if (gathered(k, data[k], rows, cols)) return;
    loops_.gather[plan_.log2[static_cast<size_t>(k)]](rows, cols, data[k], o.row, o.col, registers_[k]);
  }
}

// Offsets are computed once for all rows, or all columns, that share them.
void TileRunner::compute_gathers(char* const* data, int64_t rows, int64_t cols) const {
  const int64_t offset_rows = row_offsets_ ? rows : 1, offset_cols = col_offsets_ ? cols : 1;
  for (const Plan::Step& s : plan_.steps) {
    const int64_t r = s.offsets ? offset_rows : rows, c = s.offsets ? offset_cols : cols;
    if (s.log2 >= 0) {
      gather_at(s, data, r, c);
    } else if (!s.multiplies || !is_number(s.in[1])) {
      const void* in[3] = {registers_[s.in[0]], registers_[s.in[1]], registers_[s.in[2]]};
      s.loop(r * c, in, registers_[s.out]);
    }
  }
}

void TileRunner::gather_at(const Plan::Step& s, char* const* data, int64_t rows, int64_t cols) const {
  const TileOperand& o = operands_[s.in[0]];
  const bool factor = s.factor >= 0 && is_number(s.factor);
  const int16_t source = factor ? s.factored : s.in[1];
  // Offsets that other steps read too have an entry per element, even if they are constant.
  Offsets offsets;
  offsets.at = reinterpret_cast<const int64_t*>(registers_[source]);
  const bool few = factor ? s.few_factored : s.few;
  offsets.col = few && !col_offsets_ ? 0 : 1;
  offsets.row = few && !row_offsets_ ? 0 : offsets.col == 0 ? 1 : cols;
  if (factor) offsets.scale = static_cast<int64_t>(operands_[s.factor].scalar.lo);
  loops_.gather_at[s.log2](rows, cols, data[s.in[0]], o.row, o.col, offsets, registers_[s.out]);
}

void TileRunner::compute(int64_t n) const {
  for (const Plan::Step& s : plan_.steps) {
    const void* in[3] = {registers_[s.in[0]], registers_[s.in[1]], registers_[s.in[2]]};
    s.loop(n, in, registers_[s.out]);
  }
}

void TileRunner::store(int32_t k, const char* from, char* to, int64_t rows, int64_t cols) const {
  const TileOperand& o = operands_[k];
  const int64_t item = plan_.item[static_cast<size_t>(k)];
  if (stream_ && direct(k, rows, cols)) {
    loops_.copy_nontemporal(rows * cols * item, from, to);
  } else if (stream_ && o.col == item && cols * item >= 4 * line) {
    for (int64_t r = 0; r < rows; ++r)
      loops_.copy_nontemporal(cols * item, from + r * cols * item, to + r * o.row);
  } else {
    loops_.scatter[plan_.log2[static_cast<size_t>(k)]](rows, cols, from, to, o.row, o.col);
  }
}

// A copy uses a block only if neither side is contiguous.
void TileRunner::copy(char* const* data, int64_t rows, int64_t cols) {
  const TileOperand& in = operands_[0];
  const auto log2 = static_cast<size_t>(plan_.log2[0]);
  if (!in.ramp && !stream_ && direct(1, rows, cols)) {
    if (in.constant) return fill(0, rows * cols, data[1]);
    loops_.gather[log2](rows, cols, data[0], in.row, in.col, data[1]);
    return;
  }
  load(data, rows, cols);
  store(1, registers_[0], data[1], rows, cols);
}

void TileRunner::run(char* const* data, int64_t rows, int64_t cols) {
  if (plan_.copy) return copy(data, rows, cols);
  load(data, rows, cols);
  const auto noutputs = static_cast<int32_t>(plan_.outputs.size());
  for (int32_t j = 0; j < noutputs; ++j) {
    const int32_t k = plan_.inputs + j;
    const bool in_place = !stream_ && direct(k, rows, cols);
    registers_[k] = in_place ? data[k] : memory_ + k * block_;
  }
  plan_.load_bases == 0 ? compute(rows * cols) : compute_gathers(data, rows, cols);
  for (int32_t j = 0; j < noutputs; ++j) {
    const int32_t k = plan_.inputs + j;
    const char* from = registers_[plan_.outputs[static_cast<size_t>(j)].source];
    if (from != data[k]) store(k, from, data[k], rows, cols);
  }
}

// The first row determines for all rows which operands are used in place.
void TileRunner::run_each_row(char* const* data, int64_t rows, int64_t cols) {
  load(data, 1, cols);
  char* at[max_operands];
  int32_t moved[max_operands], copied[max_operands], nmoved = 0, ncopied = 0;  // operands
  for (int32_t k = 0; k < plan_.operands; ++k) {
    at[k] = data[k];
    if (k >= plan_.inputs) registers_[k] = !stream_ && direct(k, 1, cols) ? data[k] : memory_ + k * block_;
    if (at[k] == nullptr || (k < plan_.inputs && operands_[k].constant)) continue;
    if (registers_[k] == at[k]) {
      moved[nmoved++] = k;
    } else {
      copied[ncopied++] = k;
    }
  }
  for (int64_t r = 0;;) {
    compute(cols);
    for (int32_t k = plan_.inputs; k < plan_.operands; ++k) {
      const char* from = registers_[plan_.outputs[static_cast<size_t>(k - plan_.inputs)].source];
      if (from != at[k]) store(k, from, at[k], 1, cols);
    }
    if (++r == rows) return;
    for (int32_t i = 0; i < nmoved; ++i) registers_[moved[i]] = at[moved[i]] += operands_[moved[i]].row;
    for (int32_t i = 0; i < ncopied; ++i) {
      at[copied[i]] += operands_[copied[i]].row;
      if (copied[i] < plan_.inputs) load_one(copied[i], at, 1, cols);
    }
  }
}

void TileRunner::run_row(char* const* data, int64_t n) {
  if (!filled_) fill_constants();
  int64_t bytes[max_operands];  // bytes of a tile; 0 if the operand is one element
  for (int32_t k = 0; k < plan_.operands; ++k) {
    const bool one = k < plan_.inputs && operands_[k].col == 0;
    bytes[k] = one ? 0 : capacity_ * plan_.item[static_cast<size_t>(k)];
    if (k >= plan_.inputs) registers_[k] = memory_ + k * block_;
    if (one && !operands_[k].constant) {
      loops_.fill[plan_.log2[static_cast<size_t>(k)]](std::min(capacity_, n), data[k], registers_[k]);
    }
  }
  for (int64_t first = 0, tile = 0; first < n; first += capacity_, ++tile) {
    for (int32_t k = 0; k < plan_.inputs; ++k) {
      if (bytes[k] == 0) continue;
      registers_[k] = data[k] + tile * bytes[k];
      fetch(registers_[k] + ahead, bytes[k]);
    }
    const int64_t some = std::min(capacity_, n - first);
    compute(some);
    for (int32_t k = plan_.inputs; k < plan_.operands; ++k) {
      const int16_t source = plan_.outputs[static_cast<size_t>(k - plan_.inputs)].source;
      loops_.copy_nontemporal(some * plan_.item[static_cast<size_t>(k)], registers_[source],
                              data[k] + tile * bytes[k]);
    }
  }
}

const char* TileRunner::evaluate(char* const* data, int64_t rows, int64_t cols) {
  load(data, rows, cols);
  plan_.load_bases == 0 ? compute(rows * cols) : compute_gathers(data, rows, cols);
  return registers_[plan_.outputs[0].source];
}

}  // namespace arr::host
