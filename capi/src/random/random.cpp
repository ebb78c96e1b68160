// SPDX-License-Identifier: MIT
// random.h and distributions.h: generators and random numbers.
#include "ops/random/random.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/renaming.h"
#include "capi/src/random/generators.h"
#include "ops/random/order.h"

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

arr::RandomShape shape_of(arr_dtype dtype, int32_t ndim, const int64_t* shape, const arr_device* device) {
  arr::RandomShape s;
  s.dtype = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
  s.ndim = ndim;
  s.shape = shape;
  if (ndim != -1) shape_argument(ndim, shape);
  if (device != nullptr) s.device = arr::device_from(device);
  return s;
}

// Parameters of a call; NULL and empty values select the defaults.
class Given {
 public:
  // For a distribution by number: a list. The row of the table has the names of the parameters.
  Given(int32_t n, const arr_value* values) {
    if (n < 0 || n > static_cast<int32_t>(most))
      arr::fail(ARR_E_ARGUMENT, "argument nparameters: ", n, ", expected 0 .. ", most);
    if (n > 0) check_pointer(values, "parameters");
    std::array<const arr_value*, most> each{};
    for (int32_t k = 0; k < n; ++k) each.at(static_cast<size_t>(k)) = values + k;
    for (size_t k = 0; k < most; ++k) names_.at(k) = arr::text("parameters[", k, "]");
    take(each.data(), static_cast<size_t>(n));
  }
  // For a function of one distribution; parameters: the text of its row in the table, "loc=0 scale=1:ge0".
  Given(const arr_value* const* values, size_t n, std::string_view parameters) {
    for (size_t k = 0; k < n; ++k) {
      const std::string_view word = parameters.substr(0, parameters.find(' '));
      names_.at(k) = word.substr(0, word.find_first_of("=:"));
      parameters.remove_prefix(std::min(parameters.size(), word.size() + 1));
    }
    take(values, n);
  }
  [[nodiscard]] arr::Parameters all() const { return {inputs_.data(), count_}; }

  // Runs the body, whose errors name arrays by their position among the arrays.
  template <class Body>
  decltype(auto) naming(Body&& body) const {
    return arr::renaming({{"x", arrays_[0]}, {"y", arrays_[1]}, {"z", arrays_[2]}}, std::forward<Body>(body));
  }

 private:
  void take(const arr_value* const* values, size_t n) {
    size_t arrays = 0;
    for (size_t k = 0; k < n; ++k) {
      const bool set = values[k] != nullptr && values[k]->kind != ARR_VALUE_NONE;
      if (!set) continue;
      operands_.add(values[k], names_.at(k).c_str());
      inputs_.at(k) = operands_.inputs().back();
      if (inputs_.at(k).array != nullptr) arrays_.at(arrays++) = names_.at(k);
    }
    count_ = n;
  }

  static constexpr size_t most = 3;
  std::array<std::string, most> names_;
  std::array<std::string_view, most> arrays_;
  Operands operands_;
  std::array<arr::Input, most> inputs_;
  size_t count_ = 0;
};

struct Target {
  arr_dtype dtype;
  int32_t ndim;
  const int64_t* shape;
  const arr_device* device;
};

arr_status draw(const char* function, arr_generator generator, int32_t distribution,
                std::initializer_list<const arr_value*> values, std::string_view parameters, const Target& t,
                arr_stream stream_handle, arr_array* out) noexcept {
  return make_array(function, out, [&] {
    const Used g(generator);
    const Given given(values.begin(), values.size(), parameters);
    auto s = stream(stream_handle);
    const arr::RandomShape shape = shape_of(t.dtype, t.ndim, t.shape, t.device);
    return given.naming([&] { return arr::random(*g, distribution, given.all(), shape, s.get()); });
  });
}

arr_status draw_into(const char* function, arr_array dst, arr_generator generator, int32_t distribution,
                     std::initializer_list<const arr_value*> values, std::string_view parameters,
                     arr_stream stream_handle) noexcept {
  return guard(function, [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    const Given given(values.begin(), values.size(), parameters);
    auto s = stream(stream_handle);
    given.naming([&] { arr::random_into(*to, *g, distribution, given.all(), s.get()); });
  });
}

}  // namespace

