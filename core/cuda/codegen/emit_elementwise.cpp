// SPDX-License-Identifier: MIT
// Element-wise kernels of programs.
#include "cuda/codegen/emit_elementwise.h"

#include "tiled_kernel.h"

namespace arr::cuda {

namespace {

// The text of an element-wise kernel.
class Elementwise {
 public:
  Elementwise(const Program& p, const ElementwiseShape& s) : p_(p), s_(s), w_(elementwise_words(s)) {}

  std::string text_() {
    out_ = emit_program(p_);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\n",
                 "extern \"C\" __global__ void __launch_bounds__(", block_threads,
                 ") arr_kernel(const __grid_constant__ arr_params p) {\n");
    immediates();
    if (s_.kind == ElementwiseShape::general) {
      general();
    } else {
      rows();
    }
    return out_ + "}\n";
  }

  std::string function() {
    out_ = emit_program(p_);
    out_ += text("struct arr_params { unsigned long long w[", w_.count, "]; };\n",
                 "ARR_FN void arr_element(const arr_params& p, long long i");
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::function_argument) out_ += text(", ", type(k), "& g", k);
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
  // Returns true if the operand has neither an address nor a ramp's number.
  [[nodiscard]] bool without_address(size_t k) const {
    return s_.access[k] == Access::immediate || s_.access[k] == Access::function_argument;
  }
  const char* type(size_t k) const { return operand_text(p_, k); }
  bool is_output(size_t k) const { return k >= p_.inputs.size(); }
  bool ramp(size_t k) const { return s_.access[k] == Access::ramp; }
  bool unaligned(size_t k) const { return s_.access[k] == Access::unaligned; }

  // Operand k at an address; for some operands the address is the value.
  std::string at(size_t k, const std::string& address) const {
    if (is_load_base(p_, k)) return text("arr_table{", address, ", 0}");
    return text("(*(", type(k), "*)(", address, "))");
  }
  // The operand i elements further on, if it is contiguous.
  std::string element_at(size_t k, const std::string& i) const {
    if (is_load_base(p_, k)) return text("arr_table{q", k, " + (", i, ") * ", load_item(k), ", 0}");
    return text("((", type(k), "*)q", k, ")[", i, "]");
  }
  // Number of bytes loaded at the address.
  int64_t load_item(size_t k) const { return arr::cuda::load_item(p_, k); }

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
        out_ += text("  const ", type(k), " u", k, " = ", at(k, text("q", k)), ";\n");
      }
    }
    out_ += "  long long i = first;\n";
    if (s_.vector > 1) packed();
    if (s_.vector > 1) {
      // The elements after the last whole access. Unrolling would only lengthen the compilation.
      std::string v = std::to_string(s_.vector);
      out_ +=
          "#pragma unroll 1\n  for (long long end = i + " + v + " < n ? i + " + v + " : n; i < end; ++i) {\n";
    } else {
      out_ += "  if (i < n) {\n";
    }
    one([this](size_t k) { return ramp(k) ? text("((long long)q", k, " + i)") : element_at(k, "i"); });
    out_ += "  }\n";
    if (many) out_ += "  }\n";
  }

  // Processes V elements by wide accesses; advances i.
  void packed() {
    std::string v = std::to_string(s_.vector);
    out_ += "  if (i + " + v + " <= n) {\n";
    for (size_t k = 0; k < s_.access.size(); ++k) {
      std::string pack = text("arr_pack<", type(k), ", ", v, ">");
      if (is_output(k)) {
        out_ += text("    ", pack, " a", k, ";\n");
      } else if (s_.access[k] == Access::contiguous && !is_load_base(p_, k)) {
        out_ += text("    const ", pack, " a", k, " = *(const ", pack, "*)((const ", type(k), "*)q", k,
                     " + i);\n");
      }
    }
    out_ += "#pragma unroll\n    for (int k = 0; k < " + v + "; ++k) ";
    out_ += call(
        [&](size_t k) {
          if (ramp(k)) return text("(long long)q", k, " + i + k");
          if (unaligned(k) || (is_load_base(p_, k) && s_.access[k] == Access::contiguous)) {
            return element_at(k, "i + k");
          }
          return text(s_.access[k] == Access::uniform ? "u" : "a", k,
                      s_.access[k] == Access::uniform ? "" : ".v[k]");
        },
        [](size_t k) { return text("a", k, ".v[k]"); });
    for (size_t k = p_.inputs.size(); k < s_.access.size(); ++k) {
      if (unaligned(k)) {
        out_ += text("#pragma unroll\n    for (int k = 0; k < ", v, "; ++k) ((", type(k), "*)q", k,
                     ")[i + k] = a", k, ".v[k];\n");
        continue;
      }
      std::string pack = text("arr_pack<", type(k), ", ", v, ">");
      out_ += text("    *(", pack, "*)((", type(k), "*)q", k, " + i) = a", k, ";\n");
    }
    out_ += "    i = n;\n  }\n";
  }

  // One element; lvalue(k) is the lvalue of operand k.
  template <class Lvalue>
  void one(Lvalue&& lvalue) {
    for (size_t k = p_.inputs.size(); k < s_.access.size(); ++k)
      out_ += text("    ", type(k), " o", k, ";\n");
    out_ +=
        "    " + call([&](size_t k) { return s_.access[k] == Access::uniform ? text("u", k) : lvalue(k); },
                      [](size_t k) { return text("o", k); });
    for (size_t k = p_.inputs.size(); k < s_.access.size(); ++k) {
      out_ += text("    ", lvalue(k), " = o", k, ";\n");
    }
  }

  // Moves the pointers q to the element of index `name` of the first `dims` dimensions, slowest first.
  void decompose(const char* name, int32_t dims) {
    out_ += emit_split("  ", name, "x", dims, w_.extent, s_.wide);
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (without_address(k)) continue;
      out_ += text("  q", k, " += ", emit_offset("x", dims, w_.stride[k], s_.wide), ";\n");
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
      if (without_address(k)) continue;
      out_ += text("  char* q", k, " = (char*)p.w[", w_.pointer[k], "];\n");
    }
    if (s_.dims > 0) decompose("i", s_.dims);
    one([this](size_t k) {
      if (s_.access[k] == Access::function_argument) return text("g", k);
      return ramp(k) ? text("(long long)q", k) : at(k, text("q", k));
    });
  }

  const Program& p_;
  const ElementwiseShape& s_;
  const Words w_;
  std::string out_;
};

std::string emit_tiled(const Program& p, const ElementwiseShape& s) {
  const Words w = elementwise_words(s);
  return Prologue()
      .text(emit_program(p))
      .parameters(w.count, s.wide)
      .operands(p, s.access, w)
      .constant("edge", s.edge)
      .constant("outside", s.dims - 2)
      .constant("outside_word", tiled_outside_word)
      .constant("extent_word", w.extent)
      .with({{tiled_kernel, tiled_kernel_size}});
}

}  // namespace

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

std::string emit_elementwise(const Program& p, const ElementwiseShape& s) {
  return s.kind == ElementwiseShape::tiled ? emit_tiled(p, s) : Elementwise(p, s).text_();
}
std::string emit_element(const Program& p, const ElementwiseShape& s) { return Elementwise(p, s).function(); }

}  // namespace arr::cuda
