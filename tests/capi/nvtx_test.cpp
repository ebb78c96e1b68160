// SPDX-License-Identifier: MIT
// Ranges and marks as one of NVIDIA's tools hears of them, whose place nvtx_listener.c takes.
#include <arr/arr.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {

TEST(Nvtx, ToolsHearOfRangesAndMarks) {
  int64_t one = 0, two = 0;
  EXPECT_EQ(arr_range_push("outer"), ARR_OK);
  EXPECT_EQ(arr_range_push_color("inner", 0xFFFF0000), ARR_OK);
  EXPECT_EQ(arr_mark("here"), ARR_OK);
  EXPECT_EQ(arr_mark_color("there", 0x8000FF00), ARR_OK);
  EXPECT_EQ(arr_range_start("first", 0xFF0000FF, &one), ARR_OK);
  EXPECT_EQ(arr_range_start("second", 0, &two), ARR_OK);
  EXPECT_EQ(arr_range_pop(), ARR_OK);
  EXPECT_EQ(arr_range_end(one), ARR_OK);
  EXPECT_EQ(arr_range_pop(), ARR_OK);
  EXPECT_EQ(arr_range_end(two), ARR_OK);
  EXPECT_EQ(arr_range_end(two), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_range_pop(), ARR_E_ARGUMENT);
  void* listener = dlopen(ARR_NVTX_LISTENER, RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(listener, nullptr) << "nobody has opened it; NVTX_INJECTION64_PATH names it";
  const auto lines = reinterpret_cast<const char* (*)()>(dlsym(listener, "arr_nvtx_lines"));
  ASSERT_NE(lines, nullptr);
  EXPECT_STREQ(lines(),
               "push outer 00000000\npush inner ffff0000\nmark here 00000000\nmark there 8000ff00\n"
               "start first ff0000ff\nstart second 00000000\npop - 00000000\nend - 00000029\n"
               "pop - 00000000\nend - 0000002a\n");
  dlclose(listener);
}

}  // namespace
