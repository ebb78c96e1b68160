/* SPDX-License-Identifier: MIT */
/* base.h - status codes, errors, handles, dtypes, scalars and the version of libarr.
 *
 * Conventions, which hold for every function unless its comment states an exception:
 *
 * - Inputs are borrowed. Each *out receives one new reference, which the caller releases; it is written once and only
 *   on success.
 * - A status is 0 (ARR_OK) or negative. The text of the last failure is kept per thread (arr_last_error).
 * - Parameters come in the order handles, shapes and axes, options, stream, outs.
 * - `stream` is the stream in which the work is enqueued. NULL selects the default stream of the device: that of
 *   the arrays, or `device`.
 * - `device` is the device of the result. NULL selects the host.
 * - `axis` and `axes` count from 0, and negative values count from the end: -1 is the last axis. ARR_AXIS_NONE, where
 *   a function allows it, selects all elements in row-major order.
 * - `dtype` is ARR_FLOAT32 or another element type. 0, where a function allows it, selects the default that it states.
 * - `order` is the order of the axes in memory: ARR_ORDER_C (row-major), ARR_ORDER_F (column-major) or ARR_ORDER_K
 *   (that of the input).
 * - `shape` and `strides` are in elements, never in bytes.
 * - A yes-or-no choice is a bool, named as NumPy's keyword. Where a function has several, they are one `flags`:
 *   constants such as ARR_UNIQUE_SORTED, combined with |; an unknown bit is ARR_E_ARGUMENT. In structs each is an
 *   int32_t, 0 or 1.
 * - `dst` of a function whose name ends in _into is an existing array or view that receives the result, cast by the
 *   same_kind rule.
 * - Any thread may call a function at any time, with any arrays; no other thread may write a shared array at the same
 *   time. @threads states exceptions.
 * - @sync states whether the calling thread waits for the device.
 * - Functions exist since version 0.1. @since states a later version. */
#ifndef ARR_BASE_H
#define ARR_BASE_H
#include <stdbool.h>
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

/** the version of this header, packed as major * 1000000 + minor * 1000 + patch */
#define ARR_VERSION 1000
#define ARR_VERSION_MAJOR 0 /* major version: a program and the library that it loads must have the same */
#define ARR_VERSION_MINOR 1 /* minor version: a later one has more functions */
#define ARR_VERSION_PATCH 0 /* patch: a later one only corrects faults */

/* ----------------------------------------------------------------------------------- handles */

/* Each kind of handle has a separate incomplete struct, so that compilers and generators see distinct types.
 * The value of a handle is a name (slot, generation, kind) and never an address. Any bit pattern may be passed: a
 * function returns ARR_E_HANDLE if the value does not name a live object of the kind. */
typedef struct arr_array_s *arr_array;
typedef struct arr_stream_s *arr_stream;
typedef struct arr_event_s *arr_event;
typedef struct arr_module_s *arr_module;
typedef struct arr_kernel_s *arr_kernel;
typedef struct arr_expr_s *arr_expr;
typedef struct arr_user_kernel_s *arr_user_kernel;

/* ------------------------------------------------------------------------------------ statuses */

typedef int32_t arr_status; /* ARR_OK is 0; failures are negative */
#define ARR_OK 0
#define ARR_E_HANDLE (-1)
#define ARR_E_ARGUMENT (-2)
#define ARR_E_SHAPE (-3)
#define ARR_E_DTYPE (-4)
#define ARR_E_MEMORY (-5)
#define ARR_E_UNSUPPORTED (-6)
#define ARR_E_UNAVAILABLE (-7)
/** The driver or one of its libraries failed. */
#define ARR_E_DEVICE (-8)
#define ARR_E_LOST (-9)
#define ARR_E_COMPILE (-10)
#define ARR_E_IO (-11)
#define ARR_E_FORMAT (-12)
#define ARR_E_READONLY (-13)
#define ARR_E_INTERNAL (-14)
#define ARR_E_LINALG (-15)

/* -------------------------------------------------------------------------------------- dtypes */

typedef int32_t arr_dtype; /* element type; the numbers are fixed and never reused */
#define ARR_BOOL 1         /* truth value: one byte, 0 or 1 */
#define ARR_INT8 2         /* signed integer of 8 bits */
#define ARR_INT16 3        /* signed integer of 16 bits */
#define ARR_INT32 4        /* signed integer of 32 bits */
#define ARR_INT64 5        /* signed integer of 64 bits */
#define ARR_UINT8 6        /* unsigned integer of 8 bits */
#define ARR_UINT16 7       /* unsigned integer of 16 bits */
#define ARR_UINT32 8       /* unsigned integer of 32 bits */
#define ARR_UINT64 9       /* unsigned integer of 64 bits */
#define ARR_FLOAT16 10     /* IEEE binary16 */
#define ARR_FLOAT32 11     /* IEEE binary32 */
#define ARR_FLOAT64 12     /* IEEE binary64 */
#define ARR_COMPLEX64 13   /* two float32 */
#define ARR_COMPLEX128 14  /* two float64 */
#define ARR_BFLOAT16 15    /* the upper 16 bits of a float32 */

