/* SPDX-License-Identifier: MIT */
/* easy.h - macros that make calls short: arrays that a function releases when it returns, errors that leave it, shapes
 * and axes as lists; in C11 numbers and arrays as operands and indices. Not part of arr.h: include it beside that.
 *
 *   arr_status column_sums(arr_array *out) {
 *     ARR_SCOPE(a, b);
 *     ARR_DO(arr_ones(ARR_FLOAT32, ARR_LIST(1000, 1000), ARR_ORDER_C, NULL, NULL, &a));
 *     ARR_DO(arr_multiply_v(ARR_V(a), ARR_V(0.5), NULL, &b));
 *     ARR_RETURN(arr_sum(b, ARR_AXES(0), 0, NULL, out));
 *   }
 */
#ifndef ARR_EASY_H
#define ARR_EASY_H
#include "arr/arr.h"

#if defined(__cplusplus)
#error "arr/easy.h is for C: include arr/arr.hpp in C++"
#elif !defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L
#error "arr/easy.h needs C99 (-std=c99), and C11 for operands (-std=c11)"
#endif

/* Lists, which expand to two arguments, their number and their address: int64_t (shapes, indices), int32_t (axes),
 * arrays, float64 numbers. */
#define ARR_LIST(...) ARR_EASY_LIST_(int64_t, __VA_ARGS__)
#define ARR_AXES(...) ARR_EASY_LIST_(int32_t, __VA_ARGS__)
#define ARR_ARRAYS(...) ARR_EASY_LIST_(arr_array, __VA_ARGS__)
#define ARR_NUMBERS(...) ARR_EASY_LIST_(double, __VA_ARGS__)
#define ARR_EASY_LIST_(type, ...) \
  (int32_t)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)), ((type[]){__VA_ARGS__})

/* m(x) of each of up to 24 arguments, with commas. */
#define ARR_EASY_EACH_(m, ...)                                                                              \
  ARR_EASY_PICK_(__VA_ARGS__, ARR_EASY_24_, ARR_EASY_23_, ARR_EASY_22_, ARR_EASY_21_, ARR_EASY_20_,         \
                 ARR_EASY_19_, ARR_EASY_18_, ARR_EASY_17_, ARR_EASY_16_, ARR_EASY_15_, ARR_EASY_14_,        \
                 ARR_EASY_13_, ARR_EASY_12_, ARR_EASY_11_, ARR_EASY_10_, ARR_EASY_9_, ARR_EASY_8_,          \
                 ARR_EASY_7_, ARR_EASY_6_, ARR_EASY_5_, ARR_EASY_4_, ARR_EASY_3_, ARR_EASY_2_, ARR_EASY_1_, \
                 0)                                                                                         \
  (m, __VA_ARGS__)
#define ARR_EASY_PICK_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, pick, ...) pick
#define ARR_EASY_1_(m, x) m(x)
#define ARR_EASY_2_(m, x, ...) m(x), ARR_EASY_1_(m, __VA_ARGS__)
#define ARR_EASY_3_(m, x, ...) m(x), ARR_EASY_2_(m, __VA_ARGS__)
#define ARR_EASY_4_(m, x, ...) m(x), ARR_EASY_3_(m, __VA_ARGS__)
#define ARR_EASY_5_(m, x, ...) m(x), ARR_EASY_4_(m, __VA_ARGS__)
#define ARR_EASY_6_(m, x, ...) m(x), ARR_EASY_5_(m, __VA_ARGS__)
#define ARR_EASY_7_(m, x, ...) m(x), ARR_EASY_6_(m, __VA_ARGS__)
#define ARR_EASY_8_(m, x, ...) m(x), ARR_EASY_7_(m, __VA_ARGS__)
#define ARR_EASY_9_(m, x, ...) m(x), ARR_EASY_8_(m, __VA_ARGS__)
#define ARR_EASY_10_(m, x, ...) m(x), ARR_EASY_9_(m, __VA_ARGS__)
#define ARR_EASY_11_(m, x, ...) m(x), ARR_EASY_10_(m, __VA_ARGS__)
#define ARR_EASY_12_(m, x, ...) m(x), ARR_EASY_11_(m, __VA_ARGS__)
#define ARR_EASY_13_(m, x, ...) m(x), ARR_EASY_12_(m, __VA_ARGS__)
#define ARR_EASY_14_(m, x, ...) m(x), ARR_EASY_13_(m, __VA_ARGS__)
#define ARR_EASY_15_(m, x, ...) m(x), ARR_EASY_14_(m, __VA_ARGS__)
#define ARR_EASY_16_(m, x, ...) m(x), ARR_EASY_15_(m, __VA_ARGS__)
#define ARR_EASY_17_(m, x, ...) m(x), ARR_EASY_16_(m, __VA_ARGS__)
#define ARR_EASY_18_(m, x, ...) m(x), ARR_EASY_17_(m, __VA_ARGS__)
#define ARR_EASY_19_(m, x, ...) m(x), ARR_EASY_18_(m, __VA_ARGS__)
#define ARR_EASY_20_(m, x, ...) m(x), ARR_EASY_19_(m, __VA_ARGS__)
#define ARR_EASY_21_(m, x, ...) m(x), ARR_EASY_20_(m, __VA_ARGS__)
#define ARR_EASY_22_(m, x, ...) m(x), ARR_EASY_21_(m, __VA_ARGS__)
#define ARR_EASY_23_(m, x, ...) m(x), ARR_EASY_22_(m, __VA_ARGS__)
#define ARR_EASY_24_(m, x, ...) m(x), ARR_EASY_23_(m, __VA_ARGS__)

