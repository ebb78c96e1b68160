// SPDX-License-Identifier: MIT
// fft_plan.h on the host and over the fake CUDA: handles, plans that outlive caches and handles, threads.
#include <cmath>
#include <thread>

#include "support.h"

namespace {

constexpr int64_t shape[] = {3, 16};

class FftPlans : public arr_test::OnDevice {
 protected:
  [[nodiscard]] arr_fft_plan plan(int32_t kind = ARR_FFT_R2C) const {
    arr_fft_plan p = nullptr;
    EXPECT_EQ(arr_fft_plan_create(kind, ARR_FLOAT64, 2, shape, 1, nullptr, &device, &p), ARR_OK)
        << arr_last_error();
    return p;
  }
  // The waves 1, 2 and 3 times along the axis.
  [[nodiscard]] arr_array waves() const {
    std::vector<double> x;
    for (int row = 1; row <= 3; ++row) {
      for (int i = 0; i < 16; ++i) x.push_back(std::cos(2 * M_PI * row * i / 16));
    }
    arr_array a = nullptr;
    EXPECT_EQ(arr_from_host(x.data(), 8 * 48, ARR_FLOAT64, 2, shape, ARR_ORDER_C, &device, nullptr, &a),
              ARR_OK)
        << arr_last_error();
    return a;
  }
  [[nodiscard]] static arr_array output(arr_fft_plan p) {
    arr_array a = nullptr;
    EXPECT_EQ(arr_fft_plan_output(p, nullptr, &a), ARR_OK) << arr_last_error();
    return a;
  }
  // Half the length at each wave's place, 0 elsewhere.
  static void expect_lines(arr_array spectrum) {
    std::vector<double> x(2 * 27);
    ASSERT_EQ(arr_get(spectrum, ARR_ORDER_C, x.data(), 16 * 27, nullptr), ARR_OK) << arr_last_error();
    for (size_t row = 0; row < 3; ++row) {
      for (size_t k = 0; k < 9; ++k) {
        EXPECT_NEAR(x[2 * (9 * row + k)], k == row + 1 ? 8 : 0, 1e-12) << row << ' ' << k;
        EXPECT_NEAR(x[2 * (9 * row + k) + 1], 0, 1e-12) << row << ' ' << k;
      }
    }
  }
  [[nodiscard]] std::array<int64_t, 3> cache() const {
    arr_fft_cache_stats s{};
    s.struct_size = sizeof s;
    EXPECT_EQ(arr_fft_cache_info(&device, &s), ARR_OK) << arr_last_error();
    return {s.hits, s.misses, s.plans};
  }
};

TEST_P(FftPlans, HandlesAndFacts) {
  const int64_t handles = arr_live_handles();
  arr_fft_plan p = plan();
  EXPECT_EQ(arr_live_handles(), handles + 1);
  arr_fft_plan_properties facts{};
  EXPECT_EQ(arr_fft_plan_info(p, &facts), ARR_E_ARGUMENT);
  facts.struct_size = sizeof facts;
  ARR_DOES(arr_fft_plan_info(p, &facts));
  EXPECT_EQ(facts.kind, ARR_FFT_R2C);
  EXPECT_EQ(facts.real, ARR_FLOAT64);
  EXPECT_EQ(facts.ndim, 2);
  EXPECT_EQ(facts.naxes, 1);
  EXPECT_GE(facts.plans, 1);
  EXPECT_EQ(facts.callbacks, 0);
  EXPECT_EQ(arr_fft_plan_info(p, nullptr), ARR_E_ARGUMENT);
  EXPECT_EQ(arr_fft_plan_create(ARR_FFT_C2C, ARR_FLOAT64, 2, shape, 0, nullptr, &device, nullptr),
            ARR_E_ARGUMENT);
  EXPECT_EQ(arr_fft_plan_create(ARR_FFT_C2C, ARR_FLOAT64, 2, nullptr, 0, nullptr, &device, &p),
            ARR_E_ARGUMENT);
  EXPECT_EQ(arr_release(reinterpret_cast<arr_array>(p)), ARR_E_HANDLE);
  ARR_DOES(arr_fft_plan_release(p));
  EXPECT_EQ(arr_fft_plan_release(p), ARR_E_HANDLE);
  arr_array out = nullptr;
  EXPECT_EQ(arr_fft_plan_output(p, nullptr, &out), ARR_E_HANDLE);
  EXPECT_STREQ(arr_last_error(),
               "arr_fft_plan_output: argument plan: expected a live plan of a transform handle, got one that "
               "is released, never valid, or of another kind");
  EXPECT_EQ(arr_fft_plan_release(nullptr), ARR_OK);
  EXPECT_EQ(arr_live_handles(), handles);
}

TEST_P(FftPlans, NothingIsLookedUpAndNothingTaken) {
  arr_fft_plan p = plan();
  arr_array a = waves(), there = output(p);
  ARR_DOES(arr_fft_cache_clear(&device));
  const auto before = cache();
  for (int i = 0; i < 3; ++i) ARR_DOES(arr_fft_plan_execute(p, a, there, false, ARR_FFT_BACKWARD, nullptr));
  expect_lines(there);
  EXPECT_EQ(cache(), before);
  arr_release(there);
  arr_release(a);
  ARR_DOES(arr_fft_plan_release(p));
}

TEST_P(FftPlans, ReleasedPlansStayForGraphs) {
  arr_fft_plan p = plan();
  arr_array a = waves(), there = output(p);
  arr_stream stream = nullptr;
  arr_graph graph = nullptr;
  ARR_DOES(arr_stream_create(&device, 0, &stream));
  ARR_DOES(arr_graph_begin(stream));
  ARR_DOES(arr_fft_plan_execute(p, a, there, false, ARR_FFT_BACKWARD, stream));
  ARR_DOES(arr_graph_end(stream, &graph));
  ARR_DOES(arr_fft_plan_release(p));
  ARR_DOES(arr_fft_cache_clear(&device));
  for (int i = 0; i < 2; ++i) ARR_DOES(arr_graph_launch(graph, stream));
  expect_lines(there);
  arr_release(there);
  arr_release(a);
  ARR_DOES(arr_graph_release(graph));
  ARR_DOES(arr_stream_release(stream));
}

TEST_P(FftPlans, ManyThreadsRunOne) {
  arr_fft_plan p = plan();
  arr_array a = waves();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      arr_array there = output(p);
      for (int i = 0; i < 50; ++i) {
        EXPECT_EQ(arr_fft_plan_execute(p, a, there, false, ARR_FFT_BACKWARD, nullptr), ARR_OK)
            << arr_last_error();
      }
      expect_lines(there);
      arr_release(there);
    });
  }
  for (std::thread& t : threads) t.join();
  ARR_DOES(arr_fft_plan_release(p));
  arr_release(a);
}

