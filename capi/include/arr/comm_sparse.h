/* SPDX-License-Identifier: MIT */
/* comm_sparse.h - collective operations and messages of sparse matrices. */
#ifndef ARR_COMM_SPARSE_H
#define ARR_COMM_SPARSE_H
#include "arr/comm.h"
#include "arr/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Matrices of any format, on the communicator's device. They keep format, type and order of elements on their way. The
 * ranks exchange the sizes first, and wait for them: so these calls are not for groups (ARR_E_ARGUMENT). What holds for
 * all calls of a communicator is told in arr/comm.h. */

/** Copies a matrix of one rank to all.
 *  @param comm  the communicator
 *  @param[in,null] a  the matrix; NULL is allowed except on root
 *  @param root  the rank that has the matrix
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_sparse_broadcast(arr_comm comm, arr_sparse a, int32_t root, arr_stream stream,
                                             arr_sparse *out);

/** Sends a matrix to each rank, or none, and returns those that arrive. If each rank gives its matrix to all, each
 *  gathers those of all; if each gives it to root alone, root gathers them; if root alone gives some, it scatters them.
 *  @param comm  the communicator
 *  @param n  the number of ranks
 *  @param[in,len=n] a  for each rank the matrix that it gets; NULL for none
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,len=n] out  for each rank a new reference to the matrix that it has sent; NULL if none
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_sparse_all_to_all(arr_comm comm, int32_t n, const arr_sparse *a,
                                              arr_stream stream, arr_sparse *out);

/** Combines the matrices of all ranks element by element, in the order of ranks, as arr_sparse_binary does. The result
 *  has the format of a.
 *  @param comm  the communicator
 *  @param a  this rank's matrix, of the same shape and type on all
 *  @param reduction  ARR_REDUCTION_SUM, or another one of arr_comm_all_reduce whose operation has 0 of two zeros
 *  @param root  the rank that gets the result; -1: all ranks
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; NULL on ranks that do not get the result
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_sparse_reduce(arr_comm comm, arr_sparse a, int32_t reduction, int32_t root,
                                          arr_stream stream, arr_sparse *out);

/** Sends a matrix to another rank, which calls arr_comm_sparse_recv.
 *  @param comm  the communicator
 *  @param a  the matrix
 *  @param receiver  the rank that receives, not this one
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_sparse_send(arr_comm comm, arr_sparse a, int32_t receiver, arr_stream stream);

/** Receives a matrix from another rank, which calls arr_comm_sparse_send.
 *  @param comm  the communicator
 *  @param sender  the rank that sends, not this one
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_comm_sparse_recv(arr_comm comm, int32_t sender, arr_stream stream, arr_sparse *out);

#ifdef __cplusplus
}
#endif
#endif
