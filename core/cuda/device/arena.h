// SPDX-License-Identifier: MIT
// Free ranges of the large pieces of memory that a pool has from the driver: best fit, split, coalesced. It
// only does the accounting: it takes no lock and does not call the driver.
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
  static constexpr Owner no_owner = 0;

  // Adds a new piece, which is free for all or the owner's.
  void add(CUdeviceptr base, int64_t bytes, Owner owner = no_owner, uint64_t epoch = 0);
  // Takes `bytes` of the smallest sufficient range that is the owner's or has no owner; 0 if there is none.
  CUdeviceptr take(int64_t bytes, Owner owner);
  // Returns memory from take(). mark_complete() of an earlier epoch than `epoch` leaves it with the owner.
  void give(CUdeviceptr at, Owner owner, uint64_t epoch) noexcept;
  // The owner's work up to an epoch is complete: its ranges up to then have no owner any more.
  void mark_complete(Owner owner, uint64_t epoch) noexcept;
  // Gives the owner all ranges without an owner that touch one of its ranges, and joins them.
  void coalesce_for(Owner owner) noexcept;
  // All work is complete: no range has an owner.
  void mark_all_complete() noexcept;
  // The latest epoch of the owner's ranges; 0 if it has none.
  [[nodiscard]] uint64_t latest(Owner owner) const;
  // Removes the pieces of which no part is in use.
  struct Piece {
    CUdeviceptr base;
    int64_t bytes;
  };
  std::vector<Piece> remove_unused();

  [[nodiscard]] int64_t free_ranges() const { return static_cast<int64_t>(free_.size()); }
  [[nodiscard]] int64_t largest_free() const;

 private:
  // Among equals the range in the oldest piece comes first, so that newer pieces become empty and the choice
  // does not depend on addresses.
  using Key = std::tuple<Owner, int64_t, uint64_t, CUdeviceptr>;
  using Free = std::set<Key>;
  struct Range {
    int64_t bytes;
    CUdeviceptr base;  // address of the piece that contains it
    uint64_t serial;   // number of the piece; later pieces have larger ones
    bool taken;
    Owner owner;
    uint64_t epoch;
    Free::node_type entry;  // node of free_, while it is not in there
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
  // Joins a free range, which has its entry, with free neighbours of the same owner, and puts the entry into
  // free_. Returning memory allocates nothing, so it cannot fail.
  void coalesce(Ranges::iterator r) noexcept;
  // Changes the owner of a free range; returns the entry after it in free_.
  Free::iterator change_owner(Free::iterator f, Owner owner) noexcept;
  static bool absorb(Ranges::iterator r, Ranges::iterator neighbour);

  Ranges ranges_;  // all, by address
  Free free_;
  std::map<CUdeviceptr, int64_t> pieces_;
  uint64_t last_serial_ = 0;
};

}  // namespace arr::cuda
