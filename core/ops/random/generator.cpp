// SPDX-License-Identifier: MIT
// Seeds, positions in streams, child generators.
#include "ops/random/generator.h"

#include <array>
#include <atomic>
#include <charconv>
#include <limits>
#include <random>
#include <string>

#include "base/environment.h"
#include "base/error.h"
#include "base/fork.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

constexpr size_t pool_size = 4;

uint32_t hashed(uint32_t value, uint32_t* constant) {
  value ^= *constant;
  *constant *= 0x931e8875U;
  value *= *constant;
  return value ^ value >> 16;
}
uint32_t mixed(uint32_t x, uint32_t y) {
  const uint32_t result = 0xca01f9ddU * x - 0x4973f715U * y;
  return result ^ result >> 16;
}

std::array<uint32_t, pool_size> pool_of(std::span<const uint32_t> words) {
  std::array<uint32_t, pool_size> pool{};
  uint32_t constant = 0x43b0d7e5U;
  for (size_t i = 0; i < pool_size; ++i) pool.at(i) = hashed(i < words.size() ? words[i] : 0, &constant);
  for (size_t from = 0; from < pool_size; ++from) {
    for (size_t to = 0; to < pool_size; ++to) {
      if (from != to) pool.at(to) = mixed(pool.at(to), hashed(pool.at(from), &constant));
    }
  }
  for (size_t from = pool_size; from < words.size(); ++from) {
    for (uint32_t& to : pool) to = mixed(to, hashed(words[from], &constant));
  }
  return pool;
}

// ARR_SEED replaces the system's entropy: the first generator of a process has this seed, later ones add
// their number to it.
std::vector<uint32_t> next_of_environment(const std::string& given) {
  uint64_t seed = 0;
  const char* const end = given.data() + given.size();
  if (const auto [stop, error] = std::from_chars(given.data(), end, seed);
      error != std::errc() || stop != end) {
    fail(ARR_E_ARGUMENT, "ARR_SEED: got \"", given, "\", expected a whole number from 0 to 2^64 - 1");
  }
  static std::atomic<uint32_t> count{0};
  return {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32), count++};
}

// The words that identify a position of a stream.
std::vector<uint32_t> words_of_position(const BitState& state) {
  const bool keyed = state.kind == BitGenerator::philox4x32;
  std::vector<uint32_t> words;
  const size_t known = keyed ? 1 : state.words.size();
  for (size_t i = 0; i <= known; ++i) {
    const uint64_t word = i < known ? state.words.at(i) : state.block;
    words.push_back(static_cast<uint32_t>(word));
    words.push_back(static_cast<uint32_t>(word >> 32));
  }
  if (!keyed) words.push_back(static_cast<uint32_t>(state.kind));
  return words;
}

}  // namespace

void seed_words(std::span<const uint32_t> entropy, std::span<const uint32_t> path, std::span<uint32_t> out) {
  std::vector<uint32_t> words(entropy.begin(), entropy.end());
  // Trailing zeros of the entropy must differ from a path.
  if (!path.empty() && words.size() < pool_size) words.resize(pool_size);
  words.insert(words.end(), path.begin(), path.end());
  const std::array<uint32_t, pool_size> pool = pool_of(words);
  uint32_t constant = 0x8b51f9ddU;
  for (size_t i = 0; i < out.size(); ++i) {
    uint32_t value = pool.at(i % pool_size) ^ constant;
    constant *= 0x58f38dedU;
    value *= constant;
    out[i] = value ^ value >> 16;
  }
}

// 64-bit numbers as 32-bit words, without leading zeros.
Generator::Entropy Generator::entropy_of(std::span<const uint64_t> seed) {
  Entropy e;
  for (uint64_t s : seed) {
    e.words.push_back(static_cast<uint32_t>(s));
    if (s >> 32 != 0) e.words.push_back(static_cast<uint32_t>(s >> 32));
  }
  if (!e.words.empty()) return e;
  if (const std::string given = environment("ARR_SEED"); !given.empty())
    return {next_of_environment(given), false};
  std::random_device device;
  for (size_t i = 0; i < pool_size; ++i) e.words.push_back(device());
  e.of_system = true;
  return e;
}

Generator::Generator(BitGenerator kind, std::span<const uint64_t> seed) : Generator(kind, entropy_of(seed)) {}

Generator::Generator(BitGenerator kind, Entropy entropy) : Generator(kind, std::move(entropy.words), {}) {
  of_system_ = entropy.of_system;
  forks_ = fork_count();
}

Generator::Generator(BitGenerator kind, std::vector<uint32_t> entropy, std::vector<uint32_t> path)
    : kind_(kind),
      entropy_(std::move(entropy)),
      path_(std::move(path)),
      state_(seeded_state(kind, entropy_, path_)) {}

void Generator::start(Entropy entropy) {
  entropy_ = std::move(entropy.words);
  path_.clear();
  children_ = 0;
  state_ = seeded_state(kind_, entropy_, path_);
  of_system_ = entropy.of_system;
  forks_ = fork_count();
}

