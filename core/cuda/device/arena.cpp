// SPDX-License-Identifier: MIT
// Free ranges of device memory: best fit, splitting, coalescing.
#include "cuda/device/arena.h"

#include <algorithm>
#include <utility>

namespace arr::cuda {

Arena::Free::node_type Arena::new_entry() {
  Free one;
  one.insert(Key{});
  return one.extract(one.begin());
}

void Arena::add(CUdeviceptr base, int64_t bytes, Owner owner, uint64_t epoch) {
  auto entry = new_entry();
  const auto piece = pieces_.emplace(base, bytes).first;
  Ranges::iterator r;
  try {
    r = ranges_.emplace(base, Range{bytes, base, ++last_serial_, false, owner, epoch, {}}).first;
  } catch (...) {
    pieces_.erase(piece);
    throw;
  }
  r->second.entry = std::move(entry);
  coalesce(r);
}

CUdeviceptr Arena::take(int64_t bytes, Owner owner) {
  const auto fit = [&](Owner of) {
    auto f = first_of(of, bytes);
    return f != free_.end() && std::get<0>(*f) == of ? f : free_.end();
  };
  auto best = fit(owner);
  const auto common = fit(no_owner);
  if (best == free_.end() || (common != free_.end() && std::get<1>(*common) < std::get<1>(*best)))
    best = common;
  if (best == free_.end()) return 0;
  auto r = range_of(best);
  Range& range = r->second;
  if (range.bytes > bytes) {
    // The tail stays free. Calls that can throw come first.
    auto entry = new_entry();
    const auto at = r->first + static_cast<CUdeviceptr>(bytes);
    const auto tail = ranges_.emplace_hint(
        std::next(r), at,
        Range{range.bytes - bytes, range.base, range.serial, false, range.owner, range.epoch, {}});
    entry.value() = key(tail);
    free_.insert(std::move(entry));
  }
  range.entry = free_.extract(best);
  range.bytes = bytes;
  range.taken = true;
  return r->first;
}

void Arena::give(CUdeviceptr at, Owner owner, uint64_t epoch) noexcept {
  auto r = ranges_.find(at);
  r->second.taken = false;
  r->second.owner = owner;
  r->second.epoch = epoch;
  coalesce(r);
}

bool Arena::absorb(Ranges::iterator r, Ranges::iterator neighbour) {
  const Range &a = r->second, &b = neighbour->second;
  return !b.taken && b.base == a.base && b.owner == a.owner;
}

void Arena::coalesce(Ranges::iterator r) noexcept {
  auto entry = std::move(r->second.entry);
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
  entry.value() = key(r);
  free_.insert(std::move(entry));
}

Arena::Free::iterator Arena::change_owner(Free::iterator f, Owner owner) noexcept {
  const Owner before = std::get<0>(*f);
  const auto next = std::next(f);
  // An entry after the old owner's may be the new owner's, which coalesce() removes.
  const bool stays = next != free_.end() && std::get<0>(*next) == before;
  auto r = range_of(f);
  r->second.entry = free_.extract(f);
  r->second.owner = owner;
  coalesce(r);
  return stays ? next : first_of(before + 1);
}

void Arena::mark_complete(Owner owner, uint64_t epoch) noexcept {
  for (auto f = first_of(owner); f != free_.end() && std::get<0>(*f) == owner;) {
    const bool through = range_of(f)->second.epoch <= epoch;
    f = through ? change_owner(f, no_owner) : std::next(f);
  }
}

void Arena::coalesce_for(Owner owner) noexcept {
  for (auto f = first_of(no_owner); f != free_.end() && std::get<0>(*f) == no_owner;) {
    auto r = range_of(f);
    const auto mine = [&](Ranges::iterator n) {
      return !n->second.taken && n->second.owner == owner && n->second.base == r->second.base;
    };
    const auto next = std::next(r);
    const bool touches =
        (next != ranges_.end() && mine(next)) || (r != ranges_.begin() && mine(std::prev(r)));
    f = touches ? change_owner(f, owner) : std::next(f);
  }
}

void Arena::mark_all_complete() noexcept {
  auto f = first_of(no_owner + 1);
  while (f != free_.end()) f = change_owner(f, no_owner);
}

uint64_t Arena::latest(Owner owner) const {
  uint64_t epoch = 0;
  for (auto f = first_of(owner); f != free_.end() && std::get<0>(*f) == owner; ++f) {
    epoch = std::max(epoch, range_of(f)->second.epoch);
  }
  return epoch;
}

std::vector<Arena::Piece> Arena::remove_unused() {
  std::vector<Piece> whole;
  whole.reserve(pieces_.size());
  for (auto p = pieces_.begin(); p != pieces_.end();) {
    auto r = ranges_.find(p->first);
    const Range& range = r->second;
    if (range.taken || range.owner != no_owner || range.bytes != p->second) {
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
