// SPDX-License-Identifier: MIT
// Builds sequences of calls.
#include "ops/elementwise/row_pipeline.h"

#include "backend/reduce.h"
#include "runtime/dispatch.h"

namespace arr {

RowPipeline::RowPipeline(const Array& a, uint32_t axes) : a_(a), axes_(axes) {
  add(a.dtype, {}, {});
  add(DType::none, {}, {});
}

int32_t RowPipeline::add(DType d, const Operand& at, const BlocksCall::Local& local) {
  call_.locals.at(count_) = local;
  dtypes_.at(count_) = d;
  arrays_[count_] = at;  // after the check of the others
  return static_cast<int32_t>(count_++);
}

bool RowPipeline::all_per_row(In in) const {
  for (const int32_t k : in) {
    if (!call_.locals.at(static_cast<size_t>(k)).per_row) return false;
  }
  return true;
}

BlocksCall::Step& RowPipeline::step(const BoundProgram& p, In in, int32_t to) {
  BlocksCall::Step& s = call_.steps.at(static_cast<size_t>(call_.nsteps++));
  s.program = p.program;
  size_t n = 0;
  for (const int32_t k : in) s.in.at(n++) = static_cast<int8_t>(k);
  for (const Scalar& x : p.immediates)
    s.in.at(n++) = static_cast<int8_t>(add(x.dtype, {nullptr, nullptr, x}, {}));
  s.to = static_cast<int8_t>(to);
  return s;
}

namespace {

// The space of all rows: kept dimensions first, then the others.
void rows_of(const Layout& a, const Layout& to, uint32_t axes, Iteration* it, int32_t* nkept) {
  int64_t shape[max_ndim], strides[2][max_ndim];
  int32_t n = 0;
  for (const bool reduced : {false, true}) {
    for (int32_t i = 0; i < a.ndim; ++i) {
      if (((axes >> i & 1U) != 0) != reduced) continue;
      shape[n] = a.shape[i];
      strides[0][n] = a.strides[i];
      strides[1][n++] = to.strides[i];
    }
  }
  const int64_t* rows[] = {strides[0], strides[1]};
  collapse(n, shape, 2, rows, __builtin_popcount(axes), it, nkept);
}

}  // namespace

bool RowPipeline::suits(const Array& a, uint32_t axes, Stream* stream) {
  const Queue q = queue_for(a.device(), stream);
  const ReduceApi& backend = api<ReduceApi>(q);
  if (backend.any_row_pipeline || a.layout.size() == 0) return true;
  Iteration it;
  BlocksCall call;
  rows_of(a.layout, a.layout, axes, &it, &call.nkept);
  const Operand itself{a.data, it.strides[0], {}};
  call.ndim = it.ndim;
  call.shape = it.shape;
  call.arrays = &itself;
  call.narrays = 1;
  return try_call(backend.row_pipeline, q.index(), &call, q.handle());
}

Ref<Array> RowPipeline::run(DType d, Stream* stream) {
  materialize(*a_.buffer);
  Ref<Array> to = empty_like(a_, d, Order::K, stream);
  if (to->layout.size() == 0) return to;
  Iteration it;
  rows_of(a_.layout, to->layout, axes_, &it, &call_.nkept);
  const Queue q = queue_for(a_.device(), stream);
  arrays_[0] = {a_.data, it.strides[0], {}};
  arrays_[out] = {to->data, it.strides[1], {}};
  use_to_read(*a_.buffer, q);
  follow(*to->buffer, q);
  call_.ndim = it.ndim;
  call_.shape = it.shape;
  call_.arrays = arrays_.data();
  call_.narrays = static_cast<int32_t>(count_);
  enqueue(q, api<ReduceApi>(q).row_pipeline, call_);
  return to;
}

}  // namespace arr
