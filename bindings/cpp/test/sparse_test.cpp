// SPDX-License-Identifier: MIT
// Sparse matrices in C++.
#include <gtest/gtest.h>
#include <arr/arr.hpp>

#include <cstdio>
#include <sstream>
#include <vector>

using std::vector;

namespace {

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }

// [1 0 2]
// [0 0 3]
arr::sparse matrix() {
  return arr::sparse_coo(2, 3, arr::array{3.0, 1.0, 2.0}, arr::array{1, 0, 0}, arr::array{2, 0, 2});
}

TEST(CppSparse, PropertiesAndParts) {
  const arr::sparse a = matrix(), c = a.to(arr::sparse_format::csr);
  EXPECT_EQ(a.rows(), 2);
  EXPECT_EQ(a.columns(), 3);
  EXPECT_EQ(a.nnz(), 3);
  EXPECT_EQ(a.dtype(), arr::float64);
  EXPECT_EQ(a.format(), arr::sparse_format::coo);
  EXPECT_EQ(numbers(a.data()), (vector<double>{3, 1, 2}));
  EXPECT_EQ(a.row().to_vector<int32_t>(), (vector<int32_t>{1, 0, 0}));
  EXPECT_EQ(numbers(c.data()), (vector<double>{1, 2, 3}));
  EXPECT_EQ(c.indices().to_vector<int32_t>(), (vector<int32_t>{0, 2, 2}));
  EXPECT_EQ(c.indptr().to_vector<int32_t>(), (vector<int32_t>{0, 2, 3}));
  EXPECT_TRUE(arr::sparse_is_canonical(c));
  EXPECT_EQ(numbers(a.copy().to_dense()), (vector<double>{1, 0, 2, 0, 0, 3}));
  EXPECT_EQ(numbers(a.T().to_dense()), (vector<double>{1, 0, 0, 0, 2, 3}));
  EXPECT_THROW(a.indptr(), arr::error);
  EXPECT_THROW(c.indices().fill(0), arr::error);
}

TEST(CppSparse, DataAndExistingArrays) {
  const arr::sparse a = matrix();
  EXPECT_EQ(numbers(a.with_data(arr::array{6.0, 5.0, 4.0}).to_dense()), (vector<double>{5, 0, 4, 0, 0, 6}));
  arr::array y{1.0, 1.0};
  const arr::array x{1.0, 2.0, 3.0};
  arr::sparse_matmul_into(y, a, x, 2.0, 10.0);
  EXPECT_EQ(numbers(y), (vector<double>{24, 28}));
  arr::sparse_matmul_into(y, a, x);
  EXPECT_EQ(numbers(y), (vector<double>{7, 9}));
}

TEST(CppSparse, Semirings) {
  const arr::sparse a = matrix(), b = a.T();
  const arr::array x{5.0, 6.0, 7.0};
  EXPECT_EQ(numbers(arr::sparse_semiring_matmul(ARR_REDUCTION_MIN, ARR_OP_ADD, a, x)),
            (vector<double>{6, 10}));
  const arr::sparse all = arr::sparse_semiring_product(ARR_REDUCTION_MAX, ARR_OP_MULTIPLY, a, b);
  EXPECT_EQ(numbers(all.to_dense()), (vector<double>{4, 6, 6, 9}));
  const arr::sparse some = arr::sparse_semiring_product(ARR_REDUCTION_SUM, ARR_OP_MULTIPLY, a, b,
                                                        arr::sparse_eye(2, 2, 0, arr::float64));
  EXPECT_EQ(numbers(some.to_dense()), (vector<double>{5, 0, 0, 9}));
  const arr::sparse others = arr::sparse_semiring_product(ARR_REDUCTION_SUM, ARR_OP_MULTIPLY, a, b,
                                                          arr::sparse_eye(2, 2, 0, arr::float64), true);
  EXPECT_EQ(numbers(others.to_dense()), (vector<double>{0, 6, 6, 0}));
  const arr::sparse sampled =
      arr::sparse_sampled_matmul(a, arr::array{1.0, 2.0}.reshape({2, 1}), x.reshape({1, 3}));
  EXPECT_EQ(numbers(sampled.to_dense()), (vector<double>{5, 0, 7, 0, 0, 14}));
}

