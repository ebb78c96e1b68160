/* SPDX-License-Identifier: MIT */
/* Conjugate gradients for the five-point Laplacian of a grid. */
#include <string.h>

#include "functions.h"

/* Subtracts the part of p that begins at one point from the part of q that begins at another. */
static arr_status subtract_part(arr_array q, arr_array p, int64_t row, int64_t column, int64_t from_row,
                                int64_t from_column) {
  const int64_t to[] = {row, column}, to_end[] = {from_row ? -1 : INT64_MAX, from_column ? -1 : INT64_MAX};
  const int64_t from[] = {from_row, from_column}, end_of[] = {row ? -1 : INT64_MAX, column ? -1 : INT64_MAX};
  arr_array part = NULL, other = NULL;
  arr_status status;
  DO(arr_slice(q, 2, to, to_end, NULL, &part));
  DO(arr_slice(p, 2, from, end_of, NULL, &other));
  DO(arr_subtract_into(part, part, other, NULL));
end:
  if (part) arr_release(part);
  if (other) arr_release(other);
  return status;
}

static arr_status laplace(arr_array p, arr_array* q) {
  arr_value four, all;
  arr_status status;
  arr_value_f64(&four, 4);
  arr_value_array(&all, p);
  DO(arr_multiply_v(&four, &all, NULL, q));
  DO(subtract_part(*q, p, 1, 0, 0, 0));
  DO(subtract_part(*q, p, 0, 0, 1, 0));
  DO(subtract_part(*q, p, 0, 1, 0, 0));
  DO(subtract_part(*q, p, 0, 0, 0, 1));
end:
  return status;
}

/* Writes the formula of four arrays. */
static arr_status step(const char* formula, arr_array dst, arr_array x, arr_array a, arr_array b,
                       arr_array y) {
  const arr_array in[] = {x, a, b, y};
  arr_expr e = NULL;
  int32_t node = 0;
  arr_status status;
  DO(arr_expr_parse(formula, -1, 0, NULL, &node, &e));
  DO(arr_expr_run_into(dst, e, node, 4, in, NULL));
end:
  if (e) arr_expr_release(e);
  return status;
}

static arr_status number(arr_array a, double* x) {
  arr_value value;
  arr_status status;
  DO(arr_item(a, 0, NULL, &value));
  memcpy(x, &value.lo, sizeof *x);
end:
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
  DO(number(rho, &residual));
  while (residual > tolerance * tolerance) {
    DO(laplace(p, &q));
    DO(arr_vdot(p, q, NULL, &pq));
    DO(step("x + rho / pq * p", *out, *out, rho, pq, p));
    DO(step("r - rho / pq * q", r, r, rho, pq, q));
    previous = rho;
    rho = NULL;
    DO(arr_vdot(r, r, NULL, &rho));
    DO(step("r + rho / previous * p", p, r, rho, previous, p));
    DO(number(rho, &residual));
    arr_release(q);
    arr_release(pq);
    arr_release(previous);
    q = pq = previous = NULL;
  }
end:
  if (r) arr_release(r);
  if (p) arr_release(p);
  if (q) arr_release(q);
  if (pq) arr_release(pq);
  if (rho) arr_release(rho);
  if (previous) arr_release(previous);
  return status;
}
