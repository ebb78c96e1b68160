// SPDX-License-Identifier: MIT
// Sparse matrices beside Eigen 3.4: its time divided by libarr's, medians of runs in alternation.
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/Sparse>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <arr/arr.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The five-point Laplacian of n x n points.
Matrix laplacian(int n) {
  std::vector<Eigen::Triplet<double>> t;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const int at = i * n + j;
      t.emplace_back(at, at, 4.0);
      if (i > 0) t.emplace_back(at, at - n, -1.0);
      if (i + 1 < n) t.emplace_back(at, at + n, -1.0);
      if (j > 0) t.emplace_back(at, at - 1, -1.0);
      if (j + 1 < n) t.emplace_back(at, at + 1, -1.0);
    }
  }
  Matrix m(n * n, n * n);
  m.setFromTriplets(t.begin(), t.end());
  m.makeCompressed();
  return m;
}

double seconds(const std::function<void()>& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}

void compare(const char* name, const std::function<void()>& ours, const std::function<void()>& theirs) {
  std::vector<double> a, b;
  ours();
  theirs();
  for (int i = 0; i < 7; ++i) {
    a.push_back(seconds(ours));
    b.push_back(seconds(theirs));
  }
  std::printf("%-28s %8.3f ms, Eigen %8.3f ms, ratio %.2f\n", name, 1e3 * median(a), 1e3 * median(b),
              median(b) / median(a));
}

}  // namespace

int main() {
  const Matrix m = laplacian(1000);
  const int64_t n = m.rows(), nnz = m.nonZeros();
  const arr::sparse a =
      arr::sparse_csr(n, n, arr::array::from(m.valuePtr(), {nnz}), arr::array::from(m.innerIndexPtr(), {nnz}),
                      arr::array::from(m.outerIndexPtr(), {n + 1}));
  const Eigen::VectorXd x = Eigen::VectorXd::Random(n);
  const Dense many = Dense::Random(n, 32);
  Eigen::VectorXd y(n);
  Dense products(n, 32);
  arr::array ours_y = arr::zeros({n}), ours_products = arr::zeros({n, 32});
  const arr::array ours_x = arr::array::from(x.data(), {n}),
                   ours_many = arr::array::from(many.data(), {n, 32});
  compare(
      "A x", [&] { arr::sparse_matmul_into(ours_y, a, ours_x); }, [&] { y.noalias() = m * x; });
  compare(
      "A times 32 columns", [&] { arr::sparse_matmul_into(ours_products, a, ours_many); },
      [&] { products.noalias() = m * many; });
  compare(
      "A A", [&] { (void)arr::sparse_product(a, a); }, [&] { const Matrix c = m * m; });
  const Matrix square = m * m;
  const arr::sparse ours_square = arr::sparse_product(a, a);
  compare(
      "A + A A", [&] { (void)(a + ours_square); }, [&] { const Matrix c = m + square; });
  const Matrix less = laplacian(256);
  const int64_t k = less.rows(), stored = less.nonZeros();
  const arr::sparse b = arr::sparse_csr(k, k, arr::array::from(less.valuePtr(), {stored}),
                                        arr::array::from(less.innerIndexPtr(), {stored}),
                                        arr::array::from(less.outerIndexPtr(), {k + 1}));
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(k);
  const arr::array right = arr::full({k}, 1.0);
  arr::solve_options options;
  options.rtol = 1e-8;
  compare(
      "cg, 256 x 256 points", [&] { (void)arr::solve_cg(b, right, options); },
      [&] {
        Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner> cg(less);
        cg.setTolerance(1e-8);
        y = cg.solve(ones);
      });
  compare(
      "Cholesky, 256 x 256 points", [&] { (void)arr::sparse_cholesky(b).solve(right); },
      [&] {
        const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> f{Eigen::SparseMatrix<double>(less)};
        y = f.solve(ones);
      });
}
