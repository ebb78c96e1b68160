// SPDX-License-Identifier: MIT
// Quantiles over the fake against sorted rows and the same formulas: every dtype, every class of shapes,
// every method.
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/scalar.h"
//
#include "math/quantile.h"
#include "support.h"

namespace arr::cuda_test {
namespace {

struct Case {
  DType dtype = DType::float64_;
  int64_t rows = 1, n = 1;
  int32_t values = 0;  // number of distinct ones; 0: any
  double nans = 0;     // share of the elements
  QuantileMethod method = QuantileMethod::linear;
  bool skip_nan = false;
};

template <class T>
std::vector<char> elements(const Case& c) {
  std::mt19937_64 random(static_cast<uint64_t>(c.n * 31 + c.rows));
  std::vector<T> x(static_cast<size_t>(c.rows * c.n));
  for (T& v : x) {
    const uint64_t r = random();
    if constexpr (std::is_floating_point_v<T>) {
      std::normal_distribution<double> normal(0, 100);
      v = static_cast<T>(c.values != 0 ? static_cast<double>(r % static_cast<uint64_t>(c.values)) - 1
                                       : normal(random));
      const double kind = static_cast<double>(random() >> 11) * 0x1p-53;
      if (kind < c.nans) v = std::numeric_limits<T>::quiet_NaN();
      if (kind > 0.98) v = std::numeric_limits<T>::infinity();
      if (kind > 0.99) v = -std::numeric_limits<T>::infinity();
    } else {
      v = static_cast<T>(c.values != 0 ? r % static_cast<uint64_t>(c.values) : r);
    }
  }
  return bytes_of(x);
}

bool picks(QuantileMethod m) {
  return m == QuantileMethod::lower || m == QuantileMethod::higher || m == QuantileMethod::nearest ||
         m == QuantileMethod::inverted_cdf || m == QuantileMethod::closest_observation;
}

// The same by sorting; `out` is [q][row].
template <class T>
std::vector<double> sorted(const Case& c, const std::vector<char>& bytes, const std::vector<double>& q) {
  const std::vector<T> x = values_of<T>(bytes);
  std::vector<double> out(q.size() * static_cast<size_t>(c.rows));
  const auto rows = static_cast<size_t>(c.rows), n = static_cast<size_t>(c.n);
  for (size_t r = 0; r < rows; ++r) {
    std::vector<T> row;
    for (size_t i = 0; i < n; ++i) {
      const T v = x[r * n + i];
      if (v == v) row.push_back(v);
    }
    const bool nothing = row.empty() || (row.size() != n && !c.skip_nan);
    std::sort(row.begin(), row.end());
    for (size_t i = 0; i < q.size(); ++i) {
      double& result = out[i * rows + r];
      result = std::numeric_limits<double>::quiet_NaN();
      if (nothing) continue;
      const int method = static_cast<int>(c.method);
      const arr_quantile_position p = arr_quantile_at(method, q[i], static_cast<int64_t>(row.size()));
      const auto low = static_cast<double>(row[static_cast<size_t>(p.low)]);
      const auto high = static_cast<double>(row[static_cast<size_t>(p.high)]);
      result = picks(c.method) ? low : arr_quantile_between(method, low, high, p.between);
    }
  }
  return out;
}

template <class T>
void check_type(const Case& c, const std::vector<double>& q) {
  const std::vector<char> x = elements<T>(c);
  const std::vector<double> want = sorted<T>(c, x, q);
  const Memory from(x), to(want.size() * (picks(c.method) ? sizeof(T) : sizeof(double)));
  QuantileCall call;
  call.dtype = c.dtype;
  call.rows = c.rows;
  call.n = c.n;
  call.nq = static_cast<int64_t>(q.size());
  call.q = q.data();
  call.method = c.method;
  call.skip_nan = c.skip_nan;
  call.elements = picks(c.method);
  call.data = from.data();
  call.out = to.data();
  ARR_WORKS(cuda().statistics->quantiles(0, &call, nullptr, &error));
  std::vector<double> got;
  if (call.elements) {
    for (T v : values_of<T>(to.get())) got.push_back(static_cast<double>(v));
  } else {
    got = values_of<double>(to.get());
  }
  ASSERT_EQ(got.size(), want.size());
  // To the last bit, but nan is nan.
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_TRUE(got[i] == want[i] || (std::isnan(got[i]) && std::isnan(want[i])))
        << i << " gives " << got[i] << ", want " << want[i];
  }
}

void check(const Case& c, const std::vector<double>& q) {
  SCOPED_TRACE(text(name(c.dtype), " ", c.rows, " x ", c.n, ", ", c.values, " values, method ",
                    static_cast<int>(c.method), c.skip_nan ? ", nan left out" : ""));
  Case truth = c;
  truth.values = 2;
  switch (c.dtype) {
    case DType::bool_:
      return check_type<uint8_t>(truth, q);
    case DType::int8_:
      return check_type<int8_t>(c, q);
    case DType::uint8_:
      return check_type<uint8_t>(c, q);
    case DType::int16_:
      return check_type<int16_t>(c, q);
    case DType::uint16_:
      return check_type<uint16_t>(c, q);
    case DType::int32_:
      return check_type<int32_t>(c, q);
    case DType::uint32_:
      return check_type<uint32_t>(c, q);
    case DType::int64_:
      return check_type<int64_t>(c, q);
    case DType::uint64_:
      return check_type<uint64_t>(c, q);
    case DType::float32_:
      return check_type<float>(c, q);
    default:
      return check_type<double>(c, q);
  }
}

const std::vector<double> some_q = {0.5, 0, 0.999, 1, 0.25, 0.25};
std::vector<double> many_q(int32_t n) {
  std::vector<double> q;
  for (int32_t i = 0; i < n; ++i) q.push_back((i * 37 % n) / static_cast<double>(n));
  return q;
}

const DType real_types[] = {DType::bool_,   DType::int8_,    DType::uint8_,  DType::int16_,
                            DType::uint16_, DType::int32_,   DType::uint32_, DType::int64_,
                            DType::uint64_, DType::float32_, DType::float64_};

TEST_F(CudaTest, QuantilesOfEveryTypeInEveryClassOfShapes) {
  struct Shape {
    int64_t rows, n;
  };
  // A warp for a row; a block for a row; several blocks for a row, of which the last has less to do.
  for (const Shape s : {Shape{1, 1}, Shape{9, 100}, Shape{3, 1500}, Shape{2, 20011}}) {
    for (DType d : real_types) {
      for (int32_t values : {0, 3}) {
        check({d, s.rows, s.n, values, 0, QuantileMethod::linear, false}, some_q);
        check({d, s.rows, s.n, values, 0, QuantileMethod::median, false}, {0.5});
      }
    }
  }
}

TEST_F(CudaTest, QuantilesByEveryMethodWithAndWithoutNan) {
  for (const DType d : {DType::float32_, DType::float64_}) {
#ifdef __SANITIZE_THREAD__
    // A switch between fibers costs it a look at the clock of each of them; the other tests have long rows.
    if (d != DType::float32_) continue;
    constexpr int64_t longest = 64;
#else
    constexpr int64_t longest = 17000;
#endif
    for (const int64_t n : {int64_t{2}, int64_t{5}, int64_t{64}, int64_t{2000}, int64_t{17000}}) {
      if (n > longest) continue;
      // Long rows differ in how ranks are found, not in which: four methods and the median stand for all.
      for (int32_t m = 0; m <= 13; m += n > 64 && m != 12 ? 4 : 1) {
        const QuantileMethod method = m == 13 ? QuantileMethod::median : static_cast<QuantileMethod>(m);
        for (const double nans : {0.0, 0.3, 1.0}) {
          for (const bool skip : {false, true}) check({d, 3, n, 0, nans, method, skip}, some_q);
        }
      }
    }
  }
}

// More at a time than a launch takes, not in order, close to each other or the same.
TEST_F(CudaTest, ManyQuantiles) {
  for (const int64_t n : {int64_t{50}, int64_t{3000}, int64_t{20000}}) {
    for (const int32_t count : {4, 5, 8, 9, 33, 100}) {
      check({DType::float64_, 2, n, 0, 0, QuantileMethod::linear, false}, many_q(count));
      check({DType::int16_, 2, n, 7, 0, QuantileMethod::nearest, false}, many_q(count));
    }
  }
}

// One step of the selection follows the other without the host waiting for any.
TEST_F(CudaTest, QuantilesNeverWait) {
  const Memory from(8 * 40000), to(8);
  const double q = 0.5;
  QuantileCall call;
  call.dtype = DType::float64_;
  call.rows = 1;
  call.n = 40000;
  call.nq = 1;
  call.q = &q;
  call.data = from.data();
  call.out = to.data();
  arr_fake_cuda_reset();
  ARR_WORKS(cuda().statistics->quantiles(0, &call, nullptr, &error));
  EXPECT_EQ(arr_fake_cuda_calls("cuLaunchKernel"), 9);  // 8 bits each, and what follows the element
  EXPECT_EQ(arr_fake_cuda_calls("cuStreamSynchronize"), 0);
  EXPECT_EQ(arr_fake_cuda_calls("cuCtxSynchronize"), 0);
  EXPECT_EQ(arr_fake_cuda_calls("cuMemcpyDtoHAsync_v2"), 0);
}

}  // namespace
}  // namespace arr::cuda_test
