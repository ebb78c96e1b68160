// SPDX-License-Identifier: MIT
// Makes the plan of a program: loops over registers.
#include "host/elementwise/program_plan.h"

#include <algorithm>
#include <bit>

#include "expr/op_numbers.h"
#include "host/loops/elementwise/fused_pairs.h"

namespace arr::host {

namespace {

class Planner {
 public:
  explicit Planner(const Program& program) : program_(program), plan_(std::make_unique<Plan>()) {}
  std::unique_ptr<Program::Attachment> run();

 private:
  [[nodiscard]] const Node& node(int32_t i) const { return program_.nodes[static_cast<size_t>(i)]; }
  void operand(DType d);
  void find_values();
  void find_pairs();
  void find_offsets();
  void place_step(const Node& n, Plan::Step* s);
  [[nodiscard]] int32_t factor_of(const Node& n) const;
  // A table that is the same for all elements.
  [[nodiscard]] bool is_vector(const Node& n) const {
    return n.dtype == DType::table_ && (program_.load_bases >> n.args[0] & 1U) == 0;
  }
  [[nodiscard]] std::vector<int32_t> operands(int32_t index) const;
  void place_outputs();
  void find_last_uses();
  [[nodiscard]] size_t argument(const Node& n, int16_t i) const {
    return static_cast<size_t>(value_[static_cast<size_t>(n.args[i])]);
  }
  [[nodiscard]] bool multiplies_inputs() const;
  [[nodiscard]] LoopFn loop_of(int32_t index) const;
  void add_step(int32_t index);
  int16_t take_temporary();
  [[nodiscard]] int32_t weight() const;

