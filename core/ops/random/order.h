// SPDX-License-Identifier: MIT
// Random order and random choice.
#pragma once

#include "ops/random/random.h"

namespace arr {

// A permutation of 0 .. n-1, or its first `count` numbers.
Ref<Array> random_permutation(Generator& g, int64_t n, int64_t count, DType dtype, Device device,
                              Stream* stream);
void random_permutation_into(const Array& dst, Generator& g, int64_t n, Stream* stream);
// The slices along an axis in a random order. independent: a separate order for each 1-D slice along the
// axis.
Ref<Array> random_permuted(Generator& g, const Array& a, int32_t axis, bool independent, Stream* stream);
void random_permuted_into(const Array& dst, Generator& g, const Array& a, int32_t axis, bool independent,
                          Stream* stream);
void random_shuffle(const Array& a, Generator& g, int32_t axis, bool independent, Stream* stream);

// Indices below n: with or without repetition, weighted or uniform.
struct Choice {
  int64_t n = 0;
  bool replace = true;
  const Array* weights = nullptr;
};
Ref<Array> random_choice(Generator& g, const Choice& choice, Shape shape, Device device, Stream* stream);
void random_choice_into(const Array& dst, Generator& g, const Choice& choice, Stream* stream);
// Slices of an array along an axis at chosen indices.
Ref<Array> random_sample(Generator& g, const Array& a, int32_t axis, bool replace, const Array* weights,
                         Shape shape, Stream* stream);
void random_sample_into(const Array& dst, Generator& g, const Array& a, int32_t axis, bool replace,
                        const Array* weights, Stream* stream);

}  // namespace arr
