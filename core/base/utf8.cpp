// SPDX-License-Identifier: MIT
#include "base/utf8.h"

#include <algorithm>
#include <cstdint>

namespace arr {

namespace {

uint32_t byte_at(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

// The length of a character, from its first byte.
size_t announced(uint32_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

// The range of the second byte excludes overlong encodings, surrogates and numbers beyond Unicode.
bool second_fits(uint32_t first, uint32_t second) {
  const uint32_t min_second = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const uint32_t max_second = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= min_second && second <= max_second;
}

}  // namespace

size_t character_bytes(std::string_view text) noexcept {
  if (text.empty()) return 0;
  const uint32_t first = byte_at(text, 0);
  const size_t n = announced(first);
  if (n < 2) return n;
  if (n > text.size() || !second_fits(first, byte_at(text, 1))) return 0;
  for (size_t i = 2; i < n; ++i) {
    if (byte_at(text, i) >> 6 != 2) return 0;
  }
  return n;
}

std::string_view first_character(std::string_view text) noexcept {
  return text.substr(0, std::max<size_t>(character_bytes(text), 1));
}

std::string_view cut(std::string_view text, size_t max_size) noexcept {
  if (text.size() <= max_size) return text;
  size_t n = max_size;
  while (n > 0 && max_size - n < 3 && byte_at(text, n) >> 6 == 2) --n;
  // Text in which no character begins is not UTF-8; it is cut at any byte.
  return text.substr(0, byte_at(text, n) >> 6 == 2 ? max_size : n);
}

bool is_control(std::string_view c) noexcept {
  if (c.size() == 1) return byte_at(c, 0) < 0x20 || c[0] == 0x7f;
  // U+0080 to U+009F, one of which is a line end, and the line and paragraph separators.
  if (c.size() == 2) return byte_at(c, 0) == 0xc2 && byte_at(c, 1) < 0xa0;
  return c == "\u2028" || c == "\u2029";
}

void escape_byte(char byte, char* four) noexcept {
  const auto b = static_cast<unsigned char>(byte);
  four[0] = '\\';
  four[1] = 'x';
  four[2] = "0123456789abcdef"[b >> 4];
  four[3] = "0123456789abcdef"[b & 15];
}

std::string as_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t n = character_bytes(text);
    if (n == 0) {
      char escaped[4];
      escape_byte(text[0], escaped);
      out.append(escaped, sizeof escaped);
      n = 1;
    } else {
      out.append(text.substr(0, n));
    }
    text.remove_prefix(n);
  }
  return out;
}

}  // namespace arr
