// SPDX-License-Identifier: MIT
// Stages of Fourier transforms for any radix. They go from one array to another, which keeps the elements in
// order (Stockham; C. Van Loan, "Computational frameworks for the fast Fourier transform", 1992, 1.7).
// Outputs whose roots of unity are conjugates share their products (R. C. Singleton, "An algorithm for
// computing the mixed radix fast Fourier transform", 1969).
#include <utility>

#include "host/loops/fft/fft.h"
#include "host/loops/fft/radix_columns.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

void fill_radix(FftTable& t);

namespace {

// The start of a vector at `at`. The last vector of a row is moved back to end with the row, and computes
// some elements twice.
inline int64_t clamped_start(int64_t at, int64_t width, int64_t count) {
  return at + width <= count ? at : count - width;
}

template <class F, int64_t P, int64_t W, class From, class To>
void shared_twiddles(const RadixStage& g, From x, To y) {
  const int64_t p = P != 0 ? P : g.p, m = g.m, s = g.s;
  for (int64_t i = 0; i < m; ++i) {
    const F* w = static_cast<const F*>(g.twiddles) + i * 2 * p;
    for (int64_t q = 0; q < s; q += W) {
      const int64_t at = clamped_start(q, W, s), from = at + s * i, to = at + s * p * i;
      const auto get = [&](int64_t j) { return load<F, W>(x, from + s * m * j); };
      dft<F, W, P>(g, get, [&](int64_t k, ComplexVector<F, W> z) {
        if (k != 0) z = product(z, w[2 * k], w[2 * k + 1]);
        store<F, W>(y, to + s * k, z);
      });
    }
  }
}

// Transposes P rows of W numbers to W rows of P. Each step interleaves the first and the second half of all
// rows, which moves one bit of an element's row number to the end of its position.
template <class F, int64_t W, int64_t P, int... I>
[[gnu::always_inline]] inline void store_transposed(const F* rows, F* y, std::integer_sequence<int, I...>) {
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

// Stores the outputs of the W columns from `at` on; re and im hold a row of W numbers per output.
template <class F, int64_t W, int64_t P>
[[gnu::always_inline]] inline void scatter_outputs(const RadixStage& g, int64_t p, int64_t at, const F* re,
                                                   const F* im, Planes<F> y) {
  const int64_t s = g.s;
  int64_t q = at % s, to = q + (at - q) * p;
  if constexpr (W > 1 && P != 0 && P % 2 == 0) {
    if (s == 1) {
      store_transposed<F, W, P>(re, y.re + to, std::make_integer_sequence<int, W>{});
      return store_transposed<F, W, P>(im, y.im + to, std::make_integer_sequence<int, W>{});
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

// W is 1 if there are fewer columns than a vector has lanes.
template <class F, int64_t P, int64_t W, class From>
void lane_twiddles(const RadixStage& g, From x, Planes<F> y) {
  constexpr int64_t max_points = P != 0 ? P : max_radix;
  const int64_t p = P != 0 ? P : g.p, count = g.s * g.m;
  const F* w = static_cast<const F*>(g.twiddles);
  F re[max_points * W], im[max_points * W];
  for (int64_t c = 0; c < count; c += W) {
    const int64_t at = clamped_start(c, W, count);
    const auto get = [&](int64_t j) { return load<F, W>(x, at + j * count); };
    dft<F, W, P>(g, get, [&](int64_t k, ComplexVector<F, W> z) {
      const Planes<const F> twiddles = {w + 2 * k * count, w + (2 * k + 1) * count};
      if (k != 0) z = product(z, load<F, W>(twiddles, at));
      store<F, W>(Planes<F>{re, im}, k * W, z);
    });
    scatter_outputs<F, W, P>(g, p, at, re, im, y);
  }
}

// The outputs 1, 2 ... of a column, and the outputs p - 1, p - 2 ..., whose roots of unity are the
// conjugates.
template <class F>
struct Outputs {
  static constexpr int64_t max_points = max_half_radix + 1 + 2 * lanes<F>;
  F re[max_points], im[max_points], other_re[max_points], other_im[max_points];
};

// VECTORS vectors of outputs from k on; w is the matrix of cosines and sines.
template <class F, int64_t VECTORS>
void outputs_from(int64_t h, int64_t ld, const F* w, ComplexVector<F, 1> first,
                  const MirroredPairs<F, 1, max_half_radix>& x, int64_t k, Outputs<F>& y) {
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
void vector_over_outputs(const RadixStage& g, Planes<const F> x, Planes<F> z) {
  constexpr int64_t W = lanes<F>;
  const int64_t p = g.p, s = g.s, count = s * g.m, h = p / 2, ld = g.dft_matrix_ld;
  const F *w = static_cast<const F*>(g.twiddles), *dft_matrix = static_cast<const F*>(g.dft_matrix);
  MirroredPairs<F, 1, max_half_radix> mirrored;
  Outputs<F> y;
  for (int64_t c = 0; c < count; ++c) {
    const ComplexVector<F, 1> first = {x.re[c], x.im[c]};
    ComplexVector<F, 1> total = first;
    for (int64_t j = 0; j < h; ++j) {
      const ComplexVector<F, 1> a = load<F, 1>(x, c + (j + 1) * count),
                                b = load<F, 1>(x, c + (p - 1 - j) * count), sum = a + b;
      mirrored.sum_re[j] = sum.re;
      mirrored.sum_im[j] = sum.im;
      mirrored.difference_re[j] = a.re - b.re;
      mirrored.difference_im[j] = a.im - b.im;
      total = total + sum;
    }
    int64_t k = 0;
    for (; k + 2 * W <= ld; k += 2 * W) outputs_from<F, 2>(h, ld, dft_matrix, first, mirrored, k, y);
    if (k < ld) outputs_from<F, 1>(h, ld, dft_matrix, first, mirrored, k, y);
    const int64_t q = c % s, to = q + (c - q) * p;
    z.re[to] = total.re;
    z.im[to] = total.im;
    for (k = 1; k < p; ++k) {
      const ComplexVector<F, 1> r = k <= h
                                        ? ComplexVector<F, 1>{y.re[k - 1], y.im[k - 1]}
                                        : ComplexVector<F, 1>{y.other_re[p - k - 1], y.other_im[p - k - 1]};
      const ComplexVector<F, 1> twiddled =
          product(r, ComplexVector<F, 1>{w[2 * k * count + c], w[(2 * k + 1) * count + c]});
      z.re[to + s * k] = twiddled.re;
      z.im[to + s * k] = twiddled.im;
    }
  }
}

template <class F, int64_t P>
void stage_of(const RadixStage& g, Planes<const F> x, Planes<F> y) {
  constexpr int64_t whole = lanes<F>;
  switch (g.form) {
    case RadixForm::shared_twiddles:
      if constexpr (whole / 4 >= min_vector_width) {
        if (g.width == whole / 4) return shared_twiddles<F, P, whole / 4>(g, x, y);
      }
      if constexpr (whole / 2 >= min_vector_width) {
        if (g.width == whole / 2) return shared_twiddles<F, P, whole / 2>(g, x, y);
      }
      return shared_twiddles<F, P, whole>(g, x, y);
    case RadixForm::lane_twiddles:
      return lane_twiddles<F, P, whole>(g, x, y);
    case RadixForm::vector_over_outputs:
      return vector_over_outputs<F>(g, x, y);
    default:
      return lane_twiddles<F, P, 1>(g, x, y);
  }
}

// Calls body<P>() if P has unrolled loops, else body<0>().
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
  const Interleaved<const F> from = {static_cast<const F*>(x), static_cast<F>(sign)};
  const Planes<F> y = {static_cast<F*>(yr), static_cast<F*>(yi)};
  by_factor(g.p, [&]<int64_t P>() {
    if (g.form == RadixForm::lane_twiddles) return lane_twiddles<F, P, lanes<F>>(g, from, y);
    shared_twiddles<F, P, lanes<F>>(g, from, y);
  });
}

template <class F>
void last(const RadixStage& g, const void* xr, const void* xi, double sign, void* y) {
  const Planes<const F> x = {static_cast<const F*>(xr), static_cast<const F*>(xi)};
  const Interleaved<F> to = {static_cast<F*>(y), static_cast<F>(sign)};
  by_factor(g.p, [&]<int64_t P>() { shared_twiddles<F, P, lanes<F>>(g, x, to); });
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
