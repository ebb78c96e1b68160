// SPDX-License-Identifier: MIT
// Views against a model that keeps an array of offsets.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "array/layout.h"

namespace {

using arr::Layout;
using arr::Order;
using Dims = std::vector<int64_t>;
using Axes = std::vector<int32_t>;
constexpr int64_t open_low = std::numeric_limits<int64_t>::min(),
                  open_high = std::numeric_limits<int64_t>::max();

// Offsets of all elements in row-major order.
Dims offsets(const Layout& l, int64_t start = 0) {
  Dims out;
  for (int64_t flat = 0; flat < l.size(); ++flat) {
    int64_t at = start, rest = flat;
    for (int32_t i = l.ndim; i-- > 0;) {
      at += rest % l.shape[i] * l.strides[i];
      rest /= l.shape[i];
    }
    out.push_back(at);
  }
  return out;
}

// Python's slice of one axis, from its definition: which positions come out.
Dims python_slice(int64_t n, int64_t start, int64_t stop, int64_t step) {
  auto clamp = [&](int64_t v, bool is_start) {
    if (v == open_low || v == open_high)
      return is_start == (step > 0) ? (step > 0 ? int64_t{0} : int64_t{-1}) : (step > 0 ? n : n - 1);
    if (v < 0) v += n;
    int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    return v < low ? low : v > high ? high : v;
  };
  int64_t first = start == open_low || start == open_high ? (step > 0 ? 0 : n - 1) : clamp(start, true);
  int64_t last = stop == open_low || stop == open_high ? (step > 0 ? n : -1) : clamp(stop, false);
  Dims out;
  for (int64_t i = first; step > 0 ? i < last : i > last; i += step) out.push_back(i);
  return out;
}

TEST(Slice, EveryCombinationOfSmallNumbers) {
  Dims ends{open_low, open_high};
  for (int64_t v = -7; v <= 7; ++v) ends.push_back(v);
  for (int64_t n = 0; n <= 5; ++n) {
    Layout l = Layout::contiguous(Dims{n}, 8, Order::C);
    for (int64_t start : ends) {
      for (int64_t stop : ends) {
        for (int64_t step = -4; step <= 4; ++step) {
          if (step == 0) continue;
          int64_t at = 0;
          Layout s = arr::slice(l, Dims{start}, Dims{stop}, Dims{step}, &at);
          Dims want = python_slice(n, start, stop, step);
          for (auto& w : want) w *= 8;
          ASSERT_EQ(offsets(s, at), want) << n << ": " << start << ":" << stop << ":" << step;
        }
      }
    }
  }
}

TEST(Slice, ExtremesDoNotOverflow) {
  Layout l = Layout::contiguous(Dims{10}, 8, Order::C);
  for (int64_t step : {open_low, open_high, open_low + 1}) {
    int64_t at = 0;
    Layout s = arr::slice(l, Dims{open_low}, Dims{open_high}, Dims{step}, &at);
    EXPECT_EQ(s.shape[0], 1);
    EXPECT_EQ(at, step > 0 ? 0 : 72);
  }
  int64_t at = 0;
  EXPECT_THROW(arr::slice(l, Dims{0}, Dims{1}, Dims{0}, &at), arr::Error);
  EXPECT_THROW(arr::slice(l, Dims{0, 0}, Dims{1, 1}, Dims{1, 1}, &at), arr::Error);
}

TEST(Reshape, ViewsWhereNumpyDoesAndNeverWrong) {
  std::mt19937 random(11);
  auto pick = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  const Dims shapes[] = {{24},    {2, 12}, {12, 2},    {2, 3, 4},    {4, 3, 2},
                         {1, 24}, {24, 1}, {2, 1, 12}, {2, 2, 2, 3}, {6, 4}};
  int views = 0;
  for (int round = 0; round < 4000; ++round) {
    Layout base = Layout::contiguous(shapes[pick(10)], 8, pick(2) != 0 ? Order::C : Order::F);
    if (pick(3) == 0) base = arr::transpose(base, {});
    if (pick(3) == 0) {
      for (int32_t i = 0; i < base.ndim; ++i) base.strides[i] *= 3;
    }
    const Dims& to = shapes[pick(10)];
    Order order = pick(2) != 0 ? Order::C : Order::F;
    Layout view;
    if (!arr::reshape_view(base, to, order, &view)) continue;
    ++views;
    // In Fortran order the elements are counted with the first index fastest: transpose both.
    Layout from = order == Order::F ? arr::transpose(base, {}) : base;
    Layout out = order == Order::F ? arr::transpose(view, {}) : view;
    ASSERT_EQ(offsets(from), offsets(out)) << base.text() << " to " << view.text();
  }
  EXPECT_GT(views, 1000);
  // Contiguous memory always reshapes without a copy, in its own order.
  for (const Dims& a : shapes) {
    for (const Dims& b : shapes) {
      for (Order o : {Order::C, Order::F}) {
        Layout view;
        EXPECT_TRUE(arr::reshape_view(Layout::contiguous(a, 4, o), b, o, &view));
      }
    }
  }
}

TEST(Reshape, ShapesAreChecked) {
  Layout l = Layout::contiguous(Dims{2, 3}, 8, Order::C);
  EXPECT_EQ(arr::reshape_shape(l, Dims{-1, 2}).shape[0], 3);
  const Dims bad[] = {{5}, {-1, 4}, {-1, -1}, {-2, 3}, {0, -1}, {1LL << 62, 4}, {}};
  for (const Dims& b : bad) EXPECT_THROW(arr::reshape_shape(l, b), arr::Error) << b.size();
}

TEST(Views, BroadcastTransposeFlipSqueezeExpand) {
  Layout l = Layout::contiguous(Dims{2, 1, 3}, 8, Order::C);
  Layout b = arr::broadcast_to(l, Dims{4, 2, 5, 3});
  EXPECT_EQ(b.strides[0], 0);
  EXPECT_EQ(b.strides[2], 0);
  EXPECT_EQ(b.strides[1], 24);
  EXPECT_THROW(arr::broadcast_to(l, Dims{2, 3}), arr::Error);
  EXPECT_THROW(arr::broadcast_to(l, Dims{2, 1, 4}), arr::Error);

  Layout t = arr::transpose(l, Axes{2, 0, -2});
  EXPECT_EQ(t.shape[0], 3);
  EXPECT_EQ(t.shape[1], 2);
  EXPECT_THROW(arr::transpose(l, Axes{0, 0, 1}), arr::Error);
  EXPECT_THROW(arr::transpose(l, Axes{0, 1}), arr::Error);

  int64_t at = 0;
  Layout f = arr::flip(l, Axes{-1}, false, &at);
  EXPECT_EQ(at, 16);
  EXPECT_EQ(f.strides[2], -8);
  EXPECT_EQ(arr::squeeze(l, {}, true).ndim, 2);
  EXPECT_THROW(arr::squeeze(l, Axes{0}, false), arr::Error);
  Layout e = arr::expand_dims(l, Axes{0, -1}, 8);
  EXPECT_EQ(e.ndim, 5);
  EXPECT_EQ(e.shape[4], 1);
  EXPECT_TRUE(e.is_contiguous(8, Order::C));
  EXPECT_THROW(arr::expand_dims(l, Axes{9}, 8), arr::Error);
}

TEST(Axes, MasksAreChecked) {
  EXPECT_EQ(arr::axis_mask(3, 0, nullptr), 7U);
  EXPECT_EQ(arr::axis_mask(32, 0, nullptr), ~0U);
  EXPECT_EQ(arr::axis_mask(0, 0, nullptr), 0U);
  Axes ok{-1, 0}, twice{1, -2}, far{3};
  EXPECT_EQ(arr::axis_mask(3, 2, ok.data()), 5U);
  EXPECT_THROW(arr::axis_mask(3, 2, twice.data()), arr::Error);
  EXPECT_THROW(arr::axis_mask(3, 1, far.data()), arr::Error);
  EXPECT_THROW(arr::axis_mask(3, -1, ok.data()), arr::Error);
}

}  // namespace
