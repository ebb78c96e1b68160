// SPDX-License-Identifier: MIT
// Compacts elements, their indices or whole rows by mask bits. Threads work on tiles; the prefix counts give
// the position of each tile's results. Tiles without a set bit are skipped.
#include <algorithm>

#include "backend/indexing.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/writer.h"
#include "host/indexing/calls.h"
#include "host/indexing/flat_tiles.h"
#include "host/loops/indexing/mask_bits.h"

namespace arr::host {

namespace {

// Rows of this many bytes justify another thread.
constexpr int64_t parallel_row_bytes = 256 * 1024;

class Compaction {
 public:
  explicit Compaction(const CompactCall& call);
  void run() const;

 private:
  struct Workspace;  // memory of one thread
  // The selected elements of a tile that belong to the results: `count` of them, the first of which has rank
  // `rank`.
  struct Tile {
    int64_t first, n, rank, count;
    const uint64_t* bits;
  };
  [[nodiscard]] Tile tile(int64_t t) const;
  void values(const Tile& t, Workspace& w) const;
  void positions(const Tile& t, Workspace& w) const;
  void coordinates(const Tile& t, Workspace& w) const;
  void run_rows() const;
  void rows(int64_t first, int64_t last) const;

  const CompactCall& call_;
  const MaskLoops& loops_ = mask_loops();
  const FlatShape shape_;
  const FlatProgram program_;
  const int64_t tiles_;
  int64_t results_;          // elements of each result
  int64_t value_bytes_ = 0;  // size of an element of the widest output
  bool matrix_ = false;      // indices are rows of one block
  bool stream_ = false;
};

// With few dimensions, coordinates are collected in a block before they are written.
constexpr int32_t max_matrix = 8;

Compaction::Compaction(const CompactCall& call)
    : call_(call),
      shape_(call.ndim, call.shape),
      program_(*call.map, shape_, call.ndim, call.operands, compact_tile),
      tiles_(MaskBits::tiles(shape_.size)),
      results_(std::min(call.mask.before[tiles_], call.capacity)) {
  int64_t written = 8 * call.nspace;
  for (size_t k = 0; k < program_.plan.outputs.size(); ++k) {
    const int64_t item = program_.plan.item[static_cast<size_t>(program_.plan.inputs) + k];
    value_bytes_ = std::max(value_bytes_, item);
    written += item;
  }
  matrix_ = call.nspace > 1 && call.nspace <= max_matrix && call.index_step == call.nspace;
  for (int32_t d = 0; d < call.nspace; ++d) matrix_ = matrix_ && call.indices[d] == call.indices[0] + d;
  stream_ = results_ * written >= stream_bytes;
}

// Scratch memory: of the program, for compacted values or indices, for indices within the tile.
struct Compaction::Workspace {
  static int64_t compacted_bytes(const Compaction& s) {
    const int64_t indices = s.call_.nspace == 0 ? 0 : 8 * (s.matrix_ ? s.call_.nspace : 1);
    return whole_lines(std::min(compact_tile, s.shape_.size) * std::max(s.value_bytes_, indices) +
                       compact_slack);
  }
  static int64_t bytes(const Compaction& s) {
    return whole_lines(FlatTiles::scratch_bytes(s.program_)) + compacted_bytes(s) +
           whole_lines(compact_tile * 4 + compact_slack);
  }
  explicit Workspace(const Compaction& s) : Workspace(s, scratch(bytes(s))) {}
  Workspace(const Compaction& s, char* memory)
      : tiles(s.program_, memory),
        compacted(memory + whole_lines(FlatTiles::scratch_bytes(s.program_))),
        numbers(reinterpret_cast<uint32_t*>(compacted + compacted_bytes(s))),
        writer(s.stream_) {}
  FlatTiles tiles;
  char* compacted;
  uint32_t* numbers;
  Writer writer;
};

Compaction::Tile Compaction::tile(int64_t t) const {
  const MaskBits& m = call_.mask;
  Tile r;
  r.first = t * compact_tile;
  r.n = std::min(compact_tile, shape_.size - r.first);
  r.rank = m.before[t];
  r.count = std::min(m.before[t + 1], results_) - r.rank;
  r.bits = m.bits + r.first / 64;
  return r;
}

void Compaction::values(const Tile& t, Workspace& w) const {
  const Plan& plan = program_.plan;
  w.tiles.run(t.first, t.n);
  for (size_t k = 0; k < plan.outputs.size(); ++k) {
    const size_t operand = static_cast<size_t>(plan.inputs) + k;
    const int64_t item = plan.item[operand];
    const char* from = w.tiles.result(k);
    if (t.count < t.n) {
      loops_.compress[plan.log2[operand]](t.n, t.bits, from, w.compacted);
      from = w.compacted;
    }
    w.writer.copy(from, t.count * item, static_cast<char*>(call_.values[k]) + t.rank * item);
  }
}

void Compaction::positions(const Tile& t, Workspace& w) const {
  auto* numbers = reinterpret_cast<int64_t*>(w.compacted);
  loops_.indices(t.n, t.bits, t.first, numbers);
  int64_t* to = call_.indices[0] + t.rank * call_.index_step;
  if (call_.index_step == 1) return w.writer.copy(w.compacted, t.count * 8, reinterpret_cast<char*>(to));
  for (int64_t i = 0; i < t.count; ++i) to[i * call_.index_step] = numbers[i];
}

void Compaction::coordinates(const Tile& t, Workspace& w) const {
  loops_.short_indices(t.n, t.bits, w.numbers);
  auto* matrix = reinterpret_cast<int64_t*>(w.compacted);
  const int64_t step = call_.index_step;
  int64_t rest = t.first;
  for (int32_t d = call_.nspace; d-- > 0;) {
    int64_t* to = matrix_ ? matrix + d : call_.indices[d] + t.rank * step;
    if (d == 0) {
      for (int64_t i = 0; i < t.count; ++i) to[i * step] = rest + static_cast<int64_t>(w.numbers[i]);
      break;
    }
    const int64_t extent = call_.space[d];
    loops_.coordinate(t.count, w.numbers, rest % extent, extent, step, to);
    rest /= extent;
  }
  if (!matrix_) return;
  w.writer.copy(w.compacted, t.count * call_.nspace * 8,
                reinterpret_cast<char*>(call_.indices[0] + t.rank * step));
}

// Copies the rows that some words of mask bits select.
void Compaction::rows(int64_t first, int64_t last) const {
  const MaskBits& m = call_.mask;
  constexpr int64_t words = compact_tile / 64;
  int64_t rank = m.before[first / words];
  for (int64_t i = first / words * words; i < first; ++i) rank += __builtin_popcountll(m.bits[i]);
  const Writer writer(results_ * call_.row_bytes >= stream_bytes);
  for (int64_t i = first; i < last; ++i) {
    for (uint64_t word = m.bits[i]; word != 0 && rank < results_; word &= word - 1, ++rank) {
      const int64_t at = i * 64 + __builtin_ctzll(word);
      const auto* from = static_cast<const char*>(call_.rows.data);
      int64_t index = at;
      for (int32_t d = call_.ndim; d-- > 0; index /= call_.shape[d]) {
        from += index % call_.shape[d] * call_.rows.strides[d];
      }
      writer.copy(from, call_.row_bytes, static_cast<char*>(call_.row_to) + rank * call_.row_bytes);
    }
  }
}

void Compaction::run_rows() const {
  const int64_t words = MaskBits::words(shape_.size);
  const int64_t selected = std::max<int64_t>(results_ / words, 1);  // set bits per word, on average
  parallel_ranges(words, std::max<int64_t>(parallel_row_bytes / (selected * call_.row_bytes), 1),
                  [&](int64_t first, int64_t last) { rows(first, last); });
}

void Compaction::run() const {
  if (results_ == 0) return;
  if (call_.row_bytes > 0) run_rows();
  const bool some_values = value_bytes_ > 0;
  if (!some_values && call_.nspace == 0) return;
  parallel_ranges(tiles_, serial_elements / compact_tile, [&](int64_t first, int64_t last) {
    Workspace w(*this);
    for (int64_t i = first; i < last; ++i) {
      const Tile t = tile(i);
      if (t.count <= 0) continue;
      if (some_values) values(t, w);
      if (call_.nspace == 1) positions(t, w);
      if (call_.nspace > 1) coordinates(t, w);
    }
  });
}

}  // namespace

void compact(const CompactCall& call) { Compaction(call).run(); }

}  // namespace arr::host
