// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

#include "host/kernels/source/keywords.h"
#include "host/kernels/source/ptx_operands.h"
#include "host/kernels/source/ptx_tables.h"

namespace arr::host_kernels {
namespace {

std::string wide(const std::string& type) {
  if (type == "unsigned") return "unsigned long long";
  if (type == "int") return "long long";
  if (type == "unsigned short") return "unsigned";
  return type == "short" ? "int" : "";
}

std::string underlined(std::string_view name) {
  std::string s(name);
  std::replace(s.begin(), s.end(), '.', '_');
  return s;
}

class Writer : private PtxOperands {
 public:
  Writer(const PtxInstruction& i, PtxRegisters& r) : PtxOperands(i, r) {
    for (const std::string& m : i.modifiers) {
      const bool type = !ptx_type(m).empty();
      if (type) types_.push_back(m);
      const bool ignored = std::find(std::begin(ptx_idle), std::end(ptx_idle), m) != std::end(ptx_idle) ||
                           starts_with(m, "L1::") || starts_with(m, "L2::");
      if (!type && !ignored) key_ += "." + m;
    }
    key_ = i.name + key_;
    if (!types_.empty()) type_ = ptx_type(types_.back());
  }

  std::string run() {
    const std::string& n = i_.name;
    if (std::find(std::begin(ptx_nothing), std::end(ptx_nothing), n) != std::end(ptx_nothing)) return ";";
    if (n == "membar" || n == "fence") return "__threadfence();";
    if (n == "trap") return "__trap();";
    if (n == "nanosleep") return syncs("__nanosleep(" + value(0, "unsigned") + ");");
    if (n == "mov") return mov();
    if (n == "ld" || n == "ldu") return load();
    if (n == "st") return store();
    if (n == "cvt") return convert();
    if (n == "mma" || n == "ldmatrix" || n == "stmatrix" || n == "movmatrix") return ptx_matrices(i_, r_);
    // Registers of these types hold bits, with which the functions below would compute as with integers.
    if (!types_.empty() && types_.back().find("f16") != std::string::npos) return "";
    if (n == "atom" || n == "red") return atomic(n == "atom");
    if (n == "cvta") return address();
    if (n == "setp") return compare();
    if (n == "cp") return copy();
    if (n == "bar" || n == "barrier") return barrier();
    if (n == "shfl" || n == "vote" || n == "match" || n == "activemask" || n == "redux") return warp();
    if (n == "dp4a" || n == "dp2a") return dot();
    if (i_.has("cc") || n == "addc" || n == "subc" || n == "madc") return carry();
    return function();
  }

 private:
  std::string syncs(std::string code) {
    r_.syncs = true;
    return code;
  }

  std::string function() {
    for (const PtxFunction& f : ptx_functions) {
      if (f.name != key_) continue;
      const bool typed = f.kinds.find_first_of("TW") != std::string_view::npos;
      if (count() + 0 != f.kinds.size() || (typed && type_.empty())) return "";
      std::string code = "arr_ptx::" + underlined(f.name);
      if (code == "arr_ptx::and" || code == "arr_ptx::or" || code == "arr_ptx::xor" || code == "arr_ptx::not")
        code += "_";
      if (typed) code += "<" + type_ + ">";
      code += "(";
      for (size_t k = 1; k < f.kinds.size(); k++) code += (k > 1 ? ", " : "") + value(k, kind(f.kinds[k]));
      return done(set(0, code + ")"));
    }
    return "";
  }
  [[nodiscard]] std::string kind(char c) const {
    return c == 'T' ? type_ : c == 'W' ? wide(type_) : c == 'P' ? "bool" : c == 'I' ? "int" : "unsigned";
  }

  std::string mov() {
    if (count() != 2 || type_.empty()) return "";
    const std::string &to = i_.operands[0], &from = i_.operands[1];
    if (from[0] == '{') {
      const auto p = parts(from);
      std::string code;
      for (const std::string& o : p) code += ", " + value(o, part_type(p.size()));
      return done(set(0, "arr_ptx::pack<" + type_ + ">(" + code.substr(2) + ")"));
    }
    if (to[0] != '{') return done(set(0, value(1, type_)));
    const auto p = parts(to);
    std::string code = "const " + type_ + " arr_whole = " + value(1, type_) + "; ";
    for (size_t k = 0; k < p.size(); k++)
      code += set(p[k], "arr_ptx::unpack<" + part_type(p.size()) + ">(arr_whole, " + std::to_string(k) + ")");
    return done(code);
  }
  std::string part_type(size_t n) {
    const std::string& t = types_.back();
    const int bits = t == "b64" ? 64 : t == "b32" ? 32 : t == "b16" ? 16 : 0;
    const int each = bits / static_cast<int>(n);
    return each == 32 ? "unsigned" : each == 16 ? "unsigned short" : each == 8 ? "unsigned char" : bad();
  }

