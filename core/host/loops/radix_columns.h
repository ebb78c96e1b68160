// SPDX-License-Identifier: MIT
// Fourier transforms of columns of a few numbers each, in vectors across columns.
#pragma once

#include <utility>

#include "host/loops/radix.h"
#include "host/loops/vectors.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

namespace {

template <class F>
constexpr int64_t lanes = lanes_of<F>;
constexpr int64_t most_half = radix_most / 2;

template <class F, int64_t W>
inline Vector<F, W> load(const F* x) {
  return *reinterpret_cast<const Vector<F, W>*>(x);
}
template <class F, int64_t W>
inline void store(F* x, Vector<F, W> v) {
  *reinterpret_cast<Vector<F, W>*>(x) = v;
}

// The parts of W complex numbers.
template <class F, int64_t W>
struct Pair {
  Vector<F, W> re, im;
};
template <class F, int64_t W>
inline Pair<F, W> operator+(Pair<F, W> a, Pair<F, W> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class F, int64_t W>
inline Pair<F, W> operator-(Pair<F, W> a, Pair<F, W> b) {
  return {a.re - b.re, a.im - b.im};
}
// By -i.
template <class F, int64_t W>
inline Pair<F, W> turned(Pair<F, W> a) {
  return {a.im, -a.re};
}
template <class F, int64_t W>
inline Pair<F, W> product(Pair<F, W> a, Pair<F, W> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// By a number for all.
template <class F, int64_t W>
inline Pair<F, W> product(Pair<F, W> a, F re, F im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

// Where complex numbers are: in planes, or behind each other and conjugated as they are moved where sign is
// -1.
template <class F>
struct Planes {
  F *re, *im;
};
template <class F>
struct Numbers {
  F* x;
  F sign;
};

template <class F, int64_t W>
inline Pair<F, W> load(Planes<const F> x, int64_t at) {
  return {load<F, W>(x.re + at), load<F, W>(x.im + at)};
}
template <class F, int64_t W>
inline void store(Planes<F> x, int64_t at, Pair<F, W> y) {
  store<F, W>(x.re + at, y.re);
  store<F, W>(x.im + at, y.im);
}

template <class F, int64_t W, int... I>
inline Pair<F, W> apart(Numbers<const F> x, int64_t at, std::integer_sequence<int, I...>) {
  const Vector<F, W> a = load<F, W>(x.x + 2 * at), b = load<F, W>(x.x + 2 * at + W);
  return {__builtin_shufflevector(a, b, 2 * I...), x.sign * __builtin_shufflevector(a, b, 2 * I + 1 ...)};
}
template <class F, int64_t W, int... I>
inline void together(Numbers<F> x, int64_t at, Pair<F, W> y, std::integer_sequence<int, I...>) {
  constexpr int V = W;
  const Vector<F, W> im = x.sign * y.im;
  store<F, W>(x.x + 2 * at, __builtin_shufflevector(y.re, im, I / 2 + I % 2 * V...));
  store<F, W>(x.x + 2 * at + W, __builtin_shufflevector(y.re, im, V / 2 + I / 2 + I % 2 * V...));
}
template <class F, int64_t W>
inline Pair<F, W> load(Numbers<const F> x, int64_t at) {
  return apart<F, W>(x, at, std::make_integer_sequence<int, W>{});
}
template <class F, int64_t W>
inline void store(Numbers<F> x, int64_t at, Pair<F, W> y) {
  together<F, W>(x, at, y, std::make_integer_sequence<int, W>{});
}

// The transforms of columns of P elements (or p, where P is 0): of get(j), to put(k, element k).
template <class F, int64_t W, class Get, class Put>
[[gnu::always_inline]] inline void four(const Get& get, const Put& put) {
  const Pair<F, W> x0 = get(0), x1 = get(1), x2 = get(2), x3 = get(3);
  const Pair<F, W> a = x0 + x2, b = x0 - x2, c = x1 + x3, d = turned(x1 - x3);
  put(0, a + c);
  put(1, b + d);
  put(2, a - c);
  put(3, b - d);
}

template <class F, int64_t W, class Get, class Put>
[[gnu::always_inline]] inline void eight(const Get& get, const Put& put) {
  const F r = static_cast<F>(0.70710678118654752440);
  Pair<F, W> even[4], odd[4];
  four<F, W>([&](int64_t j) { return get(2 * j); }, [&](int64_t k, Pair<F, W> y) { even[k] = y; });
  four<F, W>([&](int64_t j) { return get(2 * j + 1); }, [&](int64_t k, Pair<F, W> y) { odd[k] = y; });
  odd[1] = {r * (odd[1].re + odd[1].im), r * (odd[1].im - odd[1].re)};
  odd[2] = turned(odd[2]);
  odd[3] = {r * (odd[3].im - odd[3].re), -r * (odd[3].re + odd[3].im)};
  for (int64_t k = 0; k < 4; ++k) {
    put(k, even[k] + odd[k]);
    put(k + 4, even[k] - odd[k]);
  }
}

// Four of every fourth, and four of what they give.
template <class F, int64_t W, class Get, class Put>
[[gnu::always_inline]] inline void sixteen(const Get& get, const Put& put) {
  const F c = static_cast<F>(0.92387953251128675613), s = static_cast<F>(0.38268343236508977173);
  const F r = static_cast<F>(0.70710678118654752440);
  const F re[4][4] = {{1, 1, 1, 1}, {1, c, r, s}, {1, r, 0, -r}, {1, s, -r, -c}};
  const F im[4][4] = {{0, 0, 0, 0}, {0, -s, -r, -c}, {0, -r, -1, -r}, {0, -c, -r, s}};
  Pair<F, W> middle[4][4];
#pragma GCC unroll 4
  for (int64_t a = 0; a < 4; ++a) {
    four<F, W>([&](int64_t b) { return get(4 * b + a); }, [&](int64_t k, Pair<F, W> y) { middle[a][k] = y; });
  }
#pragma GCC unroll 4
  for (int64_t k = 0; k < 4; ++k) {
    const auto part = [&](int64_t a) {
      return a * k == 0   ? middle[a][k]
             : a * k == 4 ? turned(middle[a][k])
                          : product(middle[a][k], re[a][k], im[a][k]);
    };
    four<F, W>(part, [&](int64_t d, Pair<F, W> y) { put(k + 4 * d, y); });
  }
}

// Sums and differences of the elements j and p - j.
template <class F, int64_t W, int64_t H>
struct Halves {
  Vector<F, W> sum_re[H], sum_im[H], difference_re[H], difference_im[H];
};

// K results and those that their roots' conjugates give, from k on.
template <class F, int64_t K, int64_t W, int64_t H, class Put>
[[gnu::always_inline]] inline void results(int64_t p, int64_t h, int64_t k, Pair<F, W> first,
                                           const Halves<F, W, H>& x, const F* sums, const Put& put) {
  Vector<F, W> ar[K], ai[K], br[K], bi[K];
  for (int64_t a = 0; a < K; ++a) {
    ar[a] = first.re;
    ai[a] = first.im;
    br[a] = bi[a] = Vector<F, W>{};
  }
  const F* w = sums + (k - 1) * 2 * h;
  for (int64_t j = 0; j < h; ++j) {
    for (int64_t a = 0; a < K; ++a) {
      const F cosine = w[(a * h + j) * 2], sine = w[(a * h + j) * 2 + 1];
      ar[a] += cosine * x.sum_re[j];
      ai[a] += cosine * x.sum_im[j];
      br[a] += sine * x.difference_re[j];
      bi[a] += sine * x.difference_im[j];
    }
  }
  for (int64_t a = 0; a < K; ++a) {
    put(k + a, Pair<F, W>{ar[a] + bi[a], ai[a] - br[a]});
    put(p - k - a, Pair<F, W>{ar[a] - bi[a], ai[a] + br[a]});
  }
}

template <class F, int64_t W, int64_t P, class Get, class Put>
[[gnu::always_inline]] inline void odd(int64_t any, const F* sums, const Get& get, const Put& put) {
  constexpr int64_t most = P != 0 ? P / 2 : most_half;
  const int64_t p = P != 0 ? P : any, h = p / 2;
  Halves<F, W, most> halves;
  const Pair<F, W> first = get(0);
  Pair<F, W> total = first;
  for (int64_t j = 0; j < h; ++j) {
    const Pair<F, W> a = get(j + 1), b = get(p - 1 - j), sum = a + b;
    halves.sum_re[j] = sum.re;
    halves.sum_im[j] = sum.im;
    halves.difference_re[j] = a.re - b.re;
    halves.difference_im[j] = a.im - b.im;
    total = total + sum;
  }
  put(0, total);
  int64_t k = 1;
  for (; k + 2 <= h; k += 3) results<F, 3>(p, h, k, first, halves, sums, put);
  if (P == 0 || P / 2 % 3 == 2) {
    if (k + 1 == h) return results<F, 2>(p, h, k, first, halves, sums, put);
  }
  if (P == 0 || P / 2 % 3 == 1) {
    if (k == h) results<F, 1>(p, h, k, first, halves, sums, put);
  }
}

template <class F, int64_t W, int64_t P, class Get, class Put>
[[gnu::always_inline]] inline void column(const RadixStage& g, const Get& get, const Put& put) {
  if constexpr (P == 2) {
    const Pair<F, W> a = get(0), b = get(1);
    put(0, a + b);
    put(1, a - b);
  } else if constexpr (P == 4) {
    four<F, W>(get, put);
  } else if constexpr (P == 8) {
    eight<F, W>(get, put);
  } else if constexpr (P == 16) {
    sixteen<F, W>(get, put);
  } else {
    odd<F, W, P>(g.p, static_cast<const F*>(g.sums), get, put);
  }
}

}  // namespace

}  // namespace arr::host::ARR_LEVEL

#pragma GCC diagnostic pop
