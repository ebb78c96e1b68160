// SPDX-License-Identifier: MIT
// The process's handle table and the names of kinds.
#include "base/handles.h"

namespace arr {

const char* kind_name(Kind kind) noexcept {
  switch (kind) {
    case Kind::array:
      return "array";
    case Kind::stream:
      return "stream";
    case Kind::event:
      return "event";
    case Kind::module:
      return "module";
    case Kind::kernel:
      return "kernel";
    case Kind::expr:
      return "expression";
    case Kind::error:
      return "error";
  }
  return "object";
}

Handles& handles() noexcept {
  static auto* table = new Handles;  // never destroyed, so that releases at exit still find it
  return *table;
}

}  // namespace arr
