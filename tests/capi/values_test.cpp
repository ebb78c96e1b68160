// SPDX-License-Identifier: MIT
// Numbers out of arrays and values, whatever their dtype: arr_value_get_f64 and _i64, arr_item_f64 and _i64.
#include <cmath>
#include <cstring>

#include "support.h"

namespace {

struct Case {
  const char* name;
  void (*make)(arr_value*);
  double f64;  // what is read; where the status is no success, anything
  arr_status f64_status;
  int64_t i64;
  arr_status i64_status;
};

void unsigned_64(arr_value* v, uint64_t x) { arr_value_bits(v, ARR_UINT64, &x); }

constexpr Case cases[] = {
    {"float32", [](arr_value* v) { arr_value_f32(v, 4); }, 4, ARR_OK, 4, ARR_OK},
    {"fraction", [](arr_value* v) { arr_value_f32(v, -0.5); }, -0.5, ARR_OK, 0, ARR_E_ARGUMENT},
    {"bool", [](arr_value* v) { arr_value_bool(v, true); }, 1, ARR_OK, 1, ARR_OK},
    {"int32", [](arr_value* v) { arr_value_i32(v, -7); }, -7, ARR_OK, -7, ARR_OK},
    {"weak", [](arr_value* v) { arr_value_i64(v, 9), arr_value_weak(v); }, 9, ARR_OK, 9, ARR_OK},
    {"no float64", [](arr_value* v) { arr_value_i64(v, (int64_t{1} << 53) + 1); }, 0, ARR_E_ARGUMENT,
     (int64_t{1} << 53) + 1, ARR_OK},
    {"largest int64", [](arr_value* v) { arr_value_i64(v, INT64_MAX); }, 0, ARR_E_ARGUMENT, INT64_MAX,
     ARR_OK},
    {"smallest int64", [](arr_value* v) { arr_value_i64(v, INT64_MIN); }, -0x1p63, ARR_OK, INT64_MIN, ARR_OK},
    {"2^63", [](arr_value* v) { unsigned_64(v, uint64_t{1} << 63); }, 0x1p63, ARR_OK, 0, ARR_E_ARGUMENT},
    {"2^64 - 1", [](arr_value* v) { unsigned_64(v, UINT64_MAX); }, 0, ARR_E_ARGUMENT, 0, ARR_E_ARGUMENT},
    {"2^63 of float64", [](arr_value* v) { arr_value_f64(v, 0x1p63); }, 0x1p63, ARR_OK, 0, ARR_E_ARGUMENT},
    {"infinity", [](arr_value* v) { arr_value_f64(v, HUGE_VAL); }, HUGE_VAL, ARR_OK, 0, ARR_E_ARGUMENT},
    {"real complex", [](arr_value* v) { arr_value_c128(v, 2, 0); }, 2, ARR_OK, 2, ARR_OK},
    {"complex", [](arr_value* v) { arr_value_c128(v, 2, 1e-300); }, 0, ARR_E_DTYPE, 0, ARR_E_DTYPE},
    {"empty", [](arr_value* v) { *v = {}; }, 0, ARR_E_ARGUMENT, 0, ARR_E_ARGUMENT},
    {"pointer", [](arr_value* v) { arr_value_pointer(v, v); }, 0, ARR_E_ARGUMENT, 0, ARR_E_ARGUMENT},
};

TEST(Values, AreReadAsJustThatNumberOrNotAtAll) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    arr_value v;
    c.make(&v);
    double x = 77;
    EXPECT_EQ(arr_value_get_f64(&v, &x), c.f64_status) << arr_last_error();
    EXPECT_EQ(x, c.f64_status == ARR_OK ? c.f64 : 77);
    int64_t n = 77;
    EXPECT_EQ(arr_value_get_i64(&v, &n), c.i64_status) << arr_last_error();
    EXPECT_EQ(n, c.i64_status == ARR_OK ? c.i64 : 77);
  }
  arr_value v;
  arr_value_f64(&v, std::nan(""));
  double x = 0;
  EXPECT_EQ(arr_value_get_f64(&v, &x), ARR_OK);
  EXPECT_TRUE(std::isnan(x));
  EXPECT_EQ(arr_value_get_f64(&v, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_value_get_i64(nullptr, nullptr), ARR_E_ARGUMENT);
}

class Items : public arr_test::OnDevice {};
ARR_ON_DEVICES(Items);

TEST_P(Items, OfAnyDtypeAreNumbers) {
  const int64_t n = 4;
  for (arr_dtype d : {ARR_BOOL, ARR_INT8, ARR_UINT64, ARR_FLOAT16, ARR_FLOAT32, ARR_FLOAT64, ARR_COMPLEX64}) {
    arr_array ones = nullptr, sum = nullptr;
    ARR_DOES(arr_ones(d, 1, &n, ARR_ORDER_C, &device, nullptr, &ones));
    ARR_DOES(arr_sum(ones, 0, nullptr, false, nullptr, &sum));
    double x = 0;
    int64_t whole = 0;
    ARR_DOES(arr_item_f64(sum, 0, nullptr, &x));
    ARR_DOES(arr_item_i64(sum, 0, nullptr, &whole));
    EXPECT_EQ(x, 4) << d;
    EXPECT_EQ(whole, 4) << d;
    const int64_t at = -1;
    ARR_DOES(arr_item_f64(ones, 1, &at, &x));
    EXPECT_EQ(x, 1) << d;
    EXPECT_EQ(arr_item_i64(ones, 1, &n, &whole), ARR_E_ARGUMENT) << arr_last_error();
    EXPECT_EQ(arr_item_f64(ones, 1, &at, nullptr), ARR_E_ARGUMENT);
    ARR_DOES(arr_release(ones));
    ARR_DOES(arr_release(sum));
  }
}

}  // namespace
