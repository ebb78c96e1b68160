// SPDX-License-Identifier: MIT
// Running fused expressions: maps of one or several results, and reductions of a map in one pass.
#include "ops/expression.h"

#include "ops/destination.h"
#include "ops/parts.h"
#include "ops/reduce.h"
#include "ops/scan.h"

namespace arr {

namespace {

std::vector<DType> dtypes_of(Arrays inputs) {
  std::vector<DType> out;
  out.reserve(inputs.size());
  for (const Array* a : inputs) out.push_back(a->dtype);
  return out;
}

// All operands of a compiled expression: arrays, indices along axes of the shape they broadcast to,
// constants.
class Bound {
 public:
  Bound(const Expression::Compiled& c, Arrays inputs, Stream* stream) : program_(*c.bound.program) {
    inputs_.reserve(inputs.size() + c.axes.size() + c.bound.immediates.size());
    for (const Array* a : inputs) inputs_.push_back({a, {}, false});
    common_device(inputs_);
    common_shape(inputs_, &shape_);
    Device device = inputs.front()->device();
    for (int32_t axis : c.axes) {
      int32_t at = normalize_axis(shape_.ndim, axis);
      Layout window;
      window.ndim = shape_.ndim;
      for (int32_t i = 0; i < shape_.ndim; ++i) {
        window.shape[i] = i == at ? shape_.shape[i] : 1;
        window.strides[i] = i == at ? item_size(DType::int64_) : 0;
      }
      indices_.push_back(iota(shape_.shape[at], device, stream)->view(window));
      inputs_.push_back({indices_.back().get(), {}, false});
    }
    add_constants(c.bound, &inputs_);
  }
  [[nodiscard]] const Program& program() const { return program_; }
  [[nodiscard]] std::span<const Input> inputs() const { return inputs_; }
  [[nodiscard]] const Layout& shape() const { return shape_; }

