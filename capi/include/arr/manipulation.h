/* SPDX-License-Identifier: MIT */
/* manipulation.h - joining and splitting arrays; moving, repeating, inserting and deleting elements; padding. */
#ifndef ARR_MANIPULATION_H
#define ARR_MANIPULATION_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------------- joining */

/** Joins arrays along an existing axis. The axes of the result have the same order in memory as those of the arrays,
 *  or row-major order if the arrays differ.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param axis  the axis; ARR_AXIS_NONE joins the elements of each array in row-major order, whatever the shapes
 *  @param dtype  the dtype of the result, to which all arrays cast by the same_kind rule; 0 selects the dtype that
 *      all promote to
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_concatenate(int32_t n, const arr_array *arrays, int32_t axis, arr_dtype dtype,
                                   arr_stream stream, arr_array *out);

/** Writes the result of arr_concatenate into an existing array of its shape; cast by the same_kind rule.
 *  @param[in,written] dst  the destination; may overlap the arrays
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param axis  the axis, as in arr_concatenate
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_concatenate_into(arr_array dst, int32_t n, const arr_array *arrays, int32_t axis,
                                        arr_stream stream);

/** Joins arrays of one shape along a new axis.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param axis  the index of the new axis in the result
 *  @param dtype  the dtype of the result, to which all arrays cast by the same_kind rule; 0 selects the dtype that
 *      all promote to
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_stack(int32_t n, const arr_array *arrays, int32_t axis, arr_dtype dtype,
                             arr_stream stream, arr_array *out);

/** Joins arrays along the first axis. A vector counts as a row.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the dtype of the result, to which all arrays cast by the same_kind rule; 0 selects the dtype that
 *      all promote to
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_vstack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                              arr_array *out);

/** Joins arrays along the second axis, or vectors along their only axis.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the dtype of the result, to which all arrays cast by the same_kind rule; 0 selects the dtype that
 *      all promote to
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_hstack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                              arr_array *out);

/** Joins arrays along the third axis. A vector of n elements counts as an array of shape (1, n, 1), a matrix as one
 *  of shape (m, n, 1).
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the dtype of the result, to which all arrays cast by the same_kind rule; 0 selects the dtype that
 *      all promote to
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_dstack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                              arr_array *out);

/** Joins arrays along the second axis. Vectors become columns; matrices are joined as they are.
 *  @param n  number of arrays, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the dtype of the result, to which all arrays cast by the same_kind rule; 0 selects the dtype that
 *      all promote to
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_column_stack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                                    arr_array *out);

/** Appends values to an array, in the dtype that both promote to.
 *  @param a  the array
 *  @param values  the array to append
 *  @param axis  the axis; ARR_AXIS_NONE joins the elements of both in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_append(arr_array a, arr_array values, int32_t axis, arr_stream stream, arr_array *out);

/** Assembles an array from nested lists of blocks (NumPy's block). The innermost lists are joined along the last
 *  axis, the lists that contain them along the axis before, and so on. Blocks get leading axes of extent 1 as
 *  needed.
 *  @param n  number of blocks, 1 or more
 *  @param[in,len=n] arrays  the blocks in the order of the lists, on one device
 *  @param depth  depth to which the lists are nested; 0: one block and no list
 *  @param nlengths  number of lists
 *  @param[in,null,len=nlengths] lengths  number of entries of each list, which comes before the lists that it
 *      contains: 2, 2, 1 for [[a, b], [c]]; may be NULL if nlengths is 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference, of the dtype that all blocks promote to
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_block(int32_t n, const arr_array *arrays, int32_t depth, int32_t nlengths,
                             const int32_t *lengths, arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------------ splitting: views */

