// SPDX-License-Identifier: MIT
// The loops of sorts at every instruction-set level: networks over rows, columns and arrays, by the 0-1
// principle (what sorts all sequences of zeros and ones sorts all) where that is short, else of random
// numbers.
#include "host/loops/sorting/sorting.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>
#include <random>
#include <vector>

#include "host/sorting/key_sort.h"

namespace arr::test {
namespace {

template <class U>
class HostNetworks : public testing::Test {
 protected:
  static constexpr int index = host::width_index(sizeof(U));

  // Numbers of few or of many values; all bits of the type occur.
  std::vector<U> numbers(int64_t n, bool few) {
    std::vector<U> x(static_cast<size_t>(n));
    for (U& v : x) v = static_cast<U>(few ? (random_() % 3) * static_cast<U>(~U{0} / 2) : random_());
    return x;
  }
  // Each row or column of a matrix in order, and all else as it was.
  static void expect_rows(std::vector<U> x, int64_t n, int64_t ld) {
    std::vector<U> want = x;
    for (int64_t r = 0; r < host::network_rows(sizeof(U)); ++r) {
      std::sort(want.begin() + r * ld, want.begin() + r * ld + n);
    }
    host::sorting_loops().rows[index](n, ld, x.data());
    ASSERT_EQ(x, want) << "rows of " << n;
  }
  static void expect_columns(std::vector<U> x, int64_t n, int64_t ld) {
    std::vector<U> want = x;
    for (int64_t c = 0; c < host::network_bytes / static_cast<int64_t>(sizeof(U)); ++c) {
      std::vector<U> column;
      for (int64_t i = 0; i < n; ++i) column.push_back(x[static_cast<size_t>(i * ld + c)]);
      std::sort(column.begin(), column.end());
      for (int64_t i = 0; i < n; ++i) want[static_cast<size_t>(i * ld + c)] = column[static_cast<size_t>(i)];
    }
    host::sorting_loops().columns[index](n, ld, x.data());
    ASSERT_EQ(x, want) << "columns of " << n;
  }
  // Sorts in place and into another array, whose integers beyond the end must not change.
  static void expect_sort(const std::vector<U>& x) {
    std::vector<U> want = x;
    std::sort(want.begin(), want.end());
    want.push_back(U{77});
    const auto n = static_cast<int64_t>(x.size());
    for (const bool to_other : {false, true}) {
      std::vector<U> from = x, other(x.size() + 1, U{77});
      from.push_back(U{77});
      host::sorting_loops().sort[index](n, from.data(), other.data(), to_other);
      ASSERT_EQ(to_other ? other : from, want) << n << " integers";
      ASSERT_EQ((to_other ? from : other).back(), U{77});
    }
  }
  static void expect_divide(const std::vector<U>& x, U pivot) {
    std::vector<U> want = x, from = x, other(x.size());
    const auto n = static_cast<int64_t>(x.size());
    const int64_t m = host::sorting_loops().divide[index](n, from.data(), pivot, other.data());
    ASSERT_EQ(m, std::count_if(x.begin(), x.end(), [&](U v) { return v < pivot; }));
    ASSERT_TRUE(std::all_of(from.begin(), from.begin() + m, [&](U v) { return v < pivot; }));
    std::copy(other.begin() + m, other.end(), from.begin() + m);
    std::sort(from.begin(), from.end());
    std::sort(want.begin(), want.end());
    ASSERT_EQ(from, want) << n << " integers";
  }

