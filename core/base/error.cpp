// SPDX-License-Identifier: MIT
// Text helpers for messages.
#include "base/error.h"

namespace arr {

void put_literal(std::ostream& out, const void* what) { out << static_cast<const char*>(what); }

std::string text_of(std::span<const TextPart> parts) {
  TextStream out;
  for (const TextPart& part : parts) part.put(out, part.what);
  return out.str();
}

void fail_with(arr_status status, std::span<const TextPart> parts) { throw Error(status, text_of(parts)); }

std::string shape_text(int64_t n, const int64_t* values) {
  std::string out = "(";
  for (int64_t i = 0; i < n; ++i) {
    if (i != 0) out += ',';
    out += std::to_string(values[i]);
  }
  if (n == 1) out += ',';
  return out + ")";
}

}  // namespace arr
