// SPDX-License-Identifier: MIT
// Programs as device functions, and the elementwise kernels around them.
#include "cuda/codegen/print.h"

#include <bit>
#include <set>

namespace arr::cuda {

namespace {

// One function per op and computing type: the formula of the table as it stands.
void print_op(const Node& n, std::string* out) {
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

DType output_type(const Program& p, size_t k) { return p.nodes[static_cast<size_t>(p.outputs[k])].dtype; }

DType operand_type(const Program& p, size_t k) {
  return k < p.inputs.size() ? p.inputs[k] : output_type(p, k - p.inputs.size());
}

// The texts of an elementwise kernel, put together part by part.
class Elementwise {
 public:
  Elementwise(const Program& p, const ElementwiseShape& s) : p_(p), s_(s), w_(elementwise_words(s)) {}

  std::string text_() {
    out_ = print_body(p_);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\n",
                 "extern \"C\" __global__ void __launch_bounds__(", block_threads,
                 ") arr_kernel(const __grid_constant__ arr_params p) {\n");
    immediates();
    if (s_.kind == ElementwiseShape::general) {
      general();
    } else if (s_.kind == ElementwiseShape::tiled) {
      out_ += print_tiled(p_, s_, w_);
    } else {
      rows();
    }
    return out_ + "}\n";
  }

  std::string function() {
    out_ = print_body(p_);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\n",
                 "ARR_FN void arr_element(const arr_params& p, long long i");
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::given) out_ += text(", ", type(k), "& g", k);
    }
    out_ += ") {\n";
    immediates();
    element();
    return out_ + "}\n";
  }

 private:
  void immediates() {
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] != Access::immediate) continue;
      out_ += text("  const ", type(k), " s", k, " = arr_word<", type(k), ">(p.w + ", w_.pointer[k], ");\n");
    }
  }
  // Neither an address nor a ramp's number.
  [[nodiscard]] bool without_place(size_t k) const {
    return s_.access[k] == Access::immediate || s_.access[k] == Access::given;
  }
  const char* type(size_t k) const { return cpp_type(operand_type(p_, k)); }
  bool is_output(size_t k) const { return k >= p_.inputs.size(); }
  bool ramp(size_t k) const { return s_.access[k] == Access::ramp; }
  bool loose(size_t k) const { return s_.access[k] == Access::loose; }

  // A call of the body: `from(k)` reads operand k, outputs go to variables o0, o1 ...
  template <class From, class To>
  std::string call(From&& from, To&& to) const {
    std::string args;
    for (size_t k = 0; k < s_.access.size(); ++k) {
      args += k == 0 ? "" : ", ";
      args += is_output(k) ? to(k) : s_.access[k] == Access::immediate ? text("s", k) : from(k);
    }
    return text("arr_body(", args, ");\n");
  }

  void rows() {
    bool many = s_.kind == ElementwiseShape::rows;
    out_ += "  const long long n = (long long)p.w[0];\n";
    out_ += text("  const long long first = ((long long)blockIdx.x * blockDim.x + threadIdx.x) * ", s_.vector,
                 ";\n");
    if (many) {
      out_ +=
          "  const long long rows = (long long)p.w[1];\n"
          "  for (long long r = (long long)blockIdx.y * blockDim.y + threadIdx.y; r < rows;\n"
          "       r += (long long)gridDim.y * blockDim.y) {\n";
    }
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::immediate) continue;
      out_ += text("  char* q", k, " = (char*)p.w[", w_.pointer[k], "];\n");
    }
    if (many) decompose("r", s_.dims);
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::uniform && !is_output(k)) {
        out_ += text("  const ", type(k), " u", k, " = *(const ", type(k), "*)q", k, ";\n");
      }
    }
    out_ += "  long long i = first;\n";
    if (s_.vector > 1) packed();
    if (s_.vector > 1) {
      // What is left of the last access; unrolling it would only take time to compile.
      std::string v = std::to_string(s_.vector);
      out_ +=
          "#pragma unroll 1\n  for (long long end = i + " + v + " < n ? i + " + v + " : n; i < end; ++i) {\n";
    } else {
      out_ += "  if (i < n) {\n";
    }
    one([this](size_t k) {
      return ramp(k) ? text("((long long)q", k, " + i)") : text("((", type(k), "*)q", k, ")[i]");
    });
    out_ += "  }\n";
    if (many) out_ += "  }\n";
  }

  // V elements by wide accesses; i is moved past them.
  void packed() {
    std::string v = std::to_string(s_.vector);
    out_ += "  if (i + " + v + " <= n) {\n";
    for (size_t k = 0; k < s_.access.size(); ++k) {
      std::string pack = text("arr_pack<", type(k), ", ", v, ">");
      if (is_output(k)) {
        out_ += text("    ", pack, " a", k, ";\n");
      } else if (s_.access[k] == Access::contiguous) {
        out_ += text("    const ", pack, " a", k, " = *(const ", pack, "*)((const ", type(k), "*)q", k,
                     " + i);\n");
      }
    }
    out_ += "#pragma unroll\n    for (int k = 0; k < " + v + "; ++k) ";
    out_ += call(
        [&](size_t k) {
          if (ramp(k)) return text("(long long)q", k, " + i + k");
          if (loose(k)) return text("((const ", type(k), "*)q", k, ")[i + k]");
          return text(s_.access[k] == Access::uniform ? "u" : "a", k,
                      s_.access[k] == Access::uniform ? "" : ".v[k]");
        },
        [](size_t k) { return text("a", k, ".v[k]"); });
    for (size_t k = p_.inputs.size(); k < s_.access.size(); ++k) {
      if (loose(k)) {
        out_ += text("#pragma unroll\n    for (int k = 0; k < ", v, "; ++k) ((", type(k), "*)q", k,
                     ")[i + k] = a", k, ".v[k];\n");
        continue;
      }
      std::string pack = text("arr_pack<", type(k), ", ", v, ">");
      out_ += text("    *(", pack, "*)((", type(k), "*)q", k, " + i) = a", k, ";\n");
    }
    out_ += "    i = n;\n  }\n";
  }

  // One element; `place(k)` is where operand k lies.
  template <class Place>
  void one(Place&& place) {
    for (size_t k = p_.inputs.size(); k < s_.access.size(); ++k)
      out_ += text("    ", type(k), " o", k, ";\n");
    out_ += "    " + call([&](size_t k) { return s_.access[k] == Access::uniform ? text("u", k) : place(k); },
                          [](size_t k) { return text("o", k); });
    for (size_t k = p_.inputs.size(); k < s_.access.size(); ++k) {
      out_ += text("    ", place(k), " = o", k, ";\n");
    }
  }

  // Moves the pointers q to the element of index `name` of the first `dims` dimensions, slowest first.
  void decompose(const char* name, int32_t dims) {
    out_ += print_split("  ", name, "x", dims, w_.extent, s_.wide);
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (without_place(k)) continue;
      out_ += text("  q", k, " += ", print_offset("x", dims, w_.stride[k], s_.wide), ";\n");
    }
  }

  void general() {
    out_ += "  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n";
    element();
  }

  // Element i of all dimensions.
  void element() {
    out_ += "  if (i >= (long long)p.w[0]) return;\n";
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (without_place(k)) continue;
      out_ += text("  char* q", k, " = (char*)p.w[", w_.pointer[k], "];\n");
    }
    if (s_.dims > 0) decompose("i", s_.dims);
    one([this](size_t k) {
      if (s_.access[k] == Access::given) return text("g", k);
      return ramp(k) ? text("(long long)q", k) : text("(*(", type(k), "*)q", k, ")");
    });
  }

  const Program& p_;
  const ElementwiseShape& s_;
  const Words w_;
  std::string out_;
};

}  // namespace

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

