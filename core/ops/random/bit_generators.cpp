// SPDX-License-Identifier: MIT
// Seeds and jumps of bit generators. The steps of all but Philox and Threefry are linear maps, so n steps are
// a power of the map.
#include <algorithm>

#include "math/host_math.h"
//
#include "math/scalar.h"
//
#include "math/libm.h"
//
#include "math/math.h"
//
#include "math/lookup.h"
//
#include "ops/random/bit_generators.h"
#include "ops/random/generator.h"

namespace arr {

namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "math/random.h"
//
#include "math/bit_generators.h"
#pragma GCC diagnostic pop

constexpr uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
void add(std::vector<uint64_t>* table, std::span<const uint64_t> words) {
  for (const uint64_t w : words) table->push_back(w);
}
constexpr uint64_t both(uint32_t l, uint32_t h) { return uint64_t{h} << 32 | l; }
// Packs six numbers into three words, as arr_load_state6() reads them.
std::array<uint64_t, 3> three_words(const std::array<uint32_t, 6>& w) {
  return {both(w[0], w[1]), both(w[2], w[3]), both(w[4], w[5])};
}

// The states of a table are computed in this many parts concurrently, if there are enough of them to justify
// the jumps: a state depends on the one before it, but not on other parts.
constexpr int64_t parts_at_once = 8, min_in_part = 512;

// The table of a generator with three words and four numbers per block, at position `first`. ahead(n): its
// state n blocks later; leap(run): moves to the next state of the table.
template <class Run, class Ahead, class Leap, class Words>
void table_in_parts(const Run& first, int64_t blocks, Ahead&& ahead, Leap&& leap, Words&& words_of,
                    std::vector<uint64_t>* out) {
  constexpr int64_t spacing = ARR_STATES_APART / 4;  // in blocks
  const int64_t states = blocks / spacing + (blocks % spacing != 0 ? 1 : 0);
  const int64_t parts = states < parts_at_once * min_in_part ? 1 : parts_at_once;
  const int64_t each = states / parts + (states % parts != 0 ? 1 : 0);
  std::array<Run, parts_at_once> runs;
  for (int64_t l = 0; l < parts; ++l) {
    runs[static_cast<size_t>(l)] = l == 0 ? first : ahead(static_cast<uint64_t>(l * each * spacing));
  }
  out->resize(static_cast<size_t>(3 * states));
  for (int64_t i = 0; i < each; ++i) {
    for (int64_t l = 0, at = i; l < parts && at < states; ++l, at += each) {
      Run& run = runs[static_cast<size_t>(l)];
      const std::array<uint64_t, 3> words = words_of(run.state);
      std::copy(words.begin(), words.end(), out->begin() + 3 * at);
      leap(&run);
    }
  }
}

// ------------------------------------------------------------------------------------------------ PCG64

// n steps, by squaring the map x -> multiplier x + increment.
arr_wide_number pcg_after(arr_wide_number state, arr_wide_number increment, arr_wide_number n) {
  const arr_wide_number zero = {0, 0}, one = {1, 0};
  arr_wide_number factor = arr_pcg_step(one, zero), term = increment;
  for (; (n.low | n.high) != 0; n = {n.low >> 1 | n.high << 63, n.high >> 1}) {
    if ((n.low & 1) != 0) state = arr_wide_fma(state, factor, term);
    term = arr_wide_fma(term, factor, term);
    factor = arr_wide_fma(factor, factor, zero);
  }
  return state;
}

void pcg_table(const BitState& s, int64_t blocks, std::vector<uint64_t>* out) {
  const arr_wide_number increment = {s.words[2], s.words[3]};
  arr_wide_number state = pcg_after({s.words[0], s.words[1]}, increment, {2 * s.block, 0});
  const arr_wide_number zero = {0, 0};
  arr_wide_number factor = {1, 0};
  for (int i = 0; i < ARR_STATES_APART; ++i) factor = arr_pcg_step(factor, zero);
  const arr_wide_number term = pcg_after(zero, increment, {ARR_STATES_APART, 0});
  add(out, std::array<uint64_t, 2>{increment.low, increment.high});
  for (int64_t i = 0; i < 2 * blocks; i += ARR_STATES_APART) {
    add(out, std::array<uint64_t, 2>{state.low, state.high});
    state = arr_wide_fma(state, factor, term);
  }
}

void pcg_jump(BitState* s, int64_t jumps) {
  // The golden ratio's fraction of 2^128, as in NumPy.
  const arr_wide_number distance = {0xf39cc0605cedc835, 0x9e3779b97f4a7c15}, zero = {0, 0};
  const arr_wide_number steps = arr_wide_fma(distance, {static_cast<uint64_t>(jumps), 0}, zero);
  const arr_wide_number to = pcg_after({s->words[0], s->words[1]}, {s->words[2], s->words[3]}, steps);
  s->words[0] = to.low;
  s->words[1] = to.high;
}

// --------------------------------------------------------------------------------------------- MRG32k3a

using Matrix3 = std::array<std::array<uint64_t, 3>, 3>;

Matrix3 product(const Matrix3& a, const Matrix3& b, uint64_t modulus) {
  Matrix3 c{};
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t k = 0; k < 3; ++k) c[i][j] = (c[i][j] + a[i][k] * b[k][j] % modulus) % modulus;
  return c;
}

