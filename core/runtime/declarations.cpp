// SPDX-License-Identifier: MIT
#include "runtime/declarations.h"

#include <algorithm>
#include <map>

#include "base/source_outline.h"

namespace arr {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Tokens outside of directives.
std::vector<Token> code_of(std::string_view source) {
  std::vector<Token> tokens = tokenize(source);
  std::erase_if(tokens, [](const Token& t) { return t.in_directive; });
  return tokens;
}

class Scan : private SourceOutline {
 public:
  explicit Scan(std::string_view source) : SourceOutline(code_of(source)) {}

  Declarations run() {
    for (at_ = 0; at_ < size(); ++at_) {
      const std::string_view w = word(at_);
      if (w == "{") open();
      if (w == "}") close_scope();
      if (is_one_of(w, {"{", "}", ";"})) templates_.clear();
      if (w == "template" && word(at_ + 1) == "<") read_template();
      if (w == "__global__") kernel();
      if (is_one_of(w, {"__device__", "__constant__", "__managed__"})) variable();
    }
    return std::move(out_);
  }

 private:
  // Only braces of namespaces and extern "C" are entered.
  void open() {
    open_scope(at_);
    if (at_namespace_scope()) return;
    close_scope();
    at_ = close(at_);
  }

  // template <class T, int N = 3>
  void read_template() {
    templates_.clear();
    size_t i = at_ + 2;
    int depth = 1;
    std::string_view last;
    bool named = false;
    for (; i < size() && depth > 0; ++i) {
      const std::string_view w = word(i);
      if (w == "<") ++depth;
      if (w == ">") --depth;
      if (depth == 1 && w == "=") named = true;  // a default follows
      if (is_name(i) && depth == 1 && !named) last = w;
      if ((w == "," && depth == 1) || depth == 0) {
        templates_.emplace_back(last);
        last = {};
        named = false;
      }
    }
    at_ = i - 1;
  }

  void kernel() {
    const size_t i = parameter_list(at_);
    if (i == 0) return;
    DeclaredKernel k;
    k.name = qualified(word(i - 1));
    k.templates = templates_;
    const size_t end = close(i);
    std::string type;
    int depth = 0;
    bool value = false;  // after "="
    std::vector<std::string_view> words;
    for (size_t j = i + 1; j <= end && j < size(); ++j) {
      const std::string_view w = word(j);
      if (j == end || (w == "," && depth == 0)) {
        if (!words.empty()) k.params.push_back(spelled(words));
        words.clear();
        value = false;
        continue;
      }
      if (is_one_of(w, {"(", "[", "{", "<"})) ++depth;
      if (is_one_of(w, {")", "]", "}", ">"})) --depth;
      if (w == "=" && depth == 0) value = true;
      if (!value) words.push_back(w);
    }
    if (k.params.size() == 1 && k.params[0] == "void") k.params.clear();
    out_.kernels.push_back(std::move(k));
    at_ = end;
  }

  static std::string spelled(const std::vector<std::string_view>& words) {
    std::string out;
    for (std::string_view w : words) {
      if (!out.empty()) out += ' ';
      out.append(w);
    }
    return out;
  }

  void variable() {
    if (!templates_.empty()) return;
    for (size_t i = at_ + 1; i < size(); i = next(i)) {
      const std::string_view w = word(i);
      if (is_one_of(w, {"(", "__global__", "struct", "class", "operator", "constexpr"})) {
        return;
      }
      if (is_one_of(w, {";", "=", "[", "{"})) {
        out_.variables = out_.variables || is_name(i - 1);
        return;
      }
    }
  }

