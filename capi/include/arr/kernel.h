/* SPDX-License-Identifier: MIT */
/* kernel.h - user-written CUDA C++ kernels: on a GPU by NVRTC, on the host by the host's compiler. arr/module.h has
 * more ways to make a module. */
#ifndef ARR_KERNEL_H
#define ARR_KERNEL_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compiles CUDA C++ source for a device: NVRTC on a GPU, the host compiler on the host. The text of a failure
 *  has the compiler's first error; arr_module_log has all of it.
 *  @param[in,bytes=length] source  CUDA C++ text
 *  @param length  bytes of source; -1 when NUL-terminated
 *  @param[in,null] device  where (NULL: the host)
 *  @param noptions  number of options
 *  @param[in,null,len=noptions] options  compiler options such as "-DN=4"; may be NULL when there are none
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.RawModule, cupy.RawKernel(param code) */
ARR_API arr_status arr_module_create(const char *source, int64_t length, const arr_device *device,
                                     int32_t noptions, const char *const *options, arr_module *out);

/** The compiler's messages; m NULL: of the last compilation that failed on this thread, of a module, a
 *  kernel or a user kernel.
 *  @param[in,null] m  the module, or NULL
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the messages, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.nvrtc.getProgramLog */
ARR_API arr_status arr_module_log(arr_module m, int64_t capacity, char *text, int64_t *length);

/** A kernel of a module. It keeps the module alive.
 *  @param m  the module
 *  @param name  an extern "C" name, a plain name, or a C++ name expression such as "scale<float>"
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_COMPILE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.RawModule.get_function, cupy.RawKernel, cupy.RawKernel(param name), cupy.RawKernel.kernel,
 *  cupy.cuda.Function, cupy.cuda.Module.get_function, cupy.cuda.driver.moduleGetFunction,
 *  cupy.cuda.nvrtc.getLoweredName */
ARR_API arr_status arr_module_kernel(arr_module m, const char *name, arr_kernel *out);

/** Releases a module. NULL is fine.
 *  @param[in,null] m  the module
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1
 *  @cupy cupy.cuda.driver.moduleUnload, cupy.cuda.nvrtc.destroyProgram */
ARR_API arr_status arr_module_release(arr_module m);

/** Releases a kernel. NULL is fine.
 *  @param[in,null] k  the kernel
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_kernel_release(arr_kernel k);

/** Launches a kernel. Arrays in args are passed as pointers to element (0,..,0) and stay alive until it has
 *  run; their number, and the size of each argument where it can be known, are checked.
 *  @param k  the kernel
 *  @param[in,len=3] grid  blocks in x, y, z
 *  @param[in,len=3] block  threads of a block in x, y, z
 *  @param shared_bytes  dynamic shared memory of a block, in bytes
 *  @param nargs  number of arguments
 *  @param[in,len=nargs] args  arrays, scalars, pointers or raw bytes, in the kernel's order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no on a GPU; on the host it has run on return   @threads any   @since 0.1
 *  @cupy cupy.RawKernel.__call__(grid), cupy.RawKernel.__call__(block), cupy.RawKernel.__call__(args),
 *  cupy.RawKernel.__call__(shared_mem), cupy.RawKernel.__call__(stream), cupy.cuda.driver.launchKernel */
ARR_API arr_status arr_launch_raw(arr_kernel k, const int64_t *grid, const int32_t *block,
                                  int64_t shared_bytes, int32_t nargs, const arr_value *args,
                                  arr_stream stream);

/** How arr_launch_raw_options launches. Zero everything, then set struct_size. */
typedef struct arr_launch_options {
  int64_t struct_size;  /* sizeof(arr_launch_options) */
  int64_t shared_bytes; /* dynamic shared memory of a block; above 48 KiB the kernel's limit is raised */
  int32_t cooperative;  /* 1: all blocks run at once and may synchronise (grid.sync()), as many as fit */
  int32_t cluster_x;    /* blocks of a cluster in x; 0: as the kernel says. 9.0 and later; not on the host */
  int32_t cluster_y;    /* in y; 0 beside an x means 1 */
  int32_t cluster_z;    /* in z; 0 beside an x means 1 */
} arr_launch_options;

