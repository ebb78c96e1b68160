// SPDX-License-Identifier: MIT
// Options that define macros, as CUDA's compilers accept them. Both backends and users' kernels apply them as
// lines after the project's own text, whose names they might replace.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace arr {

// The value of an option "-Xvalue", "-X value", "--name=value" or "--name value"; sets i to the last argument
// that was read.
inline bool take_value(const std::vector<std::string>& options, size_t& i, std::string_view brief,
                       std::string_view name, std::string& value) {
  const std::string& option = options[i];
  if (option == brief || option == name) {
    if (i + 1 >= options.size()) fail(ARR_E_ARGUMENT, "compiler option ", option, ": has no value");
    value = options[++i];
    return true;
  }
  if (option.starts_with(std::string(name) + "=")) {
    value = option.substr(name.size() + 1);
    return true;
  }
  if (brief.empty() || !option.starts_with(brief) || option.starts_with("--")) return false;
  value = option.substr(brief.size());
  return true;
}

// The line "#define N 4" or "#undef N" for -DN=4 or -UN; nullopt for other options.
inline std::optional<std::string> macro_line(const std::vector<std::string>& options, size_t& i) {
  std::string value;
  const bool defines = take_value(options, i, "-D", "--define-macro", value);
  if (!defines && !take_value(options, i, "-U", "--undefine-macro", value)) return std::nullopt;
  if (value.find('\n') != std::string::npos) {
    fail(ARR_E_ARGUMENT, "compiler option: a macro of more than one line");
  }
  if (!defines) return "#undef " + value + "\n";
  const size_t equals = value.find('=');
  if (equals == std::string::npos) return "#define " + value + " 1\n";
  value[equals] = ' ';
  return "#define " + value + "\n";
}

}  // namespace arr
