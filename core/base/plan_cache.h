// SPDX-License-Identifier: MIT
// A least-recently-used cache of values that are expensive to create, with limits on their number and bytes.
// A removed value lives until its last user releases it.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/fork.h"
#include "base/hash.h"

namespace arr {

// Value has `int64_t bytes`. A negative limit means no limit.
template <class Key, class Value, class Hash>
class PlanCache {
 public:
  using Held = std::shared_ptr<const Value>;
  struct Counts {
    int64_t hits = 0, misses = 0, entries = 0, bytes = 0, max_entries = 0, max_bytes = 0;
  };
  explicit PlanCache(int64_t max_entries) : max_entries_(max_entries) {}
  PlanCache(const PlanCache&) = delete;
  PlanCache& operator=(const PlanCache&) = delete;
  ~PlanCache() = default;

  template <class Make>
  Held get(const Key& key, Make&& make) {
    return get(key, std::forward<Make>(make), [](const Value&) { return true; });
  }
  // make() -> Held runs without the cache's lock. If two threads make the same value, the cache keeps one of
  // them. A value for which good(value) is false is replaced.
  template <class Make, class Good>
  Held get(const Key& key, Make&& make, const Good& good) {
    {
      const std::lock_guard lock(mutex_);
      if (auto at = index_.find(key); at != index_.end() && good(*at->second->value)) {
        ++hits_;
        order_.splice(order_.begin(), order_, at->second);
        return at->second->value;
      }
      ++misses_;
    }
    Held fresh = make();
    std::list<Entry> gone;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    if (auto at = index_.find(key); at != index_.end()) {
      if (good(*at->second->value)) return at->second->value;
      bytes_ -= at->second->value->bytes;
      gone.splice(gone.begin(), order_, at->second);
      index_.erase(at);
    }
    if (max_entries_ == 0 || (max_bytes_ >= 0 && fresh->bytes > max_bytes_)) return fresh;
    order_.push_front({key, fresh, ++last_id_});
    try {
      index_.emplace(key, order_.begin());
    } catch (...) {
      order_.pop_front();
      throw;
    }
    bytes_ += fresh->bytes;
    shrink(&gone);
    return fresh;
  }

  [[nodiscard]] bool has(const Key& key) const {
    const std::lock_guard lock(mutex_);
    return index_.find(key) != index_.end();
  }
  void limit(int64_t entries, int64_t bytes) {
    std::list<Entry> gone;
    const std::lock_guard lock(mutex_);
    max_entries_ = entries;
    max_bytes_ = bytes;
    shrink(&gone);
  }
  void clear() {
    std::list<Entry> gone;
    const std::lock_guard lock(mutex_);
    index_.clear();
    gone.swap(order_);
    bytes_ = 0;
  }
  // Calls look(id, key, value) for each value, the most recently used first, under the cache's lock.
  template <class Look>
  void visit(Look&& look) const {
    const std::lock_guard lock(mutex_);
    for (const Entry& e : order_) look(e.id, e.key, *e.value);
  }
  // Returns false if there is no value with that id.
  bool drop(int64_t id) {
    std::list<Entry> gone;
    const std::lock_guard lock(mutex_);
    auto at = order_.begin();
    while (at != order_.end() && at->id != id) ++at;
    if (at == order_.end()) return false;
    bytes_ -= at->value->bytes;
    index_.erase(at->key);
    gone.splice(gone.begin(), order_, at);
    return true;
  }
  [[nodiscard]] Counts counts() const {
    const std::lock_guard lock(mutex_);
    return {hits_, misses_, static_cast<int64_t>(order_.size()), bytes_, max_entries_, max_bytes_};
  }

 private:
  struct Entry {
    Key key;
    Held value;
    int64_t id;
  };
  void shrink(std::list<Entry>* gone) {
    while (!order_.empty() && ((max_entries_ >= 0 && static_cast<int64_t>(order_.size()) > max_entries_) ||
                               (max_bytes_ >= 0 && bytes_ > max_bytes_))) {
      bytes_ -= order_.back().value->bytes;
      index_.erase(order_.back().key);
      gone->splice(gone->begin(), order_, std::prev(order_.end()));
    }
  }

  mutable ProcessMutex mutex_;
  std::list<Entry> order_;  // the most recently used first
  std::unordered_map<Key, typename std::list<Entry>::iterator, Hash> index_;
  int64_t hits_ = 0, misses_ = 0, bytes_ = 0, max_entries_, max_bytes_ = -1, last_id_ = 0;
};

}  // namespace arr