/** arr_launch_raw with options.
 *  @param k  the kernel
 *  @param[in,len=3] grid  blocks in x, y, z
 *  @param[in,len=3] block  threads of a block in x, y, z
 *  @param[in,null] options  NULL for the defaults
 *  @param nargs  number of arguments
 *  @param[in,len=nargs] args  arrays, scalars, pointers or raw bytes, in the kernel's order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_UNSUPPORTED, ARR_E_UNAVAILABLE, ARR_E_DEVICE,
 *  ARR_E_READONLY
 *  @sync no on a GPU; on the host it has run on return   @threads any   @since 0.1
 *  @cupy cupy.RawKernel(param enable_cooperative_groups), cupy.RawModule(param enable_cooperative_groups),
 *  cupy.cuda.Function.__call__, cupy.cuda.driver.launchCooperativeKernel */
ARR_API arr_status arr_launch_raw_options(arr_kernel k, const int64_t *grid, const int32_t *block,
                                          const arr_launch_options *options, int32_t nargs,
                                          const arr_value *args, arr_stream stream);

/** arr_launch_raw with a thread for each of n elements, along x: blocks of as many threads as given, the last one
 *  too, so that the kernel has to compare its number with n.
 *  @param k  the kernel
 *  @param n  elements; 0: nothing is launched
 *  @param block  threads of a block; 0: 128. Never more than n
 *  @param shared_bytes  dynamic shared memory of a block, in bytes
 *  @param nargs  number of arguments
 *  @param[in,len=nargs] args  arrays, scalars, pointers or raw bytes, in the kernel's order
 *  @param[in,null] stream  the stream to work in (NULL: the device's default)
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE, ARR_E_READONLY
 *  @sync no on a GPU; on the host it has run on return   @threads any   @since 0.1
 *  @cupy cupy.cuda.Function.linear_launch */
ARR_API arr_status arr_launch_linear(arr_kernel k, int64_t n, int32_t block, int64_t shared_bytes,
                                     int32_t nargs, const arr_value *args, arr_stream stream);

/** What a kernel's parameters are, as far as it is known: sizes on the host and on a driver of CUDA 12.4 or later,
 *  types on the host and where the source tells them.
 *  @param k  the kernel
 *  @param capacity  entries at bytes and at dtypes
 *  @param[out,null,len=capacity] bytes  the size of each; may be NULL
 *  @param[out,null,len=capacity] dtypes  of numbers and of what pointers point at; 0: none, or not known; may be NULL
 *  @param[out] nparams  how many there are; -1 when nothing is known
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_kernel_params(arr_kernel k, int32_t capacity, int64_t *bytes, arr_dtype *dtypes,
                                     int32_t *nparams);

/** Where the fields of a struct lie for a compiler of CUDA C++, for structs that are given to kernels by their bytes
 *  (arr_value_bytes) or as elements of memory: each field at the next multiple of its type's size, in the order given.
 *  Complex numbers are pairs as float2 and double2 are, which begin at multiples of 8 and 16.
 *  @param nfields  how many fields, 1 or more
 *  @param[in,len=nfields] dtypes  their types
 *  @param[in,null,len=nfields] counts  elements of each, 1 or more: a field of several is an array; NULL: 1 each
 *  @param[out,null,len=nfields] offsets  bytes from the struct's beginning to each field; may be NULL
 *  @param[out,null] bytes  the size of the struct, its padding included; may be NULL
 *  @param[out,null] alignment  its address must be a multiple of this; may be NULL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_DTYPE, ARR_E_SHAPE (more bytes than there are)
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.make_aligned_dtype */
ARR_API arr_status arr_struct_layout(int32_t nfields, const arr_dtype *dtypes, const int64_t *counts,
                                     int64_t *offsets, int64_t *bytes, int64_t *alignment);

