/* SPDX-License-Identifier: MIT */
/* view.h - views that share memory, copies, casts and writes into arrays. */
#ifndef ARR_VIEW_H
#define ARR_VIEW_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------- views: they share memory */

/** a[start:stop:step] along each of the first n axes, with Python's rules.
 *  @param a  the array
 *  @param n  number of axes, 0..ndim
 *  @param[in,index,len=n] start  first position; negative from the end; INT64_MIN or INT64_MAX for an open end
 *  @param[in,stop,len=n] stop  end, not included; likewise
 *  @param[in,null,len=n] step  not 0; NULL for all 1
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.__getitem__, cupy.ndarray[index: slice (negative step)] */
ARR_API arr_status arr_slice(arr_array a, int32_t n, const int64_t *start, const int64_t *stop,
                             const int64_t *step, arr_array *out);

/** a[index] along one axis, which goes away.
 *  @param a  the array
 *  @param axis  the axis; negative values count from the end
 *  @param[in,index] index  position; negative from the end
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_select(arr_array a, int32_t axis, int64_t index, arr_array *out);

/** Axes in another order.
 *  @param a  the array
 *  @param naxes  ndim of a, or 0 to reverse
 *  @param[in,null,len=naxes] axes  axis i of the result is axis axes[i] of a; NULL to reverse
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.transpose, cupy.permute_dims, cupy.ndarray.transpose, cupy.ndarray.T */
ARR_API arr_status arr_transpose(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Matrices transposed: the last two axes in the other order.
 *  @param a  two dimensions or more
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.linalg.matrix_transpose, cupy.matrix_transpose, cupy.ndarray.mT */
ARR_API arr_status arr_matrix_transpose(arr_array a, arr_array *out);

/** The diagonals of two axes, along a new last axis.
 *  @param a  two dimensions or more
 *  @param offset  which: above the main diagonal if positive, below it if negative
 *  @param axis1  the rows' axis; negative values count from the end
 *  @param axis2  the columns' axis; negative values count from the end
 *  @param[out] out  one new reference: the other axes, then the diagonal
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.diagonal, cupy.ndarray.diagonal */
ARR_API arr_status arr_diagonal(arr_array a, int64_t offset, int32_t axis1, int32_t axis2, arr_array *out);

/** Repeated to a larger shape without a copy; read-only.
 *  @param a  the array
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.broadcast_to */
ARR_API arr_status arr_broadcast_to(arr_array a, int32_t ndim, const int64_t *shape, arr_array *out);

/** New axes of extent 1.
 *  @param a  the array
 *  @param naxes  how many
 *  @param[in,len=naxes] axes  their positions in the result
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.expand_dims */
ARR_API arr_status arr_expand_dims(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Without axes of extent 1.
 *  @param a  the array
 *  @param naxes  how many
 *  @param[in,null,len=naxes] axes  which; NULL for all of extent 1
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.squeeze, cupy.ndarray.squeeze */
ARR_API arr_status arr_squeeze(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Elements in reverse along axes.
 *  @param a  the array
 *  @param naxes  how many
 *  @param[in,null,len=naxes] axes  which; NULL for all
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.flip */
ARR_API arr_status arr_flip(arr_array a, int32_t naxes, const int32_t *axes, arr_array *out);

/** Another shape of as many elements: a view where that can be, else a copy.
 *  @param a  the array
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,len=ndim] shape  extents; one may be -1 and is computed
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: in which the elements are counted
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.reshape, cupy.ndarray.reshape, cupy.ravel */
ARR_API arr_status arr_reshape(arr_array a, int32_t ndim, const int64_t *shape, int32_t order,
                               arr_stream stream, arr_array *out);

/* --------------------------------------------------------------------------------- copies and writes */

/** A contiguous copy.
 *  @param a  the array
 *  @param order  ARR_ORDER_C, _F, or _K for the axes' order in memory of a
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.copy, cupy.ndarray.copy */
ARR_API arr_status arr_copy(arr_array a, int32_t order, arr_stream stream, arr_array *out);

/** The same array if it is contiguous in the order, else a copy.
 *  @param a  the array
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ascontiguousarray, cupy.asfortranarray */
ARR_API arr_status arr_contiguous(arr_array a, int32_t order, arr_stream stream, arr_array *out);

#define ARR_CAST_SAME_KIND 0 /* safe, or within a kind (float64 to float32) */
#define ARR_CAST_NO 1        /* no change */
#define ARR_CAST_EQUIV 2     /* no change but byte order */
#define ARR_CAST_SAFE 3      /* every value is kept */
#define ARR_CAST_UNSAFE 4    /* anything */

/** A copy with another element type. A float out of an integer's range becomes some integer; complex to real
 *  drops the imaginary part.
 *  @param a  the array
 *  @param dtype  element type
 *  @param casting  ARR_CAST_...: what is allowed; NumPy's default here is ARR_CAST_UNSAFE
 *  @param order  ARR_ORDER_C, _F, or _K for the axes' order in memory of a
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.astype, cupy.ndarray.astype */
ARR_API arr_status arr_astype(arr_array a, arr_dtype dtype, int32_t casting, int32_t order, arr_stream stream,
                              arr_array *out);

/** Writes one number to every element.
 *  @param[in,written] a  the array, written
 *  @param value  a scalar, cast to the dtype of a, in which a weak whole number must fit; not NULL
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.fill */
ARR_API arr_status arr_fill(arr_array a, const arr_value *value, arr_stream stream);

/** dst[...] = src: broadcast to dst, cast by the same_kind rule; also between devices where both are contiguous.
 *  @param[in,written] dst  the array or view, written
 *  @param src  what to write; may overlap dst
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.copyto, cupy.ndarray.__setitem__, cupy.ndarray[setitem: scalar/array broadcast] */
ARR_API arr_status arr_assign(arr_array dst, arr_array src, arr_stream stream);

#ifdef __cplusplus
}
#endif
#endif
