// SPDX-License-Identifier: MIT
#include "hostcuda/source/source.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/source_outline.h"
#include "hostcuda/source/asm_statement.h"
#include "hostcuda/source/headers.h"
#include "hostcuda/source/keywords.h"

namespace arr::host_kernels {
namespace {

struct Unsupported {
  std::string_view what, spelling, sentence;
};
constexpr Unsupported unsupported[] = {
#define X(what, spelling, sentence) {#what, spelling, sentence},
#include "hostcuda/source/unsupported.def"
#undef X
};

class Pass : private SourceOutline {
 public:
  explicit Pass(std::string_view text) : SourceOutline(tokenize(text)), text_(text) {}

  Source run() {
    for (at_ = 0; at_ < size(); at_++) visit();
    if (volatile_shared_ && out_.syncs && !warp_sync_)
      out_.warnings +=
          "warning: volatile __shared__ without __syncwarp() relies on lock-step warps, which is undefined "
          "since Volta and wrong on the host\n";
    if (quasi_ && out_.components.count(ShimComponent::curand) != 0)
      out_.components.insert(ShimComponent::curand_quasi);
    out_.text = edited();
    return std::move(out_);
  }

 private:
  struct Edit {
    size_t offset, length;
    std::string replacement;
  };

  void replace(size_t first, size_t last, std::string replacement) {  // tokens first..last
    const size_t begin = token(first).offset, end = token(last).offset + token(last).text.size();
    const auto lines = std::count(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                  text_.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    const bool continued = token(first).in_directive && !token(first).starts_line;  // in the text of a macro
    for (auto i = lines; i > 0; i--) replacement += continued ? "\\\n" : "\n";
    edits_.push_back({begin, end - begin, std::move(replacement)});
  }
  [[noreturn]] void reject(size_t i, std::string_view sentence) const {
    fail(ARR_E_COMPILE, source_file, ":", token(i).line, ": ", sentence);
  }

  void visit() {
    const Token& t = token(at_);
    if (t.in_directive && t.starts_line) return directive();
    if (t.kind == TokenKind::punctuation) return punctuation(t);
    if (t.kind != TokenKind::identifier) return;
    const std::string_view w = t.text;
    if (is_sync(w)) {
      out_.syncs = true;
      if (w != "__syncthreads") warp_sync_ = true;
    }
    out_.textures = out_.textures || is_texture(w);
    out_.special = out_.special || is_special(w);
    if (is_quasi_state(w)) quasi_state(w);
    out_.extremes = out_.extremes || is_extreme(w);
    if (w == "new" || w == "delete") out_.allocates = true;
    if (w == "new" || w == "malloc" || w == "calloc" || w == "aligned_alloc") out_.heap = true;
    if (w == "template" && explicit_instantiation()) return;
    if (w == "template" && !t.in_directive) in_template_ = true;
    if (w == "extern" && dynamic_shared()) return;
    if (w == "__shared__") shared();
    if (!t.in_directive) {
      if (w == "__global__") kernel();
      if (w == "__device__" || w == "__constant__" || w == "__managed__") variable();
    }
    if (w == "asm" || w == "__asm__" || w == "__asm") return inline_ptx();
    poison(w);
  }

  void quasi_state(std::string_view w) {
    out_.special = true;
    quasi_ = true;
    if (starts_with(w, "curandStateMtgp")) out_.syncs = true;  // a block draws together
  }

  void inline_ptx() {
    const AsmStatement found = asm_statement(*this, at_, text_);
    if (found.last == at_) return;
    if (!found.refused.empty()) {
      edits_.push_back({token(at_).offset, 0,
                        error("inline PTX has no host form (" + found.refused +
                              "); guard it with #ifndef __ARR_HOST__ or run on a GPU")});
      return;
    }
    out_.components.insert(ShimComponent::ptx);
    out_.components.insert(found.ptx.components.begin(), found.ptx.components.end());
    if (found.ptx.half) {
      out_.half = out_.bfloat = true;
      out_.components.insert(ShimComponent::ptx_half);
    }
    if (found.ptx.syncs) out_.syncs = warp_sync_ = true;
    replace(at_, found.last, found.ptx.code);
    at_ = found.last;
  }

  void punctuation(const Token& t) {
    const char c = t.text[0];
    if (c == '<' && word(at_ + 1) == "<" && word(at_ + 2) == "<" && token(at_ + 2).offset == t.offset + 2) {
      edits_.push_back({t.offset, 0, error("kernels cannot launch kernels on the host (<<<)")});
      at_ += 2;
    }
    if (t.in_directive) return;
    if (c == '{') open_scope(at_);
    if (c == '}') close_scope();
    if (c == '{' || c == '}' || c == ';') in_template_ = false;
  }

  void directive() {
    const std::string_view name = word(at_ + 1);
    if (name == "include") include();
    if (name == "pragma" && word(at_ + 2) == "unroll") unroll();
  }

  // The whole line of the directive at at_ becomes `replacement`; goes to its last token.
  void replace_line(std::string replacement) {
    size_t last = at_;
    while (last + 1 < size() && token(last + 1).in_directive && !token(last + 1).starts_line) last++;
    replace(at_, last, std::move(replacement));
    at_ = last;
  }

  void include() {
    const std::string header = included(text_, *this, at_).name;
    if (!is_header_of_ours(header)) {
      if (!header.empty()) out_.includes.push_back(header);
      // Its words are a path, not code.
      while (at_ + 1 < size() && token(at_ + 1).in_directive && !token(at_ + 1).starts_line) at_++;
      return;
    }
    if (add_component(header)) return replace_line("");
    for (const auto& row : unsupported)
      if (row.what == "header" && starts_with(header, row.spelling)) {
        out_.absent.push_back("the header " + header + " is not read on the host: " + sentence(row, header));
        return replace_line("");
      }
    if (is_half(header)) {
      out_.half = true;
      out_.bfloat = out_.bfloat || is_bfloat(header);
      return replace_line("");
    }
    if (is_complex(header)) {
      out_.complex = true;
      return replace_line("");
    }
    if (is_groups(header)) {
      out_.groups = out_.syncs = warp_sync_ = true;  // their functions synchronise
      return replace_line("");
    }
    replace_line("");
  }

  // Adds the component of the shim that stands for a header; false: there is none.
  bool add_component(const std::string& header) {
    const ComponentHeader* found = component_of(header);
    if (found == nullptr) return false;
    out_.components.insert(found->component);
    if (found->halves) out_.half = out_.bfloat = true;
    if (found->syncs) out_.syncs = warp_sync_ = true;
    if (found->component == ShimComponent::standard) out_.includes.push_back(header);
    return true;
  }

  // GCC wants a literal count; without one: 16, complete for the usual tile and warp loops. Other counts are
  // constants of the source, which it cannot read here; the hint is dropped.
  void unroll() {
    size_t i = at_ + 3;
    if (word(i) == "(") i++;
    const bool bare = i >= size() || !token(i).in_directive || token(i).starts_line;
    const bool literal = !bare && token(i).kind == TokenKind::number;
    const std::string count = bare ? "16" : literal ? std::string(word(i)) : "";
    replace_line(count.empty() ? "" : "ARR_UNROLL(" + count + ")");
  }

  static std::string sentence(const Unsupported& row, std::string_view found) {
    std::string s(row.sentence);
    const size_t hole = s.find("%s");
    if (hole != std::string::npos) s.replace(hole, 2, found);
    return s;
  }
  static std::string error(const std::string& s) {
    return " _Pragma(\"GCC error \\\"" + std::string(unsupported_mark) + s + "\\\"\") ";
  }

  void poison(std::string_view w) {
    // Types and conversions, whose headers the compiler will ask for.
    for (const char* own : {"__nv_bfloat16", "__nv_fp8", "__nv_cvt_"})
      if (starts_with(w, own)) return;
    const std::string_view next = word(at_ + 1);
    for (const auto& row : unsupported) {
      const bool word = row.what == "word" && w == row.spelling,
                 prefix =
                     row.what == "prefix" && starts_with(w, row.spelling) && (next == "(" || next == "<"),
                 type = row.what == "template" && w == row.spelling && next == "<" && at_namespace_scope();
      if (!word && !prefix && !type) continue;
      edits_.push_back({token(at_).offset, 0, error(sentence(row, w))});
      return;
    }
  }

  // template __global__ void f<float>(float*);  It is dropped: a template's kernels are made when they are
  // asked for, and inline functions, which kernels are here, cannot be instantiated so.
  bool explicit_instantiation() {
    if (token(at_).in_directive || word(at_ + 1) == "<") return false;
    size_t i = at_ + 1;
    bool ours = false;
    for (; i < size() && word(i) != ";" && word(i) != "{" && word(i) != "}"; i++)
      ours = ours || word(i) == "__global__" || word(i) == "__device__";
    if (!ours || word(i) != ";") return false;
    replace(at_, i, "");
    at_ = i;
    return true;
  }

  // extern ... __shared__ T name[] ...;  True when it was one and is rewritten.
  bool dynamic_shared() {
    size_t i = at_ + 1, mark = 0;
    for (; i < size() && word(i) != ";" && word(i) != "{" && word(i) != "}"; i++)
      if (word(i) == "__shared__") mark = i;
    if (mark == 0 || word(i) != ";") return false;
    std::string type, alignment, bounds, name;
    for (size_t k = at_ + 1; k < i; k++) {
      const std::string_view w = word(k);
      if (w == "__shared__" || w == "__device__") continue;
      if (w == "__align__" || w == "alignas" || w == "__attribute__") {
        k = close(k + 1);
      } else if (w == "[") {
        const size_t end = close(k);
        for (; k <= end; k++) bounds += word(k);
        k--;
      } else {
        if (!name.empty()) type += name + " ";
        name = w;
      }
    }
    if (!starts_with(bounds, "[]") || type.empty() || token(i - 1).text != "]")
      reject(at_,
             "extern __shared__ must declare one array of unknown size, as in extern __shared__ float s[];");
    if (at_namespace_scope()) {
      out_.namespace_dynamic_shared = true;
      replace(at_, i, "extern __thread " + type + name + bounds + " ARR_DYNAMIC;");
    } else {
      replace(at_, i,
              type + "(&" + name + ")" + bounds + " = *reinterpret_cast<" + type + "(*)" + bounds +
                  ">(arr_dynamic);");
    }
    at_ = i;
    return true;
  }

  // alignas is allowed only before a declaration, __attribute__ also after the storage class.
  void shared() {
    for (size_t i = at_; i > 0 && word(i - 1) != ";" && word(i - 1) != "{" && word(i - 1) != "}"; i--)
      if (word(i - 1) == "volatile") volatile_shared_ = true;
    if (word(at_ + 1) == "volatile") volatile_shared_ = true;
    if (word(at_ + 1) != "alignas") return;
    edits_.push_back({token(at_ + 1).offset, 7, "__align__"});
  }

  void kernel() {
    if (!at_namespace_scope()) return;
    const size_t i = parameter_list(at_);
    if (i == 0) return;
    SourceKernel found{qualified(word(i - 1)), in_template_, false};
    const size_t end = close(i);
    if (word(end + 1) == "{") {
      const size_t body_end = close(end + 1);
      for (size_t k = end; k < body_end; k++) found.syncs = found.syncs || is_sync(word(k));
    }
    for (SourceKernel& known : out_.kernels)
      if (known.name == found.name) {
        known.syncs = known.syncs || found.syncs;
        return;
      }
    out_.kernels.push_back(std::move(found));
  }

  void variable() {
    if (!at_namespace_scope() || in_template_) return;
    size_t i = at_ + 1;
    while (i < size() && std::string_view("(;=[{").find(word(i)) == std::string_view::npos) {
      if (word(i) == "__global__" || word(i) == "__device__" || word(i) == "__constant__") return;
      i = next(i);
    }
    if (i >= size() || word(i) == "(" || !is_name(i - 1)) return;
    for (size_t k = at_; k < i; k++)
      if (word(k) == "struct" || word(k) == "operator" || word(k) == "class" || word(k) == "constexpr")
        return;
    add_variable(word(i - 1));
    for (int depth = 0; i < size() && (depth > 0 || word(i) != ";"); i++) {  // a, b[2] = {1, 2}, c
      const std::string_view w = word(i);
      if (w == "(" || w == "[" || w == "{") depth++;
      if (w == ")" || w == "]" || w == "}") depth--;
      if (depth > 0 || w != ",") continue;
      while (word(i + 1) == "*") i++;
      add_variable(word(i + 1));
    }
  }

  void add_variable(std::string_view name) {
    std::string full = qualified(name);
    if (std::find(out_.variables.begin(), out_.variables.end(), full) == out_.variables.end())
      out_.variables.push_back(std::move(full));
  }

  std::string edited() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
    std::string result;
    size_t from = 0;
    for (const Edit& edit : edits_) {
      if (edit.offset < from) continue;  // inside a declaration that was rewritten as a whole
      result.append(text_.substr(from, edit.offset - from)).append(edit.replacement);
      from = edit.offset + edit.length;
    }
    return result.append(text_.substr(from));
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Edit> edits_;
  bool in_template_ = false, volatile_shared_ = false, warp_sync_ = false, quasi_ = false;
  Source out_;
};

}  // namespace

Source read_source(std::string_view text) { return Pass(text).run(); }

bool is_header_of_ours(std::string_view header) {
  const bool refused = std::any_of(std::begin(unsupported), std::end(unsupported), [&](const auto& row) {
    return row.what == "header" && starts_with(header, row.spelling);
  });
  return is_header_of_cuda(header) && (refused || component_of(header) != nullptr || is_half(header) ||
                                       is_complex(header) || is_groups(header) || is_provided(header));
}

}  // namespace arr::host_kernels
