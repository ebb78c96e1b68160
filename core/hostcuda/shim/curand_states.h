// SPDX-License-Identifier: MIT
// cuRAND's states of XORWOW, MRG32k3a and Philox4x32-10 in a kernel: seeds, positions in their sequences, and
// the next 32 bits. The generators are those of core/math, which come before this. Embedded where a source
// includes curand_kernel.h.

// The members are public in cuRAND too, and the sizes are what programs allocate.
#define ARR_CURAND_REST                      \
  int boxmuller_flag, boxmuller_flag_double; \
  float boxmuller_extra;                     \
  double boxmuller_extra_double;
struct curandStateXORWOW {
  unsigned d, v[5];
  ARR_CURAND_REST
};
struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  ARR_CURAND_REST
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned STATE;
  ARR_CURAND_REST
};
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

namespace arr_curand {
using namespace arr_formulas;

template <class State>
ARR_INLINE void forget_normals(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

// XORWOW's register is linear over GF(2), and its characteristic polynomial is x^160 plus the bits of
// `reduced`. x^n modulo it, with the register for x, goes n steps at once.
struct Polynomial {
  unsigned w[5];
};
struct Jumps {
  static constexpr unsigned count = 67 + 64;
  Polynomial at[count];  // x^(2^k)
  Jumps() {
    constexpr unsigned reduced[5] = {0x00060001u, 0x08610030u, 0x00062121u, 0x0f3c0035u, 0x00000f0eu};
    at[0] = {{2, 0, 0, 0, 0}};
    for (unsigned k = 1; k < count; k++) {
      unsigned wide[10] = {};  // the square: a zero between the bits
      for (unsigned i = 0; i < 160; i++)
        wide[i / 16] |= (at[k - 1].w[i / 32] >> (i % 32) & 1u) << (2 * (i % 16));
      for (unsigned i = 319; i >= 160; i--) {
        if ((wide[i / 32] >> (i % 32) & 1u) == 0) continue;
        const unsigned word = (i - 160) / 32, shift = i % 32;
        for (unsigned j = 0; j < 5; j++) {
          wide[word + j] ^= reduced[j] << shift;
          if (shift != 0) wide[word + j + 1] ^= reduced[j] >> (32 - shift);
        }
      }
      for (unsigned j = 0; j < 5; j++) at[k].w[j] = wide[j];
    }
  }
};
static const Jumps jumps;

// By n * 2^first steps.
__attribute__((noinline)) static arr_xorwow_state jump(arr_xorwow_state from, unsigned long long n,
                                                       unsigned first) {
  from.sum += first == 0 ? 362437u * unsigned(n) : 0u;
  for (unsigned k = first; n != 0; n >>= 1, k++) {
    if ((n & 1u) == 0) continue;
    const Polynomial& p = jumps.at[k];
    unsigned sum[5] = {};
    arr_xorwow_state s = from;
    for (unsigned i = 0; i < 160; i++) {
      const unsigned taken = 0u - (p.w[i / 32] >> (i % 32) & 1u);
      for (unsigned j = 0; j < 5; j++) sum[j] ^= s.word[j] & taken;
      arr_xorwow_step(&s);
    }
    for (unsigned j = 0; j < 5; j++) from.word[j] = sum[j];
  }
  return from;
}
ARR_INLINE arr_xorwow_state load(const curandStateXORWOW* s) {
  return {{s->v[0], s->v[1], s->v[2], s->v[3], s->v[4]}, s->d};
}
ARR_INLINE void store(curandStateXORWOW* s, arr_xorwow_state from) {
  for (unsigned i = 0; i < 5; i++) s->v[i] = from.word[i];
  s->d = from.sum;
}

// MRG32k3a goes 2^k steps by its matrices to that power.
struct Matrices {
  static constexpr unsigned count = 127 + 64;
  unsigned at[count][2][9];
  Matrices() {
    constexpr unsigned long long modulus[2] = {ARR_MRG_M1, ARR_MRG_M2};
    const unsigned step[2][9] = {{0, 1, 0, 0, 0, 1, unsigned(ARR_MRG_M1 - 810728u), 1403580u, 0},
                                 {0, 1, 0, 0, 0, 1, unsigned(ARR_MRG_M2 - 1370589u), 0, 527612u}};
    for (unsigned r = 0; r < 2; r++) {
      for (unsigned i = 0; i < 9; i++) at[0][r][i] = step[r][i];
      for (unsigned k = 1; k < count; k++)
        for (unsigned i = 0; i < 9; i++) {
          unsigned long long sum = 0;
          for (unsigned j = 0; j < 3; j++)
            sum += (unsigned long long)at[k - 1][r][i / 3 * 3 + j] * at[k - 1][r][3 * j + i % 3] % modulus[r];
          at[k][r][i] = unsigned(sum % modulus[r]);
        }
    }
  }
};
static const Matrices matrices;

__attribute__((noinline)) static arr_mrg_state jump(arr_mrg_state s, unsigned long long n, unsigned first) {
  for (unsigned k = first; n != 0; n >>= 1, k++) {
    if ((n & 1u) == 0) continue;
    const arr_mrg_state from = s;
    for (unsigned i = 0; i < 3; i++) {
      unsigned long long p = 0, q = 0;
      for (unsigned j = 0; j < 3; j++) {
        p += (unsigned long long)matrices.at[k][0][3 * i + j] * from.first[j] % ARR_MRG_M1;
        q += (unsigned long long)matrices.at[k][1][3 * i + j] * from.second[j] % ARR_MRG_M2;
      }
      s.first[i] = unsigned(p % ARR_MRG_M1);
      s.second[i] = unsigned(q % ARR_MRG_M2);
    }
  }
  return s;
}
ARR_INLINE arr_mrg_state load(const curandStateMRG32k3a* s) {
  return {{s->s1[0], s->s1[1], s->s1[2]}, {s->s2[0], s->s2[1], s->s2[2]}};
}
ARR_INLINE void store(curandStateMRG32k3a* s, arr_mrg_state from) {
  for (unsigned i = 0; i < 3; i++) s->s1[i] = from.first[i], s->s2[i] = from.second[i];
}
// From 1 to the first modulus.
ARR_INLINE double next(curandStateMRG32k3a* state) {
  arr_mrg_state s = load(state);
  arr_mrg_step(&s);
  store(state, s);
  const unsigned long long p = s.first[2], q = s.second[2];
  return double(p > q ? p - q : p + ARR_MRG_M1 - q);
}

ARR_INLINE unsigned long long both(unsigned low, unsigned high) { return arr_join_words(low, high); }
// The counter's halves grow by `low` and `high`, the first into the second.
ARR_INLINE void advance(curandStatePhilox4_32_10* s, unsigned long long low, unsigned long long high) {
  const unsigned long long a = both(s->ctr.x, s->ctr.y) + low;
  const unsigned long long b = both(s->ctr.z, s->ctr.w) + high + (a < low ? 1 : 0);
  s->ctr = {unsigned(a), unsigned(a >> 32), unsigned(b), unsigned(b >> 32)};
  const arr_words w = arr_philox(a, b, both(s->key.x, s->key.y));
  s->output = {w.w[0], w.w[1], w.w[2], w.w[3]};
}
}  // namespace arr_curand

ARR_INLINE unsigned curand(curandStateXORWOW* state) {
  arr_formulas::arr_xorwow_state s = arr_curand::load(state);
  arr_formulas::arr_xorwow_step(&s);
  arr_curand::store(state, s);
  return arr_formulas::arr_xorwow_number(&s);
}
ARR_INLINE void skipahead(unsigned long long n, curandStateXORWOW* state) {
  arr_curand::store(state, arr_curand::jump(arr_curand::load(state), n, 0));
}
ARR_INLINE void skipahead_sequence(unsigned long long n, curandStateXORWOW* state) {
  arr_curand::store(state, arr_curand::jump(arr_curand::load(state), n, 67));
}
ARR_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateXORWOW* state) {
  const unsigned a = 1099087573u * (unsigned(seed) ^ 0xaad26b49u);
  const unsigned b = 2591861531u * (unsigned(seed >> 32) ^ 0xf7dcefddu);
  // Marsaglia's first state, scrambled.
  arr_curand::store(state, {{123456789u + a, 362436069u ^ a, 521288629u + b, 88675123u ^ b, 5783321u + a},
                            6615241u + a + b});
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  arr_curand::forget_normals(state);
}

