// SPDX-License-Identifier: MIT
// Sequential bit generators, and Threefry. A table has a sequential generator's state before every 16th
// number, from which an element takes its steps: see core/ops/random/bit_generators.h, which includes this to
// make those tables. It comes after random.h.
#ifndef ARR_MATH_BIT_GENERATORS_H
#define ARR_MATH_BIT_GENERATORS_H

#define ARR_STATES_APART 16

// -------------------------------------------------------------------------------------------- PCG64
// PCG XSL RR 128/64 (O'Neill: PCG: A family of simple fast space-efficient statistically good algorithms for
// random number generation; 2014), as in NumPy. A table: the increment, then states; two words each, low
// first.

struct arr_wide_number {
  unsigned long long low, high;
};
// x * y + z mod 2^128.
ARR_FN arr_wide_number arr_wide_fma(arr_wide_number x, arr_wide_number y, arr_wide_number z) {
  arr_wide_number r = {x.low * y.low + z.low, 0};
  r.high =
      arr_multiply_high(x.low, y.low) + x.low * y.high + x.high * y.low + z.high + (r.low < z.low ? 1 : 0);
  return r;
}
ARR_FN arr_wide_number arr_pcg_step(arr_wide_number state, arr_wide_number increment) {
  const arr_wide_number multiplier = {0x4385df649fccf645ull, 0x2360ed051fc65da4ull};
  return arr_wide_fma(state, multiplier, increment);
}
ARR_FN unsigned long long arr_pcg_number(arr_wide_number state) {
  const unsigned long long x = state.high ^ state.low;
  const int turn = (int)(state.high >> 58);
  return x >> turn | x << (-turn & 63);
}

// ----------------------------------------------------------------------------------------- MRG32k3a
// L'Ecuyer: Good parameters and implementations for combined multiple recursive random number generators;
// 1999. Three numbers of each of two recurrences, the oldest first.

struct arr_mrg_state {
  unsigned first[3], second[3];
};
#define ARR_MRG_M1 4294967087ull
#define ARR_MRG_M2 4294944443ull
ARR_FN void arr_mrg_step(arr_mrg_state* s) {
  const unsigned long long p =
      (1403580ull * s->first[1] + 810728ull * (ARR_MRG_M1 - s->first[0])) % ARR_MRG_M1;
  const unsigned long long q =
      (527612ull * s->second[2] + 1370589ull * (ARR_MRG_M2 - s->second[0])) % ARR_MRG_M2;
  s->first[0] = s->first[1];
  s->first[1] = s->first[2];
  s->first[2] = (unsigned)p;
  s->second[0] = s->second[1];
  s->second[1] = s->second[2];
  s->second[2] = (unsigned)q;
}
// The difference of the recurrences, one of the first modulus, spread over 32 bits.
ARR_FN unsigned arr_mrg_number(const arr_mrg_state* s) {
  const unsigned long long p = s->first[2], q = s->second[2];
  // No branch: which of the two is larger cannot be foreseen.
  const unsigned long long z = p - q - 1 + (ARR_MRG_M1 & (p > q ? 0 : ~0ull));
  return (unsigned)((z << 32) / ARR_MRG_M1);
}

// ------------------------------------------------------------------------------------------- XORWOW
// Marsaglia: Xorshift RNGs; 2003. Five words of a shift register, the oldest first, and a sum.

struct arr_xorwow_state {
  unsigned word[5], sum;
};
ARR_FN void arr_xorwow_step(arr_xorwow_state* s) {
  const unsigned t = s->word[0] ^ s->word[0] >> 2, last = s->word[4];
  s->word[0] = s->word[1];
  s->word[1] = s->word[2];
  s->word[2] = s->word[3];
  s->word[3] = last;
  s->word[4] = (last ^ last << 4) ^ (t ^ t << 1);
  s->sum += 362437u;
}
ARR_FN unsigned arr_xorwow_number(const arr_xorwow_state* s) { return s->word[4] + s->sum; }

