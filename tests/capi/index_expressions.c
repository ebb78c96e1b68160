/* SPDX-License-Identifier: MIT */
/* Index expressions with the macros of indexing.h, each one readable line. */
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

/* The sum of a result, which it releases. */
static int64_t total(arr_array a) {
  arr_array sum = NULL;
  int64_t value = -1;
  if (arr_sum(a, 0, NULL, false, NULL, &sum) != ARR_OK) return -1;
  if (arr_get(sum, ARR_ORDER_C, &value, sizeof value, NULL) != ARR_OK) value = -1;
  arr_release(sum);
  arr_release(a);
  return value;
}

int main(void) {
  const int64_t data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const int64_t shape[2] = {3, 4}, two = 2;
  const int32_t columns[2] = {3, 0};
  arr_array a = NULL, idx = NULL, out = NULL, row = NULL, mask = NULL;
  arr_value seven;
  arr_index whole;
  memset(&whole, 0, sizeof whole);
  arr_value_i64(&seven, 7);
  CHECK(arr_from_host(data, sizeof data, ARR_INT64, 2, shape, ARR_ORDER_C, NULL, NULL, &a));
  CHECK(arr_from_host(columns, sizeof columns, ARR_INT32, 1, &two, ARR_ORDER_C, NULL, NULL, &idx));

  CHECK(arr_get_items(a, ARR_INDICES(ARR_SLICE(1, 5), ARR_ARRAY(idx)), ARR_BOUNDS_RAISE, NULL, &out));
  EXPECT(total(out) == 7 + 4 + 11 + 8);
  CHECK(arr_get_items(a, ARR_INDICES(ARR_ELLIPSIS(), ARR_INDEX(-1)), ARR_BOUNDS_RAISE, NULL, &out));
  EXPECT(total(out) == 3 + 7 + 11);
  CHECK(arr_get_items(a, ARR_INDICES(ARR_NEW_AXIS(), ARR_ALL(), ARR_STEPS(0, 4, 2)), 0, NULL, &out));
  EXPECT(total(out) == 0 + 2 + 4 + 6 + 8 + 10);
  CHECK(arr_get_items(a, 1, &whole, ARR_BOUNDS_RAISE, NULL, &out)); /* zero means ":" */
  EXPECT(total(out) == 66);
  EXPECT(arr_get_items(a, ARR_INDICES(ARR_INDEX(3)), ARR_BOUNDS_RAISE, NULL, &out) == ARR_E_ARGUMENT);
  EXPECT(strstr(arr_last_error(), "index 3 along axis 0 of extent 3") != NULL);
  CHECK(arr_set_items(a, ARR_INDICES(ARR_INDEX(0), ARR_ARRAY(idx)), &seven, ARR_BOUNDS_RAISE, NULL));
  CHECK(arr_retain(a, &out));
  EXPECT(total(out) == 66 - 0 - 3 + 14);

  CHECK(ARR_GET(a, &out, ARR_SLICE(0, 2), ARR_ARRAY(idx)));
  EXPECT(total(out) == 7 + 7 + 4 + 7);
  CHECK(ARR_GET(a, &out, ARR_FROM(2), ARR_BEFORE(-2)));
  EXPECT(total(out) == 8 + 9);
  CHECK(ARR_SET(a, ARR_INTEGER(-1), ARR_INDEX(0)));
  CHECK(ARR_GET(a, &row, ARR_INDEX(2), ARR_REVERSED())); /* 11 10 9 8 */
  CHECK(ARR_SET(a, ARR_ELEMENTS(row), ARR_INDEX(0)));
  CHECK(arr_release(row));
  CHECK(ARR_GET(a, &out, ARR_INDEX(0), ARR_SLICE(0, 2)));
  EXPECT(total(out) == 11 + 10);
  CHECK(arr_greater_v(ARR_ELEMENTS(a), ARR_INTEGER(5), NULL, &mask));
  CHECK(ARR_SET(a, ARR_REAL(1.5), ARR_ARRAY(mask))); /* 4 and 5 stay, the others become 1 */
  CHECK(ARR_UPDATE(ARR_OP_ADD, a, ARR_INTEGER(10), ARR_INDEX(1), ARR_ARRAY(idx)));
  CHECK(arr_retain(a, &out));
  EXPECT(total(out) == 10 + 4 + 5 + 20);
  EXPECT(ARR_GET(a, &out, ARR_INDEX(3)) == ARR_E_ARGUMENT);
  CHECK(arr_release(mask));
  CHECK(arr_release(a));
  CHECK(arr_release(idx));
  EXPECT(arr_live_handles() == 0);
  puts("ok");
  return 0;
}
