// SPDX-License-Identifier: MIT
// Programs of one op, looked up by two integers in every eager call.
#include <array>

#include "base/insert_only_table.h"
#include "expr/program.h"

namespace arr {

namespace {

// Far more slots than combinations of an op and dtypes in use. A program without a slot is built by each
// call; interning makes it the same object.
InsertOnlyTable<Program, 16>& table() {
  static auto* t = new InsertOnlyTable<Program, 16>;
  return *t;
}

template <class Build>
const Program& find_or_build(uint64_t key, Build&& build) {
  if (const Program* known = table().find(key)) return *known;
  const Program* fresh = build();
  table().add(key, fresh);
  return *fresh;
}

}  // namespace

int32_t op_in(ProgramBuilder& b, const OpInfo& op, std::span<const int32_t> args, DType loop) {
  int32_t cast[3] = {};
  for (size_t i = 0; i < args.size(); ++i) {
    const bool fixed = loop == DType::none || own_type(op, i) != DType::none;
    cast[i] = fixed ? args[i] : b.cast(args[i], loop);
  }
  return b.op(op.number, {cast, args.size()});
}

namespace {

uint64_t key_of(int32_t number, std::span<const DType> operands, DType loop, DType out) {
  uint64_t key = static_cast<uint64_t>(loop) << 52 | static_cast<uint64_t>(number) << 32 |
                 static_cast<uint64_t>(out) << 24;
  for (size_t i = 0; i < operands.size(); ++i) key |= static_cast<uint64_t>(operands[i]) << (8 * i);
  return key;
}

// Adds inputs of these dtypes to a builder.
std::array<int32_t, 3> inputs_of(ProgramBuilder& b, std::span<const DType> operands) {
  std::array<int32_t, 3> args{};
  for (size_t i = 0; i < operands.size(); ++i) args.at(i) = b.input(operands[i]);
  return args;
}

}  // namespace

const Program& single_op(const OpInfo& op, std::span<const DType> operands, DType out, DType loop) {
  return find_or_build(uint64_t{1} << 63 | key_of(op.number, operands, loop, out), [&] {
    ProgramBuilder b;
    const std::array<int32_t, 3> args = inputs_of(b, operands);
    b.output(b.cast(op_in(b, op, {args.data(), operands.size()}, loop), out));
    return b.finish().program;
  });
}

const Program& eager_op(const OpInfo& op, std::span<const DType> operands, DType out, Casting casting,
                        const char* argument, DType asked) {
  const uint64_t key =
      uint64_t{1} << 61 | static_cast<uint64_t>(casting) << 48 | key_of(op.number, operands, asked, out);
  return find_or_build(key, [&] {
    OperandType given[3];
    for (size_t i = 0; i < operands.size(); ++i) given[i] = {operands[i], false};
    const Signature s = resolve(op, {given, operands.size()}, asked, casting);
    const DType loop = asked != DType::none && asks_loop(op) ? s.operand : DType::none;
    return &single_op(op, operands, result_type(s, out, casting, argument), loop);
  });
}

const Program& single_pair(const PairInfo& pair, std::span<const DType> operands, DType loop) {
  return find_or_build(uint64_t{3} << 62 | key_of(pair.number, operands, loop, DType::none), [&] {
    ProgramBuilder b;
    const std::array<int32_t, 3> inputs = inputs_of(b, operands);
    const std::span<const int32_t> args(inputs.data(), operands.size());
    b.output(op_in(b, *op_info(pair.first), args, loop));
    b.output(op_in(b, *op_info(pair.second), args, loop));
    return b.finish().program;
  });
}

const Program& single_cast(DType from, DType to) {
  uint64_t key = uint64_t{1} << 62 | static_cast<uint64_t>(from) << 8 | static_cast<uint64_t>(to);
  return find_or_build(key, [&] {
    ProgramBuilder b;
    b.output(b.cast(b.input(from), to));
    return b.finish().program;
  });
}

int32_t only_op(const Program& p) noexcept {
  if (p.inputs.size() != 2 || p.inputs[0] != p.inputs[1] || p.nodes.size() != 3) return 0;
  const Node& n = p.nodes[static_cast<size_t>(p.outputs[0])];
  if (n.kind != Node::Kind::op || n.compute != p.inputs[0] || n.dtype != p.inputs[0]) return 0;
  for (int32_t k = 0; k < 2; ++k) {
    const int32_t a = n.args[k];
    if (a < 0) return 0;
    const Node& in = p.nodes[static_cast<size_t>(a)];
    if (in.kind != Node::Kind::input || in.args[0] != k) return 0;
  }
  return n.args[2] < 0 ? n.op : 0;
}

}  // namespace arr
