// SPDX-License-Identifier: MIT
// Moves, conversions and comparisons. PTX ISA: "Data Movement and Conversion Instructions", "Comparison and
// Selection Instructions".
#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "hostcuda/ptx/writer.h"

namespace arr::host_kernels {
namespace {

constexpr std::string_view comparisons[] = {"eq", "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",  "hi",
                                            "hs", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
constexpr std::string_view unordered[] = {"equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
constexpr std::string_view unsigned_only[] = {"lo", "ls", "hi", "hs"};

template <size_t N>
bool among(std::string_view s, const std::string_view (&list)[N]) {
  return std::find(std::begin(list), std::end(list), s) != std::end(list);
}

bool is_number(char group) { return group == 'f' || group == 'd' || group == 'h'; }

// The parts of "lt.and" of "setp.lt.and".
std::vector<std::string> after_name(const std::string& key) {
  std::vector<std::string> out;
  for (size_t at = key.find('.'); at != std::string::npos;) {
    const size_t next = key.find('.', at + 1);
    out.push_back(key.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  return out;
}

}  // namespace

std::string PtxWriter::mov() {
  if (count() != 2 || type_.empty() || key_ != "mov" || types_.size() != 1) return "";
  const std::string &to = i_.operands[0], &from = i_.operands[1];
  if (from[0] == '{') {
    const auto p = parts(from);
    std::string code;
    for (const std::string& o : p) code += ", " + value(o, part_type(p.size()));
    return done(set(0, type_, "arr_ptx::pack<" + type_ + ">(" + code.substr(2) + ")"));
  }
  if (to[0] != '{') return done(set(0, type_, value(1, type_)));
  const auto p = parts(to);
  std::string code = "const " + type_ + " arr_whole = " + value(1, type_) + "; ";
  for (size_t k = 0; k < p.size(); k++)
    code += set(p[k], part_type(p.size()),
                "arr_ptx::unpack<" + part_type(p.size()) + ">(arr_whole, " + std::to_string(k) + ")");
  return done(code);
}

std::string PtxWriter::part_type(size_t n) {
  const PtxType& t = *types_.back();
  const int each = t.group == 'b' || t.group == 'w' ? t.bits / static_cast<int>(n) : 0;
  if (each * static_cast<int>(n) != t.bits) return bad();
  if (each == 64) return "unsigned long long";
  return each == 32 ? "unsigned" : each == 16 ? "unsigned short" : each == 8 ? "unsigned char" : bad();
}

// arr_ptx::convert<To, whole, rounding, saturated, relu>(x)
std::string PtxWriter::convert() {
  if (i_.has("e4m3x2") || i_.has("e5m2x2")) return convert_bytes();
  if (key_ == "cvt.rna.tf32" || (key_ == "cvt.tf32" && round_ == "rn")) {
    if (types_.size() != 1 || types_[0]->name != "f32" || count() != 2) return "";
    const std::string nearest = round_ == "rn" ? "true" : "false";
    return done(set(0, "unsigned", "arr_ptx::to_tf32<" + nearest + ">(" + value(1, "float") + ")"));
  }
  if (types_.size() != 2 || count() < 2) return "";
  const PtxType &to = *types_[0], &from = *types_[1];
  std::string whole = "0";
  bool relu = false;
  for (const std::string& m : after_name(key_)) {
    if (m == "rni" || m == "rzi" || m == "rmi" || m == "rpi")
      whole = std::string("'") + m[1] + "'";
    else if (m == "relu")
      relu = true;
    else
      return "";
  }
  const std::string mode = round_.empty() ? "'n'" : std::string("'") + round_[1] + "'";
  const std::string tail =
      ", " + mode + ", " + (sat_ ? "true" : "false") + ", " + (relu ? "true" : "false") + ">(";
  const auto half_of = [](const PtxType& t) {
    return t.name[0] == 'b' ? "arr_ptx::bfloat" : "arr_ptx::half";
  };
  if (to.bits == 32 && to.group == 'h') {  // two at once: the first is the high one
    if (from.name != "f32" || count() != 3 || whole != "0") return "";
    const std::string one = std::string("arr_ptx::convert<") + half_of(to) + ", 0" + tail;
    const auto bits = [&](size_t at) {
      return "unsigned(arr_ptx::as<unsigned short>(" + one + flushed(value(at, "float"), "float") + ")))";
    };
    return done(set(0, "unsigned", bits(2) + " | " + bits(1) + " << 16"));
  }
  if (count() != 2 || to.bits == 1 || from.bits == 1 || (from.bits == 32 && from.group == 'h')) return "";
  const bool floats = is_number(to.group) && is_number(from.group);
  // A number with a fraction becomes a whole one only by one of these, and no other needs one.
  if (is_number(from.group) && !is_number(to.group) && whole == "0") return "";
  if (!is_number(from.group) && whole != "0") return "";
  if (relu && to.group != 'h') return "";
  // Only what may be inexact is rounded.
  const bool narrows = (floats && to.bits < from.bits) || (!is_number(from.group) && is_number(to.group)) ||
                       (floats && to.bits == from.bits && to.name != from.name);
  if (narrows == round_.empty() && whole == "0") return "";
  const std::string code = "arr_ptx::convert<" + std::string(to.code) + ", " + whole + tail +
                           flushed(value(1, std::string(from.code), Fit::wider),
                                   std::string(is_number(from.group) ? from.code : "bool")) +
                           ")";
  const std::string result = to.group == 'f' ? flushed(code, "float") : code;
  return done(set(0, std::string(to.code), result, Fit::wider));
}

// cvt.rn.satfinite.e4m3x2.f32 d, high, low; cvt.rn.f16x2.e5m2x2 d, a: two numbers of 8 bits by shim/fp8.h.
std::string PtxWriter::convert_bytes() {
  const bool four = i_.has("e4m3x2"), to_bytes = i_.has("satfinite");
  const std::string bytes = four ? "e4m3x2" : "e5m2x2", kind = four ? "__NV_E4M3" : "__NV_E5M2";
  const std::string expected = to_bytes ? "cvt.satfinite." + bytes : "cvt." + bytes;
  if (key_ != expected || round_ != "rn" || types_.size() != 1 || sat_) return "";
  r_.half = true;
  r_.components.insert(ShimComponent::fp8);
  if (!to_bytes) {
    if (types_[0]->name != "f16x2" || count() != 2) return "";
    return done("const auto arr_two = __nv_cvt_fp8x2_to_halfraw2(" + value(1, "unsigned short") + ", " +
                kind + "); " + set(0, "unsigned", "unsigned(arr_two.x) | unsigned(arr_two.y) << 16"));
  }
  const std::string how = ", __NV_SATFINITE, " + kind + ")";
  if (types_[0]->name == "f16x2" && count() == 2)
    return done("const unsigned arr_two = " + value(1, "unsigned") + "; " +
                set(0, "unsigned short",
                    "__nv_cvt_halfraw2_to_fp8x2(__half2_raw{(unsigned short)arr_two, (unsigned "
                    "short)(arr_two >> 16)}" +
                        how));
  if (types_[0]->name != "f32" || count() != 3) return "";
  return done(set(0, "unsigned short",
                  "(unsigned short)(unsigned(__nv_cvt_float_to_fp8(" + value(1, "float") + how +
                      ") << 8 | unsigned(__nv_cvt_float_to_fp8(" + value(2, "float") + how + "))"));
}

// A comparison, with a predicate where it is combined with one. `opposite`: the same of its contrary; may be
// null.
std::string PtxWriter::comparison(size_t first, const std::string& type, std::string* opposite) {
  const std::vector<std::string> m = after_name(key_);
  if (m.empty() || m.size() > 2 || !among(m[0], comparisons)) return bad();
  const char g = types_.back()->group;
  if (among(m[0], unordered) && !is_number(g)) return bad("." + m[0] + " is for floating-point numbers");
  if (among(m[0], unsigned_only) && types_.back()->name[0] != 'u' && g != 'b')
    return bad("." + m[0] + " is for unsigned numbers");
  if (types_.back()->bits == 8 || types_.back()->bits == 1 || (g == 'h' && types_.back()->bits == 32))
    return bad();
  std::string plain = "arr_ptx::setp_" + m[0] + "<" + type + ">(" +
                      flushed(value(first, type), is_number(g) ? type : "bool") + ", " +
                      flushed(value(first + 1, type), is_number(g) ? type : "bool") + ")";
  const std::string contrary = "!" + plain;
  if (m.size() == 1) {
    if (count() != first + 2) return bad("takes " + std::to_string(first + 2) + " operands");
    if (opposite != nullptr) *opposite = contrary;
    return plain;
  }
  const char* op = m[1] == "and" ? " & " : m[1] == "or" ? " | " : m[1] == "xor" ? " ^ " : nullptr;
  if (op == nullptr || count() != first + 3) return bad();
  const std::string other = op + std::string("bool(") + value(first + 2, "bool") + ")";
  if (opposite != nullptr) *opposite = "bool(" + contrary + ")" + other;
  return "bool(" + plain + ")" + other;
}

std::string PtxWriter::compare() {
  if (count() < 3 || type_.empty() || types_.size() != 1) return "";
  std::string first = i_.operands[0], second;
  if (const size_t bar = first.find('|'); bar != std::string::npos) {
    second = first.substr(bar + 1);
    first.erase(bar);
  }
  std::string contrary;
  const std::string code = "const bool arr_first = " + comparison(1, type_, &contrary) + ", arr_second = ";
  return done(code + (second.empty() ? "false" : contrary) + "; (void)arr_second; " +
              set(first, "bool", "arr_first") + (second.empty() ? "" : set(second, "bool", "arr_second")));
}

std::string PtxWriter::set_by_comparison() {
  if (count() < 3 || types_.size() != 2) return "";
  const PtxType& to = *types_[0];
  const std::string code(to.code);
  const bool number = is_number(to.group);
  const PtxType& from = *types_[1];
  if (from.bits == 32 && from.group == 'h') {  // the low numbers, and the high ones
    const std::vector<std::string> m = after_name(key_);
    if (to.bits != 32 || to.group == 'f' || m.size() != 1 || !among(m[0], comparisons) || count() != 3)
      return "";
    const std::string pairs = value(1, type_) + ", " + value(2, type_);
    return done(set(0, "unsigned",
                    std::string("arr_ptx::compared_pairs<") + (number ? "true" : "false") +
                        ">([](auto arr_a, auto arr_b) { return arr_ptx::setp_" + m[0] +
                        "<decltype(arr_a)>(arr_a, arr_b); }, " + pairs + ")"));
  }
  if (to.bits == 1 || to.bits == 8 || to.bits == 64 || (to.group == 'h' && to.bits == 32)) return "";
  const std::string yes = to.group == 'h' ? "arr_ptx::convert<" + code + ", 0, 'n', false, false>(1.0f)"
                          : number        ? code + "(1)"
                                          : code + "(-1)";
  const std::string no = to.group == 'h' ? "arr_ptx::as<" + code + ">((unsigned short)0)" : code + "(0)";
  return done(set(0, code, text("(", comparison(1, type_, nullptr), ") ? ", yes, " : ", no)));
}

// slct: by the sign of the third operand, which -0 does not have.
std::string PtxWriter::select() {
  if (count() != 4 || types_.size() != 2 || key_ != "slct") return "";
  const PtxType& by = *types_[1];
  if (by.name != "s32" && by.name != "f32") return "";
  const std::string type(types_[0]->code),
      c = flushed(value(3, std::string(by.code)), std::string(by.code == "float" ? "float" : "bool"));
  return done(set(0, type, c + " >= 0 ? " + value(1, type) + " : " + value(2, type)));
}

}  // namespace arr::host_kernels
