// SPDX-License-Identifier: MIT
// Numbers of bit generators from a table of their states: a number waits for the one before it, so those of
// eight states that follow each other in the table are made side by side, in vectors where there are some.
#pragma once

#include "host/loops/lanes.h"

namespace arr::host::ARR_LEVEL {

#include "math/random.h"
//
#include "math/bit_generators.h"

namespace {

constexpr int64_t runs_at_once = 8, numbers_at_once = runs_at_once * ARR_STATES_APART;

// Runs of any kind.
template <class Run>
struct EachForItself {
  typedef typename Run::number number;
  Run runs[runs_at_once];
  ARR_FN void seek(const unsigned long long* states, long long chunk) {
    for (int64_t l = 0; l < runs_at_once; ++l) runs[l].seek(states, chunk + l);
  }
  // One number of each.
  ARR_FN void step(number* to) {
    for (int64_t l = 0; l < runs_at_once; ++l) {
      runs[l].step();
      to[l] = runs[l].value();
    }
  }
};

// The steps of arr_xorwow_step.
struct XorwowRuns {
  typedef unsigned number;
  typedef unsigned Eight __attribute__((vector_size(4 * runs_at_once)));
  Eight word[5], sum;
  ARR_FN void seek(const unsigned long long* states, long long chunk) {
    for (int64_t l = 0; l < runs_at_once; ++l) {
      unsigned w[6];
      arr_load_state6(states, chunk + l, w);
      for (int i = 0; i < 5; ++i) word[i][l] = w[i];
      sum[l] = w[5];
    }
  }
  ARR_FN void step(number* to) {
    const Eight t = word[0] ^ word[0] >> 2, last = word[4];
    word[0] = word[1];
    word[1] = word[2];
    word[2] = word[3];
    word[3] = last;
    word[4] = (last ^ last << 4) ^ (t ^ t << 1);
    sum += 362437u;
    const Eight made = word[4] + sum;
    __builtin_memcpy(to, &made, sizeof(made));
  }
};

// The steps of arr_mrg_step and its numbers, with remainders by 2^32 - c of the two moduli: 2^32 counts as c.
struct MrgRuns {
  typedef unsigned number;
  static constexpr int vectors = static_cast<int>(runs_at_once) / lanes;
  Lanes first[3][vectors], second[3][vectors];
  ARR_FN void seek(const unsigned long long* states, long long chunk) {
    for (int l = 0; l < static_cast<int>(runs_at_once); ++l) {
      unsigned w[6];
      arr_load_state6(states, chunk + l, w);
      for (int i = 0; i < 3; ++i) {
        first[i][l / lanes][l % lanes] = w[i];
        second[i][l / lanes][l % lanes] = w[3 + i];
      }
    }
  }
  // Of what is below 2^54.
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
      // arr_mrg_number: of p - q - 1, and the first modulus where that is below 0; z 2^32 = z M1 + z c1.
      Lanes z = p - q - 1;
      z += m1 & ~((z >> 63) - 1);
      const Lanes rest = product(z, Lanes{} + c1), whole = rest >> 32;
      const Lanes left = (rest & (Lanes{} + 0xffffffffull)) + product(whole, Lanes{} + c1);
      z += whole + ((left + c1) >> 32);
      for (int l = 0; l < lanes; ++l) to[v * lanes + l] = (unsigned)z[l];
    }
  }
};

bool follow_each_other(const long long* y, int64_t n) {
  bool good = true;
  for (int64_t k = 1; k < n; ++k) good &= y[k] == y[0] + k;
  return good;
}

// The numbers of eight states, in their order.
template <class Runs>
void numbers_of(const unsigned long long* states, long long chunk, typename Runs::number* r) {
  Runs runs{};
  runs.seek(states, chunk);
  typename Runs::number made[ARR_STATES_APART][runs_at_once];
  for (auto& number : made) runs.step(number);
  for (int64_t l = 0; l < runs_at_once; ++l) {
    for (int64_t k = 0; k < ARR_STATES_APART; ++k) r[l * ARR_STATES_APART + k] = made[k][l];
  }
}

// Numbers from a table: each a step behind the one before, where they follow so.
template <class Run, class Runs>
void run_loop(int64_t n, const void* const* in, void* out) {
  typedef typename Run::number number;
  const auto* states = static_cast<const unsigned long long*>(static_cast<const arr_table*>(in[0])->data);
  const auto* y = static_cast<const long long*>(in[1]);
  auto* r = static_cast<number*>(out);
  Run run{};
  long long at = -2;  // of the number that the run is at
  for (int64_t i = 0; i < n;) {
    const long long wanted = y[i];
    if (wanted % ARR_STATES_APART == 0 && i + numbers_at_once <= n &&
        follow_each_other(y + i, numbers_at_once)) {
      number made[numbers_at_once];  // out may be y
      numbers_of<Runs>(states, wanted / ARR_STATES_APART, made);
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
