// SPDX-License-Identifier: MIT
// index_macros_test.cpp - the macros of indexing.h in C++.
#include <arr/arr.h>
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

// The elements of a result, which it releases.
std::vector<double> elements(arr_array a) {
  int64_t n = -1;
  EXPECT_EQ(arr_size(a, &n), ARR_OK);
  std::vector<double> out(static_cast<size_t>(n));
  EXPECT_EQ(arr_get(a, ARR_ORDER_C, out.data(), n * 8, nullptr), ARR_OK) << arr_last_error();
  arr_release(a);
  return out;
}

class IndexMacros : public testing::Test {
 protected:
  void SetUp() override {
    const std::array<double, 6> data = {0, 1, 2, 3, 4, 5};
    const std::array<int64_t, 2> shape = {2, 3};
    const std::array<int32_t, 2> positions = {2, 0};
    const int64_t two = 2;
    ASSERT_EQ(
        arr_from_host(data.data(), 48, ARR_FLOAT64, 2, shape.data(), ARR_ORDER_C, nullptr, nullptr, &a_),
        ARR_OK);
    ASSERT_EQ(arr_from_host(positions.data(), 8, ARR_INT32, 1, &two, ARR_ORDER_C, nullptr, nullptr, &idx_),
              ARR_OK);
  }
  void TearDown() override {
    arr_release(a_);
    arr_release(idx_);
    EXPECT_EQ(arr_live_handles(), 0);
  }
  arr_array a_ = nullptr, idx_ = nullptr, out_ = nullptr;
};

using Elements = std::vector<double>;

TEST_F(IndexMacros, Reads) {
  ASSERT_EQ(ARR_GET(a_, &out_, ARR_SLICE(1, 5), ARR_ARRAY(idx_)), ARR_OK);
  EXPECT_EQ(elements(out_), (Elements{5, 3}));
  ASSERT_EQ(ARR_GET(a_, &out_, ARR_ELLIPSIS(), ARR_INDEX(-1)), ARR_OK);
  EXPECT_EQ(elements(out_), (Elements{2, 5}));
  ASSERT_EQ(ARR_GET(a_, &out_, ARR_NEW_AXIS(), ARR_ALL(), ARR_STEPS(0, 3, 2)), ARR_OK);
  EXPECT_EQ(elements(out_), (Elements{0, 2, 3, 5}));
  ASSERT_EQ(ARR_GET(a_, &out_, ARR_FROM(1), ARR_REVERSED()), ARR_OK);
  EXPECT_EQ(elements(out_), (Elements{5, 4, 3}));
  const size_t one = 1;
  ASSERT_EQ(ARR_GET(a_, &out_, ARR_INDEX(one), ARR_BEFORE(one)), ARR_OK);
  EXPECT_EQ(elements(out_), (Elements{3}));
  EXPECT_EQ(ARR_GET(a_, &out_, ARR_INDEX(2)), ARR_E_ARGUMENT);
}

TEST_F(IndexMacros, Writes) {
  arr_array mask = nullptr, row = nullptr;
  ASSERT_EQ(arr_greater_v(ARR_ELEMENTS(a_), ARR_INTEGER(3), nullptr, &mask), ARR_OK);
  ASSERT_EQ(ARR_SET(a_, ARR_REAL(0.5), ARR_ARRAY(mask)), ARR_OK);
  ASSERT_EQ(ARR_UPDATE(ARR_OP_ADD, a_, ARR_INTEGER(10), ARR_INDEX(0), ARR_ARRAY(idx_)), ARR_OK);
  ASSERT_EQ(ARR_GET(a_, &row, ARR_INDEX(0)), ARR_OK);
  EXPECT_EQ(elements(row), (Elements{10, 1, 12}));
  ASSERT_EQ(ARR_GET(a_, &row, ARR_INDEX(1), ARR_REVERSED()), ARR_OK);
  ASSERT_EQ(ARR_SET(a_, ARR_ELEMENTS(row), ARR_INDEX(0)), ARR_OK);
  EXPECT_EQ(elements(row), (Elements{0.5, 0.5, 3}));
  ASSERT_EQ(arr_retain(a_, &out_), ARR_OK);
  EXPECT_EQ(elements(out_), (Elements{0.5, 0.5, 3, 3, 0.5, 0.5}));
  arr_release(mask);
}

TEST_F(IndexMacros, AnIndexIsEvaluatedOnce) {
  int64_t next = 0;
  ASSERT_EQ(ARR_GET(a_, &out_, ARR_INDEX(next++)), ARR_OK);
  EXPECT_EQ(next, 1);
  EXPECT_EQ(elements(out_), (Elements{0, 1, 2}));
}

}  // namespace
