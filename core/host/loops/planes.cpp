// SPDX-License-Identifier: MIT
// Passes over lines that are transformed in planes of real and of imaginary parts.
#include "host/loops/fft.h"
#include "host/loops/vectors.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

void fill_planes(FftTable& t);

namespace {

template <class F>
void apart(int64_t n, const void* from, double sign, void* to_re, void* to_im) {
  const F* x = static_cast<const F*>(from);
  F *re = static_cast<F*>(to_re), *im = static_cast<F*>(to_im);
  const F f = static_cast<F>(sign);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    re[i] = x[2 * i];
    im[i] = f * x[2 * i + 1];
  }
}

template <class F>
void together(int64_t n, const void* from_re, const void* from_im, double sign, void* to) {
  const F *re = static_cast<const F*>(from_re), *im = static_cast<const F*>(from_im);
  F* x = static_cast<F*>(to);
  const F f = static_cast<F>(sign);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    x[2 * i] = re[i];
    x[2 * i + 1] = f * im[i];
  }
}

template <class F>
void times(int64_t n, const void* by_re, const void* by_im, void* data_re, void* data_im) {
  const F *wr = static_cast<const F*>(by_re), *wi = static_cast<const F*>(by_im);
  F *re = static_cast<F*>(data_re), *im = static_cast<F*>(data_im);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const F a = re[i], b = im[i];
    re[i] = a * wr[i] - b * wi[i];
    im[i] = a * wi[i] + b * wr[i];
  }
}

// Of W lines whose elements of one place lie side by side, here and below.
template <class F, int64_t W>
void mirror(int64_t n, const void* from, void* to_re, void* to_im) {
  const F* x = static_cast<const F*>(from);
  F *re = static_cast<F*>(to_re), *im = static_cast<F*>(to_im);
  for (int64_t v = 0; v < W; ++v) {
    re[v] = x[2 * v];
    im[v] = 0;
  }
#pragma GCC ivdep
  for (int64_t k = 1; k <= n / 2; ++k) {
    const F* z = x + 2 * k * W;
    F *a = re + k * W, *b = im + k * W, *c = re + (n - k) * W, *d = im + (n - k) * W;
#pragma GCC ivdep
    for (int64_t v = 0; v < W; ++v) {
      a[v] = c[v] = z[2 * v];
      b[v] = -z[2 * v + 1];
      d[v] = z[2 * v + 1];
    }
  }
}

// As FftLoops::untangle does it, and tangle below, but for the sign.
template <class F, int64_t W>
void untangle(int64_t m, const void* by_re, const void* by_im, const void* from_re, const void* from_im,
              void* to) {
  const F *wr = static_cast<const F*>(by_re), *wi = static_cast<const F*>(by_im);
  const F *re = static_cast<const F*>(from_re), *im = static_cast<const F*>(from_im);
  F *x = static_cast<F*>(to), *y = x + 2 * m * W;
  constexpr F half = 0.5;
  for (int64_t v = 0; v < W; ++v) {
    x[2 * v] = re[v] + im[v];
    y[2 * v] = re[v] - im[v];
    x[2 * v + 1] = y[2 * v + 1] = 0;
  }
#pragma GCC ivdep
  for (int64_t k = 1; k <= m / 2; ++k) {
    const F *zr = re + k * W, *zi = im + k * W, *yr = re + (m - k) * W, *yi = im + (m - k) * W;
    F *a = x + 2 * k * W, *b = y - 2 * k * W;
#pragma GCC ivdep
    for (int64_t v = 0; v < W; ++v) {
      const F er = half * (zr[v] + yr[v]), ei = half * (zi[v] - yi[v]);
      const F o_r = half * (zi[v] + yi[v]), oi = half * (yr[v] - zr[v]);
      const F tr = wr[k] * o_r - wi[k] * oi, ti = wr[k] * oi + wi[k] * o_r;
      a[2 * v] = er + tr;
      a[2 * v + 1] = ei + ti;
      b[2 * v] = er - tr;
      b[2 * v + 1] = ti - ei;
    }
  }
}

template <class F, int64_t W>
void tangle(int64_t m, const void* by_re, const void* by_im, const void* from, void* to_re, void* to_im) {
  const F *wr = static_cast<const F*>(by_re), *wi = static_cast<const F*>(by_im);
  const F *x = static_cast<const F*>(from), *y = x + 2 * m * W;
  F *re = static_cast<F*>(to_re), *im = static_cast<F*>(to_im);
  for (int64_t v = 0; v < W; ++v) {
    re[v] = x[2 * v] + y[2 * v];
    im[v] = y[2 * v] - x[2 * v];
  }
#pragma GCC ivdep
  for (int64_t k = 1; k <= m / 2; ++k) {
    const F *p = x + 2 * k * W, *q = y - 2 * k * W;
    F *zr = re + k * W, *zi = im + k * W, *yr = re + (m - k) * W, *yi = im + (m - k) * W;
#pragma GCC ivdep
    for (int64_t v = 0; v < W; ++v) {
      const F ar = p[2 * v] + q[2 * v], ai = p[2 * v + 1] - q[2 * v + 1];
      const F dr = p[2 * v] - q[2 * v], di = p[2 * v + 1] + q[2 * v + 1];
      const F br = dr * wr[k] + di * wi[k], bi = di * wr[k] - dr * wi[k];
      zr[v] = ar - bi;
      zi[v] = -ai - br;
      yr[v] = ar + bi;
      yi[v] = ai - br;
    }
  }
}

template <class F>
void fill(RadixLoops& loops) {
  loops.apart = apart<F>;
  loops.together = together<F>;
  loops.times = times<F>;
  constexpr int64_t lanes = lanes_of<F>;
  loops.mirror[0] = mirror<F, 1>;
  loops.mirror[1] = mirror<F, lanes>;
  loops.untangle[0] = untangle<F, 1>;
  loops.untangle[1] = untangle<F, lanes>;
  loops.tangle[0] = tangle<F, 1>;
  loops.tangle[1] = tangle<F, lanes>;
}

}  // namespace

void fill_planes(FftTable& t) {
  fill<float>(t.radix_of_float);
  fill<double>(t.radix_of_double);
}

}  // namespace arr::host::ARR_LEVEL
