// SPDX-License-Identifier: MIT
// Faults of calls: indices that lay outside of their axis. Work notes them in a word, and its stream goes on.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace arr {

// Call and argument that an index belongs to; the texts live for ever.
struct FaultNote {
  const char* call;  // the public function
  const char* argument;
  int32_t axis;  // -1: not an axis, but a list of choices
  bool is_unsigned;
  bool from_end;  // indices below 0 are allowed
  friend bool operator==(const FaultNote&, const FaultNote&) = default;
};

// A word that a call notes faults in: 0, or the largest index out of range, as bits without a sign.
struct FaultCall {
  const FaultNote* note = nullptr;
  int64_t extent = 0;
};

// The error's text for a word that is not 0, without the name of the call.
inline std::string fault_text(const FaultCall& f, uint64_t word) {
  const FaultNote& n = *f.note;
  const std::string index = n.is_unsigned ? text(word) : text(static_cast<int64_t>(word));
  const std::string where =
      n.axis < 0 ? text(" of ", f.extent, " choices") : text(" along axis ", n.axis, " of extent ", f.extent);
  return text("argument ", n.argument, ": index ", index, where, ", expected ", n.from_end ? -f.extent : 0,
              " to ", f.extent - 1);
}
// The same for a fault that another call reports.
inline std::string late_fault_text(const FaultCall& f, uint64_t word) {
  return text(f.note->call, ": ", fault_text(f, word));
}

}  // namespace arr