/** Splits an array along an axis into views of equal extent. NumPy's vsplit, hsplit and dsplit are this function
 *  with axis 0, 1 (0 for a vector) and 2.
 *  @param a  the array
 *  @param n  the number of views, which divides the extent
 *  @param axis  the axis
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_split(arr_array a, int32_t n, int32_t axis, arr_array *out);

/** Splits an array along an axis into views of nearly equal extent: the first extent % n views have one index more.
 *  @param a  the array
 *  @param n  the number of views, 1 or more
 *  @param axis  the axis
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_array_split(arr_array a, int32_t n, int32_t axis, arr_array *out);

/** Splits an array along an axis at the given indices. With indices p0, p1 to pn, the views are a[:p0], a[p0:p1] and
 *  so on to a[pn:], by Python's rules for slices; a view may be empty.
 *  @param a  the array
 *  @param n  the number of indices, 0 or more
 *  @param[in,stop,len=n] positions  the indices at which one view ends and the next begins; negative values count
 *      from the end
 *  @param axis  the axis
 *  @param nout  number of entries at out: n + 1
 *  @param[out,len=nout,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_split_at(arr_array a, int32_t n, const int64_t *positions, int32_t axis, int32_t nout,
                                arr_array *out);

/** Splits an array along an axis into views without that axis, one for each index.
 *  @param a  the array
 *  @param axis  the axis
 *  @param n  number of entries at out: the extent of the axis
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_unstack(arr_array a, int32_t axis, int32_t n, arr_array *out);

/* ----------------------------------------------------------------------------------------- axes: views */

/** Moves axes to new positions; the other axes keep their order. Returns a view.
 *  @param a  the array
 *  @param n  the number of axes to move
 *  @param[in,len=n] source  the axes to move
 *  @param[in,len=n] destination  the axes that they become in the result
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_moveaxis(arr_array a, int32_t n, const int32_t *source, const int32_t *destination,
                                arr_array *out);

/** Swaps two axes. Returns a view.
 *  @param a  the array
 *  @param axis1  the first axis
 *  @param axis2  the second axis
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_swapaxes(arr_array a, int32_t axis1, int32_t axis2, arr_array *out);

/** Rotates an array by k * 90 degrees in the plane of two axes, from axis1 towards axis2. Returns a view.
 *  @param a  the array
 *  @param k  number of rotations by 90 degrees; negative values rotate from axis2 towards axis1
 *  @param axis1  the axis to rotate from
 *  @param axis2  the axis to rotate towards
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_rot90(arr_array a, int32_t k, int32_t axis1, int32_t axis2, arr_array *out);

/** Returns a view with at least one, two or three dimensions. Axes of extent 1 are added: a vector of n elements
 *  becomes (1, n) or (1, n, 1), a matrix (m, n, 1).
 *  @param a  the array
 *  @param nd  least number of dimensions: 1, 2 or 3
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_atleast(arr_array a, int32_t nd, arr_array *out);

/** Broadcasts arrays to their common shape. Returns read-only views.
 *  @param n  number of arrays, 0 or more
 *  @param[in,len=n] arrays  the arrays
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_broadcast_arrays(int32_t n, const arr_array *arrays, arr_array *out);

#define ARR_INDEXING_XY 0 /* array 0 along the second axis, array 1 along the first (Cartesian) */
#define ARR_INDEXING_IJ 1 /* array k along axis k (matrix) */

#define ARR_MESHGRID_SPARSE 1 /* flag: the other axes have extent 1, not the extents of the grid */
#define ARR_MESHGRID_COPY 2   /* flag: new arrays, not views, which are read-only unless SPARSE */

/** Returns the coordinates of the points of a grid. Result k holds the elements of array k along one axis and is
 *  constant along the others.
 *  @param n  number of arrays, 0..ARR_MAX_NDIM
 *  @param[in,len=n] arrays  the coordinates along each axis, flattened in row-major order
 *  @param indexing  ARR_INDEXING_XY or ARR_INDEXING_IJ
 *  @param flags  ARR_MESHGRID_... values, combined with |; NumPy's default is ARR_MESHGRID_COPY
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_meshgrid(int32_t n, const arr_array *arrays, int32_t indexing, int32_t flags,
                                arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------- repeating and rolling */

