// SPDX-License-Identifier: MIT
// Graphs of the host: a stream's work as calls that are kept, run again in their order.
#include <cerrno>
#include <cstring>
#include <fstream>

#include "host/streams.h"

namespace arr::host {

namespace {

// Launches that have not run yet have a share of the work.
struct Graph {
  std::shared_ptr<const std::vector<Work>> work;
};
Graph& graph_of(void* graph) { return *static_cast<Graph*>(graph); }

std::shared_ptr<const std::vector<Work>> captured(void* stream) {
  return std::make_shared<const std::vector<Work>>(stream_of(stream).end_capture());
}

}  // namespace

int32_t capture_begin(int32_t, void* stream, BackendError* e) {
  return seam(e, [&] { stream_of(stream).begin_capture(); });
}

int32_t capture_end(int32_t, void* stream, void** graph, BackendError* e) {
  return seam(e, [&] { *graph = new Graph{captured(stream)}; });
}

int32_t graph_update(int32_t, void* graph, void* stream, void*, BackendError* e) {
  return seam(e, [&] { graph_of(graph).work = captured(stream); });
}

int32_t graph_native(int32_t, void*, void**, void**, BackendError* e) {
  return seam(e, [] { fail(ARR_E_UNSUPPORTED, "a graph of the host has nothing native behind it"); });
}

int32_t graph_upload(int32_t, void*, void*, BackendError*) { return ARR_OK; }

int32_t graph_launch(int32_t, void* graph, void* stream, BackendError* e) {
  return seam(e, [&] {
    const auto work = graph_of(graph).work;
    stream_of(stream).enqueue({"graph", [work] {
                                 for (const Work& w : *work) w.run();
                               }});
  });
}

int32_t graph_dot(int32_t, void* graph, const char* path, BackendError* e) {
  return seam(e, [&] {
    std::ofstream out(path);
    out << "digraph arr {\n";
    const std::vector<Work>& work = *graph_of(graph).work;
    for (size_t i = 0; i < work.size(); ++i) {
      out << "  n" << i << " [label=\"" << work[i].what << "\"];\n";
      if (i > 0) out << "  n" << i - 1 << " -> n" << i << ";\n";
    }
    out << "}\n";
    out.close();
    if (!out) fail(ARR_E_IO, "argument path: ", path, ": ", std::strerror(errno));
  });
}

int32_t graph_release(int32_t, void* graph, void*, BackendError*) {
  delete static_cast<Graph*>(graph);
  return ARR_OK;
}

}  // namespace arr::host
