/* SPDX-License-Identifier: MIT */
/* An ensemble of Lorenz systems by the classical Runge-Kutta method: the mean state at the end. */
#include "programs.h"

static arr_status lorenz(arr_array state, arr_array* slope) {
  ARR_SCOPE(x, y, z, dx, dy, dz);
  ARR_DO(ARR_UNSTACK(state, 0, x, y, z));
  ARR_DO(ARR_RUN(&dx, "10 * (y - x)", y, x));
  ARR_DO(ARR_RUN(&dy, "x * (28 - z) - y", x, z, y));
  ARR_DO(ARR_RUN(&dz, "x * y - 8 / 3 * z", x, y, z));
  ARR_RETURN(arr_stack(ARR_ARRAYS(dx, dy, dz), 0, 0, NULL, slope));
}

arr_status rk4(arr_array state, arr_array* out) {
  ARR_SCOPE(s, t, k1, k2, k3, k4);
  ARR_DO(arr_copy(state, ARR_ORDER_C, NULL, &s));
  ARR_DO(arr_copy(state, ARR_ORDER_C, NULL, &t));
  for (int step = 0; step < 100; ++step) {
    ARR_DO(lorenz(s, ARR_NEW(k1)));
    ARR_DO(ARR_RUN_INTO(t, "s + 0.005 * k", s, k1));
    ARR_DO(lorenz(t, ARR_NEW(k2)));
    ARR_DO(ARR_RUN_INTO(t, "s + 0.005 * k", s, k2));
    ARR_DO(lorenz(t, ARR_NEW(k3)));
    ARR_DO(ARR_RUN_INTO(t, "s + 0.01 * k", s, k3));
    ARR_DO(lorenz(t, ARR_NEW(k4)));
    ARR_DO(ARR_RUN_INTO(s, "s + 0.01 / 6 * (k1 + 2*k2 + 2*k3 + k4)", s, k1, k2, k3, k4));
  }
  ARR_RETURN(arr_mean(s, ARR_AXES(1), 0, NULL, out));
}