TEST_P(FftPlans, WhatDiffersFromThePlanIsNamed) {
  arr_fft_plan p = plan();
  arr_array a = waves(), there = output(p), turned = nullptr;
  EXPECT_EQ(arr_fft_plan_execute(p, there, there, false, ARR_FFT_BACKWARD, nullptr), ARR_E_DTYPE);
  EXPECT_STREQ(arr_last_error(), "arr_fft_plan_execute: argument a: complex128, the plan is for float64");
  EXPECT_EQ(arr_fft_plan_execute(p, a, a, false, ARR_FFT_BACKWARD, nullptr), ARR_E_DTYPE);
  ARR_DOES(arr_transpose(a, 0, nullptr, &turned));
  EXPECT_EQ(arr_fft_plan_execute(p, turned, there, false, ARR_FFT_BACKWARD, nullptr), ARR_E_SHAPE);
  EXPECT_STREQ(arr_last_error(), "arr_fft_plan_execute: argument a: shape (16,3), the plan is for (3,16)");
  EXPECT_EQ(arr_fft_plan_execute(p, a, there, true, ARR_FFT_BACKWARD, nullptr), ARR_E_ARGUMENT);
  for (arr_array one : {a, there, turned}) arr_release(one);
  ARR_DOES(arr_fft_plan_release(p));
}

ARR_ON_DEVICES(FftPlans);

}  // namespace
