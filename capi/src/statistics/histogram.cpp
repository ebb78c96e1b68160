// SPDX-License-Identifier: MIT
// histogram.h: counts of values, and of values in bins.
#include "arr/histogram.h"

#include <cmath>
#include <vector>

#include "base/renaming.h"
#include "capi/src/entry.h"
#include "ops/statistics/histogram.h"

using namespace arr::capi;

namespace {

// Options for a number of dimensions. Keeps their array alive.
struct Options {
  Options(const arr_histogram_options* given, int32_t ndim) : weights(pin(given)) {
    core.weights = weights.get();
    if (given == nullptr) return;
    core.density = given->density != 0;
    for (int32_t k = 0; given->range != nullptr && k < ndim; ++k) {
      const double low = given->range[2 * k], high = given->range[2 * k + 1];
      core.ranges.push_back({!(std::isnan(low) && std::isnan(high)), low, high});
    }
  }
  arr::Pinned<arr::Array> weights;
  arr::HistogramOptions core;

 private:
  static arr::Pinned<arr::Array> pin(const arr_histogram_options* given) {
    if (given == nullptr) return {0, nullptr};
    check_size(*given, "options");
    return optional_array(given->weights, "options");
  }
};

// Publishes counts and edges, or none of them.
void publish_histogram(arr::Histogram h, arr_array* counts, arr_array* edges) {
  std::vector<arr::Ref<arr::Array>> all = {std::move(h.counts)};
  for (auto& e : h.edges) all.push_back(std::move(e));
  std::vector<arr_array> made(all.size());
  publish_all(std::move(all), made.data());
  *counts = made[0];
  for (size_t k = 1; k < made.size(); ++k) edges[k - 1] = made[k];
}

}  // namespace

arr_status arr_bincount(arr_array x, arr_array weights, int64_t minlength, arr_stream stream_handle,
                        arr_array* out) {
  return make_array("arr_bincount", out, [&] {
    auto counted = array(x, "x");
    auto w = optional_array(weights, "weights");
    auto s = stream(stream_handle);
    return arr::bincount(*counted, w.get(), minlength, s.get());
  });
}

arr_status arr_histogram(arr_array x, int64_t nbins, arr_array edges, const arr_histogram_options* options,
                         arr_stream stream_handle, arr_array* out_counts, arr_array* out_edges) {
  return guard("arr_histogram", [&] {
    check_pointer(out_counts, "out_counts");
    check_pointer(out_edges, "out_edges");
    auto counted = array(x, "x");
    auto given = optional_array(edges, "edges");
    const Options o(options, 1);
    auto s = stream(stream_handle);
    publish_histogram(arr::histogram(*counted, nbins, given.get(), o.core, s.get()), out_counts, out_edges);
  });
}

arr_status arr_histogram_bin_edges(arr_array x, int64_t nbins, const arr_histogram_options* options,
                                   arr_stream stream_handle, arr_array* out) {
  return make_array("arr_histogram_bin_edges", out, [&] {
    auto counted = array(x, "x");
    const Options o(options, 1);
    auto s = stream(stream_handle);
    return arr::histogram_bin_edges(*counted, nbins, o.core, s.get());
  });
}

arr_status arr_histogram2d(arr_array x, arr_array y, int64_t nbins_x, int64_t nbins_y, arr_array edges_x,
                           arr_array edges_y, const arr_histogram_options* options, arr_stream stream_handle,
                           arr_array* out_counts, arr_array* out_edges_x, arr_array* out_edges_y) {
  return guard("arr_histogram2d", [&] {
    check_pointer(out_counts, "out_counts");
    check_pointer(out_edges_x, "out_edges_x");
    check_pointer(out_edges_y, "out_edges_y");
    auto first = array(x, "x"), second = array(y, "y");
    auto given_x = optional_array(edges_x, "edges_x"), given_y = optional_array(edges_y, "edges_y");
    const Options o(options, 2);
    auto s = stream(stream_handle);
    const arr::Array *points[2] = {first.get(), second.get()}, *edges[2] = {given_x.get(), given_y.get()};
    const int64_t nbins[2] = {nbins_x, nbins_y};
    arr_array made[2] = {};
    const arr::Renames of_pairs = {{"in[0]", "x"},          {"in[1]", "y"},          {"in", "x"},
                                   {"nbins[0]", "nbins_x"}, {"nbins[1]", "nbins_y"}, {"nbins", "nbins_x"},
                                   {"edges[0]", "edges_x"}, {"edges[1]", "edges_y"}};
    publish_histogram(
        arr::renaming(of_pairs, [&] { return arr::histogramdd(points, nbins, edges, o.core, s.get()); }),
        out_counts, made);
    *out_edges_x = made[0];
    *out_edges_y = made[1];
  });
}

arr_status arr_histogramdd(int32_t ndim, const arr_array* in, const int64_t* nbins, const arr_array* edges,
                           const arr_histogram_options* options, arr_stream stream_handle,
                           arr_array* out_counts, arr_array* out_edges) {
  return guard("arr_histogramdd", [&] {
    if (ndim < 1 || ndim > arr::max_ndim) {
      arr::fail(ARR_E_ARGUMENT, "argument ndim: ", ndim, ", expected 1 to ", arr::max_ndim);
    }
    check_pointer(in, "in");
    check_pointer(nbins, "nbins");
    check_pointer(out_counts, "out_counts");
    check_pointer(out_edges, "out_edges");
    std::vector<arr::Pinned<arr::Array>> kept;
    std::vector<const arr::Array*> points, given;
    for (int32_t k = 0; k < ndim; ++k) {
      kept.push_back(array(in[k], "in"));
      points.push_back(kept.back().get());
    }
    for (int32_t k = 0; edges != nullptr && k < ndim; ++k) {
      kept.push_back(optional_array(edges[k], "edges"));
      given.push_back(kept.back().get());
    }
    const Options o(options, ndim);
    auto s = stream(stream_handle);
    const std::span<const int64_t> counts(nbins, static_cast<size_t>(ndim));
    publish_histogram(arr::histogramdd(points, counts, given, o.core, s.get()), out_counts, out_edges);
  });
}