ARR_INLINE unsigned curand(curandStateMRG32k3a* state) {
  return unsigned((unsigned long long)(arr_curand::next(state) * 1.000000048662));
}
ARR_INLINE void skipahead(unsigned long long n, curandStateMRG32k3a* state) {
  arr_curand::store(state, arr_curand::jump(arr_curand::load(state), n, 0));
}
ARR_INLINE void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a* state) {
  arr_curand::store(state, arr_curand::jump(arr_curand::load(state), n, 76));
}
ARR_INLINE void skipahead_sequence(unsigned long long n, curandStateMRG32k3a* state) {
  arr_curand::store(state, arr_curand::jump(arr_curand::load(state), n, 127));
}
ARR_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStateMRG32k3a* state) {
  const unsigned long long low = seed == 0 ? 1 : unsigned(seed) ^ 0x55555555u;
  const unsigned long long high = seed == 0 ? 1 : unsigned(seed >> 32) ^ 0xaaaaaaaau;
  for (unsigned i = 0; i < 3; i++) {
    state->s1[i] = unsigned((i == 1 ? high : low) * 12345u % ARR_MRG_M1);
    state->s2[i] = unsigned((i == 1 ? low : high) * 12345u % ARR_MRG_M2);
  }
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
  arr_curand::forget_normals(state);
}

ARR_INLINE unsigned curand(curandStatePhilox4_32_10* state) {
  const uint4 o = state->output;
  const unsigned at = state->STATE, low = at & 1u ? o.y : o.x, high = at & 1u ? o.w : o.z;
  state->STATE = (at + 1) & 3u;
  if (at == 3) arr_curand::advance(state, 1, 0);
  return at & 2u ? high : low;
}
ARR_INLINE uint4 curand4(curandStatePhilox4_32_10* state) {
  uint4 r;
  r.x = curand(state);
  r.y = curand(state);
  r.z = curand(state);
  r.w = curand(state);
  return r;
}
ARR_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10* state) {
  const unsigned at = state->STATE + unsigned(n & 3u);
  state->STATE = at & 3u;
  arr_curand::advance(state, n / 4 + at / 4, 0);
}
ARR_INLINE void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10* state) {
  arr_curand::advance(state, 0, n);
}
ARR_INLINE void curand_init(unsigned long long seed, unsigned long long subsequence,
                            unsigned long long offset, curandStatePhilox4_32_10* state) {
  state->ctr = {0, 0, unsigned(subsequence), unsigned(subsequence >> 32)};
  state->key = {unsigned(seed), unsigned(seed >> 32)};
  state->STATE = 0;
  skipahead(offset, state);
  arr_curand::forget_normals(state);
}
