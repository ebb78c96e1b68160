/* SPDX-License-Identifier: MIT */
/* module.h - modules of kernels: from CUDA C++ text, PTX, cubin, fatbin and LTO-IR, in memory or in files, one or
 * several linked; their variables. arr/kernel.h finds and launches the kernels. */
#ifndef ARR_MODULE_H
#define ARR_MODULE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a module is made of. */
#define ARR_IMAGE_AUTO \
  0 /* told from the bytes: images by their magic, PTX by ".version", other text is source */
#define ARR_IMAGE_SOURCE 1  /* CUDA C++ text; the only kind that the host takes */
#define ARR_IMAGE_PTX 2     /* compiled by the driver for the device */
#define ARR_IMAGE_CUBIN 3   /* for one architecture */
#define ARR_IMAGE_FATBIN 4  /* several of these; the driver chooses */
#define ARR_IMAGE_LTOIR 5   /* what -dlto gives; linked by nvJitLink, also when alone */
#define ARR_IMAGE_LIBRARY 6 /* an archive (.a) of device code, for arr_module_link; linked by nvJitLink */

/** How a module is made. Zero everything, then set struct_size. What only a compiler needs (include paths, defines,
 *  standard, names, fast_math, options) is an error where nothing is compiled from source. */
typedef struct arr_module_options {
  int64_t struct_size;    /* sizeof(arr_module_options) */
  int32_t kind;           /* ARR_IMAGE_...; of arr_module_load and arr_module_load_file */
  int32_t standard;       /* 11, 14, 17 or 20: C++11 ..; 0: C++17. The host takes the first two as C++17 */
  int32_t debug;          /* 1: code for a debugger, hardly optimised */
  int32_t lineinfo;       /* 1: code knows its source lines, for profilers and debuggers */
  int32_t max_registers;  /* most registers of a thread; 0: no limit. The host refuses it */
  int32_t fast_math;      /* 1: quicker and less exact arithmetic */
  int32_t ninclude_paths; /* entries of include_paths */
  int32_t ndefines;       /* entries of defines */
  int32_t nnames;         /* entries of names */
  int32_t noptions;       /* entries of options */
  const char *const *include_paths; /* folders where #include looks; may be NULL when there are none */
  const char *const *defines;       /* "N=4" or "N"; may be NULL when there are none */
  const char *const
      *names; /* kernels to compile at once, "scale<float>"; a must beside variables and when linked */
  const char *const *options; /* more options as the compiler takes them; may be NULL when there are none */
  const char *name;           /* what messages call the source; NULL: "kernel.cu", or a file's path */
  int32_t
      device_runtime; /* 1: kernels may launch kernels; links the toolkit's libcudadevrt.a. Not on the host */
  int32_t reserved;   /* 0 */
} arr_module_options;

/** One input of arr_module_link. */
typedef struct arr_module_input {
  const void *data; /* the bytes; NULL: those of the file `name` */
  int64_t length;   /* bytes at data; -1 when NUL-terminated text */
  int32_t kind;     /* ARR_IMAGE_... */
  int32_t reserved; /* 0 */
  const char *name; /* what messages call it, or the file's path; NULL: "input 0" and so on */
} arr_module_input;

/** Makes a module from CUDA C++ text or from an image in memory. Source and LTO-IR need NVRTC or nvJitLink on a GPU
 *  and the host's compiler on the host; images other than source are refused on the host.
 *  @param image  text or image; copied
 *  @param length  bytes of it; -1 when NUL-terminated text
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] options  NULL for the defaults
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.RawModule(param code), cupy.RawModule(param options), cupy.RawModule(param name_expressions),
 *  cupy.RawKernel(param options), cupy.RawModule.module, cupy.RawModule.compile, cupy.RawKernel.compile,
 *  cupy.cuda.Module, cupy.cuda.Module.load, cupy.cuda.driver.moduleLoadData, cupy.cuda.nvrtc.createProgram,
 *  cupy.cuda.nvrtc.compileProgram, cupy.cuda.nvrtc.addNameExpression */
ARR_API arr_status arr_module_load(const void *image, int64_t length, const arr_device *device,
                                   const arr_module_options *options, arr_module *out);

