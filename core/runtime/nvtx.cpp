// SPDX-License-Identifier: MIT
#include "runtime/nvtx.h"

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>

namespace arr {

namespace {

nvtxEventAttributes_t attributes(const char* name, uint32_t color) noexcept {
  nvtxEventAttributes_t a = {};
  a.version = NVTX_VERSION;
  a.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  a.messageType = NVTX_MESSAGE_TYPE_ASCII;
  a.message.ascii = name;
  if (color != 0) {
    a.colorType = NVTX_COLOR_ARGB;
    a.color = color;
  }
  return a;
}

}  // namespace

void nvtx_push(const char* name, uint32_t color) noexcept {
  const nvtxEventAttributes_t a = attributes(name, color);
  nvtxRangePushEx(&a);
}
void nvtx_pop() noexcept { nvtxRangePop(); }
void nvtx_mark(const char* name, uint32_t color) noexcept {
  const nvtxEventAttributes_t a = attributes(name, color);
  nvtxMarkEx(&a);
}
uint64_t nvtx_start(const char* name, uint32_t color) noexcept {
  const nvtxEventAttributes_t a = attributes(name, color);
  return nvtxRangeStartEx(&a);
}
void nvtx_end(uint64_t id) noexcept { nvtxRangeEnd(id); }

}  // namespace arr
#else
namespace arr {

void nvtx_push(const char*, uint32_t) noexcept {}
void nvtx_pop() noexcept {}
void nvtx_mark(const char*, uint32_t) noexcept {}
uint64_t nvtx_start(const char*, uint32_t) noexcept { return 0; }
void nvtx_end(uint64_t) noexcept {}

}  // namespace arr
#endif