#define ARR_MAX_NDIM 32          /* the largest number of dimensions of an array */
#define ARR_AXIS_NONE 2147483647 /* as an axis, in functions that allow it: all elements in row-major order */

#define ARR_ORDER_C 0 /* row-major */
#define ARR_ORDER_F 1 /* column-major */
#define ARR_ORDER_K 2 /* the order of the input's axes in memory */

/* Device types; the numbers are DLPack's. */
#define ARR_HOST 1 /* the processor and its memory */
#define ARR_CUDA 2 /* NVIDIA GPUs */

/** A device: type and index. */
typedef struct arr_device {
  int32_t type;  /* ARR_HOST or ARR_CUDA */
  int32_t index; /* 0 for the host; for CUDA the driver's ordinal */
} arr_device;

/* ------------------------------------------------------------------------------------- scalars */

#define ARR_VALUE_NONE 0    /* empty; the value of a zero-initialised arr_value */
#define ARR_VALUE_SCALAR 1  /* a number of `dtype`: its bits in lo; for complex128 the imaginary part in hi */
#define ARR_VALUE_ARRAY 2   /* an array: its handle in lo */
#define ARR_VALUE_POINTER 3 /* a raw device pointer in lo (kernel arguments only) */
#define ARR_VALUE_BYTES 4   /* hi raw bytes at the address lo (kernel arguments only) */
#define ARR_VALUE_TEXTURE 5 /* a texture or a surface: its handle in lo (kernel arguments only) */
#define ARR_VALUE_WEAK 256  /* flag of SCALAR: a plain number that takes the array's dtype (NEP 50) */

/** One scalar of any dtype, an array, or another kernel argument, as bit patterns. For a float32, lo holds its 32
 *  bits. arr_value_get_f64 and arr_value_get_i64 read a scalar of any dtype. */
typedef struct arr_value {
  int32_t kind;  /* ARR_VALUE_..., optionally combined with ARR_VALUE_WEAK by | */
  int32_t dtype; /* element type of a scalar */
  int64_t lo;
  int64_t hi;
} arr_value;

/** Sets v to the float64 number x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_f64(arr_value *v, double x);

/** Sets v to the float32 number nearest to x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_f32(arr_value *v, double x);

/** Sets v to the int64 number x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_i64(arr_value *v, int64_t x);

/** Sets v to the int32 number x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the number
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_i32(arr_value *v, int32_t x);

/** Sets v to the truth value x.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param x  the truth value
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_bool(arr_value *v, bool x);

/** Sets v to the complex128 number re + i im.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param re  real part
 *  @param im  imaginary part
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_c128(arr_value *v, double re, double im);

/** Sets v to a number of any dtype, from the number's bytes.
 *  @param[out] v  the value to set; unchanged on failure
 *  @param dtype  the dtype
 *  @param bytes  the bytes of the number, as many as the dtype has; not NULL
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_value_bits(arr_value *v, arr_dtype dtype, const void *bytes);

/** Marks the number in v as weak: it is then a plain number of the host language and takes the dtype of the array
 *  that it is combined with (NumPy 2, NEP 50), as in `a * 2`. A weak integer that does not fit into that dtype
 *  causes ARR_E_ARGUMENT, and a weak number with an imaginary part causes ARR_E_DTYPE if that dtype is real.
 *  Comparisons are exact for every signed and unsigned number of 64 bits.
 *  @param[in,out,null] v  a scalar; other kinds and NULL are left unchanged
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_weak(arr_value *v);

/** Sets v to an array. The call takes no reference.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param a  the array; its handle is checked when v is used
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_array(arr_value *v, arr_array a);

/** Sets v to a raw device pointer, for kernel arguments.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param[in,null] p  the pointer; it is passed on unchanged
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_pointer(arr_value *v, void *p);

/** Sets v to raw bytes, for a kernel argument that is a struct. The bytes are read when v is used.
 *  @param[out,null] v  the value to set; NULL is ignored
 *  @param[in,bytes=nbytes] bytes  address of the bytes
 *  @param nbytes  number of bytes
 *  @return nothing
 *  @sync no */
ARR_API void arr_value_bytes(arr_value *v, const void *bytes, int64_t nbytes);

/** Returns the number in v as a float64, whatever its dtype. The call fails if no float64 has the exact value, for
 *  example for the int64 2^53 + 1. It never rounds.
 *  @param v  a scalar
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK; ARR_E_ARGUMENT if v is not a scalar or no float64 has that value; ARR_E_DTYPE for a complex number
 *      with an imaginary part
 *  @sync no */
