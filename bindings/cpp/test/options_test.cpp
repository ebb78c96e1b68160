// SPDX-License-Identifier: MIT
// Options as structs of C++: their defaults are those of the C API, and what they hold reaches it.
#include <gtest/gtest.h>
#include <arr/arr.hpp>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

namespace {

/** A file that lives as long as the object. */
struct file {
  std::string path = testing::TempDir() + "arr_options_test.csv";
  explicit file(const std::string& text = {}) { std::ofstream(path) << text; }
  ~file() { std::remove(path.c_str()); }
  [[nodiscard]] std::string text() const {
    std::ifstream from(path);
    return {std::istreambuf_iterator<char>(from), {}};
  }
};

TEST(Options, DefaultsAreThoseOfC) {
  const file table("1 2 3 # a comment\n4 5 6\n");
  EXPECT_TRUE(arr::array_equal(arr::loadtxt(table.path), arr::loadtxt(table.path, {})));
  EXPECT_EQ(arr::loadtxt(table.path).to_vector<double>(), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  arr_savetxt_options none{};
  none.struct_size = sizeof none;
  const arr::array a = arr::arange(4.0).reshape({2, 2});
  arr::check(arr_savetxt(a.get(), table.path.data(), -1, &none, nullptr));
  const std::string by_c = table.text();
  arr::savetxt(a, table.path);
  EXPECT_EQ(table.text(), by_c);
}

TEST(Options, TablesOfText) {
  const file table("x;y;z\n1;2;3\n4;?;6\n7;8;9\ntotal;;\n");
  arr::text_options options;
  options.delimiter = ";";
  options.skip_rows = 1;
  options.skip_footer = 1;
  options.columns = {2, -2};
  options.missing = "?";
  options.filling = -1;
  options.dtype = arr::float32;
  const arr::array a = arr::genfromtxt(table.path, options);
  EXPECT_EQ(a.dtype(), arr::float32);
  EXPECT_EQ(a.shape(), (arr::extents{3, 2}));
  EXPECT_EQ(a.to_vector<float>(), (std::vector<float>{3, 2, 6, -1, 9, 8}));
  options.max_rows = 1;
  options.min_dims = 2;
  EXPECT_EQ(arr::genfromtxt(table.path, options).shape(), (arr::extents{1, 2}));
  options.filling = {};  // nan again
  options.max_rows = 0;
  EXPECT_TRUE(std::isnan(arr::genfromtxt(table.path, options).item<float>({1, 1})));
  options.columns = {7};
  EXPECT_THROW(arr::genfromtxt(table.path, options), arr::error);
}

TEST(Options, TextsThatAreWritten) {
  const file table;
  arr::savetxt_options options;
  options.format = "%.1f";
  options.delimiter = ",";
  options.newline = ";\n";
  options.header = "a,b";
  options.comments = "";
  arr::savetxt(arr::arange(4.0).reshape({2, 2}), table.path, options);
  EXPECT_EQ(table.text(), "a,b;\n0.0,1.0;\n2.0,3.0;\n");
}

TEST(Options, ListsAndNumbers) {
  arr::pad_options ends;
  ends.values = {7, 8.0};
  const arr::array a = arr::pad(arr::array{1.0, 2.0}, {1, 2}, ARR_PAD_CONSTANT, ends);
  EXPECT_EQ(a.to_vector<double>(), (std::vector<double>{7, 1, 2, 8, 8}));
  arr::histogram_options bins;
  bins.range = {0, 4};
  bins.weights = arr::array{1.0, 2.0, 3.0};
  bins.density = true;
  const auto [counts, edges] = arr::histogram(arr::array{0.5, 3.5, 9.0}, 2, {}, bins);
  EXPECT_EQ(edges.to_vector<double>(), (std::vector<double>{0, 2, 4}));
  EXPECT_EQ(counts.to_vector<double>(), (std::vector<double>{1.0 / 6, 2.0 / 6}));
}

TEST(Options, OptionalNumbersAndMasks) {
  const arr::array m{{1.0, 2.0, 4.0}, {3.0, 5.0, 1.0}};
  arr::cov_options options;
  options.columns = true;
  options.ddof = 0;
  EXPECT_EQ(arr::cov(m, options).shape(), (arr::extents{3, 3}));
  EXPECT_EQ(arr::cov(m, options).item<double>({0, 0}), 1);
  options.ddof.reset();
  EXPECT_EQ(arr::cov(m, options).item<double>({0, 0}), 2);
}

TEST(Options, StructsAreCopied) {
  arr::text_options one;
  one.columns = {1, 2};
  const arr::text_options other = one;
  one.columns.clear();
  EXPECT_EQ(other.columns.size(), 2U);
}

}  // namespace
