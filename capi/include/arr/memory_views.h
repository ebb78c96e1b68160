/* SPDX-License-Identifier: MIT */
/* memory_views.h - views of an array's memory as other dtypes, records and strides; byte order; overlap. */
#ifndef ARR_MEMORY_VIEWS_H
#define ARR_MEMORY_VIEWS_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- element types */

/** Returns a view of the bytes of an array as elements of another dtype. If the sizes of the dtypes differ, the last
 *  axis must be contiguous: it becomes longer by their ratio, or shorter. For a view as bool, every byte must be 0
 *  or 1.
 *  @param a  the array
 *  @param dtype  the dtype
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT if the memory is not aligned for the type, ARR_E_DTYPE, ARR_E_SHAPE if
 *      the last axis is not contiguous or not a number of elements, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_view(arr_array a, arr_dtype dtype, arr_array *out);

/** Returns a view of one field of records that are rows of bytes: a C struct, or a row of a structured type.
 *  @param a  (..., m), uint8: the last axis is the m bytes of a record and contiguous
 *  @param position  offset in bytes of the field in a record, 0 or more
 *  @param dtype  the dtype of the field
 *  @param[out,view] out  one new reference, of shape (...)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT if the field is not inside the record or not aligned for the type,
 *      ARR_E_DTYPE, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_view_field(arr_array a, int64_t position, arr_dtype dtype, arr_array *out);

/** Returns a copy with the bytes of each number reversed. The parts of a complex number stay in their order.
 *  @param a  the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_byteswap(arr_array a, arr_stream stream, arr_array *out);

/** Writes numbers with their bytes reversed. dst may be a itself.
 *  @param[in,written] dst  the array or view, of the shape and the dtype of a
 *  @param a  the array to read; may overlap dst
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no */
ARR_API arr_status arr_byteswap_into(arr_array dst, arr_array a, arr_stream stream);

/* ------------------------------------------------------------------------------------------------- strides */

/** Returns a view of memory with any shape and strides, from the first element of an array on. Every element must
 *  lie in the memory that the array or its owner has. If two indices may refer to the same byte, the view is
 *  read-only.
 *  @param a  the array
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null,len=ndim] strides  strides in elements; NULL selects row-major order
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE if it reaches beyond the memory, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_as_strided(arr_array a, int32_t ndim, const int64_t *shape, const int64_t *strides,
                                  arr_array *out);

/** Returns a view of all windows of an array. The axes of the window follow those of the array, whose extents are
 *  smaller by the window's extent minus 1. The view is read-only.
 *  @param a  the array
 *  @param n  number of axes
 *  @param[in,null,len=n] window  extents of the window, each >= 0 and at most the axis's; may be NULL when n is 0
 *  @param[in,null,len=n] axes  the axes; an axis may occur several times; NULL selects all n axes
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_sliding_window_view(arr_array a, int32_t n, const int64_t *window, const int32_t *axes,
                                           arr_array *out);

/** Returns a view of an array with as few dimensions as possible: without axes of extent 1, and with adjacent axes
 *  merged if their elements are evenly spaced.
 *  @param a  the array
 *  @param[out,view] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_reduced_view(arr_array a, arr_array *out);

/** Returns a view of the whole memory that an array lies in, as bytes. It belongs to the array that was created
 *  first, or to the owner of foreign memory. Arrays with the same memory have the same base.
 *  @param a  the array
 *  @param[out,view] out  one new reference, a vector of uint8
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_base(arr_array a, arr_array *out);

/* ------------------------------------------------------------------------------------------------- overlap */

/** Tests whether the address ranges of two arrays overlap. They may overlap although no element is shared.
 *  @param a  an array
 *  @param b  another array
 *  @param[out] out  true if they may overlap
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_may_share_memory(arr_array a, arr_array b, bool *out);

/** Tests whether two arrays have a byte in common. The exact answer can take time that grows exponentially with the
 *  number of dimensions, for strides that no usual view has.
 *  @param a  an array
 *  @param b  another array
 *  @param max_work  largest number of candidates that are tried; -1 for no limit
 *  @param[out] out  true if they overlap
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED if max_work candidates were not enough
 *  @sync no */
ARR_API arr_status arr_shares_memory(arr_array a, arr_array b, int64_t max_work, bool *out);

#ifdef __cplusplus
}
#endif
#endif
