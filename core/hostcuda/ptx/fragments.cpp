// SPDX-License-Identifier: MIT
// Loads, products and stores of the fragments of matrices that a warp holds: calls of shim/ptx_matrices.h.
// The indices of the elements in fragments are not specified. PTX ISA: "Warp Level Matrix Multiply-Accumulate
// Instructions", "Matrix multiply-accumulate operation using wmma instructions".
#include <algorithm>
#include <charconv>
#include <string>

#include "base/error.h"
#include "hostcuda/ptx/writer.h"

namespace arr::host_kernels {
namespace {

// A type of numbers: the register's and the memory's type, how many are in a register.
struct Number {
  std::string_view name, word, memory;
  size_t per_register;
};
constexpr Number numbers[] = {
    {"f16", "unsigned", "unsigned short", 2}, {"bf16", "unsigned", "unsigned short", 2},
    {"tf32", "unsigned", "unsigned", 1},      {"s8", "unsigned", "unsigned char", 4},
    {"u8", "unsigned", "unsigned char", 4},   {"f32", "float", "float", 1},
    {"s32", "unsigned", "unsigned", 1},       {"f64", "double", "double", 1}};
const Number* number_of(std::string_view name) {
  for (const Number& n : numbers)
    if (n.name == name) return &n;
  return nullptr;
}

struct Shape {
  size_t m = 0, n = 0, k = 0;
};
// Factors of a type have these.
Shape shape_of(std::string_view shape, std::string_view type) {
  if (type == "tf32") return shape == "m16n16k8" ? Shape{16, 16, 8} : Shape{};
  if (type == "f64") return shape == "m8n8k4" ? Shape{8, 8, 4} : Shape{};
  if (shape == "m16n16k16") return {16, 16, 16};
  return shape == "m32n8k16" ? Shape{32, 8, 16} : shape == "m8n32k16" ? Shape{8, 32, 16} : Shape{};
}

// m16n16k16 of the modifiers; empty where there is none.
std::string shape_among(const std::vector<std::string>& modifiers) {
  const auto at = std::find_if(modifiers.begin(), modifiers.end(), [](const std::string& m) {
    return m[0] == 'm' && m.find('k') != std::string::npos;
  });
  return at == modifiers.end() ? "" : *at;
}

// Registers of a fragment. Factors of f16 take 8 in each shape, where numbers stand several times.
bool fits_in(size_t registers, size_t elements, const Number& t, bool factor) {
  return registers == elements / 32 / t.per_register || (factor && t.name == "f16" && registers == 8);
}

}  // namespace

// wmma.load.a.sync.aligned.row.m16n16k16.global.f16 registers, [address], stride
std::string PtxWriter::fragment() {
  const auto& m = i_.modifiers;
  if (m.size() < 6 || !i_.has("sync") || i_.has("row") == i_.has("col")) return "";
  const bool loads = m[0] == "load";
  const std::string use = m[1];
  const Number* t = number_of(m.back());
  if (t == nullptr || (use != "a" && use != "b" && use != (loads ? "c" : "d"))) return "";
  const bool factor = use == "a" || use == "b";
  const bool sums = t->name == "f32" || t->name == "s32", both = t->name == "f16" || t->name == "f64";
  if (!both && factor == sums) return "";
  const std::string shape = shape_among(m);
  const Shape s = t->name == "f32" && shape == "m16n16k8" ? Shape{16, 16, 8} : shape_of(shape, t->name);
  if (s.m == 0) return "";
  const size_t rows = use == "b" ? s.k : s.m, columns = use == "a" ? s.k : s.n;
  if (count() != 2 && count() != 3) return bad("too few operands"), "";
  const auto registers = parts(i_.operands[loads ? 0 : 1]);
  if (!fits_in(registers.size(), rows * columns, *t, factor))
    return bad("of another number of registers"), "";
  const std::string stride = count() == 3 ? value(2, "unsigned") : text(i_.has("row") ? columns : rows, "u");
  const std::string how =
      text("_fragment<", rows, ", ", columns, ", ", i_.has("col") ? "true" : "false", ">(");
  const std::string word(t->word);
  const std::string where =
      text("(", loads ? "const " : "", t->memory, "*)", pointer(loads ? 1 : 0, space()), ", ", stride, "); ");
  if (!loads)
    return done(text(list("arr_numbers", word, registers), "arr_ptx::store", how, "arr_numbers, ", where));
  std::string code = text(word, " arr_numbers[", registers.size(), "]; arr_ptx::load", how, "arr_numbers, ",
                          registers.size(), "u, ", where);
  for (size_t k = 0; k < registers.size(); k++) code += set(registers[k], word, text("arr_numbers[", k, "]"));
  return done(code);
}

// wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 d, a, b, c: of f16 the types of D and C, of others those of
// D, A, B and C.
std::string PtxWriter::fragment_product() {
  std::vector<std::string> types;
  const std::string shape = shape_among(i_.modifiers);
  for (const std::string& m : i_.modifiers)
    if (number_of(m) != nullptr) types.push_back(m);
  if (types.size() == 2) types.insert(types.begin() + 1, {"f16", "f16"});
  if (types.size() != 4 || count() != 4 || !i_.has("sync")) return "";
  const Number *d = number_of(types[0]), *a = number_of(types[1]), *b = number_of(types[2]),
               *c = number_of(types[3]);
  const Shape s = shape_of(shape, a->name);
  const bool whole = a->per_register == 4;
  const std::string sum = whole ? "s32" : a->name == "f64" ? "f64" : "f32";
  const auto is_sum = [&](const Number* t) {
    return t->name == sum || (t->name == "f16" && a->name == "f16");
  };
  if (s.m == 0 || a->name == "f32" || a->name == "s32" || !is_sum(d) || !is_sum(c)) return "";
  if (whole ? b->per_register != 4 : a != b) return "";
  const auto to = parts(i_.operands[0]), left = parts(i_.operands[1]), right = parts(i_.operands[2]),
             start = parts(i_.operands[3]);
  if (!fits_in(to.size(), s.m * s.n, *d, false) || !fits_in(left.size(), s.m * s.k, *a, true) ||
      !fits_in(right.size(), s.k * s.n, *b, true) || !fits_in(start.size(), s.m * s.n, *c, false))
    return bad("of another number of registers"), "";
  const auto word = [&](const Number* t) {
    return t->name == "s32" ? std::string("int") : std::string(t->word);
  };
  std::string code = text(list("arr_left", word(a), left), list("arr_right", word(b), right),
                          list("arr_start", word(c), start), word(d), " arr_sums[", to.size(),
                          "]; arr_ptx::fragment_product<", s.m, ", ", s.n, ", ", s.k, ", arr_ptx::", a->name,
                          ", arr_ptx::", b->name, ", ", i_.has("satfinite") ? "true" : "false",
                          ">(arr_sums, arr_left, arr_right, arr_start); ");
  for (size_t k = 0; k < to.size(); k++) code += set(to[k], word(d), text("arr_sums[", k, "]"));
  return done(code);
}

}  // namespace arr::host_kernels
