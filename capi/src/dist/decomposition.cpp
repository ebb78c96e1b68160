// SPDX-License-Identifier: MIT
// dist.h: decompositions.
#include "capi/src/arguments.h"
#include "capi/src/dist/handles.h"
#include "ops/elementwise/array_ops.h"

using namespace arr::capi;

namespace {

// A public function that makes a decomposition of the communicator's ranks.
template <class Body>
arr_status make_decomposition(const char* function, arr_comm comm_handle, arr_decomposition* out,
                              Body&& body) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    auto c = comm(comm_handle);
    publish<arr::Decomposition>(body(*c), out);
  });
}

}  // namespace

arr_status arr_decomposition_create(arr_comm comm_handle, int32_t ndim, const int64_t* shape, int32_t ngrid,
                                    const int32_t* grid, int32_t nblocks, const int64_t* blocks,
                                    arr_decomposition* out) {
  return make_decomposition("arr_decomposition_create", comm_handle, out, [&](arr::Comm& c) {
    return arr::decomposition_blocks(c, shape_argument(ndim, shape), numbers(ngrid, grid, "ngrid", "grid"),
                                     numbers(nblocks, blocks, "nblocks", "blocks"));
  });
}

arr_status arr_decomposition_counts(arr_comm comm_handle, int32_t ndim, const int64_t* shape, int32_t axis,
                                    int32_t ncounts, const int64_t* counts, arr_decomposition* out) {
  return make_decomposition("arr_decomposition_counts", comm_handle, out, [&](arr::Comm& c) {
    return arr::decomposition_counts(c, shape_argument(ndim, shape), axis,
                                     numbers(ncounts, counts, "ncounts", "counts"));
  });
}

arr_status arr_decomposition_owners(arr_comm comm_handle, int32_t ndim, const int64_t* shape, int32_t axis,
                                    int64_t nowners, const int32_t* owners, arr_decomposition* out) {
  return make_decomposition("arr_decomposition_owners", comm_handle, out, [&](arr::Comm& c) {
    return arr::decomposition_owners(c, shape_argument(ndim, shape), axis,
                                     numbers(nowners, owners, "nowners", "owners"));
  });
}

arr_status arr_decomposition_shape(arr_decomposition h, int32_t rank, int32_t capacity, int64_t* shape,
                                   int32_t* ndim) {
  return query("arr_decomposition_shape", [&] {
    auto p = decomposition(h);
    if (rank != -1) arr::check_rank(p->comm().place(), rank, "rank");
    arr::Layout l;
    l.ndim = p->ndim();
    std::ranges::copy(rank == -1 ? p->shape : p->part_shape(rank), l.shape);
    put_dims(l, l.shape, 1, capacity, shape, ndim);
  });
}

arr_status arr_decomposition_indices(arr_decomposition h, int32_t rank, int32_t axis,
                                     arr_stream stream_handle, arr_array* out) {
  return make_array("arr_decomposition_indices", out, [&] {
    auto p = decomposition(h);
    auto s = stream(stream_handle);
    arr::check_rank(p->comm().place(), rank, "rank");
    return arr::index_array(p->segments(arr::normalize_axis(p->ndim(), axis), rank), p->device(), s.get());
  });
}

arr_status arr_decomposition_release(arr_decomposition h) { return release(h, arr::Kind::decomposition); }
