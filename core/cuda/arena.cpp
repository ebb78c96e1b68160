// SPDX-License-Identifier: MIT
// Free ranges of device memory: best fit, splitting, coalescing.
#include "cuda/arena.h"

#include <algorithm>

namespace arr::cuda {

void Arena::add(CUdeviceptr base, int64_t bytes, Owner owner, uint64_t epoch) {
  pieces_.emplace(base, bytes);
  settle(ranges_.emplace(base, Range{bytes, base, false, owner, epoch}).first);
}

CUdeviceptr Arena::take(int64_t bytes, Owner owner) {
  const auto fit = [&](Owner of) {
    auto f = free_.lower_bound(Key{of, bytes, 0});
    return f != free_.end() && std::get<0>(*f) == of ? f : free_.end();
  };
  auto best = fit(owner);
  const auto common = fit(nobody);
  if (best == free_.end() || (common != free_.end() && std::get<1>(*common) < std::get<1>(*best)))
    best = common;
  if (best == free_.end()) return 0;
  auto r = ranges_.find(std::get<2>(*best));
  const Range whole = r->second;
  if (whole.bytes > bytes) {
    // The tail stays free. What can throw comes first.
    auto tail = ranges_.emplace_hint(std::next(r), r->first + static_cast<CUdeviceptr>(bytes), whole);
    tail->second.bytes = whole.bytes - bytes;
    free_.insert(key(tail));
  }
  free_.erase(best);
  r->second.bytes = bytes;
  r->second.taken = true;
  return r->first;
}

void Arena::give(CUdeviceptr at, Owner owner, uint64_t epoch) {
  auto r = ranges_.find(at);
  r->second.taken = false;
  r->second.owner = owner;
  r->second.epoch = epoch;
  settle(r);
}

bool Arena::absorb(Ranges::iterator r, Ranges::iterator neighbour) {
  const Range &a = r->second, &b = neighbour->second;
  return !b.taken && b.base == a.base && b.owner == a.owner;
}

void Arena::settle(Ranges::iterator r) {
  if (auto after = std::next(r); after != ranges_.end() && absorb(r, after)) {
    free_.erase(key(after));
    r->second.bytes += after->second.bytes;
    r->second.epoch = std::max(r->second.epoch, after->second.epoch);
    ranges_.erase(after);
  }
  if (r != ranges_.begin()) {
    if (auto before = std::prev(r); absorb(r, before)) {
      free_.erase(key(before));
      before->second.bytes += r->second.bytes;
      before->second.epoch = std::max(r->second.epoch, before->second.epoch);
      ranges_.erase(r);
      r = before;
    }
  }
  free_.insert(key(r));
}

void Arena::passed(Owner owner, uint64_t epoch) {
  std::vector<CUdeviceptr> through;
  for (auto f = free_.lower_bound(Key{owner, 0, 0}); f != free_.end() && std::get<0>(*f) == owner; ++f) {
    if (ranges_.find(std::get<2>(*f))->second.epoch <= epoch) through.push_back(std::get<2>(*f));
  }
  for (CUdeviceptr at : through) {
    auto r = ranges_.find(at);
    free_.erase(key(r));
    r->second.owner = nobody;
    settle(r);
  }
}

void Arena::claim(Owner owner) {
  std::vector<CUdeviceptr> touching;
  for (auto f = free_.lower_bound(Key{nobody, 0, 0}); f != free_.end() && std::get<0>(*f) == nobody; ++f) {
    auto r = ranges_.find(std::get<2>(*f));
    const auto mine = [&](Ranges::iterator n) {
      return !n->second.taken && n->second.owner == owner && n->second.base == r->second.base;
    };
    const auto next = std::next(r);
    if ((next != ranges_.end() && mine(next)) || (r != ranges_.begin() && mine(std::prev(r)))) {
      touching.push_back(r->first);
    }
  }
  for (CUdeviceptr at : touching) {
    auto r = ranges_.find(at);
    free_.erase(key(r));
    r->second.owner = owner;
    settle(r);
  }
}

void Arena::idle() {
  free_.clear();
  for (auto r = ranges_.begin(); r != ranges_.end();) {
    if (r->second.taken) {
      ++r;
      continue;
    }
    r->second.owner = nobody;
    auto next = std::next(r);
    while (next != ranges_.end() && !next->second.taken && next->second.base == r->second.base) {
      r->second.bytes += next->second.bytes;
      next = ranges_.erase(next);
    }
    free_.insert(key(r));
    r = next;
  }
}

uint64_t Arena::latest(Owner owner) const {
  uint64_t epoch = 0;
  for (auto f = free_.lower_bound(Key{owner, 0, 0}); f != free_.end() && std::get<0>(*f) == owner; ++f) {
    epoch = std::max(epoch, ranges_.find(std::get<2>(*f))->second.epoch);
  }
  return epoch;
}

std::vector<Arena::Piece> Arena::remove_idle() {
  std::vector<Piece> whole;
  for (auto p = pieces_.begin(); p != pieces_.end();) {
    auto r = ranges_.find(p->first);
    const Range& range = r->second;
    if (range.taken || range.owner != nobody || range.bytes != p->second) {
      ++p;
      continue;
    }
    whole.push_back({p->first, p->second});
    free_.erase(key(r));
    ranges_.erase(r);
    p = pieces_.erase(p);
  }
  return whole;
}

int64_t Arena::largest_free() const {
  int64_t largest = 0;
  for (const Key& k : free_) largest = std::max(largest, std::get<1>(k));
  return largest;
}

}  // namespace arr::cuda
