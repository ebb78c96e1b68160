// SPDX-License-Identifier: MIT
// arr.hpp: fused lambdas, kernels, streams.
#include <gtest/gtest.h>

#include <arr/arr.hpp>
#include <thread>
#include <vector>

namespace {

using std::vector;

TEST(CppFuse, ALambdaIsOnePassOverItsOperands) {
  const auto f = arr::fuse([](auto x, auto y) { return sin(x) * 2 + where(y > 0, y, -y); });
  const arr::array x = arr::linspace(0, 1, 5);
  const arr::array y{-1.0, 2.0, -3.0, 4.0, -5.0};
  const arr::array right = arr::sin(x) * 2 + arr::absolute(y);
  EXPECT_EQ(f(x, y).to_vector<double>(), right.to_vector<double>());
  EXPECT_EQ(f(x.astype<float>(), y.astype<float>()).dtype(), ARR_FLOAT32);
  arr::array dst = arr::zeros(5);
  f.into(dst, x, y);
  EXPECT_EQ(dst.to_vector<double>(), right.to_vector<double>());
  EXPECT_THROW(f(x, arr::array{1.0, 2.0}), arr::error);
}

TEST(CppFuse, SeveralResultsAreOnePass) {
  const auto polar = arr::fuse([](auto x, auto y) { return std::make_tuple(hypot(x, y), arctan2(y, x)); });
  const auto [r, phi] = polar(arr::array{3.0, 0.0}, arr::array{4.0, 2.0});
  EXPECT_EQ(r.to_vector<double>(), (vector<double>{5, 2}));
  EXPECT_NEAR(phi.item<double>({1}), 1.5707963267948966, 1e-15);
}

TEST(CppFuse, OneLambdaServesEachNumberOfOperandsAndThread) {
  const auto sum = arr::fuse([](auto... x) { return (x + ... + 0); });
  const arr::array a{1.0, 2.0};
  EXPECT_EQ(sum(a, a).to_vector<double>(), (vector<double>{2, 4}));
  vector<std::thread> threads;
  vector<double> totals(4);
  for (size_t i = 0; i < totals.size(); ++i) {
    threads.emplace_back([&, i] { totals[i] = sum(a, a, a).item<double>({1}); });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(totals, (vector<double>{6, 6, 6, 6}));
}

TEST(CppFuse, NumbersAreOperands) {
  const auto line = arr::fuse([](auto x, auto a, auto b) { return a * x + b; });
  const arr::array x{1.0F, 2.0F};
  EXPECT_EQ(line(x, 3, 0.5).to_vector<float>(), (vector<float>{3.5, 6.5}));
  EXPECT_EQ(line(2, x, x).to_vector<float>(), (vector<float>{3, 6}));
  EXPECT_EQ(line(x, arr::operand::typed(1.0), 1).dtype(), ARR_FLOAT64);
  arr::array dst = arr::zeros(2);
  line.into(dst, x, 2, -1);
  EXPECT_EQ(dst.to_vector<double>(), (vector<double>{1, 3}));
  const auto both = arr::fuse([](auto p, auto q) { return std::make_tuple(p + q, p - q); });
  const auto [plus, minus] = both(10, x);
  EXPECT_EQ(plus.to_vector<float>(), (vector<float>{11, 12}));
  EXPECT_EQ(minus.to_vector<float>(), (vector<float>{9, 8}));
  EXPECT_THROW(both(1, 2), arr::error);
}

TEST(CppFuse, LambdasMayNameTheTypeOfANodeAndReturnNumbers) {
  const arr::array x{1.0, 2.0};
  EXPECT_EQ(arr::fuse([](arr::node u) { return 2 * u; })(x).to_vector<double>(), (vector<double>{2, 4}));
  EXPECT_EQ(arr::fuse([](const arr::node&) { return 1.5; })(x).to_vector<double>(),
            (vector<double>{1.5, 1.5}));
}

TEST(CppFuse, FusedFunctionsAreOperandsOfFusedFunctions) {
  const auto square = arr::fuse([](auto x) { return x * x; });
  const auto scaled = arr::fuse([](auto x, auto a) { return a * x; });
  const auto norm = arr::fuse([=](auto x, auto y) { return sqrt(square(x) + scaled(square(y), 4)); });
  EXPECT_EQ(norm(arr::array{3.0, 0.0}, arr::array{2.0, 1.0}).to_vector<double>(), (vector<double>{5, 2}));
}

TEST(CppFuse, ManyOperandsAndResults) {
  const auto sum = arr::fuse([](auto... x) { return (x + ...); });
  const arr::array a{1.0, 2.0};
  EXPECT_EQ(sum(a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a).to_vector<double>(),
            (vector<double>{20, 40}));
  const auto powers = arr::fuse([](auto x) { return std::make_tuple(x, x * x, x + 1, x + 2, x + 3, x + 4); });
  EXPECT_EQ(std::get<5>(powers(a)).to_vector<double>(), (vector<double>{5, 6}));
}

TEST(CppKernel, ArgumentsHaveTheirTypes) {
  struct Factors {
    float a, b;
  };
  const arr::kernel_module m = arr::compile(R"(
    struct Factors { float a, b; };
    extern "C" __global__ void scale(float *x, int n, double offset, Factors f) {
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) x[i] = x[i] * f.a + f.b + offset;
    }
    template <class T> __global__ void twice(T *x, long long n) {
      long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
      if (i < n) x[i] += x[i];
    })");
  const arr::array x = arr::ones(100, ARR_FLOAT32);
  m["scale"].launch(2, 64, x, 100, 0.5, Factors{3, 1});
  EXPECT_EQ(x.item<float>({99}), 4.5F);
  m["twice<float>"].launch_linear(100, x, 100LL);
  EXPECT_EQ(x.item<float>({0}), 9.0F);
  m["twice<float>"].launch(1, 64, x(arr::slice(0, 2)),
                           2LL);  // part of an array: its view lives until the launch
  EXPECT_EQ(x.item<float>({1}), 18.0F);
  EXPECT_EQ(x.item<float>({2}), 9.0F);
  const auto alone = arr::compile("extern \"C\" __global__ void one(float *x) { x[0] = 1; }")["one"];
  alone.launch_linear(1, x(0));  // the kernel keeps its module
  EXPECT_EQ(x.item<float>({0}), 1.0F);
  EXPECT_THROW(m["scale"].launch(2, 64, x, 100.0, 0.5, Factors{3, 1}), arr::error);
  EXPECT_THROW(m["absent"], arr::error);
  EXPECT_THROW(arr::compile("__global__ void broken( {"), arr::error);
}

TEST(CppStream, WorkGoesToAStream) {
  const arr::stream s{arr::device::host()};
  const arr::array a = arr::add(arr::ones(1000), 1, s);
  s.sync();
  EXPECT_EQ(a.item<double>({999}), 2);
}

}  // namespace
