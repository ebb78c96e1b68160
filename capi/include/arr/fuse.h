/* SPDX-License-Identifier: MIT */
/* fuse.h - element-wise operations that are recorded and run together in few passes over memory. */
#ifndef ARR_FUSE_H
#define ARR_FUSE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Argument of arr_fuse_set_automatic: operations are recorded only in scopes. */
#define ARR_FUSE_NOWHERE 0
/** Argument of arr_fuse_set_automatic: operations on the host are recorded outside of scopes, except on a host that
 *  runs work late (ARR_HOST_ASYNC). This is the default. */
#define ARR_FUSE_ON_HOST 1
/** Argument of arr_fuse_set_automatic: operations on all devices are recorded outside of scopes. Each new chain of
 *  operations costs a GPU a compilation. */
#define ARR_FUSE_EVERYWHERE 2

/** Selects the devices whose element-wise operations are recorded outside of scopes, for all threads. There,
 *  operations that make new arrays of at least 256 KiB are recorded as arr_fuse_begin describes, so that a chain of
 *  them is one pass over memory. Argument errors are reported by the call, and values are identical in every bit.
 *  Recorded operations run when a result of theirs is read, written to, exported, or used by any operation that is
 *  not recorded; before memory that they read changes; before the thread allocates memory if they alone keep memory
 *  that the program has released, so that a chain needs no more memory than operations that run at once; after 64
 *  operations; and when the thread waits for a stream, a device or an event. Operations on memory that code outside
 *  of libarr can write, calls that write to existing arrays, reads at indices, and operations in a captured stream
 *  run at once. Without this call the variable ARR_FUSE decides: "0", "host" or "all". Runs what the calling thread
 *  has recorded.
 *  @param devices  ARR_FUSE_NOWHERE, ARR_FUSE_ON_HOST or ARR_FUSE_EVERYWHERE
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LOST, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_fuse_set_automatic(int32_t devices);

/** Returns the devices whose operations are recorded outside of scopes.
 *  @param[out] devices  ARR_FUSE_NOWHERE, ARR_FUSE_ON_HOST or ARR_FUSE_EVERYWHERE
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_fuse_automatic(int32_t *devices);

/** Flag of arr_fuse_begin: operations are also recorded if they read memory whose address is known outside of
 *  libarr: memory of arr_wrap and arr_from_dlpack with an owner, and arrays after arr_data or arr_to_dlpack. The
 *  caller promises that only libarr writes to that memory until the scope ends. Without the flag such operations run
 *  at once. */
#define ARR_FUSE_SHARED 1
/** Flag of arr_fuse_begin: a reduction of recorded operations becomes one pass with them even if its result depends
 *  on the order of additions, such as a sum of floats; the result may then differ in its last digits from the result
 *  outside of a scope. Without the flag this is done only for reductions of integers and bool. */
#define ARR_FUSE_REORDER 2
/** Flag of arr_fuse_begin: operations with small results are also recorded where work runs in the calling thread, as
 *  on the host. Without the flag operations whose results have at most 12 KiB run at once there, because that takes
 *  less time than to record them. */
#define ARR_FUSE_SMALL 4

/** Opens a scope of the calling thread. Element-wise operations that make new arrays (operations of ops.h, arr_ufunc,
 *  arr_copy, arr_astype, arr_expr_run and functions built on them) are recorded in it instead of run. Results behave
 *  like any other array: shape and dtype are available at once, argument errors are reported by the call, and reading
 *  the values from any thread first computes them. Values are identical to those without a scope. Recorded operations
 *  run at the latest at arr_fuse_end, in as few programs as the limits of arr_expr_info allow. A result that was
 *  released before that and that only other operations use is never stored; a result that nothing uses is never
 *  computed.
 *
 *  An `_into` call that overwrites a whole array is also recorded, if the array owns its memory and the call does not
 *  read the destination. Any other write runs immediately; pending operands are computed in the same pass. In both
 *  cases, recorded operations that read the old values run before. Reductions, scans and everything else run at once.
 *
 *  Recorded operations belong to one stream: an operation of another stream runs them first, and so do waiting for a
 *  stream or a device and recording an event. Scopes nest: a scope inside another belongs to the outer one, its flags
 *  are ignored, and its end runs nothing. A thread that ends closes its scope.
 *  @param flags  0, or the sum of some of ARR_FUSE_SHARED, ARR_FUSE_REORDER and ARR_FUSE_SMALL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_fuse_begin(int32_t flags);

/** Closes the calling thread's innermost scope. The end of the outermost scope runs the recorded operations that are
 *  still needed. If one of them fails, the scope is closed nevertheless, all other operations run, and the first
 *  failure is reported with its program; using a result that was not computed reports the failure again.
 *  @return ARR_OK, ARR_E_ARGUMENT (there is no open scope), ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LOST, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_fuse_end(void);

/** Runs the recorded operations of the calling thread and leaves its scope open. Use it before code outside of libarr
 *  writes memory that recorded operations read.
 *  @return ARR_OK, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_LOST, ARR_E_UNSUPPORTED
 *  @sync no */
ARR_API arr_status arr_fuse_flush(void);

/** Statistics of the recorded operations of this process. Each result of recorded operations is finally computed,
 *  merged into the programs of other results, or skipped. */
typedef struct arr_fuse_stats {
  int64_t struct_size; /* sizeof(arr_fuse_stats); set by the caller */
  int64_t depth;       /* number of open scopes of the calling thread */
  int64_t recorded;    /* results of recorded operations */
  int64_t programs;    /* programs that ran for them */
  int64_t skipped;     /* results that were not needed and never computed */
} arr_fuse_stats;

/** Returns the statistics of recorded operations.
 *  @param[in,out] stats  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_fuse_info(arr_fuse_stats *stats);

#ifdef __cplusplus
}
#endif
#endif
