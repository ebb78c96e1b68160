/* SPDX-License-Identifier: MIT */
/* log.h - log messages about events that no call returns. */
#ifndef ARR_LOG_H
#define ARR_LOG_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARR_LOG_DEBUG 1   /* compiled kernels with their times; hits and misses of the cache */
#define ARR_LOG_INFO 2    /* opened libraries and why others are not; the selected device */
#define ARR_LOG_WARNING 3 /* degraded operation: a cache that cannot be used, a device that is lost */

/** Installs a log callback. libarr logs nowhere else. Messages before the first call are lost; without a callback
 *  logging costs nothing. Libraries are opened once per process, so install the callback first.
 *
 *  Only one callback is installed at a time: another call replaces it, and arr_log_set(0, NULL, NULL, NULL) removes it.
 *  The callback runs on the thread that logs, on several threads at once, and while the library holds locks: it must
 *  return soon and must not call libarr, except for this function.
 *  @param level  ARR_LOG_..., the lowest level that is logged; ignored if log is NULL
 *  @param[in,null] log  called as log(ctx, level, line), where line is one line of UTF-8 text without a line end, valid
 *      until the callback returns; NULL removes the callback, and drop is then not called
 *  @param[in,null] drop  called once as drop(ctx) when the callback has been replaced and does not run any more; may be
 *      NULL
 *  @param[in,null] ctx  passed to both
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY; on failure nothing changes and drop is not called
 *  @sync no */
ARR_API arr_status arr_log_set(int32_t level, void (*log)(void *ctx, int32_t level, const char *line),
                               void (*drop)(void *ctx), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