/** Repeats an array along its axes. The shorter of its shape and reps is extended by leading ones.
 *  @param a  the array
 *  @param nreps  number of entries at reps, 0..ARR_MAX_NDIM
 *  @param[in,len=nreps] reps  number of repetitions along each axis, 0 or more
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_tile(arr_array a, int32_t nreps, const int64_t *reps, arr_stream stream,
                            arr_array *out);

/** Repeats each element along an axis.
 *  @param a  the array
 *  @param count  number of repetitions, 0 or more
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_repeat(arr_array a, int64_t count, int32_t axis, arr_stream stream, arr_array *out);

/** Repeats each element along an axis by a count for that element.
 *  @param a  the array
 *  @param counts  integers, 0 or more: one for each index of the axis, or one for all
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param total  the sum of the counts if the caller knows it: the call then does not wait and does not check the
 *      counts; else -1. If it is not the sum, the elements of the result are unspecified
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes if total is -1, until the sum is known */
ARR_API arr_status arr_repeat_counts(arr_array a, arr_array counts, int32_t axis, int64_t total,
                                     arr_stream stream, arr_array *out);

/** Shifts elements along axes; elements shifted beyond the last index reappear at the first.
 *  @param a  the array
 *  @param n  number of shifts
 *  @param[in,len=n] shifts  number of indices to shift by; shifts along the same axis add up
 *  @param[in,null,len=n] axes  the axis of each shift; NULL selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_roll(arr_array a, int32_t n, const int64_t *shifts, const int32_t *axes,
                            arr_stream stream, arr_array *out);

/** Returns an array of the given shape, filled by repeating the elements in row-major order; filled with zeros if
 *  the input has no elements.
 *  @param a  the array
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_resize(arr_array a, int32_t ndim, const int64_t *shape, arr_stream stream,
                              arr_array *out);

/* ---------------------------------------------------------------- inserting, deleting and replacing */

#define ARR_TRIM_BOTH 0  /* trims both ends */
#define ARR_TRIM_FRONT 1 /* trims the start only */
#define ARR_TRIM_BACK 2  /* trims the end only */

/** Returns a view without the leading and trailing slices that are all zero; it is empty if all elements are zero.
 *  @param a  the array
 *  @param ends  ARR_TRIM_BOTH, ARR_TRIM_FRONT or ARR_TRIM_BACK
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  the axes to trim; NULL selects all
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the extents are known */
ARR_API arr_status arr_trim_zeros(arr_array a, int32_t ends, int32_t naxes, const int32_t *axes,
                                  arr_stream stream, arr_array *out);

