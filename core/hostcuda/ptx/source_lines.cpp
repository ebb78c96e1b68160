// SPDX-License-Identifier: MIT
#include "hostcuda/ptx/source_lines.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace arr::host_kernels {
namespace {

constexpr std::string_view comment = "/* .loc ";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_-+.").find(c) != std::string_view::npos;
}

// The location in the comment that follows the #line directive; "" where there is none. An empty `file` is
// any.
std::string_view source_of(std::string_view translated, std::string_view file, std::string_view line) {
  size_t from = 0;
  if (!file.empty()) from = translated.find(text("#line 1 \"", file, "\"\n"));
  if (from == std::string_view::npos) return "";
  const std::string directive = text("#line ", line, "\n", comment);
  const size_t found = translated.find(directive, from);
  if (found == std::string_view::npos) return "";
  const std::string_view rest = translated.substr(found + directive.size());
  return rest.substr(0, rest.find(' '));
}

}  // namespace

std::string source_line_comment(std::string_view file, uint64_t line) {
  file = file.substr(file.find_last_of("/\\") + 1);
  while (!file.empty() && file.back() == '"') file.remove_suffix(1);
  while (!file.empty() && file.front() == '"') file.remove_prefix(1);
  if (file.empty() || !std::all_of(file.begin(), file.end(), is_plain)) return "";
  return text(comment, file, ":", line, " */ ");
}

std::string with_source_lines(std::string message, std::string_view translated) {
  if (translated.find(comment) == std::string_view::npos) return message;
  const bool deadlock = message.find("cannot go on:") != std::string::npos;  // its lines are all the PTX's
  constexpr std::string_view in = " in ", in_line = "line ";
  for (size_t at = 0; (at = message.find(in, at)) != std::string::npos;) {
    at += in.size();
    const bool plain = message.compare(at, in_line.size(), in_line) == 0;
    size_t name_end = at;
    while (name_end < message.size() && is_plain(message[name_end])) name_end++;
    if (plain ? !deadlock : name_end == message.size() || message[name_end] != ':') continue;
    const size_t first = plain ? at + in_line.size() : name_end + 1;
    size_t last = first;
    while (last < message.size() && is_digit(message[last])) last++;
    const std::string file = plain ? "" : message.substr(at, name_end - at);
    const std::string_view source =
        last > first ? source_of(translated, file, message.substr(first, last - first)) : "";
    if (!source.empty()) message.insert(last, text(" (", source, ")"));
    at = last;
  }
  return message;
}

}  // namespace arr::host_kernels
