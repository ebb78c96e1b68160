/* SPDX-License-Identifier: MIT */
/* nvtx_listener.c - in the place of one of NVIDIA's tools: writes down what NVTX tells it, a line per call.
 */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <string.h>

static char lines[4096];
static nvtxRangeId_t ranges = 40;

static void note(const char* what, const char* name, unsigned color) {
  const size_t used = strlen(lines);
  snprintf(lines + used, sizeof lines - used, "%s %s %08x\n", what, name, color);
}
static void note_attributes(const char* what, const nvtxEventAttributes_t* a) {
  const int fits = a->version == NVTX_VERSION && a->size >= 48 && a->messageType == NVTX_MESSAGE_TYPE_ASCII;
  note(what, fits ? a->message.ascii : "?", a->colorType == NVTX_COLOR_ARGB ? a->color : 0);
}

static void NVTX_API mark(const nvtxEventAttributes_t* a) { note_attributes("mark", a); }
static int NVTX_API push(const nvtxEventAttributes_t* a) {
  note_attributes("push", a);
  return 0;
}
static int NVTX_API pop(void) {
  note("pop", "-", 0);
  return 0;
}
static nvtxRangeId_t NVTX_API start(const nvtxEventAttributes_t* a) {
  note_attributes("start", a);
  return ++ranges;
}
static void NVTX_API end(nvtxRangeId_t id) { note("end", "-", (unsigned)id); }

#define ARR_SHOWN __attribute__((visibility("default")))

/* The function that NVTX calls when the library has been named in NVTX_INJECTION64_PATH. */
ARR_SHOWN int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get);
ARR_SHOWN int NVTX_API InitializeInjectionNvtx2(NvtxGetExportTableFunc_t get) {
  const NvtxExportTableCallbacks* callbacks = get(NVTX_ETID_CALLBACKS);
  NvtxFunctionTable table = NULL;
  unsigned size = 0;
  if (callbacks == NULL || !callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size)) return 0;
  if (size <= NVTX_CBID_CORE_RangePop) return 0;
  *table[NVTX_CBID_CORE_MarkEx] = (NvtxFunctionPointer)mark;
  *table[NVTX_CBID_CORE_RangeStartEx] = (NvtxFunctionPointer)start;
  *table[NVTX_CBID_CORE_RangeEnd] = (NvtxFunctionPointer)end;
  *table[NVTX_CBID_CORE_RangePushEx] = (NvtxFunctionPointer)push;
  *table[NVTX_CBID_CORE_RangePop] = (NvtxFunctionPointer)pop;
  return 1;
}

ARR_SHOWN const char* arr_nvtx_lines(void);
ARR_SHOWN const char* arr_nvtx_lines(void) { return lines; }