  // The order of an access to memory: plain, or atomic and ordered.
  [[nodiscard]] std::string order() const {
    if (i_.has("acquire")) return "__ATOMIC_ACQUIRE";
    if (i_.has("release")) return "__ATOMIC_RELEASE";
    return i_.has("volatile") || i_.has("relaxed") ? "__ATOMIC_RELAXED" : "";
  }
  std::string load() {
    if (count() < 2 || type_.empty()) return "";
    const std::string& to = i_.operands[0];
    const auto p = to[0] == '{' ? parts(to) : std::vector<std::string>{to};
    std::string code = "const auto* arr_from = (const " + type_ + "*)" + pointer(1) + "; ";
    std::string after;  // a register may be the address and a result
    for (size_t k = 0; k < p.size(); k++) {
      const std::string name = "arr_value_" + std::to_string(k);
      const std::string how = order();
      code += "const " + type_ + " " + name + " = arr_ptx::load(arr_from + " + std::to_string(k) +
              (how.empty() ? "" : ", " + how) + "); ";
      after += set(p[k], name);
    }
    return done(code + after);
  }
  std::string store() {
    if (count() < 2 || type_.empty()) return "";
    const std::string& from = i_.operands[1];
    const auto p = from[0] == '{' ? parts(from) : std::vector<std::string>{from};
    std::string code = "auto* arr_to = (" + type_ + "*)" + pointer(0) + "; ";
    for (size_t k = 0; k < p.size(); k++) {
      const std::string how = order();
      code += "arr_ptx::store(arr_to + " + std::to_string(k) + ", " + value(p[k], type_) +
              (how.empty() ? "" : ", " + how) + "); ";
    }
    return done(code);
  }

  std::string atomic(bool result) {
    constexpr std::string_view names[][2] = {{"add", "Add"}, {"min", "Min"},   {"max", "Max"}, {"inc", "Inc"},
                                             {"dec", "Dec"}, {"exch", "Exch"}, {"cas", "CAS"}, {"and", "And"},
                                             {"or", "Or"},   {"xor", "Xor"}};
    const std::string op = key_.substr(std::min(i_.name.size() + 1, key_.size()));
    for (const auto& row : names) {
      if (row[0] != op || type_.empty()) continue;
      const size_t first = result ? 1 : 0;
      std::string code = "atomic" + std::string(row[1]) + "((" + type_ + "*)" + pointer(first);
      for (size_t k = first + 1; k < count(); k++) code += ", " + value(k, type_);
      code += ")";
      const bool ordered = i_.has("acquire") || i_.has("release") || i_.has("acq_rel");
      const std::string fence = ordered ? "__threadfence(); " : "";
      return done(fence + (result ? set(0, code) : code + ";") + fence);
    }
    return "";
  }

  std::string convert() {
    if (types_.size() != 2 || count() < 2) return "";
    const std::string to = types_[0], from = types_[1];
    const auto narrow = [&](size_t at, bool brain) {
      r_.half = true;
      return std::string(brain ? "arr_bfloat_narrow(" : "arr_half_narrow(") + value(at, "float") + ")";
    };
    if ((to == "f16x2" || to == "bf16x2") && from == "f32" && count() == 3 && key_ == "cvt.rn")
      return done(set(
          0, "unsigned(" + narrow(2, to[0] == 'b') + ") | unsigned(" + narrow(1, to[0] == 'b') + ") << 16"));
    if ((to == "f16" || to == "bf16") && from == "f32" && key_ == "cvt.rn")
      return done(set(0, narrow(1, to[0] == 'b')));
    if ((from == "f16" || from == "bf16") && to == "f32") {
      r_.half = true;
      return done(set(0, std::string(from[0] == 'b' ? "arr_bfloat_widen(" : "arr_half_widen(") +
                             value(1, "unsigned short") + ")"));
    }
    if (to.find("16x2") != std::string::npos || to.find("f16") != std::string::npos ||
        from.find("f16") != std::string::npos)
      return "";
    std::string mode = "0";
    for (const std::string& m : i_.modifiers) {
      if (m == "rni") mode = "'n'";
      if (m == "rzi") mode = "'z'";
      if (m == "rmi") mode = "'m'";
      if (m == "rpi") mode = "'p'";
      if (m == "rz" || m == "rm" || m == "rp" || m == "rna") return "";
    }
    return done(set(0, "arr_ptx::cvt<" + ptx_type(to) + ", " + mode + ", " +
                           (i_.has("sat") ? "true" : "false") + ">(" + value(1, ptx_type(from)) + ")"));
  }

  // cvta.to.shared.u64: from a generic address; cvta.shared.u64: to one.
  std::string address() {
    const std::string a = value(1, "unsigned long long");
    if (!i_.has("shared")) return done(set(0, a));
    if (i_.has("to"))
      return done(set(0, "(unsigned long long)__cvta_generic_to_shared((const void*)" + a + ")"));
    return done(set(0, "(unsigned long long)__cvta_shared_to_generic(" + a + ")"));
  }