// ----------------------------------------------------------------------------------------- generators

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

// ------------------------------------------------------------------------------------ bits and integers

arr_status arr_random_bits(arr_generator generator, arr_dtype dtype, int32_t ndim, const int64_t* shape,
                           const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_bits", out, [&] {
    const Used g(generator);
    if (ndim < 0) arr::fail(ARR_E_ARGUMENT, "argument ndim: ", ndim, " is negative");
    auto s = stream(stream_handle);
    return arr::random_bits(*g, shape_of(dtype, ndim, shape, device), s.get());
  });
}

arr_status arr_random_bits_into(arr_array dst, arr_generator generator, arr_stream stream_handle) {
  return guard("arr_random_bits_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto s = stream(stream_handle);
    arr::random_bits_into(*to, *g, s.get());
  });
}

arr_status arr_random_integers(arr_generator generator, const arr_value* low, const arr_value* high,
                               int32_t endpoint, arr_dtype dtype, int32_t ndim, const int64_t* shape,
                               const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_integers", out, [&] {
    const Used g(generator);
    Operands bounds;
    bounds.add(low, "low");
    bounds.add(high, "high");
    auto s = stream(stream_handle);
    return arr::random_integers(*g, bounds.inputs()[0], bounds.inputs()[1], endpoint != 0,
                                shape_of(dtype, ndim, shape, device), s.get());
  });
}

arr_status arr_random_integers_into(arr_array dst, arr_generator generator, const arr_value* low,
                                    const arr_value* high, int32_t endpoint, arr_stream stream_handle) {
  return guard("arr_random_integers_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    Operands bounds;
    bounds.add(low, "low");
    bounds.add(high, "high");
    auto s = stream(stream_handle);
    arr::random_integers_into(*to, *g, bounds.inputs()[0], bounds.inputs()[1], endpoint != 0, s.get());
  });
}

// ------------------------------------------------------------------------------------ order and choice

arr_status arr_random_permutation(arr_generator generator, int64_t n, int64_t count, arr_dtype dtype,
                                  const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_permutation", out, [&] {
    const Used g(generator);
    auto s = stream(stream_handle);
    const arr::DType d = dtype == 0 ? arr::DType::none : arr::dtype_from(dtype);
    return arr::random_permutation(*g, n, count, d, arr::device_from(device), s.get());
  });
}

arr_status arr_random_permutation_into(arr_array dst, arr_generator generator, int64_t n,
                                       arr_stream stream_handle) {
  return guard("arr_random_permutation_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto s = stream(stream_handle);
    arr::random_permutation_into(*to, *g, n, s.get());
  });
}

arr_status arr_random_permuted(arr_generator generator, arr_array a, int32_t axis, int32_t apart,
                               arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_permuted", out, [&] {
    const Used g(generator);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::random_permuted(*g, *x, axis, apart != 0, s.get());
  });
}

arr_status arr_random_permuted_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                    int32_t apart, arr_stream stream_handle) {
  return guard("arr_random_permuted_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::random_permuted_into(*to, *g, *x, axis, apart != 0, s.get());
  });
}

arr_status arr_random_shuffle(arr_array a, arr_generator generator, int32_t axis, int32_t apart,
                              arr_stream stream_handle) {
  return guard("arr_random_shuffle", [&] {
    auto x = array(a, "a");
    const Used g(generator);
    auto s = stream(stream_handle);
    arr::random_shuffle(*x, *g, axis, apart != 0, s.get());
  });
}

arr_status arr_random_choice(arr_generator generator, int64_t n, int32_t replace, arr_array weights,
                             int32_t ndim, const int64_t* shape, const arr_device* device,
                             arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_choice", out, [&] {
    const Used g(generator);
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    return arr::random_choice(*g, {n, replace != 0, w.get()}, shape_argument(ndim, shape),
                              arr::device_from(device), s.get());
  });
}

arr_status arr_random_choice_into(arr_array dst, arr_generator generator, int64_t n, int32_t replace,
                                  arr_array weights, arr_stream stream_handle) {
  return guard("arr_random_choice_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    arr::random_choice_into(*to, *g, {n, replace != 0, w.get()}, s.get());
  });
}

