// SPDX-License-Identifier: MIT
// An array of plain structs that is not initialised, which would take a notable part of a call on small
// arrays.
#pragma once

#include <cstddef>
#include <type_traits>

namespace arr {

// Write each element entirely before reading it.
template <class T, size_t n>
class UnclearedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  [[nodiscard]] T* data() { return reinterpret_cast<T*>(bytes_); }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(bytes_); }
  [[nodiscard]] T& operator[](size_t k) { return data()[k]; }
  [[nodiscard]] const T& operator[](size_t k) const { return data()[k]; }

 private:
  alignas(T) std::byte bytes_[n * sizeof(T)];
};

}  // namespace arr
