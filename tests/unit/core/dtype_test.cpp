// SPDX-License-Identifier: MIT
// Promotion and casting: the laws, and the cases of NumPy 2 that people trip over. (The whole table is
// compared with NumPy in tests/conformance.)
#include "array/dtype.h"

#include <gtest/gtest.h>

#include <vector>

namespace {

using arr::Casting;
using arr::DKind;
using arr::DType;

std::vector<DType> all() {
  std::vector<DType> out;
  for (const auto& i : arr::dtype_table) {
    if (i.bytes != 0) out.push_back(i.dtype);
  }
  return out;
}

TEST(Promotion, CommutesAndHoldsBoth) {
  for (DType a : all()) {
    EXPECT_EQ(arr::promote(a, a), a);
    for (DType b : all()) {
      DType c = arr::promote(a, b);
      EXPECT_EQ(c, arr::promote(b, a)) << arr::name(a) << " " << arr::name(b);
      EXPECT_TRUE(arr::can_cast_safely(a, c)) << arr::name(a) << " " << arr::name(b);
      EXPECT_TRUE(arr::can_cast_safely(b, c)) << arr::name(a) << " " << arr::name(b);
    }
  }
}

TEST(Promotion, KnownCases) {
  struct Case {
    DType a, b, result;
  };
  const Case cases[] = {
      {DType::int64_, DType::uint64_, DType::float64_},
      {DType::int8_, DType::uint8_, DType::int16_},
      {DType::int32_, DType::float32_, DType::float64_},
      {DType::int16_, DType::float32_, DType::float32_},
      {DType::float16_, DType::bfloat16_, DType::float32_},
      {DType::int8_, DType::bfloat16_, DType::bfloat16_},
      {DType::int16_, DType::float16_, DType::float32_},
      {DType::complex64_, DType::float64_, DType::complex128_},
      {DType::bool_, DType::uint8_, DType::uint8_},
      {DType::int32_, DType::complex64_, DType::complex128_},
  };
  for (const Case& c : cases)
    EXPECT_EQ(arr::promote(c.a, c.b), c.result) << arr::name(c.a) << " " << arr::name(c.b);
}

TEST(Promotion, PlainNumbersTakeTheArraysType) {
  EXPECT_EQ(arr::promote_weak(DType::float16_, DKind::FLOAT), DType::float16_);
  EXPECT_EQ(arr::promote_weak(DType::int8_, DKind::INT), DType::int8_);
  EXPECT_EQ(arr::promote_weak(DType::int8_, DKind::FLOAT), DType::float64_);
  EXPECT_EQ(arr::promote_weak(DType::float32_, DKind::COMPLEX), DType::complex64_);
  EXPECT_EQ(arr::promote_weak(DType::float64_, DKind::COMPLEX), DType::complex128_);
  EXPECT_EQ(arr::promote_weak(DType::bool_, DKind::INT), DType::int64_);
}

TEST(Casting, SameKindAllowsNarrowingWithinAKind) {
  EXPECT_TRUE(arr::can_cast(DType::float64_, DType::float16_, Casting::same_kind));
  EXPECT_TRUE(arr::can_cast(DType::int64_, DType::int8_, Casting::same_kind));
  EXPECT_FALSE(arr::can_cast(DType::float32_, DType::int32_, Casting::same_kind));
  EXPECT_FALSE(arr::can_cast(DType::complex64_, DType::float64_, Casting::same_kind));
  EXPECT_FALSE(arr::can_cast(DType::int32_, DType::uint64_, Casting::same_kind));
  EXPECT_FALSE(arr::can_cast(DType::float64_, DType::float32_, Casting::safe));
  EXPECT_TRUE(arr::can_cast(DType::complex64_, DType::bool_, Casting::unsafe));
}

TEST(DTypes, NumbersFromOutsideAreChecked) {
  EXPECT_EQ(arr::dtype_from(ARR_FLOAT32), DType::float32_);
  for (int32_t bad : {0, -1, 16, 1000000, INT32_MIN}) EXPECT_THROW((void)arr::dtype_from(bad), arr::Error);
}

}  // namespace
