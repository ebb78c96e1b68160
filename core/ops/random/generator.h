// SPDX-License-Identifier: MIT
// Generators of random numbers: bit generators, and the positions in their streams.
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
  // seed: words of any number, none: from the system's entropy.
  explicit Generator(BitGenerator kind, std::span<const uint64_t> seed);
  // Takes the next blocks. They are never taken again.
  BitState take(int64_t blocks);
  // Moves the position by `blocks` blocks.
  void advance(uint64_t blocks);
  // Generators of the kind with separate streams, other ones each time.
  std::vector<Ref<Generator>> spawn(int32_t count);
  // One whose position is `jumps` long jumps of the kind ahead; its children follow from that position.
  [[nodiscard]] Ref<Generator> jumped(int64_t jumps) const;
  void seed(std::span<const uint64_t> seed);
  // Undoes take() where nothing was taken since.
  void give_back(const BitState& taken, int64_t blocks) noexcept;

  [[nodiscard]] BitState state() const;
  void set_state(const BitState& state);  // of its kind
  // True if its words are functions of a key and their position; else they are made in memory.
  [[nodiscard]] bool keyed() const { return kind_ == BitGenerator::philox4x32; }

 protected:
  // Seeds again what the system seeded, if the process was forked since the last call.
  void renew_after_fork();
  [[nodiscard]] std::mutex& mutex() const { return mutex_; }

 private:
  // The words of a seed, and where they come from.
  struct Entropy {
    std::vector<uint32_t> words;
    bool of_system = false;
  };
  static Entropy entropy_of(std::span<const uint64_t> seed);
  void start(Entropy entropy);  // mutex_ is held
  Generator(BitGenerator kind, Entropy entropy);
  Generator(BitGenerator kind, std::vector<uint32_t> entropy, std::vector<uint32_t> path);

  const BitGenerator kind_;
  mutable std::mutex mutex_;
  std::vector<uint32_t> entropy_, path_;  // path: which child of which child
  uint32_t children_ = 0;
  BitState state_;
  bool of_system_ = false;  // the state follows from the system's entropy
  uint32_t forks_ = 0;      // of the process when it was seeded
};

// Blocks for a call, returned if it fails before keep().
class Taken {
 public:
  Taken(Generator& g, int64_t blocks) : g_(g), blocks_(blocks), state_(g.take(blocks)) {}
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    if (!kept_) g_.give_back(state_, blocks_);
  }
  void keep() { kept_ = true; }
  // A hash of the whole state, as a seed for something else.
  [[nodiscard]] uint64_t seed() const;
  [[nodiscard]] bool keyed() const { return state_.kind == BitGenerator::philox4x32; }
  // `count` of the blocks from `first` on, the stream of the rows of core/table/random.def: of random_bits
  // ... if keyed, of stored_bits ... else. It lives as long as this.
  Input operand(int64_t first, int64_t count, Device device, Stream* stream);

 private:
  Generator& g_;
  int64_t blocks_;
  BitState state_;
  std::vector<Ref<Array>> words_;
  bool kept_ = false;
};

// The process's own, seeded from entropy, in a child of fork() again.
Generator& default_generator();

// Words that depend on every bit of the entropy and of the path: SeedSequence of NumPy, whose algorithm is
// O'Neill's (Developing a seed_seq alternative, 2015).
void seed_words(std::span<const uint32_t> entropy, std::span<const uint32_t> path, std::span<uint32_t> out);

}  // namespace arr
