// SPDX-License-Identifier: MIT
// Runs a plan on one tile.
#include "host/tile.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/checked.h"
#include "base/per_thread.h"

namespace arr::host {

namespace {

constexpr int64_t line = 64;

struct Free {
  void operator()(char* p) const noexcept { std::free(p); }
};
struct Memory {
  std::unique_ptr<char, Free> data;
  int64_t bytes = 0;
};

}  // namespace

TileOperand tile_operand(const Operand& from, int32_t ndim, int32_t row, int32_t col) {
  TileOperand o;
  o.data = static_cast<char*>(from.data);
  o.scalar = from.value;
  o.constant = from.data == nullptr;
  if (o.constant) return o;
  if (row >= 0) o.row = from.strides[row];
  if (col >= 0) o.col = from.strides[col];
  o.ramp = from.ramp;
  o.constant = !o.ramp && std::all_of(from.strides, from.strides + ndim, [](int64_t s) { return s == 0; });
  return o;
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

// One cache line between blocks: equal offsets in all blocks would meet in the same sets.
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
  find_shadowed();
}

// Once, before the first tile that needs their blocks.
void TileRunner::fill_constants() {
  filled_ = true;
  for (int32_t k = 0; k < plan_.inputs; ++k) {
    const TileOperand& o = operands_[k];
    if (!o.constant) continue;
    if ((plan_.tables >> k & 1U) != 0) {
      static_assert(offsetof(Scalar, hi) == offsetof(Scalar, lo) + 8, "lo and hi are an arr_table");
      registers_[k] = reinterpret_cast<char*>(const_cast<uint64_t*>(&o.scalar.lo));  // only read
      continue;
    }
    fill(k, capacity_, registers_[k]);
  }
}

// n times the constant.
void TileRunner::fill(int32_t k, int64_t n, char* to) const {
  const TileOperand& o = operands_[k];
  const void* value = o.data != nullptr ? static_cast<const void*>(o.data) : &o.scalar.lo;
  loops_.fill[plan_.log2[static_cast<size_t>(k)]](n, value, to);
}

// An output may lie in the memory of an input. Where that is written before the input's last use, the input
// is copied first.
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
    const TileOperand& o = operands_[k];
    if (o.constant) continue;
    if (o.ramp) {
      registers_[k] = memory_ + k * block_;
      loops_.ramp(rows, cols, ramp_number(data[k]), o.row, o.col, registers_[k]);
    } else if (!shadowed_[k] && direct(k, rows, cols)) {
      registers_[k] = data[k];
    } else {
      registers_[k] = memory_ + k * block_;
      loops_.gather[plan_.log2[static_cast<size_t>(k)]](rows, cols, data[k], o.row, o.col, registers_[k]);
    }
  }
}

// Inputs of the tile after the next, where it lies behind them: a share of them before each step, so that
// memory is busy while steps compute. What the next one reads is on its way by then.
void TileRunner::fetch_next(int64_t n, size_t step) const {
  const auto steps = static_cast<int64_t>(plan_.steps.size()), at = static_cast<int64_t>(step);
  for (int32_t k = 0; k < plan_.inputs; ++k) {
    if (operands_[k].constant || registers_[k] == memory_ + k * block_) continue;  // gathered
    const int64_t bytes = n * plan_.item[static_cast<size_t>(k)];
    const char* next = registers_[k] + 2 * bytes;
    const int64_t last = bytes * (at + 1) / steps;
    for (int64_t i = bytes * at / steps / line * line; i < last; i += line)
      __builtin_prefetch(next + i, 0, 2);
  }
}

// A step of three inputs, in shares: what is to come of each is asked for before a share. Loops of fewer
// inputs ask themselves; at sizes of the caches three would be slowed down by it.
void TileRunner::compute_by_shares(const Plan::Step& s, int64_t n) const {
  constexpr int64_t share = 128, ahead = 4096;
  for (int64_t i = 0; i < n; i += share) {
    const void* in[3];
    for (size_t k = 0; k < 3; ++k) {
      const auto operand = static_cast<size_t>(s.in[k]);
      const char* at = registers_[operand] + i * plan_.item[operand];
      for (int64_t b = 0; b < share * plan_.item[operand]; b += line)
        __builtin_prefetch(at + ahead + b, 0, 2);
      in[k] = at;
    }
    s.loop(std::min(share, n - i), in, registers_[s.out] + i * plan_.item[static_cast<size_t>(s.out)]);
  }
}

void TileRunner::compute(int64_t n) {
  if (stream_ && plan_.steps.size() == 1 && plan_.steps[0].nin == 3 && plan_.tables == 0) {
    return compute_by_shares(plan_.steps[0], n);
  }
  for (size_t i = 0; i < plan_.steps.size(); ++i) {
    const Plan::Step& s = plan_.steps[i];
    if (stream_ && plan_.steps.size() > 1) fetch_next(n, i);
    const void* in[3] = {registers_[s.in[0]], registers_[s.in[1]], registers_[s.in[2]]};
    s.loop(n, in, registers_[s.out]);
  }
}

void TileRunner::store(int32_t k, const char* from, char* to, int64_t rows, int64_t cols) const {
  const TileOperand& o = operands_[k];
  const int64_t item = plan_.item[static_cast<size_t>(k)];
  if (stream_ && direct(k, rows, cols)) {
    loops_.stream(rows * cols * item, from, to);
  } else if (stream_ && o.col == item && cols * item >= 4 * line) {
    for (int64_t r = 0; r < rows; ++r) loops_.stream(cols * item, from + r * cols * item, to + r * o.row);
  } else {
    loops_.scatter[plan_.log2[static_cast<size_t>(k)]](rows, cols, from, to, o.row, o.col);
  }
}

// A copy goes through a block only where neither side is contiguous.
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
  compute(rows * cols);
  for (int32_t j = 0; j < noutputs; ++j) {
    const int32_t k = plan_.inputs + j;
    const char* from = registers_[plan_.outputs[static_cast<size_t>(j)].source];
    if (from != data[k]) store(k, from, data[k], rows, cols);
  }
}

const char* TileRunner::evaluate(char* const* data, int64_t rows, int64_t cols) {
  load(data, rows, cols);
  compute(rows * cols);
  return registers_[plan_.outputs[0].source];
}

}  // namespace arr::host