/** Returns a copy with a block of values inserted before one index of an axis. The values' first axis is the one
 *  along which they are inserted, which is NumPy's rule for a single index.
 *  @param a  the array
 *  @param[in,index] index  the index before which the values are inserted; negative values count from the end; the
 *      extent appends
 *  @param values  the values, cast by the same_kind rule, with at most as many dimensions as a; all axes except the
 *      first broadcast
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_insert(arr_array a, int64_t index, arr_array values, int32_t axis, arr_stream stream,
                              arr_array *out);

/** Returns a copy with values inserted before the given indices of an axis. All indices refer to the input, and
 *  values inserted at the same index keep their order. With one index, several values may be inserted.
 *  @param a  the array
 *  @param n  number of indices
 *  @param[in,index,len=n] indices  the indices, in any order; negative values count from the end; the extent appends
 *  @param values  the values, cast by the same_kind rule and broadcast to n indices along the axis
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_insert_at(arr_array a, int32_t n, const int64_t *indices, arr_array values,
                                 int32_t axis, arr_stream stream, arr_array *out);

/** Returns a copy with values inserted before each index of a slice, which follows Python's rules. Otherwise like
 *  arr_insert_at.
 *  @param a  the array
 *  @param[in,index] start  the first index; negative values count from the end; INT64_MIN or INT64_MAX leaves the
 *      end open
 *  @param[in,stop] stop  the end, excluded; negative values count from the end; INT64_MIN or INT64_MAX leaves the
 *      end open
 *  @param step  the step, not 0
 *  @param values  the values, as in arr_insert_at
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_insert_slice(arr_array a, int64_t start, int64_t stop, int64_t step, arr_array values,
                                    int32_t axis, arr_stream stream, arr_array *out);

/** Returns a copy without the given indices of an axis.
 *  @param a  the array
 *  @param n  number of indices
 *  @param[in,index,len=n] indices  the indices, in any order; repeated ones count once; negative values count from
 *      the end
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_delete(arr_array a, int32_t n, const int64_t *indices, int32_t axis, arr_stream stream,
                              arr_array *out);

/** Returns a copy without the indices of a slice of an axis, which follows Python's rules.
 *  @param a  the array
 *  @param[in,index] start  the first index; negative values count from the end; INT64_MIN or INT64_MAX leaves the
 *      end open
 *  @param[in,stop] stop  the end, excluded; negative values count from the end; INT64_MIN or INT64_MAX leaves the
 *      end open
 *  @param step  the step, not 0
 *  @param axis  the axis; ARR_AXIS_NONE selects all elements in row-major order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_delete_slice(arr_array a, int64_t start, int64_t stop, int64_t step, int32_t axis,
                                    arr_stream stream, arr_array *out);

/** Copies an array into another where a mask is true, with a casting rule. arr_assign does the same without a mask
 *  and a rule.
 *  @param[in,written] dst  the destination, an array or a view
 *  @param src  the array to copy, broadcast to dst as by arr_assign; may overlap it
 *  @param casting  the casts that are allowed: ARR_CAST_... of view.h
 *  @param[in,null] where  an array of bool, broadcast to dst: elements where it is false are unchanged; NULL selects
 *      all elements
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_copyto(arr_array dst, arr_array src, int32_t casting, arr_array where,
                              arr_stream stream);

/* ------------------------------------------------------------------------------------------------- padding */

#define ARR_PAD_CONSTANT 0    /* constant values */
#define ARR_PAD_EDGE 1        /* the outermost element */
#define ARR_PAD_LINEAR_RAMP 2 /* a linear ramp from the outermost element to an end value */
#define ARR_PAD_MAXIMUM 3     /* the largest element along the axis */
#define ARR_PAD_MEAN 4        /* the mean along the axis; for integers rounded, halves to even */
#define ARR_PAD_MINIMUM 5     /* the smallest element along the axis */
#define ARR_PAD_REFLECT 6     /* reflected about the outermost element, which is not repeated */
#define ARR_PAD_SYMMETRIC 7 /* reflected about the edge of the array, so the outermost element is repeated */
#define ARR_PAD_WRAP 8      /* the elements of the other end */
#define ARR_PAD_EMPTY 9     /* uninitialised */
#define ARR_PAD_MEDIAN 10   /* the median along the axis; for integers rounded, halves to even */

/** Options of arr_pad. Zero everything, then set struct_size. A list has 0 entries for the default, 1 for all
 *  sides, 2 for before and after of every axis, or 2 for each axis. */
typedef struct arr_pad_options {
  int64_t struct_size;         /* sizeof(arr_pad_options) */
  const arr_value *values;     /* CONSTANT: the numbers; LINEAR_RAMP: the end values; by default 0 */
  const int64_t *stat_lengths; /* MAXIMUM, MEAN, MEDIAN, MINIMUM: elements used at each end; by default all */
  int32_t nvalues;             /* entries at values */
  int32_t nlengths;            /* entries at stat_lengths */
  int32_t odd;      /* REFLECT, SYMMETRIC: 1: twice the outermost element minus the reflected one; else 0 */
  int32_t reserved; /* must be 0 */
} arr_pad_options;

/** Returns an array padded along each axis. Axes are padded one after the other, so the corners depend on the
 *  padding of the axes before. Widths beyond the extent repeat the reflection or the wrap.
 *  @param a  the array
 *  @param n  number of entries at widths: 1 for all sides, 2 for before and after of every axis, or 2 for each axis
 *  @param[in,null,len=n] widths  numbers of elements, each >= 0; may be NULL if n is 0
 *  @param mode  ARR_PAD_...
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_pad(arr_array a, int32_t n, const int64_t *widths, int32_t mode,
                           const arr_pad_options *options, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
