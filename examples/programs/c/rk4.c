/* SPDX-License-Identifier: MIT */
/* An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end. */
#include "programs.h"

static arr_status lorenz(arr_array state, arr_array* slope) {
  arr_array x = NULL, y = NULL, z = NULL, dx = NULL, dy = NULL, dz = NULL;
  arr_status status;
  DO(ARR_GET(state, &x, ARR_INDEX(0)));
  DO(ARR_GET(state, &y, ARR_INDEX(1)));
  DO(ARR_GET(state, &z, ARR_INDEX(2)));
  DO(ARR_RUN(&dx, "10 * (y - x)", y, x));
  DO(ARR_RUN(&dy, "x * (28 - z) - y", x, z, y));
  DO(ARR_RUN(&dz, "x * y - 8 / 3 * z", x, y, z));
  DO(arr_stack(ARR_ARRAYS(dx, dy, dz), 0, 0, NULL, slope));
end:
  ARR_RELEASE(x, y, z, dx, dy, dz);
  return status;
}

arr_status rk4(arr_array state, arr_array* out) {
  arr_array s = NULL, t = NULL, k1 = NULL, k2 = NULL, k3 = NULL, k4 = NULL;
  arr_status status;
  DO(arr_copy(state, ARR_ORDER_C, NULL, &s));
  DO(arr_copy(state, ARR_ORDER_C, NULL, &t));
  for (int step = 0; step < 100; ++step) {
    DO(lorenz(s, &k1));
    DO(ARR_RUN_INTO(t, "s + 0.005 * k", s, k1));
    DO(lorenz(t, &k2));
    DO(ARR_RUN_INTO(t, "s + 0.005 * k", s, k2));
    DO(lorenz(t, &k3));
    DO(ARR_RUN_INTO(t, "s + 0.01 * k", s, k3));
    DO(lorenz(t, &k4));
    DO(ARR_RUN_INTO(s, "s + 0.01 / 6 * (k1 + 2*k2 + 2*k3 + k4)", s, k1, k2, k3, k4));
    ARR_RELEASE(k1, k2, k3, k4);
  }
  DO(arr_mean(s, ARR_AXES(1), 0, NULL, out));
end:
  ARR_RELEASE(s, t, k1, k2, k3, k4);
  return status;
}
