/* SPDX-License-Identifier: MIT */
/* manipulation.h - arrays joined and cut, elements moved, repeated, put in and left out. */
#ifndef ARR_MANIPULATION_H
#define ARR_MANIPULATION_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------------- joining */

/** Arrays one after the other along an axis. The axes lie in memory as those of the arrays do, in row-major order
 *  where the arrays differ.
 *  @param n  how many, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: the elements of each in row-major
 *      order, whatever their shapes
 *  @param dtype  the result's element type, to which all cast with the same_kind rule; 0: the type that all promote to
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.concatenate, cupy.concat */
ARR_API arr_status arr_concatenate(int32_t n, const arr_array *arrays, int32_t axis, arr_dtype dtype,
                                   arr_stream stream, arr_array *out);

/** arr_concatenate into an existing array of the result's shape; cast with the same_kind rule.
 *  @param[in,written] dst  the array or view, written; may overlap the arrays
 *  @param n  how many, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param axis  as in arr_concatenate
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_concatenate_into(arr_array dst, int32_t n, const arr_array *arrays, int32_t axis,
                                        arr_stream stream);

/** Arrays of one shape along a new axis.
 *  @param n  how many, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param axis  the position of the new axis in the result; negative values count from the end
 *  @param dtype  the result's element type, to which all cast with the same_kind rule; 0: the type that all promote to
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.stack */
ARR_API arr_status arr_stack(int32_t n, const arr_array *arrays, int32_t axis, arr_dtype dtype,
                             arr_stream stream, arr_array *out);

/** Arrays one below the other: along the first axis. A vector is a row.
 *  @param n  how many, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the result's element type, to which all cast with the same_kind rule; 0: the type that all promote to
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.vstack */
ARR_API arr_status arr_vstack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                              arr_array *out);

/** Arrays side by side: along the second axis, vectors along their only one.
 *  @param n  how many, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the result's element type, to which all cast with the same_kind rule; 0: the type that all promote to
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.hstack */
ARR_API arr_status arr_hstack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                              arr_array *out);

/** Arrays along the third axis. A vector of n elements has the shape (1, n, 1) there, a matrix (m, n, 1).
 *  @param n  how many, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the result's element type, to which all cast with the same_kind rule; 0: the type that all promote to
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.dstack */
ARR_API arr_status arr_dstack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                              arr_array *out);

/** Vectors as the columns of a matrix, matrices beside them.
 *  @param n  how many, 1 or more
 *  @param[in,len=n] arrays  the arrays, on one device
 *  @param dtype  the result's element type, to which all cast with the same_kind rule; 0: the type that all promote to
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.column_stack */
ARR_API arr_status arr_column_stack(int32_t n, const arr_array *arrays, arr_dtype dtype, arr_stream stream,
                                    arr_array *out);

/** Values after the elements of an array, in the type that both promote to.
 *  @param a  the array
 *  @param values  the array that follows
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: the elements of both in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.append */
ARR_API arr_status arr_append(arr_array a, arr_array values, int32_t axis, arr_stream stream, arr_array *out);

/* -------------------------------------------------------------------------------------- cutting: views */

/** Equal parts of an axis. NumPy's vsplit, hsplit and dsplit are this function with axis 0, 1 (0 for a vector) and
 *  2.
 *  @param a  the array
 *  @param n  the number of parts, which divides the extent
 *  @param axis  the axis; negative values count from the end
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.split, cupy.hsplit, cupy.vsplit, cupy.dsplit */
ARR_API arr_status arr_split(arr_array a, int32_t n, int32_t axis, arr_array *out);

/** Parts of an axis that are as equal as can be: the first extent % n of them are longer by one.
 *  @param a  the array
 *  @param n  the number of parts, 1 or more
 *  @param axis  the axis; negative values count from the end
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.array_split */
ARR_API arr_status arr_array_split(arr_array a, int32_t n, int32_t axis, arr_array *out);

