// SPDX-License-Identifier: MIT
// Random numbers are the same for any number of threads, however these share the work out.
#include <arr/arr.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int64_t n = 300007;  // some tiles, the last one short
const int64_t flat[] = {n};

arr_value number(double x) {
  arr_value v{};
  arr_value_f64(&v, x);
  return v;
}

using Draw = std::function<arr_status(arr_generator, arr_array*)>;
struct Case {
  const char* name;
  Draw draw;
};

// Draws n numbers of a distribution into every third element of every second row, so that tiles are cut
// elsewhere.
arr_status draw_strided(arr_generator g, arr_array* out) {
  const int64_t shape[] = {402, 2250}, start[] = {0, 1}, stop[] = {402, 2250}, step[] = {2, 3};
  const arr_value zero = number(0);
  arr_status s = arr_full(ARR_FLOAT64, 2, shape, ARR_ORDER_C, &zero, nullptr, nullptr, out);
  if (s != ARR_OK) return s;
  arr_array view = nullptr;
  s = arr_slice(*out, 2, start, stop, step, &view);
  if (s == ARR_OK) s = arr_random_standard_normal_into(view, g, nullptr);
  arr_release(view);
  return s;
}

arr_status choose_by_weights(arr_generator g, arr_array* out) {
  const double weights[] = {0.125, 0.5, 0.0, 0.25, 0.125};
  const int64_t five[] = {5};
  arr_array w = nullptr;
  arr_status s = arr_zeros(ARR_FLOAT64, 1, five, ARR_ORDER_C, nullptr, nullptr, &w);
  if (s == ARR_OK) s = arr_set(w, ARR_ORDER_C, weights, sizeof(weights), nullptr);
  if (s == ARR_OK) s = arr_random_choice(g, 5, true, w, 1, flat, nullptr, nullptr, out);
  arr_release(w);
  return s;
}

arr_status shuffle_lines(arr_generator g, arr_array* out) {
  const int64_t shape[] = {3000, 100};
  const arr_status s = arr_random_bits(g, ARR_UINT16, 2, shape, nullptr, nullptr, out);
  return s == ARR_OK ? arr_random_shuffle(*out, g, 1, true, nullptr) : s;
}

std::vector<Case> cases() {
  const auto distribution = [](int32_t number_of, arr_dtype dtype, std::vector<double> parameters) {
    return [=](arr_generator g, arr_array* out) {
      std::vector<arr_value> given;
      for (double p : parameters) given.push_back(number(p));
      return arr_random_draw(g, number_of, static_cast<int32_t>(given.size()), given.data(), dtype, 1, flat,
                             nullptr, nullptr, out);
    };
  };
  return {
      {"bits", [](arr_generator g,
                  arr_array* out) { return arr_random_bits(g, ARR_UINT32, 1, flat, nullptr, nullptr, out); }},
      {"integers",
       [](arr_generator g, arr_array* out) {
         const arr_value low = number(-5), high = number(1e15);
         return arr_random_integers(g, &low, &high, false, ARR_INT64, 1, flat, nullptr, nullptr, out);
       }},
      {"uniform", distribution(ARR_DISTRIBUTION_UNIFORM, ARR_FLOAT32, {-1, 2})},
      {"normal float32", distribution(ARR_DISTRIBUTION_NORMAL, ARR_FLOAT32, {1, 2})},
      {"normal float64", distribution(ARR_DISTRIBUTION_NORMAL, ARR_FLOAT64, {1, 2})},
      {"exponential", distribution(ARR_DISTRIBUTION_EXPONENTIAL, ARR_FLOAT64, {3})},
      {"gamma", distribution(ARR_DISTRIBUTION_GAMMA, ARR_FLOAT64, {0.5, 2})},
      {"poisson", distribution(ARR_DISTRIBUTION_POISSON, ARR_INT64, {20})},
      {"binomial", distribution(ARR_DISTRIBUTION_BINOMIAL, ARR_INT64, {100, 0.3})},
      {"permutation",
       [](arr_generator g, arr_array* out) {
         return arr_random_permutation(g, n, n, ARR_INT64, nullptr, nullptr, out);
       }},
      {"choice", choose_by_weights},
      {"shuffled lines", shuffle_lines},
      {"strided", draw_strided},
  };
}

std::vector<uint8_t> bytes_of(const Draw& draw, int32_t kind) {
  const int64_t seed = 17;
  arr_generator g = nullptr;
  EXPECT_EQ(arr_generator_create_of(kind, 1, &seed, &g), ARR_OK);
  arr_array a = nullptr;
  EXPECT_EQ(draw(g, &a), ARR_OK) << arr_last_error();
  int64_t size = 0;
  EXPECT_EQ(arr_nbytes(a, &size), ARR_OK);
  std::vector<uint8_t> bytes(static_cast<size_t>(size));
  EXPECT_EQ(arr_get(a, ARR_ORDER_C, bytes.data(), size, nullptr), ARR_OK);
  arr_release(a);
  arr_generator_release(g);
  return bytes;
}

TEST(RandomThreads, TheSameNumbers) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 8);
  for (const Case& c : cases()) {
    for (int32_t kind = ARR_PHILOX4X32; kind <= ARR_XORWOW; ++kind) {
      std::vector<uint8_t> want;
      tbb::task_arena(1).execute([&] { want = bytes_of(c.draw, kind); });
      ASSERT_FALSE(want.empty());
      for (int threads : {2, 3, 8}) {
        std::vector<uint8_t> got;
        tbb::task_arena(threads).execute([&] { got = bytes_of(c.draw, kind); });
        EXPECT_TRUE(got == want) << c.name << ", bit generator " << kind << ", " << threads << " threads";
      }
    }
  }
}

}  // namespace
