/* SPDX-License-Identifier: MIT */
/* kernel.h - user-written CUDA C++ kernels; NVRTC compiles them for GPUs, the host's compiler for the host.
 * arr/module.h has more ways to make a module. */
#ifndef ARR_KERNEL_H
#define ARR_KERNEL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Creates a module from PTX, or from CUDA C++ source, which NVRTC compiles for a GPU and the host's compiler for
 *  the host. The text of a failure has the compiler's first error; arr_module_log returns all messages.
 *  @param[in,bytes=length] source  the text: CUDA C++ source, or PTX, which begins with .version
 *  @param length  number of bytes of source; -1 if it is NUL-terminated
 *  @param[in,null] device  the device; NULL selects the host
 *  @param noptions  number of options
 *  @param[in,null,len=noptions] options  compiler options such as "-DN=4"; may be NULL when there are none, as for PTX
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_module_create(const char *source, int64_t length, const arr_device *device,
                                     int32_t noptions, const char *const *options, arr_module *out);

/** Returns the compiler's messages. With m NULL it returns those of the last compilation of a module, a kernel or a
 *  user kernel that failed on this thread.
 *  @param[in,null] m  the module; may be NULL
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the messages, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_module_log(arr_module m, int64_t capacity, char *text, int64_t *length);

/** Finds a kernel of a module. The kernel keeps the module alive.
 *  @param m  the module
 *  @param name  an extern "C" name, a plain name, or a C++ name expression such as "scale<float>"
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_COMPILE
 *  @sync yes */
ARR_API arr_status arr_module_kernel(arr_module m, const char *name, arr_kernel *out);

/** Releases a module. NULL is allowed.
 *  @param[in,null] m  the module
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_module_release(arr_module m);

/** Releases a kernel. NULL is allowed.
 *  @param[in,null] k  the kernel
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_kernel_release(arr_kernel k);

#define ARR_VALUE_MDSPAN 6 /* arr_value: an array as a struct, its handle in lo, bytes of an index in hi */

/** Sets v to an array as a struct argument of a kernel: { T *data; I extents[ndim]; I strides[ndim]; }, with strides in
 *  elements. That is the layout of cuda::std::mdspan<T, cuda::std::dextents<I, ndim>, cuda::std::layout_stride>. The
 *  launch keeps the array alive and in the order of streams, as it does for arr_value_array. The call takes no
 *  reference.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param a  the array; its handle is checked when v is used
 *  @param index_bytes  size of I: 8, or 4 if all extents and strides fit
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_mdspan(arr_value *v, arr_array a, int32_t index_bytes);

/** Launches a kernel. Arrays in args are passed as pointers to element (0,..,0) and stay alive until the kernel has
 *  run. The number of arguments and, as far as they are known, their sizes and types are checked: an array of
 *  another dtype is an error unless its elements have the same bits (int32 for unsigned, complex64 for float) or
 *  the parameter points to bytes. A plain number (ARR_VALUE_WEAK) takes the type of its parameter.
 *  @param k  the kernel
 *  @param[in,len=3] grid  number of blocks in x, y, z
 *  @param[in,len=3] block  number of threads of a block in x, y, z
 *  @param shared_bytes  dynamic shared memory of a block, in bytes
 *  @param nargs  number of arguments
 *  @param[in,len=nargs] args  arrays, scalars, pointers, structs or raw bytes, in the kernel's order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no on a GPU; on the host the kernel has run on return */
ARR_API arr_status arr_launch_raw(arr_kernel k, const int64_t *grid, const int32_t *block,
                                  int64_t shared_bytes, int32_t nargs, const arr_value *args,
                                  arr_stream stream);

/** Options of arr_launch_raw_options. Zero everything, then set struct_size. */
typedef struct arr_launch_options {
  int64_t struct_size;  /* sizeof(arr_launch_options) */
  int64_t shared_bytes; /* dynamic shared memory of a block; above 48 KiB the kernel's limit is raised */
  int32_t cooperative;  /* 1: all blocks run at once and may synchronise (grid.sync()) */
  int32_t cluster_x;    /* blocks of a cluster in x; 0: as the kernel declares. GPUs of 9.0 and later only */
  int32_t cluster_y;    /* blocks of a cluster in y; 0 stands for 1 if cluster_x is set */
  int32_t cluster_z;    /* blocks of a cluster in z; 0 stands for 1 if cluster_x is set */
} arr_launch_options;

/** Launches a kernel like arr_launch_raw, with options.
 *  @param k  the kernel
 *  @param[in,len=3] grid  number of blocks in x, y, z
 *  @param[in,len=3] block  number of threads of a block in x, y, z
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param nargs  number of arguments
 *  @param[in,len=nargs] args  arrays, scalars, pointers or raw bytes, in the kernel's order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE, ARR_E_DEVICE,
 *      ARR_E_READONLY
 *  @sync no on a GPU; on the host the kernel has run on return */
ARR_API arr_status arr_launch_raw_options(arr_kernel k, const int64_t *grid, const int32_t *block,
                                          const arr_launch_options *options, int32_t nargs,
                                          const arr_value *args, arr_stream stream);