void Generator::seed(std::span<const uint64_t> seed) {
  Entropy fresh = entropy_of(seed);
  const std::lock_guard lock(mutex_);
  start(std::move(fresh));
}

void Generator::renew_after_fork() {
  const std::lock_guard lock(mutex_);
  if (of_system_ && forks_ != fork_count()) start(entropy_of({}));
}

BitState Generator::take(int64_t blocks) {
  const std::lock_guard lock(mutex_);
  const BitState all = state_;
  state_.block += static_cast<uint64_t>(blocks);
  return all;
}

void Generator::give_back(const BitState& taken, int64_t blocks) noexcept {
  const std::lock_guard lock(mutex_);
  BitState behind = taken;
  behind.block += static_cast<uint64_t>(blocks);
  if (state_ == behind) state_ = taken;
}

uint64_t Taken::seed() const {
  const std::vector<uint32_t> words = words_of_position(state_);
  std::array<uint32_t, 2> key{};
  seed_words(words, {}, key);
  return key[0] | static_cast<uint64_t>(key[1]) << 32;
}

Input Taken::operand(int64_t first, int64_t count, Device device, Stream* stream) {
  BitState from = state_;
  from.block += static_cast<uint64_t>(first);
  const Input key{nullptr, {DType::table_, from.words[0], from.block}, false};
  if (keyed()) return key;
  const bool wide = from.kind == BitGenerator::pcg64;
  const DType type = wide ? DType::uint64_ : DType::uint32_;
  const int64_t n = checked::mul(count, wide ? 2 : 4, "the numbers drawn");
  words_.push_back(empty(type, {&n, 1}, Order::C, device, stream));
  const Array& words = *words_.back();
  if (n > 0) {
    Ref<Array> states;
    Input source = key;
    if (from.kind != BitGenerator::threefry2x32) {
      states = upload(states_from(from, count), DType::uint64_, device, stream);
      source = table_input(*states);
    }
    const int32_t number = wide                                      ? op::pcg64_number
                           : from.kind == BitGenerator::threefry2x32 ? op::threefry_number
                           : from.kind == BitGenerator::mrg32k3a     ? op::mrg32k3a_number
                                                                     : op::xorwow_number;
    ProgramBuilder b;
    const int32_t table = b.input(DType::table_), index = b.input(DType::int64_);
    b.output(b.step(number, type, table, index));
    const BoundProgram p = b.finish();
    const Layout positions = ramp_of(words.layout);
    std::vector<Input> all = {source, ramp_input(positions, 0)};
    add_constants(p, &all);
    run_into(words, *p.program, all, stream);
  }
  return table_input(words);
}

void Generator::advance(uint64_t blocks) {
  const std::lock_guard lock(mutex_);
  state_.block += blocks;
}

Ref<Generator> Generator::jumped(int64_t jumps) const {
  if (jumps < 0) fail(ARR_E_ARGUMENT, "argument jumps: ", jumps, " is negative");
  const BitState to = jumped_state(state(), jumps);
  Ref<Generator> all = Ref<Generator>::adopt(new Generator(kind_, words_of_position(to), {}));
  all->set_state(to);
  return all;
}

std::vector<Ref<Generator>> Generator::spawn(int32_t count) {
  std::vector<Ref<Generator>> all;
  const std::lock_guard lock(mutex_);
  if (static_cast<uint32_t>(count) > std::numeric_limits<uint32_t>::max() - children_) {
    fail(ARR_E_ARGUMENT, "argument n: ", count, " exceeds the number of children that a generator can have");
  }
  for (int32_t i = 0; i < count; ++i) {
    std::vector<uint32_t> path = path_;
    path.push_back(children_ + static_cast<uint32_t>(i));
    all.push_back(Ref<Generator>::adopt(new Generator(kind_, entropy_, std::move(path))));
  }
  children_ += static_cast<uint32_t>(count);
  return all;
}

BitState Generator::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

void Generator::set_state(const BitState& state) {
  if (state.kind != kind_)
    fail(ARR_E_ARGUMENT, "argument state: of bit generator ", static_cast<int32_t>(state.kind), ", expected ",
         static_cast<int32_t>(kind_));
  if (!is_possible(state))
    fail(ARR_E_ARGUMENT, "argument state: its words are not a state of the bit generator");
  const std::lock_guard lock(mutex_);
  state_ = state;
  of_system_ = false;
}

namespace {

// A child may draw from it at once, whatever other threads of its parent were drawing.
class ProcessGenerator final : public Generator, private HeldAtFork {
 public:
  ProcessGenerator() : Generator(BitGenerator::philox4x32, std::span<const uint64_t>()) { enlist(); }
  using Generator::renew_after_fork;

 private:
  bool try_lock_for_fork() noexcept override { return mutex().try_lock(); }
  void unlock_after_fork() noexcept override { mutex().unlock(); }
};

}  // namespace

Generator& default_generator() {
  static auto* own = new ProcessGenerator;  // never destroyed: calls may come while the process ends
  own->renew_after_fork();
  return *own;
}

}  // namespace arr
