// SPDX-License-Identifier: MIT
// Building, typing and running fused expressions.
#include "ops/expression.h"

#include <algorithm>

namespace arr {

namespace {

std::vector<Input> operands(const BoundProgram& bound, std::span<const Array* const> inputs) {
  std::vector<Input> all;
  all.reserve(inputs.size() + bound.immediates.size());
  for (const Array* a : inputs) all.push_back({a, {}, false});
  for (const Scalar& s : bound.immediates) all.push_back({nullptr, s, false});
  return all;
}

std::vector<DType> dtypes_of(std::span<const Array* const> inputs) {
  std::vector<DType> out;
  out.reserve(inputs.size());
  for (const Array* a : inputs) out.push_back(a->dtype);
  return out;
}

}  // namespace

int32_t Expression::push(const Vertex& v) {
  if (vertices_.size() >= static_cast<size_t>(Program::max_nodes)) {
    fail(ARR_E_UNSUPPORTED, "argument e: more than ", Program::max_nodes, " nodes");
  }
  vertices_.push_back(v);
  return static_cast<int32_t>(vertices_.size()) - 1;
}

void Expression::check_node(int32_t node, const char* argument) const {
  if (node < 0 || static_cast<size_t>(node) >= vertices_.size()) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", node, " is no node of the expression, which has ",
         vertices_.size());
  }
}

int32_t Expression::input(int32_t index) {
  if (index < 0 || index >= Program::max_inputs) {
    fail(ARR_E_ARGUMENT, "argument index: ", index, ", at most ", Program::max_inputs, " inputs");
  }
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.number = index;
  return push(v);
}

int32_t Expression::constant(const Scalar& value, bool weak) {
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.kind = Vertex::Kind::constant;
  v.value = value;
  v.weak = weak;
  return push(v);
}

int32_t Expression::op(int32_t number, std::span<const int32_t> args) {
  const OpInfo* info = op_info(number);
  if (info == nullptr) fail(ARR_E_ARGUMENT, "argument op: ", number, " is the number of no operation");
  if (args.size() != static_cast<size_t>(info->nin)) {
    fail(ARR_E_ARGUMENT, "argument nargs: ", info->name, " takes ", info->nin, " operands, got ",
         args.size());
  }
  const std::lock_guard lock(mutex_);
  Vertex v;
  v.kind = Vertex::Kind::op;
  v.number = number;
  for (size_t i = 0; i < args.size(); ++i) {
    check_node(args[i], "args");
    v.args[i] = args[i];
  }
  return push(v);
}

int32_t Expression::cast(int32_t arg, DType dtype) {
  const std::lock_guard lock(mutex_);
  check_node(arg, "arg");
  Vertex v;
  v.kind = Vertex::Kind::cast;
  v.args[0] = arg;
  v.value.dtype = dtype;
  return push(v);
}

BoundProgram Expression::build(int32_t node, std::span<const DType> inputs, DType out) const {
  ProgramBuilder b;
  std::vector<int32_t> arrays;
  arrays.reserve(inputs.size());
  for (DType d : inputs) arrays.push_back(b.input(d));
  std::vector<bool> needed(vertices_.size(), false);
  needed[static_cast<size_t>(node)] = true;
  for (size_t i = static_cast<size_t>(node) + 1; i-- > 0;) {
    if (!needed[i]) continue;
    for (int32_t a : vertices_[i].args) {
      if (a >= 0) needed[static_cast<size_t>(a)] = true;
    }
  }
  std::vector<int32_t> nodes(vertices_.size(), -1);
  for (size_t i = 0; i <= static_cast<size_t>(node); ++i) {
    if (!needed[i]) continue;
    const Vertex& v = vertices_[i];
    int32_t args[3];
    for (int32_t k = 0; k < 3; ++k) args[k] = v.args[k] < 0 ? -1 : nodes[static_cast<size_t>(v.args[k])];
    switch (v.kind) {
      case Vertex::Kind::input:
        if (static_cast<size_t>(v.number) >= inputs.size()) {
          fail(ARR_E_ARGUMENT, "argument nin: ", inputs.size(), " inputs, but the node uses input ",
               v.number);
        }
        nodes[i] = arrays[static_cast<size_t>(v.number)];
        break;
      case Vertex::Kind::constant:
        nodes[i] = b.scalar(v.value, v.weak);
        break;
      case Vertex::Kind::op:
        nodes[i] = b.op(v.number, {args, static_cast<size_t>(op_info(v.number)->nin)});
        break;
      case Vertex::Kind::cast:
        nodes[i] = b.cast(args[0], v.value.dtype);
        break;
    }
  }
  int32_t result = nodes[static_cast<size_t>(node)];
  if (out != DType::none) {
    if (!can_cast(b.dtype(result), out, Casting::same_kind)) {
      fail(ARR_E_DTYPE, "argument dst: the result is ", name(b.dtype(result)), ", which does not cast to ",
           name(out), " within a kind");
    }
    result = b.cast(result, out);
  }
  b.output(result);
  return b.finish();
}

BoundProgram Expression::compile(int32_t node, std::span<const DType> inputs, DType out) const {
  std::vector<int32_t> key{node, static_cast<int32_t>(out)};
  for (DType d : inputs) key.push_back(static_cast<int32_t>(d));
  const std::lock_guard lock(mutex_);
  check_node(node, "node");
  auto found = compiled_.find(key);
  if (found != compiled_.end()) return found->second;
  return compiled_.emplace(key, build(node, inputs, out)).first->second;
}

Ref<Array> run(const Expression& e, int32_t node, std::span<const Array* const> inputs, Stream* stream) {
  BoundProgram bound = e.compile(node, dtypes_of(inputs), DType::none);
  return run(*bound.program, operands(bound, inputs), Order::K, stream);
}

void run_into(const Array& dst, const Expression& e, int32_t node, std::span<const Array* const> inputs,
              Stream* stream) {
  BoundProgram bound = e.compile(node, dtypes_of(inputs), dst.dtype);
  run_into(dst, *bound.program, operands(bound, inputs), stream);
}

}  // namespace arr
