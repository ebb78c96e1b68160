/* SPDX-License-Identifier: MIT */
/* Poisson's equation on a square by conjugate gradients; the rows of the matrix are divided among the ranks.
 */
#include "distributed.h"

/* The rows of the 5-point Laplacian that belong to some rows of the square. */
static arr_status laplacian(int64_t n, arr_array mine, arr_sparse* out) {
  ARR_SCOPE(two, minus);
  ARR_SCOPE_SPARSE(line, eye, my_line, my_eye, along, across);
  ARR_DO(arr_full(ARR_FLOAT64, ARR_LIST(1), ARR_ORDER_C, ARR_V(2.0), NULL, NULL, &two));
  ARR_DO(arr_full(ARR_FLOAT64, ARR_LIST(1), ARR_ORDER_C, ARR_V(-1.0), NULL, NULL, &minus));
  ARR_DO(arr_sparse_diags(n, n, 3, (arr_array[]){minus, two, minus}, (int64_t[]){-1, 0, 1}, NULL, &line));
  ARR_DO(arr_sparse_eye(n, n, 0, ARR_FLOAT64, NULL, NULL, &eye));
  ARR_DO(arr_sparse_get_items(line, ARR_INDICES(mine), NULL, &my_line));
  ARR_DO(arr_sparse_get_items(eye, ARR_INDICES(mine), NULL, &my_eye));
  ARR_DO(arr_sparse_kron(my_eye, line, ARR_SPARSE_CSR, NULL, &along));
  ARR_DO(arr_sparse_kron(my_line, eye, ARR_SPARSE_CSR, NULL, &across));
  ARR_RETURN(arr_sparse_binary(ARR_OP_ADD, along, across, NULL, out));
}

/* The largest element of the solution for a random right-hand side. */
static arr_status solved(arr_comm comm, arr_decomposition rows, int64_t n, int steps, double* out) {
  ARR_SCOPE(mine, part, b, x, square, result);
  ARR_SCOPE_SPARSE(local);
  ARR_SCOPE_DIST(right, solution, peak);
  arr_comm_properties at = {.struct_size = sizeof at};
  arr_dist_sparse matrix = NULL;
  arr_linop a = NULL;
  const arr_solve_options options = {sizeof options, .rtol = 1e-12, .maxiter = steps};
  ARR_DO(arr_comm_info(comm, &at));
  ARR_DO(arr_decomposition_indices(rows, at.rank, 0, NULL, &mine));
  ARR_DO(laplacian(n, mine, &local));
  ARR_DO(random_numbers(rows, ARR_DISTRIBUTION_UNIFORM, &right));
  ARR_DO(arr_dist_part(right, 0, NULL, &part));
  ARR_DO(arr_reshape(part, ARR_LIST(-1), ARR_ORDER_C, NULL, &b));
  arr_status s = arr_dist_sparse_create(comm, local, 0, NULL, NULL, &matrix);
  if (s == ARR_OK) s = arr_linop_from_dist_sparse(matrix, &a);
  if (s == ARR_OK) s = arr_solve_cg(a, b, &options, NULL, &x, NULL);
  arr_linop_release(a);
  arr_dist_sparse_release(matrix);
  ARR_DO(s);
  ARR_DO(arr_reshape(x, ARR_LIST(-1, n), ARR_ORDER_C, NULL, &square));
  ARR_DO(arr_dist_from_part(rows, square, &solution));
  ARR_DO(arr_dist_reduce(solution, ARR_REDUCTION_MAX, 0, NULL, false, NULL, &peak));
  ARR_DO(arr_dist_gather(peak, -1, NULL, &result));
  ARR_RETURN(arr_item_f64(result, 0, NULL, out));
}

arr_status cg(arr_comm comm, int64_t n, int steps, double* out) {
  arr_decomposition rows = NULL;
  ARR_TRY(arr_decomposition_create(comm, ARR_LIST(n, n), 0, NULL, 0, NULL, &rows));
  const arr_status s = solved(comm, rows, n, steps, out);
  arr_decomposition_release(rows);
  return s;
}
