/* SPDX-License-Identifier: MIT */
/* The macros of arr/easy.h: operands of every type, lists, errors. */
#include <arr/easy.h>
#include <complex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(int good, const char* what) {
  if (good) return;
  printf("wrong: %s (%s)\n", what, arr_last_error());
  ++failures;
}

static double first(arr_array a) {
  const int64_t zero[ARR_MAX_NDIM] = {0};
  int32_t ndim = 0;
  double x = -1;
  arr_ndim(a, &ndim);
  expect(arr_item_f64(a, ndim, zero, &x) == ARR_OK, "an element");
  return x;
}

static int has_dtype(arr_array a, arr_dtype wanted) {
  arr_dtype d = 0;
  return arr_array_dtype(a, &d) == ARR_OK && d == wanted;
}

static int value_is(arr_value v, arr_dtype dtype, double wanted) {
  double x = -1;
  return v.kind == (ARR_VALUE_SCALAR | ARR_VALUE_WEAK) && v.dtype == dtype &&
         arr_value_get_f64(&v, &x) == ARR_OK && x == wanted;
}

static arr_status operands(void) {
  arr_array a = NULL, b = NULL, c = NULL, d = NULL, e = NULL, f = NULL, g = NULL;
  ARR_TRY(arr_ones(ARR_FLOAT32, ARR_LIST(3, 4), ARR_ORDER_C, NULL, NULL, &a));
  ARR_TRY(arr_multiply_v(ARR_V(a), ARR_V(0.5), NULL, &b));
  expect(has_dtype(b, ARR_FLOAT32) && first(b) == 0.5, "a plain double");
  ARR_TRY(arr_add_v(ARR_V(b), ARR_V(2), NULL, &c));
  expect(has_dtype(c, ARR_FLOAT32) && first(c) == 2.5, "a plain int");
  ARR_TRY(arr_add_v(ARR_V(b), ARR_TYPED(2.0), NULL, &d));
  expect(has_dtype(d, ARR_FLOAT64), "a typed double");
  ARR_TRY(arr_multiply_v(ARR_V(a), ARR_V(2.0 * I), NULL, &e));
  expect(has_dtype(e, ARR_COMPLEX64), "a complex number");
  ARR_TRY(arr_greater_v(ARR_V(a), ARR_V(0.5f), NULL, &f));
  expect(has_dtype(f, ARR_BOOL) && first(f) == 1, "a float");
  ARR_TRY(arr_logical_and_v(ARR_V(f), ARR_V((bool)0), NULL, &g));
  expect(first(g) == 0, "a bool");
  ARR_TRY(arr_add_v_into(a, ARR_V(a), ARR_V(3L), NULL));
  expect(first(a) == 4, "a number into a destination");
  ARR_RELEASE(a, b, c, d, e, f, g);
  return ARR_OK;
}

/* Each type of number keeps its value, and its kind: 0.5 of any type is no whole number. */
static void every_type(void) {
#define REAL(x) expect(value_is(ARR_VALUE(x), ARR_FLOAT64, 0.5), #x)
  const double half = 0.5;
  const long double long_half = 0.5L;
  REAL(0.5);
  REAL(0.5f);
  REAL(0.5L);
  REAL(half);
  REAL(long_half);
#if defined(__FLT16_MAX__) && !defined(__clang__)
  __extension__ const _Float16 half_half = (float)0.5;
  REAL(half_half);
#endif
#undef REAL
#define WHOLE(type) expect(value_is(ARR_VALUE((type)7), ARR_INT64, 7), #type)
  WHOLE(char);
  WHOLE(signed char);
  WHOLE(unsigned char);
  WHOLE(short);
  WHOLE(unsigned short);
  WHOLE(int);
  WHOLE(unsigned);
  WHOLE(long);
  WHOLE(long long);
#undef WHOLE
  expect(value_is(ARR_VALUE(7UL), ARR_UINT64, 7) && value_is(ARR_VALUE(7ULL), ARR_UINT64, 7),
         "64 bits without a sign");
  const long double _Complex z = 0.5L + 2.0L * I;
  const arr_value c = ARR_VALUE(z);
  const double parts[2] = {0.5, 2.0};
  expect(c.dtype == ARR_COMPLEX128 && memcmp(&c.lo, &parts[0], 8) == 0 && memcmp(&c.hi, &parts[1], 8) == 0,
         "a long complex number");
}

static arr_status wide(void) {
  arr_array a = NULL, b = NULL;
  ARR_TRY(arr_full(ARR_UINT64, ARR_LIST(2), ARR_ORDER_C, ARR_V(9223372036854775808ULL), NULL, NULL, &a));
  ARR_TRY(arr_equal_v(ARR_V(a), ARR_V(9223372036854775808ULL), NULL, &b));
  expect(first(b) == 1, "2^63 as an unsigned number");
  ARR_RELEASE(a, b);
  return ARR_OK;
}

