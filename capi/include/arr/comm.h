/* SPDX-License-Identifier: MIT */
/* comm.h - communicators: collective operations and messages among the ranks of a program. */
#ifndef ARR_COMM_H
#define ARR_COMM_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A communicator connects `size` ranks, numbered from 0; each rank has its own handle. Ranks are threads of one
 * process (ARR_COMM_LOCAL), processes (ARR_COMM_MPI) or GPUs (ARR_COMM_NCCL).
 *
 * All ranks call the same collective operations in the same order, with the same element type, reduction, root and
 * options, and with shapes that fit together; where ranks of one process differ, the call fails on each of them, and
 * with ARR_CHECK=1 in the environment also where ranks are processes. A call
 * with a stream of a GPU is enqueued there; on the host it returns when it is done. Calls between
 * arr_comm_group_begin and arr_comm_group_start do not wait: arr_comm_group_end does.
 *
 * Arrays are on the communicator's device and have any layout. The source and the destination have the same element
 * type; they are the same array (in place), or share no memory. Where the ranks have parts of an array, they have
 * consecutive indices of an axis, in the order of ranks: rank r has counts[r] of them, or each rank has as many as the
 * others where counts is NULL. An array without axes is one with a single index.
 *
 * A reduction is ARR_REDUCTION_SUM, _PROD, _MIN, _MAX, _NANMIN, _NANMAX, _MEAN (floats and complex numbers),
 * _LOGADDEXP2_REDUCE (floats), _ANY, _ALL, _LOGICAL_XOR_REDUCE (truth values), _BITWISE_AND_REDUCE, _BITWISE_OR_REDUCE
 * or _BITWISE_XOR_REDUCE (truth values and integers). It combines elements in their own type, integers wrap.
 * ARR_COMM_LOCAL combines in the order of ranks, so that results are the same bits each time.
 *
 * A rank that waits longer than the time limit for another one fails with ARR_E_LOST and the names of ranks and calls.
 * So do the other ranks, and every later call but arr_comm_info, arr_comm_shrink and arr_comm_release. Ranks of one
 * process that all wait for each other fail so at once. A handle may be used by one thread at a time; arr_comm_abort
 * and arr_comm_info by any.
 *
 * A stream that is being captured (arr_graph_begin) is refused: its graph would not have the work of other ranks. */

typedef struct arr_comm_s *arr_comm;

/* The engine that connects the ranks of a communicator. */
#define ARR_COMM_LOCAL 1 /* memory of the process */
#define ARR_COMM_MPI 2   /* the Message Passing Interface */
#define ARR_COMM_NCCL 3  /* NVIDIA's collective communication library */

/** Makes a communicator of ranks in this process, which are usually its threads. One thread may also have several
 *  ranks: it then calls all of them between arr_comm_group_begin and arr_comm_group_end. The time limit is
 *  ARR_COMM_TIMEOUT of the environment in seconds, else 600.
 *  @param size  number of ranks, 1 to 4096
 *  @param[in,null,len=size] devices  the device of each rank, any of them several times; NULL selects the host for all
 *  @param[out,len=size] out  a new reference for each rank
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_comm_local(int32_t size, const arr_device *devices, arr_comm *out);

/* ----------------------------------------------------------------------------------------------- MPI */

/* An MPI is opened at run time; a program needs none to be built. It is the one that the process has already, the
 * library that ARR_MPI of the environment names, or the first that is found of libmpi_abi.so.1 (the standard ABI),
 * libmpi.so.40 (Open MPI), libmpi.so.12 and libmpich.so.12 (the MPICH family).
 *
 * Communicators of MPI have no time limit unless ARR_COMM_TIMEOUT or arr_comm_set_timeout gives one: a call with a
 * limit is started and tested until it is done, which takes longer than a call that MPI waits in, and mpiexec ends the
 * other processes when one dies. A rank learns of another one's failure by its own time limit only. The arrays of a
 * call that ran into its limit are kept until the process ends, because MPI may still write to them. */