ARR_API arr_status arr_value_get_f64(const arr_value *v, double *x);

/** Returns the number in v as an int64, whatever its dtype. The call fails for a fraction, for nan and for a number
 *  that does not fit into 64 bits.
 *  @param v  a scalar
 *  @param[out] x  the number; unchanged on failure
 *  @return ARR_OK; ARR_E_ARGUMENT if v is not a scalar or no int64 has that value; ARR_E_DTYPE for a complex number
 *      with an imaginary part
 *  @sync no */
ARR_API arr_status arr_value_get_i64(const arr_value *v, int64_t *x);

/* -------------------------------------------------------------------------------------- errors */

typedef struct arr_error_s *arr_error;

/** Returns the text of the last failure on the calling thread: one line "function: argument x: got, expected", where
 *  x is a parameter of the function. The text is UTF-8 of at most 1023 bytes, whatever bytes the function was given:
 *  bytes that are not UTF-8 are shown as "\xe9", and line ends and other control characters are shown as blanks. The
 *  arr_..._release functions never change the text, even when they fail, because they are called while a failure is
 *  handled; their status is the only report.
 *  @return never NULL; "" before the first failure; borrowed until the next call that fails on this thread; reading it
 *      does not clear it
 *  @sync no */
ARR_API const char *arr_last_error(void);

/** Returns the status of the last failure on the calling thread.
 *  @return a negative status, or ARR_OK before the first failure
 *  @sync no */
ARR_API arr_status arr_last_status(void);

/** Copies the last failure into an object, for runtimes whose tasks move between threads.
 *  @param[out] out  one new reference; release it with arr_error_release
 *  @return ARR_OK; ARR_E_ARGUMENT if out is NULL or no call has failed on this thread
 *  @sync no */
ARR_API arr_status arr_error_take(arr_error *out);

/** Returns the status that an error object holds.
 *  @param e  the error
 *  @param[out] status  the status of the call that failed
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_error_status(arr_error e, arr_status *status);

/** Returns the text that an error object holds.
 *  @param e  the error
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the line, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole line without the NUL
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_error_text(arr_error e, int64_t capacity, char *text, int64_t *length);

/** Releases an error object. NULL is allowed.
 *  @param[in,null] e  the error
 *  @return ARR_OK, ARR_E_HANDLE
 *  @sync no   @threads any, also finalizers */
ARR_API arr_status arr_error_release(arr_error e);

/** Returns the name of a status, such as "ARR_E_SHAPE".
 *  @param status  a status
 *  @return the name, in static memory; "unknown status" for other numbers
 *  @sync no */
ARR_API const char *arr_status_name(arr_status status);

/* ----------------------------------------------------------------------------- the library itself */

/** Returns the version of the loaded library, packed like ARR_VERSION.
 *  @return the version
 *  @sync no */
ARR_API int32_t arr_version(void);

/** Checks that a program built with a header of `version` can use this library.
 *  @param version  the program's ARR_VERSION
 *  @return ARR_OK; ARR_E_UNAVAILABLE if the major versions differ or the header is newer than the library
 *  @sync no */
ARR_API arr_status arr_check_abi(int32_t version);

/** Writes a few lines of text about the build: version, compiler, instruction sets of the host's loops, whether the
 *  CUDA module was built, and the numbers of operations and reductions. They also describe this machine: its processor,
 *  the instruction set in use, the number of threads, and the host libraries that were found (oneTBB, OpenBLAS, FFTW).
 *  @param capacity  number of bytes at text, including the terminating NUL
 *  @param[out,null,bytes=capacity] text  the lines, cut to fit; NULL to ask for the length only
 *  @param[out] length  number of bytes of the whole text without the NUL
 *  @return ARR_OK, ARR_E_ARGUMENT, ARR_E_MEMORY
 *  @sync no */
ARR_API arr_status arr_build_info(int64_t capacity, char *text, int64_t *length);

/** Returns the number of live handles in the process, for leak checks.
 *  @return the number
 *  @sync no */
ARR_API int64_t arr_live_handles(void);

/** Returns the number of live objects (arrays, buffers, streams ...) in the process, for leak checks. It includes
 *  objects that the library creates for itself on first use and keeps: one for the default stream of each device,
 *  two for the numbers 0, 1, ... from which index values are read on a device, one for the generator of the process,
 *  and one for each installed set of caller's functions (arr_log_set, arr_memory_hook_add ...). So the number does
 *  not return to 0 after a program has released everything, but it is the same after a second round of the same
 *  work. arr_live_handles returns 0 then.
 *  @return the number
 *  @sync no */
ARR_API int64_t arr_live_objects(void);

#ifdef __cplusplus
}
#endif
#endif
