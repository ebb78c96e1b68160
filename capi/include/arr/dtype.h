/* SPDX-License-Identifier: MIT */
/* dtype.h - names, limits, casts, promotion and kinds of element types. */
#ifndef ARR_DTYPE_H
#define ARR_DTYPE_H
#include "arr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --------------------------------------------------------------------------------------------------- names */

/** Returns the name and the size of a dtype.
 *  @param dtype  the dtype
 *  @param[out,null] name  text such as "float32", in static memory; may be NULL
 *  @param[out,null] bytes  number of bytes of an element; may be NULL
 *  @return ARR_OK, ARR_E_DTYPE
 *  @sync no */
ARR_API arr_status arr_dtype_info(arr_dtype dtype, const char **name, int32_t *bytes);

/** Finds a dtype by its name: "float32" and so on, NumPy's other names ("single", "intp", "ubyte", "bool_" ...) and its
 *  short codes "f4", "<i8". "int_" and "long" have 64 bits, as on all of CuPy's platforms except Windows.
 *  @param name  the name, NUL-terminated
 *  @param[out] dtype  the dtype
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_dtype_find(const char *name, arr_dtype *dtype);

/* ------------------------------------------------------------------------------------------- limits */

/** Properties of a float type, as in numpy.finfo. Set struct_size before the call. */
typedef struct arr_float_limits {
  int64_t struct_size;       /* sizeof(arr_float_limits); set by the caller */
  arr_dtype dtype;           /* type of the numbers; for a complex type the type of its parts */
  int32_t bits;              /* bits of one number */
  int32_t nmant;             /* bits of the fraction, without the leading 1 */
  int32_t nexp;              /* bits of the exponent (also finfo.iexp) */
  int32_t minexp;            /* 2^minexp is the smallest normal number */
  int32_t maxexp;            /* 2^maxexp is the first power of two that is too large */
  int32_t machep;            /* eps is 2^machep */
  int32_t negep;             /* epsneg is 2^negep */
  int32_t precision;         /* decimal digits that are always preserved */
  int32_t reserved;          /* must be 0 */
  double eps;                /* distance from 1 to the next larger number */
  double epsneg;             /* distance from 1 to the next smaller number */
  double min;                /* lowest finite number, -max */
  double max;                /* largest finite number */
  double smallest_normal;    /* smallest positive normal number (also finfo.tiny) */
  double smallest_subnormal; /* smallest positive number */
  double resolution;         /* 10^-precision in this type */
} arr_float_limits;

/** Returns properties of a float type, or of the parts of a complex type.
 *  @param dtype  float16, bfloat16, float32, float64, complex64 or complex128
 *  @param[in,out] limits  struct_size is read; the other fields are written
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_finfo(arr_dtype dtype, arr_float_limits *limits);

/** Returns properties of an integer type.
 *  @param dtype  a signed or unsigned integer type
 *  @param[out,null] bits  bits of one number; may be NULL
 *  @param[out,null] min  lowest number, of that type; may be NULL
 *  @param[out,null] max  largest number, of that type; may be NULL
 *  @return ARR_OK, ARR_E_DTYPE
 *  @sync no */
ARR_API arr_status arr_iinfo(arr_dtype dtype, int32_t *bits, arr_value *min, arr_value *max);

/* ------------------------------------------------------------------------------- casts and promotion */

/** Returns the smallest dtype that holds two others, by NumPy 2's rules. bfloat16 promotes like float16; the two
 *  together promote to float32.
 *  @param a  a dtype
 *  @param b  a dtype
 *  @param[out] out  the common dtype
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_promote_types(arr_dtype a, arr_dtype b, arr_dtype *out);

/** Tests whether one type can be cast to another by a rule. bfloat16 casts like float16; casts between the two are
 *  not safe.
 *  @param from  a dtype
 *  @param to  a dtype
 *  @param casting  ARR_CAST_...; NumPy's default here is ARR_CAST_SAFE
 *  @param[out] out  true if the cast is allowed
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_can_cast(arr_dtype from, arr_dtype to, int32_t casting, bool *out);

/** Returns the dtype to which arrays and numbers promote together, by NumPy 2's rules (NEP 50). Arrays and typed
 *  numbers count by their dtypes, and plain numbers (arr_value_weak) only by their kinds. A typed number counts like
 *  an array of its dtype. The order of the operands does not matter, and the dtypes are not promoted pair by pair:
 *  int16, uint16 and float32 promote to float32.
 *  @param n  number of operands, at least 1
 *  @param[in,len=n] in  arrays and scalars, weak or not
 *  @param[out] out  the common dtype
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_result_type(int32_t n, const arr_value *in, arr_dtype *out);

/** Returns the smallest type of a number's kind that holds the number: uint8 for 10, int8 for -10, float16 for 1e3.
 *  Positive integers get unsigned types. For floats only the range counts; infinities and nan get float16. For an array
 *  the call returns the array's type.
 *  @param x  a scalar or an array; not NULL
 *  @param[out] out  the dtype
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_min_scalar_type(const arr_value *x, arr_dtype *out);

/* -------------------------------------------------------------------------------------------- kinds */

/* Kinds of element types as bits; arr_isdtype takes a combination of them by |. */
#define ARR_KIND_BOOL 1              /* bool */
#define ARR_KIND_SIGNED_INTEGER 2    /* int8 to int64 */
#define ARR_KIND_UNSIGNED_INTEGER 4  /* uint8 to uint64 */
#define ARR_KIND_INTEGRAL 6          /* signed and unsigned integers */
#define ARR_KIND_REAL_FLOATING 8     /* float16, bfloat16, float32, float64 */
#define ARR_KIND_COMPLEX_FLOATING 16 /* complex64, complex128 */
#define ARR_KIND_INEXACT 24          /* real floats and complex types */
#define ARR_KIND_NUMERIC 30          /* all types except bool */
#define ARR_KIND_ANY 31              /* all types */

/** Returns the kinds that a name stands for. The names are those of the array API standard: "bool", "signed
 *  integer", "unsigned integer", "integral", "real floating", "complex floating" and "numeric"; and those of NumPy's
 *  classes: "signedinteger", "unsignedinteger", "integer", "floating", "complexfloating", "inexact", "number" and
 *  "generic".
 *  @param name  the name, NUL-terminated
 *  @param[out] kinds  ARR_KIND_... values, combined with |
 *  @return ARR_OK, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_kind_find(const char *name, int32_t *kinds);

/** Tests whether a type belongs to one of the given kinds.
 *  @param dtype  the dtype
 *  @param kinds  ARR_KIND_... values, combined with |
 *  @param[out] out  true if it is one
 *  @return ARR_OK, ARR_E_DTYPE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_isdtype(arr_dtype dtype, int32_t kinds, bool *out);

/** Tests whether the element type of an array is complex. The elements are not read.
 *  @param a  the array
 *  @param[out] out  true for complex elements
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_iscomplexobj(arr_array a, bool *out);

/** Tests whether the element type of an array is not complex. The elements are not read.
 *  @param a  the array
 *  @param[out] out  true for real elements
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_isrealobj(arr_array a, bool *out);

/** Tests whether an array is column-major and not row-major: ARR_FLAG_F without ARR_FLAG_C.
 *  @param a  the array
 *  @param[out] out  true if the axes are in that order
 *  @return ARR_OK, ARR_E_HANDLE, ARR_E_ARGUMENT
 *  @sync no */
ARR_API arr_status arr_isfortran(arr_array a, bool *out);

#ifdef __cplusplus
}
#endif
#endif
