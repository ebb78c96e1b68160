// SPDX-License-Identifier: MIT
// Matrix instructions of warps: calls of shim/ptx_matrices.h with the registers in arrays.
#include <algorithm>
#include <string>

#include "base/error.h"
#include "hostcuda/ptx/writer.h"

namespace arr::host_kernels {
namespace {

// The numbers of a factor: how many are in a register, and the shapes m x n x k that it comes in.
struct Factor {
  std::string_view type;
  int per_register;
  std::string_view shapes;
};
constexpr Factor factors[] = {
    {"f16", 2, "m16n8k8 m16n8k16"},         {"bf16", 2, "m16n8k8 m16n8k16"},
    {"tf32", 1, "m16n8k4 m16n8k8"},         {"f64", 1, "m8n8k4 m16n8k4 m16n8k8 m16n8k16"},
    {"s8", 4, "m8n8k16 m16n8k16 m16n8k32"}, {"u8", 4, "m8n8k16 m16n8k16 m16n8k32"},
};

const Factor* factor_of(std::string_view type, std::string_view shape) {
  for (const Factor& f : factors) {
    if (f.type != type) continue;
    if (text(" ", f.shapes, " ").find(text(" ", shape, " ")) != std::string::npos) return &f;
  }
  return nullptr;
}

}  // namespace

std::string PtxWriter::matrices() {
  r_.syncs = r_.half = true;
  r_.components.insert(ShimComponent::ptx_matrices);
  if (i_.name == "mma") return product();
  if (i_.name == "wmma")
    return i_.has("mma") ? fragment_product() : i_.has("load") || i_.has("store") ? fragment() : "";
  if (!i_.has("sync") || !i_.has("m8n8")) return "";
  if (i_.name == "movmatrix")
    return done(set(0, "unsigned", text("arr_ptx::turned(", value(1, "unsigned"), ")")));
  const bool loads = i_.name == "ldmatrix";
  const auto registers =
      parts(i_.operands.empty() ? "" : i_.operands[std::min<size_t>(loads ? 0 : 1, count() - 1)]);
  const size_t n = registers.size();
  if (count() != 2 || !i_.has("b16") || !i_.has(text("x", n))) return "";
  const std::string how = text("<", n, ", ", i_.has("trans") ? "true" : "false", ">(");
  std::string code;
  if (loads) {
    code = text("unsigned arr_rows[", n, "]; arr_ptx::load_matrices", how, "arr_rows, ", pointer(1, space()),
                "); ");
    for (size_t k = 0; k < n; k++) code += set(registers[k], "unsigned", text("arr_rows[", k, "]"));
  } else {
    code = text(list("arr_rows", "unsigned", registers), "arr_ptx::store_matrices", how, pointer(0, space()),
                ", arr_rows);");
  }
  return done(code);
}

std::string PtxWriter::list(const std::string& name, const std::string& type,
                            const std::vector<std::string>& registers) {
  std::string code = text("const ", type, " ", name, "[] = {");
  for (const std::string& r : registers) code += value(r, type) + ", ";
  return code + "}; ";
}

// D = A B + C. The modifiers end with the types of D, A, B and C.
std::string PtxWriter::product() {
  const auto& m = i_.modifiers;
  if (m.size() < 8 || count() != 4 || !i_.has("row") || !i_.has("col")) return "";
  const std::string &d = m[m.size() - 4], &a = m[m.size() - 3], &b = m[m.size() - 2], &c = m[m.size() - 1];
  const std::string shape = m[2];
  const Factor *left = factor_of(a, shape), *right = factor_of(b, shape);
  if (left == nullptr || right == nullptr || left->per_register != right->per_register) return "";
  if (left->per_register != 4 && a != b) return "";
  const std::string sum = left->per_register == 4 ? "s32" : a == "f64" ? "f64" : "f32";
  const bool half_d = d == "f16" && a == "f16", half_c = c == "f16" && a == "f16";
  if ((d != sum && !half_d) || (c != sum && !half_c)) return "";
  const size_t rows = shape[1] == '8' ? 8 : 16, n = rows / 4;
  const size_t k = std::stoul(shape.substr(shape.find('k') + 1));
  const size_t per = 32 * static_cast<size_t>(left->per_register);
  const auto to = parts(i_.operands[0]), first = parts(i_.operands[1]), second = parts(i_.operands[2]),
             start = parts(i_.operands[3]);
  if (to.size() != (half_d ? n / 2 : n) || start.size() != (half_c ? n / 2 : n) ||
      first.size() != rows * k / per || second.size() != 8 * k / per)
    return "";
  r_.half = true;
  const std::string word = a == "f64" ? "double" : "unsigned", whole = ptx_type(sum);
  std::string code =
      text(list("arr_left", word, first), list("arr_right", word, second),
           list("arr_start", half_c ? "unsigned" : whole, start), half_d ? "unsigned" : whole, " arr_sums[",
           to.size(), "]; arr_ptx::mma<", rows, ", ", k, ", arr_ptx::", a, ", arr_ptx::", b, ", ",
           i_.has("satfinite") ? "true" : "false", ">(arr_sums, arr_left, arr_right, arr_start); ");
  for (size_t i = 0; i < to.size(); i++)
    code += set(to[i], half_d ? "unsigned" : whole, text("arr_sums[", i, "]"));
  return done(code);
}

}  // namespace arr::host_kernels
