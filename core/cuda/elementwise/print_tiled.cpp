// SPDX-License-Identifier: MIT
// Elementwise kernels whose inputs run along another dimension than the outputs do: tiles of shared memory
// between them.
#include "cuda/codegen/print.h"

namespace arr::cuda {

namespace {

class Tiled {
 public:
  Tiled(const Program& p, const ElementwiseShape& s, const Words& w) : p_(p), s_(s), w_(w) {}

  std::string print() {
    const char* index = s_.wide ? "long long" : "int";
    out_ += text("  const ", index, " length = (", index, ")p.w[0], height = (", index, ")p.w[1];\n",
                 "  const int x = threadIdx.x, y = threadIdx.y;\n",
                 "  const unsigned across = (unsigned)((p.w[0] + ", s_.edge - 1, ") / ", s_.edge, ");\n",
                 "  const ", index, " left = (", index, ")(blockIdx.x % across) * ", s_.edge, ", top = (",
                 index, ")(blockIdx.x / across) * ", s_.edge, ";\n");
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] != Access::transposed) continue;
      out_ +=
          text("  __shared__ ", type(k), " t", k, "[", s_.edge, "][", s_.edge + tile_pad(item(k)), "];\n");
    }
    out_ += text("  for (long long r = blockIdx.y; r < (long long)p.w[", tiled_outside_word,
                 "]; r += gridDim.y) {\n");
    out_ += print_split("    ", "r", "x", s_.dims - 2, w_.extent, s_.wide);
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] == Access::immediate) continue;
      out_ += text("    char* q", k, " = (char*)p.w[", w_.pointer[k], "] + ",
                   print_offset("x", s_.dims - 2, w_.stride[k], s_.wide), ";\n");
    }
    load();
    compute();
    return out_ + "    __syncthreads();\n  }\n";
  }

 private:
  DType dtype(size_t k) const {
    if (k < p_.inputs.size()) return p_.inputs[k];
    return p_.nodes[static_cast<size_t>(p_.outputs[k - p_.inputs.size()])].dtype;
  }
  const char* type(size_t k) const { return cpp_type(dtype(k)); }
  int64_t item(size_t k) const { return item_size(dtype(k)); }

  // Operand k at an index of the inputs' and one of the outputs' fastest dimension.
  std::string at(size_t k, const char* high, const char* wide) const {
    const char* index = s_.wide ? "long long" : "int";
    const char* read = s_.access[k] == Access::ramp ? "(" : "*(";
    const std::string as = s_.access[k] == Access::ramp ? "long long" : text(type(k), "*");
    return text("(", read, as, ")(q", k, " + ", high, " * (", index, ")p.w[", w_.stride[k] + s_.dims - 2,
                "] + ", wide, " * (", index, ")p.w[", w_.stride[k] + s_.dims - 1, "]))");
  }

  // Every place (j, i) of the tile that this thread takes, i the threads' fastest. Counted from 0, so that
  // the compiler knows how often; four bodies at a time are enough to keep loads in flight.
  void places() {
    const int32_t rows = block_threads / 32;
    out_ += text("#pragma unroll ", s_.edge == 32 ? 4 : 2, "\n    for (int n = 0; n < ", s_.edge / rows,
                 "; ++n) {\n      const int j = y + n * ", rows, ";\n");
    out_ += s_.edge == 32 ? std::string("      {\n      const int i = x;\n")
                          : text("#pragma unroll\n      for (int m = 0; m < ", s_.edge / 32,
                                 "; ++m) {\n      const int i = x + m * 32;\n");
  }

  void load() {
    places();
    out_ += "      if (left + j < length && top + i < height) {\n";
    for (size_t k = 0; k < s_.access.size(); ++k) {
      if (s_.access[k] != Access::transposed) continue;
      out_ += text("        t", k, "[j][i] = ", at(k, "(top + i)", "(left + j)"), ";\n");
    }
    out_ += "      }\n    }\n    }\n    __syncthreads();\n";
  }

  void compute() {
    places();
    out_ += "      if (top + j < height && left + i < length) {\n";
    std::string args;
    for (size_t k = 0; k < s_.access.size(); ++k) {
      args += k == 0 ? "" : ", ";
      if (k >= p_.inputs.size()) {
        out_ += text("        ", type(k), " o", k, ";\n");
        args += text("o", k);
      } else if (s_.access[k] == Access::immediate) {
        args += text("s", k);
      } else if (s_.access[k] == Access::transposed) {
        args += text("t", k, "[i][j]");
      } else {
        args += at(k, "(top + j)", "(left + i)");
      }
    }
    out_ += text("        arr_body(", args, ");\n");
    for (size_t k = p_.inputs.size(); k < s_.access.size(); ++k) {
      out_ += text("        ", at(k, "(top + j)", "(left + i)"), " = o", k, ";\n");
    }
    out_ += "      }\n    }\n    }\n";
  }

  const Program& p_;
  const ElementwiseShape& s_;
  const Words& w_;
  std::string out_;
};

}  // namespace

std::string print_tiled(const Program& p, const ElementwiseShape& s, const Words& w) {
  return Tiled(p, s, w).print();
}

}  // namespace arr::cuda