TEST(CppSparse, Expressions) {
  const arr::array x{1.0, 2.0, 3.0};
  const auto positive = arr::fuse([](auto y, auto c) { return maximum(y + c, 0); });
  EXPECT_EQ(numbers(positive.matmul(matrix(), x, arr::array{-10.0, 1.0})), (vector<double>{0, 10}));
  EXPECT_EQ(numbers(arr::fuse([](auto y) { return -y; }).matmul(matrix(), x)), (vector<double>{-7, -9}));
}

TEST(CppSparse, Indices) {
  const arr::sparse a = matrix().to(arr::sparse_format::csr);
  EXPECT_EQ(numbers(a(1).to_dense()), (vector<double>{0, 0, 3}));
  EXPECT_EQ(numbers(a(arr::colon, arr::array{2, 0}).to_dense()), (vector<double>{2, 1, 3, 0}));
  EXPECT_EQ(numbers(a(arr::every(-1), arr::slice(1, 3)).to_dense()), (vector<double>{0, 3, 0, 2}));
  EXPECT_EQ(numbers(a.elements(arr::array{0, 1}, arr::array{0, -1})), (vector<double>{1, 3}));
  EXPECT_EQ(numbers(a.with_items(a(0), 1).to_dense()), (vector<double>{1, 0, 2, 1, 0, 2}));
  EXPECT_EQ(numbers(arr::sparse_with_elements(a, arr::array{0, 1}, arr::array{0, 1}, 5).to_dense()),
            (vector<double>{5, 0, 2, 0, 5, 3}));
  EXPECT_THROW(a(2), arr::error);
}

