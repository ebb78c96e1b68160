/* SPDX-License-Identifier: MIT */
/* array.h - creation, handles, queries and transfer of arrays. */
#ifndef ARR_ARRAY_H
#define ARR_ARRAY_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------ creation */

/** Creates an uninitialised array.
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.empty, cupy.ndarray, cupy.cuda.alloc, cupy.cuda.MemoryPool.malloc, cupy.cuda.runtime.malloc,
 *  cupy.cuda.runtime.mallocAsync, cupy.cuda.memory.SingleDeviceMemoryPool.malloc */
ARR_API arr_status arr_create(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                              const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an uninitialised array in row-major order whose rows, along the last axis, each begin at a multiple
 *  of 512 bytes on a GPU, as cuMemAllocPitch would have it, and of 64 on the host. So kernels read every row
 *  from an aligned address. It is a strided array like any other: arr_strides tells the pitch in elements, and
 *  what lies between the rows belongs to nobody. With one dimension its beginning is aligned as a row's.
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_create_pitched(arr_dtype dtype, int32_t ndim, const int64_t *shape,
                                      const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array of zeros.
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.zeros */
ARR_API arr_status arr_zeros(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                             const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array of ones.
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ones */
ARR_API arr_status arr_ones(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                            const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array filled with one number.
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param value  a scalar, cast to dtype, in which a weak whole number must fit; not NULL
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.full */
ARR_API arr_status arr_full(arr_dtype dtype, int32_t ndim, const int64_t *shape, int32_t order,
                            const arr_value *value, const arr_device *device, arr_stream stream,
                            arr_array *out);

/** Creates an uninitialised array like another.
 *  @param a  the array whose shape and device are taken
 *  @param dtype  element type; 0 for that of a
 *  @param order  ARR_ORDER_C, _F, or _K for the axes' order in memory of a
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.empty_like */
ARR_API arr_status arr_empty_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream,
                                  arr_array *out);

/** Creates an array of zeros like another.
 *  @param a  the array whose shape and device are taken
 *  @param dtype  element type; 0 for that of a
 *  @param order  ARR_ORDER_C, _F, or _K for the axes' order in memory of a
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.zeros_like */
ARR_API arr_status arr_zeros_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream,
                                  arr_array *out);

/** Creates an array of ones like another.
 *  @param a  the array whose shape and device are taken
 *  @param dtype  element type; 0 for that of a
 *  @param order  ARR_ORDER_C, _F, or _K for the axes' order in memory of a
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ones_like */
ARR_API arr_status arr_ones_like(arr_array a, arr_dtype dtype, int32_t order, arr_stream stream,
                                 arr_array *out);

/** Creates an array like another, filled with one number.
 *  @param a  the array whose shape and device are taken
 *  @param dtype  element type; 0 for that of a
 *  @param order  ARR_ORDER_C, _F, or _K for the axes' order in memory of a
 *  @param value  a scalar, cast to the dtype, in which a weak whole number must fit; not NULL
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.full_like */
ARR_API arr_status arr_full_like(arr_array a, arr_dtype dtype, int32_t order, const arr_value *value,
                                 arr_stream stream, arr_array *out);

/** Evenly spaced numbers start, start + step, ... before stop.
 *  @param[in,null] start  first number; NULL for 0
 *  @param stop  end, not included
 *  @param[in,null] step  distance, not 0; NULL for 1
 *  @param dtype  element type; 0: int64 if all three are integers (uint64 if one of the range is 2^63 or more), else
 *      float64. As in NumPy a range of bool has at most two elements
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.arange */
ARR_API arr_status arr_arange(const arr_value *start, const arr_value *stop, const arr_value *step,
                              arr_dtype dtype, const arr_device *device, arr_stream stream, arr_array *out);

/** count evenly spaced numbers from start to stop, computed in float64; integers are rounded down.
 *  @param start  first number
 *  @param stop  last number, if endpoint
 *  @param count  how many, >= 0
 *  @param endpoint  1: stop is the last; 0: it is left out
 *  @param dtype  element type; 0 for float64
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.linspace */
ARR_API arr_status arr_linspace(double start, double stop, int64_t count, int32_t endpoint, arr_dtype dtype,
                                const arr_device *device, arr_stream stream, arr_array *out);

/** Ones on a diagonal, zeros elsewhere.
 *  @param rows  rows, >= 0
 *  @param columns  columns, >= 0; -1 for as many as rows
 *  @param k  which diagonal: 0 the main one, above it positive
 *  @param dtype  element type
 *  @param order  ARR_ORDER_C or ARR_ORDER_F
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.eye, cupy.identity */
ARR_API arr_status arr_eye(int64_t rows, int64_t columns, int64_t k, arr_dtype dtype, int32_t order,
                           const arr_device *device, arr_stream stream, arr_array *out);

/** Creates an array with a copy of contiguous host memory.
 *  @param[in,null,bytes=nbytes] host  the elements, in `order`; may be NULL when there are none
 *  @param nbytes  bytes at host; must be what shape and dtype take
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param order  ARR_ORDER_C or ARR_ORDER_F: of the host memory and of the array
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync host memory may be reused on return   @threads any   @since 0.1
 *  @cupy cupy.array, cupy.asarray */
ARR_API arr_status arr_from_host(const void *host, int64_t nbytes, arr_dtype dtype, int32_t ndim,
                                 const int64_t *shape, int32_t order, const arr_device *device,
                                 arr_stream stream, arr_array *out);

/** Wraps foreign memory without a copy; it must stay valid until drop has been called.
 *  @param[in,null] data  element (0,..,0); may be NULL when there are none
 *  @param dtype  element type
 *  @param ndim  number of dimensions, 0..ARR_MAX_NDIM
 *  @param[in,null,len=ndim] shape  extents in elements, each >= 0; may be NULL when ndim is 0
 *  @param[in,null,len=ndim] strides  in elements; NULL for row-major. Along extents of 1, and where there are no
 *      elements, they are not used and may be anything
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] drop  called once as drop(ctx) after the last use, from any thread; NULL for nothing to do
 *  @param[in,null] ctx  passed to drop
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNAVAILABLE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.UnownedMemory, cupy.cuda.MemoryPointer, interop: from raw device pointer
 *  (UnownedMemory+MemoryPointer+ndarray), cupy.frombuffer */
ARR_API arr_status arr_wrap(void *data, arr_dtype dtype, int32_t ndim, const int64_t *shape,
                            const int64_t *strides, const arr_device *device, void (*drop)(void *ctx),
                            void *ctx, arr_array *out);

/* ------------------------------------------------------------------------------------------- handles */

/** Makes another handle to the same array.
 *  @param a  the array
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_retain(arr_array a, arr_array *out);

/** Releases a handle; the memory goes with the last one and the last view. NULL is fine. Never blocks, never
 *  changes the last error.
 *  @param[in,null] a  the array
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers, after device loss and at exit   @since 0.1
 *  @cupy cupy.cuda.runtime.free, cupy.cuda.runtime.freeAsync, cupy.cuda.memory.PooledMemory.free */
ARR_API arr_status arr_release(arr_array a);

/* ------------------------------------------------------------------------------------------- queries */

/** Number of dimensions.
 *  @param a  the array
 *  @param[out] ndim  the number
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.ndim, cupy.ndim */
ARR_API arr_status arr_ndim(arr_array a, int32_t *ndim);

/** Extents in elements.
 *  @param a  the array
 *  @param capacity  entries at shape
 *  @param[out,null,len=capacity] shape  the first `capacity` extents; NULL to ask for ndim only
 *  @param[out,null] ndim  how many there are; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.shape, cupy.shape */
ARR_API arr_status arr_shape(arr_array a, int32_t capacity, int64_t *shape, int32_t *ndim);

/** Strides in elements.
 *  @param a  the array
 *  @param capacity  entries at strides
 *  @param[out,null,len=capacity] strides  the first `capacity` strides; NULL to ask for ndim only
 *  @param[out,null] ndim  how many there are; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.strides */
ARR_API arr_status arr_strides(arr_array a, int32_t capacity, int64_t *strides, int32_t *ndim);

/** Number of elements.
 *  @param a  the array
 *  @param[out] size  the number
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.size, cupy.size */
ARR_API arr_status arr_size(arr_array a, int64_t *size);

/** Bytes that the elements take.
 *  @param a  the array
 *  @param[out] nbytes  size times element size
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE where a broadcast has more than 2^63 - 1
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.nbytes, cupy.cuda.Memory.size, cupy.cuda.PinnedMemoryPointer.size */
ARR_API arr_status arr_nbytes(arr_array a, int64_t *nbytes);

/** Element type.
 *  @param a  the array
 *  @param[out] dtype  its number
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.dtype */
ARR_API arr_status arr_array_dtype(arr_array a, arr_dtype *dtype);

/** Where the array lives.
 *  @param a  the array
 *  @param[out] device  type and index
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.device, cupy.ndarray.__dlpack_device__, cupy.cuda.MemoryPointer.device,
 *  cupy.cuda.MemoryPointer.device_id, cupy.cuda.Memory.device_id */
ARR_API arr_status arr_array_device(arr_array a, arr_device *device);

#define ARR_FLAG_C 1        /* row-major contiguous */
#define ARR_FLAG_F 2        /* column-major contiguous */
#define ARR_FLAG_READONLY 4 /* may not be written */
#define ARR_FLAG_VIEW 8     /* shares its memory with another array or a foreign owner */

/** Properties of an array.
 *  @param a  the array
 *  @param[out] flags  ARR_FLAG_... or-ed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.flags, cupy.ndarray.flags.c_contiguous, cupy.ndarray.flags.f_contiguous,
 *  cupy.ndarray.flags.owndata, cupy.ndarray.flags.fnc, cupy.ndarray.flags.forc */
ARR_API arr_status arr_array_flags(arr_array a, int32_t *flags);

/** Waits until nothing uses an array's memory: runs what scopes of any thread have recorded that reads or writes it
 *  (arr_fuse_begin), and waits for the stream that used it last. The host may then read and write memory that it
 *  reaches, by arr_data's address, until the next call that is given the array or another one with its memory.
 *  Kernels that know the memory by another way than as an argument are not waited for.
 *  ARR_E_ARGUMENT where the array was made by captured work and has no values yet (arr_graph_begin).
 *  @param a  the array
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE, ARR_E_LOST
 *  @sync yes   @threads any   @since 0.1 */
ARR_API arr_status arr_array_sync(arr_array a);

/** Address of element (0,..,0), without copy or wait (arr_array_sync waits); valid while the handle lives.
 *  @param a  the array
 *  @param[out] data  the device pointer, on which one may count as C does; NULL may be given for an empty array
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.ndarray.data, cupy.cuda.MemoryPointer.ptr, cupy.cuda.MemoryPointer.__int__, cupy.cuda.Memory.ptr,
 *  cupy.cuda.BaseMemory.__int__, interop: mpi4py / CUDA-aware MPI pointer passing, cupy.cuda.MemoryPointer.__add__,
 *  cupy.cuda.MemoryPointer.__iadd__, cupy.cuda.MemoryPointer.__sub__, cupy.cuda.MemoryPointer.__isub__,
 *  cupy.cuda.PinnedMemory.__int__, cupy.cuda.PinnedMemoryPointer.__int__, cupy.cuda.PinnedMemoryPointer.__add__,
 *  cupy.cuda.PinnedMemoryPointer.__iadd__, cupy.cuda.PinnedMemoryPointer.__sub__,
 *  cupy.cuda.PinnedMemoryPointer.__isub__ */
ARR_API arr_status arr_data(arr_array a, void **data);

/** The elements as text, as NumPy's str() returns them; beyond 1000 elements only the ends of each axis.
 *  @param a  the array
 *  @param edge  elements shown at each end; 0 for 3
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the text, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.array_str */
ARR_API arr_status arr_format(arr_array a, int32_t edge, int64_t capacity, char *text, int64_t *length);

/* ------------------------------------------------------------------------------------------ transfer */

/** Copies the elements into contiguous host memory.
 *  @param a  the array
 *  @param order  ARR_ORDER_C or ARR_ORDER_F of the host memory
 *  @param[out,bytes=nbytes] host  where to
 *  @param nbytes  bytes at host; must be what the array takes
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.asnumpy, cupy.ndarray.get, cupy.poly1d.get */
ARR_API arr_status arr_get(arr_array a, int32_t order, void *host, int64_t nbytes, arr_stream stream);

/** Copies contiguous host memory into the elements.
 *  @param[in,written] a  the array, written
 *  @param order  ARR_ORDER_C or ARR_ORDER_F of the host memory
 *  @param[in,bytes=nbytes] host  where from
 *  @param nbytes  bytes at host; must be what the array takes
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync host memory may be reused on return   @threads any   @since 0.1
 *  @cupy cupy.ndarray.set, cupy.poly1d.set */
ARR_API arr_status arr_set(arr_array a, int32_t order, const void *host, int64_t nbytes, arr_stream stream);

/** One element as a number of the array's dtype: out->lo are its bits, which are a double's for float64 only (the sum
 *  of a float32 array is a float32). Read it by arr_value_get_f64 or arr_value_get_i64, or call arr_item_f64 or
 *  arr_item_i64 instead.
 *  @param a  the array
 *  @param n  number of indices: ndim of a, or 0 for an array of one element
 *  @param[in,index,len=n] index  positions, negative ones from the end
 *  @param[out] out  a scalar of a's dtype
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.ndarray.item, cupy.ndarray.__complex__, cupy.ndarray.__bool__ */
ARR_API arr_status arr_item(arr_array a, int32_t n, const int64_t *index, arr_value *out);

/** One element as a float64, whatever the array's dtype; an element that no float64 is, is an error.
 *  @param a  the array
 *  @param n  number of indices: ndim of a, or 0 for an array of one element
 *  @param[in,index,len=n] index  positions, negative ones from the end
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT also where the element is no float64, ARR_E_SHAPE, ARR_E_DTYPE for a
 *  complex number with an imaginary part, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.ndarray.__float__ */
ARR_API arr_status arr_item_f64(arr_array a, int32_t n, const int64_t *index, double *x);

/** One element as an int64, whatever the array's dtype; a fraction, nan, and what 64 bits do not hold are errors.
 *  @param a  the array
 *  @param n  number of indices: ndim of a, or 0 for an array of one element
 *  @param[in,index,len=n] index  positions, negative ones from the end
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT also where the element is no int64, ARR_E_SHAPE, ARR_E_DTYPE for a
 *  complex number with an imaginary part, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.ndarray.__int__ */
ARR_API arr_status arr_item_i64(arr_array a, int32_t n, const int64_t *index, int64_t *x);

/** Copies to a device; the same device returns a copy there. From one GPU to another the bytes go straight across,
 *  in the order of both streams: the copy waits for the work on `a`, and later work in a's stream for the copy.
 *  The first copy between a pair lets the one use the other's memory, unless arr_device_peer has been called.
 *  @param a  the array
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE,
 *  ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED (from one GPU to another in a captured stream: a graph is of one device)
 *  @sync to and from the host   @threads any   @since 0.1 */
ARR_API arr_status arr_to_device(arr_array a, const arr_device *device, arr_stream stream, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
