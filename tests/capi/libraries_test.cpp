// SPDX-License-Identifier: MIT
// Transforms, linear algebra and random numbers asked for by several threads at once: the plans, tables and
// generators that they share. For ThreadSanitizer above all; tests/conformance has the values.
#include <arr/arr.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr int threads = 4;

#define ARR_EXPECT(call) EXPECT_EQ(call, ARR_OK) << arr_last_error()

// Runs body(i) on each thread i.
void together(const std::function<void(int)>& body) {
  std::vector<std::thread> all;
  all.reserve(threads);
  for (int i = 0; i < threads; ++i) all.emplace_back(body, i);
  for (std::thread& t : all) t.join();
}

template <class T>
std::vector<T> elements(arr_array a) {
  int64_t size = 0;
  ARR_EXPECT(arr_size(a, &size));
  std::vector<T> host(static_cast<size_t>(size));
  ARR_EXPECT(arr_get(a, ARR_ORDER_C, host.data(), size * static_cast<int64_t>(sizeof(T)), nullptr));
  return host;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& want, double distance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], want[i], distance);
}

// Normal numbers, others for every seed.
arr_array numbers(std::initializer_list<int64_t> shape, int64_t seed) {
  arr_generator g = nullptr;
  arr_array a = nullptr;
  ARR_EXPECT(arr_generator_create(1, &seed, &g));
  ARR_EXPECT(arr_random_draw(g, ARR_DISTRIBUTION_NORMAL, 0, nullptr, ARR_FLOAT64,
                             static_cast<int32_t>(shape.size()), shape.begin(), nullptr, nullptr, &a));
  ARR_EXPECT(arr_generator_release(g));
  return a;
}

// The result of a call, which is released.
template <class T, class Call>
std::vector<T> result(const Call& call) {
  arr_array out = nullptr;
  ARR_EXPECT(call(&out));
  std::vector<T> host = elements<T>(out);
  ARR_EXPECT(arr_release(out));
  return host;
}

class Libraries : public testing::Test {
 protected:
  void SetUp() override { handles = arr_live_handles(); }
  void TearDown() override { EXPECT_EQ(arr_live_handles(), handles); }
  int64_t handles = 0;
};

TEST_F(Libraries, TransformsWhilePlansComeAndGo) {
  const int64_t lengths[] = {8, 30, 64, 97, 1000, 1024, 4096};
  std::vector<std::pair<arr_array, std::vector<double>>> lines;
  for (const int64_t n : lengths) {
    arr_array a = numbers({3, n}, n);
    lines.emplace_back(a, result<double>([&](arr_array* out) {
                         return arr_dct(a, 2, -1, -1, ARR_FFT_ORTHO, nullptr, out);
                       }));
  }
  together([&](int thread) {
    for (int i = 0; i < 60; ++i) {
      const auto& [a, want] = lines.at(static_cast<size_t>(i + thread) % lines.size());
      // A measured plan adds in another order.
      expect_near(result<double>([&, x = a](arr_array* out) {
                    return arr_dct(x, 2, -1, -1, ARR_FFT_ORTHO, nullptr, out);
                  }),
                  want, 1e-10);
      if (i % 16 == 8 + thread) {
        ARR_EXPECT(arr_fft_plan_effort(nullptr, thread % 2, nullptr));
      }
      arr_array there = nullptr;
      ARR_EXPECT(arr_rfft(a, -1, -1, ARR_FFT_BACKWARD, nullptr, &there));
      ARR_EXPECT(arr_release(there));
      arr_fft_cache_stats stats{};
      stats.struct_size = sizeof stats;
      ARR_EXPECT(arr_fft_cache_info(nullptr, &stats));
      if (i % 16 == thread) {
        ARR_EXPECT(arr_fft_cache_clear(nullptr));
      }
      if (i % 16 == 15 - thread) {
        ARR_EXPECT(arr_fft_cache_limit(nullptr, thread, -1));
      }
    }
  });
  ARR_EXPECT(arr_fft_cache_limit(nullptr, -1, -1));
  ARR_EXPECT(arr_fft_plan_effort(nullptr, ARR_FFT_ESTIMATE, nullptr));
  for (const auto& [a, want] : lines) ARR_EXPECT(arr_release(a));
}

// Every number of the sequence goes to one of the threads.
TEST_F(Libraries, OneGeneratorForAll) {
  static constexpr int64_t draws = 50, n = 64;
  for (const int32_t kind : {ARR_PHILOX4X32, ARR_PCG64, ARR_MRG32K3A, ARR_XORWOW, ARR_THREEFRY2X32}) {
    const int64_t seed = 7;
    arr_generator shared = nullptr, alone = nullptr;
    ARR_EXPECT(arr_generator_create_of(kind, 1, &seed, &shared));
    ARR_EXPECT(arr_generator_create_of(kind, 1, &seed, &alone));
    auto draw = [](arr_generator g) {
      return result<uint32_t>(
          [&](arr_array* out) { return arr_random_bits(g, ARR_UINT32, 1, &n, nullptr, nullptr, out); });
    };
    std::vector<std::vector<uint32_t>> got(threads * draws), want;
    together([&](int thread) {
      for (int64_t i = 0; i < draws; ++i) got[static_cast<size_t>(thread * draws + i)] = draw(shared);
    });
    for (int64_t i = 0; i < threads * draws; ++i) want.push_back(draw(alone));
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    EXPECT_EQ(got, want) << kind;
    ARR_EXPECT(arr_generator_release(shared));
    ARR_EXPECT(arr_generator_release(alone));
  }
}

// OpenBLAS's threads are taken away and given back while others multiply.
TEST_F(Libraries, EquationsAndProducts) {
  arr_array few = numbers({70, 70}, 1), many = numbers({40, 9, 9}, 2), wide = numbers({30, 50, 50}, 3);
  const std::vector<std::function<arr_status(arr_array*)>> calls = {
      [&](arr_array* out) { return arr_inv(few, ARR_LINALG_ERROR, nullptr, out); },
      [&](arr_array* out) { return arr_inv(many, ARR_LINALG_ERROR, nullptr, out); },
      [&](arr_array* out) { return arr_solve(wide, wide, ARR_LINALG_ERROR, nullptr, out); },
      [&](arr_array* out) { return arr_svdvals(wide, ARR_LINALG_ERROR, nullptr, out); },
      [&](arr_array* out) { return arr_matmul(wide, wide, nullptr, out); },
      [&](arr_array* out) { return arr_matmul(few, few, nullptr, out); },
  };
  std::vector<std::vector<double>> want;
  want.reserve(calls.size());
  for (const auto& call : calls) want.push_back(result<double>(call));
  together([&](int thread) {
    for (int i = 0; i < 30; ++i) {
      const size_t k = static_cast<size_t>(i + thread) % calls.size();
      // With another number of threads OpenBLAS adds in another order.
      expect_near(result<double>(calls[k]), want[k], 1e-7);
    }
  });
  for (arr_array a : {few, many, wide}) ARR_EXPECT(arr_release(a));
}

}  // namespace