/** Parts of an axis before, between and after positions, as of a[:p0], a[p0:p1], ... a[pn:] with Python's rules: a
 *  part may be empty.
 *  @param a  the array
 *  @param n  the number of positions, 0 or more
 *  @param[in,stop,len=n] positions  where a part ends and the next begins; negative from the end
 *  @param axis  the axis; negative values count from the end
 *  @param nout  entries at out: n + 1
 *  @param[out,len=nout,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_split_at(arr_array a, int32_t n, const int64_t *positions, int32_t axis, int32_t nout,
                                arr_array *out);

/** Each position of an axis, which goes away.
 *  @param a  the array
 *  @param axis  the axis; negative values count from the end
 *  @param n  entries at out: the extent of the axis
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_unstack(arr_array a, int32_t axis, int32_t n, arr_array *out);

/* ----------------------------------------------------------------------------------------- axes: views */

/** Axes at other places; the others keep their order.
 *  @param a  the array
 *  @param n  how many move
 *  @param[in,len=n] source  which, counted from 0; negative values count from the end
 *  @param[in,len=n] destination  their places in the result, likewise
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.moveaxis, cupy.rollaxis */
ARR_API arr_status arr_moveaxis(arr_array a, int32_t n, const int32_t *source, const int32_t *destination,
                                arr_array *out);

/** Two axes in each other's place.
 *  @param a  the array
 *  @param axis1  an axis; negative values count from the end
 *  @param axis2  another, likewise
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.swapaxes, cupy.ndarray.swapaxes */
ARR_API arr_status arr_swapaxes(arr_array a, int32_t axis1, int32_t axis2, arr_array *out);

/** A plane turned by quarters of a circle, from axis1 to axis2.
 *  @param a  the array
 *  @param k  how many quarters; negative values turn back
 *  @param axis1  the axis to turn from; negative values count from the end
 *  @param axis2  the axis to turn to, likewise
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.rot90 */
ARR_API arr_status arr_rot90(arr_array a, int32_t k, int32_t axis1, int32_t axis2, arr_array *out);

/** At least one, two or three dimensions, by axes of extent 1: a vector of n elements becomes (1, n) or (1, n, 1), a
 *  matrix (m, n, 1).
 *  @param a  the array
 *  @param nd  1, 2 or 3
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.atleast_1d, cupy.atleast_2d, cupy.atleast_3d */
ARR_API arr_status arr_atleast(arr_array a, int32_t nd, arr_array *out);

/** All arrays as read-only views of the shape that they broadcast to.
 *  @param n  how many, 0 or more
 *  @param[in,len=n] arrays  the arrays
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.broadcast_arrays, cupy.broadcast */
ARR_API arr_status arr_broadcast_arrays(int32_t n, const arr_array *arrays, arr_array *out);

#define ARR_MESHGRID_XY 0 /* the first array along the second axis, the second along the first */
#define ARR_MESHGRID_IJ 1 /* array k along axis k */

/** Coordinates of the points of a grid: array k of n, flattened, along its own axis of n, and constant along the
 *  others.
 *  @param n  how many, 0..ARR_MAX_NDIM
 *  @param[in,len=n] arrays  the coordinates along each axis
 *  @param indexing  ARR_MESHGRID_XY or ARR_MESHGRID_IJ
 *  @param sparse  1: the extents of the other axes are 1; 0: those of the grid
 *  @param copy  1: new arrays; 0: views where that can be, read-only unless sparse
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,len=n,view] out  new references
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.meshgrid */
ARR_API arr_status arr_meshgrid(int32_t n, const arr_array *arrays, int32_t indexing, int32_t sparse,
                                int32_t copy, arr_stream stream, arr_array *out);

/* ------------------------------------------------------------------------------- repeating and rolling */

/** The array repeated along its axes. The shorter of shape and reps gets leading ones.
 *  @param a  the array
 *  @param nreps  entries at reps, 0..ARR_MAX_NDIM
 *  @param[in,len=nreps] reps  how often along each axis, 0 or more
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.tile */
ARR_API arr_status arr_tile(arr_array a, int32_t nreps, const int64_t *reps, arr_stream stream,
                            arr_array *out);

/** Each element repeated.
 *  @param a  the array
 *  @param count  how often, 0 or more
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.repeat, cupy.ndarray.repeat */
ARR_API arr_status arr_repeat(arr_array a, int64_t count, int32_t axis, arr_stream stream, arr_array *out);

/** Elements moved along axes; those that leave at one end come back at the other.
 *  @param a  the array
 *  @param n  how many shifts
 *  @param[in,len=n] shifts  by how many places; those of one axis add up
 *  @param[in,null,len=n] axes  an axis per shift; NULL: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.roll */