/** Makes a communicator of MPI_COMM_WORLD. All of its processes call it. Initialises MPI if the program has not, with
 *  as many threads as the library allows, and finalises it when the process ends with status 0.
 *  @param[in,null] device  the device of this rank; NULL selects the host
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_mpi(const arr_device *device, arr_comm *out);

/** Makes a communicator of the program's own MPI_Comm. All of its ranks call it. It is duplicated (MPI_Comm_dup), so
 *  that its messages do not mix with those of the program.
 *  @param comm  the value of an MPI_Comm in C, (intptr_t)comm, of one group of ranks
 *  @param[in,null] device  the device of this rank; NULL selects the host
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_from_mpi(int64_t comm, const arr_device *device, arr_comm *out);

/** Makes a communicator of a Fortran program's own communicator, as arr_comm_from_mpi does.
 *  @param comm  its INTEGER in Fortran, or MPI_VAL of type(MPI_Comm)
 *  @param[in,null] device  the device of this rank; NULL selects the host
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_from_mpi_fortran(int32_t comm, const arr_device *device, arr_comm *out);

/** Writes a line each about the MPI in use: its path, its ABI, and its version as MPI_Get_library_version has it.
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the lines, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_comm_mpi_library(int64_t capacity, char *text, int64_t *length);

/* ---------------------------------------------------------------------------------------------- NCCL */

/* Each rank is a GPU, of this process or of another one. NCCL 2.14 or later (libnccl.so.2, or the library that
 * ARR_CUDA_NCCL of the environment names) is opened at run time. A call is enqueued in its stream and does not wait for
 * the result. The time limit (ARR_COMM_TIMEOUT, else 600 seconds) is for making communicators, for the ranks that have
 * not made a call when NCCL must connect them, and for arr_comm_barrier; work that is in a stream waits for the other
 * GPUs without limit, until arr_comm_abort. A rank learns of another one's failure by NCCL's own word or its own time
 * limit. After a failure arr_comm_shrink needs NCCL 2.27.
 *
 * Sums and products of numbers, and min and max of integers, are NCCL's, and the sum of floats has an order of NCCL's
 * choice; NCCL has no 16-bit integers, and its min and max of floats are not NumPy's with nan: these and all other
 * reductions gather the arrays of all ranks in scratch memory and combine them in the order of ranks. */

/** Makes an id for one communicator of arr_comm_nccl. One rank does so, and gives it to the others.
 *  @param[out,bytes=128] id  the id
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_comm_nccl_id(char *id);

/** Makes an id on rank 0, and brings it to the other ranks of a communicator by files in a folder that all of them
 *  share: processes that were started by hand, or by Slurm without an MPI. All ranks call it. Rank 0 makes the file
 *  `path`, and each other one a file whose name has its rank appended; all are removed at the end. Only files that this
 *  user owns, and no other one can open, are read.
 *  @param size  number of ranks
 *  @param rank  this one, 0 to size - 1
 *  @param[in,bytes=length] path  the same on all ranks; no file of this name exists yet: use one for each run
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param seconds  time limit, above 0; 0: without limit
 *  @param[out,bytes=128] id  the id
 *  @return ARR_OK, ARR_E_ARGUMENT also if sizes differ, ARR_E_UNAVAILABLE, ARR_E_IO, ARR_E_MEMORY, ARR_E_LOST with the
 *      ranks that have not come, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_nccl_id_file(int32_t size, int32_t rank, const char *path, int64_t length,
                                         double seconds, char *id);

/** Makes an id on rank 0, and brings it to the other ranks of a communicator by TCP. All ranks call it. Rank 0 listens
 *  at the address, only there and only during the call; the others connect, and send a hash of the token. Connections
 *  without it are closed and delay no rank. Nothing is encrypted: use a network that you trust.
 *  @param size  number of ranks
 *  @param rank  this one, 0 to size - 1
 *  @param[in] address  "host:port" or "[IPv6]:port" of rank 0, NUL-terminated; there is no default
 *  @param[in] token  a secret of 16 bytes or more that the ranks of this run share, NUL-terminated
 *  @param seconds  time limit, above 0; 0: without limit
 *  @param[out,bytes=128] id  the id
 *  @return ARR_OK, ARR_E_ARGUMENT also if sizes differ, two ranks have one number, or the token is another one,
 *      ARR_E_UNAVAILABLE, ARR_E_IO if rank 0 cannot listen, ARR_E_MEMORY, ARR_E_LOST with the ranks that have not come,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_nccl_id_tcp(int32_t size, int32_t rank, const char *address, const char *token,
                                        double seconds, char *id);

/** Makes a communicator of GPUs. All ranks call it, each with another GPU.
 *  @param size  number of ranks
 *  @param rank  this one, 0 to size - 1
 *  @param[in,bytes=128] id  the id of arr_comm_nccl_id, or of one of the two functions above: the same on all ranks,
 *      used once
 *  @param device  the GPU of this rank
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_nccl(int32_t size, int32_t rank, const char *id, const arr_device *device,
                                 arr_comm *out);

/** Makes a communicator of GPUs with the ranks of another communicator, such as one of MPI, which brings the id. All of
 *  its ranks call it, each with another GPU.
 *  @param comm  a communicator of any engine
 *  @param device  the GPU of this rank
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_nccl_with(arr_comm comm, const arr_device *device, arr_comm *out);

/* ------------------------------------------------------------------------------------ every engine */

