// SPDX-License-Identifier: MIT
// Reductions of segments. A long segment is cut into pieces by its length alone, and the results of the
// pieces are joined in order, so the result has the same bits for any number of threads.
#include <algorithm>
#include <cstring>
#include <vector>

#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/reduce/calls.h"
#include "host/reduce/ordered.h"

namespace arr::host {

namespace {

constexpr int64_t piece_elements = 32 * 1024;  // a longer segment has several pieces
constexpr int64_t short_extent = 16;           // fewer sequences than this are processed one by one
constexpr int64_t max_line = 1024;             // max elements of a line
constexpr int64_t batch_results = 1024;        // that are written at a time
constexpr int64_t gathered_at_once = 4096;     // elements that are gathered at a time

void copy_item(int64_t item, void* to, const void* from) {
  switch (item) {
    case 1:
      std::memcpy(to, from, 1);
      break;
    case 2:
      std::memcpy(to, from, 2);
      break;
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    default:
      std::memcpy(to, from, static_cast<size_t>(item));
  }
}

class Segments {
 public:
  explicit Segments(const SegmentsCall& call);
  void run();

 private:
  // One sequence, or several neighbouring ones (the columns).
  struct Line {
    const char* from;
    char* to;
    int64_t cols;
  };
  struct LongSegment {
    int64_t segment, piece;  // its first piece, numbered over all long segments
  };
  [[nodiscard]] Line line(int64_t index) const;
  [[nodiscard]] int64_t begin(int64_t segment) const { return call_.bounds[2 * segment]; }
  [[nodiscard]] int64_t end(int64_t segment) const { return call_.bounds[2 * segment + 1]; }
  void cut();
  void begin_with(const char* x, int64_t n, char* acc) const;
  void reduce(const Line& l, int64_t first, int64_t last, char* acc, char* buffer) const;
  void reduce_pieces();
  void join_pieces(int64_t index, int64_t segment, const Line& l, char* acc) const;
  void store(const Line& l, int64_t segment, int64_t n, const char* acc, char* buffer) const;
  void results(int64_t first, int64_t last) const;

