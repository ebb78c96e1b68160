// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

#include "base/error.h"
#include "hostcuda/ptx/writer.h"
#include "hostcuda/source/keywords.h"

namespace arr::host_kernels {
namespace {

std::string wide(const std::string& type) {
  if (type == "unsigned") return "unsigned long long";
  if (type == "int") return "long long";
  if (type == "unsigned short") return "unsigned";
  return type == "short" ? "int" : "";
}

std::string replaced(std::string s, char from, char to) {
  std::replace(s.begin(), s.end(), from, to);
  return s;
}

int bits_of(const std::string& code) {
  for (const PtxType& t : ptx_types)
    if (t.code == code) return t.bits;
  return 0;
}

bool all_of(std::string_view s, std::string_view allowed) {
  return !s.empty() && s.find_first_not_of(allowed) == std::string_view::npos;
}
constexpr std::string_view decimal = "0123456789", hexadecimal = "0123456789abcdefABCDEF";

bool is_float(std::string_view code) { return code == "float" || code == "double"; }

}  // namespace

bool PtxInstruction::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string PtxInstruction::spelled() const {
  std::string all = name;
  for (const std::string& m : modifiers) all += "." + m;
  constexpr size_t longest = 80;
  return all.substr(0, longest);
}

bool PtxInstruction::polls() const {
  return name == "ld" && (has("volatile") || has("relaxed") || has("acquire") || has("mmio"));
}

const PtxSymbol* PtxNames::symbol(const std::string&) { return nullptr; }
std::string PtxNames::from_generic(const std::string& address) const { return "(void*)(" + address + ")"; }
std::string PtxNames::from_shared(const std::string& number) const {
  return "__cvta_shared_to_generic(unsigned(" + number + "))";
}
std::string PtxNames::to_shared(const std::string& address) const {
  return "(unsigned long long)__cvta_generic_to_shared((const void*)" + address + ")";
}

const PtxType* find_ptx_type(std::string_view name) { return find_ptx_row(ptx_types, name); }

PtxWriter::PtxWriter(const PtxInstruction& i, PtxNames& names) : i_(i), r_(names), key_(i.name) {
  for (const std::string& m : i.modifiers)
    if (const PtxType* type = find_ptx_type(m)) types_.push_back(type);
  const bool number = std::string_view("fdh").find(group()) != std::string_view::npos;
  for (const std::string& m : i.modifiers) {
    if (m == "ftz") {
      ftz_ = true;
    } else if (m == "sat" && (number || i.name == "cvt")) {
      sat_ = true;
    } else if (one_of(m, {"approx", "full"})) {
      approx_ = true;
    } else if (one_of(m, {"rn", "rz", "rm", "rp"})) {
      round_ = m;
    } else if (find_ptx_type(m) == nullptr) {
      key_ += "." + m;
    }
  }
  if (types_.empty()) return;
  type_ = types_.back()->code;
  for (const PtxType* t : types_) r_.half = r_.half || t->group == 'h';
}

// Instructions by their names, with their sections of the document. Rows of ptx_functions have the others.
const PtxWriter::Family* PtxWriter::find_family(std::string_view name) {
  using W = PtxWriter;
  static constexpr Family families[] = {{"membar", ptx_communication, &W::fence},
                                        {"fence", ptx_communication, &W::fence},
                                        {"trap", ptx_miscellaneous, &W::trap},
                                        {"nanosleep", ptx_miscellaneous, &W::sleep},
                                        {"mov", ptx_movement, &W::mov},
                                        {"ld", ptx_movement, &W::load},
                                        {"ldu", ptx_movement, &W::load},
                                        {"st", ptx_movement, &W::store},
                                        {"cvt", ptx_movement, &W::convert},
                                        {"mma", ptx_matrices, &W::matrices},
                                        {"ldmatrix", ptx_matrices, &W::matrices},
                                        {"stmatrix", ptx_matrices, &W::matrices},
                                        {"movmatrix", ptx_matrices, &W::matrices},
                                        {"wmma", ptx_matrices, &W::matrices},
                                        {"tex", ptx_textures, &W::sample},
                                        {"tld4", ptx_textures, &W::gather},
                                        {"txq", ptx_textures, &W::query},
                                        {"suld", ptx_surfaces, &W::surface},
                                        {"sust", ptx_surfaces, &W::surface},
                                        {"sured", ptx_surfaces, &W::reduce_surface},
                                        {"suq", ptx_surfaces, &W::query},
                                        {"atom", ptx_communication, &W::atomic},
                                        {"red", ptx_communication, &W::atomic},
                                        {"cvta", ptx_movement, &W::address},
                                        {"isspacep", ptx_movement, &W::is_space},
                                        {"setp", ptx_selection, &W::compare},
                                        {"set", ptx_selection, &W::set_by_comparison},
                                        {"slct", ptx_selection, &W::select},
                                        {"cp", ptx_movement, &W::copy},
                                        {"bar", ptx_communication, &W::barrier},
                                        {"barrier", ptx_communication, &W::barrier},
                                        {"mbarrier", ptx_communication, &W::arrival_barrier},
                                        {"alloca", ptx_stack, &W::stack},
                                        {"stacksave", ptx_stack, &W::stack},
                                        {"stackrestore", ptx_stack, &W::stack},
                                        {"shfl", ptx_movement, &W::warp},
                                        {"vote", ptx_communication, &W::warp},
                                        {"match", ptx_communication, &W::warp},
                                        {"activemask", ptx_communication, &W::warp},
                                        {"redux", ptx_communication, &W::warp},
                                        {"elect", ptx_communication, &W::warp},
                                        {"dp4a", ptx_integers, &W::dot},
                                        {"dp2a", ptx_integers, &W::dot},
                                        {"mapa", ptx_movement, &W::rank_in_cluster},
                                        {"getctarank", ptx_movement, &W::rank_in_cluster},
                                        {"addc", ptx_extended, &W::carry},
                                        {"subc", ptx_extended, &W::carry},
                                        {"madc", ptx_extended, &W::carry}};
  static_assert(cites_sections(families));
  return find_ptx_row(families, name);
}

std::string PtxWriter::fence() { return "__threadfence();"; }
std::string PtxWriter::trap() { return "__trap();"; }
std::string PtxWriter::sleep() { return done(syncs("__nanosleep(" + value(0, "unsigned") + ");")); }

std::string PtxWriter::run() {
  const std::string& n = i_.name;
  if (find_ptx_row(ptx_nothing, n) != nullptr) return ";";
  // In an asm statement these registers hold bits, and headers of CUDA compute with them.
  const bool with_halves =
      one_of(n, {"mov", "ld", "ldu", "st", "cvt", "mma", "ldmatrix", "stmatrix", "movmatrix", "wmma", "tex",
                 "tld4", "suld", "sust", "sured", "txq", "suq"});
  if (group() == 'h' && !r_.checked() && !with_halves) return "";
  if (const Family* family = find_family(n)) return (this->*family->write)();
  if (n[0] == 'v') return video();
  return i_.has("cc") ? carry() : function();
}

std::string PtxWriter::syncs(std::string code) {
  r_.syncs = true;
  return code;
}

std::string PtxWriter::bad(std::string why) {
  bad_ = true;
  if (r_.why.empty()) r_.why = std::move(why);
  return "0";
}

bool PtxWriter::fits(const std::string& o, const std::string& type, Fit fit) {
  const int have = r_.bits(o), want = bits_of(type);
  if (have == 0 || have == want || (fit == Fit::wider && have > want && want != 1 && have != 1)) return true;
  const auto words = [](int bits) { return bits == 1 ? "a predicate" : std::to_string(bits) + " bits"; };
  bad("'" + o + "' is " + words(have) + ", the instruction takes " + words(want));
  return false;
}

std::string PtxWriter::value(size_t at, const std::string& type, Fit fit) {
  if (at >= count()) return bad("too few operands");
  return value(i_.operands[at], type, fit);
}

std::string PtxWriter::value(const std::string& o, const std::string& type, Fit fit) {
  if (o.empty()) return bad("an operand is missing");
  if (const std::string v = r_.find(o); !v.empty())
    return fits(o, type, fit) ? "arr_ptx::as<" + type + ">(" + v + ")" : bad();
  if (o[0] == '!') {
    const std::string name = o.substr(1), v = r_.find(name);
    if (v.empty()) return bad("'" + name + "' is not declared");
    return fits(name, "bool", fit) ? "!" + v : bad();
  }
  if (o == "WARP_SZ") return type + "(32)";
  if (o[0] == '%') {
    if (std::string code = special(o, type); !code.empty()) return code;
    for (const std::string_view name : ptx_absent)
      if (starts_with(std::string_view(o).substr(1), name)) r_.absent = o;
    if (!r_.absent.empty() || o.find('.') != std::string::npos) return bad();
  }
  if (std::isdigit(static_cast<unsigned char>(o[o[0] == '-' && o.size() > 1 ? 1 : 0])) != 0 || o[0] == '-')
    return number(o, type);
  return address_of(o, type);
}

// Empty where there is none of that name.
std::string PtxWriter::special(const std::string& o, const std::string& type) {
  const std::string name = o.substr(o.compare(0, 2, "%%") == 0 ? 2 : 1);
  for (const PtxSpecial& s : ptx_specials)
    if (s.name == name && (r_.checked() || !starts_with(name, "reserved_smem"))) {
      // The memory of the blocks of a cooperative launch: the high and the low half of its address.
      if (starts_with(name, "envreg")) r_.components.insert(ShimComponent::ptx_barriers);
      return "arr_ptx::as<" + type + ">(" + std::string(s.code) + ")";
    }
  return "";
}

// A variable, or one with a number behind it: x+8.
std::string PtxWriter::address_of(const std::string& o, const std::string& type) {
  const size_t plus = o.find_first_of("+-");
  const std::string name = o.substr(0, plus);
  const PtxSymbol* s = r_.symbol(name);
  if (s == nullptr) return bad(r_.checked() ? "'" + name + "' is not declared" : "");
  if (bits_of(type) < 32 || is_float(type)) return bad("an address is 32 or 64 bits");
  std::string code = "(unsigned long long)(" + s->pointer + ")";
  if (plus != std::string::npos)
    code += " + (unsigned long long)(" + number(o.substr(plus + (o[plus] == '+' ? 1 : 0)), "long long") + ")";
  return "arr_ptx::as<" + type + ">(" + code + ")";
}

std::string PtxWriter::number(const std::string& o, const std::string& type) {
  const bool negative = o[0] == '-';
  std::string_view s = o;
  s.remove_prefix(negative ? 1 : 0);
  const auto prefix = [&](char lower) { return s.size() > 2 && s[0] == '0' && (s[1] | 32) == lower; };
  const bool single = prefix('f') && s.size() == 10, two = prefix('d') && s.size() == 18;
  if ((single || two) && all_of(s.substr(2), hexadecimal)) {
    if (r_.checked() && !is_float(type) && bits_of(type) != (single ? 32 : 64))
      return bad("a literal of " + o);
    const std::string code = "arr_ptx::as<" + std::string(single ? "float" : "double") + ">(0x" +
                             std::string(s.substr(2)) + (single ? "u" : "ull") + ")";
    return "arr_ptx::as<" + type + ">(" + (negative ? "-" : "") + code + ")";
  }
  std::string_view whole = s;
  if (!whole.empty() && (whole.back() | 32) == 'u') whole.remove_suffix(1);
  const bool integer =
      (prefix('x') && all_of(whole.substr(2), hexadecimal) && whole.size() <= 18) ||
      (prefix('b') && all_of(whole.substr(2), "01") && whole.size() <= 66) ||
      (all_of(whole, decimal) && whole.size() <= 19 && (whole[0] != '0' || all_of(whole, "01234567"))) ||
      (all_of(whole, decimal) && whole.size() == 20 && whole <= "18446744073709551615");
  if (integer) {
    if (r_.checked() && is_float(type)) return bad("'" + o + "' is a whole number, expected 0f... or 0d...");
    if (type == "arr_ptx::half" || type == "arr_ptx::bfloat" || bits_of(type) == 0) return bad();
    return "static_cast<" + type + ">(" + (negative ? "-" : "") + std::string(whole) +
           (is_float(type) ? ")" : "ull)");
  }
  const size_t point = s.find('.');
  const std::string_view before = s.substr(0, point),
                         rest = point == std::string_view::npos ? "" : s.substr(point + 1);
  const size_t e = rest.find_first_of("eE");
  const std::string_view after = rest.substr(0, e),
                         power = e == std::string_view::npos ? "0" : rest.substr(e + 1);
  const bool real =
      point != std::string_view::npos && all_of(before, decimal) &&
      (after.empty() || all_of(after, decimal)) &&
      all_of(power.substr(!power.empty() && (power[0] == '-' || power[0] == '+') ? 1 : 0), decimal);
  if (real && is_float(type)) return "static_cast<" + type + ">(" + o + ")";
  return bad("'" + o + "' is no number of the instruction's type");
}

std::string PtxWriter::set(size_t at, const std::string& type, const std::string& code, Fit fit) {
  if (at >= count()) return bad("too few operands");
  return set(i_.operands[at], type, code, fit);
}
std::string PtxWriter::set(const std::string& o, const std::string& type, const std::string& code, Fit fit) {
  if (o == "_") return "(void)(" + code + ");";
  const std::string v = r_.find(o);
  if (v.empty()) return bad(r_.checked() ? "'" + o + "' is no register" : "");
  return fits(o, type, fit) ? "arr_ptx::set(" + v + ", " + code + ");" : bad();
}

// With .ftz subnormal numbers of 32 and 16 bits count as zero.
std::string PtxWriter::flushed(const std::string& code, const std::string& type) const {
  return ftz_ && type != "double" && type != "bool" ? "arr_ptx::ftz(" + code + ")" : code;
}

// The registers of {a, b}, or the one that stands alone.
std::vector<std::string> PtxWriter::parts(const std::string& o) {
  if (o.size() < 2 || o[0] != '{') return {o};
  std::vector<std::string> out(1);
  for (const char c : o.substr(1, o.size() - 2)) {
    if (c == ',')
      out.emplace_back();
    else if (std::isspace(static_cast<unsigned char>(c)) == 0)
      out.back() += c;
  }
  return out;
}

std::string PtxWriter::kind(char c) const {
  return c == 'T' ? type_ : c == 'W' ? wide(type_) : c == 'P' ? "bool" : c == 'I' ? "int" : "unsigned";
}

std::string PtxWriter::function() {
  for (const PtxFunction& row : ptx_functions) {
    if (row.name != key_ || row.groups.find(group()) == std::string_view::npos) continue;
    const auto takes = [&](char c) { return row.modifiers.find(c) != std::string_view::npos; };
    const bool rounding = round_.empty() || takes('r') || (takes('n') && round_ == "rn");
    if (!rounding || (ftz_ && !takes('z')) || (sat_ && !takes('s')) || (approx_ && !takes('a'))) return "";
    const bool fused = row.name == "fma" && group() != 'h';
    if (types_.size() != 1 || (fused && round_.empty())) return "";
    const bool own_type = row.kinds.find_first_of("TW") == std::string_view::npos;  // one width only
    if (own_type && row.kinds[0] == 'U' && types_[0]->bits != 32) return "";
    if (kind('W').empty() && row.kinds[0] == 'W') return "";
    if (count() != row.kinds.size())
      return bad("takes " + std::to_string(row.kinds.size()) + " operands"), "";
    return call_of(row);
  }
  return "";
}

std::string PtxWriter::call_of(const PtxFunction& row) {
  const bool typed = row.kinds.find_first_of("TW") != std::string_view::npos || row.kinds[1] == 'T';
  std::string name = replaced(std::string(row.name), '.', '_');
  if (one_of(name, {"and", "or", "xor", "not"})) name += "_";
  if (group() == 'h') name = "half_" + name;
  if (group() == 'q') name = "halfwords_" + name;
  if (group() == 't') name = "floats_" + name;
  if (!round_.empty() && group() != 'h') name += "_" + round_;
  std::string code = "arr_ptx::" + name + (typed ? "<" + type_ + ">" : "") + "(";
  for (size_t k = 1; k < row.kinds.size(); k++)
    code += (k > 1 ? ", " : "") + flushed(value(k, kind(row.kinds[k])), kind(row.kinds[k]));
  code = flushed(code + ")", kind(row.kinds[0]));
  if (sat_) code = "arr_ptx::saturated(" + code + ")";
  return done(set(0, kind(row.kinds[0]), code));
}

std::string PtxWriter::dot() {
  if (types_.size() != 2 || count() != 4 || types_[0]->bits != 32 || types_[1]->bits != 32) return "";
  const bool four = i_.name == "dp4a";
  if (!four && !i_.has("lo") && !i_.has("hi")) return "";
  const auto lane = [](const PtxType* t, bool bytes) {
    const std::string sign = t->name[0] == 's' ? "signed " : "unsigned ";
    return sign + (bytes ? "char" : "short");
  };
  const std::string from = i_.has("hi") ? "2" : "0";
  return done(set(0, "unsigned",
                  "arr_dot<" + lane(types_[0], four) + ", " + lane(types_[1], true) + ">(" +
                      value(1, "unsigned") + ", " + value(2, "unsigned") + ", " + value(3, "unsigned") +
                      ", " + from + ")"));
}

// Sums over several words. The carry lives as long as the asm statement, or the function.
std::string PtxWriter::carry() {
  const bool takes = i_.name.back() == 'c';
  if ((takes && !r_.carries) || group() != 'i') return "";
  const std::string base = takes ? i_.name.substr(0, i_.name.size() - 1) : i_.name;
  r_.carries = r_.carries || i_.has("cc");
  const std::string in = takes ? "arr_carry" : "0", out = i_.has("cc") ? "arr_carry" : "arr_lost";
  const std::string typed = "<" + type_ + ">(";
  if (base == "add" || base == "sub")
    return done(set(0, type_,
                    "arr_ptx::" + base + "_carry" + typed + value(1, type_) + ", " + value(2, type_) + ", " +
                        in + ", " + out + ")"));
  const std::string part = i_.has("lo") ? "lo" : i_.has("hi") ? "hi" : "";
  if (base != "mad" || part.empty()) return "";
  return done(set(0, type_,
                  "arr_ptx::add_carry" + typed + "arr_ptx::mul_" + part + typed + value(1, type_) + ", " +
                      value(2, type_) + "), " + value(3, type_) + ", " + in + ", " + out + ")"));
}

std::string ptx_type(std::string_view type) {
  const PtxType* t = find_ptx_type(type);
  if (t == nullptr) return "";
  if (t->group == 'h' || t->group == 'q') return t->bits == 16 ? "unsigned short" : "unsigned";
  return std::string(t->code);
}
int ptx_bits(std::string_view type) {
  const PtxType* t = find_ptx_type(type);
  return t == nullptr ? 0 : t->bits;
}

std::string ptx_instruction(const PtxInstruction& instruction, PtxNames& names) {
  names.why.clear();
  names.absent.clear();
  return PtxWriter(instruction, names).run();
}

}  // namespace arr::host_kernels
