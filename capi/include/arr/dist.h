/* SPDX-License-Identifier: MIT */
/* dist.h - distributed arrays: global arrays of which each rank of a communicator holds a part. */
#ifndef ARR_DIST_H
#define ARR_DIST_H
#include "arr/base.h"
#include "arr/comm.h"
#include "arr/expr.h"
#include "arr/random.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All ranks of a communicator make the same calls in the same order, each from its own thread or process, with equal
 * arguments except where a parameter is this rank's own; with one rank the same program runs on whole arrays. Functions
 * of several distributed arrays take those of one communicator, no group of which is open. A part is an ordinary array:
 * every function of the library takes it. A call that waits for other ranks fails as those of comm.h do. */

typedef struct arr_decomposition_s *arr_decomposition;
typedef struct arr_dist_s *arr_dist;

/* ---------------------------------------------------------------------------------------- decompositions */

/* A decomposition says which elements of a global array each rank has: for each axis a list of indices, and the part is
 * their product. */

/** Makes a decomposition into blocks. The ranks form a grid in row-major order, in which the last axis varies fastest;
 *  if they are a multiple of the grid, consecutive groups of ranks have copies of all parts.
 *  @param comm  the communicator
 *  @param ndim  number of dimensions of the global array
 *  @param[in,len=ndim] shape  its extents in elements
 *  @param ngrid  ndim, or 0
 *  @param[in,null,len=ngrid] grid  for each axis the number of ranks that divide it; the product divides the number of
 *      ranks; all 1: each rank has the whole array; with ngrid 0 all ranks divide the first axis
 *  @param nblocks  ndim, or 0
 *  @param[in,null,len=nblocks] blocks  for each axis the extent of blocks that are dealt out in turn, as ScaLAPACK
 *      does; 0, also with nblocks 0: one block for each rank, their extents differ by one at most and the first are
 *      larger
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_decomposition_create(arr_comm comm, int32_t ndim, const int64_t *shape, int32_t ngrid,
                                            const int32_t *grid, int32_t nblocks, const int64_t *blocks,
                                            arr_decomposition *out);

/** Makes a decomposition that divides one axis into contiguous parts of given extents.
 *  @param comm  the communicator
 *  @param ndim  number of dimensions of the global array, 1 or more
 *  @param[in,len=ndim] shape  its extents in elements
 *  @param axis  the axis that is divided
 *  @param ncounts  the number of ranks
 *  @param[in,len=ncounts] counts  for each rank the extent of its part; their sum is that of the axis
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_decomposition_counts(arr_comm comm, int32_t ndim, const int64_t *shape, int32_t axis,
                                            int32_t ncounts, const int64_t *counts, arr_decomposition *out);

/** Makes a decomposition that gives each index of one axis to a rank.
 *  @param comm  the communicator
 *  @param ndim  number of dimensions of the global array, 1 or more
 *  @param[in,len=ndim] shape  its extents in elements
 *  @param axis  the axis that is divided
 *  @param nowners  the extent of the axis
 *  @param[in,len=nowners] owners  for each index its rank; a rank has its indices in ascending order
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_decomposition_owners(arr_comm comm, int32_t ndim, const int64_t *shape, int32_t axis,
                                            int64_t nowners, const int32_t *owners, arr_decomposition *out);

/** Returns the extents of a part, or of the global array.
 *  @param decomposition  the decomposition
 *  @param rank  the rank; -1: the global array
 *  @param capacity  number of entries at shape
 *  @param[out,null,len=capacity] shape  the first `capacity` extents; NULL to ask for ndim only
 *  @param[out,null] ndim  number of dimensions; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_decomposition_shape(arr_decomposition decomposition, int32_t rank, int32_t capacity,
                                           int64_t *shape, int32_t *ndim);

/** Returns the global indices that a rank has of an axis.
 *  @param decomposition  the decomposition
 *  @param rank  the rank
 *  @param axis  the axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference: an int64 vector, ascending, on the device of the communicator
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_decomposition_indices(arr_decomposition decomposition, int32_t rank, int32_t axis,
                                             arr_stream stream, arr_array *out);

/** Releases a decomposition; arrays that use it keep it. NULL is allowed.
 *  @param[in,null] decomposition  the decomposition
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no */
ARR_API arr_status arr_decomposition_release(arr_decomposition decomposition);

/* -------------------------------------------------------------------------------------------- arrays */

