// SPDX-License-Identifier: MIT
// Distributed arrays in C++.
#include <arr/arr.hpp>

#include <cstdio>
#include <vector>

#include "ranks.h"

using std::vector;

namespace {

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }

// 0, 1, ... in a shape.
arr::array counted(const arr::extents& shape, int64_t n) { return arr::arange(double(n)).reshape(shape); }

TEST(CppDist, Parts) {
  on_ranks(2, [](const arr::comm& c) {
    const auto rows = arr::decomposition::blocks(c, {5, 2});
    EXPECT_EQ(rows.shape(), (vector<int64_t>{5, 2}));
    EXPECT_EQ(rows.shape(0), (vector<int64_t>{3, 2}));
    EXPECT_EQ(rows.indices(1, 0).to_vector<int64_t>(), (vector<int64_t>{3, 4}));
    const arr::dist a =
        c.rank() == 1 ? arr::dist::scatter(rows, counted({5, 2}, 10), 1) : arr::dist::scatter(rows, {}, 1);
    EXPECT_EQ(a.dtype(), ARR_FLOAT64);
    EXPECT_EQ(numbers(a.part())[0], c.rank() == 0 ? 0 : 6);
    EXPECT_EQ(numbers(a.gather()), numbers(counted({5, 2}, 10)));
    EXPECT_EQ(a.gather(0).get() != nullptr, c.rank() == 0);
    const auto uneven = arr::decomposition::counts(c, {5, 2}, {1, 4});
    const auto owned = arr::decomposition::owners(c, {5, 2}, {1, 0}, 1);
    EXPECT_EQ(numbers(a.redistribute(uneven).redistribute(owned).part()),
              c.rank() == 0 ? (vector<double>{1, 3, 5, 7, 9}) : (vector<double>{0, 2, 4, 6, 8}));
    const arr::dist whole =
        arr::dist::from_part(arr::decomposition::blocks(c, {2}, {1}), arr::array{1.0, 2.0});
    EXPECT_EQ(numbers((a * whole).gather())[9], 18);
    EXPECT_EQ(a.transpose().shape(), (vector<int64_t>{2, 5}));
    EXPECT_EQ(numbers(a.slice(0, 2, 4).gather()), (vector<double>{4, 5, 6, 7}));
  });
}

TEST(CppDist, Operators) {
  on_ranks(3, [](const arr::comm& c) {
    const auto by = arr::decomposition::blocks(c, {4});
    const arr::dist a = c.rank() == 0 ? arr::dist::scatter(by, counted({4}, 4)) : arr::dist::scatter(by);
    EXPECT_EQ(numbers((2.0 * a + a / 2 - 1).gather()), (vector<double>{-1, 1.5, 4, 6.5}));
    EXPECT_EQ((a > 1).gather().to_vector<bool>(), (vector<bool>{false, false, true, true}));
    EXPECT_EQ(numbers((-a).gather())[3], -3);
    EXPECT_EQ(numbers(arr::dist::evaluate("x * x + y", {&a, &a}).gather()), (vector<double>{0, 2, 6, 12}));
    EXPECT_EQ(a.sum().item<double>(), 6);
    EXPECT_EQ(a.mean().item<double>(), 1.5);
    EXPECT_EQ(a.max().item<double>() - a.min().item<double>(), 3);
    EXPECT_EQ(a.reduce(ARR_REDUCTION_SUM, {}, true).shape(), (vector<int64_t>{1}));
    EXPECT_EQ(numbers(a.accumulate(ARR_OP_ADD).gather()), (vector<double>{0, 1, 3, 6}));
    EXPECT_EQ(numbers((-a).sort().gather()), (vector<double>{-3, -2, -1, 0}));
    EXPECT_THROW(a + arr::dist::zeros(arr::decomposition::blocks(c, {5})), arr::error);
  });
}

TEST(CppDist, Halos) {
  on_ranks(2, [](const arr::comm& c) {
    const auto by = arr::decomposition::blocks(c, {4});
    const arr::dist u = arr::dist::zeros(by, ARR_FLOAT64, {1});
    u.assign(c.rank() == 0 ? arr::dist::scatter(by, counted({4}, 4)) : arr::dist::scatter(by));
    u.exchange({1});
    EXPECT_EQ(numbers(u.memory()),
              c.rank() == 0 ? (vector<double>{3, 0, 1, 2}) : (vector<double>{1, 2, 3, 0}));
    arr::fill(u.part(), 7.0 + c.rank());
    {
      arr::halo_exchange halo(u);
      halo.end();
    }
    EXPECT_EQ(numbers(u.part({1}))[1], c.rank() == 0 ? 8 : 0);
  });
}

TEST(CppDist, Whole) {
  on_ranks(2, [](const arr::comm& c) {
    const auto by = arr::decomposition::blocks(c, {4, 4});
    arr::generator g(1), alone(1);
    const arr::dist a = arr::dist::random(by, g, ARR_DISTRIBUTION_NORMAL);
    const arr::array whole = alone.normal({4, 4});
    EXPECT_EQ(numbers(a.gather()), numbers(whole));
    EXPECT_TRUE(arr::allclose(a.matmul(a).gather(), arr::matmul(whole, whole)));
    EXPECT_TRUE(arr::allclose(a.fftn().gather(), arr::fftn(whole)));
    EXPECT_TRUE(arr::allclose(a.fftn({}, false).ifftn().gather(), whole));
    EXPECT_TRUE(arr::allclose(a.rfftn().irfftn(4).gather(), whole));
    const std::string path = testing::TempDir() + "cpp_dist.npy";
    a.save_npy(path);
    EXPECT_EQ(numbers(arr::dist::load_npy(by, path).gather()), numbers(whole));
    c.barrier();
    if (c.rank() == 0) std::remove(path.c_str());
  });
}

}  // namespace
