// SPDX-License-Identifier: MIT
#include "hostcuda/compile/line_info.h"

#include <charconv>
#include <sstream>

#include "base/error.h"
#include "hostcuda/compile/process.h"
#include "hostcuda/source/source.h"
#include "hostcuda/source/translation.h"

namespace arr::host_kernels {
namespace {

// "/tmp/x/kernel.cu:3 (discriminator 2)"
struct Location {
  std::string file;
  int line = 0;
};
Location location_of(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {};
  Location at{text.substr(0, colon), 0};
  at.file.erase(0, at.file.rfind('/') + 1);
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), at.line);
  return at;
}

}  // namespace

std::string line_text(std::string_view image, uint64_t offset) {
  // It comes with the assembler and the linker that the compiler needs.
  std::string reader = find_program("addr2line");
  if (reader.empty()) reader = find_program("llvm-addr2line");
  if (reader.empty()) return "";
  const PrivateDirectory directory;
  write_file(directory.path("kernel.so"), image);
  TextStream address;
  address << "0x" << std::hex << offset;
  const std::string output = directory.path("lines");
  if (run_program({reader, "-i", "-e", directory.path("kernel.so"), address.str()}, output) != 0) return "";
  // Innermost first: an access inside one of our functions is the user's by the line that called it.
  std::istringstream lines(read_file(output));
  lines.exceptions(std::ios_base::badbit);
  for (std::string line; std::getline(lines, line);) {
    const Location at = location_of(line);
    if (at.line <= 0 || at.file == "arr_shim" || at.file == entries_file || at.file == "kernel.cpp") continue;
    if (at.file == source_file) return text(" in line ", at.line);
    return text(" in ", at.file, ":", at.line);
  }
  return "";
}

}  // namespace arr::host_kernels