/** Number of ranks, rank, device and state of a communicator. */
typedef struct arr_comm_properties {
  int64_t struct_size; /* sizeof(arr_comm_properties); set by the caller */
  double timeout;      /* seconds after which a rank that waits fails; 0: never */
  int32_t engine;      /* ARR_COMM_... */
  int32_t size;        /* number of ranks */
  int32_t rank;        /* this one, 0 to size - 1 */
  int32_t failed;      /* 1: a call ran into the time limit, a rank has ended, or arr_comm_abort was called */
  int32_t device_type; /* where the arrays of this rank are: ARR_HOST or ARR_CUDA */
  int32_t device_index; /* 0 for the host; for CUDA the driver's ordinal */
} arr_comm_properties;

/** Returns number of ranks, rank, device and state of a communicator.
 *  @param comm  the communicator
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_comm_info(arr_comm comm, arr_comm_properties *properties);

/** Sets the time after which a call of this rank that waits for others fails.
 *  @param comm  the communicator
 *  @param seconds  above 0; 0: calls wait without limit
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_comm_set_timeout(arr_comm comm, double seconds);

/** Divides a communicator: ranks with the same colour form a new one. All ranks call it, and none in a group.
 *  @param comm  the communicator
 *  @param color  any number from 0
 *  @param key  orders the new ranks; ranks with equal keys keep their order
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_LOST
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_split(arr_comm comm, int32_t color, int32_t key, arr_comm *out);

/** Makes a communicator of the same ranks, whose calls are independent of those of the first. All ranks call it, and
 *  none in a group.
 *  @param comm  the communicator
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_LOST
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_duplicate(arr_comm comm, arr_comm *out);

/** Makes a communicator without some ranks, such as ones that have ended; the others keep their order. Only they call
 *  it. It also works after a failure.
 *  @param comm  the communicator
 *  @param n  number of ranks to leave out
 *  @param[in,len=n] excluded  their numbers, distinct; the same on each calling rank
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_LOST
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_shrink(arr_comm comm, int32_t n, const int32_t *excluded, arr_comm *out);

/** Ends all calls of all ranks, those that wait and later ones, with ARR_E_LOST. ARR_COMM_MPI ends the processes of
 *  MPI_COMM_WORLD (MPI_Abort).
 *  @param comm  the communicator
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_LOST (MPI has been finalised), ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_comm_abort(arr_comm comm);

/** Releases a rank's communicator. Ranks that wait for this one, or will, fail with ARR_E_LOST, except those
 *  of ARR_COMM_MPI. NULL is allowed.
 *  @param[in,null] comm  the communicator
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_comm_release(arr_comm comm);

/* -------------------------------------------------------------------------------------------- groups */

/** Begins a group: the calls that follow are collected, until arr_comm_group_start starts all of them. Their arguments
 *  are checked when they are collected.
 *  @param comm  the communicator; it has no open group
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_comm_group_begin(arr_comm comm);

/** Starts the calls of a group, without waiting for them; none of their arrays may be used before arr_comm_group_end.
 *  The program may do other work meanwhile.
 *  @param comm  the communicator, with an open group that has not been started
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_LOST, the failure of a call
 *  @sync no */