std::string print_split(const char* indent, const char* index, const char* prefix, int32_t dims, int32_t at,
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

std::string print_offset(const char* prefix, int32_t dims, int32_t at, bool wide) {
  const char* type = wide ? "long long" : "int";
  std::string sum;
  for (int32_t d = 0; d < dims; ++d) {
    sum += text(d == 0 ? "" : " + ", "(", type, ")", prefix, d, " * (", type, ")p.w[", at + d, "]");
  }
  return sum.empty() ? "0" : sum;
}

std::string print_body(const Program& p) {
  std::string out = "template <class T>\nstruct arr_type {};\n";
  std::set<std::pair<int32_t, DType>> printed;
  for (const Node& n : p.nodes) {
    if (n.kind == Node::Kind::op && printed.emplace(n.op, n.compute).second) print_op(n, &out);
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
    count += a == Access::given ? 0 : a == Access::immediate ? 2 : 1 + strides;
  }
}

Words elementwise_words(const ElementwiseShape& s) {
  Words w;
  w.extent = 2;
  int32_t strides = s.kind == ElementwiseShape::linear ? 0 : s.dims, extents = strides;
  if (s.kind == ElementwiseShape::tiled) {
    w.extent = tiled_outside_word + 1;
    extents = s.dims - 2;
  }
  w.count = w.extent + 2 * extents;
  w.add_operands(s.access, strides);
  return w;
}

std::string print_elementwise(const Program& p, const ElementwiseShape& s) {
  return Elementwise(p, s).text_();
}
std::string print_element(const Program& p, const ElementwiseShape& s) {
  return Elementwise(p, s).function();
}

}  // namespace arr::cuda
