/* SPDX-License-Identifier: MIT */
/* k-means: ten rounds of Lloyd's algorithm, from the first three points. */
#include "programs.h"

arr_status kmeans(arr_array points, arr_array* out) {
  arr_array first = NULL, rows = NULL, names = NULL, squares = NULL, distances = NULL, nearest = NULL;
  arr_array numbers = NULL, members = NULL, sums = NULL, sizes = NULL;
  arr_status status;
  DO(ARR_GET(points, &first, ARR_BEFORE(3)));
  DO(arr_copy(first, ARR_ORDER_C, NULL, out));
  DO(arr_expand_dims(points, ARR_AXES(1), &rows));
  DO(arr_arange(ARR_V(0), ARR_V(3), ARR_V(1), ARR_INT64, NULL, NULL, &numbers));
  DO(arr_expand_dims(numbers, ARR_AXES(1), &names));
  for (int round = 0; round < 10; ++round) {
    DO(ARR_RUN(&squares, "(x - c)**2", rows, *out));
    DO(arr_sum(squares, ARR_AXES(2), 0, NULL, &distances));
    DO(arr_argmin(distances, ARR_AXES(1), 0, NULL, &nearest));
    DO(ARR_RUN(&members, "float64(nearest == name)", nearest, names));
    DO(arr_matmul(members, points, NULL, &sums));
    DO(arr_sum(members, ARR_AXES(1), 1, NULL, &sizes));
    DO(arr_divide_into(*out, sums, sizes, NULL));
    ARR_RELEASE(squares, distances, nearest, members, sums, sizes);
  }
end:
  ARR_RELEASE(first, rows, numbers, names, squares, distances, nearest, members, sums, sizes);
  return status;
}
