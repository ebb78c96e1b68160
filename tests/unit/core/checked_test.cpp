// SPDX-License-Identifier: MIT
// Checked arithmetic, every pair of 8-bit values against wide arithmetic, and the throwing forms.
#include "base/checked.h"

#include <gtest/gtest.h>

#include <limits>
#include <new>
#include <stdexcept>

#include "backend/error.h"

namespace {

template <class T>
void compare_with_wide(int low, int high) {
  for (int a = low; a <= high; ++a) {
    for (int b = low; b <= high; ++b) {
      T r = 0;
      auto check = [&](bool ok, int exact) {
        ASSERT_EQ(ok, exact >= low && exact <= high) << a << " " << b;
        if (!ok) return;
        ASSERT_EQ(static_cast<int>(r), exact) << a << " " << b;
      };
      check(arr::checked::add(static_cast<T>(a), static_cast<T>(b), &r), a + b);
      check(arr::checked::sub(static_cast<T>(a), static_cast<T>(b), &r), a - b);
      check(arr::checked::mul(static_cast<T>(a), static_cast<T>(b), &r), a * b);
    }
  }
}

TEST(Checked, EverySignedByte) { compare_with_wide<int8_t>(-128, 127); }
TEST(Checked, EveryUnsignedByte) { compare_with_wide<uint8_t>(0, 255); }

TEST(Checked, NarrowKeepsOnlyWhatFits) {
  int8_t r = 0;
  EXPECT_TRUE(arr::checked::narrow(int64_t{-128}, &r));
  EXPECT_EQ(r, -128);
  EXPECT_FALSE(arr::checked::narrow(int64_t{128}, &r));
  EXPECT_FALSE(arr::checked::narrow(std::numeric_limits<int64_t>::min(), &r));
}

TEST(Checked, ThrowingFormsNameTheQuantity) {
  constexpr int64_t big = std::numeric_limits<int64_t>::max();
  try {
    arr::checked::mul(big, 2, "the result's size");
    FAIL();
  } catch (const arr::Error& e) {
    EXPECT_EQ(e.status(), ARR_E_SHAPE);
    EXPECT_NE(e.text().find("the result's size"), std::string::npos);
  }
  EXPECT_THROW(arr::checked::add(big, 1, "x"), arr::Error);
  EXPECT_EQ(arr::checked::ceil_div(7, 2), 4);
  EXPECT_EQ(arr::checked::ceil_div(big, 1), big);
}

// Errors of backends that the standard library throws for want of memory, and for sizes that none has.
TEST(Seam, MoreThanMemoryHoldsIsAnErrorOfMemory) {
  const struct {
    int32_t status;
    void (*body)();
  } cases[] = {{ARR_OK, [] {}},
               {ARR_E_MEMORY, [] { throw std::bad_alloc(); }},
               {ARR_E_MEMORY, [] { std::vector<int64_t>().resize(SIZE_MAX / 2); }},
               {ARR_E_INTERNAL, [] { throw std::runtime_error("else"); }}};
  for (const auto& c : cases) {
    arr::BackendError error;
    EXPECT_EQ(arr::translate_exceptions(&error, c.body), c.status) << error.text;
    EXPECT_EQ(error.text.find("memory") != std::string::npos, c.status == ARR_E_MEMORY) << error.text;
  }
}

}  // namespace