TEST(CppSparse, Structure) {
  const arr::sparse a = matrix();
  EXPECT_EQ(numbers(arr::sparse_diagonal(a, 2)), (vector<double>{2}));
  EXPECT_EQ(numbers(arr::sparse_with_diagonal(a, 9, 0).to_dense()), (vector<double>{9, 0, 2, 0, 9, 3}));
  EXPECT_EQ(numbers(arr::sparse_tril(a, 0).to_dense()), (vector<double>{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(numbers(arr::sparse_reshape(a, 3, -1).to_dense()), (vector<double>{1, 0, 2, 0, 0, 3}));
  const arr::sparse k = arr::sparse_kron(a(0, 0), a, arr::sparse_format::csr);
  EXPECT_EQ(numbers(k.to_dense()), numbers(a.to_dense()));
  EXPECT_EQ(arr::sparse_concatenate({&a, &k}, 0).rows(), 4);
  const arr::sparse diagonal = arr::sparse_block_diag({&a, &a}),
                    block = arr::sparse_block({&a, nullptr, nullptr, &a}, 2);
  EXPECT_EQ(numbers(block.to_dense()), numbers(diagonal.to_dense()));
}

TEST(CppSparse, Operators) {
  const arr::sparse a = matrix(), b(a.to_dense());
  EXPECT_EQ(numbers(a * arr::array{1.0, 2.0, 3.0}), (vector<double>{7, 9}));
  EXPECT_EQ(numbers(arr::array{1.0, 2.0} * a), (vector<double>{1, 0, 8}));
  EXPECT_EQ(numbers((a * b.T()).to_dense()), (vector<double>{5, 6, 6, 9}));
  EXPECT_EQ(numbers((a + 2 * b - a / 2.0).to_dense()), (vector<double>{2.5, 0, 5, 0, 0, 7.5}));
  EXPECT_EQ((a - b).nnz(), 0);
  EXPECT_EQ(numbers((-a * 2).to_dense()), (vector<double>{-2, 0, -4, 0, 0, -6}));
  EXPECT_EQ(numbers(a.sum(0)), (vector<double>{1, 0, 5}));
  EXPECT_EQ(numbers(a.sum(1)), (vector<double>{3, 3}));
  EXPECT_EQ(a.sum().item<double>(), 6);
  EXPECT_EQ(a.mean().item<double>(), 1);
  EXPECT_EQ(numbers(a.max(0)), (vector<double>{1, 0, 3}));
  EXPECT_EQ(a.min().item<double>(), 0);
  EXPECT_THROW(a * arr::array{1.0}, arr::error);
}

// Needs SuperLU, which may not be here.
TEST(CppSparse, Factors) {
  const arr::sparse a(arr::array{2.0, 1.0, 0.0, 4.0}.reshape({2, 2}));
  const arr::array b{5.0, 8.0};
  EXPECT_EQ(numbers(arr::sparse_solve_triangular(a, b)), (vector<double>{1.5, 2}));
  EXPECT_EQ(numbers(arr::sparse_solve_triangular(a, b, arr::matrix_op::transposed)),
            (vector<double>{2.5, 1.375}));
  EXPECT_EQ(numbers(arr::sparse_ilu0(a).solve(b)), (vector<double>{1.5, 2}));
  EXPECT_EQ(arr::sparse_ilu0(a).info().kind, ARR_FACTOR_ILU0);
  const arr::sparse_factor incomplete = arr::sparse_ilut(a, 1e-4, 10, 0.1);
  EXPECT_EQ(incomplete.info().kind, ARR_FACTOR_ILUT);
  EXPECT_EQ(numbers(incomplete.solve(b)), (vector<double>{1.5, 2}));
  arr::sparse_factor f;
  try {
    f = arr::sparse_lu(a);
  } catch (const arr::error& e) {
    if (e.status() == ARR_E_UNAVAILABLE) GTEST_SKIP() << e.what();
    throw;
  }
  EXPECT_EQ(numbers(f.solve(b)), (vector<double>{1.5, 2}));
  EXPECT_EQ(numbers(f.solve(b, arr::matrix_op::transposed)), (vector<double>{2.5, 1.375}));
  EXPECT_EQ(numbers(arr::sparse_solve(a, b)), (vector<double>{1.5, 2}));
  EXPECT_EQ(numbers((f.lower() * f.upper()).to_dense()).size(), 4U);
  EXPECT_EQ(f.perm_r().size() + f.perm_c().size(), 4);
  EXPECT_EQ(f.info().n, 2);
  EXPECT_EQ(numbers(arr::sparse_refactor(f, a * 2.0).solve(b)), (vector<double>{0.75, 1}));
}

TEST(CppSparse, CholeskyFactors) {
  const arr::array x = arr::array{4.0, 2.0, 2.0, 5.0}.reshape({2, 2});
  const arr::sparse a(x);
  const arr::array b{8.0, 16.0};
  const arr::sparse_factor f = arr::sparse_cholesky(a, false, ARR_FILL_NATURAL);
  EXPECT_EQ(f.info().kind, ARR_FACTOR_CHOLESKY);
  EXPECT_EQ(numbers(f.solve(b)), (vector<double>{0.5, 3}));
  EXPECT_EQ(numbers(arr::sparse_refactor(f, a * 2.0).solve(b)), (vector<double>{0.25, 1.5}));
  EXPECT_EQ(numbers(f.solve(a).to_dense()), (vector<double>{1, 0, 0, 1}));
  const arr::sparse_factor g = arr::sparse_ldl(a * -1.0, true, ARR_FILL_NATURAL);
  EXPECT_EQ(numbers(g.solve(b)), (vector<double>{-0.5, -3}));
  EXPECT_EQ(numbers(g.lower().to_dense()), (vector<double>{1, 0, 0.5, 1}));
  EXPECT_EQ(numbers(g.upper().to_dense()), (vector<double>{-4, -2, 0, -4}));
  EXPECT_THROW(arr::sparse_cholesky(a * -1.0), arr::error);
}

TEST(CppSparse, Graphs) {
  // 0 -> 1 -> 2, and 3 alone.
  const arr::sparse a = arr::sparse_coo(4, 4, arr::array{2.0, 3.0}, arr::array{0, 1}, arr::array{1, 2});
  const auto [count, labels] = arr::csgraph_connected_components(a);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(labels.to_vector<int32_t>(), (vector<int32_t>{0, 0, 0, 1}));
  const auto [order, before] = arr::csgraph_breadth_first_order(a, 0, true);
  EXPECT_EQ(order.to_vector<int32_t>(), (vector<int32_t>{0, 1, 2}));
  EXPECT_EQ(before.to_vector<int32_t>(), (vector<int32_t>{-9999, 0, 1, -9999}));
  const auto [far, last, nearest] =
      arr::csgraph_shortest_path(a, ARR_CSGRAPH_AUTO, arr::array{2}, ARR_CSGRAPH_UNDIRECTED);
  EXPECT_EQ(numbers(far), (vector<double>{5, 3, 0, ARR_INFINITY}));
  EXPECT_EQ(arr::csgraph_minimum_spanning_tree(a).nnz(), 2);
  EXPECT_NEAR(arr::csgraph_pagerank(a).sum().item<double>(), 1, 1e-12);
}

TEST(CppSparse, MoreDimensions) {
  const arr::array i{1, 0}, j{2, 1}, k{3, 0};
  const arr::sparse a = arr::sparse_coo_nd({2, 3, 4}, arr::array{5.0, 7.0}, {i, j, k});
  EXPECT_EQ(a.shape(), (vector<int64_t>{2, 3, 4}));
  EXPECT_EQ(arr::sparse_coords(a, 1).to_vector<int32_t>(), (vector<int32_t>{2, 1}));
  const arr::array dense = a.to_dense();
  EXPECT_EQ(numbers(arr::sparse_permute_dims(a).to_dense()), numbers(arr::transpose(dense)));
  EXPECT_EQ(arr::sparse_permute_dims(a, {2, 0, 1}).shape(), (vector<int64_t>{4, 2, 3}));
  EXPECT_EQ(numbers(arr::sparse_reduce_axes(ARR_REDUCTION_SUM, a, {0, 2})), (vector<double>{0, 7, 5}));
  EXPECT_EQ(arr::sparse_reduce_axes(ARR_REDUCTION_MAX, a).item<double>(), 7);
  const arr::sparse matrix = arr::sparse_reshape_nd(a + a, {-1, 4});
  EXPECT_EQ(matrix.rows(), 6);
  EXPECT_EQ(numbers(matrix * arr::ones({4})), (vector<double>{0, 14, 0, 0, 0, 10}));
  EXPECT_EQ(numbers(arr::sparse_tensordot(a, a, {0, 1, 2}, {0, 1, 2}).to_dense()).at(0), 74);
  EXPECT_THROW(a.T(), arr::error);
  EXPECT_EQ(a.items(arr::colon, 1, arr::array{3, 0}).shape(), (vector<int64_t>{2, 2}));
  EXPECT_EQ(numbers(a.items(1, 2, arr::every(-1)).to_dense()), (vector<double>{5, 0, 0, 0}));
  EXPECT_EQ(arr::sparse_concatenate_nd({&a, &a}, 1).shape(), (vector<int64_t>{2, 6, 4}));
  const arr::sparse stacked = arr::sparse_stack({&a, &a}, 0);
  EXPECT_EQ(stacked.shape(), (vector<int64_t>{2, 2, 3, 4}));
  EXPECT_EQ(numbers(stacked.items(1).to_dense()), numbers(dense));
  EXPECT_EQ(arr::sparse_argmax(a, 2).to_vector<int64_t>(), (vector<int64_t>{0, 0, 0, 0, 0, 3}));
  EXPECT_THROW(a.items(2), arr::error);
  const arr::sparse other = a.with_items_nd(a.items(0), 1);
  EXPECT_EQ(numbers(other.items(1).to_dense()), numbers(a.items(0).to_dense()));
  EXPECT_EQ(numbers(other.items(0).to_dense()), numbers(a.items(0).to_dense()));
}

TEST(CppSparse, RandomNormsTextFiles) {
  arr::sparse_random(3, 3, 1.0);  // of the process's generator
  const arr::sparse a = arr::sparse_random(20, 10, 0.25, arr::sparse_format::csr, arr::generator(1));
  EXPECT_EQ(a.nnz(), 50);
  const arr::array dense = a.to_dense();
  EXPECT_NEAR(arr::sparse_norm(a).item<double>(), arr::norm(dense).item<double>(), 1e-12);
  EXPECT_NEAR(arr::sparse_norm(a, 1).item<double>(), arr::norm(dense, 1).item<double>(), 1e-12);
  EXPECT_EQ(arr::sparse_norm(a, 2, 1).size(), 20);
  const arr::sparse one(arr::array{0.0, 2.5}.reshape({1, 2}));
  std::ostringstream text;
  text << one;
  EXPECT_EQ(text.str(),
            "<Compressed Sparse Row sparse array of dtype 'float64'\n"
            "\twith 1 stored elements and shape (1, 2)>\n  Coords\tValues\n  (0, 1)\t2.5");
  const std::string path = ::testing::TempDir() + "arr_sparse_test.mtx";
  arr::sparse_save_mtx(a, path);
  EXPECT_EQ(numbers(arr::sparse_load_mtx(path).to_dense()), numbers(dense));
  EXPECT_EQ(std::remove(path.c_str()), 0);
}

}  // namespace
