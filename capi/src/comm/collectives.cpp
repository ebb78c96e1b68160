// SPDX-License-Identifier: MIT
// comm.h: collective operations and messages.
#include "capi/src/comm/handles.h"
#include "capi/src/reduce/arguments.h"

using namespace arr::capi;

namespace {

// A public function of a communicator: body(rank and size, stream) returns the call, or several.
template <class Body>
arr_status collective(const char* function, arr_comm comm_handle, arr_stream stream_handle,
                      Body&& body) noexcept {
  return guard(function, [&] {
    auto c = comm(comm_handle);
    auto s = stream(stream_handle);
    c->run(body(c->place(), s.get()));
  });
}

}  // namespace

arr_status arr_comm_barrier(arr_comm comm_handle, arr_stream stream_handle) {
  return collective("arr_comm_barrier", comm_handle, stream_handle,
                    [](const arr::CommPlace&, arr::Stream* s) { return arr::barrier_call(s); });
}

arr_status arr_comm_broadcast(arr_comm comm_handle, arr_array a, int32_t root, arr_stream stream_handle) {
  return collective("arr_comm_broadcast", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      return arr::broadcast_call(at, *array(a, "a"), root, s);
                    });
}

arr_status arr_comm_all_reduce(arr_comm comm_handle, arr_array dst, arr_array src, int32_t reduction,
                               arr_stream stream_handle) {
  return collective("arr_comm_all_reduce", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = array(dst, "dst"), from = array(src, "src");
                      return arr::all_reduce_call(at, *to, *from, reduction_argument(reduction), s);
                    });
}

arr_status arr_comm_reduce(arr_comm comm_handle, arr_array dst, arr_array src, int32_t reduction,
                           int32_t root, arr_stream stream_handle) {
  return collective("arr_comm_reduce", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = optional_array(dst, "dst"), from = array(src, "src");
                      return arr::reduce_call(at, to.get(), *from, reduction_argument(reduction), root, s);
                    });
}

arr_status arr_comm_all_gather(arr_comm comm_handle, arr_array dst, arr_array src, int32_t axis,
                               int32_t ncounts, const int64_t* counts, arr_stream stream_handle) {
  return collective("arr_comm_all_gather", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = array(dst, "dst"), from = array(src, "src");
                      const arr::Parts n{axis, counts_argument(ncounts, counts, "counts")};
                      return arr::all_gather_call(at, *to, *from, n, s);
                    });
}

arr_status arr_comm_gather(arr_comm comm_handle, arr_array dst, arr_array src, int32_t axis, int32_t ncounts,
                           const int64_t* counts, int32_t root, arr_stream stream_handle) {
  return collective("arr_comm_gather", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = optional_array(dst, "dst"), from = array(src, "src");
                      const arr::Parts n{axis, counts_argument(ncounts, counts, "counts")};
                      return arr::gather_call(at, to.get(), *from, n, root, s);
                    });
}

arr_status arr_comm_scatter(arr_comm comm_handle, arr_array dst, arr_array src, int32_t axis, int32_t ncounts,
                            const int64_t* counts, int32_t root, arr_stream stream_handle) {
  return collective("arr_comm_scatter", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = array(dst, "dst"), from = optional_array(src, "src");
                      const arr::Parts n{axis, counts_argument(ncounts, counts, "counts")};
                      return arr::scatter_call(at, *to, from.get(), n, root, s);
                    });
}

arr_status arr_comm_reduce_scatter(arr_comm comm_handle, arr_array dst, arr_array src, int32_t axis,
                                   int32_t ncounts, const int64_t* counts, int32_t reduction,
                                   arr_stream stream_handle) {
  return collective("arr_comm_reduce_scatter", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = array(dst, "dst"), from = array(src, "src");
                      const arr::Parts n{axis, counts_argument(ncounts, counts, "counts")};
                      return arr::reduce_scatter_call(at, *to, *from, n, reduction_argument(reduction), s);
                    });
}

arr_status arr_comm_all_to_all(arr_comm comm_handle, arr_array dst, arr_array src, int32_t axis,
                               int32_t ncounts, const int64_t* send_counts, const int64_t* recv_counts,
                               arr_stream stream_handle) {
  return collective("arr_comm_all_to_all", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = array(dst, "dst"), from = array(src, "src");
                      const arr::Counts send = counts_argument(ncounts, send_counts, "send_counts");
                      const arr::Counts recv = counts_argument(ncounts, recv_counts, "recv_counts");
                      return arr::all_to_all_call(at, *to, *from, axis, send, recv, s);
                    });
}

arr_status arr_comm_send(arr_comm comm_handle, arr_array src, int32_t receiver, arr_stream stream_handle) {
  return collective("arr_comm_send", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      return arr::send_call(at, *array(src, "src"), receiver, s);
                    });
}

arr_status arr_comm_recv(arr_comm comm_handle, arr_array dst, int32_t sender, arr_stream stream_handle) {
  return collective("arr_comm_recv", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      return arr::recv_call(at, *array(dst, "dst"), sender, s);
                    });
}

arr_status arr_comm_send_recv(arr_comm comm_handle, arr_array dst, arr_array src, int32_t sender,
                              int32_t receiver, arr_stream stream_handle) {
  return collective("arr_comm_send_recv", comm_handle, stream_handle,
                    [&](const arr::CommPlace& at, arr::Stream* s) {
                      auto to = array(dst, "dst"), from = array(src, "src");
                      return arr::send_recv_calls(at, *to, *from, sender, receiver, s);
                    });
}

arr_status arr_comm_exchange_halo(arr_comm comm_handle, arr_array a, int32_t naxes, const int32_t* axes,
                                  const int32_t* grid, const int64_t* widths, const int32_t* periodic,
                                  arr_stream stream_handle) {
  return collective(
      "arr_comm_exchange_halo", comm_handle, stream_handle, [&](const arr::CommPlace& at, arr::Stream* s) {
        auto x = array(a, "a");
        if (naxes < 0) arr::fail(ARR_E_ARGUMENT, "argument naxes: ", naxes, " is negative");
        if (naxes > 0) {
          check_pointer(axes, "axes");
          check_pointer(grid, "grid");
          check_pointer(widths, "widths");
        }
        const auto n = static_cast<size_t>(naxes);
        const arr::Halo halo{{axes, n}, {grid, n}, {widths, n}, {periodic, periodic == nullptr ? 0 : n}};
        return arr::halo_calls(at, *x, halo, s);
      });
}
