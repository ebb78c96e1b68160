// SPDX-License-Identifier: MIT
// Recognises images by their magic numbers, and parses source positions in messages.
#include "runtime/module_image.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace arr {

namespace {

constexpr std::string_view elf = "\177ELF", fatbin = "\x50\xED\x55\xBA", fatbin_wrapper = "\xB1\x43\x62\x46",
                           ltoir = "\xED\x43\x4E\x7F", archive = "!<arch>\n";
constexpr uint16_t elf_cuda = 190;

}  // namespace

// PTX begins with its .version, after comments.
bool is_ptx(std::string_view s) {
  for (size_t at = 0; at < s.size();) {
    const std::string_view rest = s.substr(at);
    if (rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r') {
      ++at;
    } else if (rest.starts_with("//")) {
      at = std::min(s.find('\n', at), s.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = s.find("*/", at + 2);
      at = end == std::string_view::npos ? s.size() : end + 2;
    } else {
      return rest.starts_with(".version");
    }
  }
  return false;
}

namespace {

ImageKind kind_of(std::string_view s, const std::string& name) {
  if (s.starts_with(elf)) {
    uint16_t machine = 0;
    if (s.size() >= 20) std::memcpy(&machine, s.data() + 18, sizeof machine);
    if (machine == elf_cuda) return ImageKind::cubin;
    fail(ARR_E_ARGUMENT, "argument image: ", name, " is an object of a processor (ELF machine ", machine,
         "), expected CUDA C++ source, PTX, a cubin, a fatbin or LTO-IR");
  }
  if (s.starts_with(fatbin)) return ImageKind::fatbin;
  if (s.starts_with(fatbin_wrapper)) {
    fail(ARR_E_ARGUMENT, "argument image: ", name,
         " is the wrapper of a fatbin inside of a program, expected the fatbin that it points at");
  }
  if (s.starts_with(ltoir)) return ImageKind::ltoir;
  if (s.starts_with(archive)) return ImageKind::library;
  if (is_ptx(s)) return ImageKind::ptx;
  std::string_view text = s;
  while (text.ends_with('\0')) text.remove_suffix(1);
  if (text.find('\0') != std::string_view::npos) {
    fail(ARR_E_ARGUMENT, "argument image: ", name,
         " is neither text nor a known image (cubin, fatbin, LTO-IR)");
  }
  return ImageKind::source;
}

}  // namespace

ImageKind image_kind(std::string_view bytes, ImageKind said, const std::string& name) {
  if (bytes.empty()) fail(ARR_E_ARGUMENT, "argument image: ", name, " is empty");
  const ImageKind found = kind_of(bytes, name);
  if (said == ImageKind::automatic || said == found) return found;
  fail(ARR_E_ARGUMENT, "argument image: ", name, " is ", arr::name(found), ", but its kind says ",
       arr::name(said));
}

std::string line_of(std::span<const ModuleUnit> units, std::string_view message) {
  for (const ModuleUnit& u : units) {
    if ((u.kind != ImageKind::source && u.kind != ImageKind::ptx) || u.name.empty() ||
        !message.starts_with(u.name))
      continue;
    const size_t n = u.name.size();
    if (message.size() <= n || (message[n] != ':' && message[n] != '(')) continue;
    int64_t line = 0;
    std::from_chars(message.data() + n + 1, message.data() + message.size(), line);
    if (line < 1) continue;
    std::string_view rest = u.bytes;
    for (; line > 1; --line) {
      const size_t end = rest.find('\n');
      if (end == std::string_view::npos) return {};
      rest.remove_prefix(end + 1);
    }
    rest = rest.substr(0, rest.find('\n'));
    const size_t begin = rest.find_first_not_of(" \t\r"), end = rest.find_last_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    constexpr size_t longest = 120;
    return std::string(rest.substr(begin, std::min(end - begin + 1, longest)));
  }
  return {};
}

}  // namespace arr
