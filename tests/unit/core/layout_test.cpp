// SPDX-License-Identifier: MIT
// Layouts: sizes that overflow, contiguity, overlap, collapsing.
#include "array/layout.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <vector>

namespace {

using arr::Layout;
using arr::Order;
using arr::Overlap;
using Dims = std::vector<int64_t>;

constexpr int64_t huge = std::numeric_limits<int64_t>::max();

TEST(LayoutSizes, WhatDoesNotFitIsRefused) {
  const Dims bad[] = {
      {-1}, {2, -5}, {huge}, {1LL << 32, 1LL << 32}, {huge, 0}, {1LL << 32, 1LL << 30, 0}, Dims(33, 1)};
  for (const Dims& d : bad) EXPECT_THROW(Layout::contiguous(d, 8, Order::C), arr::Error) << d.size();
  EXPECT_EQ(Layout::contiguous(Dims{}, 8, Order::C).size(), 1);
  EXPECT_EQ(Layout::contiguous(Dims(32, 1), 8, Order::C).size(), 1);
  EXPECT_EQ(Layout::contiguous(Dims{0, 5}, 8, Order::C).size(), 0);
}

TEST(LayoutSizes, StridesThatReachTooFarAreRefused) {
  EXPECT_THROW(Layout::strided(Dims{3}, Dims{huge}, 8), arr::Error);
  EXPECT_THROW(Layout::strided(Dims{3}, Dims{std::numeric_limits<int64_t>::min()}, 8), arr::Error);
  EXPECT_THROW(Layout::strided(Dims{2, 2}, Dims{huge / 2 + 1, huge / 2 + 1}, 8), arr::Error);
  // Never used, so anything goes.
  EXPECT_NO_THROW(Layout::strided(Dims{1, 2}, Dims{huge, 8}, 8));
  EXPECT_NO_THROW(Layout::strided(Dims{0, 2}, Dims{huge, huge}, 8));
}

// Views calculate with the strides of axes where no element uses them.
TEST(LayoutSizes, StridesThatNoElementUsesAreSmall) {
  const Layout empty = Layout::strided(Dims{0, 2}, Dims{huge, huge}, 8);
  EXPECT_EQ(empty.strides[0], 16);
  EXPECT_EQ(empty.strides[1], 8);
  for (const int64_t stride : {huge, std::numeric_limits<int64_t>::min()}) {
    EXPECT_EQ(Layout::strided(Dims{1, 2}, Dims{stride, 8}, 8).strides[0], 8);
  }
  EXPECT_EQ(Layout::strided(Dims{1, 2}, Dims{-400, 8}, 8).strides[0], -400);
  EXPECT_EQ(Layout::diagonal_stride(3, 8, 32), 40);
  EXPECT_EQ(Layout::diagonal_stride(1, huge, 8), huge);
}

TEST(LayoutOrder, ContiguityInBothOrders) {
  Layout c = Layout::contiguous(Dims{2, 3, 4}, 4, Order::C),
         f = Layout::contiguous(Dims{2, 3, 4}, 4, Order::F);
  EXPECT_TRUE(c.is_contiguous(4, Order::C));
  EXPECT_FALSE(c.is_contiguous(4, Order::F));
  EXPECT_TRUE(f.is_contiguous(4, Order::F));
  EXPECT_EQ(f.strides[0], 4);
  EXPECT_EQ(c.strides[0], 48);
  // Nothing is contiguous in both orders, whatever the strides.
  Layout none = Layout::strided(Dims{2, 0, 3}, Dims{1, 1, 1}, 4);
  EXPECT_TRUE(none.is_contiguous(4, Order::C));
  EXPECT_TRUE(none.is_contiguous(4, Order::F));
  int32_t axes[32];
  f.axis_order(axes);
  EXPECT_EQ(axes[0], 2);
  EXPECT_EQ(axes[2], 0);
}

// Every byte that a layout touches, counted.
bool overlaps(const Layout& l, int64_t item) {
  std::multiset<int64_t> bytes;
  std::vector<int64_t> index(static_cast<size_t>(l.ndim), 0);
  for (int64_t n = l.size(); n > 0; --n) {
    int64_t at = 0;
    for (int32_t i = 0; i < l.ndim; ++i) at += index[static_cast<size_t>(i)] * l.strides[i];
    for (int64_t b = 0; b < item; ++b) bytes.insert(at + b);
    for (int32_t i = l.ndim; i-- > 0 && ++index[static_cast<size_t>(i)] == l.shape[i];) {
      index[static_cast<size_t>(i)] = 0;
    }
  }
  for (int64_t b : bytes) {
    if (bytes.count(b) > 1) return true;
  }
  return false;
}

TEST(LayoutOverlap, IsExact) {
  std::mt19937 random(3);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  int interleaved = 0;
  for (int round = 0; round < 6000; ++round) {
    Dims shape, strides;
    const int64_t item = int64_t{1} << pick(0, 3), unit = pick(0, 1) == 0 ? item : 1;
    for (int64_t n = pick(0, 4); n > 0; --n) {
      shape.push_back(pick(round % 8 == 0 ? 0 : 1, 4));
      strides.push_back(pick(-20, 20) * unit);
    }
    const Layout l = Layout::strided(shape, strides, item);
    const bool real = overlaps(l, item);
    ASSERT_EQ(l.self_overlap(item), real ? Overlap::some : Overlap::none) << l.text();
    int64_t low = 0, high = 0, reach = item;
    l.reach(item, &low, &high);
    for (int32_t i = 0; i < l.ndim; ++i) reach = std::max(reach, std::abs(l.strides[i]) * l.shape[i]);
    interleaved += !real && l.size() > 1 && high - low > reach ? 1 : 0;
  }
  EXPECT_GT(interleaved, 300);  // many whose strides do not step over what is inside of them
}

TEST(LayoutOverlap, OfInterleavedStrides) {
  struct Case {
    Dims shape, strides;
    Overlap overlap;
  };
  const int64_t wide = int64_t{1} << 30;
  const Case cases[] = {
      {{2, 3}, {3, 2}, Overlap::none},
      {{2, 3}, {2, 2}, Overlap::some},
      {{3, 4}, {7, 5}, Overlap::none},
      {{6, 8}, {7, 5}, Overlap::some},  // 5 * 7 = 7 * 5
      {{5, 7}, {-7, 5}, Overlap::none},
      {{wide + 1, wide}, {wide - 1, wide + 1}, Overlap::none},
      {{wide + 2, wide}, {wide - 1, wide + 1}, Overlap::some},
      {{0, 3}, {1, 0}, Overlap::none},
      {{2, 1, 2}, {1, 0, 1}, Overlap::some},
  };
  for (const Case& c : cases) {
    const Layout l = Layout::strided(c.shape, c.strides, 1);
    EXPECT_EQ(l.self_overlap(1), c.overlap) << l.text();
  }
}

// A search over many strides without a common divisor would take years without a limit.
TEST(LayoutOverlap, EndsWithinItsWork) {
  std::mt19937_64 random(5);
  Dims shape, strides;
  for (int64_t i = 0; i < 16; ++i) {
    shape.push_back(4);
    strides.push_back(static_cast<int64_t>(random() >> 10));
  }
  const Layout l = Layout::strided(shape, strides, 1);
  EXPECT_EQ(l.self_overlap(1), Overlap::unknown);
}

// Walks a collapsed iteration and gives the offsets of every operand at each step.
std::multiset<std::vector<int64_t>> visited(int32_t ndim, const int64_t* shape,
                                            const std::vector<Dims>& strides) {
  std::multiset<std::vector<int64_t>> out;
  int64_t total = 1;
  for (int32_t i = 0; i < ndim; ++i) total *= shape[i];
  for (int64_t flat = 0; flat < total; ++flat) {
    std::vector<int64_t> at(strides.size(), 0);
    int64_t rest = flat;
    for (int32_t i = ndim; i-- > 0;) {
      for (size_t k = 0; k < strides.size(); ++k)
        at[k] += rest % shape[i] * strides[k][static_cast<size_t>(i)];
      rest /= shape[i];
    }
    out.insert(at);
  }
  return out;
}

TEST(Collapse, VisitsTheSameOffsets) {
  std::mt19937 random(5);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int64_t>(low, high)(random); };
  for (int round = 0; round < 2000; ++round) {
    auto ndim = static_cast<int32_t>(pick(0, 5));
    auto nlast = static_cast<int32_t>(pick(0, ndim));
    auto operands = static_cast<int32_t>(pick(1, 3));
    Dims shape;
    for (int32_t i = 0; i < ndim; ++i) shape.push_back(pick(1, 4));
    std::vector<Dims> strides;
    for (int32_t k = 0; k < operands; ++k) {
      Layout l = Layout::contiguous(shape, 8, pick(0, 1) != 0 ? Order::C : Order::F);
      Dims s(l.strides, l.strides + ndim);
      for (auto& x : s) x *= pick(0, 5) == 0 ? 0 : pick(0, 4) == 0 ? -1 : 1;
      strides.push_back(s);
    }
    std::vector<const int64_t*> rows;
    for (const Dims& s : strides) rows.push_back(s.data());
    arr::Iteration it;
    int32_t split = -1;
    arr::collapse(ndim, shape.data(), operands, rows.data(), nlast, &it, &split);
    std::vector<Dims> after;
    for (int32_t k = 0; k < operands; ++k) after.emplace_back(it.strides[k], it.strides[k] + it.ndim);
    ASSERT_EQ(visited(ndim, shape.data(), strides), visited(it.ndim, it.shape, after));
    int64_t kept = 1, reduced = 1;
    for (int32_t i = 0; i < it.ndim; ++i) (i < split ? kept : reduced) *= it.shape[i];
    int64_t want = 1;
    for (int32_t i = 0; i < ndim - nlast; ++i) want *= shape[static_cast<size_t>(i)];
    ASSERT_EQ(kept, want);
    for (int32_t i = 0; i < it.ndim; ++i) ASSERT_NE(it.shape[i], 1);
  }
}

TEST(Collapse, ContiguousIsOneDimension) {
  Layout f = Layout::contiguous(Dims{4, 5, 6}, 8, Order::F);
  const int64_t* rows[] = {f.strides, f.strides};
  arr::Iteration it;
  arr::collapse(3, f.shape, 2, rows, 0, &it, nullptr);
  EXPECT_EQ(it.ndim, 1);
  EXPECT_EQ(it.shape[0], 120);
  EXPECT_EQ(it.strides[1][0], 8);
}

}  // namespace