/* Attributes of kernels, CUDA's numbers. */
#define ARR_KERNEL_MAX_THREADS 0    /* most threads of a block @cupy cupy.RawKernel.max_threads_per_block */
#define ARR_KERNEL_SHARED_BYTES 1   /* static shared memory @cupy cupy.RawKernel.shared_size_bytes */
#define ARR_KERNEL_CONST_BYTES 2    /* constant memory @cupy cupy.RawKernel.const_size_bytes */
#define ARR_KERNEL_LOCAL_BYTES 3    /* local memory of a thread @cupy cupy.RawKernel.local_size_bytes */
#define ARR_KERNEL_REGISTERS 4      /* of a thread @cupy cupy.RawKernel.num_regs */
#define ARR_KERNEL_PTX_VERSION 5    /* 10 * major + minor @cupy cupy.RawKernel.ptx_version */
#define ARR_KERNEL_BINARY_VERSION 6 /* 10 * major + minor @cupy cupy.RawKernel.binary_version */
#define ARR_KERNEL_CACHE_MODE_CA 7  /* 1: compiled with -dlcm=ca @cupy cupy.RawKernel.cache_mode_ca */
#define ARR_KERNEL_MAX_DYNAMIC_SHARED_BYTES \
  8 /* may be set @cupy cupy.RawKernel.max_dynamic_shared_size_bytes */
#define ARR_KERNEL_SHARED_CARVEOUT \
  9 /* percent of the L1 for shared memory, -1 any; may be set @cupy cupy.RawKernel.preferred_shared_memory_carveout */
#define ARR_KERNEL_WIDE_CLUSTERS 14 /* 1: clusters of more than 8 blocks are allowed; may be set */

/** An attribute of a kernel. The host has the most threads, the shared bytes and the most dynamic shared bytes.
 *  @param k  the kernel
 *  @param attribute  ARR_KERNEL_..., or another number of CUDA's CUfunction_attribute
 *  @param[out] value  its value
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.RawKernel.attributes, cupy.cuda.driver.funcGetAttribute */
ARR_API arr_status arr_kernel_attribute(arr_kernel k, int32_t attribute, int64_t *value);

/** Sets an attribute of a kernel, for all who hold it.
 *  @param k  the kernel
 *  @param attribute  one that may be set
 *  @param value  the new value
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_UNSUPPORTED, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.RawKernel.max_dynamic_shared_size_bytes, cupy.RawKernel.preferred_shared_memory_carveout,
 *  cupy.cuda.driver.funcSetAttribute */
ARR_API arr_status arr_kernel_set_attribute(arr_kernel k, int32_t attribute, int64_t value);

/** How many blocks of a kernel one multiprocessor runs at once. Of a cooperative launch that, times the device's
 *  multiprocessors, is the most; on the host, whose processors count as such, they have 1024 threads and 32 blocks
 *  each.
 *  @param k  the kernel
 *  @param threads  threads of a block
 *  @param shared_bytes  dynamic shared memory of a block
 *  @param[out] blocks  how many; 0 when not even one fits
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor */
ARR_API arr_status arr_kernel_occupancy(arr_kernel k, int32_t threads, int64_t shared_bytes, int32_t *blocks);

/** The block size that keeps most of a multiprocessor busy.
 *  @param k  the kernel
 *  @param shared_bytes  dynamic shared memory of a block
 *  @param most  no more threads than this; 0: no limit
 *  @param[out] threads  threads of a block
 *  @param[out,null] blocks  the fewest blocks that fill the device; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.cuda.driver.occupancyMaxPotentialBlockSize */
ARR_API arr_status arr_kernel_block_size(arr_kernel k, int64_t shared_bytes, int32_t most, int32_t *threads,
                                         int32_t *blocks);

#ifdef __cplusplus
}
#endif
#endif
