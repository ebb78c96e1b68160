// SPDX-License-Identifier: MIT
// Video instructions: arithmetic on bytes, halfwords and words of registers, one at a time or all of a word.
// PTX ISA: "Video Instructions".
#include <algorithm>
#include <iterator>
#include <string>

#include "base/error.h"
#include "hostcuda/ptx/writer.h"

namespace arr::host_kernels {
namespace {

// lanes: the numbers of parts of a word for which there is an instruction of the name.
struct Operation {
  std::string_view name, lanes;
};
constexpr Operation operations[] = {{"vadd", "124"}, {"vsub", "124"}, {"vabsdiff", "124"}, {"vmin", "124"},
                                    {"vmax", "124"}, {"vset", "124"}, {"vavrg", "24"},     {"vshl", "1"},
                                    {"vshr", "1"},   {"vmad", "1"}};

struct Part {
  size_t at, bits;
};
constexpr Part whole_word = {0, 32};

// "%r1.h0" as the register and "h0".
std::string split(std::string& operand) {
  const size_t point = operand.find('.');
  if (point == std::string::npos) return "";
  std::string selector = operand.substr(point + 1);
  operand.erase(point);
  return selector;
}

std::string code_of(const PtxType& type) { return type.name == "s32" ? "int" : "unsigned"; }

}  // namespace

// A number without a sign, of a register or a constant: the register's name without the selector, b0 to b3,
// h0, h1 or none.
std::string PtxWriter::part(std::string operand, const PtxType& type) {
  const std::string selector = split(operand);
  Part p = whole_word;
  if (selector.size() == 2 && selector[0] == 'b' && selector[1] >= '0' && selector[1] <= '3')
    p = {static_cast<size_t>(selector[1] - '0') * 8, 8};
  else if (selector == "h0" || selector == "h1")
    p = {static_cast<size_t>(selector[1] - '0') * 16, 16};
  else if (!selector.empty())
    return bad("'." + selector + "' selects no part of a register");
  return text("arr_ptx::part<", code_of(type), ">(", value(operand, "unsigned"), ", ", p.at, "u, ", p.bits,
              "u)");
}

// vadd.u32.s32.s32.sat d, a.h0, b.b3; with .add, .min or .max: of that and c; with d.h1: the rest is c's.
std::string PtxWriter::video() {
  const char last = i_.name.back();
  const size_t lanes = last == '2' || last == '4' ? static_cast<size_t>(last - '0') : 1;
  const std::string name = i_.name.substr(0, i_.name.size() - (lanes > 1 ? 1 : 0));
  const Operation* known = find_ptx_row(operations, name);
  if (known == nullptr || known->lanes.find(static_cast<char>('0' + lanes)) == std::string::npos) return "";
  const bool sets = name == "vset", shifts = name == "vshl" || name == "vshr";
  if (types_.size() != (sets ? 2U : 3U)) return "";
  for (const PtxType* t : types_)
    if (t->name != "u32" && t->name != "s32") return "";
  if (shifts && types_[2]->name != "u32") return "";
  r_.components.insert(ShimComponent::ptx_video);
  if (name == "vmad") return video_product();
  VideoCall call = {"arr_ptx::" + name, "", false};
  for (size_t k = types_.size(); k < i_.modifiers.size(); k++) {
    const std::string& m = i_.modifiers[k];
    const bool how =
        (sets && one_of(m, {"eq", "ne", "lt", "le", "gt", "ge"})) || (shifts && one_of(m, {"clamp", "wrap"}));
    if (how && k == types_.size() + (call.clamps ? 1U : 0U))
      call.function.append("_").append(m);
    else if (m == "sat" && !sets && k == types_.size())
      call.clamps = true;
    else if (call.second.empty() && (m == "add" || (lanes == 1 && (m == "min" || m == "max"))))
      call.second = m;
    else
      return "";
  }
  if ((sets || shifts) && call.function.find('_', sizeof "arr_ptx::") == std::string::npos) return "";
  if (lanes == 1) return video_of_one(call);
  return call.clamps && !call.second.empty() ? "" : video_of_lanes(call, lanes);
}

std::string PtxWriter::video_of_one(const VideoCall& call) {
  if (count() < 3) return bad("too few operands"), "";
  const bool sets = types_.size() == 2;
  const PtxType &result = sets ? *find_ptx_type("u32") : *types_[0], &a = *types_[sets ? 0 : 1],
                &b = *types_.back();
  std::string to = i_.operands[0];
  const std::string selector = split(to);
  const bool merges = !selector.empty();
  if (merges && !call.second.empty()) return "";
  if (count() != (merges || !call.second.empty() ? 4U : 3U))
    return bad(text("takes ", merges || !call.second.empty() ? 4 : 3, " operands")), "";
  Part p = whole_word;
  if (merges) {
    const bool byte = selector[0] == 'b';
    if (selector.size() != 2 || (!byte && selector[0] != 'h') || selector[1] < '0' ||
        selector[1] > (byte ? '3' : '1'))
      return bad("'." + selector + "' selects no part of a register"), "";
    p.bits = byte ? 8 : 16;
    p.at = static_cast<size_t>(selector[1] - '0') * p.bits;
  }
  std::string code = text("arr_ptx::video arr_v = ", call.function, "(", part(i_.operands[1], a), ", ",
                          part(i_.operands[2], b), "); ");
  if (call.clamps) code += text("arr_v = arr_ptx::clamped<", code_of(result), ">(arr_v, ", p.bits, "u); ");
  if (!call.second.empty())
    code += text("arr_v = arr_ptx::v", call.second, "(arr_v, ",
                 text("arr_ptx::part<", code_of(result), ">(", value(3, "unsigned"), ", 0u, 32u)"), "); ");
  const std::string whole =
      merges ? text("arr_ptx::merged(", value(3, "unsigned"), ", arr_v, ", p.at, "u, ", p.bits, "u)")
             : std::string("unsigned(arr_v)");
  return done(code + set(to, "unsigned", whole));
}

// vadd4.u32.u32.u32 d.b20, a.b3210, b.b7654, c: a digit is a part of a, or of b behind it, for each part of
// the result; those that are not written are c's. With .add: their sum and c.
std::string PtxWriter::video_of_lanes(const VideoCall& call, size_t lanes) {
  if (count() != 4) return bad("takes 4 operands"), "";
  const bool sets = types_.size() == 2, sums = !call.second.empty();
  const std::string result = sets ? "unsigned" : code_of(*types_[0]);
  const size_t bits = 32 / lanes;
  std::string to = i_.operands[0], names[2] = {i_.operands[1], i_.operands[2]}, selected[2];
  std::string mask = split(to);
  const std::string unit = lanes == 2 ? "h" : "b";
  for (size_t k = 0; k < 2; k++) {
    selected[k] = split(names[k]);
    if (selected[k].empty())
      selected[k] = unit + (lanes == 2 ? (k == 0 ? "10" : "32") : (k == 0 ? "3210" : "7654"));
    if (selected[k].size() != lanes + 1 || selected[k][0] != unit[0] ||
        !std::all_of(selected[k].begin() + 1, selected[k].end(),
                     [&](char c) { return c >= '0' && c < static_cast<char>('0' + 2 * lanes); }))
      return bad("'." + selected[k] + "' selects no parts of registers"), "";
  }
  if (mask.empty()) mask = unit + (lanes == 2 ? "10" : "3210");
  if (mask[0] != unit[0] || mask.size() < 2 || mask[1] >= static_cast<char>('0' + lanes) ||
      mask.find_first_not_of("0123", 1) != std::string::npos ||
      std::adjacent_find(mask.begin() + 1, mask.end(), [](char x, char y) { return x <= y; }) != mask.end())
    return bad("'." + mask + "' is no list of parts"), "";
  std::string code = text("const unsigned arr_of[] = {", value(names[0], "unsigned"), ", ",
                          value(names[1], "unsigned"), "}; unsigned arr_d = ", value(3, "unsigned"), "; ");
  for (size_t lane = 0; lane < lanes; lane++) {
    if (mask.find(static_cast<char>('0' + lane), 1) == std::string::npos) continue;
    const auto source = [&](size_t k) {
      const auto n = static_cast<size_t>(selected[k][lanes - lane] - '0');
      return text("arr_ptx::part<", code_of(*types_[types_.size() - 2 + k]), ">(arr_of[", n / lanes, "], ",
                  n % lanes * bits, "u, ", bits, "u)");
    };
    std::string v = text(call.function, "(", source(0), ", ", source(1), ")");
    if (call.clamps) v = text("arr_ptx::clamped<", result, ">(", v, ", ", bits, "u)");
    code += sums ? text("arr_d += unsigned(", v, "); ")
                 : text("arr_d = arr_ptx::merged(arr_d, ", v, ", ", lane * bits, "u, ", bits, "u); ");
  }
  return done(code + set(to, "unsigned", "arr_d"));
}

// vmad.s32.u32.s32.shr7 d, a.b0, -b, c: the product or c may be negative; with .po one more.
std::string PtxWriter::video_product() {
  if (count() != 4) return bad("takes 4 operands"), "";
  bool clamps = false, one_more = false;
  std::string shift;
  for (size_t k = 3; k < i_.modifiers.size(); k++) {
    const std::string& m = i_.modifiers[k];
    if (m == "po" && k == 3)
      one_more = true;
    else if (m == "sat" && shift.empty() && !clamps)
      clamps = true;
    else if (one_of(m, {"shr7", "shr15"}) && shift.empty())
      shift = m.substr(3);
    else
      return "";
  }
  std::string o[3];
  bool negative[3];
  for (size_t k = 0; k < 3; k++) {
    o[k] = i_.operands[k + 1];
    negative[k] = o[k].size() > 1 && o[k][0] == '-' &&
                  std::string_view("0123456789").find(o[k][1]) == std::string_view::npos;
    if (negative[k]) o[k].erase(0, 1);
  }
  const bool minus = negative[0] != negative[1];
  if ((one_more && (negative[0] || negative[1] || negative[2])) || (minus && negative[2])) return "";
  const bool is_signed = types_[1]->name == "s32" || types_[2]->name == "s32" || minus;
  std::string code =
      text("arr_ptx::video arr_v = ", part(o[0], *types_[1]), " * ", part(o[1], *types_[2]), "; ");
  code += text("arr_v = ", minus ? "-" : "", "arr_v ", negative[2] ? "-" : "+", " arr_ptx::part<",
               is_signed ? "int" : "unsigned", ">(", value(o[2], "unsigned"), ", 0u, 32u)",
               one_more ? " + 1" : "", "; ");
  if (!shift.empty()) code += "arr_v >>= " + shift + "; ";
  if (clamps)
    code +=
        text("arr_v = arr_ptx::clamped<", is_signed || negative[2] ? "int" : "unsigned", ">(arr_v, 32u); ");
  return done(code + set(0, "unsigned", "unsigned(arr_v)"));
}

}  // namespace arr::host_kernels