/** Creates a distributed array of zeros, whose parts may have a halo: layers around them for values of neighbours.
 *  @param decomposition  the decomposition; axes with a halo have contiguous parts of as many indices at least
 *  @param dtype  the dtype
 *  @param nhalo  number of dimensions, or 0
 *  @param[in,null,len=nhalo] halo  for each axis the number of layers on both sides, also at the ends of the global
 *      array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_dist_create(arr_decomposition decomposition, arr_dtype dtype, int32_t nhalo,
                                   const int64_t *halo, arr_stream stream, arr_dist *out);

/** Makes a distributed array of each rank's part, which is not copied.
 *  @param decomposition  the decomposition
 *  @param part  this rank's part, on the device of the communicator; of the same dtype on all ranks
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_dist_from_part(arr_decomposition decomposition, arr_array part, arr_dist *out);

/** Divides an array that one rank has.
 *  @param decomposition  the decomposition
 *  @param[in,null] src  the global array, on the device of the communicator; NULL is allowed except on root
 *  @param root  the rank that has it
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE also if it does not fit on root, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_scatter(arr_decomposition decomposition, arr_array src, int32_t root,
                                    arr_stream stream, arr_dist *out);

/** Returns the global array on one rank or on all.
 *  @param a  the distributed array
 *  @param root  the rank that gets it; -1: each rank
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference; NULL on other ranks than root
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_gather(arr_dist a, int32_t root, arr_stream stream, arr_array *out);

/** Returns the dtype of a distributed array.
 *  @param a  the distributed array
 *  @param[out] dtype  the dtype
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_dist_dtype(arr_dist a, arr_dtype *dtype);

/** Returns the decomposition of a distributed array.
 *  @param a  the distributed array
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_dist_decomposition(arr_dist a, arr_decomposition *out);

/** Returns this rank's part as a view: writes to it change the distributed array.
 *  @param a  the distributed array
 *  @param noffsets  number of dimensions, or 0
 *  @param[in,null,len=noffsets] offsets  for each axis by how many indices the view is displaced, at most the width of
 *      the halo: offset 1 of an axis gives for each element the next one; with noffsets 0 it is not
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_dist_part(arr_dist a, int32_t noffsets, const int64_t *offsets, arr_array *out);

/** Returns this rank's part with its halo as a view.
 *  @param a  the distributed array
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_dist_memory(arr_dist a, arr_array *out);

/** Releases a distributed array. NULL is allowed.
 *  @param[in,null] a  the distributed array
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no */
ARR_API arr_status arr_dist_release(arr_dist a);

/* ----------------------------------------------------------------------------------- halos and copies */

/** Fills the halo with the values of neighbours, corners too.
 *  @param a  the distributed array; layers beyond the ends of axes that are not periodic do not change
 *  @param nperiodic  number of dimensions, or 0
 *  @param[in,null,len=nperiodic] periodic  for each axis 1 if its ends are neighbours, otherwise 0; with nperiodic 0
 *      none is periodic
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_exchange(arr_dist a, int32_t nperiodic, const int32_t *periodic,
                                     arr_stream stream);

/** Starts arr_dist_exchange, without waiting for it. Until arr_dist_exchange_end the program may read the part, not
 *  write to it, and must not read the halo nor make other calls of the communicator.
 *  @param a  the distributed array
 *  @param nperiodic  number of dimensions, or 0
 *  @param[in,null,len=nperiodic] periodic  as of arr_dist_exchange
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_dist_exchange_begin(arr_dist a, int32_t nperiodic, const int32_t *periodic,
                                           arr_stream stream);

/** Waits until the halo that arr_dist_exchange_begin fills is there (of a GPU: until that is enqueued).
 *  @param a  the distributed array
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT without arr_dist_exchange_begin, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_exchange_end(arr_dist a);

/** Copies the elements of a distributed array into another one of the same shape, which may be divided in another way;
 *  cast by the same_kind rule. Each rank sends one message at most to each other rank. Halos do not change.
 *  @param dst  the destination
 *  @param src  the distributed array; it may share memory with dst
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks, except if both are divided in the same way */
ARR_API arr_status arr_dist_assign(arr_dist dst, arr_dist src, arr_stream stream);

/** Copies a distributed array into a new one, divided by another decomposition.
 *  @param a  the distributed array
 *  @param decomposition  the decomposition, of the same shape
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks, except if a is divided in this way */
ARR_API arr_status arr_dist_redistribute(arr_dist a, arr_decomposition decomposition, arr_stream stream,
                                         arr_dist *out);

/** Permutes the axes: a view, without communication.
 *  @param a  the distributed array
 *  @param naxes  number of dimensions, or 0
 *  @param[in,null,len=naxes] axes  for each axis of the result that of a; with naxes 0 their order is reversed
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_dist_transpose(arr_dist a, int32_t naxes, const int32_t *axes, arr_dist *out);

/** Returns a range of indices of an axis: a view, without communication.
 *  @param a  the distributed array
 *  @param axis  the axis
 *  @param from  the first index
 *  @param to  the end, not below from and at most the extent of the axis
 *  @param[out] out  one new reference, without a halo
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_dist_slice(arr_dist a, int32_t axis, int64_t from, int64_t to, arr_dist *out);

/* --------------------------------------------------------------------------------------- computation */