  std::string compare() {
    if (count() != 3 || type_.empty() || key_.size() < 6 || key_.find('.', 5) != std::string::npos) return "";
    if (i_.operands[0].find('|') != std::string::npos) return "";
    return done(set(0, "arr_ptx::setp_" + key_.substr(5) + "<" + type_ + ">(" + value(1, type_) + ", " +
                           value(2, type_) + ")"));
  }

  std::string copy() {
    if (i_.modifiers.empty() || i_.modifiers[0] != "async" || i_.has("bulk")) return "";
    if (i_.has("commit_group") || i_.has("wait_group") || i_.has("wait_all")) return ";";
    if (count() < 3 || !i_.has("global")) return "";
    const std::string to = pointer(0), size = value(2, "unsigned");
    std::string from = i_.operands[1];
    from = from.size() < 3 ? bad() : value(from.substr(1, from.size() - 2), "unsigned long long");
    return done("arr_ptx::copy(" + to + ", (const void*)" + from + ", " + size + ", " +
                (count() > 3 ? value(3, "unsigned") : size) + ");");
  }

  std::string barrier() {
    if (i_.has("warp")) return done(syncs("__syncwarp(" + value(0, "unsigned") + ");"));
    if (count() != 1 || i_.operands[0] != "0" || i_.has("arrive") || i_.has("red") || i_.has("cluster"))
      return "";
    return syncs("__syncthreads();");
  }

  std::string warp() {
    r_.syncs = true;
    if (i_.name == "activemask") return done(set(0, "__activemask()"));
    if (i_.name == "vote") {
      const std::string mask = value(2, "unsigned"), p = value(1, "bool");
      for (const char* kind : {"ballot", "any", "all", "uni"})
        if (i_.has(kind))
          return done(set(0, std::string("__") + kind + "_sync(" + mask + ", " + p + ")" +
                                 (i_.has("ballot") ? "" : " != 0")));
      return "";
    }
    if (i_.name == "match" && i_.has("any"))
      return done(set(0, "__match_any_sync(" + value(2, "unsigned") + ", " + value(1, type_) + ")"));
    if (i_.name == "redux")
      for (const char* op : {"add", "min", "max", "and", "or", "xor"})
        if (i_.has(op))
          return done(set(0, std::string("__reduce_") + op + "_sync(" + value(2, "unsigned") + ", " +
                                 value(1, type_) + ")"));
    if (i_.name != "shfl" || count() != 5) return "";
    std::string to = i_.operands[0], predicate = "_";
    if (const size_t bar = to.find('|'); bar != std::string::npos)
      predicate = to.substr(bar + 1), to.erase(bar);
    for (const char* kind : {"up", "down", "bfly", "idx"})
      if (i_.has(kind))
        return done("bool arr_inside = false; " +
                    set(to, std::string("arr_ptx::shfl_") + kind + "(" + value(1, "unsigned") + ", " +
                                value(2, "unsigned") + ", " + value(3, "unsigned") + ", " +
                                value(4, "unsigned") + ", arr_inside)") +
                    set(predicate, "arr_inside"));
    return "";
  }

  std::string dot() {
    if (types_.size() != 2 || count() != 4 || types_[0] != types_[1]) return "";
    const std::string part = i_.name == "dp4a" ? "" : i_.has("lo") ? "_lo" : "_hi";
    return done(set(0, "__" + i_.name + part + "(" + value(1, type_) + ", " + value(2, type_) + ", " +
                           value(3, type_) + ")"));
  }

  // Sums over several words. The carry lives as long as the asm statement.
  std::string carry() {
    const bool takes = i_.name.back() == 'c';
    if ((takes && !r_.carries) || type_.empty()) return "";
    const std::string base = takes ? i_.name.substr(0, i_.name.size() - 1) : i_.name;
    r_.carries = r_.carries || i_.has("cc");
    const std::string in = takes ? "arr_carry" : "0", out = i_.has("cc") ? "arr_carry" : "arr_lost";
    const std::string typed = "<" + type_ + ">(";
    if (base == "add" || base == "sub")
      return done(set(0, "arr_ptx::" + base + "_carry" + typed + value(1, type_) + ", " + value(2, type_) +
                             ", " + in + ", " + out + ")"));
    const std::string part = i_.has("lo") ? "lo" : i_.has("hi") ? "hi" : "";
    if (base != "mad" || part.empty()) return "";
    return done(set(0, "arr_ptx::add_carry" + typed + "arr_ptx::mul_" + part + typed + value(1, type_) +
                           ", " + value(2, type_) + "), " + value(3, type_) + ", " + in + ", " + out + ")"));
  }

  std::vector<std::string> types_;
  std::string type_, key_;
};

}  // namespace

std::string ptx_instruction(const PtxInstruction& instruction, PtxRegisters& registers) {
  return Writer(instruction, registers).run();
}

}  // namespace arr::host_kernels
