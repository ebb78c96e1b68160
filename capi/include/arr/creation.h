/* SPDX-License-Identifier: MIT */
/* creation.h - creates arrays: uninitialised, constant, evenly spaced, from host memory. */
#ifndef ARR_CREATION_H
#define ARR_CREATION_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates an uninitialised array.
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_create(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                              const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an uninitialised array whose rows start at aligned addresses. It is in row-major order, and its rows,
 *  along the last axis, start at multiples of 512 bytes on a GPU, as with cuMemAllocPitch, and of 64 bytes on the
 *  host. It is a strided array like any other, and arr_strides returns the pitch in elements. The padding between
 *  the rows is unused. A one-dimensional array starts at such an address.
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_create_pitched(arr_dtype dtype, int32_t ndim, const int64_t *shape,
                                      const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array of zeros.
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_zeros(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                             const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array of ones.
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ones(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                            const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array filled with one number.
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param value  a scalar; it is cast to dtype, and a weak number must fit: an integer by its size, a complex number
 *      with an imaginary part into a complex dtype or bool; not NULL
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_full(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                            const arr_value *value, const arr_device *device, arr_stream stream,
                            arr_array *out);

/** Creates an uninitialised array like another.
 *  @param a  the array whose shape and device are used
 *  @param dtype  the dtype; 0 selects that of a
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_empty_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream,
                                  arr_array *out);

/** Creates an array of zeros like another.
 *  @param a  the array whose shape and device are used
 *  @param dtype  the dtype; 0 selects that of a
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_zeros_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream,
                                  arr_array *out);

/** Creates an array of ones like another.
 *  @param a  the array whose shape and device are used
 *  @param dtype  the dtype; 0 selects that of a
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_ones_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream,
                                 arr_array *out);

/** Creates an array like another, filled with one number.
 *  @param a  the array whose shape and device are used
 *  @param dtype  the dtype; 0 selects that of a
 *  @param order  ARR_ORDER_C, ARR_ORDER_F or ARR_ORDER_K
 *  @param value  a scalar; it is cast to the dtype, and a weak number must fit, as in arr_full; not NULL
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_full_like(arr_array a, arr_dtype dtype, int32_t order, const arr_value *value,
                                 arr_stream stream, arr_array *out);

/** Creates a vector of evenly spaced numbers: start, start + step and so on, up to but not including stop.
 *  @param[in,null] start  first number; NULL selects 0
 *  @param stop  end of the range, excluded
 *  @param[in,null] step  distance between neighbours, not 0; NULL selects 1
 *  @param dtype  the dtype; 0 selects int64 if all three are integers (uint64 if start or stop is 2^63 or more),
 *      else float64. As in NumPy, a range of bool has at most two elements
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_arange(const arr_value *start, const arr_value *stop, const arr_value *step,
                              arr_dtype dtype, const arr_device *device, arr_stream stream, arr_array *out);

/** Creates a vector of count evenly spaced numbers from start to stop. They are computed in float64; for integer
 *  types they are rounded down.
 *  @param start  first number
 *  @param stop  last number if endpoint is true
 *  @param count  number of elements, >= 0
 *  @param endpoint  true: stop is the last element; false: stop is excluded
 *  @param dtype  the dtype; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_linspace(double start, double stop, int64_t count, bool endpoint, arr_dtype dtype,
                                const arr_device *device, arr_stream stream, arr_array *out);

/** Creates evenly spaced numbers from the elements of one array to those of another, along a new axis.
 *  @param start  first numbers
 *  @param stop  last numbers if endpoint is true; broadcast with start
 *  @param count  number of elements along the new axis, >= 0
 *  @param axis  the new axis of the result
 *  @param endpoint  true: stop is the last element; false: stop is excluded
 *  @param dtype  the dtype; integers are rounded down; 0 selects the floating-point type to which both arrays promote,
 *      float64 for integers
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_linspace_with(arr_array start, arr_array stop, int64_t count, int32_t axis,
                                     bool endpoint, arr_dtype dtype, arr_stream stream, arr_array *out);

/** Creates a vector of base to the power of count evenly spaced exponents, computed in float64.
 *  @param start  first exponent
 *  @param stop  last exponent if endpoint is true
 *  @param count  number of elements, >= 0
 *  @param endpoint  true: stop is the last exponent; false: stop is excluded
 *  @param base  the base, such as 10
 *  @param dtype  the dtype, to which the powers are cast; 0 selects float64
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_logspace(double start, double stop, int64_t count, bool endpoint, double base,
                                arr_dtype dtype, const arr_device *device, arr_stream stream, arr_array *out);

/** Creates a matrix with ones on one diagonal and zeros elsewhere.
 *  @param rows  number of rows, >= 0
 *  @param columns  number of columns, >= 0; -1 for as many as rows
 *  @param k  number of the diagonal: 0 is the main diagonal, positive numbers are above it
 *  @param dtype  the dtype
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_eye(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype, int32_t order,
                           const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array with a copy of contiguous host memory.
 *  @param[in,null,bytes=nbytes] host  the elements, in the order `order`; may be NULL when there are no elements
 *  @param nbytes  number of bytes at host; it must match shape and dtype
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: order of the host memory and of the new array
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync host memory may be reused after the call */
ARR_API arr_status arr_from_host(const void *host, int64_t nbytes, arr_dtype dtype, int32_t ndim,
                                 const int64_t *shape, int32_t order, const arr_device *device,
                                 arr_stream stream, arr_array *out);

/** Wraps foreign memory in an array without a copy. The memory must stay valid until drop has been called.
 *  @param[in,null] data  address of element (0,..,0); may be NULL when there are no elements
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null,len=ndim] strides  strides in elements; NULL selects row-major order. The strides of axes of extent
 *      1, and all strides of an array without elements, are not used and may have any value
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] drop  called once as drop(ctx) after the last use, from any thread; may be NULL
 *  @param[in,null] ctx  passed to drop
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no */
ARR_API arr_status arr_wrap(void *data, arr_dtype dtype, int32_t ndim, const int64_t *shape,
                            const int64_t *strides, const arr_device *device, void (*drop)(void *ctx),
                            void *ctx, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
