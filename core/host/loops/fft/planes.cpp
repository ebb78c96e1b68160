// SPDX-License-Identifier: MIT
// Passes over lines that are stored as a plane of real parts and a plane of imaginary parts.
#include "host/loops/fft/fft.h"
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
void deinterleave(int64_t n, const void* from, double sign, void* to_re, void* to_im) {
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
void interleave(int64_t n, const void* from_re, const void* from_im, double sign, void* to) {
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
void multiply_planes(int64_t n, const void* by_re, const void* by_im, void* data_re, void* data_im) {
  const F *wr = static_cast<const F*>(by_re), *wi = static_cast<const F*>(by_im);
  F *re = static_cast<F*>(data_re), *im = static_cast<F*>(data_im);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; ++i) {
    const F a = re[i], b = im[i];
    re[i] = a * wr[i] - b * wi[i];
    im[i] = a * wi[i] + b * wr[i];
  }
}

// Calls body(k, v) for the elements k = 1 .. last of W interleaved lines v: element k of the W lines is
// contiguous.
template <int64_t W, class Body>
inline void each_element(int64_t last, const Body& body) {
  if constexpr (W == 1) {
#pragma GCC ivdep
    for (int64_t k = 1; k <= last; ++k) body(k, 0);
  } else {
    for (int64_t k = 1; k <= last; ++k) {
#pragma GCC ivdep
      for (int64_t v = 0; v < W; ++v) body(k, v);
    }
  }
}

template <class F, int64_t W>
void expand_hermitian(int64_t n, const void* from, void* to_re, void* to_im) {
  const F* x = static_cast<const F*>(from);
  F *re = static_cast<F*>(to_re), *im = static_cast<F*>(to_im);
  for (int64_t v = 0; v < W; ++v) {
    re[v] = x[2 * v];
    im[v] = 0;
  }
  each_element<W>(n / 2, [=](int64_t k, int64_t v) {
    const int64_t at = k * W + v, other = (n - k) * W + v;
    re[at] = re[other] = x[2 * at];
    im[at] = -x[2 * at + 1];
    im[other] = x[2 * at + 1];
  });
}

// The formulas of FftLoops::real_fft_postprocess and, below, real_ifft_preprocess, which is conjugated here.
template <class F, int64_t W>
void real_fft_postprocess(int64_t m, const void* by_re, const void* by_im, const void* from_re,
                          const void* from_im, void* to) {
  const F *wr = static_cast<const F*>(by_re), *wi = static_cast<const F*>(by_im);
  const F *re = static_cast<const F*>(from_re), *im = static_cast<const F*>(from_im);
  F *x = static_cast<F*>(to), *end = x + 2 * m * W;
  constexpr F half = 0.5;
  for (int64_t v = 0; v < W; ++v) {
    x[2 * v] = re[v] + im[v];
    end[2 * v] = re[v] - im[v];
    x[2 * v + 1] = end[2 * v + 1] = 0;
  }
  each_element<W>(m / 2, [=](int64_t k, int64_t v) {
    const int64_t at = k * W + v, other = (m - k) * W + v;
    const F pr = half * re[at], pi = half * im[at], qr = half * re[other], qi = half * im[other];
    const F er = pr + qr, ei = pi - qi, o_r = pi + qi, oi = qr - pr;
    const F tr = wr[k] * o_r - wi[k] * oi, ti = wr[k] * oi + wi[k] * o_r;
    x[2 * at] = er + tr;
    x[2 * at + 1] = ei + ti;
    x[2 * other] = er - tr;
    x[2 * other + 1] = ti - ei;
  });
}

template <class F, int64_t W>
void real_ifft_preprocess(int64_t m, const void* by_re, const void* by_im, const void* from, void* to_re,
                          void* to_im) {
  const F *wr = static_cast<const F*>(by_re), *wi = static_cast<const F*>(by_im);
  const F *x = static_cast<const F*>(from), *end = x + 2 * m * W;
  F *re = static_cast<F*>(to_re), *im = static_cast<F*>(to_im);
  for (int64_t v = 0; v < W; ++v) {
    re[v] = x[2 * v] + end[2 * v];
    im[v] = end[2 * v] - x[2 * v];
  }
  each_element<W>(m / 2, [=](int64_t k, int64_t v) {
    const int64_t at = k * W + v, other = (m - k) * W + v;
    const F ar = x[2 * at] + x[2 * other], ai = x[2 * at + 1] - x[2 * other + 1];
    const F dr = x[2 * at] - x[2 * other], di = x[2 * at + 1] + x[2 * other + 1];
    const F br = dr * wr[k] + di * wi[k], bi = di * wr[k] - dr * wi[k];
    re[at] = ar - bi;
    im[at] = -ai - br;
    re[other] = ar + bi;
    im[other] = ai - br;
  });
}

template <class F>
void fill(RadixLoops& loops) {
  loops.deinterleave = deinterleave<F>;
  loops.interleave = interleave<F>;
  loops.multiply_planes = multiply_planes<F>;
  constexpr int64_t lanes = lanes_of<F>;
  loops.expand_hermitian[0] = expand_hermitian<F, 1>;
  loops.expand_hermitian[1] = expand_hermitian<F, lanes>;
  loops.real_fft_postprocess[0] = real_fft_postprocess<F, 1>;
  loops.real_fft_postprocess[1] = real_fft_postprocess<F, lanes>;
  loops.real_ifft_preprocess[0] = real_ifft_preprocess<F, 1>;
  loops.real_ifft_preprocess[1] = real_ifft_preprocess<F, lanes>;
}

}  // namespace

void fill_planes(FftTable& t) {
  fill<float>(t.radix_of_float);
  fill<double>(t.radix_of_double);
}

}  // namespace arr::host::ARR_LEVEL
