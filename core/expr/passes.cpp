// SPDX-License-Identifier: MIT
// Divides programs that are too long for one loop over the elements. Going through the nodes in the order of
// evaluation, a value becomes an array as soon as the loop of a later node would be too long without it: the
// operand with the most leaves. Each value is computed as in one loop, so the results have the same bits.
#include "expr/passes.h"

#include <algorithm>

namespace arr {

namespace {

// The nodes that a loop computes, and those that it reads: operands and values of other passes.
struct Cone {
  std::vector<int32_t> nodes;   // computed by the loop
  std::vector<int32_t> leaves;  // inputs and values of other passes, as nodes
  [[nodiscard]] bool fits(size_t spare) const {
    return leaves.size() + spare <= static_cast<size_t>(Program::max_inputs) &&
           nodes.size() + leaves.size() + spare <= static_cast<size_t>(Program::max_nodes);
  }
};

class Divider {
 public:
  explicit Divider(const Program& whole)
      : whole_(whole), value_(whole.nodes.size(), -1), seen_(whole.nodes.size(), 0) {}

  Passes run() {
    for (size_t i = 0; i < whole_.nodes.size(); ++i) {
      if (whole_.nodes[i].kind != Node::Kind::input) shorten(static_cast<int32_t>(i));
    }
    shorten_outputs();
    std::vector<int32_t> group;
    for (const int32_t o : whole_.outputs) {
      group.push_back(o);
      if (group.size() <= static_cast<size_t>(Program::max_outputs) && cone(group).fits(1)) continue;
      group.pop_back();
      finish(group);
      group = {o};
    }
    finish(group);
    return std::move(passes_);
  }

 private:
  [[nodiscard]] const Node& at(int32_t node) const { return whole_.nodes[static_cast<size_t>(node)]; }
  [[nodiscard]] bool is_leaf(int32_t node) const {
    return at(node).kind == Node::Kind::input || value_[static_cast<size_t>(node)] >= 0;
  }

  // Stops once it is too large for a loop.
  Cone cone(const std::vector<int32_t>& roots) {
    Cone c;
    ++stamp_;
    std::vector<int32_t> open;
    const auto visit = [&](int32_t node) {
      if (node < 0 || seen_[static_cast<size_t>(node)] == stamp_) return;
      seen_[static_cast<size_t>(node)] = stamp_;
      if (is_leaf(node)) return c.leaves.push_back(node);
      c.nodes.push_back(node);
      open.push_back(node);
    };
    for (const int32_t r : roots) visit(r);
    while (!open.empty() && c.fits(0)) {
      const Node& n = at(open.back());
      open.pop_back();
      for (const int32_t a : n.args) visit(a);
    }
    return c;
  }

  // A value that was made for one node adds a leaf to the loop of another that reaches the leaves below it in
  // other ways too. Each round makes a value, so there is a last one.
  void shorten_outputs() {
    for (int32_t before = -1; before != values_;) {
      before = values_;
      for (const int32_t o : whole_.outputs) {
        if (!is_leaf(o)) shorten(o);
      }
    }
  }

  // Makes values of a node's arguments until a loop can compute the node and write it. The loop also has room
  // for the operand that gives the shape.
  void shorten(int32_t node) {
    while (!cone({node}).fits(1)) {
      int32_t longest = -1;
      std::pair<size_t, size_t> largest;
      for (const int32_t a : at(node).args) {
        if (a < 0 || is_leaf(a)) continue;
        const Cone c = cone({a});
        const std::pair size(c.leaves.size(), c.nodes.size());
        if (longest < 0 || size > largest) longest = a, largest = size;
      }
      shorten(longest);
      passes_.inner.push_back(pass(cone({longest}), {longest}, false));
      value_[static_cast<size_t>(longest)] = values_++;
    }
  }

  void finish(const std::vector<int32_t>& outputs) {
    passes_.outer.push_back(pass(cone(outputs), outputs, true));
  }

  Pass pass(Cone c, const std::vector<int32_t>& outputs, bool shaped) {
    std::sort(c.nodes.begin(), c.nodes.end());
    std::sort(c.leaves.begin(), c.leaves.end());
    Pass made;
    auto program = std::make_unique<Program>();
    std::vector<int32_t> renamed(whole_.nodes.size(), -1);
    if (shaped) {
      made.operands.push_back(shape_operand);
      program->inputs.push_back(DType::bool_);
    }
    for (const int32_t leaf : c.leaves) {
      const int32_t value = value_[static_cast<size_t>(leaf)];
      Node n;
      n.dtype = at(leaf).dtype;
      n.args[0] = static_cast<int32_t>(program->inputs.size());
      made.operands.push_back(value < 0 ? at(leaf).args[0]
                                        : static_cast<int32_t>(whole_.inputs.size()) + value);
      program->inputs.push_back(n.dtype);
      renamed[static_cast<size_t>(leaf)] = static_cast<int32_t>(program->nodes.size());
      program->nodes.push_back(n);
    }
    for (const int32_t node : c.nodes) {
      Node n = at(node);
      for (int32_t& a : n.args) a = a < 0 ? a : renamed[static_cast<size_t>(a)];
      renamed[static_cast<size_t>(node)] = static_cast<int32_t>(program->nodes.size());
      program->nodes.push_back(n);
    }
    for (const int32_t o : outputs) program->outputs.push_back(renamed[static_cast<size_t>(o)]);
    made.program = intern(std::move(program));
    return made;
  }

  const Program& whole_;
  std::vector<int32_t> value_;  // for each node the number of the inner pass that computes it; -1: none
  std::vector<int32_t> seen_;
  int32_t stamp_ = 0, values_ = 0;
  Passes passes_;
};

}  // namespace

bool is_one_pass(const Program& whole) {
  return whole.inputs.size() <= static_cast<size_t>(Program::max_inputs) &&
         whole.outputs.size() <= static_cast<size_t>(Program::max_outputs) &&
         whole.nodes.size() <= static_cast<size_t>(Program::max_nodes);
}

Passes divide(const Program& whole) { return Divider(whole).run(); }

}  // namespace arr
