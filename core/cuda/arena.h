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

#include "cuda/api_types.h"

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
  void give(CUdeviceptr at, Owner owner, uint64_t epoch);
  // The owner's work until an epoch is done: its ranges up to then are nobody's.
  void passed(Owner owner, uint64_t epoch);
  // Joins what is nobody's with what it touches of the owner's, which is the owner's then.
  void claim(Owner owner);
  // All work is done.
  void idle();
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
  struct Range {
    int64_t bytes;
    CUdeviceptr base;  // of the piece it is in
    bool taken;
    Owner owner;
    uint64_t epoch;
  };
  using Ranges = std::map<CUdeviceptr, Range>;
  using Key = std::tuple<Owner, int64_t, CUdeviceptr>;
  static Key key(Ranges::const_iterator r) { return {r->second.owner, r->second.bytes, r->first}; }
  // Joins a free range with free neighbours of the same owner; its entry is in free_ afterwards.
  void settle(Ranges::iterator r);
  static bool absorb(Ranges::iterator r, Ranges::iterator neighbour);

  Ranges ranges_;  // all, by address
  std::set<Key> free_;
  std::map<CUdeviceptr, int64_t> pieces_;
};

}  // namespace arr::cuda
