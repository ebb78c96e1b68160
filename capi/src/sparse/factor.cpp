// SPDX-License-Identifier: MIT
// factor.h: factors of sparse matrices, triangular solves.
#include "arr/factor.h"

#include "capi/src/linalg/arguments.h"
#include "capi/src/sparse/factors.h"
#include "capi/src/sparse/handles.h"
#include "ops/sparse/factor.h"

using namespace arr::capi;
using arr::Sparse;
using arr::SparseFactor;

namespace {

arr::SparseOrdering ordering_argument(int32_t permc_spec) {
  switch (permc_spec) {
    case ARR_PERMC_COLAMD:
      return arr::SparseOrdering::colamd;
    case ARR_PERMC_NATURAL:
      return arr::SparseOrdering::natural;
    case ARR_PERMC_MMD_ATA:
      return arr::SparseOrdering::mmd_ata;
    case ARR_PERMC_MMD_AT_PLUS_A:
      return arr::SparseOrdering::mmd_at_plus_a;
    default:
      arr::fail(ARR_E_ARGUMENT, "argument options: permc_spec is ", permc_spec, ", expected ARR_PERMC_...");
  }
}

bool switch_argument(int32_t x, const char* field) {
  if (x == 0 || x == 1) return x == 1;
  arr::fail(ARR_E_ARGUMENT, "argument options: ", field, " is ", x, ", expected 0 or 1");
}

arr::SparseLuOptions options_argument(const arr_sparse_lu_options* given) {
  arr::SparseLuOptions o;
  if (given == nullptr) return o;
  check_size(*given, "options");
  o.ordering = ordering_argument(given->permc_spec);
  o.equilibrate = switch_argument(given->equilibrate, "equilibrate");
  o.symmetric = switch_argument(given->symmetric_mode, "symmetric_mode");
  if (given->reserved != 0) {
    arr::fail(ARR_E_ARGUMENT, "argument options: reserved is ", given->reserved, ", expected 0");
  }
  if (given->diag_pivot_thresh == nullptr) return o;
  o.diag_pivot_thresh = *given->diag_pivot_thresh;
  if (o.diag_pivot_thresh >= 0 && o.diag_pivot_thresh <= 1) return o;
  arr::fail(ARR_E_ARGUMENT, "argument options: diag_pivot_thresh is ", o.diag_pivot_thresh,
            ", expected 0 to 1");
}

bool natural_argument(int32_t ordering) {
  if (ordering == ARR_FILL_AMD || ordering == ARR_FILL_NATURAL) return ordering == ARR_FILL_NATURAL;
  arr::fail(ARR_E_ARGUMENT, "argument ordering: ", ordering, ", expected ARR_FILL_...");
}

void check_part(double x, const char* argument) {
  if (x >= 0 && x <= 1) return;
  arr::fail(ARR_E_ARGUMENT, "argument ", argument, ": ", x, ", expected 0 to 1");
}

// A public function that factors a matrix.
template <class Body>
arr_status make_factor(const char* function, arr_sparse a, arr_stream stream_handle, arr_sparse_factor* out,
                       Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    auto x = sparse(a, "a");
    auto s = stream(stream_handle);
    publish<SparseFactor>(body(*x, s.get()), out);
  });
}

}  // namespace

arr_status arr_sparse_lu(arr_sparse a, const arr_sparse_lu_options* options, arr_stream stream_handle,
                         arr_sparse_factor* out) {
  return make_factor("arr_sparse_lu", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::sparse_lu(x, options_argument(options), s);
  });
}

arr_status arr_sparse_ilu0(arr_sparse a, arr_stream stream_handle, arr_sparse_factor* out) {
  return make_factor("arr_sparse_ilu0", a, stream_handle, out,
                     [](const Sparse& x, arr::Stream* s) { return arr::sparse_ilu0(x, s); });
}

arr_status arr_sparse_ilut(arr_sparse a, double drop_tol, double fill_factor, double diag_pivot_thresh,
                           int32_t ordering, arr_stream stream_handle, arr_sparse_factor* out) {
  return make_factor("arr_sparse_ilut", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    check_part(drop_tol, "drop_tol");
    check_part(diag_pivot_thresh, "diag_pivot_thresh");
    if (!(fill_factor >= 1)) {
      arr::fail(ARR_E_ARGUMENT, "argument fill_factor: ", fill_factor, ", expected 1 or more");
    }
    return arr::sparse_ilut(x, {drop_tol, fill_factor, diag_pivot_thresh, natural_argument(ordering)}, s);
  });
}

arr_status arr_sparse_ic0(arr_sparse a, arr_stream stream_handle, arr_sparse_factor* out) {
  return make_factor("arr_sparse_ic0", a, stream_handle, out,
                     [](const Sparse& x, arr::Stream* s) { return arr::sparse_ic0(x, s); });
}

arr_status arr_sparse_cholesky(arr_sparse a, bool upper, int32_t ordering, arr_stream stream_handle,
                               arr_sparse_factor* out) {
  return make_factor("arr_sparse_cholesky", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::sparse_cholesky(x, {true, upper, natural_argument(ordering)}, s);
  });
}

