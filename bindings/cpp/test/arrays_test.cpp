// SPDX-License-Identifier: MIT
// arr.hpp: arrays, numbers, operators, indices, errors.
#include <gtest/gtest.h>

#include <arr/arr.hpp>
#include <cmath>
#include <complex>
#include <cstdint>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

namespace {

using std::vector;

vector<double> numbers(const arr::array& a) { return a.to_vector<double>(); }
arr::dtype filled_with(const arr::operand& x) { return arr::full({2}, x).dtype(); }

TEST(CppArrays, OperatorsTakeArraysAndNumbers) {
  const arr::array x{1.0, 2.0, 4.0};
  EXPECT_EQ(numbers(2 * x + 1), (vector<double>{3, 5, 9}));
  EXPECT_EQ(numbers(x / 2 - x), (vector<double>{-0.5, -1, -2}));
  EXPECT_EQ(numbers(1 - x), (vector<double>{0, -1, -3}));
  EXPECT_EQ(numbers(-x % 3), (vector<double>{2, 1, 2}));
  EXPECT_EQ((x > 1.5).to_vector<bool>(), (vector<bool>{false, true, true}));
  EXPECT_EQ(numbers(arr::where(x > 1.5, x, -1)), (vector<double>{-1, 2, 4}));
}

TEST(CppArrays, NumbersTakeTheElementTypeOfTheArray) {
  const arr::array x = arr::ones(3, ARR_FLOAT32);
  EXPECT_EQ((x * 2.5).dtype(), ARR_FLOAT32);
  EXPECT_EQ((x * arr::operand::typed(2.5)).dtype(), ARR_FLOAT64);
  const arr::array whole{int8_t{1}, int8_t{2}};
  EXPECT_EQ((whole + 1).dtype(), ARR_INT8);
  EXPECT_THROW(whole + 300, arr::error);
  const arr::array large{uint64_t{1} << 63};
  EXPECT_TRUE((large == (uint64_t{1} << 63)).item<bool>());
  EXPECT_EQ(large.item<uint64_t>(), uint64_t{1} << 63);
  EXPECT_THROW(large.item<int64_t>(), arr::error);
}

TEST(CppArrays, CopiesShareElementsAndMovesLeaveNothing) {
  const int64_t live = arr_live_handles();
  {
    arr::array a{1.0, 2.0};
    const arr::array b = a;
    a += 1;
    EXPECT_EQ(numbers(b), (vector<double>{2, 3}));
    arr::array c = std::move(a);
    EXPECT_FALSE(a.valid());  // NOLINT(bugprone-use-after-move): what a move leaves is the test
    c = b.copy();
    c *= 10;
    EXPECT_EQ(numbers(b), (vector<double>{2, 3}));
    EXPECT_EQ(numbers(c), (vector<double>{20, 30}));
    const arr::array& same = c;
    c = same;
    EXPECT_EQ(numbers(c), (vector<double>{20, 30}));
  }
  EXPECT_EQ(arr_live_handles(), live);
}

TEST(CppArrays, IndicesReadAndWrite) {
  arr::array a = arr::arange(12.0).reshape({3, 4});
  EXPECT_EQ(numbers(a(1)), (vector<double>{4, 5, 6, 7}));
  EXPECT_EQ(numbers(a(arr::colon, -1)), (vector<double>{3, 7, 11}));
  EXPECT_EQ(numbers(a(arr::slice(0, 2), arr::slice(1, arr::to_end, 2))), (vector<double>{1, 3, 5, 7}));
  EXPECT_EQ(numbers(a(0, arr::every(-1))), (vector<double>{3, 2, 1, 0}));
  EXPECT_EQ(numbers(a(arr::new_axis, arr::ellipsis, 0)), (vector<double>{0, 4, 8}));
  EXPECT_EQ(a(2, 3).item<double>(), 11);
  EXPECT_EQ(a.item<double>({-1, -1}), 11);
}

TEST(CppArrays, SelectionsAreAssignedTo) {
  arr::array a = arr::zeros({2, 3});
  a(0, arr::slice(0, 2)) = 5;
  a(1) = arr::array{1.0, 2.0, 3.0};
  a(a > 4) += 0.5;
  EXPECT_EQ(numbers(a), (vector<double>{5.5, 5.5, 0, 1, 2, 3}));
  arr::array counts = arr::zeros(3, ARR_INT64);
  counts(arr::array{int64_t{0}, int64_t{2}, int64_t{2}}) += 1;
  EXPECT_EQ(counts.to_vector<int64_t>(), (vector<int64_t>{1, 0, 2}));
  const auto part = a(arr::colon, arr::argsort(-a(0)));  // the indices stay alive with the selection
  EXPECT_EQ(numbers(part), (vector<double>{5.5, 5.5, 0, 1, 2, 3}));
  const auto copy = std::make_unique<arr::selection>(part);
  const arr::operand kept = a + 1, copied = kept;  // and arrays with operands
  EXPECT_EQ(numbers(arr::add(copied, *copy)), (vector<double>{12, 12, 1, 3, 5, 7}));
}

TEST(CppArrays, SelectionsHaveTheMethodsOfArrays) {
  arr::array a = arr::arange(12.0).reshape({3, 4});
  auto part = a(arr::slice(0, 2), arr::slice(0, 3));
  EXPECT_EQ(part.shape(), (arr::extents{2, 3}));
  EXPECT_EQ(part.ndim(), 2);
  EXPECT_EQ(part.size(), 6);
  EXPECT_EQ(part.dtype(), ARR_FLOAT64);
  EXPECT_EQ(part.device().type, ARR_HOST);
  EXPECT_EQ(numbers(part.T()), (vector<double>{0, 4, 1, 5, 2, 6}));
  EXPECT_EQ(numbers(part.copy().reshape({3, 2})(-1)), (vector<double>{5, 6}));
  EXPECT_EQ(part(1).to_vector<double>(), (vector<double>{4, 5, 6}));
  EXPECT_EQ(part(1)(arr::slice(1, 3)).str(), "[5. 6.]");
  EXPECT_EQ(part.item<double>({1, 2}), 6);
  EXPECT_EQ(part.astype<int32_t>().item<int>({0, 1}), 1);
  EXPECT_EQ(numbers(arr::matmul(part, part.T())), (vector<double>{5, 17, 17, 77}));
  part(1).fill(-1);
  a(2).fill(a(0));
  EXPECT_EQ(numbers(a), (vector<double>{0, 1, 2, 3, -1, -1, -1, 7, 0, 1, 2, 3}));
}

TEST(CppArrays, FunctionsTakeAxesAndReturnTuples) {
  const arr::array a = arr::array::from(vector<double>{3, 1, 2, 6, 5, 4}, {2, 3});
  EXPECT_EQ(arr::sum(a).item<double>(), 21);
  EXPECT_EQ(numbers(arr::sum(a, 0)), (vector<double>{9, 6, 6}));
  EXPECT_EQ(arr::sum(a, {0, 1}, true).shape(), (arr::extents{1, 1}));
  EXPECT_EQ(numbers(arr::sum(a, arr::axes(vector<int32_t>{}))), numbers(a));
  EXPECT_EQ(numbers(arr::sort(a)), (vector<double>{1, 2, 3, 4, 5, 6}));
  const auto [u, s, vh] = arr::svd(a, false);
  EXPECT_TRUE(arr::allclose(arr::matmul(u * s, vh), a, 1e-12, 1e-12).item<bool>());
  arr::array counts;
  const arr::array values =
      arr::unique(arr::array{2.0, 1.0, 2.0}, ARR_AXIS_NONE, ARR_UNIQUE_SORTED, nullptr, nullptr, &counts);
  EXPECT_EQ(numbers(values), (vector<double>{1, 2}));
  EXPECT_EQ(counts.to_vector<int64_t>(), (vector<int64_t>{1, 2}));
  EXPECT_EQ(numbers(arr::concatenate({a(0), a(1)}, 0)), numbers(a));
}

TEST(CppArrays, ErrorsSayWhatIsWrong) {
  const arr::array a{1.0, 2.0};
  try {
    a + arr::array{1.0, 2.0, 3.0};
    FAIL() << "shapes that do not broadcast were taken";
  } catch (const arr::error& e) {
    EXPECT_EQ(e.status(), ARR_E_SHAPE);
    EXPECT_NE(std::string(e.what()).find("arr_add"), std::string::npos) << e.what();
  }
  EXPECT_THROW(a.to_vector<float>(), arr::error);
  EXPECT_THROW(a(2).item<double>(), arr::error);
  EXPECT_THROW(arr::array().shape(), arr::error);
  EXPECT_THROW(arr::array::from(vector<double>{1, 2}, {3}), arr::error);
  EXPECT_THROW(arr::fftn(arr::ones({4, 4}), {0, 1}, {4}), arr::error);
}

TEST(CppArrays, ElementsAreReadInPlace) {
  arr::array a = arr::zeros(4, ARR_FLOAT32);
  for (float& x : a.elements<float>()) x = 2;
  EXPECT_EQ(arr::sum(a).item<float>(), 8);
  const arr::array strided = a(arr::every(2)), repeated = arr::broadcast_to(a, {2, 4});
  EXPECT_THROW(strided.elements<float>(), arr::error);
  EXPECT_THROW(repeated.elements<float>(), arr::error);
}

TEST(CppArrays, ArraysOfNestedListsAreMatrices) {
  const arr::array a{{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}};
  EXPECT_EQ(a.shape(), (arr::extents{2, 3}));
  EXPECT_EQ(numbers(a), (vector<double>{1, 2, 3, 4, 5, 6}));
  const arr::array whole = {{1, 2}, {3, 4}}, mask{{true, false}};
  EXPECT_EQ(whole.dtype(), arr::int32);
  EXPECT_EQ(mask.dtype(), arr::bool_);
  EXPECT_EQ(mask.shape(), (arr::extents{1, 2}));
  EXPECT_EQ(arr::array({{1, 2}, {3, 4}}, arr::device::host()).shape(), (arr::extents{2, 2}));
  EXPECT_THROW((arr::array{{1, 2}, {3}}), arr::error);
  EXPECT_EQ(arr::array{0}.size(), 1);
}

TEST(CppArrays, FullHasTheTypeOfItsNumber) {
  EXPECT_EQ(filled_with(true), arr::bool_);
  EXPECT_EQ(filled_with(7), arr::int64);
  EXPECT_EQ(filled_with(7U), arr::int64);
  EXPECT_EQ(filled_with(uint64_t{7}), arr::uint64);
  EXPECT_EQ(filled_with(1.5F), arr::float32);
  EXPECT_EQ(filled_with(1.5), arr::float64);
  EXPECT_EQ(filled_with(std::complex<float>(1, 2)), arr::complex64);
  EXPECT_EQ(filled_with(std::complex<double>(1, 2)), arr::complex128);
  EXPECT_EQ(filled_with(arr::operand::typed(int8_t{1})), arr::int8);
  EXPECT_EQ(arr::full({2}, std::complex<double>(1, 2)).item<std::complex<double>>({1}),
            std::complex<double>(1, 2));
  EXPECT_EQ(arr::full({2}, 1.5, arr::int32).dtype(), arr::int32);
  EXPECT_THROW(arr::full({2}, std::complex<double>(1, 2), ARR_FLOAT64), arr::error);
  EXPECT_THROW(arr::full_like(arr::ones(2), std::complex<float>(1, 2)), arr::error);
  EXPECT_THROW(arr::ones(2).fill(std::complex<double>(0, 1)), arr::error);
  EXPECT_THROW(arr::ones(2)(0) = std::complex<double>(0, 1), arr::error);
  EXPECT_EQ((arr::ones(2) + 0.1F).dtype(), arr::float64);  // a plain number all the same
  EXPECT_EQ((arr::ones(2, arr::float32) * std::complex<double>(0, 1)).dtype(), arr::complex64);
}

TEST(CppArrays, ElementTypesAreArguments) {
  const arr::array three = arr::arange(3, ARR_FLOAT32), two = arr::arange(1, 3, arr::int8);
  EXPECT_EQ(three.dtype(), arr::float32);
  EXPECT_EQ(three.size(), 3);
  EXPECT_EQ(two.to_vector<int8_t>(), (vector<int8_t>{1, 2}));
  EXPECT_EQ(arr::float32.name(), "float32");
  EXPECT_EQ(ARR_FLOAT32, 11);
  EXPECT_THROW(arr::sum(three, int64_t{1} << 32), arr::error);  // which is no axis, and not axis 0
  EXPECT_THROW(arr::cumsum(three, uint64_t{0} - 1), arr::error);
  EXPECT_THROW(arr::axis(UINT32_MAX), arr::error);
}

TEST(CppArrays, GeneratorsTakeTheirSeeds) {
  const auto drawn = [](const arr::generator& g) { return numbers(g.uniform({4})); };
  EXPECT_EQ(drawn(arr::generator(0)), drawn(arr::generator(0)));
  EXPECT_EQ(drawn(arr::generator(42)), drawn(arr::generator_create({42})));
  EXPECT_NE(drawn(arr::generator(0)), drawn(arr::generator(42)));
  EXPECT_FALSE(arr::generator());
  arr::array indices = arr::random_integers(0, 3, {1000}, false, arr::generator(1));
  EXPECT_EQ(arr::max(indices).item<int>(), 2);
  arr::random_integers_into(indices, 0, 3, false, arr::generator(1));
  EXPECT_EQ(arr::max(indices).item<int>(), 2);
  EXPECT_EQ(arr::generator(1).integers(0, 3, {1000}, true).max().item<int>(), 3);
}

TEST(CppArrays, QuartersAreOneUnlessTheyAreGiven) {
  const arr::array a = arr::array{{1.0, 2.0}, {3.0, 4.0}};
  EXPECT_EQ(numbers(arr::rot90(a)), (vector<double>{2, 4, 1, 3}));
}

/** All values of a 16-bit type, and floats at and beside the middles between neighbours, as the library casts
 * them. */
template <class T>
void all_values() {
  const arr::array bits = arr::arange(65536, arr::uint16);
  arr::array all = arr::view(bits, arr::dtype_of<T>::value);
  vector<float> floats, near;
  for (T x : all.elements<T>()) floats.push_back(x);
  const auto right = all.astype<float>().template to_vector<float>();
  for (size_t i = 0; i < right.size(); ++i) {
    if (std::isnan(right[i])) {
      EXPECT_TRUE(std::isnan(floats[i])) << i;
      continue;
    }
    EXPECT_EQ(floats[i], right[i]) << i;
    const float next = i + 1 < right.size() ? right[i + 1] : 0;
    const float middle = right[i] / 2 + next / 2;
    for (float x : {right[i], middle, std::nextafter(middle, next), std::nextafter(middle, right[i])})
      near.push_back(x);
  }
  const auto cast = arr::array::from(near).astype<T>().template to_vector<T>();
  for (size_t i = 0; i < near.size(); ++i) {
    if (std::isnan(near[i])) continue;
    EXPECT_EQ(T(near[i]).bits(), cast[i].bits()) << near[i];
  }
  EXPECT_TRUE(std::isnan(T(std::nanf(""))));
}

TEST(CppArrays, EachIntegerTypeIsAnElement) {
  EXPECT_EQ((arr::array{1L, 2L}).dtype(), arr::int64);
  EXPECT_EQ((arr::array{1LL, 2LL}).dtype(), arr::int64);
  EXPECT_EQ(arr::array::from(vector<unsigned long long>{3, 4}).to_vector<uint64_t>(),
            (vector<uint64_t>{3, 4}));
}

TEST(CppArrays, HalvesAreElements) {
  all_values<arr::float16_t>();
  all_values<arr::bfloat16_t>();
  arr::array a{arr::float16_t(1), arr::float16_t(0.1F)};
  EXPECT_EQ(a.dtype(), arr::float16);
  EXPECT_EQ(a.item<arr::float16_t>({1}) * 2, 0.199951171875F);
  for (arr::float16_t& x : a.elements<arr::float16_t>()) x = x * 2;
  EXPECT_EQ(a.item<double>({0}), 2);
  EXPECT_EQ(arr::ones(2, arr::bfloat16).to_vector<arr::bfloat16_t>()[1], 1);
  EXPECT_EQ((a * arr::operand::typed(arr::float16_t(0.5F))).dtype(), arr::float16);
}

TEST(CppArrays, TextAndNumbersOfEachType) {
  EXPECT_EQ(arr::array({1.0, 2.0}).str(), "[1. 2.]");
  testing::internal::CaptureStdout();
  arr::print(arr::array{1.0, 2.0});
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "[1. 2.]\n");
  std::ostringstream shapes;
  shapes << arr::extents{2, 3} << arr::extents{3} << arr::extents{};
  EXPECT_EQ(shapes.str(), "(2, 3)(3,)()");
  const arr::array z{std::complex<float>(1, -2)};
  EXPECT_EQ(z.item<std::complex<double>>(), std::complex<double>(1, -2));
  EXPECT_EQ((z * std::complex<double>(0, 1)).item<std::complex<float>>({0}), std::complex<float>(2, 1));
  EXPECT_THROW(arr::array{300}.item<int8_t>(), arr::error);
  EXPECT_THROW(arr::array{-1}.item<uint32_t>(), arr::error);
  EXPECT_THROW(arr::array{1.5}.item<int>(), arr::error);
}

}  // namespace
