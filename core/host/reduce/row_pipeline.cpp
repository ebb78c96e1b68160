// SPDX-License-Identifier: MIT
// Runs a sequence of calls on one block of rows after the other.
#include "backend/row_pipeline.h"

#include <algorithm>

#include "array/layout.h"
#include "base/checked.h"
#include "base/uncleared_array.h"
#include "host/device/pool_block.h"
#include "host/elementwise/calls.h"
#include "host/elementwise/parallel.h"
#include "host/elementwise/tile.h"
#include "host/reduce/calls.h"

namespace arr::host {

namespace {

// Bytes of a block's widest array: all arrays of a block stay in the second-level cache. One thread takes a
// longer block only if that array alone fits.
constexpr int64_t block_bytes = 128 * 1024, thread_bytes = int64_t{1} << 20;
// If rows are not contiguous, a block has as many as fit into a few cache lines.
constexpr int64_t across_bytes = 128;

class RowPipeline {
 public:
  explicit RowPipeline(const BlocksCall& call);
  void run() const;

 private:
  struct LocalArray {
    int64_t strides[max_ndim];
    int64_t row;  // bytes of a local array for each index of the first dimension
  };
  [[nodiscard]] bool local(int32_t k) const {
    return call_.locals[static_cast<size_t>(k)].dtype != DType::none;
  }
  void set_local(int32_t k);
  [[nodiscard]] int64_t local_bytes(int64_t n) const;
  void run_block(int64_t first, int64_t n) const;
  void run_step(const BlocksCall::Step& s, const Operand* at, const int64_t* shape, bool dropped) const;

  const BlocksCall& call_;
  int64_t outermost_ = 1;  // extent of the first dimension, which is cut into blocks
  int64_t inner_ = 1;      // elements for each of its indices
  int64_t widest_ = 1;
  UnclearedArray<LocalArray, BlocksCall::max_arrays> local_arrays_;
};

RowPipeline::RowPipeline(const BlocksCall& call) : call_(call) {
  if (call.nkept > 0) outermost_ = call.shape[0];
  for (int32_t d = call.nkept > 0 ? 1 : 0; d < call.ndim; ++d) inner_ *= call.shape[d];
  for (int32_t k = 0; k < call.narrays; ++k) {
    if (local(k)) set_local(k);
  }
  for (int32_t k = 0; k < call.nsteps; ++k) {
    for (const DType d : call.steps[static_cast<size_t>(k)].program->inputs) {
      widest_ = std::max(widest_, item_size(d));
    }
  }
}

// Makes a contiguous local array; its strides do not depend on the number of rows.
void RowPipeline::set_local(int32_t k) {
  const BlocksCall::Local& l = call_.locals[static_cast<size_t>(k)];
  LocalArray& p = local_arrays_[static_cast<size_t>(k)];
  std::fill(p.strides, p.strides + call_.ndim, 0);
  int64_t step = item_size(l.dtype);
  for (int32_t d = l.per_row ? call_.nkept : call_.ndim; d-- > 0;) {
    p.strides[d] = step;
    if (d > 0 || call_.nkept == 0) step *= call_.shape[d];
  }
  p.row = step;
}

int64_t RowPipeline::local_bytes(int64_t n) const {
  int64_t bytes = 0;
  for (int32_t k = 0; k < call_.narrays; ++k) {
    if (local(k)) bytes += whole_lines(n * local_arrays_[static_cast<size_t>(k)].row);
  }
  return bytes;
}

// dropped: the first dimension, which has extent 1.
void RowPipeline::run_step(const BlocksCall::Step& s, const Operand* at, const int64_t* shape,
                           bool dropped) const {
  const int32_t less = dropped ? 1 : 0;
  UnclearedArray<Operand, Program::max_inputs + 1> operands;
  const Program& p = *s.program;
  const DType made = p.nodes[static_cast<size_t>(p.outputs[0])].dtype;
  const size_t n = p.inputs.size();
  auto seen = [&](int8_t k) {
    Operand o = at[k];
    if (o.strides != nullptr) o.strides += less;
    return o;
  };
  for (size_t i = 0; i < n; ++i) operands[i] = seen(s.in.at(i));
  const BlocksCall::Local& to = call_.locals.at(static_cast<size_t>(s.to));
  if (s.reduction != nullptr) {
    ReduceCall c;
    c.reduction = s.reduction;
    c.map = s.program;
    c.acc = made;
    c.out = to.dtype;
    c.ndim = call_.ndim - less;
    c.nkept = call_.nkept - less;
    c.shape = shape + less;
    c.operands = operands.data();
    c.output = seen(s.to);
    return reduce(c);
  }
  operands[n] = seen(s.to);
  ElementwiseCall c;
  c.program = s.program;
  c.ndim = (to.dtype != DType::none && to.per_row ? call_.nkept : call_.ndim) - less;
  c.shape = shape + less;
  c.operands = operands.data();
  c.nontemporal = to.dtype == DType::none && outermost_ * inner_ * item_size(made) >= stream_bytes;
  elementwise(c);
}

void RowPipeline::run_block(int64_t first, int64_t n) const {
  const PoolBlock memory(local_bytes(n));
  int64_t shape[max_ndim];
  std::copy(call_.shape, call_.shape + call_.ndim, shape);
  if (call_.nkept > 0) shape[0] = n;
  UnclearedArray<Operand, BlocksCall::max_arrays> at;
  char* free = memory.data();
  for (int32_t k = 0; k < call_.narrays; ++k) {
    Operand& o = at[static_cast<size_t>(k)];
    o = call_.arrays[k];
    if (local(k)) {
      const LocalArray& p = local_arrays_[static_cast<size_t>(k)];
      o.data = free;
      o.strides = p.strides;
      free += whole_lines(n * p.row);
    } else if (o.data != nullptr && call_.nkept > 0) {
      o.data = static_cast<char*>(o.data) + first * o.strides[0];
    }
  }
  for (int32_t k = 0; k < call_.nsteps; ++k) {
    run_step(call_.steps[static_cast<size_t>(k)], at.data(), shape, call_.nkept > 0 && n == 1);
  }
}

void RowPipeline::run() const {
  int64_t n = block_bytes / (inner_ * widest_);
  const int64_t step = call_.nkept > 0 ? std::abs(call_.arrays[0].strides[0]) : 0;
  if (step != 0) n = std::max(n, across_bytes / step);
  n = std::clamp<int64_t>(n, 1, outermost_);
  const int64_t count = checked::ceil_div(outermost_, n);
  const bool apart = n * inner_ * widest_ <= thread_bytes && count >= concurrency();
  // Otherwise threads share each block.
  parallel_ranges(count, apart ? 1 : count, [&](int64_t from, int64_t to) {
    for (int64_t b = from; b < to; ++b) run_block(b * n, std::min(n, outermost_ - b * n));
  });
}

}  // namespace

void blocks(const BlocksCall& call) { RowPipeline(call).run(); }

}  // namespace arr::host
