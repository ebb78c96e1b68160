/* SPDX-License-Identifier: MIT */
/* module.h - modules of kernels from CUDA C++ text, PTX, cubin, fatbin and LTO-IR, in memory or in files, single
 * or linked, and their variables. arr/kernel.h finds and launches the kernels. */
#ifndef ARR_MODULE_H
#define ARR_MODULE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of images from which modules are made. */
#define ARR_IMAGE_AUTO 0    /* detected: images by magic numbers, PTX by ".version", else source */
#define ARR_IMAGE_SOURCE 1  /* CUDA C++ text */
#define ARR_IMAGE_PTX 2     /* PTX; the driver compiles it for the device, the host's compiler for the host */
#define ARR_IMAGE_CUBIN 3   /* code for one architecture */
#define ARR_IMAGE_FATBIN 4  /* several of these; the driver chooses one */
#define ARR_IMAGE_LTOIR 5   /* output of -dlto; nvJitLink links it, even alone */
#define ARR_IMAGE_LIBRARY 6 /* an archive (.a) of device code for arr_module_link; nvJitLink links it */

/** Options for making a module. Zero everything, then set struct_size. The options for a compiler (include paths,
 *  defines, standard, names, fast_math, options) are errors if nothing is compiled from source. */
typedef struct arr_module_options {
  int64_t struct_size; /* sizeof(arr_module_options) */
  int32_t kind;        /* ARR_IMAGE_...; for arr_module_load and arr_module_load_file */
  int32_t standard;    /* the C++ standard: 11, 14, 17 or 20; 0 selects 17. The host treats 11 and 14 as 17 */
  int32_t debug;       /* 1: code for a debugger, hardly optimised */
  int32_t lineinfo;    /* 1: code has line numbers, for profilers and debuggers */
  int32_t max_registers;  /* largest number of registers of a thread; 0: no limit; an error on the host */
  int32_t fast_math;      /* 1: faster and less exact arithmetic */
  int32_t ninclude_paths; /* number of entries at include_paths */
  int32_t ndefines;       /* number of entries at defines */
  int32_t nnames;         /* number of entries at names */
  int32_t noptions;       /* number of entries at options */
  const char *const *include_paths; /* folders that #include searches; may be NULL when there are none */
  const char *const *defines;       /* "N=4" or "N"; may be NULL when there are none */
  const char *const *names;   /* kernels to compile at once, "scale<float>"; required beside variables */
  const char *const *options; /* further options for the compiler; may be NULL when there are none */
  const char *name; /* name of the source in messages; NULL selects "kernel.cu", "kernel.ptx" or the path */
  int32_t device_runtime; /* 1: kernels may launch kernels (libcudadevrt.a); not on the host */
  int32_t reserved;       /* must be 0 */
} arr_module_options;

/** One input of arr_module_link. */
typedef struct arr_module_input {
  const void *data; /* the bytes; NULL selects those of the file `name` */
  int64_t length;   /* number of bytes at data; -1 for NUL-terminated text */
  int32_t kind;     /* ARR_IMAGE_... */
  int32_t reserved; /* must be 0 */
  const char *name; /* name in messages, or the file's path; NULL selects "input 0" and so on */
} arr_module_input;

/** Creates a module from CUDA C++ text or from an image in memory. Source needs NVRTC for a GPU and the host's
 *  compiler for the host; LTO-IR needs nvJitLink. The host accepts source, PTX and fatbins with PTX; other images
 *  are errors. A PTX instruction that the host does not support is an error with its line.
 *  @param image  text or image; it is copied
 *  @param length  number of bytes; -1 for NUL-terminated text
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_module_load(const void *image, int64_t length, const arr_device *device,
                                   const arr_module_options *options, arr_module *out);

/** Creates a module from a file's content, like arr_module_load. #include "..." searches the file's folder first.
 *  @param path  the file, NUL-terminated
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_module_load_file(const char *path, const arr_device *device,
                                        const arr_module_options *options, arr_module *out);

/** Links several inputs into one module: an input may define what another declares extern. On a GPU, sources are
 *  compiled to LTO-IR and nvJitLink links all inputs. On the host, inputs are sources that are compiled as one text in
 *  their order, so their private names (static functions, types) must differ; macros end with their source. Or all are
 *  PTX and fatbins with PTX, which share what they define as .visible, .weak or .common.
 *  @param ninputs  number of inputs, at least 1
 *  @param[in,len=ninputs] inputs  sources and images
 *  @param[in,null] device  the device; NULL selects the host
 *  @param[in,null] options  the options; NULL selects the defaults; the options apply to each input, but kind and
 *      name are ignored
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *      ARR_E_DEVICE
 *  @sync yes */
ARR_API arr_status arr_module_link(int32_t ninputs, const arr_module_input *inputs, const arr_device *device,
                                   const arr_module_options *options, arr_module *out);

/** Compiles CUDA C++ text to an image without loading it. With an option such as "-arch=sm_90" this also works on a
 *  machine without a GPU.
 *  @param[in,bytes=length] source  the source, CUDA C++ text
 *  @param length  number of bytes of source; -1 if it is NUL-terminated
 *  @param kind  ARR_IMAGE_PTX, ARR_IMAGE_CUBIN or ARR_IMAGE_LTOIR
 *  @param device  the CUDA device to compile for
 *  @param[in,null] options  the options; NULL selects the defaults
 *  @param capacity  number of bytes at image
 *  @param[out,null,bytes=capacity] image  the image, if it fits; NULL to ask for the size only
 *  @param[out] size  number of bytes of the image
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync yes */
ARR_API arr_status arr_module_image(const char *source, int64_t length, int32_t kind,
                                    const arr_device *device, const arr_module_options *options,
                                    int64_t capacity, void *image, int64_t *size);

/** Finds a __device__, __constant__ or __managed__ variable of a module.
 *  @param m  the module; the address is valid as long as the module lives
 *  @param name  name of the variable with its namespaces: "table", "phys::table"
 *  @param[out,null] address  address of the variable on the device; may be NULL
 *  @param[out,null] bytes  size of the variable in bytes; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_module_global(arr_module m, const char *name, void **address, int64_t *bytes);

/** Returns an array that shares a variable's memory and keeps the module alive: fill it, copy into it, read it. Work in
 *  another stream than that of the kernels that use the variable is not ordered with them.
 *  @param m  the module
 *  @param name  name of the variable with its namespaces
 *  @param dtype  the dtype
 *  @param ndim  number of dimensions
 *  @param[in,len=ndim] shape  extents, row-major; the array covers the variable or a part from its beginning
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no */
ARR_API arr_status arr_module_global_array(arr_module m, const char *name, arr_dtype dtype, int32_t ndim,
                                           const int64_t *shape, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
