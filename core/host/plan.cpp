// SPDX-License-Identifier: MIT
// Turns a program into loops over registers.
#include "host/plan.h"

#include <algorithm>
#include <bit>

namespace arr::host {

namespace {

class Planner {
 public:
  explicit Planner(const Program& program) : program_(program), plan_(std::make_unique<Plan>()) {}
  std::unique_ptr<Program::Attachment> run();

 private:
  [[nodiscard]] const Node& node(int32_t i) const { return program_.nodes[static_cast<size_t>(i)]; }
  void operand(DType d);
  void place_outputs();
  void find_last_uses();
  void add_step(int32_t index);
  int16_t take_temporary();

  const Program& program_;
  std::unique_ptr<Plan> plan_;
  std::vector<int16_t> reg_;       // per node
  std::vector<int32_t> last_use_;  // per node: the node that reads it last
  std::vector<int16_t> free_;      // temporaries that hold nothing any more
};

void Planner::operand(DType d) {
  auto bytes = static_cast<int16_t>(item_size(d));
  // Also of an input that nothing reads: it is loaded all the same. A vector is used where it lies.
  if (d == DType::table_) {
    plan_->tables |= 1U << plan_->item.size();
  } else {
    plan_->widest = std::max(plan_->widest, bytes);
  }
  plan_->item.push_back(bytes);
  plan_->log2.push_back(static_cast<int16_t>(std::countr_zero(static_cast<uint16_t>(bytes))));
}

// A value that is an output is computed in the output's own register.
void Planner::place_outputs() {
  for (size_t k = 0; k < program_.outputs.size(); ++k) {
    int32_t n = program_.outputs[k];
    operand(node(n).dtype);
    auto own = static_cast<int16_t>(plan_->inputs + static_cast<int16_t>(k));
    int16_t& at = reg_[static_cast<size_t>(n)];
    if (node(n).kind == Node::Kind::input) at = static_cast<int16_t>(node(n).args[0]);
    if (at < 0) at = own;
    plan_->outputs.push_back({at, -1});
  }
}

void Planner::find_last_uses() {
  last_use_.assign(program_.nodes.size(), -1);
  for (size_t i = 0; i < program_.nodes.size(); ++i) {
    const Node& n = program_.nodes[i];
    if (n.kind == Node::Kind::input) continue;
    for (int32_t a : n.args) {
      if (a >= 0) last_use_[static_cast<size_t>(a)] = static_cast<int32_t>(i);
    }
  }
}

int16_t Planner::take_temporary() {
  if (free_.empty()) return static_cast<int16_t>(plan_->operands + plan_->temporaries++);
  int16_t r = free_.back();
  free_.pop_back();
  return r;
}

LoopFn loop_of(const Node& n) {
  auto compute = static_cast<size_t>(n.compute);
  if (n.kind == Node::Kind::cast) return loops().cast[compute][static_cast<size_t>(n.dtype)];
  LoopFn f = loops().op[n.op][compute];
  if (f == nullptr) fail(ARR_E_INTERNAL, "no loop of ", op_info(n.op)->name, " for ", name(n.compute));
  return f;
}

void Planner::add_step(int32_t index) {
  const Node& n = node(index);
  Plan::Step s;
  s.loop = loop_of(n);
  auto number = static_cast<int32_t>(plan_->steps.size());
  for (; s.nin < 3 && n.args[s.nin] >= 0; ++s.nin) {
    int16_t r = reg_[static_cast<size_t>(n.args[s.nin])];
    s.in[s.nin] = r;
    if (r < plan_->inputs) plan_->last_read[static_cast<size_t>(r)] = number;
  }
  // The result takes its block before the operands give theirs back: a cast that widens cannot work in place.
  int16_t& out = reg_[static_cast<size_t>(index)];
  if (out < 0) out = take_temporary();
  s.out = out;
  for (int16_t i = 0; i < s.nin; ++i) {
    int32_t a = n.args[i];
    const bool seen = std::find(n.args, n.args + i, a) != n.args + i;
    const bool done = last_use_[static_cast<size_t>(a)] == index;
    if (!seen && done && s.in[i] >= plan_->operands) free_.push_back(s.in[i]);
  }
  for (Plan::Output& o : plan_->outputs) {
    if (o.source == out) o.made = number;
  }
  plan_->steps.push_back(s);
}

std::unique_ptr<Program::Attachment> Planner::run() {
  Plan& p = *plan_;
  p.inputs = static_cast<int16_t>(program_.inputs.size());
  p.operands = static_cast<int16_t>(program_.inputs.size() + program_.outputs.size());
  p.last_read.assign(program_.inputs.size(), -1);
  reg_.assign(program_.nodes.size(), -1);
  for (DType d : program_.inputs) operand(d);
  place_outputs();
  find_last_uses();
  for (size_t i = 0; i < program_.nodes.size(); ++i) {
    const Node& n = program_.nodes[i];
    if (n.dtype != DType::table_) p.widest = std::max(p.widest, static_cast<int16_t>(item_size(n.dtype)));
    if (n.kind == Node::Kind::input) {
      reg_[i] = static_cast<int16_t>(n.args[0]);
    } else {
      add_step(static_cast<int32_t>(i));
    }
  }
  const bool one = p.outputs.size() == 1;
  p.single = one && p.steps.size() == 1 && p.outputs[0].source == p.inputs;
  p.copy = one && p.inputs == 1 && p.steps.empty();
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
