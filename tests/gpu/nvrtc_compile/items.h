// SPDX-License-Identifier: MIT
// Kernels to compile: what they are called, and their text.
#pragma once

#include <string>
#include <vector>

#include "array/dtype.h"

namespace arr::cuda {

struct Item {
  std::string name, source;
};

inline std::vector<DType> dtypes() {
  std::vector<DType> all;
  for (int32_t i = 1; i < dtype_limit; ++i) {
    if (is_dtype(i)) all.push_back(static_cast<DType>(i));
  }
  return all;
}

void add_segments(std::vector<Item>* items);
void add_sequences(std::vector<Item>* items);
void add_folds(std::vector<Item>* items);

}  // namespace arr::cuda
