// SPDX-License-Identifier: MIT
// Handles of sparse matrices.
#pragma once

#include <span>
#include <vector>

#include "arr/sparse.h"
#include "capi/src/entry.h"
#include "ops/sparse/nd.h"

namespace arr::capi {

template <>
struct KindOf<Sparse> {
  static constexpr Kind kind = Kind::sparse;
};

// An array of any number of dimensions; a matrix.
inline Pinned<Sparse> sparse_nd(arr_sparse h, const char* argument) { return lookup<Sparse>(h, argument); }
inline Pinned<Sparse> sparse(arr_sparse h, const char* argument) {
  auto a = sparse_nd(h, argument);
  if (a->nd != nullptr) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a->nd->text(),
         ", expected two dimensions; see arr_sparse_reshape_nd");
  }
  return a;
}

inline SparseFormat format_argument(int32_t format) {
  if (format >= ARR_SPARSE_COO && format <= ARR_SPARSE_CSC) return static_cast<SparseFormat>(format);
  fail(ARR_E_ARGUMENT, "argument format: ", format,
       ", expected ARR_SPARSE_COO, ARR_SPARSE_CSR or ARR_SPARSE_CSC");
}

// Several matrices, kept alive; or also nullptr for NULL; or arrays of any number of dimensions.
class Matrices {
 public:
  enum class Of { matrices, matrices_and_gaps, arrays };
  Matrices(int64_t n, const arr_sparse* handles, const char* argument, Of of = Of::matrices) {
    if (n > 0) check_pointer(handles, argument);
    for (int64_t i = 0; i < n; ++i) {
      if (of == Of::matrices_and_gaps && handles[i] == nullptr) {
        all_.push_back(nullptr);
      } else {
        pinned_.push_back(of == Of::arrays ? sparse_nd(handles[i], argument) : sparse(handles[i], argument));
        all_.push_back(pinned_.back().get());
      }
    }
  }
  [[nodiscard]] std::span<const Sparse* const> all() const { return all_; }

 private:
  std::vector<Pinned<Sparse>> pinned_;
  std::vector<const Sparse*> all_;
};

// A public function whose last argument is the handle of a matrix.
template <class Body>
arr_status make_matrix(const char* function, arr_sparse* out, Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    publish<Sparse>(body(), out);
  });
}

// The same of one matrix.
template <class Body>
arr_status unary_matrix(const char* function, arr_sparse a, arr_stream stream_handle, arr_sparse* out,
                        Body&& body) noexcept {
  return make_matrix(function, out, [&] {
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    return body(*x, s.get());
  });
}

// The same of an operation on the elements of an array of any number of dimensions.
template <class Body>
arr_status unary_elements(const char* function, arr_sparse a, arr_stream stream_handle, arr_sparse* out,
                          Body&& body) noexcept {
  return make_matrix(function, out, [&] {
    auto x = sparse_nd(a, "a");
    auto s = stream(stream_handle);
    return in_shape_of(*x, body(*x, s.get()));
  });
}

// The same of two matrices.
template <class Body>
arr_status binary_matrix(const char* function, arr_sparse a, arr_sparse b, arr_stream stream_handle,
                         arr_sparse* out, Body&& body) noexcept {
  return unary_matrix(function, a, stream_handle, out, [&](const Sparse& x, Stream* s) {
    auto y = sparse(b, "b");
    return body(x, *y, s);
  });
}

}  // namespace arr::capi
