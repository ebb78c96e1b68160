// SPDX-License-Identifier: MIT
// CUDA's mathematical functions beside C's, in both precisions: row k of `out` is function k of all
// arguments.
#define ROW(k, value) out[(k)*n + i] = value
#define INDEX                                    \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return
template <class T>
__device__ void special_of(const T* in, T* out, int n) {
  INDEX;
  T x = in[i];
  ROW(0, erfcx(x)), ROW(1, erfinv(x)), ROW(2, erfcinv(x)), ROW(3, normcdfinv(x));
  ROW(4, cyl_bessel_i0(x)), ROW(5, cyl_bessel_i1(x)), ROW(6, sinpi(x)), ROW(7, cospi(x));
  T s, c;
  sincospi(x, &s, &c);
  ROW(8, s), ROW(9, c);
}
extern "C" __global__ void special_double(const double* in, double* out, int n) { special_of(in, out, n); }
extern "C" __global__ void special_float(const float* in, float* out, int n) { special_of(in, out, n); }
// The names that end in f.
extern "C" __global__ void special_suffixed(const float* in, float* out, int n) {
  INDEX;
  float x = in[i], s, c;
  ROW(0, erfcxf(x)), ROW(1, erfinvf(x)), ROW(2, erfcinvf(x)), ROW(3, normcdfinvf(x));
  ROW(4, cyl_bessel_i0f(x)), ROW(5, cyl_bessel_i1f(x)), ROW(6, sinpif(x)), ROW(7, cospif(x));
  sincospif(x, &s, &c);
  ROW(8, s), ROW(9, c);
}
extern "C" __global__ void norms_double(const double* in, double* out, int n) {
  INDEX;
  const double* p = in + 4 * i;
  ROW(0, norm(4, p)), ROW(1, norm3d(p[0], p[1], p[2])), ROW(2, norm4d(p[0], p[1], p[2], p[3]));
  ROW(3, rnorm(4, p)), ROW(4, rnorm3d(p[0], p[1], p[2])), ROW(5, rnorm4d(p[0], p[1], p[2], p[3]));
  ROW(6, rhypot(p[0], p[1]));
}
extern "C" __global__ void norms_float(const float* in, float* out, int n) {
  INDEX;
  const float* p = in + 4 * i;
  ROW(0, normf(4, p)), ROW(1, norm3df(p[0], p[1], p[2])), ROW(2, norm4df(p[0], p[1], p[2], p[3]));
  ROW(3, rnormf(4, p)), ROW(4, rnorm3df(p[0], p[1], p[2])), ROW(5, rnorm4df(p[0], p[1], p[2], p[3]));
  ROW(6, rhypotf(p[0], p[1]));
}
extern "C" __global__ void bessel_orders(const double* in, double* out, int n) {
  INDEX;
  ROW(0, jn(0, in[i])), ROW(1, jn(3, in[i])), ROW(2, jn(-1, in[i]));
  ROW(3, yn(1, in[i])), ROW(4, yn(4, in[i])), ROW(5, yn(-2, in[i]));
  ROW(6, (double)jnf(2, (float)in[i])), ROW(7, (double)ynf(2, (float)in[i]));
}
extern "C" __global__ void remainders(const double* x, const double* y, double* out, int* quotient, int n) {
  INDEX;
  ROW(0, remquo(x[i], y[i], &quotient[i]));
  ROW(1, (double)remquof((float)x[i], (float)y[i], &quotient[n + i]));
  ROW(2, scalbln(x[i], -3L)), ROW(3, (double)scalblnf((float)x[i], 4L));
  ROW(4, fdivide(x[i], y[i])), ROW(5, (double)fdividef((float)x[i], (float)y[i]));
}
// An integer counts as the type of the other argument.
extern "C" __global__ void mixed(const int* k, const float* f, const double* d, double* out, int n) {
  INDEX;
  ROW(0, fmod(k[i], d[i])), ROW(1, fmax(k[i], f[i])), ROW(2, fmin(d[i], k[i])), ROW(3, pow(2.0, k[i]));
  ROW(4, (double)(sizeof(fmax(k[i], f[i])) * 10 + sizeof(fmax(k[i], d[i])))), ROW(5, copysign(d[i], f[i]));
  ROW(6, (double)atan2(k[i], f[i])), ROW(7, (double)hypot(f[i], 3u)), ROW(8, fdim(d[i], 2ll));
}
extern "C" __global__ void min_and_max(long long* out) {
  int n = 0;
  out[n++] = umin(3u, ~0u), out[n++] = umax(3u, ~0u), out[n++] = llmin(-1ll, 1ll),
  out[n++] = llmax(-1ll, 1ll);
  out[n++] = (long long)ullmin(~0ull, 1ull), out[n++] = ullmax(~0ull, 1ull) == ~0ull, out[n++] = labs(-5l);
  out[n++] = isnan(nan("")) && isnan(nanf("")), out[n++] = __tanhf(100.0f) == 1.0f, out[n++] = llabs(-7ll);
}
