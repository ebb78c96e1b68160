// SPDX-License-Identifier: MIT
#include "runtime/nvtx.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace arr {

void nvtx_push(const char* name) noexcept { nvtxRangePushA(name); }
void nvtx_pop() noexcept { nvtxRangePop(); }
void nvtx_mark(const char* name) noexcept { nvtxMarkA(name); }

}  // namespace arr
#else
namespace arr {

void nvtx_push(const char*) noexcept {}
void nvtx_pop() noexcept {}
void nvtx_mark(const char*) noexcept {}

}  // namespace arr
#endif
