// SPDX-License-Identifier: MIT
// arr.hpp: defaults of NumPy and SciPy, methods, second names, choices, const arrays, conditions.
#include <gtest/gtest.h>

#include <arr/arr.hpp>
#include <array>
#include <cmath>
#include <vector>

namespace {

using std::vector;

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }
double number(const arr::array& a) { return a.item<double>(); }

const arr::array& table() {
  static const arr::array a{{4.0, 1.0, 2.0}, {3.0, 6.0, 5.0}};
  return a;
}

TEST(CppDefaults, OfStatistics) {
  const arr::array& a = table();
  EXPECT_DOUBLE_EQ(number(arr::var(a)), 17.5 / 6);
  EXPECT_DOUBLE_EQ(number(a.var({}, false, 1)), 17.5 / 5);
  EXPECT_EQ(numbers(arr::std(a, 0)), (vector<double>{0.5, 2.5, 1.5}));
  EXPECT_EQ(a.std(0, true).shape(), (arr::extents{1, 3}));
  EXPECT_EQ(number(arr::percentile(a, 50)), 3.5);
  EXPECT_EQ(numbers(arr::percentile(a, {0, 100}, 1)), (vector<double>{1, 3, 4, 6}));
  EXPECT_EQ(arr::quantile(a, 0.5).ndim(), 0);
  EXPECT_EQ(arr::quantile(a, {0.5}).shape(), (arr::extents{1}));
  EXPECT_EQ(number(arr::percentile(a, 50, {}, false, ARR_QUANTILE_LOWER)), 3);
  EXPECT_EQ(arr::bincount(arr::array{1, 1, 3}).to_vector<int64_t>(), (vector<int64_t>{0, 2, 0, 1}));
  EXPECT_EQ(std::get<0>(arr::histogram(a)).size(), 10);
}

TEST(CppDefaults, OfAxes) {
  const arr::array& a = table();
  EXPECT_EQ(numbers(arr::cumsum(a)), (vector<double>{4, 5, 7, 10, 16, 21}));
  EXPECT_EQ(numbers(arr::cumprod(a, 0)), (vector<double>{4, 1, 2, 12, 6, 10}));
  EXPECT_EQ(numbers(arr::take(a, arr::array{0, -1})), (vector<double>{4, 5}));
  EXPECT_EQ(numbers(arr::take(a, arr::array{7}, ARR_AXIS_NONE, arr::bounds::wrap)), (vector<double>{1}));
  EXPECT_EQ(numbers(arr::repeat(arr::array{1.0, 2.0}, 2)), (vector<double>{1, 1, 2, 2}));
  EXPECT_EQ(numbers(arr::unique(arr::array{2.0, 1.0, 2.0})), (vector<double>{1, 2}));
  EXPECT_EQ(numbers(arr::diff(a)), (vector<double>{-3, 1, 3, -1}));
  EXPECT_EQ(number(arr::trapezoid(arr::array{1.0, 2.0, 3.0})), 4);
  EXPECT_EQ(numbers(arr::diagonal(a)), (vector<double>{4, 6}));
  EXPECT_EQ(number(arr::trace(a)), 10);
  EXPECT_EQ(numbers(arr::append(a, arr::array{7.0})).size(), 7U);
  EXPECT_EQ(arr::concatenate({a, a}).shape(), (arr::extents{4, 3}));
  EXPECT_EQ(arr::stack({a(0), a(1)}).shape(), (arr::extents{2, 3}));
}

TEST(CppDefaults, OfMatrices) {
  const arr::array& a = table();
  EXPECT_DOUBLE_EQ(number(arr::norm(a)), std::sqrt(91.0));
  EXPECT_EQ(number(arr::norm(a(0), 1)), 7);
  EXPECT_EQ(number(arr::norm(a, arr::norm_kind::fro)), number(arr::norm(a)));
  EXPECT_EQ(numbers(arr::norm(a, ARR_INFINITY, 1)), (vector<double>{4, 6}));
  EXPECT_NEAR(number(arr::cond(arr::array{{2.0, 0.0}, {0.0, 1.0}})), 2, 1e-15);
  EXPECT_EQ(numbers(arr::einsum("ij,kj->ik", {a, a})), numbers(arr::matmul(a, a.T())));
  EXPECT_EQ(numbers(arr::tensordot(a, a)), (vector<double>{91}));
  EXPECT_EQ(numbers(arr::tensordot(a, a, {1}, {1})), numbers(arr::matmul(a, a.T())));
  EXPECT_EQ(std::get<2>(arr::svd(a)).shape(), (arr::extents{3, 3}));
  EXPECT_EQ(number(arr::matrix_rank(a)), 2);
  EXPECT_EQ(numbers(arr::cross(arr::array{1.0, 0.0, 0.0}, arr::array{0.0, 1.0, 0.0})),
            (vector<double>{0, 0, 1}));
  // The lower triangle is read, as in NumPy.
  EXPECT_NEAR(arr::eigvalsh(arr::array{{2.0, 9.0}, {0.0, 3.0}}).item<double>({1}), 3, 1e-15);
}

