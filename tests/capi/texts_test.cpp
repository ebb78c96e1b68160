// SPDX-License-Identifier: MIT
// Properties of texts besides their words: UTF-8, left alone by releases, with what the header says.
#include <arr/arr.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace {

class Texts : public testing::Test {
 protected:
  void SetUp() override {
    const int64_t shape[] = {3, 4};
    ASSERT_EQ(arr_zeros(ARR_FLOAT64, 2, shape, ARR_ORDER_C, nullptr, nullptr, &a), ARR_OK)
        << arr_last_error();
  }
  void TearDown() override { EXPECT_EQ(arr_release(a), ARR_OK); }
  arr_array a = nullptr, b = nullptr;
};

// Returns whether a text is UTF-8: lengths by the first byte, then bytes that go on.
bool is_utf8(const std::string& text) {
  for (size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const size_t n = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (n == 0 || i + n > text.size()) return false;
    for (size_t k = 1; k < n; ++k) {
      if (static_cast<unsigned char>(text[i + k]) >> 6 != 2) return false;
    }
    i += n;
  }
  return true;
}

TEST_F(Texts, TextsAreUtf8) {
  int32_t number = 0;
  std::string many;
  for (int k = 0; k < 2000; ++k) many += "\xc3\xa9";
  for (const std::string& given :
       {std::string("\xe9"), std::string("a\xc3"), "x" + many, "xx" + many, many}) {
    const std::function<arr_status(arr_array*)> calls[] = {
        [&](arr_array* o) { return arr_einsum(given.c_str(), 1, &a, 0, nullptr, o); },
        [&](arr_array*) { return arr_dtype_find(given.c_str(), &number); },
        [&](arr_array*) { return arr_kind_find(given.c_str(), &number); },
        [&](arr_array*) { return arr_op_find(given.c_str(), &number, nullptr, nullptr); },
        [&](arr_array*) { return arr_reduction_find(given.c_str(), &number); },
        [&](arr_array* o) { return arr_load_npy(given.c_str(), -1, nullptr, nullptr, o); },
        [&](arr_array*) { return arr_save_npy(a, ("/nonexistent/" + given).c_str(), -1, nullptr); },
        [&](arr_array*) {
          arr_expr e = nullptr;
          return arr_expr_parse(given.c_str(), -1, 0, nullptr, &number, &e);
        }};
    for (const auto& call : calls) {
      arr_array out = nullptr;
      EXPECT_NE(call(&out), ARR_OK);
      const std::string line = arr_last_error();
      EXPECT_TRUE(is_utf8(line)) << testing::PrintToString(line);
      EXPECT_LT(line.size(), 1024U);
    }
  }
  EXPECT_EQ(arr_dtype_find("caf\xe9 \xc3\xa9\xc2\x85|", &number), ARR_E_DTYPE);
  EXPECT_STREQ(arr_last_error(),
               "arr_dtype_find: argument name: \"caf\\xe9 \xc3\xa9 |\" is not the name of an element type");
  EXPECT_EQ(arr_einsum("\xc3\xa9", 1, &a, 0, nullptr, &b), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(),
               "arr_einsum: argument subscripts: '\xc3\xa9' in \"\xc3\xa9\", expected a letter");
  // A text that is cut for a small buffer is cut between characters too.
  EXPECT_EQ(arr_dtype_find("\xc3\xa9", &number), ARR_E_DTYPE);
  arr_error taken = nullptr;
  ASSERT_EQ(arr_error_take(&taken), ARR_OK);
  char text[200];
  int64_t length = 0;
  for (int64_t room = 1; room < 60; ++room) {
    EXPECT_EQ(arr_error_text(taken, room, text, &length), ARR_OK);
    EXPECT_TRUE(is_utf8(text)) << room;
  }
  EXPECT_EQ(arr_error_release(taken), ARR_OK);
}

// Releases of handles of all kinds, also of NULL and of wrong handles, keep the text of a failure that is
// being handled.
TEST_F(Texts, ReleasesLeaveTheTextAlone) {
  EXPECT_EQ(arr_exp(nullptr, nullptr, &b), ARR_E_HANDLE);
  const std::string before = arr_last_error();
  const arr_status status = arr_last_status();
  auto* const wild = reinterpret_cast<void*>(uintptr_t{0x1234});
  for (void* handle : {wild, static_cast<void*>(a)}) {
    if (handle == wild) {
      EXPECT_EQ(arr_release(static_cast<arr_array>(handle)), ARR_E_HANDLE);
    }
    EXPECT_EQ(arr_error_release(static_cast<arr_error>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_stream_release(static_cast<arr_stream>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_event_release(static_cast<arr_event>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_expr_release(static_cast<arr_expr>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_fft_plan_release(static_cast<arr_fft_plan>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_graph_release(static_cast<arr_graph>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_module_release(static_cast<arr_module>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_kernel_release(static_cast<arr_kernel>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_user_kernel_release(static_cast<arr_user_kernel>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_generator_release(static_cast<arr_generator>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_texels_release(static_cast<arr_texels>(handle)), ARR_E_HANDLE);
    EXPECT_EQ(arr_texture_release(static_cast<arr_texture>(handle)), ARR_E_HANDLE);
  }
  EXPECT_EQ(before, arr_last_error());
  EXPECT_EQ(status, arr_last_status());
}

TEST(Versions, BuildInfoHoldsWhatItPromises) {
  char text[4096];
  int64_t length = 0;
  ASSERT_EQ(arr_build_info(sizeof text, text, &length), ARR_OK);
  const std::string all = text;
  int32_t reductions = 0, op = 0;
  while (arr_reduction_info(reductions, &op, nullptr, nullptr, nullptr) == ARR_OK) ++reductions;
  for (const std::string& part :
       {std::string("libarr 0."), std::string("\ncompiler: "), std::string("\ninstruction sets: v"),
        std::string("\nCUDA module: "), std::string("oneTBB"), std::string("OpenBLAS"), std::string("fftw"),
        std::string("\nprocessor: "), ", reductions: " + std::to_string(reductions) + "\n"}) {
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
  }
}

// The objects that stay are those of the header: a stream, two for index values, a generator.
TEST(LiveObjects, AreFewAndTheSameAgain) {
  const int64_t shape[] = {64, 64};
  for (int round = 0; round < 3; ++round) {
    arr_array x = nullptr, y = nullptr;
    arr_expr e = nullptr;
    int32_t node = 0;
    ASSERT_EQ(arr_random_random(nullptr, ARR_FLOAT64, 2, shape, nullptr, nullptr, &x), ARR_OK);
    ASSERT_EQ(arr_expr_parse("a * index(0)", -1, 0, nullptr, &node, &e), ARR_OK);
    ASSERT_EQ(arr_expr_run(e, node, 1, &x, nullptr, &y), ARR_OK);
    EXPECT_EQ(arr_release(y), ARR_OK);
    ASSERT_EQ(arr_fft(x, -1, -1, 0, nullptr, &y), ARR_OK);
    EXPECT_EQ(arr_release(y), ARR_OK);
    ASSERT_EQ(arr_matmul(x, x, nullptr, &y), ARR_OK);
    EXPECT_EQ(arr_release(y), ARR_OK);
    EXPECT_EQ(arr_release(x), ARR_OK);
    EXPECT_EQ(arr_expr_release(e), ARR_OK);
    EXPECT_EQ(arr_live_handles(), 0);
    EXPECT_EQ(arr_live_objects(), 4) << round;
  }
}

}  // namespace