  std::mt19937_64 random_{7};
};
using Keys = testing::Types<uint8_t, uint16_t, uint32_t, uint64_t>;
TYPED_TEST_SUITE(HostNetworks, Keys, );

TYPED_TEST(HostNetworks, SortRowsOfZerosAndOnes) {
  using U = TypeParam;
  const int64_t rows = host::network_rows(sizeof(U));
  for (int64_t n = 1; n <= 12; ++n) {
    for (int64_t first = 0; first < int64_t{1} << n; first += rows) {
      std::vector<U> x(static_cast<size_t>(rows * n));
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t i = 0; i < n; ++i)
          x[static_cast<size_t>(r * n + i)] = static_cast<U>((first + r) >> i & 1);
      }
      this->expect_rows(x, n, n);
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(HostNetworks, SortRowsAndColumns) {
  using U = TypeParam;
  const int64_t rows = host::network_rows(sizeof(U)),
                across = host::network_bytes / static_cast<int64_t>(sizeof(U));
  for (int64_t n = 1; n <= host::max_network_length; ++n) {
    for (const bool few : {false, true}) {
      this->expect_rows(this->numbers(rows * (n + n % 3), few), n, n + n % 3);
      this->expect_columns(this->numbers(n * (across + n % 5), few), n, across + n % 5);
      if (this->HasFatalFailure()) return;
    }
  }
}

TYPED_TEST(HostNetworks, SortAndDivide) {
  using U = TypeParam;
  for (int64_t n = 0; n < 5000; n = n < 600 ? n + 1 : n * 9 / 8 + 1) {
    for (const bool few : {false, true}) {
      const std::vector<U> x = this->numbers(n, few);
      this->expect_sort(x);
      for (const U pivot : {U{0}, static_cast<U>(~U{0} / 2), static_cast<U>(~U{0})})
        this->expect_divide(x, pivot);
      if (this->HasFatalFailure()) return;
    }
  }
}

// Orders that are bad for some pivots.
TYPED_TEST(HostNetworks, SortPatterns) {
  using U = TypeParam;
  for (const int64_t n : {511, 512, 513, 1024, 1025, 20000}) {
    for (int pattern = 0; pattern < 7; ++pattern) {
      std::vector<U> x = this->numbers(n, false);
      if (pattern == 6) std::nth_element(x.begin(), x.begin() + n / 2, x.end());
      for (int64_t i = 0; i < n && pattern < 6; ++i) {
        const int64_t values[] = {
            i, n - i, std::min(i, n - i), i % 100, i == n / 2 ? 0 : -1, i % 2 == 0 ? -1 : -i % 3};
        x[static_cast<size_t>(i)] = static_cast<U>(values[pattern]);
      }
      this->expect_sort(x);
      if (this->HasFatalFailure()) return;
    }
  }
}

template <class U>
void expect_within(int64_t (*loop)(int64_t, const U*, U, U, U*, int64_t*)) {
  std::mt19937_64 random(3);
  for (const int64_t n : {0, 1, 15, 16, 17, 500}) {
    for (const U low : {U{0}, U{40}, static_cast<U>(~U{0} - 20)}) {
      for (const U span : {U{0}, U{9}, static_cast<U>(~U{0})}) {
        if (span > static_cast<U>(~U{0} - low) && low != 0) continue;
        std::vector<U> x(static_cast<size_t>(n)), out(x.size() + 1, U{77}), want;
        for (U& v : x) v = static_cast<U>(random() % 2 == 0 ? random() % 99 : ~U{0} - random() % 30);
        int64_t below = 5, less = 5;
        for (const U v : x) {
          if (v < low) ++less;
          if (v >= low && v <= static_cast<U>(low + span)) want.push_back(v);
        }
        const int64_t count = loop(n, x.data(), low, span, out.data(), &below);
        EXPECT_EQ(below, less);
        EXPECT_EQ(out.back(), U{77});
        ASSERT_EQ(std::vector<U>(out.begin(), out.begin() + count), want);
      }
    }
  }
}
TEST(HostSorting, KeysWithin) {
  expect_within<uint32_t>(host::sorting_loops().within4);
  expect_within<uint64_t>(host::sorting_loops().within8);
}

// Keys before indices, sorted: the indices of a stable sort, except for elements that are equal in the bits
// kept.
template <class T, class Packed>
void expect_packed_keys(DType d, const std::vector<T>& x, bool descending,
                        bool (*order_of)(int64_t, const Packed*, uint64_t*), int lost) {
  const auto n = static_cast<int64_t>(x.size());
  std::vector<Packed> keys(x.size() + 1, Packed{77});
  std::vector<uint64_t> indices(x.size()), want(x.size());
  const auto& loops = host::sorting_loops();
  EXPECT_EQ(loops.packed_keys[static_cast<int>(d)](n, x.data(), descending, keys.data()), lost);
  EXPECT_EQ(keys.back(), Packed{77});
  std::sort(keys.begin(), keys.end() - 1);
  const bool equal = order_of(n, keys.data(), indices.data());
  std::iota(want.begin(), want.end(), uint64_t{0});
  const auto before = [&](uint64_t i, uint64_t j) { return descending ? x[i] > x[j] : x[i] < x[j]; };
  std::stable_sort(want.begin(), want.end(), before);
  bool repeated = false;
  for (size_t i = 1; i < want.size(); ++i) repeated |= !before(want[i - 1], want[i]);
  if (lost == 0) {
    EXPECT_EQ(indices, want);
    EXPECT_EQ(equal, repeated);
  } else {
    EXPECT_TRUE(equal);
    std::sort(indices.begin(), indices.end());
    std::sort(want.begin(), want.end());
    EXPECT_EQ(indices, want);
  }
}
TEST(HostSorting, PackedKeys) {
  const auto order4 = host::sorting_loops().short_order4;
  const auto order8 = host::sorting_loops().short_order8;
  std::mt19937_64 random(5);
  for (const int64_t count : {2, 3, 31, 128, 200, 256}) {
    const auto n = static_cast<size_t>(count);
    std::vector<int8_t> bytes(n);
    std::vector<int32_t> near(n), far(n);
    std::vector<double> doubles(n);
    for (size_t i = 0; i < n; ++i) {
      bytes[i] = static_cast<int8_t>(random());
      near[i] = static_cast<int32_t>(random() % 1000) - 500;
      far[i] = static_cast<int32_t>(random() % 2);
      doubles[i] = 1024 + static_cast<double>(random() % 100);
    }
    far[0] = std::numeric_limits<int32_t>::min();
    far[1] = std::numeric_limits<int32_t>::max();
    for (const bool descending : {false, true}) {
      expect_packed_keys(DType::int8_, bytes, descending, order4, 0);
      expect_packed_keys(DType::int32_, near, descending, order4, 0);
      if (count > 3) expect_packed_keys(DType::int32_, far, descending, order4, host::index_bits_of(count));
      expect_packed_keys(DType::float64_, doubles, descending, order8, 0);
    }
  }
}

template <class K>
void expect_sorted(std::vector<K> x, int low) {
  std::vector<K> want = x, buffer(x.size());
  std::sort(want.begin(), want.end());
  std::mutex mutex;
  std::vector<int64_t> ends;
  int64_t done = 0;
  const auto n = static_cast<int64_t>(x.size());
  const auto note = [&](const K* keys, int64_t m) {
    const std::lock_guard<std::mutex> lock(mutex);
    done += m;
    ends.push_back(keys + m - x.data());
  };
  host::sort_keys(x.data(), buffer.data(), n, low, true, note);
  EXPECT_EQ(x, want);
  EXPECT_EQ(done, n);
  for (const int64_t end : ends) {
    // Keys that differ only in low bits are not separated.
    const auto at = static_cast<size_t>(end);
    EXPECT_TRUE(end == n || x[at - 1] >> low != x[at] >> low);
  }
}
// Nearly all integers are equal, so that a sample of them is: the few others are found nevertheless.
TEST(HostSorting, IntegersThatASampleMisses) {
  for (const uint64_t max : {uint64_t{0}, uint64_t{1} << 40, ~uint64_t{0}}) {
    for (const uint64_t odd : {uint64_t{0}, uint64_t{1} << 39, ~uint64_t{0} - 5}) {
      std::vector<uint64_t> x(200000, max);
      x[77] = odd;
      x[150000] = odd + 3;
      expect_sorted(x, 0);
      // Before indices.
      for (size_t i = 0; i < x.size(); ++i) x[i] = (x[i] << 18) | i;
      expect_sorted(x, 18);
    }
  }
}
TEST(HostSorting, Threads) {
  std::mt19937_64 random(9);
  for (const size_t n : {size_t{65536}, size_t{300000}, size_t{3000001}}) {
    std::vector<uint32_t> x(n);
    for (uint32_t& v : x) v = 1U << random() % 32 | static_cast<uint32_t>(random() % 3);
    expect_sorted(x, 0);
    std::vector<uint64_t> y(n);
    for (uint64_t& v : y) v = random();
    expect_sorted(y, 0);
    for (size_t i = 0; i < n; ++i) y[i] = (y[i] % 50 << 40) | i;
    expect_sorted(y, 40);
  }
}

}  // namespace
}  // namespace arr::test
