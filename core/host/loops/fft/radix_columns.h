// SPDX-License-Identifier: MIT
// Fourier transforms of short columns, in vectors across columns: the butterflies of a stage.
#pragma once

#include <utility>

#include "host/loops/fft/radix.h"
#include "host/loops/vectors.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

namespace {

template <class F>
constexpr int64_t lanes = lanes_of<F>;
constexpr int64_t max_half_radix = max_radix / 2;

template <class F, int64_t W>
inline Vector<F, W> load(const F* x) {
  return *reinterpret_cast<const Vector<F, W>*>(x);
}
template <class F, int64_t W>
inline void store(F* x, Vector<F, W> v) {
  *reinterpret_cast<Vector<F, W>*>(x) = v;
}

// W complex numbers as a vector of real parts and a vector of imaginary parts.
template <class F, int64_t W>
struct ComplexVector {
  Vector<F, W> re, im;
};
template <class F, int64_t W>
inline ComplexVector<F, W> operator+(ComplexVector<F, W> a, ComplexVector<F, W> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class F, int64_t W>
inline ComplexVector<F, W> operator-(ComplexVector<F, W> a, ComplexVector<F, W> b) {
  return {a.re - b.re, a.im - b.im};
}
// a times -i.
template <class F, int64_t W>
inline ComplexVector<F, W> times_minus_i(ComplexVector<F, W> a) {
  return {a.im, -a.re};
}
template <class F, int64_t W>
inline ComplexVector<F, W> product(ComplexVector<F, W> a, ComplexVector<F, W> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
// All numbers times re + i im.
template <class F, int64_t W>
inline ComplexVector<F, W> product(ComplexVector<F, W> a, F re, F im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}

// Complex numbers in memory: as two planes, or interleaved (re, im). A sign of -1 conjugates interleaved
// numbers when they are loaded or stored.
template <class F>
struct Planes {
  F *re, *im;
};
template <class F>
struct Interleaved {
  F* x;
  F sign;
};

template <class F, int64_t W>
inline ComplexVector<F, W> load(Planes<const F> x, int64_t at) {
  return {load<F, W>(x.re + at), load<F, W>(x.im + at)};
}
template <class F, int64_t W>
inline void store(Planes<F> x, int64_t at, ComplexVector<F, W> y) {
  store<F, W>(x.re + at, y.re);
  store<F, W>(x.im + at, y.im);
}

template <class F, int64_t W, int... I>
inline ComplexVector<F, W> deinterleave(Interleaved<const F> x, int64_t at,
                                        std::integer_sequence<int, I...>) {
  const Vector<F, W> a = load<F, W>(x.x + 2 * at), b = load<F, W>(x.x + 2 * at + W);
  return {__builtin_shufflevector(a, b, 2 * I...), x.sign * __builtin_shufflevector(a, b, 2 * I + 1 ...)};
}
template <class F, int64_t W, int... I>
inline void interleave(Interleaved<F> x, int64_t at, ComplexVector<F, W> y,
                       std::integer_sequence<int, I...>) {
  constexpr int V = W;
  const Vector<F, W> im = x.sign * y.im;
  store<F, W>(x.x + 2 * at, __builtin_shufflevector(y.re, im, I / 2 + I % 2 * V...));
  store<F, W>(x.x + 2 * at + W, __builtin_shufflevector(y.re, im, V / 2 + I / 2 + I % 2 * V...));
}
template <class F, int64_t W>
inline ComplexVector<F, W> load(Interleaved<const F> x, int64_t at) {
  return deinterleave<F, W>(x, at, std::make_integer_sequence<int, W>{});
}
template <class F, int64_t W>
inline void store(Interleaved<F> x, int64_t at, ComplexVector<F, W> y) {
  interleave<F, W>(x, at, y, std::make_integer_sequence<int, W>{});
}

// Each transforms a column: reads element j by get(j) and writes output k by put(k, value).
template <class F, int64_t W, class Get, class Put>
[[gnu::always_inline]] inline void dft4(const Get& get, const Put& put) {
  const ComplexVector<F, W> x0 = get(0), x1 = get(1), x2 = get(2), x3 = get(3);
  const ComplexVector<F, W> a = x0 + x2, b = x0 - x2, c = x1 + x3, d = times_minus_i(x1 - x3);
  put(0, a + c);
  put(1, b + d);
  put(2, a - c);
  put(3, b - d);
}

template <class F, int64_t W, class Get, class Put>
[[gnu::always_inline]] inline void dft8(const Get& get, const Put& put) {
  const F r = static_cast<F>(0.70710678118654752440);
  ComplexVector<F, W> even[4], odd[4];
  dft4<F, W>([&](int64_t j) { return get(2 * j); }, [&](int64_t k, ComplexVector<F, W> y) { even[k] = y; });
  dft4<F, W>([&](int64_t j) { return get(2 * j + 1); },
             [&](int64_t k, ComplexVector<F, W> y) { odd[k] = y; });
  odd[1] = {r * (odd[1].re + odd[1].im), r * (odd[1].im - odd[1].re)};
  odd[2] = times_minus_i(odd[2]);
  odd[3] = {r * (odd[3].im - odd[3].re), -r * (odd[3].re + odd[3].im)};
  for (int64_t k = 0; k < 4; ++k) {
    put(k, even[k] + odd[k]);
    put(k + 4, even[k] - odd[k]);
  }
}

// Four transforms of every fourth element, then four transforms across their outputs.
template <class F, int64_t W, class Get, class Put>
[[gnu::always_inline]] inline void dft16(const Get& get, const Put& put) {
  const F c = static_cast<F>(0.92387953251128675613), s = static_cast<F>(0.38268343236508977173);
  const F r = static_cast<F>(0.70710678118654752440);
  const F re[4][4] = {{1, 1, 1, 1}, {1, c, r, s}, {1, r, 0, -r}, {1, s, -r, -c}};
  const F im[4][4] = {{0, 0, 0, 0}, {0, -s, -r, -c}, {0, -r, -1, -r}, {0, -c, -r, s}};
  ComplexVector<F, W> middle[4][4];
#pragma GCC unroll 4
  for (int64_t a = 0; a < 4; ++a) {
    dft4<F, W>([&](int64_t b) { return get(4 * b + a); },
               [&](int64_t k, ComplexVector<F, W> y) { middle[a][k] = y; });
  }
#pragma GCC unroll 4
  for (int64_t k = 0; k < 4; ++k) {
    const auto part = [&](int64_t a) {
      return a * k == 0   ? middle[a][k]
             : a * k == 4 ? times_minus_i(middle[a][k])
                          : product(middle[a][k], re[a][k], im[a][k]);
    };
    dft4<F, W>(part, [&](int64_t d, ComplexVector<F, W> y) { put(k + 4 * d, y); });
  }
}

// Sums and differences of the elements j and p - j, for a transform of odd length.
template <class F, int64_t W, int64_t H>
struct MirroredPairs {
  Vector<F, W> sum_re[H], sum_im[H], difference_re[H], difference_im[H];
};

// The outputs k .. k + K - 1 and p - k .. p - k - K + 1: conjugate roots of unity, so they share their
// products.
template <class F, int64_t K, int64_t W, int64_t H, class Put>
[[gnu::always_inline]] inline void dft_odd_outputs(int64_t p, int64_t h, int64_t k, ComplexVector<F, W> first,
                                                   const MirroredPairs<F, W, H>& x, const F* dft_matrix,
                                                   const Put& put) {
  Vector<F, W> ar[K], ai[K], br[K], bi[K];
  for (int64_t a = 0; a < K; ++a) {
    ar[a] = first.re;
    ai[a] = first.im;
    br[a] = bi[a] = Vector<F, W>{};
  }
  const F* w = dft_matrix + (k - 1) * 2 * h;
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
    put(k + a, ComplexVector<F, W>{ar[a] + bi[a], ai[a] - br[a]});
    put(p - k - a, ComplexVector<F, W>{ar[a] - bi[a], ai[a] + br[a]});
  }
}

template <class F, int64_t W, int64_t P, class Get, class Put>
[[gnu::always_inline]] inline void dft_odd(int64_t any, const F* dft_matrix, const Get& get, const Put& put) {
  constexpr int64_t max_pairs = P != 0 ? P / 2 : max_half_radix;
  const int64_t p = P != 0 ? P : any, h = p / 2;
  MirroredPairs<F, W, max_pairs> mirrored;
  const ComplexVector<F, W> first = get(0);
  ComplexVector<F, W> total = first;
  for (int64_t j = 0; j < h; ++j) {
    const ComplexVector<F, W> a = get(j + 1), b = get(p - 1 - j), sum = a + b;
    mirrored.sum_re[j] = sum.re;
    mirrored.sum_im[j] = sum.im;
    mirrored.difference_re[j] = a.re - b.re;
    mirrored.difference_im[j] = a.im - b.im;
    total = total + sum;
  }
  put(0, total);
  int64_t k = 1;
  for (; k + 2 <= h; k += 3) dft_odd_outputs<F, 3>(p, h, k, first, mirrored, dft_matrix, put);
  if (P == 0 || P / 2 % 3 == 2) {
    if (k + 1 == h) return dft_odd_outputs<F, 2>(p, h, k, first, mirrored, dft_matrix, put);
  }
  if (P == 0 || P / 2 % 3 == 1) {
    if (k == h) dft_odd_outputs<F, 1>(p, h, k, first, mirrored, dft_matrix, put);
  }
}

template <class F, int64_t W, int64_t P, class Get, class Put>
[[gnu::always_inline]] inline void dft(const RadixStage& g, const Get& get, const Put& put) {
  if constexpr (P == 2) {
    const ComplexVector<F, W> a = get(0), b = get(1);
    put(0, a + b);
    put(1, a - b);
  } else if constexpr (P == 4) {
    dft4<F, W>(get, put);
  } else if constexpr (P == 8) {
    dft8<F, W>(get, put);
  } else if constexpr (P == 16) {
    dft16<F, W>(get, put);
  } else {
    dft_odd<F, W, P>(g.p, static_cast<const F*>(g.dft_matrix), get, put);
  }
}

}  // namespace

}  // namespace arr::host::ARR_LEVEL

#pragma GCC diagnostic pop
