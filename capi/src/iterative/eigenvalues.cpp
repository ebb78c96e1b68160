// SPDX-License-Identifier: MIT
// iterative.h: a few eigenvalues and singular values.
#include "ops/iterative/eigenvalues.h"

#include "capi/src/iterative/handles.h"
#include "capi/src/iterative/options.h"
#include "ops/comm/together.h"

using namespace arr::capi;

namespace {

// Options with their handle, kept alive.
struct EigenArguments {
  EigenArguments(int64_t k, int32_t which, const arr_eigsh_options* o)
      : v0(optional_array(o == nullptr ? nullptr : o->v0, "options")) {
    all.k = k;
    all.which = static_cast<arr::Wanted>(which);
    all.v0 = v0.get();
    if (o == nullptr) return;
    check_size(*o, "options");
    all.ncv = count(o->ncv, "ncv");
    all.maxiter = count(o->maxiter, "maxiter");
    all.tol = tolerance(o->tol, 0, "tol");
  }
  arr::Pinned<arr::Array> v0;
  arr::EigshOptions all;
};

// Publishes the arrays whose handle is asked for.
void put(std::initializer_list<std::pair<arr::Ref<arr::Array>, arr_array*>> results) {
  std::vector<arr::Ref<arr::Array>> arrays;
  for (const auto& [made, to] : results) {
    if (to != nullptr) arrays.push_back(made);
  }
  std::vector<arr_array> handles(arrays.size());
  publish_all(std::move(arrays), handles.data());
  size_t next = 0;
  for (const auto& [made, to] : results) {
    if (to != nullptr) *to = handles[next++];
  }
}

}  // namespace

arr_status arr_eigsh(arr_linop a, int64_t k, int32_t which, const arr_eigsh_options* options,
                     arr_stream stream_handle, arr_array* out_w, arr_array* out_v) {
  return guard("arr_eigsh", [&] {
    check_pointer(out_w, "out_w");
    auto by = linop(a, "a");
    if (which < ARR_EIGEN_LM || which > ARR_EIGEN_BE)
      arr::fail(ARR_E_ARGUMENT, "argument which: ", which, ", expected ARR_EIGEN_LM, SM, LA, SA or BE");
    const EigenArguments o(k, which, options);
    auto s = stream(stream_handle);
    arr::Eigenpairs e;
    arr::lead(by->comm(), [&] { e = arr::eigsh(*by, o.all, s.get()); });
    put({{e.values, out_w}, {e.vectors, out_v}});
  });
}

arr_status arr_eigs(arr_linop a, int64_t k, int32_t which, const arr_eigsh_options* options,
                    arr_stream stream_handle, arr_array* out_w, arr_array* out_v) {
  return guard("arr_eigs", [&] {
    check_pointer(out_w, "out_w");
    auto by = linop(a, "a");
    const bool part = which >= ARR_EIGEN_LR && which <= ARR_EIGEN_SI;
    if (!part && which != ARR_EIGEN_LM && which != ARR_EIGEN_SM)
      arr::fail(ARR_E_ARGUMENT, "argument which: ", which, ", expected ARR_EIGEN_LM, SM, LR, SR, LI or SI");
    const EigenArguments o(k, which, options);
    auto s = stream(stream_handle);
    arr::Eigenpairs e;
    arr::lead(by->comm(), [&] { e = arr::eigs(*by, o.all, s.get()); });
    put({{e.values, out_w}, {e.vectors, out_v}});
  });
}

arr_status arr_svds(arr_linop a, int64_t k, int32_t which, const arr_eigsh_options* options,
                    arr_stream stream_handle, arr_array* out_u, arr_array* out_s, arr_array* out_vh) {
  return guard("arr_svds", [&] {
    check_pointer(out_s, "out_s");
    auto by = linop(a, "a");
    if (which != ARR_EIGEN_LM && which != ARR_EIGEN_SM)
      arr::fail(ARR_E_ARGUMENT, "argument which: ", which, ", expected ARR_EIGEN_LM or ARR_EIGEN_SM");
    const EigenArguments o(k, which, options);
    auto s = stream(stream_handle);
    arr::SingularTriplets r;
    arr::lead(by->comm(), [&] { r = arr::svds(*by, o.all, s.get()); });
    put({{r.u, out_u}, {r.s, out_s}, {r.vh, out_vh}});
  });
}

arr_status arr_lobpcg(arr_linop a, arr_array x, const arr_lobpcg_options* options, arr_stream stream_handle,
                      arr_array* out_w, arr_array* out_v, int64_t* iterations) {
  return guard("arr_lobpcg", [&] {
    check_pointer(out_w, "out_w");
    check_pointer(out_v, "out_v");
    auto by = linop(a, "a");
    auto start = array(x, "x");
    if (options != nullptr) check_size(*options, "options");
    auto b = optional_linop(options == nullptr ? nullptr : options->b, "options");
    auto m = optional_linop(options == nullptr ? nullptr : options->m, "options");
    auto s = stream(stream_handle);
    arr::LobpcgOptions o;
    o.b = b.get();
    o.m = m.get();
    if (options != nullptr) {
      o.smallest = options->smallest != 0;
      o.tol = tolerance(options->tol, 0, "tol");
      if (options->maxiter != 0) o.maxiter = count(options->maxiter, "maxiter");
    }
    const arr::BlockEigenpairs r = arr::lobpcg(*by, *start, o, s.get());
    put({{r.pairs.values, out_w}, {r.pairs.vectors, out_v}});
    if (iterations != nullptr) *iterations = r.iterations;
  });
}
