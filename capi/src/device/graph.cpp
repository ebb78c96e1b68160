// SPDX-License-Identifier: MIT
// graph.h: captured work.
#include "runtime/graphs.h"

#include "backend/graph.h"
#include "capi/src/entry.h"
#include "ops/elementwise/fuse/fuse.h"

namespace arr::capi {
template <>
struct KindOf<Graph> {
  static constexpr Kind kind = Kind::graph;
};
}  // namespace arr::capi

using namespace arr::capi;
using arr::Graph;
using arr::Stream;

arr_status arr_graph_begin(arr_stream stream) {
  return guard("arr_graph_begin", [&] {
    auto s = lookup<Stream>(stream, "stream");
    arr::fuse_flush();  // earlier operations do not belong to the capture
    arr::begin_capture(*s);
  });
}

arr_status arr_graph_end(arr_stream stream, arr_graph* out) {
  return guard("arr_graph_end", [&] {
    check_pointer(out, "out");
    auto s = lookup<Stream>(stream, "stream");
    arr::fuse_flush();
    publish<Graph>(arr::end_capture(*s), out);
  });
}

arr_status arr_graph_update(arr_graph graph, arr_stream stream) {
  return guard("arr_graph_update", [&] {
    auto g = lookup<Graph>(graph, "graph");
    auto s = lookup<Stream>(stream, "stream");
    arr::fuse_flush();
    g->update(*s);
  });
}

arr_status arr_graph_native(arr_graph graph, void** native, void** executable) {
  return guard("arr_graph_native", [&] {
    auto g = lookup<Graph>(graph, "graph");
    void *first = nullptr, *second = nullptr;
    arr::call(arr::api<arr::GraphApi>(g->device).native, g->device.index, g->handle, &first, &second);
    if (native != nullptr) *native = first;
    if (executable != nullptr) *executable = second;
  });
}

arr_status arr_graph_launch(arr_graph graph, arr_stream stream_handle) {
  return guard("arr_graph_launch", [&] {
    auto g = lookup<Graph>(graph, "graph");
    auto s = stream(stream_handle);
    const arr::Queue q = arr::queue_for(g->device, s.get());
    arr::fuse_flush();
    g->launch(q);
  });
}

arr_status arr_graph_upload(arr_graph graph, arr_stream stream_handle) {
  return guard("arr_graph_upload", [&] {
    auto g = lookup<Graph>(graph, "graph");
    auto s = stream(stream_handle);
    const arr::Queue q = arr::queue_for(g->device, s.get());
    arr::call(arr::api<arr::GraphApi>(q.device).upload, q.index(), g->handle, q.handle());
  });
}

arr_status arr_graph_dot(arr_graph graph, const char* path, int64_t length) {
  return guard("arr_graph_dot", [&] {
    auto g = lookup<Graph>(graph, "graph");
    const std::string name(string_argument(path, length, "path"));
    arr::call(arr::api<arr::GraphApi>(g->device).dot, g->device.index, g->handle, name.c_str());
  });
}

arr_status arr_graph_release(arr_graph graph) { return release(graph, arr::Kind::graph); }
