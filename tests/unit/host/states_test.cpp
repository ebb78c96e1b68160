// SPDX-License-Identifier: MIT
// The states of expr/states.h: however the elements are split, pushed and joined, the result is that of the
// plain formula.
#include "expr/host_math.h"
//
#include "expr/scalar.h"
//
#include "expr/math.h"
//
#include "expr/states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

std::vector<double> values(size_t n, double offset) {
  std::vector<double> x(n);
  for (size_t i = 0; i < n; ++i) x[i] = offset + static_cast<double>(i * 7919 % 1000) / 250 - 2;
  return x;
}

template <class S, class A>
S pushed(const std::vector<A>& x, size_t from, size_t to) {
  typename S::Run run = S::start();
  for (size_t i = from; i < to; ++i) S::push(run, x[i]);
  return S::of(run);
}

// A block in the folds that loops make.
template <class S, class A>
S folded(const std::vector<A>& x, size_t from, size_t to) {
  const A x0 = x[from];
  typename S::V1 v = S::first(x0, x0);
  typename S::R n = S::counts ? S::counted(x0) : static_cast<typename S::R>(to - from);
  for (size_t i = from + 1; i < to; ++i) {
    v = S::both1(v, S::first(x[i], x0));
    if (S::counts) n += S::counted(x[i]);
  }
  const A pivot = S::pivot(v, x0, n);
  typename S::V2 w = S::second(x0, pivot);
  for (size_t i = from + 1; i < to; ++i) w = S::both2(w, S::second(x[i], pivot));
  return S::block(n, v, x0, pivot, w);
}

// Every way to cut the elements in three.
template <class S, class A, class Check>
void every_cut(const std::vector<A>& x, Check check) {
  for (size_t a = 0; a <= x.size(); a += 7) {
    for (size_t b = a; b <= x.size(); b += 13) {
      const S first = pushed<S>(x, 0, a), last = pushed<S>(x, b, x.size());
      const S middle = a < b ? folded<S>(x, a, b) : S::none();
      check(S::join(S::join(first, middle), last));
      check(S::join(first, S::join(middle, last)));
    }
  }
}

TEST(States, MomentsFarFromZero) {
  const std::vector<double> x = values(101, 1e6);
  double mean = 0, m2 = 0;
  for (double v : x) mean += v / 101;
  for (double v : x) m2 += (v - mean) * (v - mean);
  every_cut<arr_moments<double>>(x, [&](const arr_moments<double>& s) {
    ASSERT_EQ(s.n, 101);
    ASSERT_NEAR(s.mean, mean, 1e-9);
    ASSERT_NEAR(s.m2, m2, 1e-9 * m2);
  });
  const std::vector<float> y(x.begin(), x.end());
  double m2f = 0, meanf = 0;
  for (float v : y) meanf += static_cast<double>(v) / 101;
  for (float v : y) m2f += (static_cast<double>(v) - meanf) * (static_cast<double>(v) - meanf);
  every_cut<arr_moments<float>>(y, [&](const arr_moments<float>& s) { ASSERT_NEAR(s.m2, m2f, 1e-5 * m2f); });
}

TEST(States, NanIsLeftOut) {
  std::vector<double> x = values(40, 3);
  std::vector<double> rest;
  for (size_t i = 0; i < x.size(); ++i) {
    if (i % 3 == 0) x[i] = arr_nan_or(0.0);
    if (i % 3 != 0) rest.push_back(x[i]);
  }
  const arr_moments<double> want = folded<arr_moments<double>>(rest, 0, rest.size());
  every_cut<arr_nan_moments<double>>(x, [&](const arr_nan_moments<double>& s) {
    ASSERT_EQ(s.n, static_cast<double>(rest.size()));
    ASSERT_NEAR(s.m2, want.m2, 1e-12);
  });
  every_cut<arr_counted<double>>(
      x, [&](const arr_counted<double>& s) { ASSERT_NEAR(s.mean(), want.mean, 1e-12); });
  EXPECT_TRUE(arr_isnan(arr_nan_moments<double>::none().variance(0)));
  EXPECT_TRUE(arr_isnan(arr_counted<double>::none().mean()));
}

TEST(States, LogarithmOfSumAndRange) {
  const std::vector<double> x = values(60, 700);
  double sum = 0;
  for (double v : x) sum += exp(v - 700);
  const double width = *std::max_element(x.begin(), x.end()) - *std::min_element(x.begin(), x.end());
  every_cut<arr_logsum<double>>(
      x, [&](const arr_logsum<double>& s) { ASSERT_NEAR(s.logarithm(), 700 + log(sum), 1e-11); });
  every_cut<arr_range<double>>(x, [&](const arr_range<double>& s) { ASSERT_EQ(s.width(), width); });
  EXPECT_EQ(arr_logsum<double>::none().logarithm(), -ARR_INF);
  const std::vector<signed char> ends = {-128, 5, 127};
  EXPECT_EQ(folded<arr_range<signed char>>(ends, 0, 3).width(), -1);
}

}  // namespace
