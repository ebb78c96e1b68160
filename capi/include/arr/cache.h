/* SPDX-License-Identifier: MIT */
/* cache.h - what compilers made of kernels, kept on disk between runs. */
#ifndef ARR_CACHE_H
#define ARR_CACHE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels that were compiled once, by NVRTC or by the host's compiler, are read from a directory of the user:
 * $ARR_CACHE_DIR, else $XDG_CACHE_HOME/arr, else $HOME/.cache/arr. One that anybody else may write to, or a
 * symbolic link, is not used, and nothing is in a program that runs with more rights than its user. Entries have
 * all that made them (source, options, compiler, library version) and a digest; what does not match is removed
 * and compiled again. ARR_CACHE_BYTES (512M) limits each of its folders, the entries longest unused go
 * first; 0 keeps nothing. ARR_CACHE_SHARED names a second directory, of root's, that is only read. */

/** What the cache holds and what it did in this process. */
typedef struct arr_cache_stats {
  int64_t struct_size; /* sizeof(arr_cache_stats), set by the caller */
  int64_t hits;        /* compilations that were found */
  int64_t misses;      /* that were not */
  int64_t stored;      /* entries written */
  int64_t refused;     /* entries that were damaged or could have been written by others: removed */
  int64_t entries;     /* now in the directory */
  int64_t bytes;       /* of these */
  int64_t limit;       /* most bytes of a folder */
} arr_cache_stats;

/** Fills in the statistics of the cache; looks through its directory.
 *  @param[in,out] stats  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_cache_info(arr_cache_stats *stats);

/** The directory of the cache; empty where there can be none.
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the path, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole path without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_cache_directory(int64_t capacity, char *text, int64_t *length);

/** Removes all entries; kernels of this process stay. A shared directory is left as it is.
 *  @return ARR_OK
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_cache_clear(void);

/** Keeps compiled kernels in a place of the caller's as well, such as a server or an archive that is shipped: what
 *  the directories do not have is asked for there, and what was compiled is given to it, also where there is
 *  no directory. An entry has all that made it and a digest, and what does not match is compiled again;
 *  that finds damage and no attacker: it is code that will run, so the place must be one that is trusted.
 *  There is one; setting another, or neither function, ends the one before.
 *
 *  Both functions are called on the thread that compiles, by several at once, and call nothing of libarr.
 *  @param[in,null] get  called as get(ctx, name, bytes, capacity): returns the size of the entry of that name in bytes,
 *      or -1 where it is not there, and writes it to bytes where capacity is enough; first asked with a capacity
 *      of 0. NULL: nothing is there
 *  @param[in,null] put  called as put(ctx, name, bytes, count); NULL: nothing is given
 *  @param[in,null] drop  called once as drop(ctx) when others have been set and these run no more; NULL for nothing
 *  @param[in,null] ctx  given to all three
 *  @return ARR_OK, ARR_E_MEMORY; then nothing has changed, and drop is not called
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda._compiler_cache.KernelCacheBackend */
ARR_API arr_status
arr_cache_set_store(int64_t (*get)(void *ctx, const char *name, void *bytes, int64_t capacity),
                    void (*put)(void *ctx, const char *name, const void *bytes, int64_t count),
                    void (*drop)(void *ctx), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
