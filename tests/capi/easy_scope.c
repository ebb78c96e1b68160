/* SPDX-License-Identifier: MIT */
/* The macros of arr/easy.h that C99 has: arrays that a function releases where it ends, and what it does with
 * errors. */
#include <arr/easy.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void expect(int good, const char* what) {
  if (good) return;
  printf("wrong: %s (%s)\n", what, arr_last_error());
  ++failures;
}

static arr_status ones(int64_t n, arr_array* out) {
  return arr_ones(ARR_FLOAT64, ARR_LIST(2, n), ARR_ORDER_C, NULL, NULL, out);
}

/* The sums of the columns; fails at the axis 5, with arrays in its scope. */
static arr_status sums(int32_t axis, int* reached, arr_array* out) {
  ARR_SCOPE(a, b, c);
  ARR_DO(ones(3, &a));
  ARR_DO(arr_add(a, a, NULL, &b));
  ARR_DO(arr_expand_dims(b, ARR_AXES(axis), &c));
  *reached = 1;
  ARR_RETURN(arr_sum(b, ARR_AXES(0), false, NULL, out));
}

/* The result of sums() lives meanwhile. */
static arr_status loops(void) {
  ARR_SCOPE(a);
  for (int64_t n = 1; n <= 4; ++n) {
    ARR_DO(ones(n, ARR_NEW(a)));
    expect(arr_live_handles() == 2, "ARR_NEW releases what the variable held");
  }
  ARR_RETURN(ARR_OK);
}

static arr_status numbers(double* x) {
  ARR_SCOPE(a);
  ARR_DO(ones(5, &a));
  ARR_DO(ARR_NUMBER(x, arr_sum, a, 0, NULL, true, NULL));
  expect(arr_live_handles() == 1, "ARR_NUMBER releases the array of its number");
  ARR_RETURN(ARR_NUMBER(x, arr_sum, a, ARR_AXES(1), false, NULL));
}

static arr_status parts(arr_array* out) {
  ARR_SCOPE(a, x, y);
  ARR_DO(ones(3, &a));
  ARR_DO(ARR_UNSTACK(a, 0, x, y));
  ARR_DO(ARR_UNSTACK(a, 0, x, y));
  expect(arr_live_handles() == 4, "ARR_UNSTACK releases what the variables held");
  expect(ARR_UNSTACK(a, 1, x, y) == ARR_E_SHAPE && x != NULL, "two variables for three parts");
  ARR_RETURN(arr_add(x, y, NULL, out));
}

static arr_status many(void) {
  ARR_SCOPE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x);
  ARR_DO(ones(1, &a));
  arr_array* const all[] = {&b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m,
                            &n, &o, &p, &q, &r, &s, &t, &u, &v, &w, &x};
  for (size_t at = 0; at < sizeof all / sizeof all[0]; ++at) ARR_DO(ones(1, all[at]));
  ARR_RETURN(ARR_OK);
}

int main(void) {
  int reached = 0;
  arr_array out = NULL, sum = NULL;
  double x = 0;
  expect(sums(5, &reached, &out) < 0 && !reached && out == NULL, "ARR_DO leaves the function");
  expect(strstr(arr_last_error(), "arr_expand_dims") != NULL, "the text of the error stays");
  expect(arr_live_handles() == 0, "ARR_DO releases the scope's arrays");
  expect(sums(0, &reached, &out) == ARR_OK && reached, "a function with a scope");
  expect(arr_live_handles() == 1, "ARR_RETURN releases all but the result");
  expect(loops() == ARR_OK && parts(&sum) == ARR_OK && many() == ARR_OK, "loops, parts and 24 arrays");
  expect(arr_item_f64(sum, ARR_LIST(2), &x) == ARR_OK && x == 2, "parts of an array");
  ARR_RELEASE(out, sum);
  expect(numbers(&x) < 0 && x == 10, "a number, and an array of two that is none");
  expect(arr_live_handles() == 0, "no handle is left");
  if (failures == 0) puts("ok");
  return failures != 0;
}
