// SPDX-License-Identifier: MIT
// Indices of calls that are out of range. The work records one in an error word and continues.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace arr {

// The indices of an axis of extent n: 0 to n - 1, -n to n - 1, or 1 to n.
enum class IndexRange : uint8_t { from_zero, from_end, from_one };

// The call and argument to which an index belongs; the texts are never freed.
struct FaultNote {
  const char* call;  // the public function
  const char* argument;
  int32_t axis;  // -1: not an axis, but a list of choices
  bool is_unsigned;
  IndexRange range;
  friend bool operator==(const FaultNote&, const FaultNote&) = default;
};

// The error word of a call: 0, or the largest index out of range as unsigned bits, less 1 if they count
// from 1.
struct FaultCall {
  const FaultNote* note = nullptr;
  int64_t extent = 0;
};

// The error text for a nonzero word, without the name of the call.
inline std::string fault_text(const FaultCall& f, uint64_t word) {
  const FaultNote& n = *f.note;
  const int64_t first = n.range == IndexRange::from_end ? -f.extent : n.range == IndexRange::from_one ? 1 : 0;
  const int64_t last = n.range == IndexRange::from_one ? f.extent : f.extent - 1;
  if (n.range == IndexRange::from_one) ++word;
  const std::string index = n.is_unsigned ? text(word) : text(static_cast<int64_t>(word));
  const std::string where =
      n.axis < 0 ? text(" of ", f.extent, " choices") : text(" along axis ", n.axis, " of extent ", f.extent);
  return text("argument ", n.argument, ": index ", index, where, ", expected ", first, " to ", last);
}
// The same for an error that another call reports.
inline std::string late_fault_text(const FaultCall& f, uint64_t word) {
  return text(f.note->call, ": ", fault_text(f, word));
}

}  // namespace arr