static arr_status lists(void) {
  arr_array a = NULL, sums = NULL, both = NULL;
  ARR_TRY(arr_ones(ARR_FLOAT64, ARR_LIST(2, 3), ARR_ORDER_C, NULL, NULL, &a));
  ARR_TRY(arr_sum(a, ARR_AXES(0, 1), 1, NULL, &sums));
  expect(first(sums) == 6, "a list of axes");
  ARR_TRY(arr_concatenate(ARR_ARRAYS(a, a), 0, 0, NULL, &both));
  int64_t n = 0;
  expect(arr_size(both, &n) == ARR_OK && n == 12, "a list of arrays");
  ARR_RELEASE(a, sums, both, NULL);
  return ARR_OK;
}

static arr_status formulas(void) {
  arr_array x = NULL, y = NULL, z = NULL, kept = NULL;
  ARR_TRY(arr_full(ARR_FLOAT64, ARR_LIST(3), ARR_ORDER_C, ARR_V(3), NULL, NULL, &x));
  ARR_TRY(arr_full(ARR_FLOAT64, ARR_LIST(2, 1), ARR_ORDER_C, ARR_V(0.5), NULL, NULL, &y));
  ARR_TRY(ARR_RUN(&z, "y - x**2", y, x)); /* in the order of their first use */
  int64_t n = 0;
  expect(first(z) == -8.5 && arr_size(z, &n) == ARR_OK && n == 6, "a formula");
  ARR_TRY(ARR_RUN_INTO(z, "z + 2 * x", z, x));
  expect(first(z) == -2.5, "a formula over one of its arrays");
  ARR_TRY(ARR_RUN_INTO(z, "a * x + b", 4, x, 0.5f));
  expect(first(z) == 12.5, "numbers in a formula");
  expect(ARR_RUN_INTO(z, "a+b+c+d+f+g+h+i+j+k+l+m+n+o+p+q+r", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                      x) == ARR_OK &&
             first(z) == 19,
         "seventeen operands");
  expect(ARR_RUN(&kept, "x + y", 1, 2.0) == ARR_E_ARGUMENT && kept == NULL, "a formula without arrays");
  expect(ARR_RUN(&kept, "x +", x) == ARR_E_ARGUMENT && kept == NULL, "a formula that does not parse");
  expect(ARR_RUN_INTO(x, "x + z", x, z) == ARR_E_SHAPE, "a destination of another shape");
  expect(ARR_RUN(&kept, "x + y", x) < 0 && kept == NULL, "too few arrays");
  ARR_RELEASE(x, y, z);
  return ARR_OK;
}

static arr_status indices(void) {
  arr_array a = NULL, row = NULL, mask = NULL, chosen = NULL, element = NULL;
  const size_t last = 2;
  ARR_TRY(arr_linspace(0, 5, 6, true, ARR_FLOAT64, NULL, NULL, &row));
  ARR_TRY(arr_reshape(row, ARR_LIST(2, 3), ARR_ORDER_C, NULL, &a));
  ARR_TRY(ARR_GET(a, ARR_NEW(row), 1));
  expect(first(row) == 3, "a row by its number");
  ARR_TRY(arr_greater_v(ARR_V(row), ARR_V(3), NULL, &mask));
  ARR_TRY(ARR_GET(a, &chosen, 0, mask));
  expect(first(chosen) == 1, "a row, and columns by a mask");
  ARR_TRY(ARR_SET(a, ARR_V(7), ARR_ALL(), mask));
  ARR_TRY(ARR_GET(a, &element, -1, last));
  expect(first(element) == 7, "an element that was written");
  ARR_RELEASE(a, row, mask, chosen, element);
  return ARR_OK;
}

static arr_status fails(int* reached) {
  arr_array a = NULL, b = NULL;
  arr_status status = ARR_OK;
  ARR_TRY_GOTO(status, end, arr_ones(ARR_FLOAT64, ARR_LIST(2), ARR_ORDER_C, NULL, NULL, &a));
  ARR_TRY_GOTO(status, end, arr_index_axis(a, 5, 0, &b));
  *reached = 1;
end:
  ARR_RELEASE(a, b);
  return status;
}

int main(void) {
  int reached = 0;
  expect(operands() == ARR_OK, "operands");
  every_type();
  expect(wide() == ARR_OK, "wide numbers");
  expect(lists() == ARR_OK, "lists");
  expect(formulas() == ARR_OK, "formulas");
  expect(indices() == ARR_OK, "indices");
  expect(fails(&reached) < 0 && !reached, "an error that leaves the function");
  expect(arr_live_handles() == 0, "no handle is left");
  if (failures == 0) puts("ok");
  return failures != 0;
}
