// SPDX-License-Identifier: MIT
// Builds and interns programs.
#include "expr/program.h"

#include "expr/op_numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <unordered_map>

#include "base/fork.h"
#include "base/hash.h"

namespace arr {

namespace {

ProgramKey key_of(const Program& p) {
  ProgramKey k{0x243f6a8885a308d3ULL, 0x13198a2e03707344ULL};
  auto add = [&](uint64_t v) { k = {hash_combine(k.lo, v), hash_combine(k.hi, v + 0xa4093822299f31d0ULL)}; };
  for (DType d : p.inputs) add(static_cast<uint64_t>(d));
  for (const Node& n : p.nodes) {
    add(static_cast<uint64_t>(n.kind) | static_cast<uint64_t>(n.dtype) << 8 |
        static_cast<uint64_t>(n.compute) << 16 | static_cast<uint64_t>(n.op) << 32);
    for (int32_t a : n.args) add(static_cast<uint64_t>(static_cast<int64_t>(a)) + 7);
  }
  for (int32_t o : p.outputs) add(static_cast<uint64_t>(o) + 1000003);
  return k;
}

bool same(const Program& a, const Program& b) {
  return a.nodes == b.nodes && a.inputs == b.inputs && a.outputs == b.outputs;
}

struct KeyHash {
  size_t operator()(const ProgramKey& k) const noexcept { return k.lo; }
};

struct Pool {
  ProcessMutex mutex;
  std::unordered_multimap<ProgramKey, std::unique_ptr<Program>, KeyHash> programs;
};

// Never destroyed: programs are used by calls that may run until the process ends.
Pool& pool() {
  static auto* p = new Pool;
  return *p;
}

// The inputs of loads, and of checked indices.
void note_tables(Program* p) {
  for (const Node& n : p->nodes) {
    const bool checked = n.op == op::index_check || n.op == op::index_from_one;
    if (n.kind != Node::Kind::op || (n.op != op::load && !checked)) continue;
    const int32_t input = p->nodes[static_cast<size_t>(n.args[0])].args[0];
    (n.op == op::load ? p->load_bases : p->faults) |= 1U << input;
  }
}

}  // namespace

const Program* intern(std::unique_ptr<Program> p) {
  if (p->inputs.size() > static_cast<size_t>(Program::max_inputs)) {
    fail(ARR_E_UNSUPPORTED, "an expression has more than ", Program::max_inputs, " inputs and constants");
  }
  note_tables(p.get());
  p->key = key_of(*p);
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  auto range = all.programs.equal_range(p->key);
  for (auto it = range.first; it != range.second; ++it) {
    if (same(*it->second, *p)) return it->second.get();
  }
  ProgramKey key = p->key;
  return all.programs.emplace(key, std::move(p))->second.get();
}

Program::~Program() {
  for (auto& a : attached_) delete a.load();
}

namespace {

// False for a weak integer that does not fit in the integer dtype `to`.
bool fits_plain(const Scalar& s, DType to) {
  if (!is_integer(to) || !is_integer(s.dtype)) return true;
  // A signed or unsigned 64-bit integer: its bits, and whether it is negative.
  const bool is_signed = kind(s.dtype) == DKind::INT;
  const uint64_t bits = convert(s, is_signed ? DType::int64_ : DType::uint64_).lo;
  const Scalar back = convert(s, to);
  const bool to_signed = kind(to) == DKind::INT;
  const uint64_t fitted = convert(back, to_signed ? DType::int64_ : DType::uint64_).lo;
  const bool below = is_signed && static_cast<int64_t>(bits) < 0;
  return fitted == bits && below == (to_signed && static_cast<int64_t>(fitted) < 0);
}

}  // namespace

Scalar fit_plain(const Scalar& s, DType to) {
  if (!fits_plain(s, to)) {
    const bool is_signed = kind(s.dtype) == DKind::INT;
    const uint64_t bits = convert(s, is_signed ? DType::int64_ : DType::uint64_).lo;
    const std::string number = is_signed ? text(static_cast<int64_t>(bits)) : text(bits);
    fail(ARR_E_ARGUMENT, "a plain number: ", number, " does not fit in ", name(to));
  }
  if (is_complex(s.dtype) && !is_complex(to) && to != DType::bool_) {
    const auto imag = std::bit_cast<double>(convert(s, DType::complex128_).hi);
    if (imag != 0) {
      fail(ARR_E_DTYPE, "a plain number: the imaginary part ", imag, " of a complex number does not fit in ",
           name(to));
    }
  }
  return convert(s, to);
}

void resolve_weak_scalars(const OpInfo& op, std::span<OperandType> types,
                          std::span<const Scalar* const> scalars) {
  if (op.in != OpIn::EXACT || types.size() != 2 || types[0].weak == types[1].weak) return;
  const size_t weak = types[0].weak ? 0 : 1;
  if (scalars[weak] == nullptr || !is_integer(types[weak].dtype)) return;
  const DType beside = promote_weak(types[1 - weak].dtype, kind(types[weak].dtype));
  if (!fits_plain(*scalars[weak], beside)) {
    const bool is_signed = kind(types[weak].dtype) == DKind::INT;
    types[weak] = {is_signed ? DType::int64_ : DType::uint64_, false};
  }
}

int32_t ProgramBuilder::push(const Building& b) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].node == b.node && nodes_[i].weak == b.weak && nodes_[i].scalar == b.scalar) {
      return static_cast<int32_t>(i);
    }
  }
  if (nodes_.size() >= max_nodes_) {
    fail(ARR_E_UNSUPPORTED, "an expression has more than ", max_nodes_, " nodes");
  }
  nodes_.push_back(b);
  return static_cast<int32_t>(nodes_.size()) - 1;
}

