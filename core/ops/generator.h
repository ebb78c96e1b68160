// SPDX-License-Identifier: MIT
// Generators of random numbers: a key, and how far its stream has been used.
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "base/object.h"
#include "expr/program.h"

namespace arr {

// Blocks of a stream, each of which gives four words of 32 bits: the operand of the rows of
// core/table/random.def.
struct RandomStream {
  uint64_t key = 0, first = 0;
  [[nodiscard]] Scalar operand(int64_t block) const {
    return {DType::table_, key, first + static_cast<uint64_t>(block)};
  }
};

// Philox4x32-10 with the counter's lower half as the place in the stream.
class Generator : public Object {
 public:
  // seed: words of any number, none: from the system's entropy.
  explicit Generator(std::span<const uint64_t> seed);
  // The blocks from the present place on, which nobody gets again.
  RandomStream take(int64_t blocks);
  // Moves the place by so many blocks.
  void advance(uint64_t blocks);
  // Generators with keys of their own, others each time.
  std::vector<Ref<Generator>> spawn(int32_t count);
  void seed(std::span<const uint64_t> seed);
  // Undoes take() where nothing was taken since.
  void give_back(const RandomStream& taken, int64_t blocks) noexcept;

  struct State {
    uint64_t key = 0, counter = 0;
  };
  [[nodiscard]] State state() const;
  void set_state(const State& state);

 private:
  Generator(std::vector<uint32_t> entropy, std::vector<uint32_t> path);

  mutable std::mutex mutex_;
  std::vector<uint32_t> entropy_, path_;  // path: which child of which child
  uint32_t children_ = 0;
  State state_;
};

// Blocks for a call, given back where it fails before keep().
class Taken {
 public:
  Taken(Generator& g, int64_t blocks) : stream(g.take(blocks)), g_(g), blocks_(blocks) {}
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;
  ~Taken() {
    if (!kept_) g_.give_back(stream, blocks_);
  }
  void keep() { kept_ = true; }
  // A number of all that is known of the place, as a seed for something else.
  [[nodiscard]] uint64_t seed() const;
  const RandomStream stream;

 private:
  Generator& g_;
  int64_t blocks_;
  bool kept_ = false;
};

// The process's own, seeded from entropy.
Generator& default_generator();

// Words that depend on every bit of the entropy and of the path: SeedSequence of NumPy, whose algorithm is
// O'Neill's (Developing a seed_seq alternative, 2015).
void seed_words(std::span<const uint32_t> entropy, std::span<const uint32_t> path, std::span<uint32_t> out);

}  // namespace arr
