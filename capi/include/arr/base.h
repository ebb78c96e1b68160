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
 * not name a live object of the kind gives ARR_E_HANDLE. */
typedef struct arr_array_s* arr_array;
typedef struct arr_stream_s* arr_stream;
typedef struct arr_event_s* arr_event;
typedef struct arr_module_s* arr_module;
typedef struct arr_kernel_s* arr_kernel;
typedef struct arr_expr_s* arr_expr;

/* ------------------------------------------------------------------------------------ statuses */

typedef int32_t arr_status; /* ARR_OK is 0, failures are negative */
#define ARR_OK 0
#define ARR_E_HANDLE (-1)
#define ARR_E_ARGUMENT (-2)
#define ARR_E_SHAPE (-3)
#define ARR_E_DTYPE (-4)
#define ARR_E_MEMORY (-5)
#define ARR_E_UNSUPPORTED (-6)
#define ARR_E_UNAVAILABLE (-7)
#define ARR_E_DEVICE (-8)
#define ARR_E_LOST (-9)
#define ARR_E_COMPILE (-10)
#define ARR_E_IO (-11)
#define ARR_E_FORMAT (-12)
#define ARR_E_READONLY (-13)
#define ARR_E_INTERNAL (-14)

/* -------------------------------------------------------------------------------------- dtypes */

typedef int32_t arr_dtype; /* element type; explicit numbers, append only */
#define ARR_BOOL 1
#define ARR_INT8 2
#define ARR_INT16 3
#define ARR_INT32 4
#define ARR_INT64 5
#define ARR_UINT8 6
#define ARR_UINT16 7
#define ARR_UINT32 8
#define ARR_UINT64 9
#define ARR_FLOAT16 10
#define ARR_FLOAT32 11
#define ARR_FLOAT64 12
#define ARR_COMPLEX64 13
#define ARR_COMPLEX128 14
#define ARR_BFLOAT16 15

#define ARR_MAX_NDIM 32 /* the most dimensions of an array */

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
#define ARR_VALUE_WEAK 256  /* flag on SCALAR: a plain number that takes the array's dtype (NEP 50) */

/** One scalar of any dtype, an array, or another kernel argument, as bit patterns. */
typedef struct arr_value {
  int32_t kind;  /* ARR_VALUE_..., possibly or-ed with ARR_VALUE_WEAK */
  int32_t dtype; /* of a scalar */
  int64_t lo;
  int64_t hi;
} arr_value;

#ifdef __cplusplus
}
#endif
#endif
