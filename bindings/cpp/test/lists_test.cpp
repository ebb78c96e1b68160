// SPDX-License-Identifier: MIT
// Functions of C++ whose results are lists, structs and memory of others.
#include <gtest/gtest.h>
#include <arr/arr.hpp>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using std::vector;

namespace {

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }

TEST(CppLists, ArraysAreSplit) {
  const arr::array a = arr::arange(12.0).reshape({3, 4});
  EXPECT_EQ(numbers(arr::split(a, 2, 1)[1]), (vector<double>{2, 3, 6, 7, 10, 11}));
  const auto parts = arr::array_split(a, 2);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].shape(), (arr::extents{2, 4}));
  EXPECT_EQ(numbers(arr::split_at(a, {1, 3}, -1)[1]), (vector<double>{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(arr::split_at(a, {}).size(), 1U);
  const auto rows = arr::unstack(a);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(numbers(rows[2]), (vector<double>{8, 9, 10, 11}));
  EXPECT_THROW(arr::split(a, 5), arr::error);
  EXPECT_THROW(arr::split(a, -1), arr::error);
  EXPECT_THROW(arr::unstack(a, 2), arr::error);
}

TEST(CppLists, IndicesAreLists) {
  const arr::array at{int64_t{5}, int64_t{7}};
  const auto indices = arr::unravel_index(at, {3, 4});
  ASSERT_EQ(indices.size(), 2U);
  EXPECT_EQ(indices[0].to_vector<int64_t>(), (vector<int64_t>{1, 1}));
  EXPECT_EQ(indices[1].to_vector<int64_t>(), (vector<int64_t>{1, 3}));
  EXPECT_EQ(arr::diag_indices(3, 2)[1].to_vector<int64_t>(), (vector<int64_t>{0, 1, 2}));
  const auto grid = arr::ix({at, at});
  EXPECT_EQ(grid[0].shape(), (arr::extents{2, 1}));
  EXPECT_EQ(arr::where(grid[0] > 6)[0].to_vector<int64_t>(), (vector<int64_t>{1}));
  EXPECT_EQ(arr::nonzero(grid[0]).size(), 2U);
  EXPECT_EQ(arr::broadcast_shapes({{3, 1}, {4}, {}}), (arr::extents{3, 4}));
  EXPECT_THROW(arr::broadcast_shapes({{3}, {4}}), arr::error);
  const auto series = arr::as_series({arr::array{1.0, 2.0, 0.0}, arr::array{3.0}});
  EXPECT_EQ(numbers(series[0]), (vector<double>{1, 2}));
}

TEST(CppLists, GradientsAreOnePerAxis) {
  const arr::array f{{1.0, 2.0, 6.0}, {3.0, 4.0, 5.0}};
  const auto both = arr::gradient(f), twice = arr::gradient(f, {2});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(numbers(both[0]), (vector<double>{2, 2, -1, 2, 2, -1}));
  EXPECT_EQ(numbers(both[1]), (vector<double>{1, 2.5, 4, 1, 1, 1}));
  EXPECT_EQ(numbers(twice[1]), (vector<double>{0.5, 1.25, 2, 0.5, 0.5, 0.5}));
  EXPECT_EQ(numbers(arr::gradient(f, {arr::array{0.0, 2.0, 4.0}}, 1)[0]), numbers(twice[1]));
  EXPECT_THROW(arr::gradient(f, {1, 2, 3}), arr::error);
}

TEST(CppLists, FactsAreStructs) {
  EXPECT_EQ(arr::finfo(ARR_FLOAT32).bits, 32);
  EXPECT_EQ(arr::iinfo(ARR_INT8).max.lo, 127);
  EXPECT_THROW(arr::iinfo(ARR_FLOAT64), arr::error);
  EXPECT_EQ(arr::version(), ARR_VERSION);
  EXPECT_GE(arr::device_list().size(), 1U);
  EXPECT_GT(arr::device_info(arr::device::host()).memory_bytes, 0);
  EXPECT_FALSE(arr::backend_probe(ARR_HOST).second.empty());
  const arr::array a = arr::ones({1000});
  EXPECT_GE(arr::memory_info().in_use, 8000);
  EXPECT_GE(arr::memory_pool_info().allocations, 1);
  EXPECT_GE(arr::pinned_info().allocations, 0);
  EXPECT_GE(arr::cache_info().hits, 0);
  EXPECT_GE(arr::fuse_info().programs, 0);
  EXPECT_GE(arr::expr_info().programs, 0);
  EXPECT_GE(arr::fft_cache_info().plans, 0);
}

TEST(CppLists, MemoryIsShared) {
  const int64_t live = arr::live_handles();
  auto told = std::make_shared<int>(0);
  {
    vector<double> mine{1, 2, 3, 4, 5, 6};
    const double* data = mine.data();
    arr::array a = arr::wrap(std::move(mine), {2, 3});
    EXPECT_EQ(a.elements<double>().data(), data);
    arr::set(a, vector<double>{6, 5, 4, 3, 2, 1});
    EXPECT_EQ(numbers(a(1)), (vector<double>{3, 2, 1}));
    EXPECT_EQ(arr::strides(a.T()), (vector<int64_t>{1, 3}));
    EXPECT_THROW(arr::set(a, vector<float>(6)), arr::error);
    EXPECT_THROW(arr::wrap(vector<int>{1, 2}, {3}), arr::error);
    const arr::array other = arr::from_dlpack(arr::to_dlpack(a));
    EXPECT_EQ(other.elements<double>().data(), data);
    double one = 7;
    EXPECT_EQ(arr::wrap(&one, {}, told).item<double>(), 7);
    EXPECT_THROW(arr::wrap(&one, {-1}, told), arr::error);
  }
  EXPECT_EQ(told.use_count(), 1);  // the array, and the one that was refused, let go
  EXPECT_EQ(arr::live_handles(), live);
}

TEST(CppLists, FilesHaveNames) {
  const std::string path = testing::TempDir() + "lists_test.npz";
  arr::savez(path, {{"x", arr::ones(3)}, {"a long name", arr::zeros({2, 2})}});
  EXPECT_EQ(arr::npz_names(path), (vector<std::string>{"a long name", "x"}));
  EXPECT_THROW(arr::npz_names(path + "/none"), arr::error);
  std::remove(path.c_str());
}

TEST(CppLists, ModulesHaveVariables) {
  const auto module = arr::compile(
      "__device__ float table[3] = {1, 2, 3};"
      "extern \"C\" __global__ void twice(float* x) { x[threadIdx.x] *= 2 * table[0]; }");
  EXPECT_EQ(module.global("table").second, 12);
  arr::array table = module.global_array<float>("table", {3});
  EXPECT_EQ(table.item<float>({1}), 2);
  table(0) = 5;
  arr::array x = arr::ones(4, ARR_FLOAT32);
  const auto twice = module["twice"];
  twice.launch(1, 4, x);
  EXPECT_EQ(x.item<float>({3}), 10);
  EXPECT_GE(twice.block_size().first, 1);
  EXPECT_GE(twice.occupancy(32), 1);
  EXPECT_THROW(module.global("none"), arr::error);
  EXPECT_THROW(arr::load_module("no image"), arr::error);
  EXPECT_THROW(arr::load_module_file("/none.ptx"), arr::error);
}

}  // namespace
