// SPDX-License-Identifier: MIT
// Vector types of an instruction-set level.
#pragma once

#include <cstdint>

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host::ARR_LEVEL {

namespace {

#if defined(__AVX512F__)
constexpr int64_t vector_bytes = 64;
#elif defined(__AVX2__)
constexpr int64_t vector_bytes = 32;
#else
constexpr int64_t vector_bytes = 16;
#endif
template <class T>
constexpr int64_t lanes_of = vector_bytes / static_cast<int64_t>(sizeof(T));

// W numbers at any address, or a single number. A struct, because a vector type that is a template argument
// loses its attributes.
template <class T, int64_t W>
struct OfVector {
  typedef T type
      __attribute__((vector_size(static_cast<uint64_t>(W) * sizeof(T)), aligned(sizeof(T)), may_alias));
};
template <class T>
struct OfVector<T, 1> {
  typedef T type;
};
template <class T, int64_t W>
using Vector = typename OfVector<T, W>::type;

}  // namespace

}  // namespace arr::host::ARR_LEVEL
