// SPDX-License-Identifier: MIT
#include "hostcuda/source/asm_statement.h"

#include <vector>

namespace arr::host_kernels {
namespace {

// The text that a string literal stands for; false for raw strings and others with a prefix.
bool decode(std::string_view literal, std::string& out) {
  if (literal.size() < 2 || literal[0] != '"') return false;
  for (size_t i = 1; i + 1 < literal.size(); i++) {
    if (literal[i] != '\\') {
      out += literal[i];
      continue;
    }
    const char c = literal[++i];
    if (c != '\n') out += c == 'n' || c == 't' || c == 'r' ? ' ' : c;
    if (c == 'n') out.back() = '\n';
  }
  return true;
}

class Reader {
 public:
  Reader(const SourceOutline& source, size_t at, std::string_view text) : s_(source), at_(at), text_(text) {}

  AsmStatement run() {
    AsmStatement out;
    out.last = at_;
    size_t i = at_ + 1;
    while (s_.word(i) == "volatile" || s_.word(i) == "__volatile__") i++;
    if (s_.word(i) == "goto") {
      out.refused = "asm goto";
      out.last = i;
      return out;
    }
    if (s_.word(i) != "(") return out;
    const size_t end = s_.close(i);
    if (end >= s_.size()) return out;
    out.last = end;
    PtxStatement ptx;
    for (i++; i < end && s_.token(i).kind == TokenKind::literal; i++)
      if (!decode(s_.token(i).text, ptx.text)) out.refused = "a raw string";
    if (i < end && s_.word(i) != ":") out.refused = "a text that a macro makes";
    // Sections: outputs, inputs, clobbers. "::" is two colons.
    for (int section = 0; i < end && section < 2 && out.refused.empty(); section++) {
      i++;
      if (!operands(i, end, section == 0 ? ptx.outputs : ptx.inputs)) out.refused = "its operands";
    }
    if (out.refused.empty()) {
      out.ptx = translate_ptx(ptx);
      out.refused = out.ptx.refused;
    }
    return out;
  }

 private:
  // "=r"(x), [name] "r"(y): up to the next colon, where `i` then is.
  bool operands(size_t& i, size_t end, std::vector<PtxOperand>& to) {
    while (i < end && s_.word(i) != ":") {
      if (s_.word(i) == ",") {
        i++;
        continue;
      }
      PtxOperand o;
      if (s_.token(i).kind != TokenKind::literal || !decode(s_.token(i).text, o.constraint)) return false;
      const size_t open = i + 1;
      if (s_.word(open) != "(") return false;
      const size_t close = s_.close(open);
      if (close >= end) return false;
      const size_t from = s_.token(open).offset, to_offset = s_.token(close).offset + 1;
      o.expression = text_.substr(from, to_offset - from);
      to.push_back(std::move(o));
      i = close + 1;
    }
    return true;
  }

  const SourceOutline& s_;
  size_t at_;
  std::string_view text_;
};

}  // namespace

AsmStatement asm_statement(const SourceOutline& source, size_t at, std::string_view text) {
  return Reader(source, at, text).run();
}

}  // namespace arr::host_kernels
