// SPDX-License-Identifier: MIT
// Ranges and marks for NVIDIA's tools, where the toolkit's header was there at build time; else they do
// nothing.
#pragma once

namespace arr {

void nvtx_push(const char* name) noexcept;
void nvtx_pop() noexcept;
void nvtx_mark(const char* name) noexcept;

}  // namespace arr
