/* SPDX-License-Identifier: MIT */
/* PageRank of a graph of 60 nodes: its edges lead from nodes of the first row to those of the second. */
#include "programs.h"

arr_status pagerank(arr_array edges, arr_array* out) {
  ARR_SCOPE(ends, source, target, ones, degree, lost, share, linked);
  ARR_SCOPE_SPARSE(links);
  const int n = 60;
  ARR_DO(arr_astype(edges, ARR_INT64, ARR_CAST_UNSAFE, ARR_ORDER_C, NULL, &ends));
  ARR_DO(ARR_UNSTACK(ends, 0, source, target));
  ARR_DO(arr_ones_like(source, ARR_FLOAT64, ARR_ORDER_C, NULL, &ones));
  ARR_DO(arr_sparse_coo(n, n, ones, target, source, NULL, &links));
  ARR_DO(arr_sparse_reduce(ARR_REDUCTION_SUM, links, 0, 0, NULL, &degree));
  ARR_DO(arr_full(ARR_FLOAT64, ARR_LIST(n), ARR_ORDER_C, ARR_V(1.0 / n), NULL, NULL, out));
  for (int round = 0; round < 50; ++round) {
    ARR_DO(ARR_RUN(ARR_NEW(share), "rank / maximum(degree, 1)", *out, degree));
    ARR_DO(arr_sparse_matmul(links, share, NULL, ARR_NEW(linked)));
    ARR_DO(ARR_RUN(ARR_NEW(share), "where(degree == 0, rank, 0)", degree, *out));
    ARR_DO(arr_sum(share, ARR_AXES(0), 0, NULL, ARR_NEW(lost)));
    ARR_DO(ARR_RUN_INTO(*out, "d * (linked + lost / n) + (1 - d) / n", 0.85, linked, lost, n));
  }
  ARR_RETURN(ARR_OK);
}