/* Arrays broadcast as ordinary ones do. A result is divided as the input with the most elements is, without a halo.
 * Inputs whose parts do not fit to those of the result are redistributed first; if all fit, as arrays of one
 * decomposition do, there is no communication. */

/** Applies an op to distributed arrays.
 *  @param op  ARR_OP_...
 *  @param nin  number of inputs, that of the op
 *  @param[in,len=nin] in  the distributed arrays
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks if an input is redistributed */
ARR_API arr_status arr_dist_apply(int32_t op, int32_t nin, const arr_dist *in, arr_stream stream,
                                  arr_dist *out);

/** Computes a node of an expression for distributed arrays in one pass over each part.
 *  @param e  the expression, without nodes of arr_expr_index and arr_expr_gather
 *  @param node  the node
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the distributed arrays
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_LOST,
 *      ARR_E_DEVICE
 *  @sync waits for the other ranks if an input is redistributed */
ARR_API arr_status arr_dist_expr_run(arr_expr e, int32_t node, int32_t nin, const arr_dist *in,
                                     arr_stream stream, arr_dist *out);

/** Writes the result of arr_dist_expr_run into an existing distributed array of its shape; cast by the same_kind rule.
 *  @param dst  the destination; inputs whose parts do not fit to it are redistributed
 *  @param e  the expression, without nodes of arr_expr_index and arr_expr_gather
 *  @param node  the node
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the distributed arrays
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_READONLY, ARR_E_UNSUPPORTED,
 *      ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks if an input is redistributed */
ARR_API arr_status arr_dist_expr_run_into(arr_dist dst, arr_expr e, int32_t node, int32_t nin,
                                          const arr_dist *in, arr_stream stream);

/** Evaluates a formula (see arr_expr_parse) for distributed arrays, which are its variables in the order of their first
 *  appearance.
 *  @param[in,bytes=length] text  the formula, UTF-8
 *  @param length  number of bytes of text; -1 if it is NUL-terminated
 *  @param nin  number of inputs
 *  @param[in,len=nin] in  the distributed arrays
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks if an input is redistributed */
ARR_API arr_status arr_dist_evaluate(const char *text, int64_t length, int32_t nin, const arr_dist *in,
                                     arr_stream stream, arr_dist *out);

/** Reduces a distributed array over axes. The axes that stay are divided as before, and ranks that divide only reduced
 *  axes have copies of the result. Results of parts are combined in the order of ranks, and up to 64 KiB of them always
 *  give the same bits; more are combined by arr_comm_all_reduce.
 *  @param a  the distributed array
 *  @param reduction  ARR_REDUCTION_SUM, PROD, MIN, MAX, MEAN, VAR, STD, ANY, ALL, COUNT_NONZERO, a norm, LOGSUMEXP,
 *      nansum and related ones, or the reduction of a bitwise or logical operation
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  axes to reduce; NULL selects all
 *  @param keepdims  true: reduced axes stay with extent 1
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED for other reductions,
 *      ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks, except if the axes are not divided */
ARR_API arr_status arr_dist_reduce(arr_dist a, int32_t reduction, int32_t naxes, const int32_t *axes,
                                   bool keepdims, arr_stream stream, arr_dist *out);

/** Computes the running reduction by an op along an axis, such as the cumulative sum: of each part, then continued from
 *  the ranks before. The result is divided as a is.
 *  @param op  ARR_OP_ADD or another op with arr_ufunc_accumulate
 *  @param a  the distributed array
 *  @param axis  the axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_UNSUPPORTED for other ops,
 *      ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks, except if the axis is not divided */
ARR_API arr_status arr_dist_accumulate(int32_t op, arr_dist a, int32_t axis, arr_stream stream,
                                       arr_dist *out);

/** Returns the product of two matrices, or of a matrix and a vector, or of two vectors. Rows of the result are divided
 *  as those of a, columns as those of b if that is along another axis of the same grid. Panels of a and b are broadcast
 *  along the grid while others are multiplied (SUMMA, van de Geijn and Watts, 1997); where only the inner axis is
 *  divided, and in the same way, the products of parts are summed by arr_comm_all_reduce.
 *  @param a  the left operand, of 1 or 2 dimensions
 *  @param b  the right operand, of 1 or 2 dimensions
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_matmul(arr_dist a, arr_dist b, arr_stream stream, arr_dist *out);

/** Computes Fourier transforms along axes. Each rank transforms axes that it has whole; between these steps the array
 *  is redistributed so that another axis is (pencils): of three axes divided among one or two axes of the grid, no rank
 *  ever has more than its part. An array of one axis is gathered on all ranks.
 *  @param a  the distributed array
 *  @param naxes  number of axes, or 0
 *  @param[in,null,len=naxes] axes  the axes, in the order of their transforms as numpy.fft has it; with naxes 0 all
 *  @param inverse  true: the inverse transform
 *  @param norm  ARR_FFT_BACKWARD, ARR_FFT_ORTHO or ARR_FFT_FORWARD
 *  @param keep  true: the result is divided as a is; false: as the last transform leaves it, which saves a
 *      redistribution
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks if the array is redistributed */
ARR_API arr_status arr_dist_fftn(arr_dist a, int32_t naxes, const int32_t *axes, bool inverse, int32_t norm,
                                 bool keep, arr_stream stream, arr_dist *out);