ARR_API arr_status arr_comm_group_start(arr_comm comm);

/** Ends a group: starts its calls unless arr_comm_group_start has, and waits until they are done (of a GPU: until they
 *  are enqueued).
 *  @param comm  the communicator, with an open group
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_LOST, the first failure of its calls
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_group_end(arr_comm comm);

/** Tests whether the calls of a started group are done, so that arr_comm_group_end does not wait; calls that failed are
 *  done. A thread that must not wait in a call, such as one whose other tasks have ranks too, asks this.
 *  @param comm  the communicator, with a started group
 *  @param[out] done  true if they are done
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_comm_group_query(arr_comm comm, bool *done);

/* --------------------------------------------------------------------------------------- collectives */

/** Waits until all ranks have called it.
 *  @param comm  the communicator
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_barrier(arr_comm comm, arr_stream stream);

/** Copies an array of one rank to all.
 *  @param comm  the communicator
 *  @param[in,written] a  read on root, written on the other ranks; the shapes are the same
 *  @param root  the rank that has the values
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_broadcast(arr_comm comm, arr_array a, int32_t root, arr_stream stream);

/** Combines the arrays of all ranks element by element; each rank gets the result.
 *  @param comm  the communicator
 *  @param[in,written] dst  the destination, of the shape of src
 *  @param src  this rank's array
 *  @param reduction  ARR_REDUCTION_SUM or another one of those above
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_all_reduce(arr_comm comm, arr_array dst, arr_array src, int32_t reduction,
                                       arr_stream stream);

/** Combines the arrays of all ranks element by element; one rank gets the result.
 *  @param comm  the communicator
 *  @param[in,null,written] dst  the destination, of the shape of src; NULL is allowed except on root
 *  @param src  this rank's array
 *  @param reduction  ARR_REDUCTION_SUM or another one of those above
 *  @param root  the rank that gets the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_reduce(arr_comm comm, arr_array dst, arr_array src, int32_t reduction,
                                   int32_t root, arr_stream stream);

/** Joins the arrays of all ranks along an axis; each rank gets the result.
 *  @param comm  the communicator
 *  @param[in,written] dst  the destination: the sum of counts, or size times the extent of src
 *  @param src  this rank's part: counts[rank] indices of the axis
 *  @param axis  the axis that is divided
 *  @param ncounts  the number of ranks; 0: all parts are equally large
 *  @param[in,null,len=ncounts] counts  for each rank the extent of its part, the same on all ranks
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_all_gather(arr_comm comm, arr_array dst, arr_array src, int32_t axis,
                                       int32_t ncounts, const int64_t *counts, arr_stream stream);

/** Joins the arrays of all ranks along an axis; one rank gets the result.
 *  @param comm  the communicator
 *  @param[in,null,written] dst  the destination, as of arr_comm_all_gather; NULL is allowed except on root
 *  @param src  this rank's part: counts[rank] indices of the axis
 *  @param axis  the axis that is divided
 *  @param ncounts  the number of ranks; 0: all parts are equally large
 *  @param[in,null,len=ncounts] counts  for each rank the extent of its part, the same on all ranks
 *  @param root  the rank that gets the result
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_gather(arr_comm comm, arr_array dst, arr_array src, int32_t axis, int32_t ncounts,
                                   const int64_t *counts, int32_t root, arr_stream stream);

/** Divides an array of one rank along an axis; each rank gets its part.
 *  @param comm  the communicator
 *  @param[in,written] dst  this rank's part: counts[rank] indices of the axis
 *  @param[in,null] src  the array: the sum of counts, or size times the extent of dst; NULL is allowed except on root
 *  @param axis  the axis that is divided
 *  @param ncounts  the number of ranks; 0: all parts are equally large
 *  @param[in,null,len=ncounts] counts  for each rank the extent of its part, the same on all ranks
 *  @param root  the rank that has the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_scatter(arr_comm comm, arr_array dst, arr_array src, int32_t axis,
                                    int32_t ncounts, const int64_t *counts, int32_t root, arr_stream stream);

/** Combines the arrays of all ranks element by element, and divides the result along an axis; each rank gets its
 *  part.
 *  @param comm  the communicator
 *  @param[in,written] dst  this rank's part: counts[rank] indices of the axis; it shares no memory with src
 *  @param src  this rank's array: the sum of counts, or size times the extent of dst
 *  @param axis  the axis that is divided
 *  @param ncounts  the number of ranks; 0: all parts are equally large
 *  @param[in,null,len=ncounts] counts  for each rank the extent of its part, the same on all ranks
 *  @param reduction  ARR_REDUCTION_SUM or another one of those above
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_reduce_scatter(arr_comm comm, arr_array dst, arr_array src, int32_t axis,
                                           int32_t ncounts, const int64_t *counts, int32_t reduction,
                                           arr_stream stream);

/** Sends a part of an array, along an axis, to each rank, and joins the parts that arrive in the order of ranks.
 *  @param comm  the communicator
 *  @param[in,written] dst  the destination: the sum of recv_counts; it shares no memory with src
 *  @param src  the parts for the ranks: the sum of send_counts
 *  @param axis  the axis that is divided
 *  @param ncounts  the number of ranks; 0: all parts are equally large
 *  @param[in,null,len=ncounts] send_counts  for each rank the extent of the part that it gets
 *  @param[in,null,len=ncounts] recv_counts  for each rank the extent of the part that comes from it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_all_to_all(arr_comm comm, arr_array dst, arr_array src, int32_t axis,
                                       int32_t ncounts, const int64_t *send_counts,
                                       const int64_t *recv_counts, arr_stream stream);

/* ------------------------------------------------------------------------------------------ messages */

