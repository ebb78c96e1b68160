// SPDX-License-Identifier: MIT
// cuRAND's states of Sobol' sequences, plain and scrambled, with 32 and 64 bits, and of MTGP32, with the
// distributions that take one number of them each. Embedded behind curand.h where a source names such a
// state.

typedef unsigned curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
#define ARR_CURAND_SOBOL(bits, T)                            \
  struct curandStateSobol##bits {                            \
    T i, x, c;                                               \
    T direction_vectors[bits];                               \
  };                                                         \
  struct curandStateScrambledSobol##bits {                   \
    T i, x, c;                                               \
    T direction_vectors[bits];                               \
  };                                                         \
  typedef curandStateSobol##bits curandStateSobol##bits##_t; \
  typedef curandStateScrambledSobol##bits curandStateScrambledSobol##bits##_t;
ARR_CURAND_SOBOL(32, unsigned)
ARR_CURAND_SOBOL(64, unsigned long long)

// One block's generator: 1024 words of state, and a row of the table of parameters.
struct mtgp32_kernel_params {
  unsigned pos_tbl[200];
  unsigned param_tbl[200][16], temper_tbl[200][16], single_temper_tbl[200][16];
  unsigned sh1_tbl[200], sh2_tbl[200];
  unsigned mask[1];
};
typedef mtgp32_kernel_params mtgp32_kernel_params_t;
struct curandStateMtgp32 {
  unsigned s[1024];
  int offset, pIdx;
  mtgp32_kernel_params_t* k;
};
typedef curandStateMtgp32 curandStateMtgp32_t;

namespace arr_curand {
// Element n is the sum over GF(2) of the vectors at the bits of n's Gray code.
template <class State, class T>
ARR_INLINE void sobol_skip(State* s, T n) {
  s->i += n;
  s->x = s->c;
  for (T gray = s->i ^ s->i >> 1, k = 0; gray != 0; gray >>= 1, k++)
    s->x ^= gray & 1 ? s->direction_vectors[k] : 0;
}
template <class State, class T>
ARR_INLINE void sobol_start(State* s, const T* vectors, T scramble, T offset) {
  for (unsigned k = 0; k < 8 * sizeof(T); k++) s->direction_vectors[k] = vectors[k];
  s->i = 0;
  s->c = scramble;
  sobol_skip(s, offset);
}
ARR_INLINE unsigned zeros_behind(unsigned n) { return n == 0 ? 31u : unsigned(__builtin_ctz(n)); }
ARR_INLINE unsigned zeros_behind(unsigned long long n) { return n == 0 ? 63u : unsigned(__builtin_ctzll(n)); }
// The Gray code of the next element differs in one bit.
template <class State>
ARR_INLINE auto sobol_next(State* s) {
  const auto out = s->x;
  s->x ^= s->direction_vectors[zeros_behind(decltype(s->i)(~s->i))];
  s->i++;
  return out;
}

// MTGP32's recursion at `at`, and its tempered number.
ARR_INLINE unsigned mtgp_step(curandStateMtgp32* state, unsigned at) {
  const mtgp32_kernel_params& k = *state->k;
  const int row = state->pIdx;
  const unsigned index = at + unsigned(state->offset), pick = index + k.pos_tbl[row];
  unsigned* s = state->s;
  unsigned x = (s[index & 1023u] & k.mask[0]) ^ s[(index + 1) & 1023u];
  x ^= x << k.sh1_tbl[row];
  const unsigned y = x ^ s[pick & 1023u] >> k.sh2_tbl[row], r = y ^ k.param_tbl[row][y & 15u];
  s[(index + 351) & 1023u] = r;
  unsigned t = s[(pick - 1) & 1023u];
  t ^= t >> 16;
  t ^= t >> 8;
  return r ^ k.temper_tbl[row][t & 15u];
}
ARR_INLINE void mtgp_advance(curandStateMtgp32* state, bool mine, unsigned n, unsigned line) {
  __syncthreads(line);
  if (mine) state->offset = int((unsigned(state->offset) + n) & 1023u);
  __syncthreads(line);
}

ARR_INLINE unsigned top(unsigned x) { return x; }
ARR_INLINE unsigned top(unsigned long long x) { return unsigned(x >> 32); }
ARR_INLINE double whole_double(unsigned long long x) { return double(x >> 11) * 0x1p-53 + 0x1p-54; }
// In (0, 1), for Poisson numbers.
ARR_INLINE double open_double(unsigned x) { return double(x) * 0x1p-32 + 0x1p-33; }
ARR_INLINE double open_double(unsigned long long x) { return double(x >> 11) * 0x1p-53 + 0x1p-55; }

// The normal number with this share below it, from the smaller tail.
ARR_INLINE float normal_of(unsigned x) {
  const bool high = x > 0x80000000u;
  const float z = 1.41421356f * erfcinvf(2.0f * whole(high ? ~x : x));
  return high ? z : -z;
}
ARR_INLINE float normal_of(unsigned long long x) { return normal_of(top(x)); }
ARR_INLINE double normal_double_of(unsigned x) {
  const bool high = x > 0x80000000u;
  const double z = 1.4142135623730951 * erfcinv(2.0 * (double(high ? ~x : x) * 0x1p-32 + 0x1p-33));
  return high ? z : -z;
}
ARR_INLINE double normal_double_of(unsigned long long x) {
  const unsigned long long n = x >> 11;
  const bool high = n > 1ull << 52;
  const double z =
      1.4142135623730951 * erfcinv(2.0 * (double(high ? (1ull << 53) - 1 - n : n) * 0x1p-53 + 0x1p-54));
  return high ? z : -z;
}
// The inverse of Poisson's distribution: adds up its terms, in parts of the mean that exp can hold.
template <class T>
ARR_INLINE unsigned poisson_of(T x, double mean) {
  if (mean >= 1000) return unsigned(fma(sqrt(mean), normal_double_of(x), mean) + 0.5);
  const double u = open_double(x);
  double term = 1, sum = 1;
  unsigned k = 0;
  for (int done = 0; done < mean || done == 0; done += 500) {
    const double part = mean > done + 500.0 ? exp(-500.0) : exp(done - mean);
    term *= part;
    sum *= part;
    for (; u > sum; sum += term) term *= mean / ++k;
  }
  return k;
}
template <class T>
ARR_INLINE unsigned discrete_of(T x, const curandDiscreteDistribution_st* d) {
  return d->method == CURAND_M2 ? of_histogram(whole_double(x), d->M2)
                                : rounded_normal(d, normal_double_of(x));
}
}  // namespace arr_curand

