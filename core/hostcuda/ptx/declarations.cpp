// SPDX-License-Identifier: MIT
// Variables of a module of PTX and their initial values.
#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "hostcuda/ptx/parser.h"

namespace arr::host_kernels::ptx {
namespace {

constexpr uint64_t max_bytes = uint64_t{1} << 30, max_local = uint64_t{512} << 10, max_parameter = 32764;

// A value's bits in the width of a type: "0f3F800000", "1.5", "12".
bool float_bits(std::string_view s, const PtxType& type, uint64_t& bits) {
  const bool hex = s.size() > 2 && s[0] == '0' && ((s[1] | 32) == 'f' || (s[1] | 32) == 'd');
  if (hex) {
    const bool single = (s[1] | 32) == 'f';
    const auto [end, error] = std::from_chars(s.data() + 2, s.data() + s.size(), bits, 16);
    if (error != std::errc() || end != s.data() + s.size() || s.size() != (single ? 10U : 18U)) return false;
    if (type.bits == (single ? 32 : 64)) return true;
    if (type.bits != 64) return false;
    float f = 0;
    const auto narrow = static_cast<uint32_t>(bits);
    std::memcpy(&f, &narrow, sizeof f);
    const double d = f;
    std::memcpy(&bits, &d, sizeof d);
    return true;
  }
  double d = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), d);
  if (error != std::errc() || end != s.data() + s.size() || s.find('.') == std::string_view::npos)
    return false;
  const auto f = static_cast<float>(d);
  bits = 0;
  if (type.bits == 64) std::memcpy(&bits, &d, sizeof d);
  if (type.bits == 32) std::memcpy(&bits, &f, sizeof f);
  return type.bits >= 32;
}

}  // namespace

Parser::Kind Parser::kind_of_variable() {
  Kind k;
  while (peek().kind == Token::dot) {
    const Token t = take();
    if (t.is(".align")) {
      k.align = whole("an alignment", 4096);
      if (k.align == 0 || (k.align & (k.align - 1)) != 0)
        reject(out_.file, t.line, "alignment " + std::to_string(k.align) + " is no power of 2");
    } else if (t.is(".attribute")) {
      while (!accept(")")) {
        if (peek().kind == Token::end) unexpected("')'");
        take();
      }
    } else if (t.is(".v2") || t.is(".v4")) {
      k.lanes = static_cast<uint64_t>(t.text[2] - '0');
    } else if (t.is(".ptr")) {
      while (peek().is(".global") || peek().is(".shared") || peek().is(".const") || peek().is(".local"))
        take();
    } else if (const PtxType* type = find_ptx_type(t.text.substr(1)); type != nullptr && k.type == nullptr) {
      k.type = type;
    } else if (t.is(".texref") || t.is(".samplerref") || t.is(".surfref")) {
      refuse(out_.file, t.line, std::string(t.text));
    } else {
      reject(out_.file, t.line, "unexpected '" + std::string(t.text) + "' in a declaration");
    }
  }
  if (k.type == nullptr) unexpected("a type");
  return k;
}

// [2][3]; the number of elements. An empty one stays 0.
uint64_t Parser::dimensions(Variable& v, uint64_t element) {
  uint64_t n = 1;
  for (bool first = true; accept("["); first = false) {
    if (first && accept("]")) {
      v.unsized = true;
      continue;
    }
    n *= whole("a number of elements", max_bytes);
    if (n > max_bytes / element) reject(out_.file, v.line, "'" + v.name + "' has more than 2^30 bytes");
    expect("]");
  }
  return n;
}

Variable Parser::declarator(const Kind& kind, PtxSpace space, bool external) {
  Variable v;
  v.line = peek().line;
  v.name = name("a name");
  v.type = kind.type;
  v.space = space;
  v.external = external;
  v.visible = visible_;
  v.weak = weak_;
  if (kind.type->bits < 8) reject(out_.file, v.line, "'" + v.name + "': a predicate has no memory");
  const uint64_t element = static_cast<uint64_t>(kind.type->bits) / 8 * kind.lanes;
  v.align = kind.align != 0 ? kind.align : element;
  v.bytes = element * dimensions(v, element);
  if (v.unsized) v.bytes = 0;
  if (accept("=")) initial_value(v, kind);
  if (v.unsized && !external && v.bytes == 0) reject(out_.file, v.line, "'" + v.name + "' has no size");
  if (space == PtxSpace::local && v.bytes > max_local)
    reject(out_.file, v.line,
           "'" + v.name + "' has " + std::to_string(v.bytes) + " bytes, local memory at most " +
               std::to_string(max_local));
  if (space == PtxSpace::param && v.bytes > max_parameter)
    reject(out_.file, v.line,
           "'" + v.name + "' has " + std::to_string(v.bytes) + " bytes, a parameter at most " +
               std::to_string(max_parameter));
  return v;
}

std::vector<Variable> Parser::variables(PtxSpace space, bool external) {
  const Kind kind = kind_of_variable();
  std::vector<Variable> out;
  do out.push_back(declarator(kind, space, external));
  while (accept(","));
  expect(";");
  return out;
}

// = {1, 2, x+8} or = 1; rows are written one behind the other.
void Parser::initial_value(Variable& v, const Kind& kind) {
  if (v.space != PtxSpace::global || v.external)
    reject(out_.file, v.line, "'" + v.name + "' may have no initial value");
  if (kind.type->bits > 64) refuse(out_.file, v.line, "an initial value of 128 bits");
  const uint64_t element_bytes = static_cast<uint64_t>(kind.type->bits) / 8;
  if (!accept("{")) {
    element(v, element_bytes);
  } else {
    while (!accept("}")) {
      if (peek().is("{")) refuse(out_.file, peek().line, "an initial value in rows");
      element(v, element_bytes);
      if (!peek().is("}")) expect(",");
    }
  }
  if (v.unsized && v.bytes == 0) v.bytes = v.data.size();
  if (v.data.size() > v.bytes) reject(out_.file, v.line, "'" + v.name + "' has more values than elements");
}

void Parser::store(Variable& v, uint64_t value, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i++) v.data += static_cast<char>(value >> (8 * i));
}

// A number, a variable's address, or generic(x) + 8.
void Parser::element(Variable& v, uint64_t bytes) {
  const unsigned line = peek().line;
  if (peek().kind != Token::word) return store(v, constant(*v.type), bytes);
  const bool generic = peek().is("generic") && peek(1).is("(");
  if (generic) take(), take();
  Address a{v.data.size(), name("a name"), 0, line};
  if (peek().is("(")) refuse(out_.file, line, "a part of an address as an initial value");
  if (generic) expect(")");
  if (accept("+")) a.addend = static_cast<int64_t>(whole("a number", max_bytes));
  if (bytes != 8 || v.align < 8 || v.data.size() % 8 != 0)
    refuse(out_.file, line, "an address of less than 64 bits");
  v.addresses.push_back(std::move(a));
  store(v, 0, bytes);
}

uint64_t Parser::constant(const PtxType& type) {
  const bool negative = accept("-");
  const Token t = peek();
  if (t.kind != Token::number) unexpected("a number");
  uint64_t bits = 0;
  if (type.group == 'f' || type.group == 'd') {
    if (!float_bits(t.text, type, bits)) unexpected("a floating-point number");
    take();
    return negative ? bits ^ (uint64_t{1} << (type.bits - 1)) : bits;
  }
  bits = whole("a whole number", UINT64_MAX);
  return negative ? 0 - bits : bits;
}

}  // namespace arr::host_kernels::ptx
