// SPDX-License-Identifier: MIT
// Loops of random numbers by rejection, each with a seed. The first attempt is made for a whole block;
// elements whose attempt is rejected are then computed one by one. The results are those of the scalar
// functions.
#include "host/loops/random/philox_vectors.h"

#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

namespace arr::host::ARR_LEVEL {

#include "math/random.h"
//
#include "math/bit_generators.h"
//
#include "math/rejection.h"

namespace {

#define ARR_RANDOM(number, name, nin, in, out, domain, doc, ...)                             \
  constexpr int op_##name = number;                                                          \
  struct row_##name {                                                                        \
    template <class T, class X>                                                              \
    ARR_FN static auto f([[maybe_unused]] X x, [[maybe_unused]] T y, [[maybe_unused]] T z) { \
      return __VA_ARGS__;                                                                    \
    }                                                                                        \
  };
#include "table/random.def"
#undef ARR_RANDOM
template <class Row, int Inputs, class T>
void seed_loop(int64_t n, const void* const* in, void* out) {
  const auto* x = static_cast<const unsigned long long*>(in[0]);
  const auto *y = static_cast<const T*>(in[1]), *z = static_cast<const T*>(in[Inputs - 1]);
  typedef decltype(Row::template f<T>(*x, *y, *z)) R;
  for (int64_t i = 0; i < n; ++i) {
    const R made = Row::template f<T>(x[i], y[i], z[i]);
    static_cast<R*>(out)[i] = made;
  }
}

// The random words of a Philox block for each seed, as arr_draw makes them.
constexpr int64_t block_size = 256;
struct RandomWords {
  alignas(64) unsigned long long a[block_size], b[block_size];
  // `count` is a multiple of the lanes.
  void draw(const unsigned long long* seeds, int64_t count, unsigned long long block) {
    const Lanes half = Lanes{} + 0xffffffffull;
    for (int64_t i = 0; i < count; i += lanes) {
      Lanes k0, c[4] = {Lanes{} + block, Lanes{}, Lanes{} + 2, Lanes{}};
      __builtin_memcpy(&k0, seeds + i, vector_bytes);
      Lanes k1 = k0 >> 32;
#pragma GCC unroll 10
      for (int round = 0; round < 10; ++round) {
        philox_round(c, k0, k1);
        k0 += 0x9e3779b9ull;
        k1 += 0xbb67ae85ull;
      }
      const Lanes first = (c[0] & half) | c[1] << 32, second = (c[2] & half) | c[3] << 32;
      __builtin_memcpy(a + i, &first, vector_bytes);
      __builtin_memcpy(b + i, &second, vector_bytes);
    }
  }
};

// The inputs and results of a block of attempts. The last element is repeated to fill a vector.
struct Attempts {
  alignas(64) unsigned long long seed[block_size];
  alignas(64) double parameter[block_size], made[block_size];
  unsigned char accepted[block_size];
  int64_t count;  // including repeated elements
  void load(int64_t n, const void* const* in, int64_t from) {
    count = (n + lanes - 1) / lanes * lanes;
    for (int64_t k = 0; k < count; ++k) {
      const int64_t i = from + (k < n ? k : n - 1);
      seed[k] = static_cast<const unsigned long long*>(in[0])[i];
      parameter[k] = static_cast<const double*>(in[1])[i];
    }
  }
};

// attempt(Attempts*) sets `made` and `accepted`; number(a, k) is the result of an accepted attempt,
// fallback(a, k) that of a rejected one.
template <class R, class Attempt, class Number, class Alone>
void attempt_loop(int64_t n, const void* const* in, void* out, Attempt attempt, Number number,
                  Alone fallback) {
  R* r = static_cast<R*>(out);  // may be one of the inputs
  for (int64_t i = 0; i < n; i += block_size) {
    const int64_t m = n - i < block_size ? n - i : block_size;
    Attempts a;
    a.load(m, in, i);
    attempt(&a);
    for (int64_t k = 0; k < m; ++k) r[i + k] = a.accepted[k] != 0 ? number(a, k) : fallback(a, k);
  }
}

void gamma_loop(int64_t n, const void* const* in, void* out) {
  RandomWords first, second;
  attempt_loop<double>(
      n, in, out,
      [&](Attempts* a) {
        first.draw(a->seed, a->count, 0);
        second.draw(a->seed, a->count, 1);
        for (int64_t k = 0; k < a->count; ++k) {
          const double shape = a->parameter[k];
          const arr_gamma_attempt t(shape, {first.a[k], first.b[k]}, {second.a[k], second.b[k]});
          a->made[k] = t.d * t.v;
          a->accepted[k] = t.sure & (shape > 0);
        }
      },
      [&](const Attempts& a, int64_t k) {
        const double shape = a.parameter[k];
        return shape < 1 ? arr_gamma_shape_boost(a.made[k], shape, second.b[k]) : a.made[k];
      },
      [](const Attempts& a, int64_t k) { return arr_random_gamma(a.seed[k], a.parameter[k]); });
}

void poisson_loop(int64_t n, const void* const* in, void* out) {
  RandomWords words;
  attempt_loop<long long>(
      n, in, out,
      [&](Attempts* a) {
        words.draw(a->seed, a->count, 0);
        for (int64_t k = 0; k < a->count; ++k) {
          const double mean = a->parameter[k];
          const arr_poisson_attempt t(mean, {words.a[k], words.b[k]});
          a->made[k] = t.k;
          a->accepted[k] = t.sure & (mean >= 10) & (mean < 1e15);
        }
      },
      [](const Attempts& a, int64_t k) { return static_cast<long long>(a.made[k]); },
      [](const Attempts& a, int64_t k) { return arr_random_poisson(a.seed[k], a.parameter[k]); });
}

template <class T>
constexpr int row = row_of<T>::number;

}  // namespace

void fill_rejection(LoopTable& t) {
  t.op[op_random_gamma][row<double>] = gamma_loop;
  t.op[op_random_beta][row<double>] = seed_loop<row_random_beta, 3, double>;
  t.op[op_random_poisson][row<double>] = poisson_loop;
  t.op[op_random_binomial][row<double>] = seed_loop<row_random_binomial, 3, double>;
  t.op[op_random_zipf][row<double>] = seed_loop<row_random_zipf, 2, double>;
  t.op[op_random_vonmises][row<double>] = seed_loop<row_random_vonmises, 2, double>;
  t.op[op_random_hypergeometric][row<arr_cplx<double>>] =
      seed_loop<row_random_hypergeometric, 3, arr_cplx<double>>;
}

}  // namespace arr::host::ARR_LEVEL
