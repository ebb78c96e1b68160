// SPDX-License-Identifier: MIT
// Combining into chosen places as CUDA C++ text: a thread per element, and an atomic update each. Where the
// device has no such atomic, a loop that compares and swaps the word with the element; elements that no word
// holds are updated one after another under locks.
#include "cuda/codegen/print.h"

namespace arr::cuda {

namespace {

DType output_type(const Program& p, size_t k) { return p.nodes[static_cast<size_t>(p.outputs[k])].dtype; }

// "atomicAdd((unsigned*)to, arr_bits<unsigned>(v0))" and the like, or nothing.
std::string atomic(const Program& combine) {
  const int32_t op = only_op(combine);
  const DType d = combine.inputs[0];
  const int64_t item = item_size(d);
  const bool adds = op == op::add || op == op::subtract,
             whole = kind(d) == DKind::INT || kind(d) == DKind::UINT;
  const char* minus = op == op::subtract ? "-" : "";
  if (adds && (d == DType::float32_ || d == DType::float64_)) {
    return text("atomicAdd((", cpp_type(d), "*)to, ", minus, "v0)");
  }
  if (adds && d == DType::complex128_) {
    return text("atomicAdd((double*)to, ", minus, "v0.re);\n  atomicAdd((double*)to + 1, ", minus, "v0.im)");
  }
  if (!whole || item < 4) return {};
  const char* word = item == 4 ? "unsigned" : "unsigned long long";
  if (adds) return text("atomicAdd((", word, "*)to, ", op == op::subtract ? "0 - " : "", "(", word, ")v0)");
  const char* bits = op == op::bitwise_and   ? "And"
                     : op == op::bitwise_or  ? "Or"
                     : op == op::bitwise_xor ? "Xor"
                                             : nullptr;
  if (bits != nullptr) return text("atomic", bits, "((", word, "*)to, (", word, ")v0)");
  const bool low = op == op::minimum || op == op::fmin, high = op == op::maximum || op == op::fmax;
  if (low || high) return text("atomic", low ? "Min" : "Max", "((", cpp_type(d), "*)to, v0)");
  return {};
}

// Sums of float32: the device's atomicAdd takes subnormal numbers for 0 (PTX ISA, atom.add.f32 of global
// memory). From 2^-100 on it is exact all the same: a subnormal element is less than half of such a number's
// last digit, and a sum of two numbers is a multiple of the last digit of one, so no subnormal comes of it.
// Smaller ones swap.
bool flushes(const Program& combine) {
  const int32_t op = only_op(combine);
  return combine.inputs[0] == DType::float32_ && (op == op::add || op == op::subtract);
}
constexpr const char large[] = "!((v0 < 0.0f ? -v0 : v0) < 0x1p-100f)";

// Locks are the module's, which begins with zeros; elements share them. A thread that has one does nothing
// that waits, so that those of its warp that do not may go round.
constexpr int lock_count = 1024;
std::string locks() { return text("__device__ unsigned arr_locks[", lock_count, "];\n"); }
std::string under_lock(const char* element, const std::string& args) {
  return text("  unsigned* lock = arr_locks + ((unsigned long long)to >> 4 & ", lock_count - 1,
              "ull);\n  volatile double* part = (volatile double*)to;\n",
              "  for (bool done = false; !done;) {\n    if (atomicCAS(lock, 0u, 1u) != 0u) continue;\n",
              "    __threadfence();\n    ", element, " seen, next;\n    seen.re = part[0];\n",
              "    seen.im = part[1];\n    arr_combine::arr_body(seen, ", args,
              "next);\n    part[0] = next.re;\n    part[1] = next.im;\n    __threadfence();\n",
              "    atomicExch(lock, 0u);\n    done = true;\n  }\n");
}

// Reads the element, combines and writes the word where no other thread was faster.
std::string swap(const Program& combine) {
  const DType d = combine.inputs[0];
  const int64_t item = item_size(d);
  std::string args;
  for (size_t k = 1; k < combine.inputs.size(); ++k) args += text("v", k - 1, ", ");
  const char* element = cpp_type(d);
  if (item > 8) return under_lock(element, args);
  if (item >= 4) {
    const char* word = item == 4 ? "unsigned" : "unsigned long long";
    return text("  ", word, "* word = (", word, "*)to;\n  ", word, " seen = *(volatile ", word,
                "*)word;\n  for (;;) {\n    ", element, " next;\n    arr_combine::arr_body(arr_bits<",
                element, ">(seen), ", args, "next);\n    const ", word, " put = arr_bits<", word,
                ">(next);\n    if (put == seen) return;\n    const ", word,
                " was = atomicCAS(word, seen, put);\n    if (was == seen) return;\n    seen = was;\n  }\n");
  }
  const char* part = item == 1 ? "unsigned char" : "unsigned short";
  const char* mask = item == 1 ? "0xffu" : "0xffffu";
  // Any byte but 0 is true.
  const std::string old = d == DType::bool_ ? std::string("(seen >> shift & 0xffu) != 0")
                                            : text("arr_bits<", element, ">((", part, ")(seen >> shift))");
  const std::string bits =
      d == DType::bool_ ? std::string("(next ? 1u : 0u)") : text("(unsigned)arr_bits<", part, ">(next)");
  return text(
      "  unsigned* word = (unsigned*)((unsigned long long)to & ~3ull);\n",
      "  const unsigned shift = (unsigned)((unsigned long long)to & 3) * 8;\n",
      "  unsigned seen = *(volatile unsigned*)word;\n  for (;;) {\n    ", element,
      " next;\n    arr_combine::arr_body(", old, ", ", args, "next);\n    const unsigned put = (seen & ~(",
      mask, " << shift)) | ", bits,
      " << shift;\n    if (put == seen) return;\n    const unsigned was = atomicCAS(word, seen, put);\n",
      "    if (was == seen) return;\n    seen = was;\n  }\n");
}

}  // namespace

Words scatter_words(const ScatterShape& s) {
  Words w;
  w.extent = scatter_target_word + 1;
  w.output = w.extent + 2 * s.dims;
  w.count = w.output + s.dims;
  w.add_operands(s.access, s.dims);
  return w;
}

std::string print_scatter(const Program& map, const Program& combine, const ScatterShape& s) {
  const Words w = scatter_words(s);
  const std::string update = atomic(combine);
  std::string out = print_body(map);
  const bool swaps = update.empty() || flushes(combine);
  if (swaps) out += "namespace arr_combine {\n" + print_body(combine) + "}\n";
  if (update.empty() && item_size(combine.inputs[0]) > 8) out += locks();
  out +=
      text("struct arr_params { unsigned long long w[", w.count, "]; };\n",
           "extern \"C\" __global__ void __launch_bounds__(", block_threads,
           ") arr_kernel(const __grid_constant__ arr_params p) {\n",
           "  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;\n",
           "  if (i >= (long long)p.w[0]) return;\n", print_split("  ", "i", "x", s.dims, w.extent, s.wide));
  std::string args;
  for (size_t k = 0; k < s.access.size(); ++k) {
    const char* type = cpp_type(map.inputs[k]);
    if (s.access[k] == Access::immediate) {
      args += text("arr_word<", type, ">(p.w + ", w.pointer[k], "), ");
    } else {
      args += text("*(const ", type, "*)((const char*)p.w[", w.pointer[k], "] + ",
                   print_offset("x", s.dims, w.stride[k], s.wide), "), ");
    }
  }
  out += "  long long at;\n";
  args += "at";
  for (size_t k = 1; k < map.outputs.size(); ++k) {
    out += text("  ", cpp_type(output_type(map, k)), " v", k - 1, ";\n");
    args += text(", v", k - 1);
  }
  out += text("  arr_body(", args, ");\n  char* to = (char*)p.w[", scatter_target_word, "] + ",
              print_offset("x", s.dims, w.output, s.wide), " + at;\n");
  if (!update.empty()) {
    out += swaps ? text("  if (", large, ") {\n    ", update, ";\n    return;\n  }\n")
                 : text("  ", update, ";\n");
  }
  return out + (swaps ? swap(combine) : std::string()) + "}\n";
}

}  // namespace arr::cuda
