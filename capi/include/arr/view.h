/* SPDX-License-Identifier: MIT */
/* view.h - views that share memory, copies, casts and writes into arrays. */
#ifndef ARR_VIEW_H
#define ARR_VIEW_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------- views: they share memory */

/** Returns the view a[start:stop:step] along each of the first n axes, with Python's rules.
 *  @param a  the array
 *  @param n  number of axes, from 0 to ndim
 *  @param[in,index,len=n] start  the first index; negative values count from the end; INT64_MIN or INT64_MAX leaves
 *      the end open
 *  @param[in,stop,len=n] stop  the end, excluded; the same values as for start
 *  @param[in,null,len=n] step  steps, not 0; NULL selects 1 everywhere
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_slice(arr_array a, int32_t n, const int64_t *start, const int64_t *stop,
                             const int64_t *step, arr_array *out);

/** Selects one index along an axis and removes that axis.
 *  @param a  the array
 *  @param axis  the axis
 *  @param[in,index] index  the index; negative values count from the end
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_index_axis(arr_array a, int32_t axis, int64_t index, arr_array *out);

/** Permutes the axes.
 *  @param a  the array
 *  @param naxes  the ndim of a, or 0 to reverse the axes
 *  @param[in,null,len=naxes] axes  axis i of the result is axis axes[i] of a; NULL reverses the axes
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_transpose(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Transposes matrices: swaps the last two axes.
 *  @param a  the array, with two dimensions or more
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_matrix_transpose(arr_array a, arr_array *out);

/** Returns the diagonals of two axes, along a new last axis.
 *  @param a  the array, with two dimensions or more
 *  @param offset  number of the diagonal: positive numbers are above the main diagonal, negative numbers below it
 *  @param axis1  axis of the rows
 *  @param axis2  axis of the columns
 *  @param[out,view] out  one new reference: the other axes, followed by the diagonal
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_diagonal(arr_array a, int64_t offset, int32_t axis1, int32_t axis2, arr_array *out);

/** Broadcasts an array to a larger shape without a copy. The view is read-only.
 *  @param a  the array
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_broadcast_to(arr_array a, int32_t ndim, const int64_t *shape, arr_array *out);

/** Inserts new axes of extent 1.
 *  @param a  the array
 *  @param naxes  number of new axes
 *  @param[in,len=naxes] axes  the new axes' indices in the result
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_expand_dims(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Removes axes of extent 1.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  the axes; NULL selects all axes of extent 1
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_squeeze(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Reverses the elements along axes.
 *  @param a  the array
 *  @param naxes  number of axes
 *  @param[in,null,len=naxes] axes  the axes; NULL selects all
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_flip(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Changes the shape to another one with as many elements. The result is a view if possible, else a copy.
 *  @param a  the array
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,len=ndim] shape  extents; one of them may be -1 and is computed
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: the order in which elements are read and written
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_reshape(arr_array a, int32_t ndim, const int64_t *shape, int32_t order,
                               arr_stream stream, arr_array *out);

/** Returns all elements as a vector: a view if possible, else a copy.
 *  @param a  the array
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_ravel(arr_array a, int32_t order, arr_stream stream, arr_array *out);

/** Computes the shape that shapes broadcast to. No array is needed.
 *  @param n  number of shapes, 0 or more
 *  @param[in,null,len=n] ndims  the number of dimensions of each shape; may be NULL when n is 0
 *  @param nextents  number of entries at extents: the sum of ndims
 *  @param[in,null,len=nextents] extents  the extents of the shapes, one shape after the other; may be NULL when there
 *      are none
 *  @param capacity  number of entries at shape
 *  @param[out,null,len=capacity] shape  the first `capacity` extents; NULL to ask for ndim only
 *  @param[out,null] ndim  number of dimensions; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_SHAPE if the shapes do not broadcast
 *  @sync no */
ARR_API arr_status arr_broadcast_shapes(int32_t n, const int32_t *ndims, int32_t nextents,
                                        const int64_t *extents, int32_t capacity, int64_t *shape,
                                        int32_t *ndim);

/* --------------------------------------------------------------------------------- copies and writes */

/** Returns a copy of all elements as a vector.
 *  @param a  the array
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_flatten(arr_array a, int32_t order, arr_stream stream, arr_array *out);

/** Returns a contiguous copy.
 *  @param a  the array
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_copy(arr_array a, int32_t order, arr_stream stream, arr_array *out);

/** Returns the array itself if it is contiguous in the order, else a copy.
 *  @param a  the array
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_contiguous(arr_array a, int32_t order, arr_stream stream, arr_array *out);

#define ARR_CAST_SAME_KIND 0 /* safe casts, and casts within a kind (float64 to float32); NumPy's same_kind */
#define ARR_CAST_NO 1        /* no change */
#define ARR_CAST_EQUIV 2     /* no change except for byte order */
#define ARR_CAST_SAFE 3      /* every value is preserved */
#define ARR_CAST_UNSAFE 4    /* any cast */

/** Returns a copy with another element type. A float outside of an integer type's range becomes an unspecified integer;
 *  a cast from complex to real drops the imaginary part.
 *  @param a  the array
 *  @param dtype  the dtype
 *  @param casting  ARR_CAST_..., the casts that are allowed; NumPy's default here is ARR_CAST_UNSAFE
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_astype(arr_array a, arr_dtype dtype, int32_t casting, int32_t order, arr_stream stream,
                              arr_array *out);

#define ARR_REQUIRE_C 1        /* row-major contiguous */
#define ARR_REQUIRE_F 2        /* column-major contiguous */
#define ARR_REQUIRE_WRITABLE 4 /* not read-only */
#define ARR_REQUIRE_OWN 8      /* memory that no other array shares: always a copy */

/** Returns the array itself if it meets requirements, else a copy that does.
 *  @param a  the array
 *  @param dtype  the dtype, to which any cast is allowed; 0 selects that of a
 *  @param requirements  ARR_REQUIRE_... values, combined with |; not both ARR_REQUIRE_C and ARR_REQUIRE_F
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_require(arr_array a, arr_dtype dtype, int32_t requirements, arr_stream stream,
                               arr_array *out);

/** Checks that all elements are finite. The call fails with the first element that is infinite or nan.
 *  @param a  the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT if an element is infinite or nan, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes, unless the dtype has finite numbers only */
ARR_API arr_status arr_check_finite(arr_array a, arr_stream stream);

/** Writes one number to every element.
 *  @param[in,written] a  the array; it is written
 *  @param value  a scalar; it is cast to the dtype of a, which must hold a weak number as in arr_full; not NULL
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_fill(arr_array a, const arr_value *value, arr_stream stream);

/** Assigns dst[...] = src: src broadcasts to dst and is cast by the same_kind rule; leading axes of extent 1 that
 *  dst does not have are ignored. The arrays may be on different devices if both are contiguous.
 *  @param[in,written] dst  the destination, an array or a view
 *  @param src  the array to read; may overlap dst
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_assign(arr_array dst, arr_array src, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
