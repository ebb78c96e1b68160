// SPDX-License-Identifier: MIT
// dist_sparse.h: sparse matrices whose rows are divided among ranks.
#include "arr/dist_sparse.h"

#include "capi/src/comm/handles.h"
#include "capi/src/iterative/handles.h"
#include "capi/src/sparse/handles.h"
#include "ops/dist_sparse/dist_sparse.h"

namespace arr::capi {

template <>
struct KindOf<DistSparse> {
  static constexpr Kind kind = Kind::dist_sparse;
};

}  // namespace arr::capi

using namespace arr::capi;

namespace {

arr::Pinned<arr::DistSparse> dist_sparse(arr_dist_sparse h) { return lookup<arr::DistSparse>(h, "a"); }

}  // namespace

arr_status arr_dist_sparse_create(arr_comm comm_handle, arr_sparse rows, int32_t ncounts,
                                  const int64_t* counts, arr_stream stream_handle, arr_dist_sparse* out) {
  return guard("arr_dist_sparse_create", [&] {
    check_pointer(out, "out");
    auto c = comm(comm_handle);
    auto a = sparse(rows, "rows");
    auto s = stream(stream_handle);
    publish<arr::DistSparse>(arr::dist_sparse(*c, *a, counts_argument(ncounts, counts, "counts"), s.get()),
                             out);
  });
}

arr_status arr_dist_sparse_matmul(arr_dist_sparse a, arr_array x, int32_t op, arr_stream stream_handle,
                                  arr_array* out) {
  return make_array("arr_dist_sparse_matmul", out, [&] {
    auto by = dist_sparse(a);
    auto v = array(x, "x");
    const arr::Mode mode = mode_argument(op);
    auto s = stream(stream_handle);
    return arr::matmul(*by, mode, *v, s.get());
  });
}

arr_status arr_dist_sparse_matmul_into(arr_array dst, arr_dist_sparse a, arr_array x, int32_t op,
                                       arr_stream stream_handle) {
  return guard("arr_dist_sparse_matmul_into", [&] {
    auto to = array(dst, "dst");
    auto by = dist_sparse(a);
    auto v = array(x, "x");
    const arr::Mode mode = mode_argument(op);
    auto s = stream(stream_handle);
    arr::matmul_into(*to, *by, mode, *v, s.get());
  });
}

arr_status arr_dist_sparse_block(arr_dist_sparse a, arr_sparse* out) {
  return make_matrix("arr_dist_sparse_block", out, [&] { return dist_sparse(a)->blocks.own; });
}

arr_status arr_dist_sparse_info(arr_dist_sparse a, arr_dist_sparse_properties* properties) {
  return query("arr_dist_sparse_info", [&] {
    auto x = dist_sparse(a);
    check_pointer(properties, "properties");
    check_size(*properties, "properties");
    const arr::Extents whole = x->ranks->whole();
    const auto moved = [](const std::vector<arr::Segment>& s) { return s.empty() ? 0 : s.back().to; };
    *properties = {properties->struct_size,
                   whole.rows,
                   whole.columns,
                   x->whole_nnz,
                   x->extents().rows,
                   x->extents().columns,
                   x->nnz(),
                   moved(x->plan->received),
                   moved(x->plan->sent),
                   static_cast<int64_t>(x->dtype()),
                   x->device().type,
                   x->device().index};
  });
}

arr_status arr_dist_sparse_release(arr_dist_sparse a) { return release(a, arr::Kind::dist_sparse); }

arr_status arr_linop_from_dist_sparse(arr_dist_sparse a, arr_linop* out) {
  return make_linop("arr_linop_from_dist_sparse", out, [&] { return arr::linop_of(*dist_sparse(a)); });
}

arr_status arr_linop_over(arr_linop a, arr_comm comm_handle, arr_linop* out) {
  return make_linop("arr_linop_over", out, [&] {
    auto x = linop(a, "a");
    auto c = comm(comm_handle);
    return arr::linop_over(*x, *c);
  });
}