int32_t ProgramBuilder::input(DType dtype) {
  Building b;
  b.node.dtype = dtype;
  b.node.args[0] = inputs_++;
  return push(b);
}

int32_t ProgramBuilder::scalar(const Scalar& value, bool weak) {
  auto at = std::find(scalars_.begin(), scalars_.end(), value);
  Building b;
  b.scalar = static_cast<int32_t>(at - scalars_.begin());
  if (at == scalars_.end()) scalars_.push_back(value);
  b.weak = weak;
  b.node.dtype = value.dtype;
  return push(b);
}

int32_t ProgramBuilder::cast(int32_t node, DType to) {
  DType from = dtype(node);
  if (from == to) return node;
  int32_t same = uncast(node, to);
  if (same >= 0) return same;
  Building b;
  b.node.kind = Node::Kind::cast;
  b.node.dtype = to;
  b.node.compute = from;
  b.node.args[0] = node;
  return push(b);
}

int32_t ProgramBuilder::as_type(int32_t node, DType to) {
  const Building& b = nodes_.at(static_cast<size_t>(node));
  if (b.scalar < 0 || !b.weak) return cast(node, to);
  return scalar(fit_plain(scalars_[static_cast<size_t>(b.scalar)], to), false);
}

int32_t ProgramBuilder::op(int32_t number, std::span<const int32_t> args) {
  const OpInfo* info = op_info(number);
  if (info == nullptr) fail(ARR_E_ARGUMENT, "argument op: ", number, " is not the number of an operation");
  if (static_cast<size_t>(info->nin) != args.size()) {
    fail(ARR_E_ARGUMENT, "argument nargs: ", info->name, " takes ", info->nin, " operands, got ",
         args.size());
  }
  OperandType types[3];
  const Scalar* values[3] = {};
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] < 0 || static_cast<size_t>(args[i]) >= nodes_.size()) {
      fail(ARR_E_ARGUMENT, "argument args: ", args[i], " is not a node of the expression");
    }
    const Building& b = nodes_[static_cast<size_t>(args[i])];
    types[i] = {b.node.dtype, b.weak};
    if (b.scalar >= 0) values[i] = &scalars_[static_cast<size_t>(b.scalar)];
  }
  resolve_weak_scalars(*info, {types, args.size()}, {values, args.size()});
  if (is_mixed(*info, {types, args.size()})) return compare_mixed(number, args[0], args[1]);
  Signature s = resolve(*info, {types, args.size()});
  Building b;
  b.node.kind = Node::Kind::op;
  b.node.op = number;
  b.node.compute = s.compute;
  for (size_t i = 0; i < args.size(); ++i) {
    DType own = own_type(*info, i);
    bool strong = types[i].weak == nodes_[static_cast<size_t>(args[i])].weak;
    int32_t arg = strong ? as_type(args[i], own != DType::none ? own : s.operand) : cast(args[i], s.operand);
    b.node.args[i] = own != DType::none ? arg : cast(arg, s.compute);
  }
  b.node.dtype = info->out == OpOut::SAME   ? s.compute
                 : info->out == OpOut::REAL ? real_type(s.compute)
                                            : s.result;
  int32_t same = simplified(b.node);
  return cast(same >= 0 ? same : push(b), s.result);
}