/** Launches a kernel like arr_launch_raw, with one thread for each of n elements, along x. All blocks have the same
 *  number of threads, including the last one, so the kernel must compare its index with n.
 *  @param k  the kernel
 *  @param n  number of elements; 0 launches nothing
 *  @param block  number of threads of a block, at most n; 0 selects 128
 *  @param shared_bytes  dynamic shared memory of a block, in bytes
 *  @param nargs  number of arguments
 *  @param[in,len=nargs] args  arrays, scalars, pointers or raw bytes, in the kernel's order
 *  @param[in,null] stream  the stream; NULL selects the default stream
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no on a GPU; on the host the kernel has run on return */
ARR_API arr_status arr_launch_linear(arr_kernel k, int64_t n, int32_t block, int64_t shared_bytes,
                                     int32_t nargs, const arr_value *args, arr_stream stream);

/** Returns the sizes of a kernel's parameters, on the host and with a driver of CUDA 12.4 or later, and their types, on
 *  the host and if the source shows them.
 *  @param k  the kernel
 *  @param capacity  number of entries at bytes and at dtypes
 *  @param[out,null,len=capacity] bytes  size of each parameter; may be NULL
 *  @param[out,null,len=capacity] dtypes  dtype of each number, or of the elements that a pointer points to; 0 if there
 *      is none or it is not known; may be NULL
 *  @param[out] nparams  number of parameters; -1 if it is not known
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_kernel_params(arr_kernel k, int32_t capacity, int64_t *bytes, arr_dtype *dtypes,
                                     int32_t *nparams);

/** Computes the layout of a struct for a compiler of CUDA C++, for structs that are passed to kernels as bytes
 *  (arr_value_bytes) or as elements of memory. Each field is at the next multiple of its type's size, in the given
 *  order. Complex numbers are pairs like float2 and double2, which begin at multiples of 8 and 16.
 *  @param nfields  number of fields, 1 or more
 *  @param[in,len=nfields] dtypes  their types
 *  @param[in,null,len=nfields] counts  number of elements of each field, 1 or more: a field with several is an array;
 *      NULL selects 1 for each
 *  @param[out,null,len=nfields] offsets  offset in bytes of each field from the struct's beginning; may be NULL
 *  @param[out,null] bytes  size of the struct including its padding; may be NULL
 *  @param[out,null] alignment  alignment: the struct's address must be a multiple of it; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_SHAPE (the struct is too large)
 *  @sync no */
ARR_API arr_status arr_struct_layout(int32_t nfields, const arr_dtype *dtypes, const int64_t *counts,
                                     int64_t *offsets, int64_t *bytes, int64_t *alignment);

/* Attributes of kernels; the numbers are CUDA's. */
#define ARR_KERNEL_MAX_THREADS 0    /* maximum threads per block */
#define ARR_KERNEL_SHARED_BYTES 1   /* static shared memory */
#define ARR_KERNEL_CONST_BYTES 2    /* constant memory */
#define ARR_KERNEL_LOCAL_BYTES 3    /* local memory of a thread */
#define ARR_KERNEL_REGISTERS 4      /* registers of a thread */
#define ARR_KERNEL_PTX_VERSION 5    /* 10 * major + minor */
#define ARR_KERNEL_BINARY_VERSION 6 /* 10 * major + minor */
#define ARR_KERNEL_CACHE_MODE_CA 7  /* 1: compiled with -dlcm=ca */
/** Largest number of bytes of dynamic shared memory; may be set. */
#define ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES 8
/** Percent of the L1 cache for shared memory; -1 means no preference; may be set. */
#define ARR_KERNEL_SHARED_CARVEOUT 9
#define ARR_KERNEL_WIDE_CLUSTERS 14 /* 1: clusters of more than 8 blocks are allowed; may be set */

/** Returns an attribute of a kernel. The host has the largest number of threads, the shared bytes and the largest
 *  number of dynamic shared bytes.
 *  @param k  the kernel
 *  @param attribute  ARR_KERNEL_..., or another number of CUDA's CUfunction_attribute
 *  @param[out] value  its value
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_kernel_attribute(arr_kernel k, int32_t attribute, int64_t *value);

/** Sets an attribute of a kernel, for all handles of the kernel.
 *  @param k  the kernel
 *  @param attribute  an attribute that may be set
 *  @param value  the new value
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_kernel_set_attribute(arr_kernel k, int32_t attribute, int64_t value);

/** Returns how many blocks of a kernel one multiprocessor runs at once. A cooperative launch may have at most that
 *  number times the device's multiprocessors. On the host each processor counts as a multiprocessor with 1024 threads
 *  and 32 blocks.
 *  @param k  the kernel
 *  @param threads  number of threads of a block
 *  @param shared_bytes  dynamic shared memory of a block
 *  @param[out] blocks  number of blocks; 0 if not even one fits
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_kernel_occupancy(arr_kernel k, int32_t threads, int64_t shared_bytes, int32_t *blocks);

/** Returns the block size that keeps the largest part of a multiprocessor busy.
 *  @param k  the kernel
 *  @param shared_bytes  dynamic shared memory of a block
 *  @param max_threads  largest allowed number of threads; 0: no limit
 *  @param[out] threads  number of threads of a block
 *  @param[out,null] blocks  smallest number of blocks that fills the device; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_kernel_block_size(arr_kernel k, int64_t shared_bytes, int32_t max_threads,
                                         int32_t *threads, int32_t *blocks);

#ifdef __cplusplus
}
#endif
#endif
