/* SPDX-License-Identifier: MIT */
/* easy.h - macros for C11 that make calls short: numbers and arrays as operands, shapes and axes as lists, errors that
 * leave the function. It is not part of arr.h: include it beside that.
 *
 *   ARR_TRY(arr_ones(ARR_FLOAT32, ARR_LIST(1000, 1000), ARR_ORDER_C, NULL, NULL, &a));
 *   ARR_TRY(arr_multiply_v(ARR_V(a), ARR_V(0.5), NULL, &b));
 *   ARR_TRY(arr_sum(b, ARR_AXES(0), 0, NULL, &sums));
 */
#ifndef ARR_EASY_H
#define ARR_EASY_H
#include "arr/arr.h"

#if defined(__cplusplus)
#error "arr/easy.h is for C11: include arr/arr.hpp in C++"
#elif !defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L
#error "arr/easy.h needs C11 (-std=c11)"
#endif

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

/* As ARR_VALUE, as an argument of type const arr_value *. It lives until the end of the enclosing block. */
#define ARR_V(x) ((arr_value[1]){ARR_VALUE(x)})

/* A number with the dtype of its C type, which takes part in promotion: ARR_TYPED(2.0f) is a float32. */
#define ARR_TYPED(x)                                     \
  ((arr_value[1]){_Generic((x), float                    \
                           : arr_easy_typed_f32, double  \
                           : arr_easy_typed_f64, int32_t \
                           : arr_easy_typed_i32, int64_t \
                           : arr_easy_typed_i64)(x)})

/* Lists, which expand to two arguments, their number and their address: int64_t (shapes, indices), int32_t (axes),
 * arrays, float64 numbers. */
#define ARR_LIST(...) ARR_EASY_LIST_(int64_t, __VA_ARGS__)
#define ARR_AXES(...) ARR_EASY_LIST_(int32_t, __VA_ARGS__)
#define ARR_ARRAYS(...) ARR_EASY_LIST_(arr_array, __VA_ARGS__)
#define ARR_NUMBERS(...) ARR_EASY_LIST_(double, __VA_ARGS__)
/* Expands to two arguments, the length and the address of a list of arr_value: up to 16 arrays and numbers. */
#define ARR_VALUES(...)                                                                \
  (int32_t)(sizeof((arr_value[]){ARR_EASY_VALUES_(__VA_ARGS__)}) / sizeof(arr_value)), \
      ((arr_value[]){ARR_EASY_VALUES_(__VA_ARGS__)})
#define ARR_EASY_VALUES_(...)                                                                       \
  ARR_EASY_PICK_(__VA_ARGS__, ARR_EASY_16_, ARR_EASY_15_, ARR_EASY_14_, ARR_EASY_13_, ARR_EASY_12_, \
                 ARR_EASY_11_, ARR_EASY_10_, ARR_EASY_9_, ARR_EASY_8_, ARR_EASY_7_, ARR_EASY_6_,    \
                 ARR_EASY_5_, ARR_EASY_4_, ARR_EASY_3_, ARR_EASY_2_, ARR_EASY_1_, 0)                \
  (__VA_ARGS__)
#define ARR_EASY_PICK_(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, pick, ...) pick
#define ARR_EASY_1_(x) ARR_VALUE(x)
#define ARR_EASY_2_(x, ...) ARR_VALUE(x), ARR_EASY_1_(__VA_ARGS__)
#define ARR_EASY_3_(x, ...) ARR_VALUE(x), ARR_EASY_2_(__VA_ARGS__)
#define ARR_EASY_4_(x, ...) ARR_VALUE(x), ARR_EASY_3_(__VA_ARGS__)
#define ARR_EASY_5_(x, ...) ARR_VALUE(x), ARR_EASY_4_(__VA_ARGS__)
#define ARR_EASY_6_(x, ...) ARR_VALUE(x), ARR_EASY_5_(__VA_ARGS__)
#define ARR_EASY_7_(x, ...) ARR_VALUE(x), ARR_EASY_6_(__VA_ARGS__)
#define ARR_EASY_8_(x, ...) ARR_VALUE(x), ARR_EASY_7_(__VA_ARGS__)
#define ARR_EASY_9_(x, ...) ARR_VALUE(x), ARR_EASY_8_(__VA_ARGS__)
#define ARR_EASY_10_(x, ...) ARR_VALUE(x), ARR_EASY_9_(__VA_ARGS__)
#define ARR_EASY_11_(x, ...) ARR_VALUE(x), ARR_EASY_10_(__VA_ARGS__)
#define ARR_EASY_12_(x, ...) ARR_VALUE(x), ARR_EASY_11_(__VA_ARGS__)
#define ARR_EASY_13_(x, ...) ARR_VALUE(x), ARR_EASY_12_(__VA_ARGS__)
#define ARR_EASY_14_(x, ...) ARR_VALUE(x), ARR_EASY_13_(__VA_ARGS__)
#define ARR_EASY_15_(x, ...) ARR_VALUE(x), ARR_EASY_14_(__VA_ARGS__)
#define ARR_EASY_16_(x, ...) ARR_VALUE(x), ARR_EASY_15_(__VA_ARGS__)
#define ARR_EASY_LIST_(type, ...) \
  (int32_t)(sizeof((type[]){__VA_ARGS__}) / sizeof(type)), ((type[]){__VA_ARGS__})

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

/* A formula (arr_evaluate) of up to 16 arrays and numbers, in one loop; its variables are these in the order of their
 * first use: ARR_RUN(&z, "sin(x)**2 + k*y", x, 0.5, y). ARR_RUN_INTO writes into an array, which may be one of them. */
#define ARR_RUN(out, formula, ...) arr_evaluate((formula), -1, ARR_VALUES(__VA_ARGS__), NULL, (out))
#define ARR_RUN_INTO(dst, formula, ...) arr_evaluate_into((dst), (formula), -1, ARR_VALUES(__VA_ARGS__), NULL)

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
static inline void arr_easy_release(int32_t n, const arr_array *arrays) {
  for (int32_t i = 0; i < n; ++i) {
    if (arrays[i] != NULL) arr_release(arrays[i]);
  }
}
#endif