arr_status arr_random_sample(arr_generator generator, arr_array a, int32_t axis, int32_t replace,
                             arr_array weights, int32_t ndim, const int64_t* shape, arr_stream stream_handle,
                             arr_array* out) {
  return make_array("arr_random_sample", out, [&] {
    const Used g(generator);
    auto x = array(a, "a");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    const arr::Shape wanted = shape_argument(ndim, shape);
    return arr::renaming({{"n", "a"}}, [&] {
      return arr::random_sample(*g, *x, axis, replace != 0, w.get(), wanted, s.get());
    });
  });
}

arr_status arr_random_sample_into(arr_array dst, arr_generator generator, arr_array a, int32_t axis,
                                  int32_t replace, arr_array weights, arr_stream stream_handle) {
  return guard("arr_random_sample_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    auto x = array(a, "a");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    arr::renaming({{"n", "a"}},
                  [&] { arr::random_sample_into(*to, *g, *x, axis, replace != 0, w.get(), s.get()); });
  });
}

// ---------------------------------------------------------------------------------------- distributions

namespace {

// Runs a body that draws by number, whose errors name the parameters of the distribution.
template <class Body>
decltype(auto) by_number(Body&& body) {
  return arr::renaming({{"dtype", "dtype"},
                        {"dst", "dst"},
                        {"shape", "shape"},
                        {"stream", "stream"},
                        {"distribution", "distribution"},
                        {"nparameters", "nparameters"},
                        {"x", "parameters"},
                        {"y", "parameters"},
                        {"z", "parameters"},
                        {arr::any_argument, "parameters", true}},
                       std::forward<Body>(body));
}

}  // namespace

arr_status arr_random_draw(arr_generator generator, int32_t distribution, int32_t nparameters,
                           const arr_value* parameters, arr_dtype dtype, int32_t ndim, const int64_t* shape,
                           const arr_device* device, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_random_draw", out, [&] {
    const Used g(generator);
    const Given given(nparameters, parameters);
    auto s = stream(stream_handle);
    const arr::RandomShape target = shape_of(dtype, ndim, shape, device);
    return by_number([&] { return arr::random(*g, distribution, given.all(), target, s.get()); });
  });
}

arr_status arr_random_draw_into(arr_array dst, arr_generator generator, int32_t distribution,
                                int32_t nparameters, const arr_value* parameters, arr_stream stream_handle) {
  return guard("arr_random_draw_into", [&] {
    auto to = array(dst, "dst");
    const Used g(generator);
    const Given given(nparameters, parameters);
    auto s = stream(stream_handle);
    by_number([&] { arr::random_into(*to, *g, distribution, given.all(), s.get()); });
  });
}

#define ARR_PARAMETERS_0
#define ARR_PARAMETERS_1 const arr_value *a,
#define ARR_PARAMETERS_2 ARR_PARAMETERS_1 const arr_value *b,
#define ARR_PARAMETERS_3 ARR_PARAMETERS_2 const arr_value *c,
#define ARR_GIVEN_0
#define ARR_GIVEN_1 a
#define ARR_GIVEN_2 a, b
#define ARR_GIVEN_3 a, b, c
#define ARR_DISTRIBUTION(number, name, n, family, parameters, doc, cupy, ...)                             \
  arr_status arr_random_##name(arr_generator generator, ARR_PARAMETERS_##n arr_dtype dtype, int32_t ndim, \
                               const int64_t* shape, const arr_device* device, arr_stream stream,         \
                               arr_array* out) {                                                          \
    return draw("arr_random_" #name, generator, number, {ARR_GIVEN_##n}, parameters,                      \
                {dtype, ndim, shape, device}, stream, out);                                               \
  }                                                                                                       \
  arr_status arr_random_##name##_into(arr_array dst, arr_generator generator,                             \
                                      ARR_PARAMETERS_##n arr_stream stream) {                             \
    return draw_into("arr_random_" #name "_into", dst, generator, number, {ARR_GIVEN_##n}, parameters,    \
                     stream);                                                                             \
  }
#include "table/distributions.def"
#undef ARR_DISTRIBUTION
