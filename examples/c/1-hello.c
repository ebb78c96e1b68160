/* SPDX-License-Identifier: MIT */
/* 1-hello: create arrays on the device that ARR_DEVICE picks, compute, reduce, print. */
#include "example.h"

int main(void) {
  const int64_t shape[2] = {3, 4};
  const int32_t rows[1] = {1};
  arr_device device;
  arr_value start, stop, half;
  arr_array line, a, b, c, sums;

  check(arr_device_select(0, &device));
  arr_value_f64(&start, 0);
  arr_value_f64(&stop, 12);
  check(arr_arange(&start, &stop, NULL, ARR_FLOAT32, &device, NULL, &line));
  check(arr_reshape(line, 2, shape, ARR_ORDER_C, NULL, &a));

  check(arr_sqrt(a, NULL, &b)); /* b = sqrt(a) */

  arr_value va, vb; /* c = a * 0.5: a plain number is weak, so c stays float32 */
  arr_value_array(&va, a);
  arr_value_f64(&half, 0.5);
  arr_value_weak(&half);
  vb = half;
  check(arr_multiply_v(&va, &vb, NULL, &c));
  check(arr_add_into(c, c, b, NULL)); /* c += b */
  check(arr_sum(c, 1, rows, false, NULL, &sums));

  print("c", c);
  print("sums of rows", sums);

  arr_array other; /* a mistake returns an error; everything stays usable */
  if (arr_add(sums, line, NULL, &other) != ARR_OK) printf("as expected: %s\n", arr_last_error());

  arr_array all[] = {line, a, b, c, sums};
  for (int i = 0; i < 5; ++i) check(arr_release(all[i]));
  return 0;
}
