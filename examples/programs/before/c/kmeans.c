/* SPDX-License-Identifier: MIT */
/* k-means: ten rounds of Lloyd's algorithm, from the first three points. */
#include "functions.h"

/* Moves the centres to the means of the points that are nearest to them. */
static arr_status move(arr_array points, arr_array rows, arr_array names, arr_array centres) {
  const int32_t second = 1, third = 2;
  arr_array differences = NULL, squares = NULL, distances = NULL, nearest = NULL, same = NULL, members = NULL;
  arr_array sums = NULL, sizes = NULL;
  arr_status status;
  DO(arr_subtract(rows, centres, NULL, &differences));
  DO(arr_square(differences, NULL, &squares));
  DO(arr_sum(squares, 1, &third, 0, NULL, &distances));
  DO(arr_argmin(distances, 1, &second, 0, NULL, &nearest));
  DO(arr_equal(nearest, names, NULL, &same));
  DO(arr_astype(same, ARR_FLOAT64, ARR_CAST_SAFE, ARR_ORDER_C, NULL, &members));
  DO(arr_matmul(members, points, NULL, &sums));
  DO(arr_sum(members, 1, &second, 1, NULL, &sizes));
  DO(arr_divide_into(centres, sums, sizes, NULL));
end:
  if (differences) arr_release(differences);
  if (squares) arr_release(squares);
  if (distances) arr_release(distances);
  if (nearest) arr_release(nearest);
  if (same) arr_release(same);
  if (members) arr_release(members);
  if (sums) arr_release(sums);
  if (sizes) arr_release(sizes);
  return status;
}

arr_status kmeans(arr_array points, arr_array* out) {
  const int64_t start = 0, stop = 3;
  const int32_t second = 1;
  arr_array first = NULL, rows = NULL, numbers = NULL, names = NULL;
  arr_value from, to, by;
  arr_status status;
  DO(arr_slice(points, 1, &start, &stop, NULL, &first));
  DO(arr_copy(first, ARR_ORDER_C, NULL, out));
  DO(arr_expand_dims(points, 1, &second, &rows));
  arr_value_i64(&from, start);
  arr_value_i64(&to, stop);
  arr_value_i64(&by, 1);
  DO(arr_arange(&from, &to, &by, ARR_INT64, NULL, NULL, &numbers));
  DO(arr_expand_dims(numbers, 1, &second, &names));
  for (int round = 0; round < 10; ++round) DO(move(points, rows, names, *out));
end:
  if (first) arr_release(first);
  if (rows) arr_release(rows);
  if (numbers) arr_release(numbers);
  if (names) arr_release(names);
  return status;
}