/* Returns the status from the calling function if the call fails. */
#define ARR_TRY(call)                                        \
  do {                                                       \
    const arr_status arr_easy_status_ = (call);              \
    if (arr_easy_status_ != ARR_OK) return arr_easy_status_; \
  } while (0)

/* Jumps to a label if the call fails; the status is in the variable. */
#define ARR_TRY_GOTO(status, label, call) \
  do {                                    \
    (status) = (call);                    \
    if ((status) != ARR_OK) goto label;   \
  } while (0)

/* Releases arrays; NULL is ignored, so that variables which are NULL at the start can be released at the end. */
#define ARR_RELEASE(...) arr_easy_release(ARR_ARRAYS(__VA_ARGS__))

/* Declares up to 24 arrays, NULL at first, at the start of a function that returns arr_status. The function releases
 * them where it ends by ARR_RETURN, or by an ARR_DO whose call fails; its results are no arrays of the scope. */
#define ARR_SCOPE(...)                                                              \
  arr_array ARR_EASY_EACH_(ARR_EASY_NULL_, __VA_ARGS__);                            \
  arr_array *arr_easy_arrays_[] = {ARR_EASY_EACH_(ARR_EASY_ADDRESS_, __VA_ARGS__)}; \
  arr_easy_scope arr_easy_scope_ = {                                                \
      sizeof arr_easy_arrays_ / sizeof arr_easy_arrays_[0], arr_easy_arrays_, NULL, 0, NULL, 0, NULL}

/* Declares up to 24 sparse matrices in the same way, after ARR_SCOPE. */
#define ARR_SCOPE_SPARSE(...)                                                          \
  arr_sparse ARR_EASY_EACH_(ARR_EASY_NULL_, __VA_ARGS__);                              \
  arr_sparse *arr_easy_matrices_[] = {ARR_EASY_EACH_(ARR_EASY_ADDRESS_, __VA_ARGS__)}; \
  arr_easy_scope_.nsparse = sizeof arr_easy_matrices_ / sizeof arr_easy_matrices_[0];  \
  arr_easy_scope_.sparse = arr_easy_matrices_
/* Declares up to 24 distributed arrays in the same way, after ARR_SCOPE. */
#define ARR_SCOPE_DIST(...)                                                       \
  arr_dist ARR_EASY_EACH_(ARR_EASY_NULL_, __VA_ARGS__);                           \
  arr_dist *arr_easy_dists_[] = {ARR_EASY_EACH_(ARR_EASY_ADDRESS_, __VA_ARGS__)}; \
  arr_easy_scope_.ndist = sizeof arr_easy_dists_ / sizeof arr_easy_dists_[0];     \
  arr_easy_scope_.dist = arr_easy_dists_
#define ARR_EASY_NULL_(x) x = NULL
#define ARR_EASY_ADDRESS_(x) &x

/* Makes a call within ARR_SCOPE; if it fails, releases the arrays of the scope and returns the status. */
#define ARR_DO(call)                                                                           \
  do {                                                                                         \
    const arr_status arr_easy_status_ = (call);                                                \
    if (arr_easy_status_ != ARR_OK) return arr_easy_leave(&arr_easy_scope_, arr_easy_status_); \
  } while (0)

/* Makes a last call within ARR_SCOPE, releases the arrays of the scope, and returns the status of the call. */
#define ARR_RETURN(call) return arr_easy_leave(&arr_easy_scope_, (call))

/* The address of a variable for a new array, in a loop for example: what the variable held is released before. */
#define ARR_NEW(x) arr_easy_new(&(x))

/* Calls f(..., &array) within ARR_SCOPE and reads the one number of that array, which it releases:
 * ARR_DO(ARR_NUMBER(&x, arr_sum, a, 0, NULL, false, NULL)). x is a double. */
