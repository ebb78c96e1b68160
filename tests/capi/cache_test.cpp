// SPDX-License-Identifier: MIT
// The cache of compiled kernels as a C program sees it.
#include <arr/arr.h>
#include <gtest/gtest.h>

#include "cache_directory.h"

namespace {

class Cache : public arr::test::CacheDirectory {
 protected:
  static arr_cache_stats info() {
    arr_cache_stats s = {};
    s.struct_size = sizeof s;
    EXPECT_EQ(arr_cache_info(&s), ARR_OK) << arr_last_error();
    return s;
  }
};

TEST_F(Cache, CountsWhatModulesNeed) {
  const arr_cache_stats before = info();
  EXPECT_EQ(before.entries, 0);
  arr_module m = nullptr;
  const std::string source = "extern \"C\" __global__ void k(int* x) { *x = 7; }\n// " + root_.string();
  ASSERT_EQ(arr_module_create(source.c_str(), -1, nullptr, 0, nullptr, &m), ARR_OK) << arr_last_error();
  EXPECT_EQ(arr_module_release(m), ARR_OK);
  const arr_cache_stats after = info();
  EXPECT_GT(after.misses, before.misses);
  EXPECT_GT(after.stored, before.stored);
  EXPECT_GT(after.entries, 0);
  EXPECT_GT(after.bytes, 0);
  EXPECT_LE(after.bytes, after.limit);
  EXPECT_EQ(arr_cache_clear(), ARR_OK);
  EXPECT_EQ(info().entries, 0);
}

TEST_F(Cache, Directory) {
  char text[512];
  int64_t length = 0;
  ASSERT_EQ(arr_cache_directory(sizeof text, text, &length), ARR_OK);
  EXPECT_EQ(std::string(text), (root_ / "cache").string());
  EXPECT_EQ(length, static_cast<int64_t>((root_ / "cache").string().size()));
  use("relative");
  ASSERT_EQ(arr_cache_directory(sizeof text, text, &length), ARR_OK);
  EXPECT_EQ(std::string(text), "");
}

TEST_F(Cache, BadArguments) {
  EXPECT_EQ(arr_cache_info(nullptr), ARR_E_ARGUMENT);
  arr_cache_stats s = {};
  s.struct_size = 3;
  EXPECT_EQ(arr_cache_info(&s), ARR_E_ARGUMENT);
  EXPECT_NE(std::string(arr_last_error()).find("struct_size is 3"), std::string::npos);
}

}  // namespace
