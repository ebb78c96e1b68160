// SPDX-License-Identifier: MIT
// Generators of random numbers: bit generators, and positions in their streams.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "base/object.h"
#include "ops/elementwise/elementwise.h"
#include "ops/random/bit_generators.h"

namespace arr {

// A bit generator and its position in the stream. Words come in blocks of four.
class Generator : public Object {
 public:
  // seed: any number of words; if there are none, the system's entropy.
  explicit Generator(BitGenerator kind, std::span<const uint64_t> seed);
  // Takes the next blocks, which are not used again.
  BitState take(int64_t blocks);
  // Advances the position by `blocks` blocks.
  void advance(uint64_t blocks);
  // Generators of the kind with separate streams; each call returns new ones.
  std::vector<Ref<Generator>> spawn(int32_t count);
  // A generator whose position is `jumps` long jumps ahead; its children follow from that position.
  [[nodiscard]] Ref<Generator> jumped(int64_t jumps) const;
  void seed(std::span<const uint64_t> seed);
  // Undoes take() if nothing was taken since.
  void give_back(const BitState& taken, int64_t blocks) noexcept;

  [[nodiscard]] BitState state() const;
  void set_state(const BitState& state);  // requires a state of its kind
  // True if its words are functions of a key and their position; otherwise they are written to memory.
  [[nodiscard]] bool keyed() const { return kind_ == BitGenerator::philox4x32; }

 protected:
  // Seeds a generator again whose seed came from the system, if the process was forked since the last call.
  void renew_after_fork();
  [[nodiscard]] std::mutex& mutex() const { return mutex_; }

 private:
  // The words of a seed, and their source.
  struct Entropy {
    std::vector<uint32_t> words;
    bool of_system = false;
  };
  static Entropy entropy_of(std::span<const uint64_t> seed);
  void start(Entropy entropy);  // requires mutex_
  Generator(BitGenerator kind, Entropy entropy);
  Generator(BitGenerator kind, std::vector<uint32_t> entropy, std::vector<uint32_t> path);

  const BitGenerator kind_;
  mutable std::mutex mutex_;
  std::vector<uint32_t> entropy_, path_;  // path: numbers of the spawned children on the way to this one
  uint32_t children_ = 0;
  BitState state_;
  bool of_system_ = false;  // true if the state comes from the system's entropy
  uint32_t forks_ = 0;      // the process's number of forks when it was seeded
};

// Blocks for a call; returned if the call fails before keep().
class Taken {
 public:
  Taken(Generator& g, int64_t blocks) : g_(g), blocks_(blocks), state_(g.take(blocks)) {}
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    if (!kept_) g_.give_back(state_, blocks_);
  }
  void keep() { kept_ = true; }
  // A hash of the whole state, as a seed for another purpose.
  [[nodiscard]] uint64_t seed() const;
  [[nodiscard]] bool keyed() const { return state_.kind == BitGenerator::philox4x32; }
  // The stream of `count` blocks from `first` on, for the rows of core/table/random.def: random_bits ... if
  // keyed, otherwise stored_bits .... Valid as long as this object.
  Input operand(int64_t first, int64_t count, Device device, Stream* stream);

 private:
  Generator& g_;
  int64_t blocks_;
  BitState state_;
  std::vector<Ref<Array>> words_;
  bool kept_ = false;
};

// The generator of the process, seeded from the system's entropy, and again in a child of fork().
Generator& default_generator();

// Words that depend on every bit of the entropy and the path: NumPy's SeedSequence, O'Neill's algorithm
// (Developing a seed_seq alternative, 2015).
void seed_words(std::span<const uint32_t> entropy, std::span<const uint32_t> path, std::span<uint32_t> out);

}  // namespace arr