#define ARR_NUMBER(x, f, ...) arr_easy_number(&arr_easy_scope_, f(__VA_ARGS__, &arr_easy_scope_.number), (x))

/* Makes views of the parts of an array along an axis, one for each of these variables, of which the old arrays are
 * released: ARR_UNSTACK(state, 0, x, y, z). */
#define ARR_UNSTACK(a, axis, ...)                                                                  \
  arr_easy_unstack((a), (axis), (int32_t)(sizeof((arr_array[]){__VA_ARGS__}) / sizeof(arr_array)), \
                   (arr_array *[]){ARR_EASY_EACH_(ARR_EASY_ADDRESS_, __VA_ARGS__)})

/* The arrays and matrices that a function releases, and the distributed arrays. */
typedef struct arr_easy_scope {
  size_t n;
  arr_array **arrays;
  arr_array number;
  size_t nsparse;
  arr_sparse **sparse;
  size_t ndist;
  arr_dist **dist;
} arr_easy_scope;

static inline void arr_easy_release(int32_t n, const arr_array *arrays) {
  for (int32_t i = 0; i < n; ++i) {
    if (arrays[i] != NULL) arr_release(arrays[i]);
  }
}
static inline arr_array *arr_easy_new(arr_array *a) {
  arr_easy_release(1, a);
  *a = NULL;
  return a;
}
static inline arr_status arr_easy_leave(arr_easy_scope *scope, arr_status status) {
  for (size_t i = 0; i < scope->n; ++i) arr_easy_new(scope->arrays[i]);
  for (size_t i = 0; i < scope->nsparse; ++i) {
    arr_sparse_release(*scope->sparse[i]);
    *scope->sparse[i] = NULL;
  }
  for (size_t i = 0; i < scope->ndist; ++i) {
    arr_dist_release(*scope->dist[i]);
    *scope->dist[i] = NULL;
  }
  return status;
}
static inline arr_status arr_easy_number(arr_easy_scope *scope, arr_status made, double *x) {
  const int64_t zero[ARR_MAX_NDIM] = {0};
  int64_t size = 0;
  int32_t ndim = 0;
  if (made != ARR_OK) return made;
  arr_ndim(scope->number, &ndim);
  arr_size(scope->number, &size);
  made = arr_item_f64(scope->number, size == 1 ? ndim : 0, zero,
                      x); /* without indices an error for more elements */
  arr_easy_new(&scope->number);
  return made;
}
static inline arr_status arr_easy_unstack(arr_array a, int32_t axis, int32_t n, arr_array **out) {
  arr_array parts[24];
  const arr_status status = arr_unstack(a, axis, n, parts);
  for (int32_t i = 0; status == ARR_OK && i < n; ++i) *arr_easy_new(out[i]) = parts[i];
  return status;
}

/* As ARR_VALUE, as an argument of type const arr_value *. It lives until the end of the enclosing block. */
#define ARR_V(x) ((arr_value[1]){ARR_VALUE(x)})

/* Expands to two arguments, the length and the address of a list of arr_value: up to 24 arrays and numbers. */
#define ARR_VALUES(...)                                                                         \
  (int32_t)(sizeof((arr_value[]){ARR_EASY_EACH_(ARR_VALUE, __VA_ARGS__)}) / sizeof(arr_value)), \
      ((arr_value[]){ARR_EASY_EACH_(ARR_VALUE, __VA_ARGS__)})

/* A formula (arr_evaluate) of up to 24 arrays and numbers, in one loop; its variables are these in the order of their
 * first use: ARR_RUN(&z, "sin(x)**2 + k*y", x, 0.5, y). ARR_RUN_INTO writes into an array, which may be one of them. */
#define ARR_RUN(out, formula, ...) arr_evaluate((formula), -1, ARR_VALUES(__VA_ARGS__), NULL, (out))
#define ARR_RUN_INTO(dst, formula, ...) arr_evaluate_into((dst), (formula), -1, ARR_VALUES(__VA_ARGS__), NULL)

#if __STDC_VERSION__ >= 201112L
/* _Float16 where the compiler has it: Clang 14 describes that type without having it. */
#if defined(__FLT16_MAX__) && !(defined(__clang_major__) && __clang_major__ < 15)
__extension__ typedef _Float16 arr_easy_float16;
#else
typedef struct arr_easy_no_float16 {
  int none;
} arr_easy_float16;
#endif

/* The value of an operand, of type arr_value: an array, or a plain number, which takes the dtype of the array that it
 * is combined with. Integers, bool, and real and complex floats are numbers: long double and _Float16 become double.
 * Anything else, such as a pointer, does not compile. */
