// SPDX-License-Identifier: MIT
// Graphs of the host: captured calls, which a launch runs again in the order of their capture.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "host/device/streams.h"

namespace arr::host {

namespace {

// Shared with launches that have not run yet.
struct Graph {
  std::shared_ptr<const std::vector<Step>> steps;
};
Graph& graph_of(void* graph) { return *static_cast<Graph*>(graph); }

// The steps for which a step waits, without those that precede another of them.
std::vector<size_t> direct_dependencies(const std::vector<Step>& steps, size_t step) {
  std::vector<size_t> direct = steps[step].depends_on;
  if (direct.size() < 2) return direct;
  const size_t first = *std::min_element(direct.begin(), direct.end());
  std::vector<bool> before(step), indirect(step);
  for (const size_t k : direct) before[k] = true;
  for (size_t i = step; i-- > first;) {
    if (!before[i]) continue;
    for (const size_t k : steps[i].depends_on) before[k] = indirect[k] = true;
  }
  std::erase_if(direct, [&](size_t k) { return indirect[k]; });
  return direct;
}

std::shared_ptr<const std::vector<Step>> captured(void* stream) {
  const std::shared_ptr<Capture> capture = stream_of(stream).capture();
  if (capture == nullptr) fail(ARR_E_ARGUMENT, "argument stream: is not being captured");
  return std::make_shared<const std::vector<Step>>(capture->end());
}

}  // namespace

int32_t capture_begin(int32_t, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    Stream& s = stream_of(stream);
    s.enter(std::make_shared<Capture>(s));
  });
}

int32_t capture_end(int32_t, void* stream, void** graph, BackendError* e) {
  return translate_exceptions(e, [&] {
    auto steps = captured(stream);  // before `new`, which allocates before it evaluates its argument
    *graph = new Graph{std::move(steps)};
  });
}

int32_t graph_update(int32_t, void* graph, void* stream, void* last, BackendError* e) {
  return translate_exceptions(e, [&] {
    auto steps = captured(stream);
    stream_of(stream).wait_for(stream_of(last));
    graph_of(graph).steps = std::move(steps);
  });
}

int32_t graph_native(int32_t, void*, void**, void**, BackendError* e) {
  return translate_exceptions(e, [] { fail(ARR_E_UNSUPPORTED, "a graph of the host has no native handle"); });
}

int32_t graph_upload(int32_t, void*, void*, BackendError*) { return ARR_OK; }

int32_t graph_launch(int32_t, void* graph, void* stream, BackendError* e) {
  return translate_exceptions(e, [&] {
    const auto steps = graph_of(graph).steps;
    stream_of(stream).enqueue({"graph", [steps] {
                                 for (const Step& s : *steps) s.work.run();
                               }});
  });
}

int32_t graph_dot(int32_t, void* graph, const char* path, BackendError* e) {
  return translate_exceptions(e, [&] {
    std::ofstream out(path);
    out << "digraph arr {\n";
    const std::vector<Step>& steps = *graph_of(graph).steps;
    for (size_t i = 0; i < steps.size(); ++i) {
      out << "  n" << i << " [label=\"" << steps[i].work.what << "\"];\n";
      for (const size_t before : direct_dependencies(steps, i)) {
        out << "  n" << before << " -> n" << i << ";\n";
      }
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
