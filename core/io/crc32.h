// SPDX-License-Identifier: MIT
// The checksum of ZIP archives.
#pragma once

#include <cstdint>

namespace arr::io {

// CRC-32 (IEEE 802.3) of the bytes before, of which `so_far` is the checksum (0 at first), and these.
uint32_t crc32(uint32_t so_far, const void* bytes, int64_t n) noexcept;

}  // namespace arr::io