ARR_API arr_status arr_roll(arr_array a, int32_t n, const int64_t *shifts, const int32_t *axes,
                            arr_stream stream, arr_array *out);

/** Another shape of any size: the elements in row-major order, again and again. Zeros where there is no element.
 *  @param a  the array
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.resize */
ARR_API arr_status arr_resize(arr_array a, int32_t ndim, const int64_t *shape, arr_stream stream,
                              arr_array *out);

/* -------------------------------------------------------------- elements put in, left out and replaced */

#define ARR_TRIM_BOTH 0  /* at both ends */
#define ARR_TRIM_FRONT 1 /* at the start only */
#define ARR_TRIM_BACK 2  /* at the end only */

/** A view without the positions at the ends of axes where all elements are zero; of zeros only, an empty one.
 *  @param a  the array
 *  @param ends  ARR_TRIM_...
 *  @param naxes  how many
 *  @param[in,null,len=naxes] axes  which; NULL for all
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, until the positions are known   @threads any   @since 0.1
 *  @cupy cupy.trim_zeros */
ARR_API arr_status arr_trim_zeros(arr_array a, int32_t ends, int32_t naxes, const int32_t *axes,
                                  arr_stream stream, arr_array *out);

/** A copy with a block of values put in at one position of an axis. The first axis of the values is that along which
 *  they go in, NumPy's rule for a single index.
 *  @param a  the array
 *  @param[in,index] index  the position before which they go; negative from the end; the extent is the end
 *  @param values  cast with the same_kind rule; with as many dimensions as a, or fewer; broadcast but for their first
 *      axis
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_insert(arr_array a, int64_t index, arr_array values, int32_t axis, arr_stream stream,
                              arr_array *out);

/** A copy with values put in at several positions of an axis, which are those before anything is put in; values of
 *  one position keep their order. Of a single position the values may be several along the axis.
 *  @param a  the array
 *  @param n  how many positions
 *  @param[in,index,len=n] indices  in any order; negative from the end; the extent is the end
 *  @param values  cast with the same_kind rule, broadcast to n positions along the axis
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_insert_at(arr_array a, int32_t n, const int64_t *indices, arr_array values,
                                 int32_t axis, arr_stream stream, arr_array *out);

/** arr_insert_at with the positions of a slice, by Python's rules.
 *  @param a  the array
 *  @param[in,index] start  first position; negative from the end; INT64_MIN or INT64_MAX for an open end
 *  @param[in,stop] stop  end, not included; likewise
 *  @param step  not 0
 *  @param values  as in arr_insert_at
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_insert_slice(arr_array a, int64_t start, int64_t stop, int64_t step, arr_array values,
                                    int32_t axis, arr_stream stream, arr_array *out);

/** A copy without positions of an axis.
 *  @param a  the array
 *  @param n  how many positions
 *  @param[in,index,len=n] indices  in any order, and repeated at will; negative from the end
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.delete */
ARR_API arr_status arr_delete(arr_array a, int32_t n, const int64_t *indices, int32_t axis, arr_stream stream,
                              arr_array *out);

/** arr_delete with the positions of a slice, by Python's rules.
 *  @param a  the array
 *  @param[in,index] start  first position; negative from the end; INT64_MIN or INT64_MAX for an open end
 *  @param[in,stop] stop  end, not included; likewise
 *  @param step  not 0
 *  @param axis  the axis; negative values count from the end; ARR_AXIS_NONE: all elements in row-major order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_delete_slice(arr_array a, int64_t start, int64_t stop, int64_t step, int32_t axis,
                                    arr_stream stream, arr_array *out);

/** dst[...] = src where a mask is true, with a casting rule. arr_assign is this without either.
 *  @param[in,written] dst  the array or view, written
 *  @param src  what to write, broadcast to dst as by arr_assign; may overlap it
 *  @param casting  ARR_CAST_... of view.h: what is allowed
 *  @param[in,null] where  bool, broadcast to dst: other elements stay; NULL: all are written
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.copyto */
ARR_API arr_status arr_copyto(arr_array dst, arr_array src, int32_t casting, arr_array where,
                              arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
