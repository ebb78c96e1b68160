// SPDX-License-Identifier: MIT
// Calls of a backend as a trace shows them.
#include "backend/linalg.h"
#include "backend/row_pipeline.h"
#include "backend/segments.h"
#include "backend/sorting.h"
#include "base/macros.h"
#include "expr/program.h"
#include "runtime/trace.h"

namespace arr {

namespace {

std::string shape_of(int32_t ndim, const int64_t* shape) {
  std::string out = "(";
  for (int32_t d = 0; d < ndim; ++d) out += text(d == 0 ? "" : ", ", shape[d]);
  return out + ")";
}

// An operand's elements, each once.
int64_t bytes_of(const Operand& o, DType d, int32_t ndim, const int64_t* shape) {
  if (o.data == nullptr || o.ramp) return 0;
  int64_t n = item_size(d);
  for (int32_t i = 0; i < ndim; ++i) n *= o.strides[i] == 0 ? 1 : shape[i];
  return n;
}

int64_t bytes_of_inputs(const Program& p, const Operand* operands, int32_t ndim, const int64_t* shape) {
  int64_t sum = 0;
  for (size_t k = 0; k < p.inputs.size(); ++k) {
    if (p.inputs[k] != DType::table_) sum += bytes_of(operands[k], p.inputs[k], ndim, shape);
  }
  return sum;
}

}  // namespace

TraceWork describe_work(const ElementwiseCall& c) {
  const Program& p = *c.program;
  int64_t bytes = bytes_of_inputs(p, c.operands, c.ndim, c.shape);
  for (size_t k = 0; k < p.outputs.size(); ++k) {
    const DType d = p.nodes[static_cast<size_t>(p.outputs[k])].dtype;
    bytes += bytes_of(c.operands[p.inputs.size() + k], d, c.ndim, c.shape);
  }
  return {describe(p), shape_of(c.ndim, c.shape), bytes};
}

TraceWork describe_work(const ReduceCall& c) {
  const int64_t bytes =
      bytes_of_inputs(*c.map, c.operands, c.ndim, c.shape) + bytes_of(c.output, c.out, c.nkept, c.shape);
  return {text(c.reduction->name, "(", describe(*c.map), ")"), shape_of(c.ndim, c.shape), bytes};
}

TraceWork describe_work(const ScanCall& c) {
  const int64_t bytes =
      bytes_of_inputs(*c.map, c.operands, c.ndim, c.shape) + bytes_of(c.output, c.out, c.ndim, c.shape);
  return {text("scan by ", c.reduction->name, "(", describe(*c.map), ")"), shape_of(c.ndim, c.shape), bytes};
}

TraceWork describe_work(const SegmentsCall& c) {
  int64_t sequences = 1;
  for (int32_t d = 0; d + 1 < c.ndim; ++d) sequences *= c.shape[d];
  const std::string by = c.reduction == nullptr ? describe(*c.step) : c.reduction->name;
  return {text(by, " of ", c.count, " segments"), shape_of(c.ndim, c.shape),
          sequences * (c.elements * item_size(c.acc) + c.count * item_size(c.out)) +
              c.count * 2 * item_size(DType::int64_)};
}

TraceWork describe_work(const ScatterCall& c) {
  int64_t elements = item_size(c.combine->inputs[0]);
  for (int32_t d = 0; d < c.ndim; ++d) elements *= c.shape[d];
  return {text(describe(*c.combine), " at (", describe(*c.map), ")"), shape_of(c.ndim, c.shape),
          bytes_of_inputs(*c.map, c.operands, c.ndim, c.shape) + 2 * elements};
}

TraceWork describe_work(const MatmulCall& c) {
  int64_t batches = 1;
  for (int32_t d = 0; d < c.nbatch; ++d) batches *= c.batch_shape[d];
  const int64_t extents[] = {batches, c.m, c.k, c.n};
  const bool adds = c.added.data != nullptr;
  const int64_t added = adds ? (c.added.row == 0 ? 1 : c.m) * (c.added.column == 0 ? 1 : c.n) : 0;
  return {adds || c.activation != MatmulActivation::none ? "gemm" : "matmul", shape_of(4, extents),
          batches * item_size(c.dtype) * (c.m * c.k + c.k * c.n + c.m * c.n + added)};
}

TraceWork describe_work(const QuantileCall& c) {
  const int64_t extents[] = {c.rows, c.n};
  return {"quantiles", shape_of(2, extents), c.rows * c.n * item_size(c.dtype)};
}

TraceWork describe_work(const LinalgCall& c) {
  const int64_t extents[] = {c.count(), c.m, c.n, c.k};
  return {name(c.kind), shape_of(c.k == 0 ? 3 : 4, extents),
          c.count() * item_size(c.dtype) * (c.m * c.n + c.n * c.k)};
}

TraceWork describe_work(const FftCall& c) {
  int64_t shape[2 * max_ndim], bytes = 3 * item_size(c.real);
  int32_t ndim = 0;
  for (int32_t i = 0; i < c.nbatch; ++i) shape[ndim++] = c.batch[static_cast<size_t>(i)].n;
  for (int32_t i = 0; i < c.ndim; ++i) shape[ndim++] = c.dims[static_cast<size_t>(i)].n;
  if (c.kind == FftKind::forward || c.kind == FftKind::backward) bytes = 4 * item_size(c.real);
  for (int32_t d = 0; d < ndim; ++d) bytes *= shape[d];
  return {text("fft along ", c.ndim, c.ndim == 1 ? " axis" : " axes"), shape_of(ndim, shape), bytes};
}

TraceWork describe_work(const CosineCall& c) {
  int64_t shape[max_ndim + 1], bytes = 2 * item_size(c.real);
  int32_t ndim = 0;
  for (int32_t i = 0; i < c.nbatch; ++i) shape[ndim++] = c.batch[static_cast<size_t>(i)].n;
  shape[ndim++] = c.axis.n;
  for (int32_t d = 0; d < ndim; ++d) bytes *= shape[d];
  return {text(c.sine ? "sine" : "cosine", " transform along an axis"), shape_of(ndim, shape), bytes};
}

TraceWork describe_work(const BlocksCall& c) {
  TraceWork work{"", shape_of(c.ndim, c.shape)};
  std::array<int64_t, BlocksCall::max_arrays>
      bytes{};  // of the caller's arrays, whatever many steps use them
  for (int32_t k = 0; k < c.nsteps; ++k) {
    const BlocksCall::Step& s = c.steps.at(static_cast<size_t>(k));
    const Program& p = *s.program;
    const std::string formula = describe(p);
    if (k > 0) work.name += "; ";
    work.name += s.reduction == nullptr ? formula : text(s.reduction->name, "(", formula, ")");
    auto count = [&](int8_t array, DType d) {
      bytes.at(static_cast<size_t>(array)) = bytes_of(c.arrays[array], d, c.ndim, c.shape);
    };
    for (size_t i = 0; i < p.inputs.size(); ++i) count(s.in.at(i), p.inputs[i]);
    count(s.to, p.nodes[static_cast<size_t>(p.outputs[0])].dtype);
  }
  for (const int64_t b : bytes) work.bytes += b;
  return work;
}

}  // namespace arr
