// SPDX-License-Identifier: MIT
// Passes of cosine transforms before and after their Fourier transform. Loops that also read backwards use
// separate arrays of real and imaginary parts, because the compiler can vectorise those.
#include "host/loops/fft/fft.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

#pragma GCC diagnostic ignored "-Wconversion"

namespace arr::host::ARR_LEVEL {

void fill_cosine(FftTable& t);

namespace {

template <class F>
constexpr F root2 = F(1.41421356237309504880);

template <class F>
void pack(int64_t m, double sign, const void* from, void* to) {
  const F* x = static_cast<const F*>(from);
  F *v = static_cast<F*>(to), *end = v + 2 * m - 1;
  const F s = static_cast<F>(sign);
#pragma GCC ivdep
  for (int64_t j = 0; j < m; ++j) {
    v[j] = x[2 * j];
    end[-j] = s * x[2 * j + 1];
  }
}

template <class F>
void unpack(int64_t m, double sign, const void* from, void* to) {
  const F *v = static_cast<const F*>(from), *end = v + 2 * m - 1;
  F* x = static_cast<F*>(to);
  const F s = static_cast<F>(sign);
#pragma GCC ivdep
  for (int64_t j = 0; j < m; ++j) {
    x[2 * j] = v[j];
    x[2 * j + 1] = s * end[-j];
  }
}

// Pointers to the elements k, 2m - k, m - k and m + k of a line of 2 m elements, counted from its end if
// backwards.
template <class F, bool backwards>
struct Quarters {
  F *up, *down, *left, *right;
  Quarters(F* y, int64_t m)
      : up(backwards ? y + 2 * m - 1 : y),
        down(backwards ? y - 1 : y + 2 * m),
        left(backwards ? y + m - 1 : y + m),
        right(left) {}
  static constexpr int64_t step = backwards ? -1 : 1;
};

// Multiplies by the factor before it adds, because the sums could overflow.
// z is the transform of the line as m complex numbers. With e = z[k] + conj z[m-k], o = (z[k] - conj z[m-k])
// / i twice the spectrum of reals is e + w^4 o at k and conj(e - w^4 o) at m - k; times w = exp(-pi i k /
// 2n), and exp(-pi i / 4) conj w, their parts are the elements k and -(n - k), m - k and -(m + k).
template <class F, bool backwards>
void dct2(int64_t m, const F* roots, F f, bool ends, const F* z, F* scratch, F* y) {
  const int64_t count = m / 2 + 1;
  const F *wr = roots, *wi = wr + count, *ur = wi + count, *ui = ur + count;
  F *re = scratch, *im = re + m;
#pragma GCC ivdep
  for (int64_t k = 0; k < m; ++k) {
    re[k] = f * z[2 * k];
    im[k] = f * z[2 * k + 1];
  }
  const Quarters<F, backwards> q(y, m);
  constexpr int64_t s = Quarters<F, backwards>::step;
  constexpr F g = 1 / root2<F>;
  const F *re_end = re + m, *im_end = im + m;
#pragma GCC ivdep
  for (int64_t k = 1; k < count; ++k) {
    const F er = re[k] + re_end[-k], ei = im[k] - im_end[-k], dr = re[k] - re_end[-k],
            di = im[k] + im_end[-k];
    const F pr = wr[k] * er - wi[k] * ei, pi = wr[k] * ei + wi[k] * er;
    const F qr = ur[k] * di + ui[k] * dr, qi = ui[k] * di - ur[k] * dr;
    const F ar = g * (pr - qr), ai = g * (pi - qi);
    q.up[s * k] = pr + qr;
    q.down[-s * k] = -(pi + qi);
    q.left[-s * k] = ar - ai;
    q.right[s * k] = ar + ai;
  }
  q.up[0] = (ends ? root2<F> : F(2)) * (re[0] + im[0]);
  q.left[0] = root2<F> * (re[0] - im[0]);
}

// The inverse of dct2.
template <class F, bool backwards>
void dct3(int64_t m, const F* roots, F f, bool ends, const F* y, F* scratch, F* z) {
  const int64_t count = m / 2 + 1;
  const F *wr = roots, *wi = wr + count, *ur = wi + count, *ui = ur + count;
  F *re = scratch, *im = re + m, *re_end = re + m, *im_end = im + m;
  const Quarters<const F, backwards> q(y, m);
  constexpr int64_t s = Quarters<const F, backwards>::step;
  const F c = f / root2<F>;
#pragma GCC ivdep
  for (int64_t k = 1; k < count; ++k) {
    const F gr = f * q.up[s * k], gi = -f * q.down[-s * k], l = c * q.left[-s * k], r = c * q.right[s * k];
    const F hr = l + r, hi = r - l;
    const F sr = gr + hr, si = gi + hi, dr = gr - hr, di = gi - hi;
    const F ar = wr[k] * sr + wi[k] * si, ai = wr[k] * si - wi[k] * sr;
    const F br = ur[k] * dr + ui[k] * di, bi = ur[k] * di - ui[k] * dr;
    re[k] = ar - bi;
    im[k] = ai + br;
    re_end[-k] = ar + bi;
    im_end[-k] = br - ai;
  }
  const F first = (ends ? root2<F> * f : f) * q.up[0], middle = root2<F> * f * q.left[0];
  re[0] = first + middle;
  im[0] = first - middle;
#pragma GCC ivdep
  for (int64_t k = 0; k < m; ++k) {
    z[2 * k] = re[k];
    z[2 * k + 1] = im[k];
  }
}

template <class F>
void dct2_postprocess(int64_t m, const void* roots, double scale, bool backwards, bool ends, const void* z,
                      void* scratch, void* y) {
  const auto body = backwards ? dct2<F, true> : dct2<F, false>;
  body(m, static_cast<const F*>(roots), static_cast<F>(scale), ends, static_cast<const F*>(z),
       static_cast<F*>(scratch), static_cast<F*>(y));
}
template <class F>
void dct3_preprocess(int64_t m, const void* roots, double scale, bool backwards, bool ends, const void* y,
                     void* scratch, void* z) {
  const auto body = backwards ? dct3<F, true> : dct3<F, false>;
  body(m, static_cast<const F*>(roots), static_cast<F>(scale), ends, static_cast<const F*>(y),
       static_cast<F*>(scratch), static_cast<F*>(z));
}

template <class F>
void dct4_preprocess(int64_t m, const void* roots, bool backwards, const void* from, void* to) {
  const F *c = static_cast<const F*>(roots), *s = c + m, *v = static_cast<const F*>(from);
  const F *u = backwards ? v + m : v, *d = backwards ? v : v + m;
  F* z = static_cast<F*>(to);
#pragma GCC ivdep
  for (int64_t j = 0; j < m; ++j) {
    z[2 * j] = u[j] * c[j] + d[j] * s[j];
    z[2 * j + 1] = d[j] * c[j] - u[j] * s[j];
  }
}
template <class F>
void dct4_postprocess(int64_t m, const void* roots, double scale, const void* from, void* to) {
  const F *c = static_cast<const F*>(roots), *s = c + m, *z = static_cast<const F*>(from);
  F* v = static_cast<F*>(to);
  const F f = static_cast<F>(2 * scale);
#pragma GCC ivdep
  for (int64_t k = 0; k < m; ++k) {
    v[k] = f * (z[2 * k] * c[k] + z[2 * k + 1] * s[k]);
    v[m + k] = f * (z[2 * k] * s[k] - z[2 * k + 1] * c[k]);
  }
}

template <class F>
CosineLoops loops_of() {
  return {
      pack<F>, unpack<F>, dct2_postprocess<F>, dct3_preprocess<F>, dct4_preprocess<F>, dct4_postprocess<F>};
}

}  // namespace

void fill_cosine(FftTable& t) {
  t.cosine_of_float = loops_of<float>();
  t.cosine_of_double = loops_of<double>();
}

}  // namespace arr::host::ARR_LEVEL
