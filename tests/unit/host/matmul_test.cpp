// SPDX-License-Identifier: MIT
// Matrix products against three nested loops in long double (integers: wrapping): every dtype, memory order
// of each matrix, batches with broadcasting, degenerate extents.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <vector>

#include "backend/matmul.h"
#include "host/elementwise/parallel.h"
#include "host/libraries/lapack.h"
#include "host/linalg/calls.h"
#include "host/linalg/tiles.h"
#include "unit/host/support.h"

namespace arr::test {
namespace {

enum class Order { c, f, rows_apart, columns_apart, reversed };
constexpr Order orders[] = {Order::c, Order::f, Order::rows_apart, Order::columns_apart, Order::reversed};

struct Stack {
  std::vector<char> memory;
  int64_t offset = 0, row = 0, col = 0, batch = 0;
  [[nodiscard]] const char* at(int64_t b, int64_t i, int64_t j) const {
    return memory.data() + offset + b * batch + i * row + j * col;
  }
};

// `count` matrices one after the other; small whole numbers and halves, so that float16 products are exact.
Stack make_stack(DType d, int64_t count, int64_t rows, int64_t cols, Order order) {
  const int64_t item = item_size(d);
  Stack s;
  s.row = (order == Order::f ? 1 : order == Order::rows_apart ? cols + 3 : cols) * item;
  s.col = (order == Order::f ? rows : 1) * item;
  if (order == Order::columns_apart) {
    s.row *= 2;
    s.col *= 2;
  }
  s.batch = (rows * (cols + 3) * 2 + 1) * item;
  s.memory.resize(static_cast<size_t>(std::max<int64_t>(count * s.batch, item)));
  const auto n = static_cast<int64_t>(s.memory.size()) / item;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t v = i * 2654435761 % 8191 % 7 - 3;
    const bool real = is_floating(d) || is_complex(d);
    Scalar x = real ? scalar_of(static_cast<double>(v) / 2) : scalar_of(v);
    x = convert(x, d);
    if (d == DType::complex128_) x.hi = scalar_of(static_cast<double>(v % 3)).lo;
    if (d == DType::complex64_)
      x.lo |= convert(scalar_of(static_cast<double>(v % 3)), DType::float32_).lo << 32;
    store(x, s.memory.data() + i * item);
  }
  if (order == Order::reversed) {
    s.offset = (rows - 1) * s.row;
    s.row = -s.row;
  }
  return s;
}

struct Case {
  DType dtype;
  int64_t m, n, k;
  Order a = Order::c, b = Order::c, c = Order::c;
  int64_t count = 1;
  bool share_b = false;  // one b for the whole batch
};

uint64_t integer_product(const Case& t, const Stack& a, const Stack& b, int64_t at, int64_t i, int64_t j) {
  uint64_t sum = 0;
  for (int64_t l = 0; l < t.k; ++l) {
    const uint64_t x = convert(load(a.at(at, i, l), t.dtype), DType::int64_).lo;
    const uint64_t y = convert(load(b.at(at, l, j), t.dtype), DType::int64_).lo;
    sum = t.dtype == DType::bool_ ? sum | (x & y) : sum + x * y;
  }
  return sum;
}

// The numbers of one matrix, row after row.
std::vector<std::complex<long double>> numbers(DType d, const Stack& s, int64_t at, int64_t rows,
                                               int64_t cols) {
  std::vector<std::complex<long double>> all;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < cols; ++j) {
      const Scalar x = load(s.at(at, i, j), d);
      all.emplace_back(real_part(x), imaginary_part(x));
    }
  }
  return all;
}

void check(const Case& t, const Stack& a, const Stack& b, const Stack& c) {
  for (int64_t at = 0; at < t.count; ++at) {
    const auto left = numbers(t.dtype, a, at, t.m, t.k), right = numbers(t.dtype, b, at, t.k, t.n);
    for (int64_t i = 0; i < t.m; ++i) {
      for (int64_t j = 0; j < t.n; ++j) {
        const Scalar got = load(c.at(at, i, j), t.dtype);
        if (!is_floating(t.dtype) && !is_complex(t.dtype)) {
          const Scalar want = convert({DType::int64_, integer_product(t, a, b, at, i, j), 0}, t.dtype);
          ASSERT_EQ(got, want) << name(t.dtype) << " at " << i << ", " << j << ": " << show(got);
          continue;
        }
        long double re = 0, im = 0;
        for (int64_t l = 0; l < t.k; ++l) {
          const auto x = left[static_cast<size_t>(i * t.k + l)], y = right[static_cast<size_t>(l * t.n + j)];
          re += x.real() * y.real() - x.imag() * y.imag();
          im += x.real() * y.imag() + x.imag() * y.real();
        }
        // Every partial sum is a multiple of 1/4 and small: exact but for the rounding to 16 bits.
        const long double error = t.dtype == DType::float16_    ? 0x1p-11L
                                  : t.dtype == DType::bfloat16_ ? 0x1p-8L
                                                                : 0;
        ASSERT_LE(std::fabs(real_part(got) - re), error * std::fabs(re)) << name(t.dtype) << " " << show(got);
        ASSERT_LE(std::fabs(imaginary_part(got) - im), error * std::fabs(im)) << name(t.dtype);
      }
    }
  }
}

