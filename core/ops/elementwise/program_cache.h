// SPDX-License-Identifier: MIT
// Caches of the programs of a function that is often called with small arrays, for which building a program
// takes longer than running it.
#pragma once

#include <array>
#include <memory>
#include <utility>

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

// The last programs of a thread, for those whose structure depends on numbers, of which there are too many to
// keep. A question is all that a program depends on; one without a value is never asked.
template <class Question, class Answer>
class Recent {
 public:
  // The answer is valid until four others have been built.
  template <class Build>
  static const Answer& get(const Question& question, Build&& build) {
    auto& mine = per_thread<Recent>();
    for (const Entry& e : mine.entries_) {
      if (e.question == question) return e.answer;
    }
    Answer fresh = build();
    Entry& e = mine.entries_.at(mine.next_++ % mine.entries_.size());
    e = {question, std::move(fresh)};
    return e.answer;
  }

 private:
  struct Entry {
    Question question;
    Answer answer;
  };
  std::array<Entry, 4> entries_;
  size_t next_ = 0;
};

}  // namespace arr
