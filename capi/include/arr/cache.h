/* SPDX-License-Identifier: MIT */
/* cache.h - stores compiled kernels on disk between runs. */
#ifndef ARR_CACHE_H
#define ARR_CACHE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kernels that NVRTC or the host's compiler has compiled once are read from a directory of the user:
 * $ARR_CACHE_DIR, else $XDG_CACHE_HOME/arr, else $HOME/.cache/arr. The library does not use a directory that
 * another user may write to, or that is a symbolic link. It uses no cache in a program that runs with more rights
 * than its user. Each entry holds its full key (source, options, compiler, library version) and a digest; an
 * entry that does not match is removed and the kernel is compiled again. ARR_CACHE_BYTES (default 512M) limits
 * each of the cache's folders; the least recently used entries are removed first, and 0 disables the cache.
 * ARR_CACHE_SHARED names a second, read-only directory that must belong to root. */

/** Contents of the cache, and counts of its use in this process. */
typedef struct arr_cache_stats {
  int64_t struct_size; /* sizeof(arr_cache_stats); set by the caller */
  int64_t hits;        /* compilations that were found in the cache */
  int64_t misses;      /* compilations that were not found */
  int64_t stored;      /* entries written */
  int64_t refused;     /* entries removed because they were damaged or others could have written them */
  int64_t entries;     /* entries in the directory now */
  int64_t bytes;       /* bytes of these entries */
  int64_t limit;       /* limit in bytes of each folder */
} arr_cache_stats;

/** Returns the statistics of the cache. The call scans the directory.
 *  @param[in,out] stats  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_cache_info(arr_cache_stats *stats);

/** Returns the directory of the cache, or an empty text if there is no cache.
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the path, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole path without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_cache_directory(int64_t capacity, char *text, int64_t *length);

/** Removes all entries. Kernels that this process has loaded stay usable. A shared directory is not changed.
 *  @return ARR_OK
 *  @sync no */
ARR_API arr_status arr_cache_clear(void);

/** Installs functions that store compiled kernels in an additional location, such as a server or an archive that is
 *  shipped with a program. The library calls get for kernels that its directories do not have, and put for each
 *  kernel that it has compiled, even if there is no directory. Each entry holds its full key and a digest, and the
 *  library compiles again if they do not match.
 *
 *  This detects damage but not an attacker: entries are code that will run, so the location must be trusted. Only
 *  one set of functions is installed at a time; another call replaces it, and a call with neither function removes
 *  it. The thread that compiles calls the functions. Several threads may call them at once, and they must not call
 *  libarr.
 *  @param[in,null] get  called as get(ctx, name, bytes, capacity): returns the size in bytes of the entry with that
 *      name, or -1 if there is none, and writes the entry to bytes if capacity is large enough. The first call for an
 *      entry has capacity 0. May be NULL
 *  @param[in,null] put  called as put(ctx, name, bytes, count); may be NULL
 *  @param[in,null] drop  called once as drop(ctx) when the functions have been replaced and none of them runs any more;
 *      may be NULL
 *  @param[in,null] ctx  passed to all three functions
 *  @return ARR_OK, ARR_E_MEMORY; on failure nothing changes and drop is not called
 *  @sync no */
ARR_API arr_status
arr_cache_set_store(int64_t (*get)(void *ctx, const char *name, void *bytes, int64_t capacity),
                    void (*put)(void *ctx, const char *name, const void *bytes, int64_t count),
                    void (*drop)(void *ctx), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