// One step of each recurrence.
constexpr Matrix3 mrg_first = {{{0, 1, 0}, {0, 0, 1}, {ARR_MRG_M1 - 810728, 1403580, 0}}};
constexpr Matrix3 mrg_second = {{{0, 1, 0}, {0, 0, 1}, {ARR_MRG_M2 - 1370589, 0, 527612}}};

// The map squared repeatedly.
Matrix3 mrg_squared(Matrix3 map, uint64_t modulus, int squarings) {
  for (int i = 0; i < squarings; ++i) map = product(map, map, modulus);
  return map;
}

// The vector after n * 2^squarings applications of the map.
void mrg_after(unsigned* v, Matrix3 step, uint64_t modulus, int squarings, uint64_t n) {
  step = mrg_squared(step, modulus, squarings);
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) {
      std::array<unsigned, 3> to{};
      for (size_t i = 0; i < 3; ++i) {
        uint64_t sum = 0;
        for (size_t k = 0; k < 3; ++k) sum = (sum + step[i][k] * v[k] % modulus) % modulus;
        to[i] = low(sum);
      }
      std::copy(to.begin(), to.end(), v);
    }
    step = product(step, step, modulus);
  }
}

// The state n * 2^squarings steps later.
arr_mrg_run mrg_run_after(arr_mrg_run run, int squarings, uint64_t n) {
  mrg_after(run.state.first, mrg_first, ARR_MRG_M1, squarings, n);
  mrg_after(run.state.second, mrg_second, ARR_MRG_M2, squarings, n);
  return run;
}
template <class Run>
Run run_at_start(const BitState& s) {
  Run run{};
  run.seek(s.words.data(), 0);
  return run;
}
std::array<uint64_t, 3> mrg_words(const arr_mrg_state& at) {
  return three_words({at.first[0], at.first[1], at.first[2], at.second[0], at.second[1], at.second[2]});
}

// The vector after the steps of a map modulo 2^32 - c; each sum is reduced once.
template <uint64_t modulus>
void mrg_leap(const Matrix3& map, unsigned* v) {
  constexpr uint64_t c = (uint64_t{1} << 32) - modulus;
  std::array<unsigned, 3> to{};
  for (size_t i = 0; i < 3; ++i) {
    uint64_t sum = 0;
    for (size_t k = 0; k < 3; ++k) {
      const uint64_t x = map[i][k] * v[k];
      sum += (x >> 32) * c + low(x);
    }
    to[i] = low(sum % modulus);
  }
  std::copy(to.begin(), to.end(), v);
}
void mrg_table(const BitState& s, int64_t blocks, std::vector<uint64_t>* out) {
  static_assert(ARR_STATES_APART == 16);
  static const Matrix3 first_leap = mrg_squared(mrg_first, ARR_MRG_M1, 4),
                       second_leap = mrg_squared(mrg_second, ARR_MRG_M2, 4);
  const auto leap = [](arr_mrg_run* run) {
    mrg_leap<ARR_MRG_M1>(first_leap, run->state.first);
    mrg_leap<ARR_MRG_M2>(second_leap, run->state.second);
  };
  const arr_mrg_run first = mrg_run_after(run_at_start<arr_mrg_run>(s), 2, s.block);
  table_in_parts(
      first, blocks, [&](uint64_t n) { return mrg_run_after(first, 2, n); }, leap, mrg_words, out);
}