TEST(CppDefaults, OfNumbersAndTransforms) {
  const arr::array x{1.4, 2.5, -0.5};
  EXPECT_EQ(numbers(arr::round(x)), (vector<double>{1, 2, 0}));
  EXPECT_EQ(numbers(x.round(1)), numbers(x));
  EXPECT_TRUE(arr::allclose(x, x + 1e-9));
  EXPECT_FALSE(arr::allclose(x, x + 1e-3));
  EXPECT_EQ(arr::astype(x, arr::int32).to_vector<int32_t>(), (vector<int32_t>{1, 2, 0}));
  EXPECT_EQ(x.astype(arr::float16).dtype(), arr::float16);
  EXPECT_EQ(arr::fft(x).dtype(), arr::complex128);
  EXPECT_EQ(numbers(arr::irfft(arr::rfft(arr::array{1.0, 2.0})))[1], 2);
  EXPECT_EQ(numbers(arr::fftfreq(2)), (vector<double>{0, -0.5}));
  EXPECT_EQ(arr::linspace(0, 1).size(), 50);
  EXPECT_EQ(arr::logspace(0, 1).item<double>({49}), 10);
  EXPECT_EQ(arr::eye(3).shape(), (arr::extents{3, 3}));
  EXPECT_EQ(arr::eye(2, 3, 0, arr::float32).dtype(), arr::float32);
  EXPECT_EQ(numbers(arr::convolve(arr::array{1.0, 2.0}, arr::array{1.0, 1.0})), (vector<double>{1, 3, 2}));
  EXPECT_EQ(numbers(arr::correlate(arr::array{1.0, 2.0}, arr::array{1.0, 1.0})), (vector<double>{3}));
  EXPECT_EQ(numbers(arr::interp(arr::array{0.5}, arr::array{0.0, 1.0}, arr::array{2.0, 4.0})),
            (vector<double>{3}));
  EXPECT_EQ(arr::unpackbits(arr::packbits(arr::array{true, false})).item<int>({0}), 1);
}

TEST(CppDefaults, OfRandomNumbers) {
  const arr::array scaled = arr::generator(1).normal({1000}, 100, 0.5);
  EXPECT_NEAR(number(scaled.mean()), 100, 0.1);
  EXPECT_EQ(numbers(arr::random_normal({1000}, 100, 0.5, arr::generator(1))), numbers(scaled));
  EXPECT_EQ(arr::generator(1).permutation(5).size(), 5);
  EXPECT_EQ(arr::generator(1).permutation(5, 2).size(), 2);
  arr::array order = arr::arange(5);
  arr::generator(1).shuffle(order);
  EXPECT_EQ(number(order.sum()), 10);
  EXPECT_EQ(arr::generator(1).sample(table(), 4).shape(), (arr::extents{4, 3}));
}

TEST(CppNames, MethodsAreTheFunctions) {
  const arr::array& a = table();
  EXPECT_EQ(numbers(a.sum(0)), (vector<double>{7, 7, 7}));
  EXPECT_EQ(a.max(1, true).shape(), (arr::extents{2, 1}));
  EXPECT_EQ(number(a(0).min()), 1);
  EXPECT_EQ(a(0).argmax().item<int>(), 0);
  EXPECT_EQ(numbers(a.clip(2, 4)), (vector<double>{4, 2, 2, 3, 4, 4}));
  EXPECT_EQ(a(0).argsort().to_vector<int64_t>(), (vector<int64_t>{1, 2, 0}));
  EXPECT_EQ(a.ravel().searchsorted(arr::array{9.0}).item<int>({0}), 6);
  EXPECT_EQ(a.swapaxes(0, 1).shape(), (arr::extents{3, 2}));
}