  const Program& program_;
  std::unique_ptr<Plan> plan_;
  std::vector<int32_t> value_;     // per node: the first node with the same value, usually the node itself
  std::vector<int32_t> inner_;     // per node: the operand that is fused into its loop, or -1
  std::vector<bool> absorbed_;     // per node: true if it is fused into another node's loop
  std::vector<int32_t> readers_;   // per value: number of readers
  std::vector<bool> offsets_;      // per value: true if it is used only for offsets of loads
  std::vector<bool> products_;     // per value: true if it is a product that a load can compute by itself
  std::vector<int16_t> reg_;       // per value
  std::vector<int32_t> last_use_;  // per value: the last node that reads it
  std::vector<int16_t> free_;      // free temporaries
};

void Planner::operand(DType d) {
  auto bytes = static_cast<int16_t>(item_size(d));
  // Includes inputs that no node reads, because they are loaded as well. A look-up vector is read in place.
  if (d == DType::table_) {
    plan_->tables |= 1U << plan_->item.size();
  } else {
    plan_->widest = std::max(plan_->widest, bytes);
  }
  plan_->item.push_back(bytes);
  plan_->log2.push_back(static_cast<int16_t>(std::countr_zero(static_cast<uint16_t>(bytes))));
}

// A cast between integers of one size keeps the bits, so it needs no step.
bool keeps_bits(const Node& n) {
  return n.kind == Node::Kind::cast && is_integer(n.compute) && is_integer(n.dtype) &&
         item_size(n.compute) == item_size(n.dtype);
}

void Planner::find_values() {
  for (size_t i = 0; i < program_.nodes.size(); ++i) {
    const Node& n = program_.nodes[i];
    value_.push_back(keeps_bits(n) ? value_[static_cast<size_t>(n.args[0])] : static_cast<int32_t>(i));
  }
}

// A value that is an output is computed in the output's own register.
void Planner::place_outputs() {
  for (size_t k = 0; k < program_.outputs.size(); ++k) {
    operand(node(program_.outputs[k]).dtype);
    const int32_t n = value_[static_cast<size_t>(program_.outputs[k])];
    auto own = static_cast<int16_t>(plan_->inputs + static_cast<int16_t>(k));
    int16_t& at = reg_[static_cast<size_t>(n)];
    if (node(n).kind == Node::Kind::input) at = static_cast<int16_t>(node(n).args[0]);
    if (at < 0) at = own;
    plan_->outputs.push_back({at, -1});
  }
}

// Fuses an op into its only reader if there is a loop for the pair.
void Planner::find_pairs() {
  const size_t n = program_.nodes.size();
  readers_.assign(n, 0);
  for (const Node& node : program_.nodes) {
    if (node.kind == Node::Kind::input) continue;
    for (int16_t i = 0; i < 3 && node.args[i] >= 0; ++i) ++readers_[argument(node, i)];
  }
  for (int32_t output : program_.outputs) ++readers_[static_cast<size_t>(output)];
  inner_.assign(n, -1);
  absorbed_.assign(n, false);
  for (size_t i = 0; i < n; ++i) {
    const Node& outer = program_.nodes[i];
    if (outer.kind != Node::Kind::op) continue;
    for (int16_t operand = 0; operand < 2 && outer.args[operand] >= 0 && inner_[i] < 0; ++operand) {
      const size_t value = argument(outer, operand);
      const Node& inner = program_.nodes[value];
      if (inner.kind != Node::Kind::op || inner.compute != outer.compute) continue;
      if (readers_[value] != 1 || inner_[value] >= 0) continue;
      if (pair_loop(outer.op, inner.op, operand, outer.compute) == nullptr) continue;
      inner_[i] = operand;
      absorbed_[value] = true;
    }
  }
}

bool is_load(const Node& n) { return n.kind == Node::Kind::op && n.op == op::load; }

// The node of a load's offsets, if it is a product with an input and nothing else reads it; otherwise -1.
int32_t Planner::factor_of(const Node& n) const {
  if (!is_load(n)) return -1;
  const size_t value = argument(n, 1);
  const Node& product = program_.nodes[value];
  if (product.kind != Node::Kind::op || product.op != op::multiply || readers_[value] != 1) return -1;
  return node(product.args[1]).kind == Node::Kind::input ? static_cast<int32_t>(value) : -1;
}

// Readers come after the values that they read, so the readers' state is known.
void Planner::find_offsets() {
  plan_->load_bases = program_.load_bases;
  const size_t n = program_.nodes.size();
  offsets_.assign(n, false);
  products_.assign(n, false);
  if (plan_->load_bases == 0) return;
  std::vector<bool> other(n, false);
  for (int32_t output : program_.outputs)
    other[static_cast<size_t>(value_[static_cast<size_t>(output)])] = true;
  for (size_t i = n; i-- > 0;) {
    const Node& reader = program_.nodes[i];
    offsets_[i] = readers_[i] > 0 && !other[i];
    if (reader.kind == Node::Kind::input) {
      if (offsets_[i] && !is_vector(reader)) plan_->offset_inputs |= 1U << reader.args[0];
      continue;
    }
    if (keeps_bits(reader)) continue;
    if (const int32_t product = factor_of(reader); product >= 0)
      products_[static_cast<size_t>(product)] = true;
    for (int16_t a = 0; a < 3 && reader.args[a] >= 0; ++a) {
      const bool offset = offsets_[i] || (is_load(reader) && a == 1);
      if (!offset) other[argument(reader, a)] = true;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    const Node& reader = program_.nodes[i];
    if (reader.kind == Node::Kind::input || !offsets_[i]) continue;
    for (int16_t a = 0; a < 3 && reader.args[a] >= 0; ++a) {
      const size_t read = argument(reader, a);
      if (offsets_[read] || is_vector(program_.nodes[read])) continue;
      offsets_.assign(n, false);  // other nodes read it too, so every element is computed
      plan_->offset_inputs = 0;
      return;
    }
  }
}

void Planner::find_last_uses() {
  last_use_.assign(program_.nodes.size(), -1);
  for (size_t i = 0; i < program_.nodes.size(); ++i) {
    const Node& n = program_.nodes[i];
    if (n.kind == Node::Kind::input || keeps_bits(n) || absorbed_[i]) continue;
    for (int32_t a : operands(static_cast<int32_t>(i)))
      last_use_[static_cast<size_t>(a)] = static_cast<int32_t>(i);
    if (const int32_t product = factor_of(n); product >= 0) {
      last_use_[argument(node(product), 0)] = static_cast<int32_t>(i);
    }
  }
}

// The values that a node's step reads, in the order of the loop's operands.
std::vector<int32_t> Planner::operands(int32_t index) const {
  const Node& n = node(index);
  const int32_t inner = inner_[static_cast<size_t>(index)];
  std::vector<int32_t> all, rest;
  for (int16_t i = 0; i < 3 && n.args[i] >= 0; ++i) {
    (i == inner ? all : rest).push_back(static_cast<int32_t>(argument(n, i)));
  }
  if (inner >= 0) all = operands(all[0]);
  all.insert(all.end(), rest.begin(), rest.end());
  return all;
}

int16_t Planner::take_temporary() {
  if (free_.empty()) return static_cast<int16_t>(plan_->operands + plan_->temporaries++);
  int16_t r = free_.back();
  free_.pop_back();
  return r;
}

// True if the only step is the product of the two inputs.
bool Planner::multiplies_inputs() const {
  const Node& last = program_.nodes.back();
  const Plan::Step& s = plan_->steps[0];
  return plan_->inputs == 2 && s.in[0] != s.in[1] && inner_.back() < 0 && last.kind == Node::Kind::op &&
         last.op == op::multiply;
}

LoopFn Planner::loop_of(int32_t index) const {
  const Node& n = node(index);
  const auto compute = static_cast<size_t>(n.compute);
  if (n.kind == Node::Kind::cast) return loops().cast[compute][static_cast<size_t>(n.dtype)];
  const int32_t operand = inner_[static_cast<size_t>(index)];
  if (operand >= 0) {
    const Node& inner = program_.nodes[argument(n, static_cast<int16_t>(operand))];
    return pair_loop(n.op, inner.op, operand, n.compute);
  }
  if (LoopFn f = short_loop(n.op, n.compute); f != nullptr) return f;
  LoopFn f = loops().op[n.op][compute];
  if (f == nullptr) fail(ARR_E_INTERNAL, "no loop of ", op_info(n.op)->name, " for ", name(n.compute));
  return f;
}

void Planner::place_step(const Node& n, Plan::Step* s) {
  s->log2 = static_cast<int16_t>(std::countr_zero(static_cast<uint16_t>(item_size(n.compute))));
  s->few = offsets_[argument(n, 1)];
  const int32_t product = factor_of(n);
  if (product < 0) return;
  s->few_factored = offsets_[argument(node(product), 0)];
  s->factor = static_cast<int16_t>(node(node(product).args[1]).args[0]);
  s->factored = reg_[argument(node(product), 0)];
}

void Planner::add_step(int32_t index) {
  Plan::Step s;
  const Node& n = node(index);
  s.offsets = offsets_[static_cast<size_t>(index)];
  s.multiplies = products_[static_cast<size_t>(index)];
  if (is_load(n)) {
    place_step(n, &s);
  } else {
    s.loop = loop_of(index);
    const bool quick = inner_[static_cast<size_t>(index)] >= 0 ||
                       (n.kind == Node::Kind::op && short_loop(n.op, n.compute) != nullptr);
    plan_->short_blocks = plan_->short_blocks && quick;
  }
  auto number = static_cast<int32_t>(plan_->steps.size());
  if (s.factor >= 0 && s.factored < plan_->inputs) plan_->last_read[static_cast<size_t>(s.factored)] = number;
  const std::vector<int32_t> read = operands(index);
  for (int32_t value : read) {
    const int16_t r = reg_[static_cast<size_t>(value)];
    s.in[s.nin++] = r;
    if (r < plan_->inputs) plan_->last_read[static_cast<size_t>(r)] = number;
  }
  // Allocates the result before the operands are freed, because a widening cast cannot work in place.
  int16_t& out = reg_[static_cast<size_t>(index)];
  if (out < 0) out = take_temporary();
  s.out = out;
  for (int16_t i = 0; i < s.nin; ++i) {
    const bool seen = std::find(s.in, s.in + i, s.in[i]) != s.in + i;
    const bool done = last_use_[static_cast<size_t>(read[static_cast<size_t>(i)])] == index;
    if (!seen && done && s.in[i] >= plan_->operands) free_.push_back(s.in[i]);
  }
  for (Plan::Output& o : plan_->outputs) {
    if (o.source == out) o.made = number;
  }
  plan_->steps.push_back(s);
}

// The time per element is about that of one addition in memory for up to five simple operations, plus one for
// every three more on values in the first-level cache. A root counts as four operations, a function that is
// not exact as eight.
int32_t Planner::weight() const {
  constexpr int32_t simple = 1, root = 4, function = 8, free = 5, unit = 3;
  int32_t sum = 0;
  for (const Node& n : program_.nodes) {
    if (n.kind == Node::Kind::input || keeps_bits(n)) continue;
    const bool op = n.kind == Node::Kind::op;
    sum += op && op_info(n.op)->ulp64 > 0 ? function : op && n.op == op::sqrt ? root : simple;
  }
  return 1 + std::max(0, sum - free) / unit;
}

std::unique_ptr<Program::Attachment> Planner::run() {
  Plan& p = *plan_;
  p.inputs = static_cast<int16_t>(program_.inputs.size());
  p.operands = static_cast<int16_t>(program_.inputs.size() + program_.outputs.size());
  p.last_read.assign(program_.inputs.size(), -1);
  reg_.assign(program_.nodes.size(), -1);
  for (DType d : program_.inputs) operand(d);
  find_values();
  find_pairs();
  place_outputs();
  find_offsets();
  find_last_uses();
  for (size_t i = 0; i < program_.nodes.size(); ++i) {
    const Node& n = program_.nodes[i];
    if (n.dtype != DType::table_) p.widest = std::max(p.widest, static_cast<int16_t>(item_size(n.dtype)));
    if (n.kind == Node::Kind::input) {
      reg_[i] = static_cast<int16_t>(n.args[0]);
    } else if (!keeps_bits(n) && !absorbed_[i]) {
      add_step(static_cast<int32_t>(i));
    }
  }
  const bool one = p.outputs.size() == 1;
  p.single = one && p.steps.size() == 1 && p.outputs[0].source == p.inputs;
  p.copy = one && p.inputs == 1 && p.steps.empty();
  p.product = p.single && multiplies_inputs();
  p.weight = weight();
  return std::move(plan_);
}

}  // namespace

const Plan& plan_of(const Program& program) {
  return static_cast<const Plan&>(*program.attach(ARR_HOST, [&] { return Planner(program).run(); }));
}

LoopFn cast_loop(DType from, DType to) {
  return loops().cast[static_cast<size_t>(from)][static_cast<size_t>(to)];
}

}  // namespace arr::host
