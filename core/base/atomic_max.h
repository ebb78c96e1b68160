// SPDX-License-Identifier: MIT
// An atomic max, for values that several threads record. C++26 has atomic_fetch_max.
#pragma once

#include <atomic>
#include <type_traits>

namespace arr {

template <class T>
void atomic_fetch_max(std::atomic<T>* maximum, std::type_identity_t<T> value) noexcept {
  T before = maximum->load(std::memory_order_relaxed);
  while (value > before && !maximum->compare_exchange_weak(before, value, std::memory_order_relaxed)) {
  }
}

}  // namespace arr
