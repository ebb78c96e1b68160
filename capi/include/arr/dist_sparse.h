/* SPDX-License-Identifier: MIT */
/* dist_sparse.h - sparse matrices whose rows are divided among the ranks of a communicator. */
#ifndef ARR_DIST_SPARSE_H
#define ARR_DIST_SPARSE_H
#include "arr/comm.h"
#include "arr/iterative.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each rank has consecutive rows of a matrix, in the order of ranks, and a part of each vector: of the vectors that are
 * multiplied, as many elements as `counts` says; of the products, as many as it has rows. A rank may have none. When
 * the matrix is made, ranks ask each other once for the elements of a vector that they need; a product sends only
 * these, while each rank multiplies those that it has.
 *
 * All ranks call the same functions in the same order, none of them in a group of the communicator, with vectors of
 * the same element type and number of columns. Functions that make a matrix or run a solver agree on their arguments:
 * one that is wrong on a rank is an error on each. A product checks those of this rank only. If a rank has no
 * memory for a product, or its device fails, the calls of the other ranks end too on ARR_COMM_LOCAL, with ARR_E_LOST,
 * and so do later ones; other engines have time limits.
 *
 * The matrix keeps its communicator, which the program may release. */

typedef struct arr_dist_sparse_s *arr_dist_sparse;

/** Makes a matrix of the rows of all ranks. All of them call it. The elements are copied.
 *  @param comm  the communicator
 *  @param rows  this rank's rows, [rows, columns of the whole matrix], of any format; on the communicator's device
 *  @param ncounts  number of counts: the number of ranks, or 0
 *  @param[in,null,len=ncounts] counts  the number of elements that each rank has of a vector that is multiplied, the
 *      same on all ranks; without counts, as many as rows, and the matrix is square
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_sparse_create(arr_comm comm, arr_sparse rows, int32_t ncounts,
                                          const int64_t *counts, arr_stream stream, arr_dist_sparse *out);

/** Computes this rank's part of the product with a vector, or with each column of a matrix. All ranks call it. The
 *  terms of an element are added in an order that depends on the matrix and its division only.
 *  @param a  the matrix
 *  @param x  this rank's part, [columns] or [columns, k]; [rows] or [rows, k] for the transpose and the adjoint
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; [rows] or [rows, k], for the transpose and the adjoint [columns] or [columns, k]
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_sparse_matmul(arr_dist_sparse a, arr_array x, int32_t op, arr_stream stream,
                                          arr_array *out);

/** Computes this rank's part of a product in an existing array; otherwise as arr_dist_sparse_matmul.
 *  @param[in,written] dst  of the shape of the product; the result is cast to its dtype by the same_kind rule
 *  @param a  the matrix
 *  @param x  this rank's part; may share memory with dst
 *  @param op  ARR_MATRIX_...
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_sparse_matmul_into(arr_array dst, arr_dist_sparse a, arr_array x, int32_t op,
                                               arr_stream stream);

/** Returns the block of this rank's rows and of the columns whose elements it has, of which preconditioners of this
 *  rank alone are made (block Jacobi): arr_linop_jacobi, arr_sparse_ilu0, arr_linop_multigrid.
 *  @param a  the matrix
 *  @param[out] out  one new reference; [rows, columns] of this rank, in ARR_SPARSE_CSR
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_dist_sparse_block(arr_dist_sparse a, arr_sparse *out);

/** Properties of a matrix that is divided among ranks. */
typedef struct arr_dist_sparse_properties {
  int64_t struct_size;   /* sizeof(arr_dist_sparse_properties); set by the caller */
  int64_t whole_rows;    /* number of rows of all ranks */
  int64_t whole_columns; /* number of columns of all ranks */
  int64_t whole_nnz;     /* number of stored elements of all ranks */
  int64_t rows;          /* number of rows of this rank */
  int64_t columns;       /* number of elements that this rank has of a vector that is multiplied */
  int64_t nnz;           /* number of stored elements of this rank */
  int64_t received;      /* number of elements of a vector that come from other ranks for a product */
  int64_t sent;  /* number of elements of a vector that go to other ranks, each counted for each of them */
  int64_t dtype; /* type of the elements */
  int64_t device_type;  /* ARR_HOST, ... */
  int64_t device_index; /* index of the device */
} arr_dist_sparse_properties;

/** Returns the properties of a matrix.
 *  @param a  the matrix
 *  @param[in,out] properties  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_dist_sparse_info(arr_dist_sparse a, arr_dist_sparse_properties *properties);

/** Releases this rank's part of a matrix. NULL is allowed.
 *  @param[in,null] a  the matrix
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_dist_sparse_release(arr_dist_sparse a);

/** Makes an operator of a matrix, whose vectors are the parts of the ranks. All of them call the solvers with it, with
 *  their parts of b and x0 and the same options, and get their parts of x and the same report; a callback of any rank
 *  ends the solver. A preconditioner may be an operator of each rank alone. The
 *  operator's numbers of rows and columns are those of this rank's vectors.
 *  @param a  the matrix
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_linop_from_dist_sparse(arr_dist_sparse a, arr_linop *out);

/** Makes an operator whose vectors are the parts of the ranks of a communicator, from one of this rank's parts, such as
 *  one of functions that exchange what they need (arr_linop_from_function). All ranks call it. Solvers then combine
 *  the sums of all ranks, as with arr_linop_from_dist_sparse.
 *  @param a  an operator of this rank alone: its products are this rank's part
 *  @param comm  the communicator
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_linop_over(arr_linop a, arr_comm comm, arr_linop *out);

#ifdef __cplusplus
}
#endif
#endif
