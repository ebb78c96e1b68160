// SPDX-License-Identifier: MIT
#include "hostcuda/ptx/parser.h"

#include <charconv>
#include <utility>

#include "hostcuda/host_kernels.h"

namespace arr::host_kernels::ptx {

void reject(std::string_view file, unsigned line, const std::string& what) {
  throw CompileError(ARR_E_COMPILE, arr::text(file, ":", line, ": ", what), "");
}
void refuse(std::string_view file, unsigned line, const std::string& what) {
  throw CompileError(ARR_E_UNSUPPORTED,
                     arr::text(file, ":", line, ": ", what, " has no host form; run on a GPU"), "");
}

bool Parser::accept(std::string_view s) {
  if (!peek().is(s)) return false;
  at_++;
  return true;
}

void Parser::expect(std::string_view s) {
  if (!accept(s)) unexpected("'" + std::string(s) + "'");
}

void Parser::unexpected(const std::string& expected) const {
  const Token& t = peek();
  constexpr size_t longest = 40;
  reject(out_.file, t.line,
         "expected " + expected + ", got " +
             (t.kind == Token::end ? "the end" : "'" + std::string(t.text.substr(0, longest)) + "'"));
}

std::string Parser::name(const char* what) {
  if (peek().kind != Token::word) unexpected(what);
  return std::string(take().text);
}

uint64_t Parser::whole(const char* what, uint64_t max) {
  if (peek().kind != Token::number) unexpected(what);
  std::string_view s = peek().text;
  if ((s.back() | 32) == 'u' && s.size() > 1) s.remove_suffix(1);
  int base = 10;
  if (s.size() > 2 && s[0] == '0' && (s[1] | 32) == 'x')
    s.remove_prefix(2), base = 16;
  else if (s.size() > 2 && s[0] == '0' && (s[1] | 32) == 'b')
    s.remove_prefix(2), base = 2;
  else if (s.size() > 1 && s[0] == '0')
    s.remove_prefix(1), base = 8;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, base);
  if (error != std::errc() || end != s.data() + s.size() || value > max)
    unexpected(std::string(what) + " of at most " + std::to_string(max));
  take();
  return value;
}

void Parser::skip_to_semicolon() {
  while (!accept(";")) {
    if (peek().kind == Token::end) unexpected("';'");
    take();
  }
}

// 1, 2, 3
void Parser::skip_numbers() {
  while (peek().kind == Token::number) {
    take();
    accept(",");
  }
}

Module Parser::run() {
  head();
  while (peek().kind != Token::end) directive();
  return std::move(out_);
}

// .version 8.4 .target sm_90, debug .address_size 64
void Parser::head() {
  expect(".version");
  if (peek().kind != Token::number) unexpected("a version");
  take();
  expect(".target");
  do name("a target");
  while (accept(","));
  expect(".address_size");
  const unsigned line = peek().line;
  if (whole("a number of bits", 64) != 64) refuse(out_.file, line, ".address_size other than 64");
}

void Parser::directive() {
  if (accept(";")) return;
  const Token first = peek();
  if (first.kind != Token::dot) unexpected("a directive");
  if (first.is(".file")) return file_directive();
  if (first.is(".section")) return section();
  if (first.is(".loc")) return location();
  if (first.is(".pragma")) return pragma();
  bool external = false;
  visible_ = weak_ = false;
  while (peek().is(".visible") || peek().is(".extern") || peek().is(".weak") || peek().is(".common")) {
    const Token t = take();
    external = external || t.is(".extern");
    weak_ = weak_ || t.is(".weak") || t.is(".common");
    visible_ = visible_ || weak_ || t.is(".visible");
  }
  if (accept(".entry")) return function(true, external);
  if (accept(".func")) return function(false, external);
  for (const auto& [word, space] :
       {std::pair{".global", PtxSpace::global}, std::pair{".const", PtxSpace::global},
        std::pair{".shared", PtxSpace::shared}})
    if (accept(word)) {
      for (Variable& v : variables(space, external)) add_variable(std::move(v));
      return;
    }
  if (peek().is(".alias") || peek().is(".tex")) refuse(out_.file, first.line, std::string(peek().text));
  unexpected("a directive");
}

void Parser::add_variable(Variable v) {
  const auto known = out_.variable_names.find(v.name);
  if (known != out_.variable_names.end() && out_.variables[known->second].external) {
    out_.variables[known->second] = std::move(v);
    return;
  }
  if (known != out_.variable_names.end() || out_.function_names.count(v.name) != 0)
    reject(out_.file, v.line, "'" + v.name + "' is declared twice");
  out_.variable_names[v.name] = out_.variables.size();
  out_.variables.push_back(std::move(v));
}

// .section .debug_info { .b8 ... }
void Parser::section() {
  while (!peek().is("{")) {
    if (peek().kind == Token::end) unexpected("'{'");
    take();
  }
  for (int64_t depth = 0;;) {
    if (peek().kind == Token::end) unexpected("'}'");
    depth += peek().is("{") ? 1 : peek().is("}") ? -1 : 0;
    take();
    if (depth == 0) return;
  }
}

// .file 1 "a.cu", 0, 0
void Parser::file_directive() {
  take();
  const uint64_t number = whole("the number of a file", UINT32_MAX);
  if (peek().kind != Token::quoted) unexpected("the name of a file");
  out_.source_files.insert_or_assign(number, std::string(take().text));
  if (accept(",")) skip_numbers();
}

// .loc 1 7 3, function_name $L__info_string0, inlined_at 1 2 3
void Parser::location() {
  take();
  source_.file = whole("a number", UINT32_MAX);
  source_.line = whole("a number", UINT32_MAX);
  whole("a number", UINT32_MAX);
  while (accept(",")) {
    const std::string what = name("function_name or inlined_at");
    if (what == "function_name") {
      name("a label");
      if (accept("+")) whole("a number", UINT32_MAX);
    } else if (what == "inlined_at") {
      for (int i = 0; i < 3; i++) whole("a number", UINT32_MAX);
    }
  }
}

void Parser::pragma() {
  take();
  do {
    if (peek().kind != Token::quoted) unexpected("a text");
    take();
  } while (accept(","));
  expect(";");
}

Module parse(std::string_view text, std::string_view file) { return Parser(text, file).run(); }

}  // namespace arr::host_kernels::ptx
