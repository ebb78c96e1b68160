// SPDX-License-Identifier: MIT
#include "hostcuda/source/half_types.h"

#include <algorithm>
#include <set>

#include "base/lexer.h"
#include "half_functions_text.h"
#include "half_text.h"
#include "half_type_text.h"
#include "hostcuda/source/keywords.h"

namespace arr::host_kernels {
namespace {

struct Identifiers {
  std::set<std::string_view> all;
  bool pasted = false;  // a macro may make any other of them

  explicit Identifiers(std::string_view text) : pasted(text.find("##") != std::string_view::npos) {
    for (const Token& t : tokenize(text))
      if (t.kind == TokenKind::identifier) all.insert(t.text);
  }
  [[nodiscard]] bool begins(std::string_view prefix) const {
    const auto at = all.lower_bound(prefix);
    return at != all.end() && starts_with(*at, prefix);
  }
  [[nodiscard]] bool has_half() const {
    return std::any_of(all.begin(), all.end(), [](std::string_view w) {
      return w.find("half") != std::string_view::npos || w.find("FP16") != std::string_view::npos;
    });
  }
};

// True if one of the names after "//@ " is a prefix of an identifier.
bool wanted(std::string_view names, const Identifiers& words) {
  while (!names.empty()) {
    const size_t end = std::min(names.find(' '), names.size());
    if (end > 0 && words.begins(names.substr(0, end))) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

// half_functions.h without the parts that no word asks for.
std::string functions(const Identifiers& words) {
  constexpr std::string_view mark = "\n//@";
  std::string_view rest = half_functions_text;
  std::string out;
  for (bool keep = true;;) {
    const size_t end = std::min(rest.find(mark), rest.size());
    if (keep) out.append(rest.substr(0, end));
    if (end == rest.size()) return out;
    rest.remove_prefix(end + mark.size());
    const std::string_view names = rest.substr(0, std::min(rest.find('\n'), rest.size()));
    keep = names.empty() || words.pasted || wanted(names, words);
    rest.remove_prefix(names.size());
  }
}

}  // namespace

std::string half_types_shim(const Source& source, std::string_view named) {
  if (!source.half) return {};
  const std::string text = std::string(source.text).append("\n").append(named);
  const Identifiers words(text);
  std::string out(half_text);
  const bool half =
      !source.bfloat || words.pasted || words.has_half() ||
      source.components.count(ShimComponent::fp8) + source.components.count(ShimComponent::ptx_half) != 0;
  out += half ? "#define ARR_HALF 1\n" : "";
  for (const char* type : {"0", "1"}) {
    if (type[0] == '0' ? !half : !source.bfloat) continue;
    out.append("#undef ARR_16\n#define ARR_16 ").append(type).append("\n").append(half_type_text);
    out += functions(words);
  }
  return out;
}

}  // namespace arr::host_kernels
