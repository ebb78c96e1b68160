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
