/* SPDX-License-Identifier: MIT */
/* fuse.h - scopes in which element-wise operations are recorded, then run together in few passes over memory. */
#ifndef ARR_FUSE_H
#define ARR_FUSE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** For arr_fuse_begin: operations are also recorded where they read memory that others know the address of: that
 *  of arr_wrap and arr_from_dlpack with an owner, and arrays after arr_data or arr_to_dlpack. The caller promises
 *  that nothing but libarr writes there until the scope ends. Without it they run at once. */
#define ARR_FUSE_SHARED 1
/** For arr_fuse_begin: a reduction of recorded operations is one pass with them also where its result depends on
 *  the order of adding, as a sum of floats does; it may then differ in the last digits from what it is outside of
 *  a scope. Without it only reductions of integers and bool are. */
#define ARR_FUSE_REORDER 2

/** Opens a scope of the calling thread, in which element-wise operations that make new arrays (operations of
 *  ops.h, arr_ufunc, arr_copy, arr_astype, arr_expr_run and what is built on them) are recorded and not run. Their
 *  results are arrays like any other: shape and dtype are there, errors of arguments are reported at the call,
 *  and whoever uses the values, on any thread, gets those that the operations give outside of a scope, as they
 *  are computed first. What is recorded runs at the latest at arr_fuse_end, in as few programs as there is room
 *  for (arr_expr_info has the limits). A result that was released by then and that only other operations need is
 *  never stored; one that nothing needs is never computed.
 *
 *  A write of element-wise operations into the whole of an array that owns its memory is recorded as well, unless
 *  it reads that memory itself; any other write runs at once, with what its operands wait for in the same pass.
 *  Either way, what still has to read the old values runs before. Reductions, scans and everything else run at
 *  once. Recorded operations are of one stream; one of
 *  another stream runs them first, and so does waiting for a stream or a device, or recording an event.
 *
 *  Scopes nest: one that is opened inside another belongs to it, its flags count for nothing, and its end runs
 *  nothing. A thread that ends closes its scope.
 *  @param flags  0, or ARR_FUSE_SHARED, ARR_FUSE_REORDER, or both
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fuse_begin(int32_t flags);

/** Closes the calling thread's innermost scope; the outermost runs what is recorded and still wanted. Where
 *  something fails the scope is closed all the same, everything else is run, the first failure is reported with
 *  its program, and using a result that was not computed reports it again.
 *  @return ARR_OK, ARR_E_ARGUMENT (no scope is open), ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LOST, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fuse_end(void);

/** Runs what the calling thread has recorded and leaves its scope open; without a scope there is nothing to do.
 *  For code outside of libarr that is about to write memory that recorded operations read.
 *  @return ARR_OK, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LOST, ARR_E_UNSUPPORTED
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fuse_flush(void);

/** What the scopes of this process have done so far. Each result of recorded operations is in the end computed,
 *  part of the programs of others, or skipped. */
typedef struct arr_fuse_stats {
  int64_t struct_size; /* sizeof(arr_fuse_stats), set by the caller */
  int64_t depth;       /* scopes open on the calling thread */
  int64_t recorded;    /* results of recorded operations */
  int64_t programs;    /* programs that ran in their place */
  int64_t skipped;     /* results that nobody wanted, never computed */
} arr_fuse_stats;

/** Fills in the statistics of scopes.
 *  @param[in,out] stats  struct_size is read, the rest written
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_fuse_info(arr_fuse_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
