/* SPDX-License-Identifier: MIT */
/* array.h - arrays' handles and properties, and copies of their elements to and from the host and other devices. */
#ifndef ARR_ARRAY_H
#define ARR_ARRAY_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------- handles */

/** Creates another handle to the same array.
 *  @param a  the array
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_retain(arr_array a, arr_array *out);

/** Releases a handle. The memory is freed when the last handle and the last view are released. NULL is allowed. The
 *  call never blocks and never changes the last error.
 *  @param[in,null] a  the array
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers, after device loss and at exit */
ARR_API arr_status arr_release(arr_array a);

/* ------------------------------------------------------------------------------------------- queries */

/** Returns the number of dimensions.
 *  @param a  the array
 *  @param[out] ndim  the number
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_ndim(arr_array a, int32_t *ndim);

/** Returns the extents in elements.
 *  @param a  the array
 *  @param capacity  number of entries at shape
 *  @param[out,null,len=capacity] shape  the first `capacity` extents; NULL to ask for ndim only
 *  @param[out,null] ndim  number of dimensions; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_shape(arr_array a, int32_t capacity, int64_t *shape, int32_t *ndim);

/** Returns the strides in elements.
 *  @param a  the array
 *  @param capacity  number of entries at strides
 *  @param[out,null,len=capacity] strides  the first `capacity` strides; NULL to ask for ndim only
 *  @param[out,null] ndim  number of dimensions; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_strides(arr_array a, int32_t capacity, int64_t *strides, int32_t *ndim);

/** Returns the number of elements.
 *  @param a  the array
 *  @param[out] size  the number
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_size(arr_array a, int64_t *size);

/** Returns the number of bytes that the elements take.
 *  @param a  the array
 *  @param[out] nbytes  size times element size
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE if a broadcast array has more than 2^63 - 1 bytes
 *  @sync no */
ARR_API arr_status arr_nbytes(arr_array a, int64_t *nbytes);

/** Returns the element type.
 *  @param a  the array
 *  @param[out] dtype  the dtype
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_array_dtype(arr_array a, arr_dtype *dtype);

/** Returns the device of the array.
 *  @param a  the array
 *  @param[out] device  its type and index
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_array_device(arr_array a, arr_device *device);

#define ARR_FLAG_C 1        /* row-major contiguous */
#define ARR_FLAG_F 2        /* column-major contiguous */
#define ARR_FLAG_READONLY 4 /* must not be written */
#define ARR_FLAG_VIEW 8     /* shares its memory with another array or with a foreign owner */

/** Returns properties of an array.
 *  @param a  the array
 *  @param[out] flags  ARR_FLAG_... values, combined with |
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_array_flags(arr_array a, int32_t *flags);

/** Waits until no work uses an array's memory. The call runs recorded operations of every thread that read or write the
 *  memory (arr_fuse_begin), and waits for the stream that used it last. Then the host may read and write the memory at
 *  arr_data's address, if it can reach it, until the next call that takes the array or another array with the same
 *  memory. The call does not wait for kernels that got the address in another way than as an array argument. It returns
 *  ARR_E_ARGUMENT if captured work made the array and it has no values yet (arr_graph_begin).
 *  @param a  the array
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes */
ARR_API arr_status arr_array_sync(arr_array a);

/** Returns the address of element (0,..,0) without a copy and without waiting; arr_array_sync waits. The address is
 *  valid while the handle lives.
 *  @param a  the array
 *  @param[out] data  the device pointer; pointer arithmetic on it works as in C; may be NULL for an empty array
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_data(arr_array a, void **data);

/** Writes the elements as text, as NumPy's str() does. For more than 1000 elements only both ends of each axis are
 *  shown.
 *  @param a  the array
 *  @param edge  number of elements shown at each end; 0 selects 3
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_format(arr_array a, int32_t edge, int64_t capacity, char *text, int64_t *length);

/** Writes an array to standard output, as NumPy's print() does, also from a debugger by `call (int)arr_print(a)`.
 *  @param a  the array
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_IO if the output cannot be written
 *  @sync yes */
ARR_API arr_status arr_print(arr_array a);

/* ------------------------------------------------------------------------------------------ transfer */

/** Copies the elements into contiguous host memory.
 *  @param a  the array
 *  @param order  ARR_ORDER_C or ARR_ORDER_F of the host memory
 *  @param[out,bytes=nbytes] host  address of the host memory
 *  @param nbytes  number of bytes at host; it must match the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_get(arr_array a, int32_t order, void *host, int64_t nbytes, arr_stream stream);

/** Copies contiguous host memory into the elements.
 *  @param[in,written] a  the array; it is written
 *  @param order  ARR_ORDER_C or ARR_ORDER_F of the host memory
 *  @param[in,bytes=nbytes] host  address of the host memory
 *  @param nbytes  number of bytes at host; it must match the array
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync host memory may be reused after the call */
ARR_API arr_status arr_set(arr_array a, int32_t order, const void *host, int64_t nbytes, arr_stream stream);

/** Returns one element as a number of the array's dtype. out->lo holds the bits of that dtype, which are a double's
 *  bits for float64 only (the sum of a float32 array is a float32). Read it with arr_value_get_f64 or
 *  arr_value_get_i64, or call arr_item_f64 or arr_item_i64 instead.
 *  @param a  the array
 *  @param n  number of indices: the ndim of a, or 0 for an array of one element
 *  @param[in,index,len=n] index  indices; negative values count from the end
 *  @param[out] out  a scalar of a's dtype
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_item(arr_array a, int32_t n, const int64_t *index, arr_value *out);

/** Returns one element of an array of any dtype as a float64. The call fails if no float64 has the element's exact
 *  value.
 *  @param a  the array
 *  @param n  number of indices: the ndim of a, or 0 for an array of one element
 *  @param[in,index,len=n] index  indices; negative values count from the end
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if no float64 has that value), ARR_E_SHAPE, ARR_E_DTYPE for a
 *      complex number with an imaginary part, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_item_f64(arr_array a, int32_t n, const int64_t *index, double *x);

/** Returns one element of an array of any dtype as an int64. The call fails for a fraction, for nan and for a number
 *  that does not fit into 64 bits.
 *  @param a  the array
 *  @param n  number of indices: the ndim of a, or 0 for an array of one element
 *  @param[in,index,len=n] index  indices; negative values count from the end
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT (also if no int64 has that value), ARR_E_SHAPE, ARR_E_DTYPE for a
 *      complex number with an imaginary part, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_item_i64(arr_array a, int32_t n, const int64_t *index, int64_t *x);

/** Copies an array to a device. The result is a new copy even if the array is already there. Between two GPUs the bytes
 *  are copied directly, in the order of both streams: the copy waits for the work on `a`, and later work in a's stream
 *  waits for the copy. The first copy between two GPUs enables peer access, unless arr_device_peer has been called.
 *  @param a  the array
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *      ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED (between two GPUs in a captured stream: a graph belongs to one device)
 *  @sync for copies to and from the host */
ARR_API arr_status arr_to_device(arr_array a, const arr_device *device, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
