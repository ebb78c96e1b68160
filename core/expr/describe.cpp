// SPDX-License-Identifier: MIT
// Programs as readable text.
#include <bit>
#include <charconv>

#include "expr/program.h"

#include "expr/op_numbers.h"

namespace arr {

namespace {

class Text {
 public:
  Text(const Program& p, std::span<const Scalar> constants, std::span<const int32_t> axes)
      : p_(p), constants_(constants), axes_(axes), uses_(p.nodes.size(), 0) {
    for (const Node& n : p.nodes) {
      if (n.kind == Node::Kind::input) continue;
      for (int32_t a : n.args) {
        if (a >= 0) ++uses_[static_cast<size_t>(a)];
      }
    }
  }

  // Values that are used more than once come first, each with a name, so that the length of the text is
  // proportional to the program.
  std::string all(const char* separator, bool name_outputs, const ReductionStage* stage = nullptr) {
    for (size_t i = 0; i < p_.nodes.size(); ++i) {
      if (!named(i)) continue;
      out_ += text("v", i, " = ");
      formula(static_cast<int32_t>(i));
      out_ += separator;
    }
    for (size_t k = 0; k < p_.outputs.size(); ++k) {
      if (k != 0) out_ += separator;
      if (name_outputs) out_ += text("out", k, " = ");
      if (stage != nullptr) out_ += text(stage->scan ? "scan by " : "", stage->reduction->name, "(");
      value(p_.outputs[k]);
      if (stage == nullptr) continue;
      if (stage->initial.dtype != DType::none) {
        out_ += ", initial ";
        number(stage->initial);
      }
      out_ += ')';
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool named(size_t i) const { return p_.nodes[i].kind != Node::Kind::input && uses_[i] > 1; }

  void value(int32_t index) {
    named(static_cast<size_t>(index)) ? void(out_ += text("v", index)) : formula(index);
  }

  void formula(int32_t index) {
    const Node& n = p_.nodes[static_cast<size_t>(index)];
    if (n.kind == Node::Kind::input) return input(static_cast<size_t>(n.args[0]));
    out_ += n.kind == Node::Kind::cast ? name(n.dtype) : op_info(n.op)->name;
    out_ += '(';
    for (int32_t i = 0; i < 3 && n.args[i] >= 0; ++i) {
      if (i != 0) out_ += ", ";
      value(n.args[i]);
    }
    out_ += ')';
  }

  void input(size_t index) {
    size_t indices = p_.inputs.size() - constants_.size(), arrays = indices - axes_.size();
    if (index >= indices) return number(constants_[index - indices]);
    out_ += index < arrays ? text("in", index) : text("index(", axes_[index - arrays], ")");
  }

  void number(const Scalar& s) {
    char digits[32];
    auto put = [&](auto x) { out_.append(digits, std::to_chars(digits, digits + sizeof(digits), x).ptr); };
    switch (kind(s.dtype)) {
      case DKind::BOOL:
        out_ += s.lo != 0 ? "true" : "false";
        break;
      case DKind::INT:
        put(static_cast<int64_t>(convert(s, DType::int64_).lo));
        break;
      case DKind::UINT:
        put(s.lo);
        break;
      case DKind::FLOAT:
        s.dtype == DType::float64_
            ? put(std::bit_cast<double>(s.lo))
            : put(std::bit_cast<float>(static_cast<uint32_t>(convert(s, DType::float32_).lo)));
        break;
      case DKind::COMPLEX: {
        Scalar wide = convert(s, DType::complex128_);
        put(std::bit_cast<double>(wide.lo));
        out_ += std::bit_cast<int64_t>(wide.hi) < 0 ? "" : "+";
        put(std::bit_cast<double>(wide.hi));
        out_ += 'j';
        break;
      }
    }
  }

  const Program& p_;
  std::span<const Scalar> constants_;
  std::span<const int32_t> axes_;
  std::vector<int32_t> uses_;
  std::string out_;
};

// The formula, the dtypes, and the cost per element.
struct Cost {
  std::string text;
  int64_t read = 0, ops = 0, casts = 0;
};
Cost cost_of(const BoundProgram& bound, std::span<const int32_t> axes, const ReductionStage* stage) {
  const Program& p = *bound.program;
  Cost c{Text(p, bound.immediates, axes).all("\n", p.outputs.size() > 1, stage) + "\n"};
  const size_t operands = p.inputs.size() - bound.immediates.size();
  for (size_t i = 0; i < operands - axes.size(); ++i) {
    c.text += text(i == 0 ? "inputs: " : ", ", "in", i, " ", name(p.inputs[i]));
  }
  c.text += "\n";
  for (const Node& n : p.nodes) {
    const bool loaded = n.kind == Node::Kind::input && static_cast<size_t>(n.args[0]) < operands;
    c.read += loaded && n.dtype != DType::table_ ? item_size(n.dtype) : 0;
    c.read += n.kind == Node::Kind::op && n.op == op::load ? item_size(n.compute) : 0;
    c.ops += n.kind == Node::Kind::op ? 1 : 0;
    c.casts += n.kind == Node::Kind::cast ? 1 : 0;
  }
  return c;
}

std::string plural(int64_t n, const char* what) { return text(n, " ", what, n == 1 ? "" : "s"); }

}  // namespace

std::string describe(const Program& program) { return Text(program, {}, {}).all("; ", false); }

std::string explain(const BoundProgram& bound, std::span<const int32_t> axes) {
  const Program& p = *bound.program;
  Cost c = cost_of(bound, axes, nullptr);
  int64_t written = 0;
  for (size_t k = 0; k < p.outputs.size(); ++k) {
    const DType d = p.nodes[static_cast<size_t>(p.outputs[k])].dtype;
    written += item_size(d);
    c.text += text(k == 0 ? "outputs: " : ", ", name(d));
  }
  return c.text + text("\nper element: ", plural(c.ops, "operation"), ", ", plural(c.casts, "cast"), ", ",
                       plural(c.read, "byte"), " read, ", plural(written, "byte"), " written");
}

std::string explain(const BoundProgram& bound, std::span<const int32_t> axes, const ReductionStage& stage) {
  Cost c = cost_of(bound, axes, &stage);
  c.text += text("outputs: ", name(stage.types.out), "\naccumulated: ", name(stage.types.acc),
                 "\nper element: ", plural(c.ops, "operation"), ", ", plural(c.casts, "cast"),
                 ", 1 combination, ", plural(c.read, "byte"), " read");
  return c.text +
         text(stage.scan ? ", " : "\nper result: ", plural(item_size(stage.types.out), "byte"), " written");
}

}  // namespace arr
