// SPDX-License-Identifier: MIT
// Preparations of a backend for work with sparse matrices.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace arr {

// A preparation for one kind of work.
class SparsePlan {
 public:
  SparsePlan() = default;
  SparsePlan(const SparsePlan&) = delete;
  SparsePlan& operator=(const SparsePlan&) = delete;
  virtual ~SparsePlan() = default;
};

// Those for one pattern of elements. They are kept with the index arrays, which do not change, and are shared
// by all matrices that have these; values may differ between calls.
struct SparsePlans {
  std::mutex mutex;
  std::vector<std::shared_ptr<SparsePlan>> all;  // the last used one is the last
};

}  // namespace arr
