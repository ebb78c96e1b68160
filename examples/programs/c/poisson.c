/* SPDX-License-Identifier: MIT */
/* Poisson's equation on an L-shaped domain: a grid without its last quarter, u = 0 around it. */
#include "programs.h"

arr_status poisson(arr_array f, arr_array* out) {
  ARR_SCOPE(two, minus, inside, at, chosen, b, u, flat);
  ARR_SCOPE_SPARSE(line, grid, rows, a);
  arr_linop by = NULL;
  arr_solve_options options = {sizeof options, .rtol = 1e-12};
  int64_t shape[2];
  ARR_DO(arr_shape(f, 2, shape, NULL));
  const int64_t n = shape[0], half = n / 2, area = n * n;
  ARR_DO(arr_full(ARR_FLOAT64, ARR_LIST(1), ARR_ORDER_C, ARR_V(2.0), NULL, NULL, &two));
  ARR_DO(arr_full(ARR_FLOAT64, ARR_LIST(1), ARR_ORDER_C, ARR_V(-1.0), NULL, NULL, &minus));
  ARR_DO(arr_sparse_diags(n, n, 3, (arr_array[]){minus, two, minus}, (int64_t[]){-1, 0, 1}, NULL, &line));
  ARR_DO(arr_sparse_kronsum(line, line, ARR_SPARSE_CSR, NULL, &grid));
  ARR_DO(arr_ones(ARR_BOOL, ARR_LIST(n, n), ARR_ORDER_C, NULL, NULL, &inside));
  ARR_DO(ARR_SET(inside, ARR_V(0), ARR_FROM(half), ARR_FROM(half)));
  ARR_DO(arr_flatnonzero(inside, NULL, &at));
  ARR_DO(arr_sparse_get_items(grid, ARR_INDICES(at), NULL, &rows));
  ARR_DO(arr_sparse_get_items(rows, ARR_INDICES(ARR_ALL(), at), NULL, &a));
  ARR_DO(ARR_GET(f, &chosen, inside));
  ARR_DO(arr_divide_v(ARR_V(chosen), ARR_V((n + 1) * (n + 1)), NULL, &b));
  ARR_DO(arr_linop_from_sparse(a, &by));
  const arr_status solved = arr_solve_cg(by, b, &options, NULL, &u, NULL);
  arr_linop_release(by);
  ARR_DO(solved);
  ARR_DO(arr_zeros(ARR_FLOAT64, ARR_LIST(area), ARR_ORDER_C, NULL, NULL, &flat));
  ARR_DO(ARR_SET(flat, ARR_V(u), at));
  ARR_RETURN(arr_reshape(flat, ARR_LIST(n, n), ARR_ORDER_C, NULL, out));
}
