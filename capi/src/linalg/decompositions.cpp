// SPDX-License-Identifier: MIT
// decompositions.h: factorizations of matrices.
#include "ops/linalg/decompositions.h"

#include "capi/src/linalg/arguments.h"

using namespace arr::capi;

arr_status arr_cholesky(arr_array a, bool upper, int32_t on_failure, arr_stream stream_handle,
                        arr_array* out) {
  return make_array("arr_cholesky", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::cholesky(*x, upper, failure_argument(on_failure), s.get());
  });
}

arr_status arr_qr(arr_array a, int32_t mode, arr_stream stream_handle, arr_array* out_q, arr_array* out_r) {
  return guard("arr_qr", [&] {
    check_pointer(out_r, "out_r");
    if (mode < ARR_QR_REDUCED || mode > ARR_QR_RAW) {
      arr::fail(ARR_E_ARGUMENT, "argument mode: ", mode, ", expected one of ARR_QR_...");
    }
    if (mode != ARR_QR_R) check_pointer(out_q, "out_q");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    auto all = arr::qr(*x, static_cast<arr::QrMode>(mode), s.get());
    if (mode == ARR_QR_R) {
      publish<arr::Array>(std::move(all[0]), out_r);
      if (out_q != nullptr) *out_q = nullptr;
      return;
    }
    put_all(std::move(all), {out_q, out_r});
  });
}

arr_status arr_svd(arr_array a, bool full_matrices, int32_t on_failure, arr_stream stream_handle,
                   arr_array* out_u, arr_array* out_s, arr_array* out_vh) {
  return guard("arr_svd", [&] {
    check_pointer(out_s, "out_s");
    auto x = array(a, "a");
    auto q = stream(stream_handle);
    arr::Svd all = arr::svd(*x, out_u != nullptr || out_vh != nullptr, full_matrices,
                            failure_argument(on_failure), q.get());
    put_all({all.u, all.s, all.vh}, {out_u, out_s, out_vh});
  });
}

arr_status arr_svdvals(arr_array a, int32_t on_failure, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_svdvals", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::svdvals(*x, failure_argument(on_failure), s.get());
  });
}

arr_status arr_eigh(arr_array a, bool lower, int32_t on_failure, arr_stream stream_handle,
                    arr_array* out_values, arr_array* out_vectors) {
  return guard("arr_eigh", [&] {
    check_pointer(out_values, "out_values");
    const bool vectors = out_vectors != nullptr;
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::Eigen all = arr::eigh(*x, lower, vectors, failure_argument(on_failure), s.get());
    put_all({all.values, all.vectors}, {out_values, out_vectors});
  });
}

arr_status arr_eigvalsh(arr_array a, bool lower, int32_t on_failure, arr_stream stream_handle,
                        arr_array* out) {
  return make_array("arr_eigvalsh", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::eigh(*x, lower, false, failure_argument(on_failure), s.get()).values;
  });
}

arr_status arr_eig(arr_array a, int32_t on_failure, arr_stream stream_handle, arr_array* out_values,
                   arr_array* out_vectors) {
  return guard("arr_eig", [&] {
    check_pointer(out_values, "out_values");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::Eigen all = arr::eig(*x, out_vectors != nullptr, failure_argument(on_failure), s.get());
    put_all({all.values, all.vectors}, {out_values, out_vectors});
  });
}

arr_status arr_eigvals(arr_array a, int32_t on_failure, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_eigvals", out, [&] {
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    return arr::eig(*x, false, failure_argument(on_failure), s.get()).values;
  });
}

arr_status arr_lu(arr_array a, arr_stream stream_handle, arr_array* out_p, arr_array* out_l,
                  arr_array* out_u) {
  return guard("arr_lu", [&] {
    check_pointer(out_p, "out_p");
    check_pointer(out_l, "out_l");
    check_pointer(out_u, "out_u");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    put_all(arr::lu(*x, s.get()), {out_p, out_l, out_u});
  });
}

arr_status arr_schur(arr_array a, int32_t on_failure, arr_stream stream_handle, arr_array* out_t,
                     arr_array* out_q) {
  return guard("arr_schur", [&] {
    check_pointer(out_t, "out_t");
    check_pointer(out_q, "out_q");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    const arr::SchurForm f = arr::schur(*x, failure_argument(on_failure), s.get());
    put_all({f.t, f.q}, {out_t, out_q});
  });
}

arr_status arr_polar(arr_array a, bool left, int32_t on_failure, arr_stream stream_handle, arr_array* out_u,
                     arr_array* out_p) {
  return guard("arr_polar", [&] {
    check_pointer(out_u, "out_u");
    check_pointer(out_p, "out_p");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    const arr::Polar f = arr::polar(*x, left, failure_argument(on_failure), s.get());
    put_all({f.u, f.p}, {out_u, out_p});
  });
}

arr_status arr_ldl(arr_array a, bool lower, arr_stream stream_handle, arr_array* out_lu, arr_array* out_d,
                   arr_array* out_perm) {
  return guard("arr_ldl", [&] {
    check_pointer(out_lu, "out_lu");
    check_pointer(out_d, "out_d");
    check_pointer(out_perm, "out_perm");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    const arr::Ldl f = arr::ldl(*x, lower, s.get());
    put_all({f.lu, f.d, f.permutation}, {out_lu, out_d, out_perm});
  });
}

arr_status arr_lu_factor(arr_array a, arr_stream stream_handle, arr_array* out_lu, arr_array* out_pivots) {
  return guard("arr_lu_factor", [&] {
    check_pointer(out_lu, "out_lu");
    check_pointer(out_pivots, "out_pivots");
    auto x = array(a, "a");
    auto s = stream(stream_handle);
    arr::LuFactors all = arr::lu_factor(*x, s.get());
    put_all({all.lu, all.pivots}, {out_lu, out_pivots});
  });
}
