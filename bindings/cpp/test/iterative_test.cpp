// SPDX-License-Identifier: MIT
// Linear operators and iterative solvers in C++.
#include <gtest/gtest.h>
#include <arr/arr.hpp>

#include <cmath>
#include <stdexcept>
#include <vector>

using std::vector;

namespace {

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }

// -u'' on n points.
arr::sparse second_difference(int64_t n) {
  const arr::array two{2.0}, minus{-1.0};
  return arr::sparse_diags(n, n, {minus, two, minus}, {-1, 0, 1});
}
double distance(const arr::array& a, const arr::array& b) { return arr::max_abs(a - b).item<double>(); }

TEST(CppIterative, Operators) {
  const arr::sparse a = second_difference(3);
  const arr::linop op(a), two = 2 * op, sum = op + two, square = op * op;
  const arr::array x{1.0, 2.0, 4.0};
  EXPECT_EQ(op.rows(), 3);
  EXPECT_EQ(op.columns(), 3);
  EXPECT_EQ(op.dtype(), arr::float64);
  EXPECT_EQ(numbers(op * x), numbers(a * x));
  EXPECT_EQ(numbers(sum(x)), numbers(3 * (a * x)));
  EXPECT_EQ(numbers(square(x)), numbers(op.power(2)(x)));
  EXPECT_EQ(numbers(op.copy().T()(x)), numbers(op.adjoint()(x)));
  EXPECT_EQ(numbers(arr::linop::jacobi(a)(x)), (vector<double>{0.5, 1, 2}));
  EXPECT_EQ(numbers(arr::linop::diagonal(x)(x)), (vector<double>{1, 4, 16}));
  EXPECT_EQ(numbers(arr::linop::identity(3, arr::float64)(x)), numbers(x));
}

TEST(CppIterative, Functions) {
  const arr::sparse a = second_difference(5);
  const auto product = [&](const arr::array& x) { return a * x; };
  const arr::linop op(5, 5, arr::float64, product, product), alone(5, 5, arr::float64, product);
  const arr::array x = arr::linspace(0, 1, 5);
  EXPECT_EQ(numbers(op(x)), numbers(a * x));
  EXPECT_EQ(numbers(op.adjoint()(x)), numbers(a * x));
  EXPECT_THROW(alone(x, ARR_MATRIX_ADJOINT), arr::error);
  const arr::linop bad(5, 5, arr::float64,
                       [](const arr::array&) -> arr::array { throw std::out_of_range("no"); });
  EXPECT_THROW(bad(x), std::out_of_range);
  EXPECT_THROW(arr::solve_cg(bad, x), std::out_of_range);
  EXPECT_NO_THROW(op(x));
}

TEST(CppIterative, FactorsArePreconditioners) {
  const arr::sparse a = second_difference(20);
  const arr::linop m(arr::sparse_ic0(a));  // of three diagonals the whole factors
  arr::solve_options o;
  o.m = &m;
  EXPECT_LE(arr::solve_cg(a, arr::ones({20}), o).iterations, 2);
}

TEST(CppIterative, Solvers) {
  const arr::sparse a = second_difference(20);
  const arr::array x = arr::linspace(1, 2, 20), b = a * x;
  arr::solve_options o;
  o.rtol = 1e-12;
  const arr::linop jacobi = arr::linop::jacobi(a);
  for (const auto& s : {&arr::solve_cg, &arr::solve_minres, &arr::solve_bicgstab, &arr::solve_gmres,
                        &arr::solve_lgmres, &arr::solve_cgs, &arr::solve_tfqmr}) {
    o.m = s == &arr::solve_cg ? &jacobi : nullptr;
    o.restart = 20;
    const arr::solution got = s(a, b, o);
    EXPECT_TRUE(got) << got.info;
    EXPECT_LT(distance(got.x, x), 1e-8);
  }
  vector<int64_t> seen;
  o.callback = [&](int64_t i, double) {
    seen.push_back(i);
    return i == 3;
  };
  const arr::solution stopped = arr::solve_cg(a, b, o);
  EXPECT_FALSE(stopped);
  EXPECT_EQ(stopped.iterations, 3);
  EXPECT_EQ(seen, (vector<int64_t>{1, 2, 3}));
  o.callback = [](int64_t, double) -> bool { throw std::runtime_error("enough"); };
  EXPECT_THROW(arr::solve_cg(a, b, o), std::runtime_error);
  EXPECT_THROW(arr::solve_cg(a, arr::array{1.0}), arr::error);
}

TEST(CppIterative, LeastSquaresAndEigenvalues) {
  const arr::sparse a = second_difference(12);
  const arr::array x = arr::linspace(1, 2, 12), b = a * x;
  arr::lsqr_options o;
  o.atol = o.btol = 1e-13;
  o.maxiter = 100;
  EXPECT_LT(distance(arr::solve_lsqr(a, b, o).x, x), 1e-8);
  const arr::least_squares s = arr::solve_lsmr(a, b, o);
  EXPECT_LT(distance(s.x, x), 1e-8);
  EXPECT_GT(s.info.iterations, 0);
  const auto [w, v] = arr::eigsh(a, 2, ARR_EIGEN_SA);
  EXPECT_NEAR(numbers(w)[0], 2 - 2 * std::cos(3.14159265358979323846 / 13), 1e-12);
  EXPECT_LT(distance(a * v, v * w), 1e-12);
  const auto [values, vectors] = arr::eigs(a, 3, ARR_EIGEN_SR);
  EXPECT_LT(distance(arr::real(values(arr::slice(0, 2))), w), 1e-12);
  EXPECT_LT(distance(a * vectors, vectors * values), 1e-12);
  const auto [u, sigma, vh] = arr::svds(a, 2);
  EXPECT_NEAR(numbers(sigma)[1], 2 + 2 * std::cos(3.14159265358979323846 / 13), 1e-12);
  EXPECT_EQ(arr::onenormest(a), 4);
  const arr::array now = arr::expm_multiply(a, v), times = arr::expm_multiply(a, v, 0, 1, 3);
  EXPECT_LT(distance(now, v * arr::exp(w)), 1e-12);
  EXPECT_EQ(times.shape(), (arr::extents{3, 12, 2}));
  EXPECT_LT(distance(arr::expm_multiply(a, v, 1, 2, 2)(0), now), 1e-12);
  arr::lobpcg_options lo;
  lo.smallest = true;
  lo.tol = 1e-8;
  lo.maxiter = 100;
  EXPECT_NEAR(numbers(arr::lobpcg(a, v, lo).first)[0], numbers(w)[0], 1e-10);
}

}  // namespace
