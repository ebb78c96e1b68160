// SPDX-License-Identifier: MIT
// Scans: tiles are scanned in buffers that stay in the caches, and written once. If a sequence has several
// tiles, threads take them in order and pass on the carry, so memory is read once.
#include <algorithm>
#include <atomic>
#include <thread>

#include "backend/reduce.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/reduce/calls.h"
#include "host/reduce/scan_shape.h"

namespace arr::host {

namespace {

class Scanner {
 public:
  explicit Scanner(const ScanCall& call);
  void run();

 private:
  struct Workspace;  // memory of one thread
  struct Tile {
    int64_t rows = 0, cols = 0;
    TileData data;
    char* to = nullptr;
  };
  [[nodiscard]] Tile locate(int64_t sequence, int64_t index) const;
  // The tile in the accumulated type, contiguous in its columns. *stride: bytes between its rows.
  const char* evaluate(const Tile& t, int64_t* stride, Workspace& w) const;
  void store(int64_t rows, int64_t cols, char* to, Workspace& w) const;
  void short_rows(int64_t sequence, Workspace& w) const;
  void columns(int64_t sequence, Workspace& w) const;
  void finish(int64_t n, const char* prefix, char* to, Workspace& w) const;
  // Scans one tile of a sequence. `carry` is the result of the tiles before it; waits for them if `turn` is
  // given.
  void link(int64_t ticket, char* carry, std::atomic<int64_t>* turn, Workspace& w) const;
  void run_chained();

