// SPDX-License-Identifier: MIT
// Rows of core/table/reductions.def with the same combine formula share their loops: they differ only in the
// map before or the finish after the loops.
#pragma once

namespace arr::host::ARR_LEVEL {

struct CombiningRow {
  int number;
  const char *name, *kind, *state, *identity, *combine;
};
inline constexpr CombiningRow combining_rows[] = {
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity_, combine_, finish_, doc, cupy, \
                      map, state, call, ufunc)                                                              \
  {number, #name, #kind, #state, #identity_, #combine_},
#include "table/reductions.def"
#undef ARR_REDUCTION
};

constexpr bool same_text(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return *a == *b;
}

constexpr bool begins_with(const char* text, const char* head) {
  while (*head != 0 && *text == *head) ++text, ++head;
  return *head == 0;
}
constexpr bool ends_with(const char* text, const char* tail) {
  for (; *text != 0; ++text) {
    if (same_text(text, tail)) return true;
  }
  return false;
}

// True if a combine formula is one of its operands, so that it never rounds.
constexpr bool selects_operand(const char* combine) {
  if (same_text(combine, "arr_smaller(a, b)") || same_text(combine, "arr_larger(a, b)")) return true;
  return begins_with(combine, "arr_choose(") && ends_with(combine, ", a, b)");
}

// The accumulated value that no further element changes; -1 if there is none.
constexpr int final_value(const char* combine) {
  return begins_with(combine, "arr_gcd(") ? 1 : begins_with(combine, "arr_lcm(") ? 0 : -1;
}

// The row whose byte loops combine bools like a formula: any is the max, and all the min.
constexpr const char* row_of_bools(const char* combine) {
  if (same_text(combine, "a || b") || same_text(combine, "a | b")) return "max";
  if (same_text(combine, "a && b") || same_text(combine, "a & b")) return "min";
  return same_text(combine, "a != b") ? "bitwise_xor_reduce" : "";
}

// The number of the first row with the combine formula of row `number`. For types without nan (`exact`), row
// nanX combines as row X. Loops that never round need no identity.
constexpr int combines_as(int number, bool exact, bool truth) {
  const CombiningRow* own = combining_rows;
  while (own->number != number) ++own;
  const bool ignores_nan = own->name[0] == 'n' && own->name[1] == 'a' && own->name[2] == 'n';
  for (const CombiningRow& row : combining_rows) {
    if (!same_text(row.kind, own->kind)) continue;
    if (exact && ignores_nan && same_text(row.name, own->name + 3))
      return combines_as(row.number, exact, truth);
    if (truth && same_text(row.name, row_of_bools(own->combine))) return row.number;
  }
  for (const CombiningRow& row : combining_rows) {
    if (same_text(row.kind, own->kind) && same_text(row.state, own->state) &&
        (same_text(row.identity, own->identity) || selects_operand(own->combine)) &&
        same_text(row.combine, own->combine)) {
      return row.number;
    }
  }
  return number;
}

}  // namespace arr::host::ARR_LEVEL