  size_t at_ = 0;
  std::vector<std::string> templates_;
  Declarations out_;
};

// The dtype of "unsigned long long", "const float", "int32_t".
DType dtype_of(std::vector<std::string_view> words) {
  static const auto& named = *new std::map<std::string_view, DType>{
      // never destroyed
      {"bool", DType::bool_},       {"float", DType::float32_},
      {"double", DType::float64_},  {"int8_t", DType::int8_},
      {"int16_t", DType::int16_},   {"int32_t", DType::int32_},
      {"int64_t", DType::int64_},   {"uint8_t", DType::uint8_},
      {"uint16_t", DType::uint16_}, {"uint32_t", DType::uint32_},
      {"uint64_t", DType::uint64_}, {"size_t", DType::uint64_},
      {"ptrdiff_t", DType::int64_}, {"__half", DType::float16_},
      {"half", DType::float16_},    {"__nv_bfloat16", DType::bfloat16_}};
  if (words.size() == 1) {
    if (const auto at = named.find(words[0]); at != named.end()) return at->second;
  }
  int longs = 0;
  bool is_unsigned = false, is_short = false, is_char = false, any = false;
  for (std::string_view w : words) {
    if (!is_one_of(w, {"int", "long", "short", "char", "unsigned", "signed"})) return DType::none;
    any = true;
    longs += w == "long" ? 1 : 0;
    is_unsigned = is_unsigned || w == "unsigned";
    is_short = is_short || w == "short";
    is_char = is_char || w == "char";
  }
  if (!any) return DType::none;
  if (is_char) return is_unsigned ? DType::uint8_ : DType::int8_;
  if (is_short) return is_unsigned ? DType::uint16_ : DType::int16_;
  if (longs > 0) return is_unsigned ? DType::uint64_ : DType::int64_;
  return is_unsigned ? DType::uint32_ : DType::int32_;
}

bool is_type_word(std::string_view w) {
  return is_one_of(w, {"int", "long", "short", "char", "unsigned", "signed"});
}

// A parameter, from its tokens, with template parameters replaced by their arguments.
KernelParam param_of(const std::string& spelling,
                     const std::map<std::string, std::string, std::less<>>& arguments) {
  std::vector<std::string_view> type;
  KernelParam p;
  int stars = 0;
  bool base_done = false, const_base = false;
  const std::vector<Token> tokens = tokenize(spelling);
  for (const Token& token : tokens) {
    const std::string_view w = token.text;
    if (is_one_of(w, {"&", "<", "(", ":", "::", "."})) return {};
    if (w == "[") {
      ++stars;
      break;
    }
    if (w == "*") {
      ++stars;
      base_done = true;
    } else if (w == "const") {
      const_base = const_base || stars == 0;
    } else if (is_one_of(w, {"volatile", "__restrict__", "__restrict", "restrict", "register",
                             "__grid_constant__"})) {
      continue;
    } else if (!base_done && (type.empty() || (is_type_word(type.back()) && is_type_word(w)))) {
      type.push_back(w);
    } else {
      base_done = true;  // the parameter's name
    }
  }
  if (type.empty()) return {};
  p.pointer = stars > 0;
  p.readonly = p.pointer && const_base && stars == 1;
  if (type.size() == 1) {
    if (const auto given = arguments.find(type[0]); given != arguments.end()) {
      // T may itself be a pointer or const.
      const KernelParam inner = param_of(given->second, {});
      if (inner.pointer) return stars == 0 ? inner : KernelParam{.bytes = 8, .pointer = true};
      p.dtype = inner.dtype;
      p.readonly = p.readonly || (p.pointer && given->second.find("const") != std::string::npos);
    } else {
      p.dtype = dtype_of(type);
    }
  } else {
    p.dtype = dtype_of(type);
  }
  if (stars > 1) p.dtype = DType::none;
  p.bytes = p.pointer ? 8 : p.dtype != DType::none ? item_size(p.dtype) : 0;
  return p;
}

// "fill<float, 3>": the kernel fill with template arguments.
struct Expression {
  std::string name;
  std::vector<std::string> arguments;
};
Expression expression_of(std::string_view text) {
  Expression e;
  int depth = 0;
  std::string word;
  for (char c : text) {
    if (depth == 0 && (c == '&' || c == ' ')) continue;
    if (c == '<' && depth++ == 0) {
      e.name = word;
      word.clear();
      continue;
    }
    if ((c == '>' && --depth == 0) || (c == ',' && depth == 1)) {
      e.arguments.push_back(word);
      word.clear();
      continue;
    }
    word += c;
  }
  if (e.name.empty()) e.name = word;
  return e;
}

bool same(const std::vector<KernelParam>& a, const std::vector<KernelParam>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const KernelParam& x, const KernelParam& y) {
    return x.bytes == y.bytes && x.dtype == y.dtype && x.pointer == y.pointer && x.readonly == y.readonly;
  });
}

}  // namespace

Declarations declarations_of(std::string_view source) { return Scan(source).run(); }

std::optional<std::vector<KernelParam>> parameters_of(const Declarations& declared, std::string_view name) {
  const Expression wanted = expression_of(name);
  std::optional<std::vector<KernelParam>> found;
  for (const DeclaredKernel& k : declared.kernels) {
    const std::string tail = "::" + wanted.name;
    if (k.name != wanted.name && !k.name.ends_with(tail)) continue;
    std::map<std::string, std::string, std::less<>> arguments;
    for (size_t i = 0; i < k.templates.size(); ++i) {
      // The compiler completes missing arguments with defaults.
      arguments[k.templates[i]] = i < wanted.arguments.size() ? wanted.arguments[i] : "?";
    }
    std::vector<KernelParam> params;
    for (const std::string& p : k.params) params.push_back(param_of(p, arguments));
    if (found && !same(*found, params)) return std::nullopt;
    found = std::move(params);
  }
  return found;
}

}  // namespace arr