TEST(CppNames, OfCmath) {
  const arr::array x{-0.5, 0.25};
  EXPECT_EQ(numbers(arr::abs(x)), (vector<double>{0.5, 0.25}));
  EXPECT_EQ(numbers(arr::pow(x, 2)), (vector<double>{0.25, 0.0625}));
  EXPECT_EQ(numbers(arr::atan2(x, 1)), numbers(arr::arctan2(x, 1)));
  EXPECT_EQ(numbers(arr::asin(x)), numbers(arr::arcsin(x)));
  const auto f = arr::fuse([](auto u) { return abs(u) + pow(u, 2) + acos(u) + atan2(u, 1) + max(u, 0); });
  const arr::array right =
      arr::abs(x) + arr::pow(x, 2) + arr::acos(x) + arr::atan2(x, 1) + arr::maximum(x, 0);
  EXPECT_TRUE(arr::allclose(f(x), right, 1e-15));
}

TEST(CppArguments, ListsAreOfManyKinds) {
  const vector<int> v(3);
  EXPECT_EQ(arr::zeros({v.size(), 2}).shape(), (arr::extents{3, 2}));
  EXPECT_EQ(arr::zeros(v).shape(), (arr::extents{0, 0, 0}));
  EXPECT_THROW(arr::zeros({uint64_t{0} - 1}), arr::error);
  const std::array<arr::array, 2> two{arr::ones(2), arr::zeros(1)};
  const arr::array three[] = {two[0], two[1], two[0]};
  EXPECT_EQ(arr::concatenate(two).size(), 3);
  EXPECT_EQ(arr::concatenate(three).size(), 5);
  EXPECT_EQ(arr::concatenate(vector<arr::array>{two[0]}).size(), 2);
  const arr::array cube{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  EXPECT_EQ(cube.shape(), (arr::extents{2, 2, 2}));
  EXPECT_EQ(cube.item<int>({1, size_t{0}, 1}), 6);
  EXPECT_THROW((arr::array{{{1}, {2}}, {{3}}}), arr::error);
}

TEST(CppArguments, ChoicesAreConstantsOfC) {
  EXPECT_EQ(arr::order::f, ARR_ORDER_F);
  EXPECT_EQ((arr::unique_flags::sorted | arr::unique_flags::equal_nan).number(), 3);
  const int32_t number = ARR_CAST_SAFE;
  EXPECT_EQ(arr::casting(number), arr::casting::safe);
  EXPECT_FALSE(arr::can_cast(arr::float64, arr::float32));
  EXPECT_TRUE(arr::can_cast(arr::float64, arr::float32, ARR_CAST_SAME_KIND));
}

TEST(CppArrays, OneElementIsACondition) {
  const arr::array& a = table();
  EXPECT_TRUE(arr::all(a > 0));
  EXPECT_FALSE(a(0, 1) > 1);
  if (a(0, 0)) {
    EXPECT_TRUE(arr::array{0.5});
  } else {
    FAIL() << "4 is not 0";
  }
  EXPECT_THROW(static_cast<void>(bool(a)), arr::error);
  EXPECT_THROW(static_cast<void>(bool(arr::zeros(0))), arr::error);
}

TEST(CppArrays, ConstArraysAreRead) {
  const arr::array& a = table();
  double sum = 0;
  for (double x : a.elements<double>()) sum += x;
  EXPECT_EQ(sum, 21);
  static_assert(std::is_same_v<decltype(a.elements<double>()), arr::span<const double>>);
  static_assert(std::is_same_v<decltype(a(0)), arr::const_selection>);
  arr::array b = arr::zeros({2, 3});
  static_assert(std::is_same_v<decltype(b(0)), arr::selection>);
  arr::add_into(b, a, a);
  arr::multiply_into(b(0), b(0), 2);
  b(1) = {1, 2, 3};
  EXPECT_EQ(numbers(b), (vector<double>{16, 4, 8, 1, 2, 3}));
  b(arr::colon, 0) = vector<double>{5, 6};
  EXPECT_EQ(numbers(b), (vector<double>{5, 4, 8, 6, 2, 3}));
}

TEST(CppArrays, MemoryIsBorrowed) {
  vector<double> mine{1, 2, 3, 4};
  arr::array a = arr::borrow(mine.data(), {2, 2}), all = arr::borrow(mine);
  a(0) = 7;
  EXPECT_EQ(mine, (vector<double>{7, 7, 3, 4}));
  EXPECT_EQ(number(all.sum()), 21);
}

}  // namespace
