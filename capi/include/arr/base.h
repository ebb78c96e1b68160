/* SPDX-License-Identifier: MIT */
/* base.h - status codes, errors, handles, dtypes, scalars and the version of libarr.
 *
 * Conventions of every header: inputs are borrowed; each *out receives one new reference, written
 * once and only on success; a status is 0 or negative; the text of the last failure is per thread.
 * Parameters come in the order handles, shapes and axes, options, stream, outs. Thread classes:
 * "any" means callable from any thread at any time on distinct or shared (not concurrently written)
 * arrays. "Synchronises" says whether the calling thread waits for the device.
 */
#ifndef ARR_BASE_H
#define ARR_BASE_H
#include <stdint.h>

#ifndef ARR_API
#if defined(_WIN32)
#define ARR_API
#else
#define ARR_API __attribute__((visibility("default")))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------- version */

/* The version of this header, packed as major * 1000000 + minor * 1000 + patch. */
#define ARR_VERSION 1000
#define ARR_VERSION_MAJOR 0
#define ARR_VERSION_MINOR 1
#define ARR_VERSION_PATCH 0

/* ----------------------------------------------------------------------------------- handles */

/* One incomplete struct per concept, so that compilers and generators see distinct types. The value is
 * a name (slot, generation, kind), never an address: any bit pattern may be passed, and one that does
 * not name a live object of the kind returns ARR_E_HANDLE. */
typedef struct arr_array_s *arr_array;
typedef struct arr_stream_s *arr_stream;
typedef struct arr_event_s *arr_event;
typedef struct arr_module_s *arr_module;
typedef struct arr_kernel_s *arr_kernel;
typedef struct arr_expr_s *arr_expr;
typedef struct arr_user_kernel_s *arr_user_kernel;

/* ------------------------------------------------------------------------------------ statuses */

typedef int32_t arr_status; /* ARR_OK is 0, failures are negative */
#define ARR_OK 0
#define ARR_E_HANDLE (-1)
#define ARR_E_ARGUMENT (-2)
#define ARR_E_SHAPE (-3) /* @cupy cupy.AxisError */
#define ARR_E_DTYPE (-4)
#define ARR_E_MEMORY (-5) /* @cupy cupy.cuda.memory.OutOfMemoryError */
#define ARR_E_UNSUPPORTED (-6)
#define ARR_E_UNAVAILABLE (-7)
/* A failure of the driver or of one of its libraries. @cupy cupy.cuda.runtime.CUDARuntimeError,
 * cupy.cuda.driver.CUDADriverError, cupy.cuda.cublas.CUBLASError, cupy.cuda.cusolver.CUSOLVERError,
 * cupy.cuda.cufft.CuFFTError */
#define ARR_E_DEVICE (-8)
#define ARR_E_LOST (-9)
#define ARR_E_COMPILE (-10) /* @cupy cupy.cuda.compiler.CompileException, cupy.cuda.nvrtc.NVRTCError */
#define ARR_E_IO (-11)
#define ARR_E_FORMAT (-12)
#define ARR_E_READONLY (-13)
#define ARR_E_INTERNAL (-14)
#define ARR_E_LINALG (-15) /* @cupy cupy.linalg.LinAlgError */

/* -------------------------------------------------------------------------------------- dtypes */

typedef int32_t arr_dtype; /* element type; explicit numbers, append only */
#define ARR_BOOL 1         /* truth value, one byte, 0 or 1 @cupy cupy.bool, cupy.bool_ */
#define ARR_INT8 2         /* @cupy cupy.int8 */
#define ARR_INT16 3        /* @cupy cupy.int16 */
#define ARR_INT32 4        /* @cupy cupy.int32 */
#define ARR_INT64 5        /* @cupy cupy.int64 */
#define ARR_UINT8 6        /* @cupy cupy.uint8 */
#define ARR_UINT16 7       /* @cupy cupy.uint16 */
#define ARR_UINT32 8       /* @cupy cupy.uint32 */
#define ARR_UINT64 9       /* @cupy cupy.uint64 */
#define ARR_FLOAT16 10     /* IEEE binary16 @cupy cupy.float16 */
#define ARR_FLOAT32 11     /* IEEE binary32 @cupy cupy.float32 */
#define ARR_FLOAT64 12     /* IEEE binary64 @cupy cupy.float64 */
#define ARR_COMPLEX64 13   /* two float32 @cupy cupy.complex64 */
#define ARR_COMPLEX128 14  /* two float64 @cupy cupy.complex128 */
#define ARR_BFLOAT16 15    /* float32 cut to 16 bits @cupy dtype bfloat16 (ml_dtypes) */

#define ARR_MAX_NDIM 32          /* the most dimensions of an array */
#define ARR_AXIS_NONE 2147483647 /* as an axis: all elements in row-major order, where a function says so */

#define ARR_ORDER_C 0 /* row-major */
#define ARR_ORDER_F 1 /* column-major */
#define ARR_ORDER_K 2 /* keep the input's order */

