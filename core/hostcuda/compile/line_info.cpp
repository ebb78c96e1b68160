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
struct Place {
  std::string file;
  int line = 0;
};
Place place_of(const std::string& text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {};
  Place place{text.substr(0, colon), 0};
  place.file.erase(0, place.file.rfind('/') + 1);
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  return place;
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
    const Place place = place_of(line);
    if (place.line <= 0 || place.file == "arr_shim" || place.file == entries_file ||
        place.file == "kernel.cpp")
      continue;
    if (place.file == source_file) return text(" in line ", place.line);
    return text(" in ", place.file, ":", place.line);
  }
  return "";
}

}  // namespace arr::host_kernels
