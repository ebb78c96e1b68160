// SPDX-License-Identifier: MIT
// cuRAND's distributions in a kernel, over the states of curand_states.h. Numbers are cuRAND's.

namespace arr_curand {
// In (0, 1]; the products are exact.
ARR_INLINE float whole(unsigned x) { return float(x) * 0x1p-32f + 0x1p-33f; }
ARR_INLINE double whole_double(unsigned x) { return double(x) * 0x1p-32 + 0x1p-32; }
ARR_INLINE double whole_double(unsigned x, unsigned y) {
  return double(x ^ (unsigned long long)y << 21) * 0x1p-53 + 0x1p-54;
}
constexpr double mrg_norm = 2.3283065498378288e-10;

// Box and Muller: a radius from the first number, an angle from the second.
ARR_INLINE float2 turned(float radius, float angle) {
  const float s = sqrtf(-2.0f * logf(radius));
  return {s * sinf(angle), s * cosf(angle)};
}
ARR_INLINE double2 turned(double radius, double half_turns) {
  const double s = sqrt(-2.0 * log(radius));
  double sine, cosine;
  sincospi(half_turns, &sine, &cosine);
  return {s * sine, s * cosine};
}
template <class State>
ARR_INLINE float2 normals(State* state) {
  const unsigned x = curand(state), y = curand(state);
  constexpr float turn = 0x1p-32f * 6.2831855f;
  return turned(whole(x), fmaf(float(y), turn, turn / 2));
}
ARR_INLINE float2 normals(curandStateMRG32k3a* state) {
  const float x = float(next(state) * mrg_norm), y = float(next(state) * mrg_norm);
  return turned(x, y * 6.2831855f);
}
template <class State>
ARR_INLINE double2 normals_double(State* state) {
  const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);
  return turned(whole_double(a, b), double(c ^ (unsigned long long)d << 21) * 0x1p-52 + 0x1p-53);
}
ARR_INLINE double2 normals_double(curandStateMRG32k3a* state) {
  const double x = next(state) * mrg_norm, y = next(state) * mrg_norm;
  return turned(x, 2.0 * y);
}

// A pair is drawn at a time; the flag says which distribution the second is kept for.
enum Kept { kept_normal = 1, kept_log_normal = 2 };
template <class State, class F>
ARR_INLINE float one_of_two(State* state, int kind, F f) {
  if (state->boxmuller_flag == kind) {
    state->boxmuller_flag = 0;
    return state->boxmuller_extra;
  }
  const float2 v = normals(state);
  state->boxmuller_extra = f(v.y);
  state->boxmuller_flag = kind;
  return f(v.x);
}
template <class State, class F>
ARR_INLINE double one_of_two_double(State* state, int kind, F f) {
  if (state->boxmuller_flag_double == kind) {
    state->boxmuller_flag_double = 0;
    return state->boxmuller_extra_double;
  }
  const double2 v = normals_double(state);
  state->boxmuller_extra_double = f(v.y);
  state->boxmuller_flag_double = kind;
  return f(v.x);
}
}  // namespace arr_curand

template <class State>
ARR_INLINE float curand_uniform(State* state) {
  return arr_curand::whole(curand(state));
}
template <>
inline float curand_uniform(curandStateMRG32k3a* state) {
  return float(arr_curand::next(state) * arr_curand::mrg_norm);
}
template <class State>
ARR_INLINE double curand_uniform_double(State* state) {
  const unsigned x = curand(state), y = curand(state);
  return arr_curand::whole_double(x, y);
}
template <>
inline double curand_uniform_double(curandStatePhilox4_32_10* state) {
  return arr_curand::whole_double(curand(state));
}
template <>
inline double curand_uniform_double(curandStateMRG32k3a* state) {
  return arr_curand::next(state) * arr_curand::mrg_norm;
}
ARR_INLINE float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {arr_curand::whole(x.x), arr_curand::whole(x.y), arr_curand::whole(x.z), arr_curand::whole(x.w)};
}
ARR_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 x = curand4(state);
  return {arr_curand::whole_double(x.x, x.y), arr_curand::whole_double(x.z, x.w)};
}
ARR_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10* state) {
  const double2 a = curand_uniform2_double(state), b = curand_uniform2_double(state);
  return {a.x, a.y, b.x, b.y};
}

