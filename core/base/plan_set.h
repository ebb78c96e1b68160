// SPDX-License-Identifier: MIT
// Plans that an object keeps for repeated work, outside of a device's cache.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace arr {

// The core's view of such plans. A backend creates them.
class PlanSet {
 public:
  struct Counts {
    int64_t plans = 0, bytes = 0;
  };
  PlanSet() = default;
  PlanSet(const PlanSet&) = delete;
  PlanSet& operator=(const PlanSet&) = delete;
  virtual ~PlanSet() = default;
  [[nodiscard]] virtual Counts counts() const = 0;
};

// A few plans by their keys. Value has `int64_t bytes`.
template <class Key, class Value>
class TypedPlanSet final : public PlanSet {
 public:
  using Held = std::shared_ptr<const Value>;
  // make() -> Held runs without the lock. If two threads make the same plan, the set keeps one of them.
  template <class Make>
  Held get(const Key& key, Make&& make) {
    if (Held there = find(key)) return there;
    Held fresh = make();
    const std::lock_guard lock(mutex_);
    for (const auto& [k, plan] : plans_) {
      if (k == key) return plan;
    }
    plans_.emplace_back(key, fresh);
    return fresh;
  }
  [[nodiscard]] bool has(const Key& key) const { return find(key) != nullptr; }
  [[nodiscard]] Counts counts() const override {
    const std::lock_guard lock(mutex_);
    Counts all;
    for (const auto& [key, plan] : plans_) {
      ++all.plans;
      all.bytes += plan->bytes;
    }
    return all;
  }

 private:
  Held find(const Key& key) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [k, plan] : plans_) {
      if (k == key) return plan;
    }
    return nullptr;
  }
  mutable std::mutex mutex_;
  std::vector<std::pair<Key, Held>> plans_;
};

}  // namespace arr
