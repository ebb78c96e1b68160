// SPDX-License-Identifier: MIT
// Stages of Fourier transforms that leave the elements in order by going from one array to another
// (Stockham's; C. Van Loan, "Computational frameworks for the fast Fourier transform", 1992, 1.7), for any
// factor: those of a pair of roots that are conjugates share their products (R. C. Singleton, "An algorithm
// for computing the mixed radix fast Fourier transform", 1969).
#include <utility>

#include "host/loops/fft.h"
#include "host/loops/radix_columns.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

void fill_radix(FftTable& t);

namespace {

// The last vector of a row begins where it ends with the row, and writes again what the one before has.
inline int64_t clamped(int64_t at, int64_t width, int64_t count) {
  return at + width <= count ? at : count - width;
}

template <class F, int64_t P, int64_t W, class From, class To>
void wide(const RadixStage& g, From x, To y) {
  const int64_t p = P != 0 ? P : g.p, m = g.m, s = g.s;
  for (int64_t i = 0; i < m; ++i) {
    const F* w = static_cast<const F*>(g.roots) + i * 2 * p;
    for (int64_t q = 0; q < s; q += W) {
      const int64_t at = clamped(q, W, s), from = at + s * i, to = at + s * p * i;
      const auto get = [&](int64_t j) { return load<F, W>(x, from + s * m * j); };
      column<F, W, P>(g, get, [&](int64_t k, Pair<F, W> z) {
        if (k != 0) z = product(z, w[2 * k], w[2 * k + 1]);
        store<F, W>(y, to + s * k, z);
      });
    }
  }
}

// P rows of W numbers to y as W rows of P: of the places of a number the bits of its row go behind those of
// its column, one by one, as two halves of all rows are interleaved.
template <class F, int64_t W, int64_t P, int... I>
[[gnu::always_inline]] inline void put_transposed(const F* rows, F* y, std::integer_sequence<int, I...>) {
  constexpr int V = W;
  Vector<F, W> from[P], to[P];
#pragma GCC unroll 16
  for (int64_t k = 0; k < P; ++k) from[k] = load<F, W>(rows + k * W);
#pragma GCC unroll 4
  for (int64_t bit = 1; bit < P; bit *= 2) {
#pragma GCC unroll 8
    for (int64_t k = 0; k < P / 2; ++k) {
      to[2 * k] = __builtin_shufflevector(from[k], from[k + P / 2], I / 2 + I % 2 * V...);
      to[2 * k + 1] = __builtin_shufflevector(from[k], from[k + P / 2], V / 2 + I / 2 + I % 2 * V...);
    }
#pragma GCC unroll 16
    for (int64_t k = 0; k < P; ++k) from[k] = to[k];
  }
#pragma GCC unroll 16
  for (int64_t k = 0; k < P; ++k) store<F, W>(y + k * W, from[k]);
}

// The results of the columns from `at` on, each a row of W, to where they belong.
template <class F, int64_t W, int64_t P>
[[gnu::always_inline]] inline void put_columns(const RadixStage& g, int64_t p, int64_t at, const F* re,
                                               const F* im, Planes<F> y) {
  const int64_t s = g.s;
  int64_t q = at % s, to = q + (at - q) * p;
  if constexpr (W > 1 && P != 0 && P % 2 == 0) {
    if (s == 1) {
      put_transposed<F, W, P>(re, y.re + to, std::make_integer_sequence<int, W>{});
      return put_transposed<F, W, P>(im, y.im + to, std::make_integer_sequence<int, W>{});
    }
  }
  for (int64_t v = 0; v < W; ++v) {
    for (int64_t k = 0; k < p; ++k) {
      y.re[to + s * k] = re[k * W + v];
      y.im[to + s * k] = im[k * W + v];
    }
    ++to;
    if (++q == s) {
      q = 0;
      to += s * (p - 1);
    }
  }
}

// W is 1 where a vector would be more than all columns.
template <class F, int64_t P, int64_t W, class From>
void narrow(const RadixStage& g, From x, Planes<F> y) {
  constexpr int64_t most = P != 0 ? P : radix_most;
  const int64_t p = P != 0 ? P : g.p, count = g.s * g.m;
  const F* w = static_cast<const F*>(g.roots);
  F re[most * W], im[most * W];
  for (int64_t c = 0; c < count; c += W) {
    const int64_t at = clamped(c, W, count);
    const auto get = [&](int64_t j) { return load<F, W>(x, at + j * count); };
    column<F, W, P>(g, get, [&](int64_t k, Pair<F, W> z) {
      const Planes<const F> roots = {w + 2 * k * count, w + (2 * k + 1) * count};
      if (k != 0) z = product(z, load<F, W>(roots, at));
      store<F, W>(Planes<F>{re, im}, k * W, z);
    });
    put_columns<F, W, P>(g, p, at, re, im, y);
  }
}

// The results of a column in order of k, and those of the conjugate roots.
template <class F>
struct Results {
  static constexpr int64_t most = most_half + 1 + 2 * lanes<F>;
  F re[most], im[most], other_re[most], other_im[most];
};

// VECTORS vectors of results from k on, whose roots are at w.
template <class F, int64_t VECTORS>
void across(int64_t h, int64_t ld, const F* w, Pair<F, 1> first, const Halves<F, 1, most_half>& x, int64_t k,
            Results<F>& y) {
  constexpr int64_t W = lanes<F>;
  using V = Vector<F, W>;
  V ar[VECTORS], ai[VECTORS], br[VECTORS], bi[VECTORS];
  for (int64_t a = 0; a < VECTORS; ++a) {
    ar[a] = V{} + first.re;
    ai[a] = V{} + first.im;
    br[a] = bi[a] = V{};
  }
  w += k;
  for (int64_t j = 0; j < h; ++j, w += 2 * ld) {
    for (int64_t a = 0; a < VECTORS; ++a) {
      const V cosine = load<F, W>(w + a * W), sine = load<F, W>(w + ld + a * W);
      ar[a] += x.sum_re[j] * cosine;
      ai[a] += x.sum_im[j] * cosine;
      br[a] += x.difference_re[j] * sine;
      bi[a] += x.difference_im[j] * sine;
    }
  }
  for (int64_t a = 0; a < VECTORS; ++a, k += W) {
    store<F, W>(y.re + k, ar[a] + bi[a]);
    store<F, W>(y.im + k, ai[a] - br[a]);
    store<F, W>(y.other_re + k, ar[a] - bi[a]);
    store<F, W>(y.other_im + k, ai[a] + br[a]);
  }
}

template <class F>
void few(const RadixStage& g, Planes<const F> x, Planes<F> z) {
  constexpr int64_t W = lanes<F>;
  const int64_t p = g.p, s = g.s, count = s * g.m, h = p / 2, ld = g.sums_ld;
  const F *w = static_cast<const F*>(g.roots), *sums = static_cast<const F*>(g.sums);
  Halves<F, 1, most_half> halves;
  Results<F> y;
  for (int64_t c = 0; c < count; ++c) {
    const Pair<F, 1> first = {x.re[c], x.im[c]};
    Pair<F, 1> total = first;
    for (int64_t j = 0; j < h; ++j) {
      const Pair<F, 1> a = load<F, 1>(x, c + (j + 1) * count), b = load<F, 1>(x, c + (p - 1 - j) * count),
                       sum = a + b;
      halves.sum_re[j] = sum.re;
      halves.sum_im[j] = sum.im;
      halves.difference_re[j] = a.re - b.re;
      halves.difference_im[j] = a.im - b.im;
      total = total + sum;
    }
    int64_t k = 0;
    for (; k + 2 * W <= ld; k += 2 * W) across<F, 2>(h, ld, sums, first, halves, k, y);
    if (k < ld) across<F, 1>(h, ld, sums, first, halves, k, y);
    const int64_t q = c % s, to = q + (c - q) * p;
    z.re[to] = total.re;
    z.im[to] = total.im;
    for (k = 1; k < p; ++k) {
      const Pair<F, 1> r = k <= h ? Pair<F, 1>{y.re[k - 1], y.im[k - 1]}
                                  : Pair<F, 1>{y.other_re[p - k - 1], y.other_im[p - k - 1]};
      const Pair<F, 1> turned_by = product(r, Pair<F, 1>{w[2 * k * count + c], w[(2 * k + 1) * count + c]});
      z.re[to + s * k] = turned_by.re;
      z.im[to + s * k] = turned_by.im;
    }
  }
}

template <class F, int64_t P>
void stage_of(const RadixStage& g, Planes<const F> x, Planes<F> y) {
  constexpr int64_t whole = lanes<F>;
  switch (g.form) {
    case RadixForm::wide:
      if constexpr (whole / 4 >= radix_least_width) {
        if (g.width == whole / 4) return wide<F, P, whole / 4>(g, x, y);
      }
      if constexpr (whole / 2 >= radix_least_width) {
        if (g.width == whole / 2) return wide<F, P, whole / 2>(g, x, y);
      }
      return wide<F, P, whole>(g, x, y);
    case RadixForm::narrow:
      return narrow<F, P, whole>(g, x, y);
    case RadixForm::few:
      return few<F>(g, x, y);
    default:
      return narrow<F, P, 1>(g, x, y);
  }
}

// body<P>() for the stages whose loops are unrolled, else body<0>().
template <class Body>
void by_factor(int64_t p, const Body& body) {
  switch (p) {
#define ARR_RADIX(P) \
  case P:            \
    return body.template operator()<P>();
    ARR_RADIX(2)
    ARR_RADIX(3)
    ARR_RADIX(4)
    ARR_RADIX(5)
    ARR_RADIX(7)
    ARR_RADIX(8)
    ARR_RADIX(11)
    ARR_RADIX(13)
    ARR_RADIX(16)
#undef ARR_RADIX
    default:
      return body.template operator()<0>();
  }
}

template <class F>
void stage(const RadixStage& g, const void* xr, const void* xi, void* yr, void* yi) {
  const Planes<const F> x = {static_cast<const F*>(xr), static_cast<const F*>(xi)};
  const Planes<F> y = {static_cast<F*>(yr), static_cast<F*>(yi)};
  by_factor(g.p, [&]<int64_t P>() { stage_of<F, P>(g, x, y); });
}

template <class F>
void first(const RadixStage& g, const void* x, double sign, void* yr, void* yi) {
  const Numbers<const F> from = {static_cast<const F*>(x), static_cast<F>(sign)};
  const Planes<F> y = {static_cast<F*>(yr), static_cast<F*>(yi)};
  by_factor(g.p, [&]<int64_t P>() {
    if (g.form == RadixForm::narrow) return narrow<F, P, lanes<F>>(g, from, y);
    wide<F, P, lanes<F>>(g, from, y);
  });
}

template <class F>
void last(const RadixStage& g, const void* xr, const void* xi, double sign, void* y) {
  const Planes<const F> x = {static_cast<const F*>(xr), static_cast<const F*>(xi)};
  const Numbers<F> to = {static_cast<F*>(y), static_cast<F>(sign)};
  by_factor(g.p, [&]<int64_t P>() { wide<F, P, lanes<F>>(g, x, to); });
}

template <class F>
void fill(RadixLoops& loops) {
  loops.lanes = lanes<F>;
  loops.stage = stage<F>;
  loops.first = first<F>;
  loops.last = last<F>;
}

}  // namespace

void fill_radix(FftTable& t) {
  fill<float>(t.radix_of_float);
  fill<double>(t.radix_of_double);
}

}  // namespace arr::host::ARR_LEVEL
