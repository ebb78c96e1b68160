/* SPDX-License-Identifier: MIT */
/* The whole way once: create, compute, reduce, multiply, read, fail, release; nothing is left behind. */
#include <arr/arr.h>
#include <stdio.h>
#include <string.h>

#define CHECK(call)                                                         \
  do {                                                                      \
    if ((call) != ARR_OK) {                                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, arr_last_error()); \
      return 1;                                                             \
    }                                                                       \
  } while (0)
#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      return 1;                                                                \
    }                                                                          \
  } while (0)

int main(void) {
  const double data[6] = {1, 2, 3, 4, 5, 6};
  const int64_t shape[2] = {2, 3};
  const int64_t wrong[2] = {5, 4};
  double product[4];
  double total = 0;
  arr_array a = NULL, t = NULL, b = NULL, c = NULL, s = NULL, w = NULL, none = NULL;
  int64_t before = arr_live_objects();
  CHECK(arr_check_abi(ARR_VERSION));
  CHECK(arr_from_host(data, sizeof data, ARR_FLOAT64, 2, shape, ARR_ORDER_C, NULL, NULL, &a));
  CHECK(arr_transpose(a, 0, NULL, &t));
  CHECK(arr_matmul(a, t, NULL, &b));
  CHECK(arr_add(b, b, NULL, &c));
  CHECK(arr_get(c, ARR_ORDER_C, product, sizeof product, NULL));
  EXPECT(product[0] == 28 && product[1] == 64 && product[2] == 64 && product[3] == 154);
  CHECK(arr_sum(c, 0, NULL, false, NULL, &s));
  CHECK(arr_get(s, ARR_ORDER_C, &total, sizeof total, NULL));
  EXPECT(total == 310);
  CHECK(arr_zeros(ARR_FLOAT32, 2, wrong, ARR_ORDER_C, NULL, NULL, &w));
  EXPECT(arr_add(a, w, NULL, &none) == ARR_E_SHAPE && none == NULL);
  EXPECT(strcmp(arr_last_error(), "arr_add: argument y: shape (5,4) does not broadcast with (2,3)") == 0);
  CHECK(arr_release(a));
  EXPECT(arr_release(a) == ARR_E_HANDLE);
  EXPECT(arr_add(a, w, NULL, &none) == ARR_E_HANDLE);
  CHECK(arr_release(t));
  CHECK(arr_release(b));
  CHECK(arr_release(c));
  CHECK(arr_release(s));
  CHECK(arr_release(w));
  CHECK(arr_release(NULL));
  EXPECT(arr_live_handles() == 0);
  EXPECT(arr_live_objects() - before <= 1); /* the default stream stays */
  puts("ok");
  return 0;
}