void run_case(const Case& t) {
  Stack a = make_stack(t.dtype, t.count, t.m, t.k, t.a);
  Stack b = make_stack(t.dtype, t.share_b ? 1 : t.count, t.k, t.n, t.b);
  Stack c = make_stack(t.dtype, t.count, t.m, t.n, t.c);
  if (t.share_b) b.batch = 0;
  MatmulCall call;
  call.dtype = t.dtype;
  call.m = t.m;
  call.n = t.n;
  call.k = t.k;
  call.nbatch = t.count == 1 ? 0 : 1;
  call.batch_shape = &t.count;
  call.a = {a.memory.data() + a.offset, a.row, a.col, &a.batch};
  call.b = {b.memory.data() + b.offset, b.row, b.col, &b.batch};
  call.c = {c.memory.data() + c.offset, c.row, c.col, &c.batch};
  host::matmul(call);
  check(t, a, b, c);
}

class HostMatmul : public testing::Test {
 protected:
  void SetUp() override {
    std::string report;
    if (!host::blas_report(&report)) GTEST_SKIP() << "OpenBLAS is not here: " << report;
  }
};

TEST_F(HostMatmul, EveryDtypeAndOrder) {
  for (DType d : all_dtypes) {
    for (Order a : orders) {
      for (Order b : orders) {
        for (Order c : orders) {
          ASSERT_NO_FATAL_FAILURE(run_case({d, 7, 5, 6, a, b, c}));
        }
      }
    }
  }
}

TEST_F(HostMatmul, EveryDtypeAndExtent) {
  for (DType d : all_dtypes) {
    for (int64_t m : {0, 1, 2, 33}) {
      for (int64_t n : {0, 1, 3, 70}) {
        for (int64_t k : {0, 1, 5, 40}) {
          ASSERT_NO_FATAL_FAILURE(run_case({d, m, n, k}));
          ASSERT_NO_FATAL_FAILURE(run_case({d, m, n, k, Order::f, Order::rows_apart, Order::f}));
        }
      }
    }
    ASSERT_NO_FATAL_FAILURE(run_case({d, 150, 130, 140}));
  }
}

TEST_F(HostMatmul, Batches) {
  for (DType d : {DType::bool_, DType::int32_, DType::float16_, DType::float32_, DType::complex128_}) {
    for (bool share : {false, true}) {
      ASSERT_NO_FATAL_FAILURE(run_case({d, 4, 3, 5, Order::c, Order::c, Order::c, 17, share}));
      ASSERT_NO_FATAL_FAILURE(run_case({d, 4, 3, 5, Order::f, Order::columns_apart, Order::f, 300, share}));
      ASSERT_NO_FATAL_FAILURE(run_case({d, 40, 30, 50, Order::c, Order::f, Order::c, 9, share}));
    }
  }
}

// Sizes that the loops for stacks of small matrices take: rows and columns that fill their blocks or do not,
// depths that are few or many, a left matrix of any order; and sizes next to these, which BLAS takes.
TEST_F(HostMatmul, StacksOfMiddleSizes) {
  for (DType d : {DType::float16_, DType::float32_, DType::float64_, DType::complex64_}) {
    for (Order a : orders) {
      ASSERT_NO_FATAL_FAILURE(run_case({d, 96, 96, 97, a, Order::c, Order::c, 2}));
      ASSERT_NO_FATAL_FAILURE(run_case({d, 61, 133, 120, a, Order::rows_apart, Order::rows_apart, 2}));
    }
    for (int64_t n : {31, 32, 64, 112, 143, 160, 200}) {
      ASSERT_NO_FATAL_FAILURE(run_case({d, 47, n, 200, Order::c, Order::c, Order::f, 2, n % 2 == 0}));
    }
    ASSERT_NO_FATAL_FAILURE(run_case({d, 20, 260, 256, Order::c, Order::reversed, Order::c, 2}));
    ASSERT_NO_FATAL_FAILURE(run_case({d, 20, 260, 257, Order::c, Order::c, Order::c, 2}));
    ASSERT_NO_FATAL_FAILURE(run_case({d, 40, 48, 40, Order::c, Order::c, Order::c, 300}));
    ASSERT_NO_FATAL_FAILURE(run_case({d, 64, 40, 25, Order::f, Order::f, Order::c, 300, true}));
  }
}

TEST(Tiles, AreSmallOrAsManyAsThreads) {
  constexpr int64_t extents[] = {1, 3, 16, 64, 257, 1000, 3000};
  for (const int64_t rows : extents) {
    for (const int64_t cols : extents) {
      for (const int64_t k : extents) {
        const host::ProductShape shape{rows, cols, k};
        const host::Tiles equal = host::equal_tiles(shape), small = host::small_tiles(shape);
        EXPECT_LE(host::Tiles::parts(rows, equal.rows) * host::Tiles::parts(cols, equal.cols),
                  host::concurrency());
        EXPECT_TRUE(equal.rows >= 1 && equal.rows <= rows && equal.cols >= 1 && equal.cols <= cols);
        EXPECT_TRUE(small.rows >= 1 && small.rows <= rows && small.cols >= 1 && small.cols <= cols);
        const int64_t most = host::small_tiles_pay(shape) ? 1'000'000 : INT64_MAX;
        EXPECT_LE(small.rows * small.cols * k, most);
      }
    }
  }
  EXPECT_TRUE(host::small_tiles_pay({1000, 3000, 16}));
  EXPECT_FALSE(host::small_tiles_pay({1000, 1000, 1000}));
}

}  // namespace
}  // namespace arr::test