/** arr_module_load of a file's content. #include "..." looks in the file's folder first.
 *  @param path  the file, NUL-terminated
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] options  NULL for the defaults
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *  ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.RawModule(param path), cupy.cuda.Module.load_file, cupy.cuda.driver.moduleLoad */
ARR_API arr_status arr_module_load_file(const char *path, const arr_device *device,
                                        const arr_module_options *options, arr_module *out);

/** Links several inputs into one module: what one declares extern another may define. On a GPU sources are compiled
 *  to LTO-IR and all is linked by nvJitLink. On the host inputs are sources and are compiled as one text in their
 *  order, so names of their own (static functions, types) must differ; macros end with their source.
 *  @param ninputs  number of inputs, at least 1
 *  @param[in,len=ninputs] inputs  sources and images
 *  @param[in,null] device  where (NULL: the host)
 *  @param[in,null] options  NULL for the defaults; they hold for each input, and kind and name are not looked at
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_IO, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY,
 *  ARR_E_DEVICE
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.function.LinkState, cupy.cuda.function.LinkState.add_ptr_data,
 *  cupy.cuda.function.LinkState.add_ptr_file, cupy.cuda.function.LinkState.complete, cupy.cuda.driver.linkCreate,
 *  cupy.cuda.driver.linkAddData, cupy.cuda.driver.linkAddFile, cupy.cuda.driver.linkComplete,
 *  cupy.cuda.driver.linkDestroy */
ARR_API arr_status arr_module_link(int32_t ninputs, const arr_module_input *inputs, const arr_device *device,
                                   const arr_module_options *options, arr_module *out);

/** Compiles CUDA C++ text to an image without loading it. With an option such as "-arch=sm_90" a machine without a
 *  GPU will do.
 *  @param[in,bytes=length] source  CUDA C++ text
 *  @param length  bytes of source; -1 when NUL-terminated
 *  @param kind  ARR_IMAGE_PTX, ARR_IMAGE_CUBIN or ARR_IMAGE_LTOIR
 *  @param device  for which; a CUDA device
 *  @param[in,null] options  NULL for the defaults
 *  @param capacity  bytes at image
 *  @param[out,null,bytes=capacity] image  the image, when it fits; NULL to ask for the size only
 *  @param[out] size  bytes of the image
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_COMPILE, ARR_E_UNAVAILABLE, ARR_E_UNSUPPORTED, ARR_E_MEMORY
 *  @sync yes   @threads any   @since 0.1
 *  @cupy cupy.cuda.compiler.compile_using_nvrtc, cupy.cuda.nvrtc.getPTX, cupy.cuda.nvrtc.getCUBIN,
 *  cupy.cuda.nvrtc.getLTOIR */
ARR_API arr_status arr_module_image(const char *source, int64_t length, int32_t kind,
                                    const arr_device *device, const arr_module_options *options,
                                    int64_t capacity, void *image, int64_t *size);

/** A __device__, __constant__ or __managed__ variable of a module.
 *  @param m  the module; the address is valid as long as it lives
 *  @param name  the variable, with its namespaces: "table", "phys::table"
 *  @param[out,null] address  where it lies on the device; may be NULL
 *  @param[out,null] bytes  its size; may be NULL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.RawModule.get_global, cupy.cuda.Module.get_global_var, cupy.cuda.driver.moduleGetGlobal */
ARR_API arr_status arr_module_global(arr_module m, const char *name, void **address, int64_t *bytes);

/** The same as an array that shares the variable's memory and keeps the module alive: fill it, copy into it, read it.
 *  Work in another stream than that of the kernels that use the variable is not ordered with them.
 *  @param m  the module
 *  @param name  the variable, with its namespaces
 *  @param dtype  element type
 *  @param ndim  number of dimensions
 *  @param[in,len=ndim] shape  extents, row-major; all of the variable or a part from its beginning
 *  @param[out] out  one new reference
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT, ARR_E_SHAPE, ARR_E_DTYPE, ARR_E_MEMORY, ARR_E_DEVICE
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_module_global_array(arr_module m, const char *name, arr_dtype dtype, int32_t ndim,
                                           const int64_t *shape, arr_array *out);

#ifdef __cplusplus
}
#endif
#endif
