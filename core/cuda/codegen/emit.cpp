// SPDX-License-Identifier: MIT
// Programs as device functions, and the lines before a kernel.
#include "cuda/codegen/emit.h"
#include "expr/op_numbers.h"

#include <bit>
#include <set>

#include "indices_text.h"
#include "operands_text.h"

namespace arr::cuda {

namespace {

// A function per op and computing type, with the formula of the table.
void emit_op(const Node& n, std::string* out) {
  const OpInfo& op = *op_info(n.op);
  const char* t = cpp_type(n.compute);
  static constexpr const char* names[3] = {"x", "y", "z"};
  std::string params;
  for (int32_t i = 0; i < op.nin; ++i) {
    DType own = own_type(op, static_cast<size_t>(i));
    params += text(i == 0 ? "" : ", ", own != DType::none ? cpp_type(own) : t, " ", names[i]);
  }
  *out += text("ARR_FN ", cpp_type(n.dtype), " arr_op_", op.name, "(arr_type<", t, ">, ", params,
               ") {\n  typedef ", t, " T;\n  return ", op.formula, ";\n}\n");
}

std::string value(const Program& p, int32_t node) {
  const Node& n = p.nodes[static_cast<size_t>(node)];
  return n.kind == Node::Kind::input ? text("i", n.args[0]) : text("v", node);
}

std::string statement(const Program& p, int32_t index) {
  const Node& n = p.nodes[static_cast<size_t>(index)];
  std::string left = text("  const ", cpp_type(n.dtype), " v", index, " = ");
  if (n.kind == Node::Kind::cast) {
    return text(left, "arr_cast<", cpp_type(n.dtype), ">(", value(p, n.args[0]), ");\n");
  }
  std::string args;
  for (int32_t i = 0; i < op_info(n.op)->nin; ++i) args += text(", ", value(p, n.args[i]));
  return text(left, "arr_op_", op_info(n.op)->name, "(arr_type<", cpp_type(n.compute), ">()", args, ");\n");
}

const char* name_of(Access a) {
  static constexpr const char* names[] = {"contiguous", "uniform", "immediate", "strided",
                                          "transposed", "ramp",    "unaligned", "function_argument"};
  return names[static_cast<size_t>(a)];
}

// "arr_list<2, 3>"
std::string list_of(size_t from, size_t to) {
  std::string list = "arr_list<";
  for (size_t k = from; k < to; ++k) list += arr::text(k == from ? "" : ", ", k);
  return list + ">";
}

}  // namespace

int64_t load_item(const Program& p, size_t k) {
  for (const Node& n : p.nodes) {
    if (n.kind != Node::Kind::op || n.op != op::load) continue;
    if (p.nodes[static_cast<size_t>(n.args[0])].args[0] == static_cast<int32_t>(k))
      return item_size(n.compute);
  }
  return 0;
}

DType output_type(const Program& p, size_t k) { return p.nodes[static_cast<size_t>(p.outputs[k])].dtype; }

DType operand_type(const Program& p, size_t k) {
  return k < p.inputs.size() ? p.inputs[k] : output_type(p, k - p.inputs.size());
}

const char* operand_text(const Program& p, size_t k) {
  const DType d = operand_type(p, k);
  return d == DType::bool_ && k < p.inputs.size() ? "arr_bool_byte" : cpp_type(d);
}

Prologue& Prologue::type(const char* name, DType d) {
  lines_ += arr::text("typedef ", cpp_type(d), " ", name, ";\n");
  return *this;
}

Prologue& Prologue::constant(const char* name, int64_t value) {
  const bool large = value > 0x7fffffff;
  lines_ += arr::text("constexpr ", large ? "long long " : "int ", name, " = ", value, ";\n");
  return *this;
}

Prologue& Prologue::flag(const char* name, bool value) {
  lines_ += arr::text("constexpr bool ", name, " = ", value ? "true" : "false", ";\n");
  return *this;
}

Prologue& Prologue::text(std::string_view lines) {
  lines_ += lines;
  return *this;
}

Prologue& Prologue::parameters(int32_t words, bool wide) {
  lines_ += arr::text("struct arr_params { unsigned long long w[", words, "]; };\ntypedef ",
                      wide ? "long long arr_index;\ntypedef unsigned long long arr_unsigned;\n"
                           : "int arr_index;\ntypedef unsigned arr_unsigned;\n");
  flag("wide", wide).constant("block_threads", block_threads);
  lines_.append(indices_text, indices_text_size);
  return *this;
}

Prologue& Prologue::operands(const Program& p, const AccessList& access, const Words& w) {
  const size_t inputs = p.inputs.size(), all = inputs + p.outputs.size();
  lines_ += "template <int K>\nstruct arr_operand;\n";
  for (size_t k = 0; k < all; ++k) {
    // The kernel takes outputs that are not in memory from the program's arguments.
    const bool here = k < access.size();
    lines_ += arr::text("template <>\nstruct arr_operand<", k, "> {\n  typedef ", operand_text(p, k),
                        " type;\n  static constexpr arr_access access = ", "arr_access::",
                        name_of(here ? access[k] : Access::function_argument),
                        ";\n  static constexpr bool load_base = ", is_load_base(p, k) ? "true" : "false",
                        ";\n  static constexpr int word = ", here ? w.pointer[k] : 0, ";\n};\n");
  }
  constant("operand_count", static_cast<int64_t>(all));
  lines_ += arr::text("typedef ", list_of(0, inputs), " arr_inputs;\ntypedef ", list_of(inputs, all),
                      " arr_outputs;\n");
  lines_.append(operands_text, operands_text_size);
  return *this;
}

std::string Prologue::with(std::initializer_list<std::string_view> files) {
  for (const std::string_view file : files) lines_ += file;
  return std::move(lines_);
}

uint64_t reciprocal(int64_t extent) noexcept {
  auto d = static_cast<uint64_t>(extent);
  auto shift = static_cast<uint64_t>(d <= 1 ? 0 : 64 - std::countl_zero(d - 1));
  uint64_t magic = ((uint64_t{1} << 32) * ((uint64_t{1} << shift) - d)) / d + 1;
  return magic | shift << 32;
}

uint64_t wide_reciprocal(int64_t extent) noexcept {
  __extension__ using uint128 = unsigned __int128;
  const auto d = static_cast<uint64_t>(extent);
  const int shift = d <= 1 ? 0 : 64 - std::countl_zero(d - 1);
  return static_cast<uint64_t>((uint128{(uint64_t{1} << shift) - d} << 64) / d) + 1;
}

std::string emit_split(const char* indent, const char* index, const char* prefix, int32_t dims, int32_t at,
                       bool wide) {
  const char* type = wide ? "unsigned long long" : "unsigned";
  if (dims == 0) return {};
  std::string out = text(indent, type, " ", prefix, "r = (", type, ")", index, ";\n");
  for (int32_t d = dims - 1; d > 0; --d) {
    std::string quotient = text(prefix, "q", d), word = text("p.w[", at + 2 * d, "]");
    std::string divided = text(wide ? "arr_divide_wide(" : "arr_divide(", prefix, "r, ",
                               wide ? word + ", " : std::string(), "p.w[", at + 2 * d + 1, "])");
    out += text(indent, "const ", type, " ", quotient, " = ", divided, ";\n", indent, "const ", type, " ",
                prefix, d, " = ", prefix, "r - ", quotient, " * (", type, ")", word, ";\n", indent, prefix,
                "r = ", quotient, ";\n");
  }
  return out + text(indent, "const ", type, " ", prefix, "0 = ", prefix, "r;\n");
}

std::string emit_offset(const char* prefix, int32_t dims, int32_t at, bool wide) {
  const char* type = wide ? "long long" : "int";
  std::string sum;
  for (int32_t d = 0; d < dims; ++d) {
    sum += text(d == 0 ? "" : " + ", "(", type, ")", prefix, d, " * (", type, ")p.w[", at + d, "]");
  }
  return sum.empty() ? "0" : sum;
}

std::string emit_program(const Program& p) {
  std::string out = "template <class T>\nstruct arr_type {};\n";
  std::set<std::pair<int32_t, DType>> emitted;
  for (const Node& n : p.nodes) {
    if (n.kind == Node::Kind::op && emitted.emplace(n.op, n.compute).second) emit_op(n, &out);
  }
  std::string params;
  for (size_t k = 0; k < p.inputs.size(); ++k) {
    params += text(k == 0 ? "" : ", ", cpp_type(p.inputs[k]), " i", k);
  }
  for (size_t k = 0; k < p.outputs.size(); ++k) {
    params += text(params.empty() ? "" : ", ", cpp_type(output_type(p, k)), "& o", k);
  }
  out += text("ARR_FN void arr_body(", params, ") {\n");
  for (size_t i = 0; i < p.nodes.size(); ++i) {
    if (p.nodes[i].kind != Node::Kind::input) out += statement(p, static_cast<int32_t>(i));
  }
  for (size_t k = 0; k < p.outputs.size(); ++k) out += text("  o", k, " = ", value(p, p.outputs[k]), ";\n");
  return out + "}\n";
}

void Words::add_operands(const AccessList& access, int32_t strides) {
  for (Access a : access) {
    pointer.push_back(count);
    stride.push_back(count + 1);
    count += a == Access::function_argument ? 0 : a == Access::immediate ? 2 : 1 + strides;
  }
}

}  // namespace arr::cuda
