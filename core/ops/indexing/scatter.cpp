// SPDX-License-Identifier: MIT
// Calls the backend's scatter, and the max of indices for checks of their range.
#include "ops/indexing/scatter.h"

#include <array>

#include "backend/indexing.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "ops/reduce/reduce.h"
#include "runtime/dispatch.h"

namespace arr {

DType value_type(const OpInfo& op, const Fitted& f, const Input& b) {
  if (b.array == nullptr) return f.dtypes[1];
  const DType own = own_type(op, 1);
  if (own != DType::none) return own;
  const OperandType types[2] = {{f.dtypes[0], false}, {f.dtypes[1], false}};
  return is_mixed(op, types) ? f.dtypes[1] : f.signature.operand;
}

const Program& select_second(DType d) {
  static auto* programs = new ProgramCache;
  return *programs
              ->get(static_cast<uint64_t>(d),
                    [d] {
                      ProgramBuilder b;
                      b.input(d);
                      b.output(b.input(d));
                      return b.finish();
                    })
              .program;
}

uint64_t largest_unsigned(const Array& x, int64_t plus, Stream* stream) {
  Layout distinct = x.layout;  // elements that a view repeats, perhaps without end, are read once
  for (int32_t d = 0; d < distinct.ndim; ++d) {
    if (distinct.strides[d] == 0 && distinct.shape[d] > 1) distinct.shape[d] = 1;
  }
  const Ref<Array> view = x.view(distinct);
  static auto* programs = new ProgramCache;
  auto build = [&] {
    ProgramBuilder b;
    int32_t node = b.cast(b.input(x.dtype), DType::int64_);
    if (plus != 0) node = b.op(op::add, node, integer(b, plus));
    b.output(b.cast(node, DType::uint64_));
    return b.finish();
  };
  BoundProgram own;
  if (plus != 0) own = build();
  const BoundProgram& p = plus != 0 ? own : programs->get(static_cast<uint64_t>(x.dtype), build);
  std::array<Input, 2> inputs = {Input{view.get(), {}, false}, Input{}};
  if (plus != 0) inputs[1].scalar = p.immediates[0];
  constexpr DType d = DType::uint64_;
  const std::span<const Input> all(inputs.data(), plus != 0 ? 2 : 1);
  return map_reduce_item(*reduction_info(reduction::max), {d, d, d, d}, *p.program, all, stream).lo;
}

std::string integer_text(const Array& x, uint64_t bits) {
  return kind(x.dtype) == DKind::INT ? std::to_string(static_cast<int64_t>(bits)) : std::to_string(bits);
}

void run_scatter(const Scatter& s, Stream* stream) {
  const Array& to = *s.target;
  const Queue q = queue_for(to.device(), stream);
  // Largest strides first, which keeps the order of the dimensions.
  int64_t order[max_ndim];
  int64_t step = 1;
  for (int32_t i = s.shape.ndim; i-- > 0;) {
    order[i] = step;
    step *= s.shape.shape[i];
  }
  const int64_t* rows[Program::max_inputs + 2] = {order, s.shape.strides};
  int32_t arrays = 0;
  for (; arrays < std::ssize(s.inputs) && s.inputs[static_cast<size_t>(arrays)].array != nullptr; ++arrays) {
    rows[arrays + 2] = s.strides[arrays];
  }
  Iteration it;
  collapse(s.shape.ndim, s.shape.shape, arrays + 2, rows, 0, &it, nullptr);
  use(*to.buffer, q);
  std::array<Operand, Program::max_inputs> operands;
  set_operands(s.inputs, it.strides + 2, q, operands.data());
  ScatterCall c;
  c.map = s.map;
  c.combine = s.combine;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = operands.data();
  c.target = {to.data, it.strides[1], {}};
  const bool block = to.contiguous || to.layout.is_contiguous(to.item(), Order::F);
  c.dense = block ? to.layout.size() : 0;
  c.distinct = s.distinct;
  enqueue(q, api<IndexingApi>(q).scatter, c);
}

}  // namespace arr
