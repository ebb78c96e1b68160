// SPDX-License-Identifier: MIT
// Linear operators and iterative solvers in C++.
#include <gtest/gtest.h>
#include <arr/arr.hpp>

#include <stdexcept>
#include <vector>

using std::vector;

namespace {

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }

// [4 1 0]
// [1 3 1]
// [0 1 2]
arr::array dense() { return arr::array{{4.0, 1.0, 0.0}, {1.0, 3.0, 1.0}, {0.0, 1.0, 2.0}}; }

// a x = (6, 10, 8)
const vector<double> expected{1, 2, 3};
// Tolerances that leave no doubt.
arr::solve_options tight() {
  arr::solve_options o;
  o.rtol = 1e-10;
  return o;
}
template <class Change>
arr::solve_options tight_but(Change change) {
  arr::solve_options o = tight();
  change(o);
  return o;
}
arr::array right() { return arr::array{6.0, 10.0, 8.0}; }

void expect_solution(const arr::solution& s) {
  EXPECT_TRUE(s.converged()) << s.info;
  const vector<double> x = numbers(s.x);
  ASSERT_EQ(x.size(), expected.size());
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-6);
}

TEST(CppIterative, SolversTakeMatricesAndOperators) {
  const arr::array d = dense();
  const arr::sparse a(d);
  const arr::linop by(3, 3, [&](const arr::array& x) { return arr::matmul(d, x); });
  expect_solution(arr::solve_cg(a, right(), tight()));
  expect_solution(arr::solve_cg(d, right(), tight()));
  expect_solution(arr::solve_cg(by, right(), tight()));
  expect_solution(arr::solve_cgs(a, right(), tight()));
  expect_solution(arr::solve_bicgstab(a, right(), tight()));
  expect_solution(arr::solve_gmres(a, right(), tight()));
  expect_solution(arr::solve_minres(a, right(), tight()));
  EXPECT_EQ(numbers(by * right()), numbers(arr::matmul(d, right())));
}

TEST(CppIterative, Options) {
  const arr::sparse a(dense());
  const arr::linop m = arr::linop_jacobi(a);
  expect_solution(arr::solve_cg(a, right(), tight_but([&](arr::solve_options& o) { o.m = &m; })));
  EXPECT_EQ(arr::solve_cg(a, right(), tight_but([](arr::solve_options& o) { o.maxiter = 1; })).info, 1);
  EXPECT_EQ(arr::solve_cg(a, right(), tight_but([](arr::solve_options& o) { o.maxiter = 0; })).iterations, 0);
  EXPECT_EQ(arr::solve_cg(a, right(), tight_but([](arr::solve_options& o) { o.rtol = 0, o.atol = 1e9; }))
                .iterations,
            0);
  EXPECT_EQ(arr::solve_cg(a, right(), tight_but([](arr::solve_options& o) {
                            o.x0 = arr::array{1.0, 2.0, 3.0};
                          }))
                .iterations,
            0);
  vector<double> residuals;
  arr::solve_options o = tight();
  o.callback = [&](int64_t iterations, double residual) {
    residuals.push_back(residual);
    return iterations == 2;
  };
  EXPECT_EQ(arr::solve_cg(a, right(), o).info, 2);
  ASSERT_FALSE(residuals.empty());
  EXPECT_LT(residuals.back(), residuals.front());
}

TEST(CppIterative, Operators) {
  const arr::linop a = arr::sparse(dense());
  EXPECT_EQ(a.rows(), 3);
  EXPECT_EQ(a.columns(), 3);
  EXPECT_EQ(a.dtype(), arr::float64);
  const arr::linop twice = arr::linop_scaled(arr::linop_sum(a, a), 0.5);
  EXPECT_EQ(numbers(twice * right()), numbers(a * right()));
  EXPECT_EQ(numbers(a.T() * right()), numbers(a.adjoint() * right()));
  EXPECT_EQ(numbers(arr::linop_power(a, 2) * right()), numbers(a * (a * right())));
}

TEST(CppIterative, WhatFunctionsThrowIsThrownAgain) {
  const arr::linop broken(3, 3, [](const arr::array&) -> arr::array { throw std::range_error("mine"); });
  EXPECT_THROW(arr::solve_cg(broken, right()), std::range_error);
  EXPECT_THROW(broken * right(), std::range_error);
  arr::solve_options o;
  o.callback = [](int64_t, double) -> bool { throw std::range_error("mine"); };
  EXPECT_THROW(arr::solve_cg(arr::sparse(dense()), right(), o), std::range_error);
  const arr::linop wrong(3, 3, [](const arr::array&) { return arr::zeros({2}); });
  EXPECT_THROW(wrong * right(), arr::error);
  EXPECT_THROW(broken.T() * right(), arr::error);
}

}  // namespace
