// SPDX-License-Identifier: MIT
// Random arrays: distributions, integers, bits.
#pragma once

#include <optional>
#include <span>

#include "ops/elementwise/create.h"
#include "ops/random/generator.h"

namespace arr {

// The shape and dtype of a new array. ndim -1: the shape to which the parameters broadcast.
struct RandomShape {
  DType dtype = DType::none;
  int32_t ndim = 0;
  const int64_t* shape = nullptr;
  std::optional<Device> device;  // none: the parameters' device, or the host
};
// Draws the numbers of some elements of a larger array.
struct DrawnPart {
  const Input* index = nullptr;  // their row-major indices in it; nullptr: all elements in order
  int64_t total = 0;             // its number of elements
};
// A parameter with its default has neither array nor dtype.
using Parameters = std::span<const Input>;

Ref<Array> random(Generator& g, int32_t distribution, Parameters parameters, const RandomShape& shape,
                  Stream* stream, const DrawnPart& part = {});
void random_into(const Array& dst, Generator& g, int32_t distribution, Parameters parameters, Stream* stream);

// Uniform integers from low to below high, or up to high.
Ref<Array> random_integers(Generator& g, const Input& low, const Input& high, bool endpoint,
                           const RandomShape& shape, Stream* stream);
void random_integers_into(const Array& dst, Generator& g, const Input& low, const Input& high, bool endpoint,
                          Stream* stream);
// A new array for random numbers, of the shape to which the parameters broadcast if none is given.
Ref<Array> random_target(const RandomShape& shape, DType dtype, std::span<const Input> parameters,
                         Stream* stream);
// Runs a program of Draws; arrays are its first operands.
void draw_into(const Array& dst, Generator& g, const BoundProgram& p, std::span<const Input> arrays,
               size_t channels, int64_t blocks, Stream* stream, const Input* indices = nullptr);

// Uniform bits, for unsigned integers.
Ref<Array> random_bits(Generator& g, const RandomShape& shape, Stream* stream);
void random_bits_into(const Array& dst, Generator& g, Stream* stream);

}  // namespace arr