void mrg_jump(BitState* s, int64_t jumps) {
  const arr_mrg_run run = mrg_run_after(run_at_start<arr_mrg_run>(*s), 127, static_cast<uint64_t>(jumps));
  const std::array<uint64_t, 3> words = mrg_words(run.state);
  std::copy(words.begin(), words.end(), s->words.begin());
}

// ----------------------------------------------------------------------------------------------- XORWOW

// The 160 bits of the shift register, and a linear map of them: the image of each bit.
using Register = std::array<uint32_t, 5>;
using Map = std::array<Register, 160>;

Register image(const Map& map, const Register& r) {
  Register to{};
  for (size_t bit = 0; bit < map.size(); ++bit) {
    if ((r[bit / 32] >> (bit % 32) & 1) == 0) continue;
    for (size_t k = 0; k < to.size(); ++k) to[k] ^= map[bit][k];
  }
  return to;
}
Map squared(const Map& map) {
  Map twice{};
  for (size_t bit = 0; bit < map.size(); ++bit) twice[bit] = image(map, map[bit]);
  return twice;
}

// The maps of 4, 8, 16 ... steps.
const std::vector<Map>& xorwow_powers() {
  static const auto* powers = new auto([] {  // never destroyed
    Map map{};
    for (size_t bit = 0; bit < map.size(); ++bit) {
      arr_xorwow_state s{};
      s.word[bit / 32] = 1U << (bit % 32);
      for (int i = 0; i < 4; ++i) arr_xorwow_step(&s);
      std::copy(s.word, s.word + 5, map[bit].begin());
    }
    std::vector<Map> all = {map};
    while (all.size() < 64) all.push_back(squared(all.back()));
    return all;
  }());
  return *powers;
}

Register xorwow_register(const arr_xorwow_state& s) {
  Register r{};
  std::copy(s.word, s.word + 5, r.begin());
  return r;
}
std::array<uint64_t, 3> xorwow_words(const arr_xorwow_state& s) {
  return three_words({s.word[0], s.word[1], s.word[2], s.word[3], s.word[4], s.sum});
}

// The state n blocks later.
arr_xorwow_run xorwow_run_after(arr_xorwow_run run, uint64_t n) {
  Register at = xorwow_register(run.state);
  for (size_t k = 0; k < 64; ++k)
    if ((n >> k & 1) != 0) at = image(xorwow_powers()[k], at);
  std::copy(at.begin(), at.end(), run.state.word);
  run.state.sum += 362437U * 4 * low(n);
  return run;
}

void xorwow_table(const BitState& s, int64_t blocks, std::vector<uint64_t>* out) {
  const arr_xorwow_run first = xorwow_run_after(run_at_start<arr_xorwow_run>(s), s.block);
  const auto leap = [](arr_xorwow_run* run) {
    for (int k = 0; k < ARR_STATES_APART; ++k) run->step();
  };
  table_in_parts(
      first, blocks, [&](uint64_t n) { return xorwow_run_after(first, n); }, leap, xorwow_words, out);
}

// 2^67 steps each, which leave the sum of 32 bits as it is.
void xorwow_jump(BitState* s, int64_t jumps) {
  auto run = run_at_start<arr_xorwow_run>(*s);
  Register at = xorwow_register(run.state);
  Map map = squared(squared(xorwow_powers().back()));
  for (auto n = static_cast<uint64_t>(jumps); n != 0; n >>= 1) {
    if ((n & 1) != 0) at = image(map, at);
    if (n != 1) map = squared(map);
  }
  std::copy(at.begin(), at.end(), run.state.word);
  const std::array<uint64_t, 3> words = xorwow_words(run.state);
  std::copy(words.begin(), words.end(), s->words.begin());
}

