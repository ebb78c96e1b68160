// SPDX-License-Identifier: MIT
// comm_sparse.h: collective operations and messages of sparse matrices.
#include "ops/comm/sparse.h"

#include "arr/comm_sparse.h"
#include "capi/src/comm/handles.h"
#include "capi/src/reduce/arguments.h"
#include "capi/src/sparse/handles.h"

using namespace arr::capi;

namespace {

// Publishes matrices that are there, and NULL for the others.
void publish_those(std::vector<arr::Ref<arr::Sparse>> all, arr_sparse* out) {
  std::vector<arr::Ref<arr::Sparse>> there;
  for (const auto& one : all) {
    if (one) there.push_back(one);
  }
  std::vector<arr_sparse> handles(there.size());
  publish_each(std::move(there), handles.data());
  auto next = handles.begin();
  for (size_t i = 0; i < all.size(); ++i) out[i] = all[i] ? *next++ : nullptr;
}

}  // namespace

arr_status arr_comm_sparse_broadcast(arr_comm comm_handle, arr_sparse a, int32_t root,
                                     arr_stream stream_handle, arr_sparse* out) {
  return make_matrix("arr_comm_sparse_broadcast", out, [&] {
    auto c = comm(comm_handle);
    auto s = stream(stream_handle);
    const Matrices x(1, &a, "a", Matrices::Of::matrices_and_gaps);
    return arr::sparse_broadcast(*c, x.all()[0], root, s.get());
  });
}

arr_status arr_comm_sparse_all_to_all(arr_comm comm_handle, int32_t n, const arr_sparse* a,
                                      arr_stream stream_handle, arr_sparse* out) {
  return guard("arr_comm_sparse_all_to_all", [&] {
    auto c = comm(comm_handle);
    auto s = stream(stream_handle);
    if (n != c->place().size) {
      arr::fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected the number of ranks, ", c->place().size);
    }
    check_pointer(out, "out");
    const Matrices x(n, a, "a", Matrices::Of::matrices_and_gaps);
    publish_those(arr::sparse_all_to_all(*c, x.all(), s.get()), out);
  });
}

arr_status arr_comm_sparse_reduce(arr_comm comm_handle, arr_sparse a, int32_t reduction, int32_t root,
                                  arr_stream stream_handle, arr_sparse* out) {
  return guard("arr_comm_sparse_reduce", [&] {
    check_pointer(out, "out");
    auto c = comm(comm_handle);
    auto s = stream(stream_handle);
    auto x = sparse(a, "a");
    publish_those({arr::sparse_reduce_ranks(*c, *x, reduction_argument(reduction), root, s.get())}, out);
  });
}

arr_status arr_comm_sparse_send(arr_comm comm_handle, arr_sparse a, int32_t receiver,
                                arr_stream stream_handle) {
  return guard("arr_comm_sparse_send", [&] {
    auto c = comm(comm_handle);
    auto s = stream(stream_handle);
    arr::sparse_send(*c, *sparse(a, "a"), receiver, s.get());
  });
}

arr_status arr_comm_sparse_recv(arr_comm comm_handle, int32_t sender, arr_stream stream_handle,
                                arr_sparse* out) {
  return make_matrix("arr_comm_sparse_recv", out, [&] {
    auto c = comm(comm_handle);
    auto s = stream(stream_handle);
    return arr::sparse_recv(*c, sender, s.get());
  });
}