  const ScanCall& call_;
  const Plan& plan_;
  const ScanShape shape_;
  const ScanLoops& loops_;
  const ReduceLoops& reduce_;
  const int64_t item_, out_item_;  // bytes of an accumulated and of a written element
  TileOperands operands_;
  int64_t out_row_ = 0, out_col_ = 0;
};

// Scratch memory of a thread: for the program, a tile of results, the same converted, and carries.
struct Scanner::Workspace {
  static int64_t tile_bytes(const Scanner& s) { return whole_lines(s.shape_.capacity * s.item_); }
  static int64_t converted_bytes(const Scanner& s) {
    return s.call_.acc == s.call_.out ? 0 : whole_lines(s.shape_.capacity * s.out_item_);
  }
  static int64_t sums(const Scanner& s) {
    return whole_lines(std::max(s.shape_.cols, scan_lanes + 1) * s.item_);
  }
  static int64_t bytes(const Scanner& s) {
    return whole_lines(TileRunner::scratch_bytes(s.plan_, s.shape_.capacity)) + tile_bytes(s) +
           converted_bytes(s) + 2 * sums(s);
  }
  explicit Workspace(const Scanner& s) : Workspace(s, scratch(bytes(s))) {}
  Workspace(const Scanner& s, char* memory)
      : tiles(s.plan_, s.operands_.data(), s.shape_.capacity, false, memory),
        result(memory + whole_lines(TileRunner::scratch_bytes(s.plan_, s.shape_.capacity))),
        converted(result + tile_bytes(s)),
        state(converted + converted_bytes(s)),
        prefix(state + sums(s)),
        streams(s.shape_.stream) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    if (streams) loops().fence_nontemporal();
  }
  TileRunner tiles;
  char *result, *converted;
  char *state, *prefix;  // within a tile; before it
  bool streams;          // results are written with non-temporal stores
};

Scanner::Scanner(const ScanCall& call)
    : call_(call),
      plan_(plan_of(*call.map)),
      shape_(call, plan_),
      loops_(loops().scan[call.reduction->number][static_cast<size_t>(call.acc)]),
      reduce_(loops().reduce[call.reduction->number][static_cast<size_t>(call.acc)]),
      item_(item_size(call.acc)),
      out_item_(item_size(call.out)) {
  if (loops_.rows == nullptr) {
    fail(ARR_E_INTERNAL, "no scan loop of ", call.reduction->name, " for ", name(call.acc));
  }
  for (int32_t k = 0; k < plan_.inputs; ++k) {
    set_tile_operand(call.operands[k], call.ndim, shape_.row, shape_.col, operands_.data() + k);
  }
  if (shape_.row >= 0) out_row_ = call.output.strides[shape_.row];
  out_col_ = call.output.strides[shape_.col];
}

Scanner::Tile Scanner::locate(int64_t sequence, int64_t index) const {
  const ScanShape& s = shape_;
  const int64_t groups = s.by_columns ? s.col_tiles : s.row_tiles;
  const int64_t group = sequence % groups;
  const int64_t row = (s.by_columns ? index : group) * s.rows, col = (s.by_columns ? group : index) * s.cols;
  Tile t;
  t.rows = std::min(s.rows, s.nrows - row);
  t.cols = std::min(s.cols, s.ncols - col);
  t.data.set(operands_.data(), plan_.inputs, row, col);
  t.to = static_cast<char*>(call_.output.data) + row * out_row_ + col * out_col_;
  s.outer.visit(sequence / groups, call_.shape, [&](int32_t d, int64_t steps) {
    t.to += steps * call_.output.strides[d];
    t.data.move(call_.operands, plan_.inputs, d, steps);
  });
  return t;
}

const char* Scanner::evaluate(const Tile& t, int64_t* stride, Workspace& w) const {
  *stride = shape_.raw ? operands_[0].row : t.cols * item_;
  return shape_.raw ? t.data.at[0] : w.tiles.evaluate(t.data.at, t.rows, t.cols);
}

// Writes the tile of results, which is contiguous in w.result, to the output.
void Scanner::store(int64_t rows, int64_t cols, char* to, Workspace& w) const {
  const char* from = w.result;
  if (call_.acc != call_.out) {
    const void* in[3] = {from, nullptr, nullptr};
    cast_loop(call_.acc, call_.out)(rows * cols, in, w.converted);
    from = w.converted;
  }
  const int64_t line = cols * out_item_;
  if (shape_.stream && out_col_ == out_item_ && (rows == 1 || line >= 256)) {
    for (int64_t r = 0; r < rows; ++r) loops().copy_nontemporal(line, from + r * line, to + r * out_row_);
    return;
  }
  const auto log2 = static_cast<size_t>(__builtin_ctzll(static_cast<uint64_t>(out_item_)));
  loops().scatter[log2](rows, cols, from, to, out_row_, out_col_);
}

void Scanner::short_rows(int64_t sequence, Workspace& w) const {
  const Tile t = locate(sequence, 0);
  const int64_t rows = t.rows, cols = t.cols;
  int64_t stride = 0;
  const char* x = evaluate(t, &stride, w);
  const int64_t line = cols * item_;
  if (scan_lane(cols) == cols) {
    loops_.rows(rows, cols, x, stride, w.result, line);
  } else {
    for (int64_t r = 0; r < rows; ++r) {
      loops_.local(cols, x + r * stride, w.result + r * line, w.state);
      loops_.apply(cols, 0, cols, w.result + r * line, w.state, nullptr, w.result + r * line);
    }
  }
  store(rows, cols, t.to, w);
}

void Scanner::columns(int64_t sequence, Workspace& w) const {
  for (int64_t i = 0; i < shape_.tiles; ++i) {
    const Tile t = locate(sequence, i);
    int64_t stride = 0;
    const char* x = evaluate(t, &stride, w);
    loops_.column(t.rows, t.cols, x, stride, w.state, i == 0, w.result, t.cols * item_);
    store(t.rows, t.cols, t.to, w);
  }
}

void Scanner::link(int64_t ticket, char* carry, std::atomic<int64_t>* turn, Workspace& w) const {
  const bool first = ticket % shape_.tiles == 0;
  const Tile t = locate(ticket / shape_.tiles, ticket % shape_.tiles);
  const int64_t rows = t.rows, cols = t.cols;
  int64_t stride = 0;
  const char* x = evaluate(t, &stride, w);
  const char* total = w.state;
  int64_t n = cols;
  if (shape_.by_columns) {
    loops_.column(rows, cols, x, stride, w.state, true, w.result, cols * item_);
  } else {
    loops_.local(cols, x, w.result, w.state);
    total = w.state + scan_lanes * item_;
    n = 1;
  }
  // Tickets are taken in order, so the thread with the previous ticket is already working.
  for (int spins = 0; turn != nullptr && turn->load(std::memory_order_acquire) != ticket; ++spins) {
    if (spins > 1000) std::this_thread::yield();
  }
  const auto bytes = static_cast<size_t>(n * item_);
  if (first) {
    std::copy_n(total, bytes, carry);
  } else {
    std::copy_n(carry, bytes, w.prefix);
    reduce_.column(1, n, total, 0, carry);
  }
  if (turn != nullptr) turn->store(ticket + 1, std::memory_order_release);
  if (!shape_.by_columns) return finish(cols, first ? nullptr : w.prefix, t.to, w);
  if (!first) loops_.shift(rows, cols, w.prefix, w.result, cols * item_);
  store(rows, cols, t.to, w);
}

// Writes a tile of one row, scanned by lanes, to the output. Small portions: the next is computed while
// memory stores the previous one.
void Scanner::finish(int64_t n, const char* prefix, char* to, Workspace& w) const {
  const bool direct = shape_.stream && call_.acc == call_.out && out_col_ == out_item_;
  const int64_t portion = direct ? 2048 / item_ : n;
  for (int64_t i = 0; i < n; i += portion) {
    const int64_t end = std::min(i + portion, n);
    loops_.apply(n, i, end, w.result, w.state, prefix, w.result);
    if (direct) loops().copy_nontemporal((end - i) * item_, w.result + i * item_, to + i * item_);
  }
  if (!direct) store(1, n, to, w);
}

void Scanner::run_chained() {
  const int64_t tickets = shape_.sequences * shape_.tiles;
  const PoolBlock carry(Workspace::sums(*this));
  if (tickets * shape_.capacity <= serial_elements) {
    Workspace w(*this);
    for (int64_t t = 0; t < tickets; ++t) link(t, carry.data(), nullptr, w);
    return;
  }
  std::atomic<int64_t> next{0}, turn{0};
  const auto workers = std::min<int64_t>(tickets, concurrency());
  parallel_ranges(workers, 1, [&](int64_t, int64_t) {
    Workspace w(*this);  // allocates before a ticket is taken: nothing may fail while other threads wait
    for (;;) {
      const int64_t ticket = next.fetch_add(1, std::memory_order_relaxed);
      if (ticket >= tickets) return;
      link(ticket, carry.data(), &turn, w);
    }
  });
}

void Scanner::run() {
  if (shape_.chained) return run_chained();
  const int64_t grain =
      std::max<int64_t>(1, serial_elements / std::max<int64_t>(1, shape_.capacity * shape_.tiles));
  parallel_ranges(shape_.sequences, grain, [&](int64_t first, int64_t last) {
    Workspace w(*this);
    for (int64_t i = first; i < last; ++i) shape_.by_columns ? columns(i, w) : short_rows(i, w);
  });
}

}  // namespace

void scan(const ScanCall& call) { Scanner(call).run(); }

}  // namespace arr::host
