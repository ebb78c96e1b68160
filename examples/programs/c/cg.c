/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for the five-point Laplacian of a grid. */
#include "programs.h"

static arr_status laplace(arr_array p, arr_array* q) {
  arr_array up = NULL, down = NULL, left = NULL, right = NULL;
  arr_status status;
  DO(arr_multiply_v(ARR_V(4), ARR_V(p), NULL, q));
  DO(ARR_GET(p, &up, ARR_BEFORE(-1)));
  DO(ARR_GET(p, &down, ARR_FROM(1)));
  DO(ARR_GET(p, &left, ARR_ALL(), ARR_BEFORE(-1)));
  DO(ARR_GET(p, &right, ARR_ALL(), ARR_FROM(1)));
  DO(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(up), ARR_FROM(1)));
  DO(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(down), ARR_BEFORE(-1)));
  DO(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(left), ARR_ALL(), ARR_FROM(1)));
  DO(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(right), ARR_ALL(), ARR_BEFORE(-1)));
end:
  ARR_RELEASE(up, down, left, right);
  return status;
}

arr_status cg(arr_array b, arr_array* out) {
  const double tolerance = 1e-10;
  arr_array r = NULL, p = NULL, q = NULL, pq = NULL, rho = NULL, previous = NULL;
  double residual = 0;
  arr_status status;
  DO(arr_zeros_like(b, 0, ARR_ORDER_C, NULL, out));
  DO(arr_copy(b, ARR_ORDER_C, NULL, &r));
  DO(arr_copy(b, ARR_ORDER_C, NULL, &p));
  DO(arr_vdot(r, r, NULL, &rho));
  DO(arr_item_f64(rho, 0, NULL, &residual));
  while (residual > tolerance * tolerance) {
    DO(laplace(p, &q));
    DO(arr_vdot(p, q, NULL, &pq));
    DO(ARR_RUN_INTO(*out, "x + rho / pq * p", *out, rho, pq, p));
    DO(ARR_RUN_INTO(r, "r - rho / pq * q", r, rho, pq, q));
    previous = rho;
    DO(arr_vdot(r, r, NULL, &rho));
    DO(ARR_RUN_INTO(p, "r + rho / previous * p", r, rho, previous, p));
    DO(arr_item_f64(rho, 0, NULL, &residual));
    ARR_RELEASE(q, pq, previous);
  }
end:
  ARR_RELEASE(r, p, q, pq, rho, previous);
  return status;
}
