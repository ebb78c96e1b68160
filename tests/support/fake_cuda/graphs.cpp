// SPDX-License-Identifier: MIT
// The fake driver: work of one or several streams captured into graphs, whose launches take what may run in
// another order than that of the capture, so that a missing wait shows.
#include <algorithm>
#include <fstream>
#include <set>

#include "state.h"

namespace arr::fake {
namespace {

struct Graph {
  std::vector<Node> nodes;
};
struct Exec {
  std::vector<Node> nodes;
};

void merge(std::vector<size_t>* to, const std::vector<size_t>& from) {
  for (const size_t n : from) {
    if (std::find(to->begin(), to->end(), n) == to->end()) to->push_back(n);
  }
}

// Ends it for all of its streams.
void end(Capture& c) {
  for (Stream* s : std::exchange(c.members, {})) {
    s->after.clear();
    s->capture.reset();
  }
  --live().captures;
}

// Returns whether everything comes before the next work of the first stream.
bool joined(const Capture& c) {
  std::set<size_t> seen;
  std::vector<size_t> open = c.members.front()->after;
  while (!open.empty()) {
    const size_t n = open.back();
    open.pop_back();
    if (seen.insert(n).second) merge(&open, c.nodes[n].after);
  }
  return seen.size() == c.nodes.size();
}

// Returns an order that always takes the node that was captured last among those that may run next.
std::vector<size_t> late_order(const std::vector<Node>& nodes) {
  std::vector<size_t> waits(nodes.size()), order;
  std::set<size_t> ready;
  for (size_t n = 0; n < nodes.size(); ++n) {
    waits[n] = nodes[n].after.size();
    if (waits[n] == 0) ready.insert(n);
  }
  while (!ready.empty()) {
    const size_t next = *std::prev(ready.end());
    ready.erase(next);
    order.push_back(next);
    for (size_t n = next + 1; n < nodes.size(); ++n) {
      const auto& after = nodes[n].after;
      if (std::find(after.begin(), after.end(), next) != after.end() && --waits[n] == 0) ready.insert(n);
    }
  }
  return order;
}

}  // namespace

void add_node(Stream& s, std::function<CUresult()> operation) {
  auto& nodes = s.capture->nodes;
  nodes.push_back({std::move(operation), std::move(s.after)});
  s.after = {nodes.size() - 1};
}

CUresult wait_captured(Stream& s, const Event& e) {
  if (e.capture == nullptr || e.capture->members.empty()) {
    if (s.capture == nullptr) return CUDA_ERROR_CAPTURED_EVENT;
    s.capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  if (s.capture == nullptr) {
    s.capture = e.capture;
    s.capture->members.push_back(&s);
    s.after = e.after;
    add_node(s, [] { return CUDA_SUCCESS; });  // so that one without work must be joined too
    return CUDA_SUCCESS;
  }
  if (s.capture != e.capture) {
    s.capture->invalid = e.capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  merge(&s.after, e.after);
  return CUDA_SUCCESS;
}

void leave_capture(Stream& s) {
  if (s.capture == nullptr) return;
  const std::shared_ptr<Capture> c = s.capture;
  c->invalid = true;
  if (c->members.front() == &s) return end(*c);
  std::erase(c->members, &s);
  s.capture.reset();
}

}  // namespace arr::fake

using namespace arr::fake;

extern "C" {
#pragma GCC visibility push(default)

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode) {
  ARR_FAKE_ENTER(cuStreamBeginCapture_v2);
  Stream* s = stream_of(stream);
  if (stream == nullptr || s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (s->capture != nullptr) return CUDA_ERROR_INVALID_VALUE;
  s->capture = std::make_shared<Capture>();
  s->capture->members = {s};
  ++live().captures;
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  const Inside inside;
  const int32_t scripted = enter(Fn::cuStreamEndCapture);
  Stream* s = stream_of(stream);
  if (s == nullptr || s->capture == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const std::shared_ptr<Capture> c = s->capture;
  if (c->members.front() != s) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  const bool whole = joined(*c);
  *graph = nullptr;
  end(*c);
  if (scripted != 0) return scripted;  // it has ended all the same
  if (c->invalid) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!whole) return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  *graph = reinterpret_cast<CUgraph>(new Graph{std::move(c->nodes)});
  ++live().graphs;
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long) {
  ARR_FAKE_ENTER(cuGraphInstantiateWithFlags);
  *exec = reinterpret_cast<CUgraphExec>(new Exec{reinterpret_cast<Graph*>(graph)->nodes});
  ++live().graphs;
  return CUDA_SUCCESS;
}
// As the driver: a graph of another form is refused, and the form is what comes behind what.
CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo*) {
  ARR_FAKE_ENTER(cuGraphExecUpdate_v2);
  auto& nodes = reinterpret_cast<Exec*>(exec)->nodes;
  const auto& fresh = reinterpret_cast<Graph*>(graph)->nodes;
  const auto same = [](const Node& a, const Node& b) { return a.after == b.after; };
  if (!std::equal(nodes.begin(), nodes.end(), fresh.begin(), fresh.end(), same)) {
    return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  }
  nodes = fresh;
  return CUDA_SUCCESS;
}
CUresult cuGraphUpload(CUgraphExec, CUstream stream) {
  ARR_FAKE_ENTER(cuGraphUpload);
  return stream_of(stream) == nullptr ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  ARR_FAKE_ENTER(cuGraphLaunch);
  Stream* s = stream_of(stream);
  if (s == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const auto& nodes = reinterpret_cast<Exec*>(exec)->nodes;
  for (const size_t n : late_order(nodes)) enqueue(*s, nodes[n].run);
  return CUDA_SUCCESS;
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  ARR_FAKE_ENTER(cuGraphExecDestroy);
  delete reinterpret_cast<Exec*>(exec);
  --live().graphs;
  return CUDA_SUCCESS;
}
CUresult cuGraphDestroy(CUgraph graph) {
  ARR_FAKE_ENTER(cuGraphDestroy);
  delete reinterpret_cast<Graph*>(graph);
  --live().graphs;
  return CUDA_SUCCESS;
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned int) {
  ARR_FAKE_ENTER(cuGraphDebugDotPrint);
  std::ofstream out(path);
  out << "digraph fake {\n";
  const auto& nodes = reinterpret_cast<Graph*>(graph)->nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    out << "  n" << i << ";\n";
    for (const size_t before : nodes[i].after) out << "  n" << before << " -> n" << i << ";\n";
  }
  out << "}\n";
  return out.flush() ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#pragma GCC visibility pop
}
