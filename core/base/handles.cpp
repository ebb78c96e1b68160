// SPDX-License-Identifier: MIT
// The process's handle table and the names of kinds.
#include "base/handles.h"

#include <new>

namespace arr {

const char* kind_name(Kind kind) noexcept {
  switch (kind) {
    case Kind::array:
      return "array";
    case Kind::stream:
      return "stream";
    case Kind::generator:
      return "generator";
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
    case Kind::graph:
      return "graph";
    case Kind::texels:
      return "texels";
    case Kind::texture:
      return "texture";
    case Kind::fft_plan:
      return "plan of a transform";
    case Kind::sparse:
      return "sparse matrix";
    case Kind::linop:
      return "linear operator";
    case Kind::sparse_factor:
      return "sparse factor";
    case Kind::comm:
      return "communicator";
    case Kind::decomposition:
      return "decomposition";
    case Kind::dist:
      return "distributed array";
    case Kind::dist_sparse:
      return "sparse matrix over ranks";
    case Kind::user_kernel:
      return "user kernel";
  }
  return "object";
}

Handles& handles() noexcept {
  // In static storage and never destroyed: no allocation can fail here, and releases at exit still find the
  // table.
  alignas(Handles) static unsigned char storage[sizeof(Handles)];
  static auto* table = [] {
    note_use();
    return new (storage) Handles;
  }();
  return *table;
}

}  // namespace arr
