// SPDX-License-Identifier: MIT
#include "host/kernels/source/ptx_operands.h"

#include <algorithm>
#include <cctype>

#include "host/kernels/source/ptx_tables.h"

namespace arr::host_kernels {

std::string ptx_type(std::string_view type) {
  for (const auto& row : ptx_types)
    if (row[0] == type) return std::string(row[1]);
  return "";
}

std::string PtxOperands::value(size_t at, const std::string& type) {
  if (at >= count()) return bad();
  return value(i_.operands[at], type);
}

std::string PtxOperands::value(const std::string& o, const std::string& type) {
  if (const std::string v = r_.find(o); !v.empty()) return "arr_ptx::as<" + type + ">(" + v + ")";
  if (o[0] == '!') {
    const std::string v = r_.find(o.substr(1));
    return v.empty() ? bad() : "!" + v;
  }
  if (o[0] == '%') {
    const std::string name = o.substr(o.compare(0, 2, "%%") == 0 ? 2 : 1);
    for (const PtxSpecial& s : ptx_specials)
      if (s.name == name) return "arr_ptx::as<" + type + ">(" + std::string(s.code) + ")";
    return bad();
  }
  if (o == "WARP_SZ") return type + "(32)";
  return number(o, type);
}

std::string PtxOperands::number(const std::string& o, const std::string& type) {
  const bool hex = o.size() > 2 && o[0] == '0' && (o[1] == 'f' || o[1] == 'F' || o[1] == 'd' || o[1] == 'D');
  if (hex) {
    const bool single = o[1] == 'f' || o[1] == 'F';
    return "arr_ptx::as<" + type + ">(arr_ptx::as<" + (single ? "float" : "double") + ">(0x" + o.substr(2) +
           (single ? "u" : "ull") + "))";
  }
  const bool digits = std::isdigit(static_cast<unsigned char>(o[o[0] == '-' ? 1 : 0])) != 0 &&
                      o.find_first_not_of("0123456789abcdefABCDEFxXuU.+-") == std::string::npos;
  return digits ? "static_cast<" + type + ">(" + o + ")" : bad();
}

std::string PtxOperands::set(size_t at, const std::string& code) {
  if (at >= count()) return bad();
  return set(i_.operands[at], code);
}

std::string PtxOperands::set(const std::string& o, const std::string& code) {
  if (o == "_") return "(void)(" + code + ");";
  const std::string v = r_.find(o);
  return v.empty() ? bad() : "arr_ptx::set(" + v + ", " + code + ");";
}

std::vector<std::string> PtxOperands::parts(const std::string& o) {
  if (o.empty() || o[0] != '{') return {o};
  std::vector<std::string> out(1);
  for (const char c : o.substr(1, o.size() - 2)) {
    if (c == ',')
      out.emplace_back();
    else if (std::isspace(static_cast<unsigned char>(c)) == 0)
      out.back() += c;
  }
  return out;
}

std::string PtxOperands::pointer(size_t at) {
  if (at >= count() || i_.operands[at].size() < 3 || i_.operands[at][0] != '[') return bad();
  std::string inside = i_.operands[at].substr(1, i_.operands[at].size() - 2), offset = "0";
  if (const size_t plus = inside.find_first_of("+-", 1); plus != std::string::npos) {
    offset = inside.substr(inside[plus] == '+' ? plus + 1 : plus);
    offset.erase(std::remove(offset.begin(), offset.end(), ' '), offset.end());
    inside.erase(plus);
  }
  inside.erase(std::remove(inside.begin(), inside.end(), ' '), inside.end());
  const std::string base = value(inside, "unsigned long long");
  // The constant of an "n" operand may be the offset.
  const std::string more = r_.find(offset).empty() ? number(offset, "long long") : value(offset, "long long");
  const std::string sum = base + " + (unsigned long long)(" + more + ")";
  const bool shared = i_.has("shared") || i_.has("shared::cta");
  return shared ? "__cvta_shared_to_generic(unsigned(" + sum + "))" : "(void*)(" + sum + ")";
}

}  // namespace arr::host_kernels