/* Messages from one rank to another arrive in the order in which they were sent; the element types and shapes of both
 * sides are the same. A send may wait until the other rank receives: two ranks that exchange arrays call
 * arr_comm_send_recv, or put their calls into groups. */

/** Sends an array to another rank.
 *  @param comm  the communicator
 *  @param src  the array
 *  @param receiver  the rank that receives; not this one, except in a group
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_send(arr_comm comm, arr_array src, int32_t receiver, arr_stream stream);

/** Receives an array from another rank.
 *  @param comm  the communicator
 *  @param[in,written] dst  the destination
 *  @param sender  the rank that sends; not this one, except in a group
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_recv(arr_comm comm, arr_array dst, int32_t sender, arr_stream stream);

/** Sends an array to a rank while receiving one from a rank, which may be the same, or this one.
 *  @param comm  the communicator
 *  @param[in,written] dst  the destination; it shares no memory with src
 *  @param src  the array to send
 *  @param sender  the rank that sends to this one; -1: none, dst is not written
 *  @param receiver  the rank that receives from this one; -1: none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_send_recv(arr_comm comm, arr_array dst, arr_array src, int32_t sender,
                                      int32_t receiver, arr_stream stream);

/** Fills the outer layers of an array, its halo, with the values of neighbours in a grid of ranks. The ranks have the
 *  parts of a large array, in row-major order: rank r is at index r of an array of shape `grid`. Along each axis the
 *  first and last `width` layers receive what lies next to the halo of the rank before and after; corners come from the
 *  diagonal neighbours. In a group the program may work on the inner part meanwhile.
 *  @param comm  the communicator
 *  @param[in,written] a  this rank's part with its halo
 *  @param naxes  number of axes that are divided
 *  @param[in,len=naxes] axes  the axes of a
 *  @param[in,len=naxes] grid  number of ranks along each of them; their product is the number of ranks
 *  @param[in,len=naxes] widths  number of layers of the halo on either side; an axis has at least three times as many
 *  @param[in,null,len=naxes] periodic  1: the last rank is before the first; 0: there the outer layers of the first and
 *      the last rank are not written; NULL: 0 for all axes
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_exchange_halo(arr_comm comm, arr_array a, int32_t naxes, const int32_t *axes,
                                          const int32_t *grid, const int64_t *widths, const int32_t *periodic,
                                          arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