  const SegmentsCall& call_;
  const ReduceLoops& loops_;
  const int32_t axis_;
  const int64_t item_, out_item_, step_;
  int32_t column_ = -1;  // the dimension of the columns
  int64_t width_ = 1, blocks_ = 1, lines_ = 1, piece_ = piece_elements;
  OuterDimensions outer_;
  std::vector<LongSegment> long_;
  int64_t pieces_ = 0;       // pieces of all long segments
  char* partial_ = nullptr;  // the results of the pieces
};

Segments::Segments(const SegmentsCall& call)
    : call_(call),
      loops_(loops().reduce[call.reduction->number][static_cast<size_t>(call.acc)]),
      axis_(call.ndim - 1),
      item_(item_size(call.acc)),
      out_item_(item_size(call.out)),
      step_(call.input.strides[axis_]) {
  if (loops_.row == nullptr) {
    fail(ARR_E_INTERNAL, "no loop of ", call.reduction->name, " for ", name(call.acc));
  }
  for (int32_t d = 0; d < axis_ && step_ != item_; ++d) {
    if (call.input.strides[d] == item_ && call.shape[d] >= short_extent) column_ = d;
  }
  for (int32_t d = 0; d < axis_; ++d) {
    if (d != column_) outer_.add(d, call.shape[d]);
  }
  if (column_ >= 0) {
    width_ = std::min(call.shape[column_], max_line);
    blocks_ = checked::ceil_div(call.shape[column_], width_);
  }
  lines_ = outer_.total * blocks_;
  piece_ = piece_elements / width_;
}

Segments::Line Segments::line(int64_t index) const {
  Line l{static_cast<const char*>(call_.input.data), static_cast<char*>(call_.output.data), 1};
  auto move = [&](int32_t d, int64_t steps) {
    l.from += steps * call_.input.strides[d];
    l.to += steps * call_.output.strides[d];
  };
  if (column_ >= 0) {
    const int64_t first = index % blocks_ * width_;
    move(column_, first);
    l.cols = std::min(width_, call_.shape[column_] - first);
  }
  outer_.visit(index / blocks_, call_.shape, move);
  return l;
}

void Segments::cut() {
  for (int64_t i = 0; i < call_.count; ++i) {
    const int64_t n = end(i) - begin(i);
    if (n <= piece_) continue;
    long_.push_back({i, pieces_});
    pieces_ += checked::ceil_div(n, piece_);
  }
}

// The first elements of n segments as accumulators. In a bool, true may be any nonzero byte.
void Segments::begin_with(const char* x, int64_t n, char* acc) const {
  if (call_.acc == DType::bool_) {
    for (int64_t i = 0; i < n; ++i) acc[i] = x[i] != 0 ? 1 : 0;
  } else if (n == 1) {
    copy_item(item_, acc, x);
  } else {
    std::memcpy(acc, x, static_cast<size_t>(n * item_));
  }
}

// Reduces the elements first .. last - 1 into acc[0 .. cols).
void Segments::reduce(const Line& l, int64_t first, int64_t last, char* acc, char* buffer) const {
  const char* x = l.from + first * step_;
  const int64_t n = last - first;
  if (column_ >= 0) {
    begin_with(x, l.cols, acc);
    return loops_.column(n - 1, l.cols, x + step_, step_, acc);
  }
  begin_with(x, 1, acc);
  if (step_ == item_) return loops_.row(n - 1, x + item_, acc);
  for (int64_t i = 1; i < n; i += gathered_at_once) {
    const int64_t some = std::min(gathered_at_once, n - i);
    loops().gather[log2_of(item_)](1, some, x + i * step_, 0, step_, buffer);
    loops_.row(some, buffer, acc);
  }
}

// Reduces all pieces of long segments of every line; threads share the pieces.
void Segments::reduce_pieces() {
  parallel_ranges(lines_ * pieces_, 1, [&](int64_t from, int64_t to) {
    char* buffer = scratch(gathered_at_once * item_);
    for (int64_t i = from; i < to; ++i) {
      const int64_t piece = i % pieces_;
      const auto after = std::upper_bound(long_.begin(), long_.end(), piece,
                                          [](int64_t p, const LongSegment& l) { return p < l.piece; });
      const LongSegment& of = after[-1];
      const int64_t first = begin(of.segment) + (piece - of.piece) * piece_;
      reduce(line(i / pieces_), first, std::min(first + piece_, end(of.segment)),
             partial_ + i * width_ * item_, buffer);
    }
  });
}

void Segments::join_pieces(int64_t index, int64_t segment, const Line& l, char* acc) const {
  const auto of = std::lower_bound(long_.begin(), long_.end(), segment,
                                   [](const LongSegment& a, int64_t s) { return a.segment < s; });
  const char* from = partial_ + (index * pieces_ + of->piece) * width_ * item_;
  const int64_t n = checked::ceil_div(end(segment) - begin(segment), piece_);
  std::memcpy(acc, from, static_cast<size_t>(l.cols * item_));
  from += width_ * item_;
  if (column_ >= 0) return loops_.column(n - 1, l.cols, from, width_ * item_, acc);
  loops_.row(n - 1, from, acc);
}

// Writes the results of n segments, which are contiguous.
void Segments::store(const Line& l, int64_t segment, int64_t n, const char* acc, char* buffer) const {
  const int64_t stride = call_.output.strides[axis_];
  char* to = l.to + segment * stride;
  const void* made = acc;
  if (call_.acc != call_.out) {
    const void* from[3] = {acc, nullptr, nullptr};
    cast_loop(call_.acc, call_.out)(n * l.cols, from, buffer);
    made = buffer;
  }
  const ScatterFn write = loops().scatter[log2_of(out_item_)];
  if (column_ < 0) return write(1, n, made, to, 0, stride);
  write(n, l.cols, made, to, stride, call_.output.strides[column_]);
}

// Computes results from `first` on; results of all lines are numbered line by line.
void Segments::results(int64_t first, int64_t last) const {
  const int64_t batch = std::max<int64_t>(1, batch_results / width_);
  const int64_t room = whole_lines(batch * width_ * item_),
                out_room = whole_lines(batch * width_ * out_item_);
  char* acc = scratch(room + out_room + gathered_at_once * item_);
  char *converted = acc + room, *buffer = converted + out_room;
  while (first < last) {
    const int64_t index = first / call_.count, segment = first % call_.count;
    const int64_t n = std::min({batch, last - first, call_.count - segment});
    const Line l = line(index);
    for (int64_t i = 0; i < n; ++i) {
      const int64_t s = segment + i;
      char* to = acc + i * l.cols * item_;
      if (end(s) - begin(s) > piece_) {
        join_pieces(index, s, l, to);
      } else {
        reduce(l, begin(s), end(s), to, buffer);
      }
    }
    store(l, segment, n, acc, converted);
    first += n;
  }
}

void Segments::run() {
  cut();
  const PoolBlock memory(lines_ * pieces_ * width_ * item_);
  partial_ = memory.data();
  if (pieces_ > 0) reduce_pieces();
  const int64_t mean = checked::ceil_div(call_.elements, call_.count);
  const int64_t grain = std::max<int64_t>(1, serial_elements / (mean * width_));
  parallel_ranges(lines_ * call_.count, grain, [&](int64_t first, int64_t last) { results(first, last); });
}

}  // namespace

void segments(const SegmentsCall& call) {
  if (call.step != nullptr) return ordered_segments(call);
  Segments(call).run();
}

}  // namespace arr::host