ARR_INLINE unsigned curand(curandStateMtgp32* state, ARR_LINE) {
  const unsigned n = blockDim.z * blockDim.y * blockDim.x;
  const unsigned t = blockDim.z * blockDim.y * threadIdx.z + blockDim.x * threadIdx.y + threadIdx.x;
  const unsigned out = arr_curand::mtgp_step(state, t);
  arr_curand::mtgp_advance(state, t == 0, n, line);
  return out;
}
ARR_INLINE unsigned curand_mtgp32_specific(curandStateMtgp32* state, unsigned char index, unsigned char n,
                                           ARR_LINE) {
  const unsigned out = arr_curand::mtgp_step(state, index);
  arr_curand::mtgp_advance(state, index == 0, n, line);
  return out;
}

// clang-format off
#define ARR_CURAND_SEQUENCE(State, T, scrambled, given)                                              \
  ARR_INLINE void skipahead(T n, State* state) { arr_curand::sobol_skip(state, n); }                 \
  ARR_INLINE void curand_init(const T* vectors, ARR_EACH_OF scrambled T offset, State* state) {      \
    arr_curand::sobol_start<State, T>(state, vectors, given, offset);                                \
  }                                                                                                  \
  ARR_INLINE T curand(State* state, ARR_LINE) { return (void)line, arr_curand::sobol_next(state); }
#define ARR_EACH_OF(...) __VA_ARGS__
ARR_CURAND_SEQUENCE(curandStateSobol32, unsigned, (), 0)
ARR_CURAND_SEQUENCE(curandStateScrambledSobol32, unsigned, (unsigned scramble,), scramble)
ARR_CURAND_SEQUENCE(curandStateSobol64, unsigned long long, (), 0)
ARR_CURAND_SEQUENCE(curandStateScrambledSobol64, unsigned long long, (unsigned long long scramble,), scramble)
#define ARR_CURAND_ONE(R, name, parameters, value)                                                   \
  ARR_INLINE R name(curandStateSobol32* state ARR_EACH_OF parameters, ARR_LINE) { return value; }    \
  ARR_INLINE R name(curandStateScrambledSobol32* state ARR_EACH_OF parameters, ARR_LINE) { return value; } \
  ARR_INLINE R name(curandStateSobol64* state ARR_EACH_OF parameters, ARR_LINE) { return value; }    \
  ARR_INLINE R name(curandStateScrambledSobol64* state ARR_EACH_OF parameters, ARR_LINE) { return value; } \
  ARR_INLINE R name(curandStateMtgp32* state ARR_EACH_OF parameters, ARR_LINE) { return value; }
ARR_CURAND_ONE(float, curand_uniform, (), arr_curand::whole(arr_curand::top(curand(state, line))))
ARR_CURAND_ONE(double, curand_uniform_double, (), arr_curand::whole_double(curand(state, line)))
ARR_CURAND_ONE(float, curand_normal, (), arr_curand::normal_of(curand(state, line)))
ARR_CURAND_ONE(double, curand_normal_double, (), arr_curand::normal_double_of(curand(state, line)))
ARR_CURAND_ONE(float, curand_log_normal, (, float mean, float deviation),
               expf(fmaf(deviation, arr_curand::normal_of(curand(state, line)), mean)))
ARR_CURAND_ONE(double, curand_log_normal_double, (, double mean, double deviation),
               exp(fma(deviation, arr_curand::normal_double_of(curand(state, line)), mean)))
ARR_CURAND_ONE(unsigned, curand_poisson, (, double mean), arr_curand::poisson_of(curand(state, line), mean))
ARR_CURAND_ONE(unsigned, curand_discrete, (, curandDiscreteDistribution_t d),
               arr_curand::discrete_of(curand(state, line), d))
// clang-format on
