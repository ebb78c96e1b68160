/* SPDX-License-Identifier: MIT */
/* Calls that read and write at computed places, in loops; see loops.c. */
#include "timing.h"

typedef arr_status (*fresh1)(arr_array, arr_stream, arr_array*);

EXPORT double bench_get(arr_array a, int32_t n, const arr_index* index, int64_t repeats);
EXPORT double bench_set(arr_array a, int32_t n, const arr_index* index, const arr_value* value,
                        int64_t repeats);
EXPORT double bench_take(arr_array a, arr_array indices, int32_t axis, int64_t repeats);
EXPORT double bench_repeat(arr_array a, arr_array counts, int64_t repeats);
EXPORT double bench_nonzero(fresh1 f, arr_array a, int64_t repeats);

static arr_status get_and_release(arr_array a, int32_t n, const arr_index* index) {
  arr_array out = NULL;
  arr_status status = arr_get_items(a, n, index, ARR_BOUNDS_RAISE, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_get(arr_array a, int32_t n, const arr_index* index, int64_t repeats) {
  TIMED(get_and_release(a, n, index));
}

double bench_set(arr_array a, int32_t n, const arr_index* index, const arr_value* value, int64_t repeats) {
  TIMED(arr_set_items(a, n, index, value, ARR_BOUNDS_RAISE, NULL));
}

static arr_status take_and_release(arr_array a, arr_array indices, int32_t axis) {
  arr_array out = NULL;
  arr_status status = arr_take(a, indices, axis, ARR_BOUNDS_RAISE, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_take(arr_array a, arr_array indices, int32_t axis, int64_t repeats) {
  TIMED(take_and_release(a, indices, axis));
}

static arr_status repeat_and_release(arr_array a, arr_array counts) {
  arr_array out = NULL;
  arr_status status = arr_repeat_counts(a, counts, 0, -1, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_repeat(arr_array a, arr_array counts, int64_t repeats) { TIMED(repeat_and_release(a, counts)); }

static arr_status one_and_release(fresh1 f, arr_array a) {
  arr_array out = NULL;
  arr_status status = f(a, NULL, &out);
  return status == ARR_OK ? arr_release(out) : status;
}

double bench_nonzero(fresh1 f, arr_array a, int64_t repeats) { TIMED(one_and_release(f, a)); }
