// SPDX-License-Identifier: MIT
// Seeds and jumps of bit generators. Steps of each but Philox and Threefry are linear maps, n of them a
// power.
#include <algorithm>

#include "expr/host_math.h"
//
#include "expr/scalar.h"
//
#include "expr/math.h"
//
#include "expr/lookup.h"
//
#include "ops/bit_generators.h"
#include "ops/generator.h"

namespace arr {

namespace {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "expr/random.h"
//
#include "expr/bit_generators.h"
#pragma GCC diagnostic pop

constexpr uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
constexpr uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }
void add(std::vector<uint64_t>* table, std::span<const uint64_t> words) {
  for (const uint64_t w : words) table->push_back(w);
}
constexpr uint64_t both(uint32_t l, uint32_t h) { return uint64_t{h} << 32 | l; }
// What arr_six_numbers takes apart.
std::array<uint64_t, 3> three_words(const std::array<uint32_t, 6>& w) {
  return {both(w[0], w[1]), both(w[2], w[3]), both(w[4], w[5])};
}

// ------------------------------------------------------------------------------------------------ PCG64

// n steps: squarings of the map x -> multiplier x + increment.
arr_wide_number pcg_after(arr_wide_number state, arr_wide_number increment, uint64_t n) {
  const arr_wide_number zero = {0, 0}, one = {1, 0};
  arr_wide_number factor = arr_pcg_step(one, zero), term = increment;
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) state = arr_wide_fma(state, factor, term);
    term = arr_wide_fma(term, factor, term);
    factor = arr_wide_fma(factor, factor, zero);
  }
  return state;
}

void pcg_table(const BitState& s, int64_t blocks, std::vector<uint64_t>* out) {
  const arr_wide_number increment = {s.words[2], s.words[3]};
  arr_wide_number state = pcg_after({s.words[0], s.words[1]}, increment, 2 * s.block);
  const arr_wide_number zero = {0, 0};
  arr_wide_number factor = {1, 0};
  for (int i = 0; i < ARR_STATES_APART; ++i) factor = arr_pcg_step(factor, zero);
  const arr_wide_number term = pcg_after(zero, increment, ARR_STATES_APART);
  add(out, std::array<uint64_t, 2>{increment.low, increment.high});
  for (int64_t i = 0; i < 2 * blocks; i += ARR_STATES_APART) {
    add(out, std::array<uint64_t, 2>{state.low, state.high});
    state = arr_wide_fma(state, factor, term);
  }
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

// The vector after n applications; the second factor is for the four steps of a block.
void mrg_after(unsigned* v, Matrix3 step, uint64_t modulus, uint64_t blocks) {
  step = product(step, step, modulus);
  step = product(step, step, modulus);
  for (uint64_t n = blocks; n != 0; n >>= 1) {
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

void mrg_table(const BitState& s, int64_t blocks, std::vector<uint64_t>* out) {
  arr_mrg_run run{};
  run.seek(s.words.data(), 0);
  mrg_after(run.state.first, {{{0, 1, 0}, {0, 0, 1}, {ARR_MRG_M1 - 810728, 1403580, 0}}}, ARR_MRG_M1,
            s.block);
  mrg_after(run.state.second, {{{0, 1, 0}, {0, 0, 1}, {ARR_MRG_M2 - 1370589, 0, 527612}}}, ARR_MRG_M2,
            s.block);
  const arr_mrg_state& at = run.state;
  for (int64_t i = 0; i < 4 * blocks; i += ARR_STATES_APART) {
    add(out, three_words({at.first[0], at.first[1], at.first[2], at.second[0], at.second[1], at.second[2]}));
    for (int k = 0; k < ARR_STATES_APART; ++k) run.step();
  }
}

// ----------------------------------------------------------------------------------------------- XORWOW

// The shift register's 160 bits, and a linear map of them: where each bit goes.
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

// The maps of 4, 8, 16 ... steps.
const std::vector<Map>& xorwow_powers() {
  static const std::vector<Map> powers = [] {
    Map map{};
    for (size_t bit = 0; bit < map.size(); ++bit) {
      arr_xorwow_state s{};
      s.word[bit / 32] = 1U << (bit % 32);
      for (int i = 0; i < 4; ++i) arr_xorwow_step(&s);
      std::copy(s.word, s.word + 5, map[bit].begin());
    }
    std::vector<Map> all = {map};
    while (all.size() < 64) {
      Map twice{};
      for (size_t bit = 0; bit < map.size(); ++bit) twice[bit] = image(all.back(), all.back()[bit]);
      all.push_back(twice);
    }
    return all;
  }();
  return powers;
}

void xorwow_table(const BitState& s, int64_t blocks, std::vector<uint64_t>* out) {
  arr_xorwow_run run{};
  run.seek(s.words.data(), 0);
  Register at{};
  std::copy(run.state.word, run.state.word + 5, at.begin());
  for (size_t k = 0; k < 64; ++k)
    if ((s.block >> k & 1) != 0) at = image(xorwow_powers()[k], at);
  std::copy(at.begin(), at.end(), run.state.word);
  run.state.sum += 362437U * 4 * low(s.block);
  const arr_xorwow_state& now = run.state;
  for (int64_t i = 0; i < 4 * blocks; i += ARR_STATES_APART) {
    add(out, three_words({now.word[0], now.word[1], now.word[2], now.word[3], now.word[4], now.sum}));
    for (int k = 0; k < ARR_STATES_APART; ++k) run.step();
  }
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

std::vector<uint64_t> states_from(const BitState& state, int64_t blocks) {
  std::vector<uint64_t> table;
  if (state.kind == BitGenerator::pcg64) pcg_table(state, blocks, &table);
  if (state.kind == BitGenerator::mrg32k3a) mrg_table(state, blocks, &table);
  if (state.kind == BitGenerator::xorwow) xorwow_table(state, blocks, &table);
  return table;
}

}  // namespace arr
