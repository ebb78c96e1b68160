// SPDX-License-Identifier: MIT
// The states of math/states.h: however the elements are split, pushed and joined, the result is that of the
// plain formula.
#include "math/host_math.h"
//
#include "math/scalar.h"
//
#include "math/libm.h"
//
#include "math/math.h"
//
#include "math/squares.h"
//
#include "math/states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
  typename S::V1 v = S::map_pass1(x0, x0);
  typename S::R n = S::counts ? S::is_counted(x0) : static_cast<typename S::R>(to - from);
  for (size_t i = from + 1; i < to; ++i) {
    v = S::combine_pass1(v, S::map_pass1(x[i], x0));
    if (S::counts) n += S::is_counted(x[i]);
  }
  const A pivot = S::pivot(v, x0, n);
  typename S::V2 w = S::map_pass2(x0, pivot);
  for (size_t i = from + 1; i < to; ++i) w = S::combine_pass2(w, S::map_pass2(x[i], pivot));
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

// Numbers whose squares leave the range: however they are split, the results are those of numbers beside 1,
// times the power of 2.
template <class A>
void out_of_range(double scale, double eps) {
  std::vector<A> x, plain;
  for (double v : values(101, 0.25)) plain.push_back(static_cast<A>(v));
  for (A v : plain) x.push_back(static_cast<A>(v * static_cast<A>(scale)));
  const double norm = pushed<arr_squares<A>>(plain, 0, 101).norm();
  const double deviation = pushed<arr_moments<A>>(plain, 0, 101).deviation(0);
  for (size_t a = 0; a <= 101; a += 7) {
    for (size_t b = a; b <= 101; b += 13) {
      auto joined = [&]<class S>(S) {
        const S first = pushed<S>(x, 0, a), middle = pushed<S>(x, a, b), last = pushed<S>(x, b, 101);
        return S::join(first, S::join(middle, last));
      };
      ASSERT_NEAR(joined(arr_squares<A>::none()).norm() / static_cast<A>(scale), norm, eps * norm);
      ASSERT_NEAR(joined(arr_moments<A>::none()).deviation(0) / static_cast<A>(scale), deviation,
                  eps * deviation);
    }
  }
  // Beside much smaller ones they are all that counts, and beside larger ones nothing.
  const auto one = pushed<arr_squares<A>>(std::vector<A>{A(1), A(2)}, 0, 2),
             far = pushed<arr_squares<A>>(x, 0, 101);
  const double both = arr_squares<A>::join(one, far).norm();
  ASSERT_NEAR(both, scale > 1 ? norm * scale : std::sqrt(5.0), 1e-6 * both);
}

TEST(States, SquaresOutOfRange) {
  for (double scale : {0x1p1000, 0x1p520, 0x1p-520, 0x1p-1000}) out_of_range<double>(scale, 1e-13);
  for (double scale : {0x1p110, 0x1p60, 0x1p-70, 0x1p-110}) out_of_range<float>(scale, 1e-5);
  typedef arr_moments<double> S;
  EXPECT_EQ(pushed<S>(std::vector<double>{1.5e308, -1.5e308}, 0, 2).deviation(0), 1.5e308);
  EXPECT_EQ(
      S::join(pushed<S>(std::vector<double>{1.5e308}, 0, 1), pushed<S>(std::vector<double>{-1.5e308}, 0, 1))
          .deviation(0),
      1.5e308);
  EXPECT_EQ(pushed<S>(std::vector<double>{1e300, 1e300, 1e300}, 0, 3).deviation(0), 0);
  EXPECT_TRUE(
      arr_isnan(pushed<arr_squares<double>>(std::vector<double>{ARR_INF, arr_nan_or(0.0)}, 0, 2).norm()));
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
