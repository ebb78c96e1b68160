// SPDX-License-Identifier: MIT
#include "hostcuda/source/merge.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/error.h"
#include "base/lexer.h"
#include "base/macros.h"
#include "base/source_outline.h"
#include "hostcuda/compile/process.h"
#include "hostcuda/source/headers.h"
#include "hostcuda/source/keywords.h"
#include "hostcuda/source/source.h"

namespace arr::host_kernels {
namespace {

bool is_file(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

// A path inside the quotes of #line.
std::string quoted(const std::string& name) {
  std::string out(1, '"');
  for (const char c : name) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  out += '"';
  return out;
}

bool is_include(const SourceOutline& outline, size_t i) {
  const Token& t = outline.token(i);
  return t.in_directive && t.starts_line && t.text == "#" && outline.word(i + 1) == "include";
}

// The text includes CUDA's own headers, such as cuda_runtime.h.
bool brings_cuda(std::string_view source) {
  constexpr std::string_view types[] = {"cuda", "builtin_types.h", "driver_types.h", "vector_types.h"};
  const SourceOutline outline(tokenize(source));
  for (size_t i = 0; i < outline.size(); i++)
    if (is_include(outline, i) && starts_with_any(included(source, outline, i).name, types)) return true;
  return false;
}

class Paste {
 public:
  explicit Paste(std::vector<std::string> folders) : folders_(std::move(folders)) {}

  // The text with the headers that are found in it; `folder` is the text's own.
  std::string expand(std::string_view source, const std::string& name, const std::string& folder) {
    std::string out;
    size_t from = 0;
    const SourceOutline outline(tokenize(source));
    for (size_t i = 0; i < outline.size(); i++) {
      if (!is_include(outline, i)) continue;
      const Included what = included(source, outline, i);
      const std::string path = is_header_of_ours(what.name) ? "" : find(what, folder);
      if (path.empty()) continue;
      const Token& t = outline.token(i);
      while (i + 1 < outline.size() && outline.token(i + 1).in_directive && !outline.token(i + 1).starts_line)
        i++;
      out.append(source.substr(from, t.offset - from)).append(header(path));
      from = std::min(source.find('\n', outline.token(i).offset), source.size());
      out += text("\n#line ", outline.token(i).line + 1, " ", quoted(name));
    }
    return out.append(source.substr(from));
  }

 private:
  [[nodiscard]] std::string find(const Included& what, const std::string& folder) const {
    if (what.name.empty()) return {};
    if (what.name[0] == '/') return is_file(what.name) ? what.name : "";
    if (what.quotes && !folder.empty() && is_file(folder + "/" + what.name)) return folder + "/" + what.name;
    // The system's own headers are for the compiler.
    for (const std::string& f : folders_)
      if (f != "/usr/include" && is_file(f + "/" + what.name)) return f + "/" + what.name;
    // But not those that bring the types that the shim has, as nccl.h does.
    for (const char* f : {"/usr/local/include/", "/usr/include/"})
      if (const std::string path = f + what.name; is_file(path))
        return brings_cuda(read_file(path)) ? path : "";
    return {};
  }

  std::string header(const std::string& path) {
    char* resolved = realpath(path.c_str(), nullptr);
    const std::string real = resolved != nullptr ? resolved : path;
    std::free(resolved);  // NOLINT: realpath allocates
    if (once_.count(real) != 0 || std::find(open_.begin(), open_.end(), real) != open_.end()) return "";
    constexpr size_t deepest = 64;
    if (open_.size() >= deepest)
      fail(ARR_E_COMPILE, path, ":1: headers include each other ", deepest, " deep");
    std::string content = read_file(path);
    const std::string mark = "#pragma once";
    if (const size_t at = content.find(mark); at != std::string::npos) {
      once_.insert(real);
      content.replace(at, mark.size(), mark.size(), ' ');
    }
    open_.push_back(real);
    std::string out = text("#line 1 ", quoted(path), "\n", expand(content, path, folder_of(path)));
    open_.pop_back();
    return out;
  }

  std::vector<std::string> folders_, open_;
  std::set<std::string> once_;
};

// Ends the macros that a text defines itself.
std::string undefine(std::string_view source) {
  std::set<std::string> names;
  const std::vector<Token> tokens = tokenize(source);
  for (size_t i = 0; i + 2 < tokens.size(); i++)
    if (tokens[i].in_directive && tokens[i].starts_line && tokens[i + 1].text == "define" &&
        tokens[i + 2].kind == TokenKind::identifier)
      names.emplace(tokens[i + 2].text);
  std::string out;
  for (const std::string& n : names) out += text("#undef ", n, "\n");
  return out;
}

}  // namespace

std::string merge_sources(std::span<const SourceUnit> units, const std::vector<std::string>& options) {
  std::vector<std::string> folders;
  std::string folder;
  for (size_t i = 0; i < options.size(); i++)
    if (take_value(options, i, "-I", "--include-path", folder)) folders.push_back(folder);
  Paste paste(folders);
  std::string out;
  for (const SourceUnit& u : units) {
    if (units.size() > 1 || u.name != source_file) out += text("#line 1 ", quoted(u.name), "\n");
    out += paste.expand(u.text, u.name, folder_of(u.name));
    if (units.size() > 1) out.append("\n").append(undefine(u.text));
  }
  return out;
}

}  // namespace arr::host_kernels
