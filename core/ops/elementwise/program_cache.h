// SPDX-License-Identifier: MIT
// A cache of the programs of a function that is often called with small arrays, for which building a program
// takes longer than running it.
#pragma once

#include <memory>

#include "base/insert_only_table.h"
#include "base/per_thread.h"
#include "expr/program.h"

namespace arr {

// Each function has one. A nonzero key identifies the program and its constants. There are few keys, and
// their programs are never freed.
class ProgramCache {
 public:
  template <class Build>
  const BoundProgram& get(uint64_t key, Build&& build) {
    if (const BoundProgram* known = table_.find(key)) return *known;
    auto fresh = std::make_unique<BoundProgram>(build());
    const BoundProgram* kept = table_.add(key, fresh.get());
    if (kept == fresh.get()) return *fresh.release();
    if (kept != nullptr) return *kept;
    struct Spare {
      BoundProgram program;  // valid until the thread's next call that finds no free slot
    };
    return per_thread<Spare>().program = std::move(*fresh);
  }

 private:
  InsertOnlyTable<BoundProgram, 12> table_;
};

}  // namespace arr
