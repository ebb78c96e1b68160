/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for the five-point Laplacian of a grid. */
#include "programs.h"

static arr_status laplace(arr_array p, arr_array* q) {
  ARR_SCOPE(up, down, left, right);
  ARR_DO(arr_multiply_v(ARR_V(4), ARR_V(p), NULL, q));
  ARR_DO(ARR_GET(p, &up, ARR_BEFORE(-1)));
  ARR_DO(ARR_GET(p, &down, ARR_FROM(1)));
  ARR_DO(ARR_GET(p, &left, ARR_ALL(), ARR_BEFORE(-1)));
  ARR_DO(ARR_GET(p, &right, ARR_ALL(), ARR_FROM(1)));
  ARR_DO(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(up), ARR_FROM(1)));
  ARR_DO(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(down), ARR_BEFORE(-1)));
  ARR_DO(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(left), ARR_ALL(), ARR_FROM(1)));
  ARR_RETURN(ARR_UPDATE(ARR_OP_SUBTRACT, *q, ARR_V(right), ARR_ALL(), ARR_BEFORE(-1)));
}

arr_status cg(arr_array b, arr_array* out) {
  ARR_SCOPE(r, p, q);
  const double tolerance = 1e-10;
  double rho = 0, previous = 0, pq = 0;
  ARR_DO(arr_zeros_like(b, 0, ARR_ORDER_C, NULL, out));
  ARR_DO(arr_copy(b, ARR_ORDER_C, NULL, &r));
  ARR_DO(arr_copy(b, ARR_ORDER_C, NULL, &p));
  ARR_DO(ARR_NUMBER(&rho, arr_vdot, r, r, NULL));
  while (rho > tolerance * tolerance) {
    ARR_DO(laplace(p, ARR_NEW(q)));
    ARR_DO(ARR_NUMBER(&pq, arr_vdot, p, q, NULL));
    ARR_DO(ARR_RUN_INTO(*out, "x + step * p", *out, rho / pq, p));
    ARR_DO(ARR_RUN_INTO(r, "r - step * q", r, rho / pq, q));
    previous = rho;
    ARR_DO(ARR_NUMBER(&rho, arr_vdot, r, r, NULL));
    ARR_DO(ARR_RUN_INTO(p, "r + beta * p", r, rho / previous, p));
  }
  ARR_RETURN(ARR_OK);
}
