// SPDX-License-Identifier: MIT
// Reduces segments from left to right by a program: element by element along a segment, for several sequences
// at once.
#include "host/reduce/ordered.h"

#include <algorithm>
#include <cstring>

#include "expr/op_numbers.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/loops/reduce/ordered.h"

namespace arr::host {

namespace {

constexpr int64_t max_columns = 1024;        // sequences that a thread processes at once
constexpr int64_t gathered_elements = 4096;  // at a time, if they are not contiguous
constexpr int64_t max_single_sequences = 8;  // at most this many sequences are reduced one by one

// Reads an operand: the elements of several sequences at one index of the axis, contiguous.
class Rows {
 public:
  Rows(const Operand& o, int64_t item, int32_t axis, int64_t max, char* memory)
      : item_(item),
        step_(o.strides[axis]),
        col_(axis > 0 ? o.strides[axis - 1] : item),
        max_(max),
        memory_(memory) {}
  void begin(const char* from, int64_t cols) {
    from_ = from;
    cols_ = cols;
    first_ = end_ = 0;
  }
  // The elements at index j < last. Indices must be ascending.
  const char* at(int64_t j, int64_t last) {
    if (cols_ == 1 || col_ == item_) return from_ + j * step_;
    if (j >= end_) {
      first_ = j;
      end_ = std::min(last, j + std::max<int64_t>(1, max_ / cols_));
      loops().gather[log2_of(item_)](end_ - first_, cols_, from_ + j * step_, step_, col_, memory_);
    }
    return memory_ + (j - first_) * cols_ * item_;
  }

 private:
  const int64_t item_, step_, col_, max_;
  char* memory_;
  const char* from_ = nullptr;
  int64_t cols_ = 1, first_ = 0, end_ = 0;
};

// The input from which a value is cast; -1 if it is another value.
int32_t underlying_input(const Program& p, int32_t value) {
  const Node* n = &p.nodes[static_cast<size_t>(value)];
  while (n->kind == Node::Kind::cast) n = &p.nodes[static_cast<size_t>(n->args[0])];
  return n->kind == Node::Kind::input ? n->args[0] : -1;
}

// The loop along one sequence, if the step is one op, or with a mask one op and a `where`; else nullptr.
OrderedReduceFn loop_of(const SegmentsCall& c) {
  const Program& p = *c.step;
  const Node* step = nullptr;
  for (const Node& n : p.nodes) {
    if (n.kind != Node::Kind::op || n.op == op::where) continue;
    if (step != nullptr) return nullptr;
    step = &n;
  }
  if (step == nullptr || step->args[2] >= 0) return nullptr;
  const bool in_order = underlying_input(p, step->args[0]) == 0 && underlying_input(p, step->args[1]) == 1;
  const bool as_it_is = step->compute == c.acc || (is_half(c.acc) && step->compute == DType::float32_);
  return in_order && as_it_is ? ordered_reduce_loop(step->op, c.acc) : nullptr;
}

class OrderedReducer {
 public:
  explicit OrderedReducer(const SegmentsCall& call);
  void run() const;

 private:
  struct Workspace;
  [[nodiscard]] bool masked() const { return call_.mask.data != nullptr; }
  void step(int64_t n, const char* accumulator, const char* x, const char* mask, char* out,
            Workspace& w) const;
  struct Line;
  void reduce_line(const Line& l, int64_t j, int64_t last, char* accumulator) const;
  void reduce_segment(int64_t index, int64_t segment, Workspace& w) const;

