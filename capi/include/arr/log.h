/* SPDX-License-Identifier: MIT */
/* log.h - what the library does that no call returns. */
#ifndef ARR_LOG_H
#define ARR_LOG_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ARR_LOG_DEBUG \
  1 /* kernels that are compiled, and how long it took; what is found on disk and what not */
#define ARR_LOG_INFO 2 /* libraries that are opened, or why not; the device that arr_device_select returns */
#define ARR_LOG_WARNING \
  3 /* what works less well than it could: a cache that cannot be used, a device that is lost */

/** Lets a function hear of what the library does. Nothing is written anywhere else, and nothing is logged before;
 *  while no function is set it costs nothing. Libraries are opened once for a process: set it first. There is one
 *  function; setting another, or NULL, ends the one before: arr_log_set(0, NULL, NULL, NULL).
 *
 *  It is called on the thread that has something to say, by several at once, with locks of the library held: it
 *  must return soon and call nothing of libarr but this.
 *  @param level  ARR_LOG_..., the least that is told; not looked at where log is NULL
 *  @param[in,null] log  called as log(ctx, level, line), where line is UTF-8 text without a line's end, valid until it
 *      returns; NULL for nothing, and drop is not called then
 *  @param[in,null] drop  called once as drop(ctx) when another has been set and the function runs no more; NULL for
 *      nothing
 *  @param[in,null] ctx  given to both
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY; then nothing has changed, and drop is not called
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_log_set(int32_t level, void (*log)(void *ctx, int32_t level, const char *line),
                               void (*drop)(void *ctx), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
