// SPDX-License-Identifier: MIT
// random.h: generators.
#include "capi/src/random/generators.h"

#include <utility>
#include <vector>

using namespace arr::capi;
using arr::Generator;

namespace {

std::vector<uint64_t> seed_argument(int32_t nseed, const int64_t* seed) {
  if (nseed < 0) arr::fail(ARR_E_ARGUMENT, "argument nseed: ", nseed, " is negative");
  if (nseed > 0) check_pointer(seed, "seed");
  return std::vector<uint64_t>(seed, seed + nseed);
}

arr::BitGenerator bit_generator_argument(int64_t number, const char* argument) {
  if (number < 0 || number >= arr::bit_generator_count)
    arr::fail(ARR_E_ARGUMENT, "argument ", argument, ": ", number,
              ", expected a bit generator (ARR_PHILOX4X32 ...)");
  return static_cast<arr::BitGenerator>(number);
}

void publish_generators(std::vector<arr::Ref<Generator>> made, arr_generator* out) {
  size_t done = 0;
  try {
    for (; done < made.size(); ++done) publish<Generator>(std::move(made[done]), out + done);
  } catch (...) {
    while (done-- > 0) release(std::exchange(out[done], nullptr), arr::Kind::generator);
    throw;
  }
}

}  // namespace

arr_status arr_generator_create(int32_t nseed, const int64_t* seed, arr_generator* out) {
  return guard("arr_generator_create", [&] {
    check_pointer(out, "out");
    publish<Generator>(arr::make<Generator>(arr::BitGenerator::philox4x32, seed_argument(nseed, seed)), out);
  });
}

arr_status arr_generator_create_of(int32_t bit_generator, int32_t nseed, const int64_t* seed,
                                   arr_generator* out) {
  return guard("arr_generator_create_of", [&] {
    check_pointer(out, "out");
    const arr::BitGenerator kind = bit_generator_argument(bit_generator, "bit_generator");
    publish<Generator>(arr::make<Generator>(kind, seed_argument(nseed, seed)), out);
  });
}

arr_status arr_generator_release(arr_generator generator) { return release(generator, arr::Kind::generator); }

arr_status arr_generator_seed(arr_generator generator, int32_t nseed, const int64_t* seed) {
  return guard("arr_generator_seed", [&] { Used(generator)->seed(seed_argument(nseed, seed)); });
}

arr_status arr_generator_spawn(arr_generator generator, int32_t n, arr_generator* out) {
  return guard("arr_generator_spawn", [&] {
    if (n < 0) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative");
    if (n > 0) check_pointer(out, "out");
    publish_generators(Used(generator)->spawn(n), out);
  });
}

arr_status arr_generator_advance(arr_generator generator, int64_t blocks) {
  return guard("arr_generator_advance", [&] { Used(generator)->advance(static_cast<uint64_t>(blocks)); });
}

arr_status arr_generator_jumped(arr_generator generator, int64_t jumps, arr_generator* out) {
  return guard("arr_generator_jumped", [&] {
    check_pointer(out, "out");
    const Used g(generator);
    publish<Generator>(g->jumped(jumps), out);
  });
}

arr_status arr_generator_get_state(arr_generator generator, arr_generator_state* state) {
  return guard("arr_generator_get_state", [&] {
    check_pointer(state, "state");
    check_size(*state, "state");
    const arr::BitState s = Used(generator)->state();
    state->bit_generator = static_cast<int64_t>(s.kind);
    state->word0 = static_cast<int64_t>(s.words[0]);
    state->word1 = static_cast<int64_t>(s.words[1]);
    state->word2 = static_cast<int64_t>(s.words[2]);
    state->word3 = static_cast<int64_t>(s.words[3]);
    state->counter = static_cast<int64_t>(s.block);
  });
}

arr_status arr_generator_set_state(arr_generator generator, const arr_generator_state* state) {
  return guard("arr_generator_set_state", [&] {
    check_pointer(state, "state");
    check_size(*state, "state");
    arr::BitState s;
    s.kind = bit_generator_argument(state->bit_generator, "state");
    s.words = {static_cast<uint64_t>(state->word0), static_cast<uint64_t>(state->word1),
               static_cast<uint64_t>(state->word2), static_cast<uint64_t>(state->word3)};
    s.block = static_cast<uint64_t>(state->counter);
    Used(generator)->set_state(s);
  });
}
