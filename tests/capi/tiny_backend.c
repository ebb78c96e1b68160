// SPDX-License-Identifier: MIT
/* A program on the device of tiny_backend.cpp: what the backend offers works, all else is an error. */
#include <arr/easy.h>
#include <stdio.h>
#include <string.h>

static int fails(const char* expected) {
  if (strcmp(arr_last_error(), expected) == 0) return 1;
  printf("got %s, expected %s\n", arr_last_error(), expected);
  return 0;
}

int main(void) {
  const float x[4] = {1, 2, 3, 4};
  float y[4] = {0, 0, 0, 0};
  arr_device device = {ARR_CUDA, 0};
  arr_array a = NULL, b = NULL, c = NULL;
  arr_status s = arr_from_host(x, sizeof x, ARR_FLOAT32, ARR_LIST(2, 2), ARR_ORDER_C, &device, NULL, &a);
  if (s == ARR_OK) s = arr_add_v(ARR_V(a), ARR_V(10), NULL, &b);
  if (s == ARR_OK) s = arr_get(b, ARR_ORDER_C, y, sizeof y, NULL);
  if (s != ARR_OK || y[0] != 11 || y[3] != 14) return printf("%s: %g %g\n", arr_last_error(), y[0], y[3]), 1;
  if (arr_sort(a, 0, false, NULL, &c) != ARR_E_UNSUPPORTED) return puts("arr_sort did not fail"), 1;
  if (!fails("arr_sort: this backend does not offer the operation")) return 1;
  if (arr_sin(a, NULL, &c) != ARR_E_UNSUPPORTED) return puts("arr_sin did not fail"), 1;
  if (!fails("arr_sin: tiny: sin(in0)")) return 1;
  ARR_RELEASE(a, b);
  return arr_live_handles() != 0;
}
