// SPDX-License-Identifier: MIT
// Free ranges of the large pieces of memory that a pool has from the driver: best fit, split, coalesced. Book
// keeping only, without a lock and without a call of the driver.
//
// A free range belongs to the stream (`owner`) whose work may still use it, or to nobody. Its owner may take
// it at once, for its new work comes behind the old; others only when it is nobody's.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "cuda/driver/api_types.h"

namespace arr::cuda {

class Arena {
 public:
  using Owner = uint64_t;
  static constexpr Owner nobody = 0;

  // A new piece: free for all, or the owner's.
  void add(CUdeviceptr base, int64_t bytes, Owner owner = nobody, uint64_t epoch = 0);
  // `bytes` of the smallest range with room that is the owner's or else nobody's; 0 where there is none.
  CUdeviceptr take(int64_t bytes, Owner owner);
  // Gives back what take() gave. Ranges of a later `epoch` stay the owner's when passed() has an earlier one.
  void give(CUdeviceptr at, Owner owner, uint64_t epoch) noexcept;
  // The owner's work until an epoch is done: its ranges up to then are nobody's.
  void passed(Owner owner, uint64_t epoch) noexcept;
  // Joins what is nobody's with what it touches of the owner's, which is the owner's then.
  void claim(Owner owner) noexcept;
  // All work is done.
  void idle() noexcept;
  // Of the owner's ranges, the latest epoch; 0 where it has none.
  [[nodiscard]] uint64_t latest(Owner owner) const;
  // Pieces no part of which is taken, out of the books.
  struct Piece {
    CUdeviceptr base;
    int64_t bytes;
  };
  std::vector<Piece> remove_idle();

  [[nodiscard]] int64_t free_ranges() const { return static_cast<int64_t>(free_.size()); }
  [[nodiscard]] int64_t largest_free() const;

 private:
  // Among equals the range in the oldest piece, so that new ones run empty, and what is given does not depend
  // on addresses.
  using Key = std::tuple<Owner, int64_t, uint64_t, CUdeviceptr>;
  using Free = std::set<Key>;
  struct Range {
    int64_t bytes;
    CUdeviceptr base;  // of the piece it is in
    uint64_t serial;   // of the piece: a later one has more
    bool taken;
    Owner owner;
    uint64_t epoch;
    Free::node_type entry;  // for free_, while it is not there
  };
  using Ranges = std::map<CUdeviceptr, Range>;
  static Key key(Ranges::const_iterator r) {
    return {r->second.owner, r->second.bytes, r->second.serial, r->first};
  }
  Free::iterator first_of(Owner owner, int64_t bytes = 0) const {
    return free_.lower_bound({owner, bytes, 0, 0});
  }
  Ranges::iterator range_of(Free::const_iterator f) { return ranges_.find(std::get<3>(*f)); }
  Ranges::const_iterator range_of(Free::const_iterator f) const { return ranges_.find(std::get<3>(*f)); }
  static Free::node_type new_entry();
  // Joins a free range that has its entry with free neighbours of the same owner; the entry is in free_
  // afterwards. Nothing that gives memory back allocates, so none of it can fail.
  void settle(Ranges::iterator r) noexcept;
  // A free range changes hands; gives what follows it in free_.
  Free::iterator hand_over(Free::iterator f, Owner owner) noexcept;
  static bool absorb(Ranges::iterator r, Ranges::iterator neighbour);

  Ranges ranges_;  // all, by address
  Free free_;
  std::map<CUdeviceptr, int64_t> pieces_;
  uint64_t last_serial_ = 0;
};

}  // namespace arr::cuda