/* Device types, DLPack's numbering. */
#define ARR_HOST 1
#define ARR_CUDA 2

/** A device: type and index. */
typedef struct arr_device {
  int32_t type;  /* ARR_HOST or ARR_CUDA */
  int32_t index; /* 0 for the host; the driver's ordinal for CUDA */
} arr_device;

/* ------------------------------------------------------------------------------------- scalars */

#define ARR_VALUE_NONE 0    /* empty: zero-initialised */
#define ARR_VALUE_SCALAR 1  /* a number of `dtype`: bits in lo (and hi for complex128, imaginary part) */
#define ARR_VALUE_ARRAY 2   /* an array: its handle in lo */
#define ARR_VALUE_POINTER 3 /* a raw device pointer in lo (kernel arguments only) */
#define ARR_VALUE_BYTES 4   /* hi raw bytes at address lo (kernel arguments only) */
#define ARR_VALUE_TEXTURE 5 /* a texture or a surface: its handle in lo (kernel arguments only) */
#define ARR_VALUE_WEAK 256  /* flag on SCALAR: a plain number that takes the array's dtype (NEP 50) */

/** One scalar of any dtype, an array, or another kernel argument, as bit patterns: lo of a float32 are its 32 bits.
 *  arr_value_get_f64 and arr_value_get_i64 read a scalar of any dtype. */
typedef struct arr_value {
  int32_t kind;  /* ARR_VALUE_..., possibly or-ed with ARR_VALUE_WEAK */
  int32_t dtype; /* of a scalar */
  int64_t lo;
  int64_t hi;
} arr_value;

/** Makes v the float64 number x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_f64(arr_value *v, double x);

/** Makes v the float32 number nearest to x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_f32(arr_value *v, double x);

/** Makes v the int64 number x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_i64(arr_value *v, int64_t x);

/** Makes v the int32 number x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_i32(arr_value *v, int32_t x);

/** Makes v the bool x != 0.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  0 is false, anything else true
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_bool(arr_value *v, int32_t x);

/** Makes v the complex128 number re + i im.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param re  real part
 *  @param im  imaginary part
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_c128(arr_value *v, double re, double im);

/** Makes v a number of any dtype from its bytes.
 *  @param[out] v  the value to set; unchanged on failure
 *  @param dtype  element type
 *  @param bytes  the number as it lies in memory, as many bytes as the dtype has; not NULL
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_value_bits(arr_value *v, arr_dtype dtype, const void *bytes);

/** Makes a number in v weak: a plain number of the host language, that takes the dtype of the array it
 *  meets (NumPy 2, NEP 50), as in `a * 2`. A whole one that does not fit there is ARR_E_ARGUMENT; comparisons are
 *  right for every number of 64 bits, signed or unsigned.
 *  @param[in,out,null] v  a scalar; other kinds and NULL are left alone
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_weak(arr_value *v);

/** Makes v stand for an array; takes no reference.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param a  the array; looked up when v is used
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_array(arr_value *v, arr_array a);

/** Makes v a raw device pointer, for kernel arguments.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param[in,null] p  the pointer, passed on as it is
 *  @return nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API void arr_value_pointer(arr_value *v, void *p);

/** Makes v raw bytes, for a kernel argument that is a struct; they are read when v is used.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param[in,bytes=nbytes] bytes  address of the bytes
 *  @param nbytes  how many
 *  @return nothing
 *  @sync no   @threads any   @since 0.1
 *  @cupy interop: cstruct kernel argument */
ARR_API void arr_value_bytes(arr_value *v, const void *bytes, int64_t nbytes);

/** The number in v as a float64, whatever its dtype. A number that no float64 is, an int64 of 2^53 + 1 say, is an
 *  error, never rounded.
 *  @param v  a scalar
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK; ARR_E_ARGUMENT where v is no scalar or no float64 is that number; ARR_E_DTYPE for a complex number
 *  with an imaginary part
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_value_get_f64(const arr_value *v, double *x);

/** The number in v as an int64, whatever its dtype. A fraction, nan, and what 64 bits do not hold are errors.
 *  @param v  a scalar
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK; ARR_E_ARGUMENT where v is no scalar or no int64 is that number; ARR_E_DTYPE for a complex number
 *  with an imaginary part
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_value_get_i64(const arr_value *v, int64_t *x);

/* -------------------------------------------------------------------------------------- errors */

typedef struct arr_error_s *arr_error;

/** Text of the last failure on the calling thread: one line "function: argument x: got, expected", where x is a
 *  parameter of the function. It is UTF-8 of at most 1023 bytes, whatever bytes the function was given: those that
 *  are no UTF-8 stand there as "\xe9", line ends and other control characters as blanks. No arr_..._release changes
 *  it, also where it fails: those are to be called while a failure is handled, and their status says all.
 *  @return never NULL, "" before the first failure; borrowed until the next failing call on this thread;
 *  reading it clears nothing
 *  @sync no   @threads any   @since 0.1 */
