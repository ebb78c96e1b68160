// SPDX-License-Identifier: MIT
// Constants of the ZIP format (APPNOTE.TXT 6.3): signatures, sizes and offsets of fields, which are
// little-endian.
#pragma once

#include <cstdint>
#include <string>

namespace arr::io::zip {

inline constexpr uint32_t local_signature = 0x04034b50, central_signature = 0x02014b50;
inline constexpr uint32_t end_signature = 0x06054b50, end64_signature = 0x06064b50;
inline constexpr uint32_t locator_signature = 0x07064b50;
inline constexpr int64_t local_bytes = 30, central_bytes = 46, end_bytes = 22, end64_bytes = 56,
                         locator_bytes = 20;
inline constexpr uint16_t stored = 0, deflated = 8;
inline constexpr uint16_t encrypted = 1, utf8_name = 1 << 11;  // flags
inline constexpr uint16_t version64 = 45;                      // version needed to read 64-bit sizes
inline constexpr uint16_t extra64 = 1;                         // id of the extra field with 64-bit sizes
inline constexpr uint32_t in_extra = 0xffffffff;               // marks a size that is in the extra field
inline constexpr uint16_t in_end64 = 0xffff;       // marks a count that is in the 64-bit end record
inline constexpr uint16_t first_day = 1 << 5 | 1;  // 1 January 1980

template <class T>
T field(const char* at) noexcept {
  T value;
  __builtin_memcpy(&value, at, sizeof value);
  return value;
}
template <class T>
void append(std::string* out, T value) {
  out->append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace arr::io::zip