#define ARR_VALUE(x)                              \
  _Generic((x), arr_array                         \
           : arr_easy_array, arr_easy_float16     \
           : arr_easy_f64, _Bool                  \
           : arr_easy_bool, char                  \
           : arr_easy_i64, signed char            \
           : arr_easy_i64, unsigned char          \
           : arr_easy_i64, short                  \
           : arr_easy_i64, unsigned short         \
           : arr_easy_i64, int                    \
           : arr_easy_i64, unsigned               \
           : arr_easy_i64, long                   \
           : arr_easy_i64, long long              \
           : arr_easy_i64, unsigned long          \
           : arr_easy_u64, unsigned long long     \
           : arr_easy_u64, float                  \
           : arr_easy_f64, double                 \
           : arr_easy_f64, long double            \
           : arr_easy_long_double, float _Complex \
           : arr_easy_c128, double _Complex       \
           : arr_easy_c128, long double _Complex  \
           : arr_easy_long_complex)(x)

/* In an index expression a plain integer is an index, and an array one of indices or a mask: ARR_GET(a, &out, 0, mask).
 * Without this header they are ARR_INDEX(0) and ARR_ARRAY(mask). */
#undef ARR_INDICES
#define ARR_INDICES(...)                                                                              \
  (int32_t)(sizeof((arr_index[]){ARR_EASY_EACH_(ARR_EASY_INDEX_, __VA_ARGS__)}) / sizeof(arr_index)), \
      ((arr_index[]){ARR_EASY_EACH_(ARR_EASY_INDEX_, __VA_ARGS__)})
#define ARR_EASY_INDEX_(x)                         \
  _Generic((x), arr_index                          \
           : arr_easy_index, arr_array             \
           : arr_easy_index_array, int             \
           : arr_easy_index_integer, long          \
           : arr_easy_index_integer, long long     \
           : arr_easy_index_integer, unsigned      \
           : arr_easy_index_integer, unsigned long \
           : arr_easy_index_integer)(x)

/* A number with the dtype of its C type, which takes part in promotion: ARR_TYPED(2.0f) is a float32. */
#define ARR_TYPED(x)                                     \
  ((arr_value[1]){_Generic((x), float                    \
                           : arr_easy_typed_f32, double  \
                           : arr_easy_typed_f64, int32_t \
                           : arr_easy_typed_i32, int64_t \
                           : arr_easy_typed_i64)(x)})

static inline arr_index arr_easy_index(arr_index i) { return i; }
static inline arr_index arr_easy_index_array(arr_array a) { return ARR_ARRAY(a); }
static inline arr_index arr_easy_index_integer(int64_t i) { return ARR_INDEX(i); }
static inline arr_value arr_easy_array(arr_array a) {
  arr_value v;
  arr_value_array(&v, a);
  return v;
}
static inline arr_value arr_easy_bool(_Bool x) {
  arr_value v;
  arr_value_bool(&v, x);
  arr_value_weak(&v);
  return v;
}
static inline arr_value arr_easy_f64(double x) {
  arr_value v;
  arr_value_f64(&v, x);
  arr_value_weak(&v);
  return v;
}
static inline arr_value arr_easy_long_double(long double x) { return arr_easy_f64((double)x); }
static inline arr_value arr_easy_i64(int64_t x) {
  arr_value v;
  arr_value_i64(&v, x);
  arr_value_weak(&v);
  return v;
}
static inline arr_value arr_easy_u64(uint64_t x) {
  arr_value v = {ARR_VALUE_SCALAR | ARR_VALUE_WEAK, ARR_UINT64, (int64_t)x, 0};
  return v;
}
static inline arr_value arr_easy_c128(double _Complex z) {
  /* A complex number is its two parts in memory (C11 6.2.5p13). */
  const double *parts = (const double *)&z;
  arr_value v;
  arr_value_c128(&v, parts[0], parts[1]);
  arr_value_weak(&v);
  return v;
}
static inline arr_value arr_easy_long_complex(long double _Complex z) {
  return arr_easy_c128((double _Complex)z);
}
static inline arr_value arr_easy_typed_f32(float x) {
  arr_value v;
  arr_value_f32(&v, (double)x);
  return v;
}
static inline arr_value arr_easy_typed_f64(double x) {
  arr_value v;
  arr_value_f64(&v, x);
  return v;
}
static inline arr_value arr_easy_typed_i32(int32_t x) {
  arr_value v;
  arr_value_i32(&v, x);
  return v;
}
static inline arr_value arr_easy_typed_i64(int64_t x) {
  arr_value v;
  arr_value_i64(&v, x);
  return v;
}
#else
#define ARR_VALUE(x) arr_operands_need_C11
#define ARR_TYPED(x) arr_operands_need_C11
#endif
#endif
