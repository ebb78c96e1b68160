// SPDX-License-Identifier: MIT
// Programs as load and store callbacks of cuFFT.
#include "cuda/fft/emit_callback.h"

#include "base/hash.h"
#include "cuda/codegen/compile.h"

namespace arr::cuda {

namespace {

// The text's hash as 16 digits.
std::string digits_of(const std::string& text) {
  const uint64_t h = hash_bytes(text);
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[h >> shift & 15];
  return digits;
}

}  // namespace

std::string emit_callback(const Program& p, const ElementwiseShape& s, CallbackKind kind, std::string* name) {
  const bool loads = kind == CallbackKind::load;
  const size_t given = loads ? p.inputs.size() : 0;
  const DType d = loads ? p.nodes[static_cast<size_t>(p.outputs[0])].dtype : p.inputs[0];
  const bool complex = is_complex(d), wide = item_size(d) == (complex ? 16 : 8);
  const char* theirs = complex ? (wide ? "double2" : "float2") : wide ? "double" : "float";
  const std::string element = emit_element(p, s);
  // cuFFT links two of these. Everything but the function is in a namespace with the function's name, so that
  // functions of one do not replace those of the other.
  *name = text(loads ? "arr_load_" : "arr_store_", digits_of(text(element, given, theirs)));
  const std::string inner = *name + "_text";
  const std::string ours = complex ? text(inner, "::arr_cplx<", wide ? "double" : "float", ">") : theirs;
  const std::string call =
      text("  ", inner, "::arr_element(*(const ", inner, "::arr_params*)info, (long long)i, g);\n");
  std::string out = translation_unit(element, inner);
  if (loads) {
    out += text("__device__ ", theirs, " ", *name, "(void*, unsigned long long i, void* info, void*) {\n  ",
                ours, " g(0);\n", call);
    out += complex ? text("  ", theirs, " out;\n  out.x = g.re;\n  out.y = g.im;\n  return out;\n}\n")
                   : std::string("  return g;\n}\n");
  } else {
    out += text("__device__ void ", *name, "(void*, unsigned long long i, ", theirs,
                " x, void* info, void*) {\n  ", ours, complex ? " g(x.x, x.y);\n" : " g(x);\n", call, "}\n");
  }
  return out;
}

std::string emit_write_words() {
  return text("struct arr_params { unsigned long long w[", written_words + 2, "]; };\n",
              "extern \"C\" __global__ void __launch_bounds__(64) arr_kernel(const __grid_constant__ "
              "arr_params p) {\n",
              "  if (threadIdx.x < (unsigned)p.w[1]) {\n",
              "    ((unsigned long long*)p.w[0])[threadIdx.x] = p.w[2 + threadIdx.x];\n  }\n}\n");
}

}  // namespace arr::cuda