/** Computes Fourier transforms of a real array, which keep half of the last of the axes: n / 2 + 1 indices of n.
 *  @param a  the distributed array
 *  @param naxes  number of axes, or 0
 *  @param[in,null,len=naxes] axes  the axes, in the order of their transforms as numpy.fft has it; with naxes 0 all
 *  @param norm  ARR_FFT_BACKWARD, ARR_FFT_ORTHO or ARR_FFT_FORWARD
 *  @param keep  true: the result is divided as a is, the last axis in contiguous parts; false: as the last transform
 *      leaves it, which saves a redistribution
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks if the array is redistributed */
ARR_API arr_status arr_dist_rfftn(arr_dist a, int32_t naxes, const int32_t *axes, int32_t norm, bool keep,
                                  arr_stream stream, arr_dist *out);

/** Computes the inverse of arr_dist_rfftn.
 *  @param a  the distributed array
 *  @param n  extent of the last of the axes in the result; -1: 2 (m - 1) of m in a
 *  @param naxes  number of axes, or 0
 *  @param[in,null,len=naxes] axes  the axes, in the order of their transforms as numpy.fft has it; with naxes 0 all
 *  @param norm  ARR_FFT_BACKWARD, ARR_FFT_ORTHO or ARR_FFT_FORWARD
 *  @param keep  true: the result is divided as a is, the last axis in contiguous parts; false: as the last transform
 *      leaves it, which saves a redistribution
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks if the array is redistributed */
ARR_API arr_status arr_dist_irfftn(arr_dist a, int64_t n, int32_t naxes, const int32_t *axes, int32_t norm,
                                   bool keep, arr_stream stream, arr_dist *out);

/** Sorts along an axis, nan last. A vector is sorted by regular samples (Shi and Schaeffer, 1992); another array is
 *  redistributed so that the axis is whole. The result is divided as a is.
 *  @param a  the distributed array
 *  @param axis  the axis
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks, except if the axis is not divided */
ARR_API arr_status arr_dist_sort(arr_dist a, int32_t axis, arr_stream stream, arr_dist *out);

/** Draws random numbers: those that arr_random_draw gives for the whole array with the same generator, however it is
 *  divided.
 *  @param decomposition  the decomposition
 *  @param generator  a Philox generator of this rank, in the same state on all ranks; it advances as for the whole
 *      array
 *  @param distribution  ARR_DISTRIBUTION_...
 *  @param nparameters  number of parameters
 *  @param[in,null,len=nparameters] parameters  numbers; a missing one, or one of kind 0, has its default
 *  @param dtype  dtype of the numbers; 0: float64, or int64 of integers
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_dist_random_draw(arr_decomposition decomposition, arr_generator generator,
                                        int32_t distribution, int32_t nparameters,
                                        const arr_value *parameters, arr_dtype dtype, arr_stream stream,
                                        arr_dist *out);

/* --------------------------------------------------------------------------------------------- files */

/** Reads a .npy file, which all ranks must see: each rank reads its elements only. If it fails on one rank, it fails on
 *  all.
 *  @param decomposition  the decomposition, of the shape that the file has
 *  @param[in,bytes=length] path  file name, UTF-8
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO also if it failed on another rank, ARR_E_FORMAT, ARR_E_DTYPE,
 *      ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_load_npy(arr_decomposition decomposition, const char *path, int64_t length,
                                     arr_stream stream, arr_dist *out);

/** Writes a .npy file in row-major order. Rank 0 writes it, and gets the other ranks' elements in slices of 64 MiB; a
 *  failure leaves no partial file, and is one of all ranks.
 *  @param a  the distributed array
 *  @param[in,bytes=length] path  file name on rank 0, UTF-8; an existing file is replaced
 *  @param length  number of bytes of path; -1 if it is NUL-terminated
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_IO also if it failed on another rank, ARR_E_DTYPE, ARR_E_MEMORY,
 *      ARR_E_LOST, ARR_E_DEVICE
 *  @sync waits for the other ranks */
ARR_API arr_status arr_dist_save_npy(arr_dist a, const char *path, int64_t length, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
