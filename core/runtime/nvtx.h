// SPDX-License-Identifier: MIT
// Ranges and marks for NVIDIA's tools. Without the toolkit's header at build time they do nothing. Colours
// are 0xAARRGGBB, 0 for none.
#pragma once

#include <cstdint>

namespace arr {

void nvtx_push(const char* name, uint32_t color) noexcept;
void nvtx_pop() noexcept;
void nvtx_mark(const char* name, uint32_t color) noexcept;
// A range that any thread may end, by the number that start returned.
uint64_t nvtx_start(const char* name, uint32_t color) noexcept;
void nvtx_end(uint64_t id) noexcept;

}  // namespace arr