arr_status arr_sparse_ldl(arr_sparse a, bool upper, int32_t ordering, arr_stream stream_handle,
                          arr_sparse_factor* out) {
  return make_factor("arr_sparse_ldl", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::sparse_cholesky(x, {false, upper, natural_argument(ordering)}, s);
  });
}

arr_status arr_sparse_refactor(arr_sparse_factor factor, arr_sparse a, arr_stream stream_handle,
                               arr_sparse_factor* out) {
  return make_factor("arr_sparse_refactor", a, stream_handle, out, [&](const Sparse& x, arr::Stream* s) {
    return arr::refactor(*factor_argument(factor), x, s);
  });
}

arr_status arr_sparse_factor_solve(arr_sparse_factor factor, arr_array b, int32_t op,
                                   arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_factor_solve", out, [&] {
    auto f = factor_argument(factor);
    auto x = array(b, "b");
    auto s = stream(stream_handle);
    return arr::solve(*f, *x, op_argument(op), s.get());
  });
}

arr_status arr_sparse_factor_solve_sparse(arr_sparse_factor factor, arr_sparse b, int32_t op,
                                          arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_sparse_factor_solve_sparse", out, [&] {
    auto f = factor_argument(factor);
    auto x = sparse(b, "b");
    auto s = stream(stream_handle);
    return arr::solve(*f, *x, op_argument(op), s.get());
  });
}

arr_status arr_sparse_factor_parts(arr_sparse_factor factor, arr_stream stream_handle, arr_sparse* out_lower,
                                   arr_sparse* out_upper, arr_array* out_perm_r, arr_array* out_perm_c) {
  return guard("arr_sparse_factor_parts", [&] {
    auto f = factor_argument(factor);
    auto s = stream(stream_handle);
    arr::check_parts(*f);
    arr::SparseFactorParts parts;
    if (out_lower != nullptr || out_upper != nullptr) parts = arr::parts_of(*f, s.get());
    arr_sparse l = nullptr, u = nullptr;
    try {
      if (out_lower != nullptr) publish<Sparse>(parts.lower, &l);
      if (out_upper != nullptr) publish<Sparse>(parts.upper, &u);
      put_all({as_result(f->perm_r), as_result(f->perm_c)}, {out_perm_r, out_perm_c});
    } catch (...) {
      release(l, arr::Kind::sparse);
      release(u, arr::Kind::sparse);
      throw;
    }
    if (out_lower != nullptr) *out_lower = l;
    if (out_upper != nullptr) *out_upper = u;
  });
}

arr_status arr_sparse_factor_slogdet(arr_sparse_factor factor, arr_stream stream_handle, arr_array* out_sign,
                                     arr_array* out_logdet) {
  return guard("arr_sparse_factor_slogdet", [&] {
    check_pointer(out_sign, "out_sign");
    check_pointer(out_logdet, "out_logdet");
    auto f = factor_argument(factor);
    auto s = stream(stream_handle);
    arr::SparseDeterminant d = arr::slogdet(*f, s.get());
    put_all({std::move(d.sign), std::move(d.logabsdet)}, {out_sign, out_logdet});
  });
}

arr_status arr_sparse_factor_info(arr_sparse_factor factor, arr_sparse_factor_properties* properties) {
  return query("arr_sparse_factor_info", [&] {
    auto f = factor_argument(factor);
    check_pointer(properties, "properties");
    check_size(*properties, "properties");
    *properties = {properties->struct_size, static_cast<int64_t>(f->kind), f->n,
                   static_cast<int64_t>(f->dtype), f->nnz()};
  });
}

arr_status arr_sparse_factor_retain(arr_sparse_factor factor, arr_sparse_factor* out) {
  return guard("arr_sparse_factor_retain", [&] {
    check_pointer(out, "out");
    publish<SparseFactor>(factor_argument(factor).share(), out);
  });
}

arr_status arr_sparse_factor_release(arr_sparse_factor factor) {
  return release(factor, arr::Kind::sparse_factor);
}

arr_status arr_sparse_solve(arr_sparse a, arr_array b, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_solve", out, [&] {
    auto x = sparse(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    return arr::sparse_solve(*x, *y, s.get());
  });
}

arr_status arr_sparse_solve_sparse(arr_sparse a, arr_sparse b, arr_stream stream_handle, arr_sparse* out) {
  return binary_matrix(
      "arr_sparse_solve_sparse", a, b, stream_handle, out,
      [](const Sparse& x, const Sparse& y, arr::Stream* s) { return arr::sparse_solve(x, y, s); });
}

arr_status arr_sparse_solve_triangular(arr_sparse a, arr_array b, int32_t flags, int32_t op,
                                       arr_stream stream_handle, arr_array* out) {
  return make_array("arr_sparse_solve_triangular", out, [&] {
    auto x = sparse(a, "a");
    auto y = array(b, "b");
    auto s = stream(stream_handle);
    check_flags(flags, ARR_TRIANGULAR_LOWER | ARR_TRIANGULAR_UNIT_DIAGONAL);
    const arr::SparseTriangle t{(flags & ARR_TRIANGULAR_LOWER) != 0,
                                (flags & ARR_TRIANGULAR_UNIT_DIAGONAL) != 0, op_argument(op)};
    return arr::sparse_solve_triangular(*x, *y, t, s.get());
  });
}
