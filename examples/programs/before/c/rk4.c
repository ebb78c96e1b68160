/* SPDX-License-Identifier: MIT */
/* An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end. */
#include "functions.h"

/* Writes a formula of arrays. */
static arr_status write(const char* formula, arr_array dst, int32_t n, const char* const* names,
                        const arr_array* in) {
  arr_expr e = NULL;
  int32_t node = 0;
  arr_status status;
  DO(arr_expr_parse(formula, -1, n, names, &node, &e));
  DO(arr_expr_run_into(dst, e, node, n, in, NULL));
end:
  if (e) arr_expr_release(e);
  return status;
}

static arr_status lorenz(arr_array state, arr_array slope) {
  static const char* const formulas[] = {"10 * (y - x)", "x * (28 - z) - y", "x * y - 8 / 3 * z"};
  static const char* const names[] = {"x", "y", "z"};
  arr_array in[3] = {NULL, NULL, NULL}, rows[3] = {NULL, NULL, NULL};
  arr_status status;
  for (int i = 0; i < 3; ++i) DO(arr_select(state, 0, i, &in[i]));
  for (int i = 0; i < 3; ++i) {
    DO(arr_select(slope, 0, i, &rows[i]));
    DO(write(formulas[i], rows[i], 3, names, in));
  }
end:
  for (int i = 0; i < 3; ++i) {
    if (in[i]) arr_release(in[i]);
    if (rows[i]) arr_release(rows[i]);
  }
  return status;
}

arr_status rk4(arr_array state, arr_array* out) {
  static const char* const names[] = {"s", "k1", "k2", "k3", "k4"};
  const int32_t second = 1;
  arr_array s = NULL, t = NULL, k[4] = {NULL, NULL, NULL, NULL};
  arr_status status;
  DO(arr_copy(state, ARR_ORDER_C, NULL, &s));
  DO(arr_copy(state, ARR_ORDER_C, NULL, &t));
  for (int i = 0; i < 4; ++i) DO(arr_copy(state, ARR_ORDER_C, NULL, &k[i]));
  for (int step = 0; step < 100; ++step) {
    DO(lorenz(s, k[0]));
    DO(write("s + 0.005 * k1", t, 2, names, (const arr_array[]){s, k[0]}));
    DO(lorenz(t, k[1]));
    DO(write("s + 0.005 * k1", t, 2, names, (const arr_array[]){s, k[1]}));
    DO(lorenz(t, k[2]));
    DO(write("s + 0.01 * k1", t, 2, names, (const arr_array[]){s, k[2]}));
    DO(lorenz(t, k[3]));
    DO(write("s + 0.01 / 6 * (k1 + 2*k2 + 2*k3 + k4)", s, 5, names,
             (const arr_array[]){s, k[0], k[1], k[2], k[3]}));
  }
  DO(arr_mean(s, 1, &second, 0, NULL, out));
end:
  if (s) arr_release(s);
  if (t) arr_release(t);
  for (int i = 0; i < 4; ++i) {
    if (k[i]) arr_release(k[i]);
  }
  return status;
}