template <class State>
ARR_INLINE float curand_normal(State* state) {
  return arr_curand::one_of_two(state, arr_curand::kept_normal, [](float x) { return x; });
}
template <class State>
ARR_INLINE double curand_normal_double(State* state) {
  return arr_curand::one_of_two_double(state, arr_curand::kept_normal, [](double x) { return x; });
}
template <class State>
ARR_INLINE float curand_log_normal(State* state, float mean, float deviation) {
  return arr_curand::one_of_two(state, arr_curand::kept_log_normal,
                                [=](float x) { return expf(fmaf(deviation, x, mean)); });
}
template <class State>
ARR_INLINE double curand_log_normal_double(State* state, double mean, double deviation) {
  return arr_curand::one_of_two_double(state, arr_curand::kept_log_normal,
                                       [=](double x) { return exp(fma(deviation, x, mean)); });
}
template <class State>
ARR_INLINE float2 curand_normal2(State* state) {
  return arr_curand::normals(state);
}
template <class State>
ARR_INLINE double2 curand_normal2_double(State* state) {
  return arr_curand::normals_double(state);
}
ARR_INLINE float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const float2 a = arr_curand::normals(state), b = arr_curand::normals(state);
  return {a.x, a.y, b.x, b.y};
}
ARR_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10* state) {
  const double2 a = arr_curand::normals_double(state), b = arr_curand::normals_double(state);
  return {a.x, a.y, b.x, b.y};
}
template <class State>
ARR_INLINE float2 curand_log_normal2(State* state, float mean, float deviation) {
  const float2 v = arr_curand::normals(state);
  return {expf(fmaf(deviation, v.x, mean)), expf(fmaf(deviation, v.y, mean))};
}
template <class State>
ARR_INLINE double2 curand_log_normal2_double(State* state, double mean, double deviation) {
  const double2 v = arr_curand::normals_double(state);
  return {exp(fma(deviation, v.x, mean)), exp(fma(deviation, v.y, mean))};
}
ARR_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float deviation) {
  const float2 a = curand_log_normal2(state, mean, deviation), b = curand_log_normal2(state, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}
ARR_INLINE double4 curand_log_normal4_double(curandStatePhilox4_32_10* state, double mean, double deviation) {
  const double2 a = curand_log_normal2_double(state, mean, deviation);
  const double2 b = curand_log_normal2_double(state, mean, deviation);
  return {a.x, a.y, b.x, b.y};
}

// Distributions over whole numbers, with the layout of cuRAND's host library. A histogram is Marsaglia's, of
// equal parts: below V of its part a number is the part's own, above it is K.
struct curandHistogramM2_st {
  double *V, *host_V;
  unsigned *K, *host_K;
  unsigned host_gen;
};
struct curandDistributionM2Shift_st {
  curandHistogramM2_st *histogram, *host_histogram;
  unsigned shift, length, host_gen;
};
enum curandMethod { CURAND_M2 = 5, CURAND_DISCRETE_GAUSS = 7 };
struct curandDiscreteDistribution_st {
  curandDiscreteDistribution_st* self_host_ptr;
  curandDistributionM2Shift_st *M2, *host_M2;
  double stddev, mean;
  curandMethod method;
  unsigned host_gen;
};
typedef curandHistogramM2_st* curandHistogramM2_t;
typedef curandDistributionM2Shift_st* curandDistributionM2Shift_t;
typedef curandDiscreteDistribution_st* curandDiscreteDistribution_t;
typedef curandMethod curandMethod_t;
typedef double curandDistribution_st, curandHistogramM2V_st;
typedef double *curandDistribution_t, *curandHistogramM2V_t;
typedef unsigned curandHistogramM2K_st, *curandHistogramM2K_t;

namespace arr_curand {
ARR_INLINE unsigned of_histogram(double u, const curandDistributionM2Shift_st* m) {
  const unsigned part = unsigned(m->length * u), last = m->length - 1, j = part < last ? part : last;
  return m->shift + (u < m->histogram->V[j] ? j : m->histogram->K[j]);  // u may be 1
}
ARR_INLINE unsigned rounded_normal(const curandDiscreteDistribution_st* d, double x) {
  return unsigned(fma(d->stddev, x, d->mean) + 0.5);
}
}  // namespace arr_curand

template <class State>
ARR_INLINE unsigned curand_discrete(State* state, curandDiscreteDistribution_t d) {
  if (d->method == CURAND_M2) return arr_curand::of_histogram(arr_curand::whole_double(curand(state)), d->M2);
  return arr_curand::rounded_normal(d, curand_normal_double(state));
}
ARR_INLINE uint4 curand_discrete4(curandStatePhilox4_32_10* state, curandDiscreteDistribution_t d) {
  if (d->method == CURAND_M2) {
    const uint4 x = curand4(state);
    const auto number = [=](unsigned n) {
      return arr_curand::of_histogram(arr_curand::whole_double(n), d->M2);
    };
    return {number(x.x), number(x.y), number(x.z), number(x.w)};
  }
  const double4 v = curand_normal4_double(state);
  return {arr_curand::rounded_normal(d, v.x), arr_curand::rounded_normal(d, v.y),
          arr_curand::rounded_normal(d, v.z), arr_curand::rounded_normal(d, v.w)};
}

namespace arr_curand {
// cuRAND's approximation of the distribution of means from 64 on, 1 / (1 + exp(slope * (mean - x) -
// shift))^2. Sums and products are fused and functions are powers of 2, as in what NVRTC makes of cuRAND's
// header: numbers depend on that.
struct PoissonCurve {
  float mean, slope, shift;
};
ARR_INLINE float power_of_e(float x) { return exp2f(x * 1.44269504f); }
ARR_INLINE float natural_log(float x) { return log2f(x) * 0.693147181f; }
ARR_INLINE PoissonCurve poisson_curve(float mean) {
  return {mean, fmaf(1.43248035f, rsqrtf(mean - 0.124009793f), 0.000253610749f),
          fmaf(0.210967349f, rsqrtf(mean - 1.97381164f), 0.942017341f)};
}
ARR_INLINE float below(const PoissonCurve& c, float x) {
  const float e = 1.0f + power_of_e(fmaf(c.slope, c.mean - x, -c.shift));
  return 1.0f / (e * e);
}
ARR_INLINE float inverse(const PoissonCurve& c, float u) {
  return fmaf(-(c.shift + natural_log(rsqrtf(u) - 1.0f)), 1.0f / c.slope, c.mean);
}
// By rejection: the curve's steps, a third higher, cover the distribution.
template <class State>
ARR_INLINE unsigned poisson_by_curve(State* state, float mean) {
  const PoissonCurve c = poisson_curve(mean);
  const float log_mean = natural_log(mean);
  for (;;) {
    const float x = floorf(inverse(c, curand_uniform(state))), u = curand_uniform(state);
    const float step = (below(c, x + 1.0f) - below(c, x)) * 1.3f;
    if (!(step >= 1e-20f) || x < 0) continue;
    const float term = power_of_e(fmaf(x, log_mean, -mean) - float(lgamma(1.0 + x)));
    if (u * step < term) return unsigned(x);
  }
}
}  // namespace arr_curand

// Knuth's product of uniform numbers for small means, a rounded normal number for large ones.
template <class State>
ARR_INLINE unsigned curand_poisson(State* state, double mean) {
  if (mean < 64) {
    float product = expf(float(mean));
    unsigned k = 0;
    do {
      product *= curand_uniform(state);
      k++;
    } while (product > 1.0f);
    return k - 1;
  }
  if (mean > 4000) return unsigned(fma(sqrt(mean), curand_normal_double(state), mean) + 0.5);
  return arr_curand::poisson_by_curve(state, float(mean));
}
ARR_INLINE uint4 curand_poisson4(curandStatePhilox4_32_10* state, double mean) {
  if (mean > 4000) {
    const double4 v = curand_normal4_double(state);
    const auto number = [=](double x) { return unsigned(fma(sqrt(mean), x, mean) + 0.5); };
    return {number(v.x), number(v.y), number(v.z), number(v.w)};
  }
  const unsigned a = curand_poisson(state, mean), b = curand_poisson(state, mean);
  const unsigned c = curand_poisson(state, mean), d = curand_poisson(state, mean);
  return {a, b, c, d};
}
