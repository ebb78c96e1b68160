/* SPDX-License-Identifier: MIT */
/* k-means: ten rounds of Lloyd's algorithm, from the first three points. */
#include "programs.h"

arr_status kmeans(arr_array points, arr_array* out) {
  ARR_SCOPE(first, rows, names, squares, distances, nearest, numbers, members, sums, sizes);
  ARR_DO(ARR_GET(points, &first, ARR_BEFORE(3)));
  ARR_DO(arr_copy(first, ARR_ORDER_C, NULL, out));
  ARR_DO(arr_expand_dims(points, ARR_AXES(1), &rows));
  ARR_DO(arr_arange(ARR_V(0), ARR_V(3), ARR_V(1), ARR_INT64, NULL, NULL, &numbers));
  ARR_DO(arr_expand_dims(numbers, ARR_AXES(1), &names));
  for (int round = 0; round < 10; ++round) {
    ARR_DO(ARR_RUN(ARR_NEW(squares), "(x - c)**2", rows, *out));
    ARR_DO(arr_sum(squares, ARR_AXES(2), 0, NULL, ARR_NEW(distances)));
    ARR_DO(arr_argmin(distances, ARR_AXES(1), 0, NULL, ARR_NEW(nearest)));
    ARR_DO(ARR_RUN(ARR_NEW(members), "float64(nearest == name)", nearest, names));
    ARR_DO(arr_matmul(members, points, NULL, ARR_NEW(sums)));
    ARR_DO(arr_sum(members, ARR_AXES(1), 1, NULL, ARR_NEW(sizes)));
    ARR_DO(arr_divide_into(*out, sums, sizes, NULL));
  }
  ARR_RETURN(ARR_OK);
}