int32_t ProgramBuilder::step(int32_t number, DType t, std::span<const int32_t> args) {
  const OpInfo& info = *op_info(number);
  Building b;
  b.node.kind = Node::Kind::op;
  b.node.op = number;
  b.node.compute = t;
  for (size_t k = 0; k < args.size(); ++k) {
    const DType own = own_type(info, k), wanted = own != DType::none ? own : t;
    b.node.args[k] = wanted == DType::table_ ? args[k] : as_type(args[k], wanted);
  }
  b.node.dtype = info.out == OpOut::SAME ? t : DType::int64_;
  return push(b);
}

// x < y for signed x and unsigned y: x is negative, or x is less as an unsigned number. The other comparisons
// use this and ==, which is false for a negative x; comparing bools replaces "and not" and "or".
int32_t ProgramBuilder::compare_mixed(int32_t number, int32_t x, int32_t y) {
  if (kind(dtype(x)) == DKind::UINT) {
    static constexpr int32_t mirrored[][2] = {{op::less, op::greater},
                                              {op::less_equal, op::greater_equal},
                                              {op::greater, op::less},
                                              {op::greater_equal, op::less_equal}};
    for (const auto& m : mirrored) {
      if (m[0] == number) return compare_mixed(m[1], y, x);
    }
    std::swap(x, y);
  }
  const int32_t zero = op(op::bitwise_xor, x, x), negative = op(op::less, x, zero);
  const int32_t plain = op(number, cast(x, DType::uint64_), cast(y, DType::uint64_));
  const bool or_negative = number == op::less || number == op::less_equal || number == op::not_equal;
  return op(or_negative ? op::logical_or : op::greater, plain, negative);
}

int32_t ProgramBuilder::append(const Program& program, int32_t output, std::span<const int32_t> inputs) {
  std::vector<int32_t> made;
  made.reserve(program.nodes.size());
  for (const Node& n : program.nodes) {
    Building b;
    b.node = n;
    if (n.kind == Node::Kind::input) {
      made.push_back(inputs[static_cast<size_t>(n.args[0])]);
      continue;
    }
    for (int32_t& a : b.node.args) a = a < 0 ? a : made[static_cast<size_t>(a)];
    if (n.kind == Node::Kind::cast) {
      made.push_back(cast(b.node.args[0], n.dtype));
      continue;
    }
    const int32_t same = simplified(b.node);
    made.push_back(same >= 0 ? same : push(b));
  }
  return made[static_cast<size_t>(program.outputs[static_cast<size_t>(output)])];
}

void ProgramBuilder::output(int32_t node) { outputs_.push_back(node); }

BoundProgram ProgramBuilder::finish() {
  WholeProgram whole = finish_whole();
  return {intern(std::move(whole.program)), std::move(whole.immediates)};
}

WholeProgram ProgramBuilder::finish_whole() {
  std::vector<bool> used(nodes_.size(), false);
  for (int32_t o : outputs_) used[static_cast<size_t>(o)] = true;
  for (size_t i = nodes_.size(); i-- > 0;) {
    if (!used[i] || nodes_[i].node.kind == Node::Kind::input) continue;
    for (int32_t a : nodes_[i].node.args) {
      if (a >= 0) used[static_cast<size_t>(a)] = true;
    }
  }
  auto program = std::make_unique<Program>();
  std::vector<Scalar> immediates;
  program->inputs.resize(static_cast<size_t>(inputs_));
  std::vector<int32_t> renamed(nodes_.size(), -1);
  for (size_t i = 0; i < nodes_.size(); ++i) {
    Building b = nodes_[i];
    bool array = b.node.kind == Node::Kind::input && b.scalar < 0;
    // An array operand keeps its position even if nothing reads it.
    if (array) program->inputs[static_cast<size_t>(b.node.args[0])] = b.node.dtype;
    if (!used[i]) continue;
    if (b.node.kind != Node::Kind::input) {
      for (int32_t& a : b.node.args) a = a < 0 ? a : renamed[static_cast<size_t>(a)];
    } else if (!array) {
      b.node.args[0] = static_cast<int32_t>(program->inputs.size());
      program->inputs.push_back(b.node.dtype);
      immediates.push_back(scalars_[static_cast<size_t>(b.scalar)]);
    }
    renamed[i] = static_cast<int32_t>(program->nodes.size());
    program->nodes.push_back(b.node);
  }
  for (int32_t o : outputs_) program->outputs.push_back(renamed[static_cast<size_t>(o)]);
  return {std::move(program), std::move(immediates)};
}

int64_t interned_programs() noexcept {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  return static_cast<int64_t>(all.programs.size());
}

}  // namespace arr
