/* SPDX-License-Identifier: MIT */
/* 3-share: a C library that makes an array and exports it by DLPack; 3-share.py passes it to NumPy. */
#include "example.h"

static arr_array shared;

/* Makes the array 0, 1, ..., n - 1 and returns a DLPack tensor that shares its memory. */
struct DLManagedTensorVersioned* share_make(int64_t n) {
  struct DLManagedTensorVersioned* tensor;
  arr_value stop;
  arr_value_i64(&stop, n);
  check(arr_arange(NULL, &stop, NULL, ARR_FLOAT64, NULL, NULL, &shared));
  check(arr_to_dlpack(shared, -1, 0, &tensor));
  return tensor;
}

/* The address of the first element. */
void* share_data(void) {
  void* data;
  check(arr_data(shared, &data));
  return data;
}

/* The sum of the elements as they are now. */
double share_sum(void) {
  arr_array total;
  double sum;
  check(arr_sum(shared, 0, NULL, false, NULL, &total));
  check(arr_item_f64(total, 0, NULL, &sum));
  check(arr_release(total));
  return sum;
}

/* Releases C's handle; NumPy may still hold the memory. */
void share_release(void) { check(arr_release(shared)); }
