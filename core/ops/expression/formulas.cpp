// SPDX-License-Identifier: MIT
// Keeps formulas that were parsed, by their texts.
#include <string>
#include <unordered_map>

#include "base/fork.h"
#include "ops/expression/expression.h"

namespace arr {

namespace {

struct TextHash {
  using is_transparent = void;
  size_t operator()(std::string_view s) const noexcept { return std::hash<std::string_view>()(s); }
};

// Programs use a few texts, or very many if they write numbers into them: then all are forgotten at times.
constexpr size_t max_formulas = 1024;
struct Formulas {
  ProcessMutex mutex;
  std::unordered_map<std::string, Formula, TextHash, std::equal_to<>> by_text;
};
Formulas& formulas() {
  static auto* f = new Formulas;
  return *f;
}

}  // namespace

Formula formula_of(std::string_view text) {
  Formulas& all = formulas();
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.by_text.find(text);
    if (found != all.by_text.end()) return found->second;
  }
  Formula made{make<Expression>(), 0};
  made.node = parse(*made.expression, text, {});
  const std::lock_guard lock(all.mutex);
  if (all.by_text.size() >= max_formulas) all.by_text.clear();
  return all.by_text.try_emplace(std::string(text), std::move(made)).first->second;
}

}  // namespace arr