 private:
  const Program& program_;
  Layout shape_;
  std::vector<Ref<Array>> indices_;
  std::vector<Input> inputs_;
};

// The map and the types of a reduction of a node.
struct Reduced {
  ReduceTypes types;
  Expression::Compiled map;
};
Reduced compile_reduce(const Expression& e, int32_t node, const ReductionInfo& r, Arrays inputs) {
  std::vector<DType> dtypes = dtypes_of(inputs);
  const Expression::Compiled plain = e.compile({&node, 1}, dtypes, DType::none);
  const Program& p = *plain.bound.program;
  Reduced out;
  out.types = resolve(r, p.nodes[static_cast<size_t>(p.outputs[0])].dtype);
  out.map = e.compile({&node, 1}, dtypes, DType::none, &r);
  return out;
}

}  // namespace

Ref<Array> run(const Expression& e, int32_t node, Arrays inputs, Stream* stream) {
  const Bound b(e.compile({&node, 1}, dtypes_of(inputs), DType::none), inputs, stream);
  return run(b.program(), b.inputs(), Order::K, stream);
}

void run_into(const Array& dst, const Expression& e, int32_t node, Arrays inputs, Stream* stream) {
  const Bound b(e.compile({&node, 1}, dtypes_of(inputs), dst.dtype), inputs, stream);
  run_into(dst, b.program(), b.inputs(), stream);
}

std::vector<Ref<Array>> run_many(const Expression& e, std::span<const int32_t> nodes, Arrays inputs,
                                 Stream* stream) {
  const Bound b(e.compile(nodes, dtypes_of(inputs), DType::none), inputs, stream);
  return run_many(b.program(), b.inputs(), Order::K, stream);
}

void run_many_into(Arrays dsts, const Expression& e, std::span<const int32_t> nodes, Arrays inputs,
                   Stream* stream) {
  const Bound b(e.compile(nodes, dtypes_of(inputs), DType::none), inputs, stream);
  const Program& p = b.program();
  bool apart = true;
  for (size_t k = 0; k < dsts.size(); ++k) {
    check_destination(*dsts[k], b.shape(), "dsts");
    apart = apart && dsts[k]->dtype == p.nodes[static_cast<size_t>(p.outputs[k])].dtype;
    apart = apart && dsts[k]->device() == inputs.front()->device();
    for (const Array* in : inputs) apart = apart && !may_share_memory(*dsts[k], *in);
    for (size_t j = 0; j < k; ++j) apart = apart && !may_share_memory(*dsts[k], *dsts[j]);
  }
  if (apart) return run_all_into(dsts, p, b.inputs(), stream);
  // New arrays first: an input that is written is then read as it was.
  const std::vector<Ref<Array>> made = run_many(p, b.inputs(), Order::K, stream);
  for (size_t k = 0; k < dsts.size(); ++k) {
    if (!can_cast(made[k]->dtype, dsts[k]->dtype, Casting::same_kind)) {
      fail(ARR_E_DTYPE, "argument dsts: ", name(dsts[k]->dtype), " at position ", k, ", to which ",
           name(made[k]->dtype), " does not cast within the casting rule same_kind");
    }
  }
  for (size_t k = 0; k < dsts.size(); ++k) assign(*dsts[k], *made[k], stream);
}

Ref<Array> run_reduce(const Expression& e, int32_t node, const ReductionInfo& r, int32_t naxes,
                      const int32_t* axes, bool keepdims, Arrays inputs, Stream* stream) {
  const Reduced c = compile_reduce(e, node, r, inputs);
  const Bound b(c.map, inputs, stream);
  return map_reduce(r, c.types, b.program(), b.inputs(), axis_mask(b.shape().ndim, naxes, axes), keepdims,
                    stream);
}

void run_reduce_into(const Array& dst, const Expression& e, int32_t node, const ReductionInfo& r,
                     int32_t naxes, const int32_t* axes, bool keepdims, Arrays inputs, Stream* stream) {
  const Reduced c = compile_reduce(e, node, r, inputs);
  const Bound b(c.map, inputs, stream);
  map_reduce_into(dst, r, c.types, b.program(), b.inputs(), axis_mask(b.shape().ndim, naxes, axes), keepdims,
                  stream);
}

Ref<Array> run_scan(const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis, Arrays inputs,
                    Stream* stream) {
  if (!makes_scans(r)) fail(ARR_E_ARGUMENT, "argument reduction: ", r.name, " has no running form");
  const Reduced c = compile_reduce(e, node, r, inputs);
  const Bound b(c.map, inputs, stream);
  return map_scan(r, c.types, b.program(), b.inputs(), axis, stream);
}

void run_scan_into(const Array& dst, const Expression& e, int32_t node, const ReductionInfo& r, int32_t axis,
                   Arrays inputs, Stream* stream) {
  if (!makes_scans(r)) fail(ARR_E_ARGUMENT, "argument reduction: ", r.name, " has no running form");
  const Reduced c = compile_reduce(e, node, r, inputs);
  const Bound b(c.map, inputs, stream);
  map_scan_into(dst, r, c.types, b.program(), b.inputs(), axis, stream);
}

std::string explain(const Expression& e, int32_t node, Arrays inputs) {
  const Expression::Compiled c = e.compile({&node, 1}, dtypes_of(inputs), DType::none);
  return explain(c.bound, c.axes);
}

std::string source(const Expression& e, int32_t node, Arrays inputs, int32_t device_type) {
  const Bound b(e.compile({&node, 1}, dtypes_of(inputs), DType::none), inputs, nullptr);
  const Backend& backend = backend_module(device_type);
  if (backend.program_text == nullptr) {
    fail(ARR_E_UNSUPPORTED, "argument device_type: the ", backend.name,
         " runs programs by loops that are compiled in, it has no text of them");
  }
  return program_text(b.program(), b.inputs(), backend);
}

}  // namespace arr
