// SPDX-License-Identifier: MIT
// Choosing a device, by the variable ARR_DEVICE too, and streams that are the caller's own: over the fake
// CUDA with two devices, whose work is late.
#include <cstdint>

#include "support.h"

namespace {

struct Choice {
  const char* wish;  // nullptr: unset
  int32_t flags, type, index;
  const char* text;  // of the error, where type is 0
};

constexpr const char* none_of = "is not one of host, cuda, cuda:N";

class Select : public testing::Test {
 protected:
  void SetUp() override {
    int32_t count = 0;
    ARR_DOES(arr_device_count(ARR_CUDA, &count));
    gpu = count > 0;
  }
  void TearDown() override { unsetenv("ARR_DEVICE"); }
  static void check(const Choice& c) {
    SCOPED_TRACE(testing::Message() << (c.wish != nullptr ? c.wish : "unset") << " " << c.flags);
    c.wish != nullptr ? setenv("ARR_DEVICE", c.wish, 1) : unsetenv("ARR_DEVICE");
    arr_device out{7, 7};
    const arr_status status = arr_device_select(c.flags, &out);
    if (c.type != 0) {
      EXPECT_EQ(status, ARR_OK) << arr_last_error();
      EXPECT_EQ(out.type, c.type);
      EXPECT_EQ(out.index, c.index);
      return;
    }
    EXPECT_NE(status, ARR_OK);
    EXPECT_NE(std::string(arr_last_error()).find(c.text), std::string::npos) << arr_last_error();
    EXPECT_EQ(out.type, 7);
    EXPECT_EQ(out.index, 7);
  }
  bool gpu = false;
};

TEST_F(Select, WhatTheVariableSays) {
  if (!gpu) GTEST_SKIP() << "no CUDA module";
  for (const Choice& c : {
           Choice{nullptr, 0, ARR_CUDA, 0, ""},
           {nullptr, ARR_REQUIRE_GPU, ARR_CUDA, 0, ""},
           {"", 0, ARR_CUDA, 0, ""},
           {"host", 0, ARR_HOST, 0, ""},
           {"host", ARR_REQUIRE_GPU, 0, 0, "argument flags: a GPU is required, but ARR_DEVICE is host"},
           {"cuda", 0, ARR_CUDA, 0, ""},
           {"cuda:0", 0, ARR_CUDA, 0, ""},
           {"cuda:1", ARR_REQUIRE_GPU, ARR_CUDA, 1, ""},
           {"cuda:2", 0, 0, 0, "arr_device_select: ARR_DEVICE: index 2 of 2 cuda devices"},
           {"cuda:4294967296", 0, 0, 0, none_of},
           {"cuda:", 0, 0, 0, none_of},
           {"cuda:-1", 0, 0, 0, none_of},
           {"cuda: 1", 0, 0, 0, none_of},
           {"cuda1", 0, 0, 0, none_of},
           {"CUDA", 0, 0, 0, none_of},
           {"gpu", 0, 0, 0, "ARR_DEVICE: \"gpu\" is not one of host, cuda, cuda:N"},
           {nullptr, 2, 0, 0, "argument flags: 2 has unknown bits"},
       }) {
    check(c);
  }
  EXPECT_EQ(arr_device_select(0, nullptr), ARR_E_ARGUMENT);
}

// Run where the driver is not there.
TEST_F(Select, WithoutAGpu) {
  if (gpu) GTEST_SKIP() << "there is a GPU";
  check({nullptr, 0, ARR_HOST, 0, ""});
  check({"host", 0, ARR_HOST, 0, ""});
  for (const Choice& c :
       {Choice{nullptr, ARR_REQUIRE_GPU, 0, 0, ""}, {"cuda", 0, 0, 0, ""}, {"cuda:1", 0, 0, 0, ""}}) {
    check({c.wish, c.flags, 0, 0, "CUDA does not work here: "});
    arr_device out{};
    EXPECT_EQ(arr_device_select(c.flags, &out), ARR_E_UNAVAILABLE);
  }
}

class Wrapped : public arr_test::OnDevice {
 protected:
  // 2 * x + x on the stream, of 1000 elements.
  void works(arr_stream s) const {
    const int64_t n = 1000;
    arr_array a = nullptr, b = nullptr, c = nullptr;
    ARR_DOES(arr_ones(ARR_FLOAT64, 1, &n, ARR_ORDER_C, &device, s, &a));
    ARR_DOES(arr_add(a, a, s, &b));
    ARR_DOES(arr_add(a, b, nullptr, &c));  // behind what the other stream does
    std::vector<double> host(static_cast<size_t>(n));
    ARR_DOES(arr_get(c, ARR_ORDER_C, host.data(), n * 8, s));
    EXPECT_EQ(host, std::vector<double>(static_cast<size_t>(n), 3));
    for (arr_array x : {a, b, c}) ARR_DOES(arr_release(x));
  }
};

TEST_P(Wrapped, StreamsOfTheCaller) {
  arr_stream own = nullptr, s = nullptr;
  void* native = nullptr;
  if (host()) {
    EXPECT_EQ(arr_stream_wrap(&device, nullptr, &s), ARR_E_UNSUPPORTED);
    EXPECT_EQ(std::string(arr_last_error()), "arr_stream_wrap: the host has no native streams to wrap");
    EXPECT_EQ(s, nullptr);
    return;
  }
  ARR_DOES(arr_stream_create(&device, 0, &own));
  ARR_DOES(arr_stream_native(own, &native));
  ASSERT_NE(native, nullptr);
  // CU_STREAM_LEGACY and CU_STREAM_PER_THREAD are 1 and 2.
  for (void* given : {native, static_cast<void*>(nullptr), reinterpret_cast<void*>(uintptr_t{1}),
                      reinterpret_cast<void*>(uintptr_t{2})}) {
    SCOPED_TRACE(given);
    void* got = &native;
    ARR_DOES(arr_stream_wrap(&device, given, &s));
    ARR_DOES(arr_stream_native(s, &got));
    EXPECT_EQ(got, given);
    works(s);
    ARR_DOES(arr_stream_sync(s));
    ARR_DOES(arr_stream_release(s));
  }
  works(own);  // it is the caller's still
  // Twice at once, and ordered as one.
  arr_stream again = nullptr;
  ARR_DOES(arr_stream_wrap(&device, native, &s));
  ARR_DOES(arr_stream_wrap(&device, native, &again));
  works(s);
  works(again);
  ARR_DOES(arr_stream_release(s));
  works(again);
  ARR_DOES(arr_stream_release(again));
  ARR_DOES(arr_stream_release(own));
  EXPECT_EQ(arr_stream_wrap(&device, native, nullptr), ARR_E_ARGUMENT);
}

ARR_ON_DEVICES(Wrapped);

}  // namespace