bool is_zero(const unsigned* words, size_t n) {
  return std::all_of(words, words + n, [](unsigned w) { return w == 0; });
}

}  // namespace

BitState seeded_state(BitGenerator kind, std::span<const uint32_t> entropy, std::span<const uint32_t> path) {
  BitState s{kind, {}, 0};
  std::array<uint32_t, 8> w{};
  const auto words = [&](size_t n) { seed_words(entropy, path, std::span(w).first(n)); };
  switch (kind) {
    case BitGenerator::philox4x32:
    case BitGenerator::threefry2x32:
      words(2);
      s.words[0] = both(w[0], w[1]);
      break;
    case BitGenerator::pcg64: {
      words(8);
      const arr_wide_number first = {both(w[2], w[3]), both(w[0], w[1])}, zero = {0, 0}, one = {1, 0};
      const uint64_t sequence = both(w[6], w[7]);
      const arr_wide_number increment = {sequence << 1 | 1, both(w[4], w[5]) << 1 | sequence >> 63};
      const arr_wide_number sum = arr_wide_fma(first, one, arr_pcg_step(zero, increment));
      const arr_wide_number state = arr_pcg_step(sum, increment);
      s.words = {state.low, state.high, increment.low, increment.high};
      break;
    }
    case BitGenerator::mrg32k3a:
      words(6);
      for (size_t i = 0; i < 6; ++i) w.at(i) = low(1 + w.at(i) % ((i < 3 ? ARR_MRG_M1 : ARR_MRG_M2) - 1));
      s.words = {both(w[0], w[1]), both(w[2], w[3]), both(w[4], w[5]), 0};
      break;
    case BitGenerator::xorwow:
      words(6);
      if (is_zero(w.data(), 5)) w[0] = 1;
      s.words = {both(w[0], w[1]), both(w[2], w[3]), both(w[4], w[5]), 0};
      break;
  }
  return s;
}

bool is_possible(const BitState& state) {
  if (state.kind == BitGenerator::pcg64) return (state.words[2] & 1) != 0;
  if (state.kind == BitGenerator::mrg32k3a) {
    arr_mrg_run run{};
    run.seek(state.words.data(), 0);
    const auto below = [](const unsigned* v, uint64_t modulus) {
      return !is_zero(v, 3) && v[0] < modulus && v[1] < modulus && v[2] < modulus;
    };
    return below(run.state.first, ARR_MRG_M1) && below(run.state.second, ARR_MRG_M2);
  }
  if (state.kind == BitGenerator::xorwow) {
    arr_xorwow_run run{};
    run.seek(state.words.data(), 0);
    return !is_zero(run.state.word, 5);
  }
  return true;
}

BitState jumped_state(const BitState& state, int64_t jumps) {
  BitState to = state;
  switch (state.kind) {
    case BitGenerator::philox4x32:
    case BitGenerator::threefry2x32:
      to.block += static_cast<uint64_t>(jumps) << 48;
      break;
    case BitGenerator::pcg64:
      pcg_jump(&to, jumps);
      break;
    case BitGenerator::mrg32k3a:
      mrg_jump(&to, jumps);
      break;
    case BitGenerator::xorwow:
      xorwow_jump(&to, jumps);
      break;
  }
  return to;
}

std::vector<uint64_t> states_from(const BitState& state, int64_t blocks) {
  std::vector<uint64_t> table;
  if (state.kind == BitGenerator::pcg64) pcg_table(state, blocks, &table);
  if (state.kind == BitGenerator::mrg32k3a) mrg_table(state, blocks, &table);
  if (state.kind == BitGenerator::xorwow) xorwow_table(state, blocks, &table);
  return table;
}

}  // namespace arr