ARR_API const char *arr_last_error(void);

/** Status of the last failure on the calling thread.
 *  @return a negative status, or ARR_OK before the first failure
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_last_status(void);

/** Takes a copy of the last failure, for runtimes whose tasks move between threads.
 *  @param[out] out  one new reference; release with arr_error_release
 *  @return ARR_OK, ARR_E_ARGUMENT when out is NULL or nothing has failed on this thread
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_error_take(arr_error *out);

/** Status kept in an error.
 *  @param e  the error
 *  @param[out] status  the failed call's status
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_error_status(arr_error e, arr_status *status);

/** Text kept in an error.
 *  @param e  the error
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the line, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole line without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_error_text(arr_error e, int64_t capacity, char *text, int64_t *length);

/** Releases an error. NULL is fine.
 *  @param[in,null] e  the error
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers   @since 0.1 */
ARR_API arr_status arr_error_release(arr_error e);

/** Name of a status, "ARR_E_SHAPE".
 *  @param status  a status
 *  @return the name, static; "unknown status" for a number that is none
 *  @sync no   @threads any   @since 0.1 */
ARR_API const char *arr_status_name(arr_status status);

/* ----------------------------------------------------------------------------- the library itself */

/** Version of the library that is loaded, packed as ARR_VERSION is.
 *  @return the version
 *  @sync no   @threads any   @since 0.1 */
ARR_API int32_t arr_version(void);

/** Checks that a program built with a header of `version` can use this library.
 *  @param version  ARR_VERSION of the program
 *  @return ARR_OK; ARR_E_UNAVAILABLE where the major differs or the header is newer than the library
 *  @sync no   @threads any   @since 0.1 */
ARR_API arr_status arr_check_abi(int32_t version);

/** What the library was built with, some lines of text: version, compiler, the instruction sets of the host's loops,
 *  whether the CUDA module was built, how many operations and reductions there are; then this machine's processor,
 *  the instruction set in use, threads, and the libraries of the host (oneTBB, OpenBLAS, FFTW) that were found.
 *  @param capacity  bytes at text, its closing NUL included
 *  @param[out,null,bytes=capacity] text  the lines, cut to fit; NULL to ask for the length only
 *  @param[out] length  bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.show_config */
ARR_API arr_status arr_build_info(int64_t capacity, char *text, int64_t *length);

/** Facts of a dtype.
 *  @param dtype  element type
 *  @param[out,null] name  static text such as "float32"; may be NULL
 *  @param[out,null] bytes  size of an element; may be NULL
 *  @return ARR_OK, ARR_E_DTYPE
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.dtype, cupy.ndarray.itemsize */
ARR_API arr_status arr_dtype_info(arr_dtype dtype, const char **name, int32_t *bytes);

/** The dtype of a name: "float32" and so on, NumPy's other names ("single", "intp", "ubyte", "bool_" ...; "int_"
 *  and "long" have 64 bits, as on every platform that CuPy runs on but Windows), and its short codes "f4", "<i8".
 *  @param name  the name, NUL-terminated
 *  @param[out] dtype  its number
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.byte, cupy.short, cupy.intc, cupy.int_, cupy.long, cupy.longlong, cupy.intp, cupy.ubyte, cupy.ushort,
 *  cupy.uintc, cupy.uint, cupy.ulong, cupy.ulonglong, cupy.uintp, cupy.half, cupy.single, cupy.double, cupy.csingle,
 *  cupy.cdouble */
ARR_API arr_status arr_dtype_find(const char *name, arr_dtype *dtype);

/** The smallest dtype that holds two others, by NumPy 2's rules; bfloat16 as float16, both give float32.
 *  @param a  element type
 *  @param b  element type
 *  @param[out] out  the common dtype
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no   @threads any   @since 0.1
 *  @cupy cupy.promote_types */
ARR_API arr_status arr_promote_types(arr_dtype a, arr_dtype b, arr_dtype *out);

/** How many handles are alive in the process, for leak checks.
 *  @return the count
 *  @sync no   @threads any   @since 0.1 */
ARR_API int64_t arr_live_handles(void);

/** How many objects (arrays, buffers, streams ...) are alive in the process, for leak checks. What the library makes
 *  for itself at the first need counts as well, and stays: one for the default stream of each device, two for the
 *  numbers 0, 1, ... that index values are read from on a device, one for the generator of the process, and one for
 *  each set of the caller's functions that is in place (arr_log_set, arr_memory_hook_add ...). So a program that has
 *  released all it had finds these few and not 0, the same number after the second time as after the first;
 *  arr_live_handles is 0.
 *  @return the count
 *  @sync no   @threads any   @since 0.1 */
ARR_API int64_t arr_live_objects(void);

#ifdef __cplusplus
}
#endif
#endif