  const SegmentsCall& call_;
  const Plan& plan_;
  const OrderedReduceFn loop_;
  const int32_t axis_;
  const int64_t item_;
  int64_t width_ = 1, blocks_ = 1, lines_ = 1;
  OuterDimensions outer_;
};

// Memory of a thread: gathered elements and mask, the current and the next accumulator, and temporaries of
// the program.
struct OrderedReducer::Workspace {
  static int64_t gathered(const OrderedReducer& f) { return std::max(gathered_elements, f.width_); }
  static int64_t block(const OrderedReducer& f) { return whole_lines(f.width_ * f.plan_.widest); }
  static int64_t bytes(const OrderedReducer& f) {
    return whole_lines(gathered(f) * (f.item_ + 1)) + (2 + f.plan_.temporaries) * block(f);
  }
  explicit Workspace(const OrderedReducer& f) : Workspace(f, scratch(bytes(f))) {}
  Workspace(const OrderedReducer& f, char* memory)
      : x(f.call_.input, f.item_, f.axis_, gathered(f), memory),
        mask(f.masked() ? f.call_.mask : f.call_.input, 1, f.axis_, gathered(f),
             memory + gathered(f) * f.item_),
        values{memory + whole_lines(gathered(f) * (f.item_ + 1)), nullptr} {
    values[1] = values[0] + block(f);
    for (int32_t t = 0; t < f.plan_.temporaries; ++t) {
      registers[f.plan_.operands + t] = values[1] + (t + 1) * block(f);
    }
  }
  Rows x, mask;
  char* values[2];
  const char* registers[max_operands + Program::max_nodes];  // registers of the program
};

OrderedReducer::OrderedReducer(const SegmentsCall& call)
    : call_(call),
      plan_(plan_of(*call.step)),
      loop_(loop_of(call)),
      axis_(call.ndim - 1),
      item_(item_size(call.acc)) {
  for (int32_t d = 0; d + 1 < axis_; ++d) outer_.add(d, call.shape[d]);
  if (axis_ > 0) {
    width_ = std::min(call.shape[axis_ - 1], max_columns);
    blocks_ = checked::ceil_div(call.shape[axis_ - 1], width_);
  }
  lines_ = outer_.total * blocks_;
}

// One step of the reduction. It is on the critical path of a single sequence, so it has no setup.
void OrderedReducer::step(int64_t n, const char* accumulator, const char* x, const char* mask, char* out,
                          Workspace& w) const {
  const char** registers = w.registers;
  registers[0] = accumulator;
  registers[1] = x;
  if (mask != nullptr) registers[2] = mask;
  registers[plan_.inputs] = out;
  for (const Plan::Step& s : plan_.steps) {
    const void* in[3] = {registers[s.in[0]], registers[s.in[1]], registers[s.in[2]]};
    s.loop(n, in, const_cast<char*>(registers[s.out]));  // an output or a temporary
  }
  const char* made = registers[plan_.outputs[0].source];
  if (made != out) std::memcpy(out, made, static_cast<size_t>(n * item_));
}

// The sequences that a thread processes at once: the addresses of their first elements and of their results.
struct OrderedReducer::Line {
  const char *from, *mask;
  char* to;
  int64_t cols;
};

// Reduces the sequences one by one: the latency of the op dominates, and processing them at once would be
// slower.
void OrderedReducer::reduce_line(const Line& l, int64_t j, int64_t last, char* accumulator) const {
  auto across = [&](const Operand& o) { return axis_ > 0 ? o.strides[axis_ - 1] : 0; };
  const int64_t along = call_.output.strides[axis_], xs = call_.input.strides[axis_];
  const int64_t ms = masked() ? call_.mask.strides[axis_] : 0;
  for (int64_t k = 0; k < l.cols; ++k) {
    const char* mask = masked() ? l.mask + k * across(call_.mask) + j * ms : nullptr;
    char* y = call_.running ? l.to + k * across(call_.output) + j * along : nullptr;
    loop_(last - j, l.from + k * across(call_.input) + j * xs, xs, mask, ms, accumulator + k * item_, y,
          along);
  }
}

void OrderedReducer::reduce_segment(int64_t index, int64_t segment, Workspace& w) const {
  Line l{static_cast<const char*>(call_.input.data), static_cast<const char*>(call_.mask.data),
         static_cast<char*>(call_.output.data) + segment * call_.output.strides[axis_], 1};
  auto move = [&](int32_t d, int64_t steps) {
    l.from += steps * call_.input.strides[d];
    l.to += steps * call_.output.strides[d];
    if (masked()) l.mask += steps * call_.mask.strides[d];
  };
  if (axis_ > 0) {
    const int64_t first = index % blocks_ * width_;
    move(axis_ - 1, first);
    l.cols = std::min(width_, call_.shape[axis_ - 1] - first);
  }
  outer_.visit(index / blocks_, call_.shape, move);
  const int64_t cols = l.cols, along = call_.output.strides[axis_],
                across = axis_ > 0 ? call_.output.strides[axis_ - 1] : item_;
  const ScatterFn write = loops().scatter[log2_of(item_)];
  int64_t j = call_.bounds == nullptr ? 0 : call_.bounds[2 * segment];
  const int64_t last = call_.bounds == nullptr ? call_.shape[axis_] : call_.bounds[2 * segment + 1];
  const char* accumulator = w.values[0];
  w.x.begin(l.from, cols);
  w.mask.begin(l.mask, cols);
  if (call_.initial.dtype != DType::none) {
    loops().fill[log2_of(item_)](cols, &call_.initial.lo, w.values[0]);
  } else {
    std::memcpy(w.values[0], w.x.at(j++, last), static_cast<size_t>(cols * item_));
    if (call_.running) write(1, cols, accumulator, l.to, 0, across);
  }
  if (loop_ != nullptr && cols <= max_single_sequences) {
    reduce_line(l, j, last, w.values[0]);
    j = last;
  }
  const bool writes_directly = call_.running && (cols == 1 || across == item_);
  for (; j < last; ++j) {
    char* next = writes_directly ? l.to + j * along : w.values[accumulator == w.values[0] ? 1 : 0];
    step(cols, accumulator, w.x.at(j, last), masked() ? w.mask.at(j, last) : nullptr, next, w);
    accumulator = next;
    if (call_.running && !writes_directly) write(1, cols, accumulator, l.to + j * along, 0, across);
  }
  if (!call_.running) write(1, cols, accumulator, l.to, 0, across);
}

void OrderedReducer::run() const {
  const int64_t mean = checked::ceil_div(call_.elements, call_.count);
  const int64_t grain = std::max<int64_t>(1, serial_elements / (mean * width_));
  parallel_ranges(lines_ * call_.count, grain, [&](int64_t first, int64_t last) {
    Workspace w(*this);
    for (int64_t i = first; i < last; ++i) reduce_segment(i / call_.count, i % call_.count, w);
  });
}

}  // namespace

void ordered_segments(const SegmentsCall& call) { OrderedReducer(call).run(); }

}  // namespace arr::host
