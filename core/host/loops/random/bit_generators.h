// SPDX-License-Identifier: MIT
// Numbers of bit generators from a table of their states. Each number depends on the one before it, so eight
// streams that start at consecutive states of the table are generated together, in vectors where the
// generator allows that.
#pragma once

#include "host/loops/random/philox_vectors.h"

namespace arr::host::ARR_LEVEL {

#include "math/random.h"
//
#include "math/bit_generators.h"

namespace {

constexpr int64_t streams_at_once = 8, numbers_at_once = streams_at_once * ARR_STATES_APART;

// Eight streams of any generator, one after the other.
template <class Run>
struct ScalarStreams {
  typedef typename Run::number number;
  Run runs[streams_at_once];
  ARR_FN void seek(const unsigned long long* states, long long chunk) {
    for (int64_t l = 0; l < streams_at_once; ++l) runs[l].seek(states, chunk + l);
  }
  // Makes one number of each stream.
  ARR_FN void step(number* to) {
    for (int64_t l = 0; l < streams_at_once; ++l) {
      runs[l].step();
      to[l] = runs[l].value();
    }
  }
};

// Eight streams by the steps of arr_xorwow_step.
struct XorwowStreams {
  typedef unsigned number;
  typedef unsigned Word8 __attribute__((vector_size(4 * streams_at_once)));
  Word8 word[5], sum;
  ARR_FN void seek(const unsigned long long* states, long long chunk) {
    for (int64_t l = 0; l < streams_at_once; ++l) {
      unsigned w[6];
      arr_load_state6(states, chunk + l, w);
      for (int i = 0; i < 5; ++i) word[i][l] = w[i];
      sum[l] = w[5];
    }
  }
  ARR_FN void step(number* to) {
    const Word8 t = word[0] ^ word[0] >> 2, last = word[4];
    word[0] = word[1];
    word[1] = word[2];
    word[2] = word[3];
    word[3] = last;
    word[4] = (last ^ last << 4) ^ (t ^ t << 1);
    sum += 362437u;
    const Word8 made = word[4] + sum;
    __builtin_memcpy(to, &made, sizeof(made));
  }
};

// Eight streams by the steps of arr_mrg_step and arr_mrg_number. The moduli are 2^32 - c, so a remainder
// replaces 2^32 by c.
struct MrgStreams {
  typedef unsigned number;
  static constexpr int vectors = static_cast<int>(streams_at_once) / lanes;
  Lanes first[3][vectors], second[3][vectors];
  ARR_FN void seek(const unsigned long long* states, long long chunk) {
    for (int l = 0; l < static_cast<int>(streams_at_once); ++l) {
      unsigned w[6];
      arr_load_state6(states, chunk + l, w);
      for (int i = 0; i < 3; ++i) {
        first[i][l / lanes][l % lanes] = w[i];
        second[i][l / lanes][l % lanes] = w[3 + i];
      }
    }
  }
  // x modulo 2^32 - c, for x below 2^54.
  ARR_FN static void remainder(Lanes* x, unsigned long long c) {
    const Lanes low = Lanes{} + 0xffffffffull, by = Lanes{} + c;
    *x = product(*x >> 32, by) + (*x & low);  // below 2^32 + 2^37
    *x = product(*x >> 32, by) + (*x & low);  // below 2^32 + 2^20
    *x = (*x + product((*x + by) >> 32, by)) & low;
  }
  ARR_FN void step(number* to) {
    const Lanes m1 = Lanes{} + ARR_MRG_M1, m2 = Lanes{} + ARR_MRG_M2;
    constexpr unsigned long long c1 = 0x100000000ull - ARR_MRG_M1, c2 = 0x100000000ull - ARR_MRG_M2;
    for (int v = 0; v < vectors; ++v) {
      Lanes p = product(first[1][v], Lanes{} + 1403580ull) + product(m1 - first[0][v], Lanes{} + 810728ull);
      Lanes q = product(second[2][v], Lanes{} + 527612ull) + product(m2 - second[0][v], Lanes{} + 1370589ull);
      remainder(&p, c1);
      remainder(&q, c2);
      first[0][v] = first[1][v];
      first[1][v] = first[2][v];
      first[2][v] = p;
      second[0][v] = second[1][v];
      second[1][v] = second[2][v];
      second[2][v] = q;
      // arr_mrg_number of p - q - 1, plus the first modulus if that is below 0; z 2^32 = z M1 + z c1.
      Lanes z = p - q - 1;
      z += m1 & ~((z >> 63) - 1);
      const Lanes rest = product(z, Lanes{} + c1), whole = rest >> 32;
      const Lanes left = (rest & (Lanes{} + 0xffffffffull)) + product(whole, Lanes{} + c1);
      z += whole + ((left + c1) >> 32);
      for (int l = 0; l < lanes; ++l) to[v * lanes + l] = (unsigned)z[l];
    }
  }
};

bool are_consecutive(const long long* y, int64_t n) {
  bool good = true;
  for (int64_t k = 1; k < n; ++k) good &= y[k] == y[0] + k;
  return good;
}

// The numbers of eight streams in the order of the streams.
template <class Runs>
void next_numbers(const unsigned long long* states, long long chunk, typename Runs::number* r) {
  Runs runs{};
  runs.seek(states, chunk);
  typename Runs::number made[ARR_STATES_APART][streams_at_once];
  for (auto& number : made) runs.step(number);
  for (int64_t l = 0; l < streams_at_once; ++l) {
    for (int64_t k = 0; k < ARR_STATES_APART; ++k) r[l * ARR_STATES_APART + k] = made[k][l];
  }
}

// The numbers with indices in[1]: one step each for consecutive indices, else from the nearest state of the
// table.
template <class Run, class Runs>
void generator_loop(int64_t n, const void* const* in, void* out) {
  typedef typename Run::number number;
  const auto* states = static_cast<const unsigned long long*>(static_cast<const arr_table*>(in[0])->data);
  const auto* y = static_cast<const long long*>(in[1]);
  auto* r = static_cast<number*>(out);
  Run run{};
  long long at = -2;  // index of the run's current number
  for (int64_t i = 0; i < n;) {
    const long long wanted = y[i];
    if (wanted % ARR_STATES_APART == 0 && i + numbers_at_once <= n &&
        are_consecutive(y + i, numbers_at_once)) {
      number made[numbers_at_once];  // out may be y
      next_numbers<Runs>(states, wanted / ARR_STATES_APART, made);
      __builtin_memcpy(r + i, made, sizeof(made));
      i += numbers_at_once;
      at = -2;
      continue;
    }
    if (wanted != at + 1 || wanted % ARR_STATES_APART == 0) {
      run.seek(states, wanted / ARR_STATES_APART);
      at = wanted / ARR_STATES_APART * ARR_STATES_APART - 1;
    }
    for (; at < wanted; ++at) run.step();
    r[i++] = run.value();
  }
}

}  // namespace
}  // namespace arr::host::ARR_LEVEL