// ----------------------------------------------------------------------------------------- Threefry
// Threefry2x32-20 (Salmon and others, as Philox): two words of a counter and a key.

struct arr_two_words {
  unsigned first, second;
};
ARR_FN void arr_threefry_round(arr_two_words* x, int turn) {
  x->first += x->second;
  x->second = (x->second << turn | x->second >> (32 - turn)) ^ x->first;
}
ARR_FN arr_two_words arr_threefry(unsigned long long counter, unsigned long long key) {
  const unsigned k[3] = {(unsigned)key, (unsigned)(key >> 32),
                         0x1bd11bdau ^ (unsigned)key ^ (unsigned)(key >> 32)};
  arr_two_words x = {(unsigned)counter + k[0], (unsigned)(counter >> 32) + k[1]};
  for (unsigned i = 1; i <= 5; ++i) {
    const bool odd = (i & 1) != 0;
    arr_threefry_round(&x, odd ? 13 : 17);
    arr_threefry_round(&x, odd ? 15 : 29);
    arr_threefry_round(&x, odd ? 26 : 16);
    arr_threefry_round(&x, odd ? 6 : 24);
    x.first += k[i % 3];
    x.second += k[(i + 1) % 3] + i;
  }
  return x;
}

// --------------------------------------------------------------------------------- elements of tables

// A run of numbers, of which the next is one step away; another position is read from the table.
struct arr_pcg_run {
  typedef unsigned long long number;
  arr_wide_number increment, state;
  template <class Word>  // of 64 bits
  ARR_FN void seek(const Word* table, long long chunk) {
    increment = {table[0], table[1]};
    state = {table[2 + 2 * chunk], table[3 + 2 * chunk]};
  }
  ARR_FN void step() { state = arr_pcg_step(state, increment); }
  ARR_FN number value() const { return arr_pcg_number(state); }
};
// Loads a state of six 32-bit numbers, which is three words of the table.
template <class Word>
ARR_FN void arr_load_state6(const Word* table, long long chunk, unsigned* to) {
  for (int i = 0; i < 6; ++i) to[i] = (unsigned)(table[3 * chunk + i / 2] >> 32 * (i & 1));
}
struct arr_mrg_run {
  typedef unsigned number;
  arr_mrg_state state;
  template <class Word>
  ARR_FN void seek(const Word* table, long long chunk) {
    unsigned w[6];
    arr_load_state6(table, chunk, w);
    state = {{w[0], w[1], w[2]}, {w[3], w[4], w[5]}};
  }
  ARR_FN void step() { arr_mrg_step(&state); }
  ARR_FN number value() const { return arr_mrg_number(&state); }
};
struct arr_xorwow_run {
  typedef unsigned number;
  arr_xorwow_state state;
  template <class Word>
  ARR_FN void seek(const Word* table, long long chunk) {
    unsigned w[6];
    arr_load_state6(table, chunk, w);
    state = {{w[0], w[1], w[2], w[3], w[4]}, w[5]};
  }
  ARR_FN void step() { arr_xorwow_step(&state); }
  ARR_FN number value() const { return arr_xorwow_number(&state); }
};
template <class Run>
ARR_FN typename Run::number arr_number_at(arr_table table, long long i) {
  Run run;
  run.seek((const unsigned long long*)table.data, i / ARR_STATES_APART);
  for (long long k = i % ARR_STATES_APART; k >= 0; --k) run.step();
  return run.value();
}
// Word i of a stream's blocks of four; of a stream as in random.h.
ARR_FN unsigned arr_threefry_word(arr_table stream, long long i) {
  const unsigned long long counter = 2 * (unsigned long long)stream.length + ((unsigned long long)i >> 1);
  const arr_two_words w = arr_threefry(counter, (unsigned long long)stream.data);
  return (i & 1) != 0 ? w.second : w.first;
}

#endif
