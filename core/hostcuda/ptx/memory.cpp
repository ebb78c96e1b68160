// SPDX-License-Identifier: MIT
// Accesses to memory, and addresses. PTX ISA: "Data Movement and Conversion Instructions", "Parallel
// Synchronization and Communication Instructions".
#include <algorithm>
#include <charconv>
#include <iterator>

#include "hostcuda/ptx/writer.h"
#include "hostcuda/source/keywords.h"

namespace arr::host_kernels {
namespace {

struct AtomicRow {
  std::string_view op, function, types;
};
constexpr AtomicRow atomics[] = {{"add", "atomicAdd", " u32 s32 u64 s64 f32 f64 "},
                                 {"add", "arr_ptx::add_halves", " f16 bf16 f16x2 bf16x2 "},
                                 {"min", "atomicMin", " u32 s32 u64 s64 "},
                                 {"max", "atomicMax", " u32 s32 u64 s64 "},
                                 {"inc", "atomicInc", " u32 "},
                                 {"dec", "atomicDec", " u32 "},
                                 {"exch", "atomicExch", " b32 b64 b128 u32 s32 u64 s64 f32 f64 "},
                                 {"cas", "atomicCAS", " b16 b32 b64 b128 u32 s32 u64 s64 "},
                                 {"and", "atomicAnd", " b32 b64 "},
                                 {"or", "atomicOr", " b32 b64 "},
                                 {"xor", "atomicXor", " b32 b64 "}};

std::string between_brackets(const std::string& o) {
  std::string inside = o.substr(1, o.size() - 2);
  inside.erase(std::remove_if(inside.begin(), inside.end(), [](char c) { return c == ' ' || c == '\t'; }),
               inside.end());
  return inside;
}

}  // namespace

PtxSpace PtxWriter::space() const {
  for (const std::string& m : i_.modifiers) {
    if (m == "shared" || m == "shared::cta" || m == "shared::cluster") return PtxSpace::shared;
    if (m == "global" || m == "const") return PtxSpace::global;
    if (m == "local") return PtxSpace::local;
    if (m == "param" || m == "param::entry" || m == "param::func") return PtxSpace::param;
  }
  return PtxSpace::none;
}

// The name with the modifiers that say what is done.
std::string PtxWriter::memory_key() const {
  std::string key = i_.name;
  for (const std::string& m : i_.modifiers) {
    const bool idle = std::find(std::begin(ptx_idle), std::end(ptx_idle), m) != std::end(ptx_idle);
    if (!idle && find_ptx_type(m) == nullptr && !starts_with(m, "L1::") && !starts_with(m, "L2::"))
      key += "." + m;
  }
  return key;
}

// True if the access, which begins at `offset`, stays within a variable of known size.
bool PtxWriter::is_inside(const PtxSymbol& symbol, const std::string& offset) const {
  int64_t at = 0;
  const auto [end, error] = std::from_chars(offset.data(), offset.data() + offset.size(), at);
  if (symbol.bytes == 0 || error != std::errc() || end != offset.data() + offset.size()) return true;
  int64_t lanes = 1;
  for (const char* n : {"v2", "v4", "v8"}) lanes = i_.has(n) ? n[1] - '0' : lanes;
  const int64_t bytes = types_.empty() ? 1 : types_.back()->bits / 8 * lanes;
  return at >= 0 && bytes <= static_cast<int64_t>(symbol.bytes) &&
         at <= static_cast<int64_t>(symbol.bytes) - bytes;
}

// The address of [a+4] in a space.
std::string PtxWriter::pointer(size_t at, PtxSpace space) {
  if (at >= count() || i_.operands[at].size() < 3 || i_.operands[at][0] != '[' ||
      i_.operands[at].back() != ']')
    return bad("expected an address in brackets");
  std::string base = between_brackets(i_.operands[at]), offset = "0";
  if (const size_t plus = base.find_first_of("+-", 1); plus != std::string::npos) {
    offset = base.substr(base[plus] == '+' ? plus + 1 : plus);
    base.erase(plus);
  }
  if (offset.empty()) return bad();
  // The constant of an "n" operand may be the offset.
  const std::string more = r_.find(offset).empty() ? number(offset, "long long") : value(offset, "long long");
  const PtxSymbol* symbol = r_.find(base).empty() ? r_.symbol(base) : nullptr;
  if (symbol != nullptr) {
    if (symbol->space != space &&
        (space != PtxSpace::none || symbol->space == PtxSpace::shared || symbol->space == PtxSpace::code))
      return bad("'" + base + "' is in another state space");
    if (!is_inside(*symbol, offset))
      return bad("'" + base + "+" + offset + "' lies outside of '" + base + "', which has " +
                 std::to_string(symbol->bytes) + " bytes");
    const std::string sum = symbol->pointer + " + " + more;
    return space == PtxSpace::shared ? r_.from_shared(sum) : "(" + sum + ")";
  }
  const bool narrow = space == PtxSpace::shared && r_.bits(base) == 32;
  const std::string address = "arr_ptx::as<unsigned long long>(" +
                              (narrow ? value(base, "unsigned") : value(base, "unsigned long long")) + ")";
  const std::string sum = offset == "0" ? address : address + " + (unsigned long long)(" + more + ")";
  return space == PtxSpace::shared ? r_.from_shared(sum) : r_.from_generic(sum);
}

// The order of an access to memory: none, or in one piece and in order.
std::string PtxWriter::order() const {
  if (i_.has("acquire")) return "__ATOMIC_ACQUIRE";
  if (i_.has("release")) return "__ATOMIC_RELEASE";
  return i_.has("volatile") || i_.has("relaxed") || i_.has("mmio") ? "__ATOMIC_RELAXED" : "";
}

namespace {
// 1, 2, 4 or 8 of a key that is the name or has .v2, .v4, .v8 behind it; 0 where it has more.
size_t lanes_of(const std::string& key, std::string_view name) {
  if (key == name) return 1;
  const std::string tail = key.substr(std::min(name.size(), key.size()));
  return tail == ".v2" ? 2 : tail == ".v4" ? 4 : tail == ".v8" ? 8 : 0;
}
}  // namespace

std::string PtxWriter::load() {
  const size_t n = lanes_of(memory_key(), i_.name);
  if (n == 0 || count() < 2 || count() > 3 || types_.size() != 1 || types_[0]->bits == 1) return "";
  const std::string& to = i_.operands[0];
  const auto p = parts(to);
  if (p.size() != n) return bad("expected " + std::to_string(n) + " registers"), "";
  const std::string how = order();
  std::string code = how.empty() ? "" : "/* volatile */ ";
  // In a loop without a bound a thread waits like this for others of its block, or of other blocks.
  const bool waits = i_.has("acquire");
  if (waits && i_.has("cta")) code += syncs("arr_yield(); ");
  code += "const auto* arr_from = (const " + type_ + "*)" + pointer(1, space()) + "; ";
  std::string after;  // a register may be the address and a result
  for (size_t k = 0; k < n; k++) {
    const std::string name = "arr_value_" + std::to_string(k);
    code += "const " + type_ + " " + name + " = arr_ptx::" + (waits ? "load_waiting" : "load") +
            "(arr_from + " + std::to_string(k) + (how.empty() ? "" : ", " + how) + "); ";
    after += set(p[k], type_, name, Fit::wider);
  }
  if (waits && i_.has("cta")) after += "arr_ptx::ordered();";
  return done(code + after);
}

std::string PtxWriter::store() {
  const size_t n = lanes_of(memory_key(), i_.name);
  if (n == 0 || count() < 2 || count() > 3 || types_.size() != 1 || types_[0]->bits == 1) return "";
  const std::string& from = i_.operands[1];
  const auto p = parts(from);
  if (p.size() != n) return bad("expected " + std::to_string(n) + " registers"), "";
  const std::string how = order();
  std::string code = how.empty() ? "" : "/* volatile */ ";
  code += "auto* arr_to = (" + type_ + "*)" + pointer(0, space()) + "; ";
  for (size_t k = 0; k < n; k++) {
    code += "arr_ptx::store(arr_to + " + std::to_string(k) + ", " + value(p[k], type_, Fit::wider) +
            (how.empty() ? "" : ", " + how) + "); ";
  }
  return done(code);
}

std::string PtxWriter::atomic() {
  const bool result = i_.name == "atom";
  const std::string key = memory_key();
  std::string op = key.substr(std::min(i_.name.size() + 1, key.size()));
  size_t lanes = 1;
  if (const size_t v = op.find(".v"); v != std::string::npos && op.substr(0, v) == "add") {
    lanes = lanes_of(op, "add");
    op = "add";
  }
  if (lanes == 0) return "";
  const std::string_view function = atomic_function(op);
  if (function.empty()) return "";
  const size_t first = result ? 1 : 0, values = op == "cas" ? 2 : 1;
  if (count() < first + 1 + values) return bad("too few operands"), "";
  if (lanes > 1) return atomics_of_vector(function, lanes, result);
  std::string code = std::string(function) + "((" + type_ + "*)" + pointer(first, space());
  for (size_t k = first + 1; k < first + 1 + values; k++) code += ", " + value(k, type_);
  code += ")";
  const bool ordered = i_.has("acquire") || i_.has("release") || i_.has("acq_rel");
  const std::string fence = ordered ? "__threadfence(); " : "";
  const bool acquires = i_.has("cta") && (i_.has("acquire") || i_.has("acq_rel"));
  return done(fence + (result ? set(0, type_, code) : code + ";") + fence +
              (acquires ? "arr_ptx::ordered();" : ""));
}

// The function that does an atomic operation with the instruction's type; empty where there is none.
std::string_view PtxWriter::atomic_function(std::string_view op) const {
  if (types_.size() != 1) return "";
  std::string type(" ");
  type.append(types_[0]->name).append(" ");
  for (const AtomicRow& row : atomics)
    if (row.op == op && row.types.find(type) != std::string_view::npos) return row.function;
  return "";
}

// atom.global.add.v2.f32 {a, b}, [address], {c, d}: each number by itself.
std::string PtxWriter::atomics_of_vector(std::string_view function, size_t lanes, bool result) {
  const size_t first = result ? 1 : 0;
  const auto values = parts(i_.operands[first + 1]), to = parts(result ? i_.operands[0] : std::string("_"));
  if (values.size() != lanes || (result && to.size() != lanes))
    return bad("expected " + std::to_string(lanes) + " registers"), "";
  std::string code = "auto* arr_at = (" + type_ + "*)" + pointer(first, space()) + "; ", after;
  for (size_t k = 0; k < lanes; k++) {
    const std::string n = std::to_string(k), old = "arr_old_" + n;
    code.append("const ").append(type_).append(" ").append(old).append(" = ").append(function);
    code += "(arr_at + " + n + ", " + value(values[k], type_, Fit::wider) + "); ";
    after += result ? set(to[k], type_, old, Fit::wider) : "(void)" + old + ";";
  }
  return done(code + after);
}

// cvta.to.shared.u64: from a generic address; cvta.shared.u64: to one.
std::string PtxWriter::address() {
  if (space() == PtxSpace::none || type_ != "unsigned long long") return "";
  const std::string a = value(1, "unsigned long long");
  if (space() != PtxSpace::shared) return done(set(0, type_, a));
  if (i_.has("to")) return done(set(0, type_, r_.to_shared(a)));
  return done(set(0, type_, "(unsigned long long)" + r_.from_shared(a)));
}

std::string PtxWriter::is_space() {
  const std::string a = "(const void*)" + value(1, "unsigned long long");
  const char* name = i_.has("shared") || i_.has("shared::cta") ? "__isShared("
                     : i_.has("local")                         ? "__isLocal("
                     : i_.has("global")                        ? "__isGlobal("
                                                               : nullptr;
  return name == nullptr || count() != 2 ? "" : done(set(0, "bool", name + a + ") != 0"));
}

std::string PtxWriter::copy() {
  const bool reduces = i_.has("reduce");
  const size_t at = reduces ? 1 : 0;
  if (i_.modifiers.size() <= at || i_.modifiers[at] != "async") return "";
  if (i_.has("bulk")) return bulk_copy();
  if (reduces) return "";
  if (i_.has("mbarrier")) {
    // Copies are made at once; without noinc the arrival is one more that is expected.
    r_.components.insert(ShimComponent::ptx_barriers);
    const std::string m = pointer(0, PtxSpace::shared);
    return done(i_.has("noinc") ? "arr_ptx::arrive((arr_ptx::mbarrier*)" + m + ", 1u);" : "(void)" + m + ";");
  }
  if (i_.has("commit_group") || i_.has("wait_group") || i_.has("wait_all")) return ";";
  const size_t n = count() - (i_.has("L2::cache_hint") && count() > 0 ? 1 : 0);
  if (n < 3 || n > 4 || !i_.has("global")) return "";
  const std::string to = pointer(0, PtxSpace::shared), from = pointer(1, PtxSpace::global),
                    size = value(2, "unsigned");
  const bool ignored = n > 3 && r_.bits(i_.operands[3]) == 1;
  const std::string there = n < 4     ? size
                            : ignored ? value(3, "bool") + " ? 0u : " + size
                                      : value(3, "unsigned");
  return done("arr_ptx::copy((void*)" + to + ", (const void*)" + from + ", " + size + ", " + there + ");");
}

}  // namespace arr::host_kernels
