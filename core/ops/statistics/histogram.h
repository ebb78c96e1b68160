// SPDX-License-Identifier: MIT
// Counts of values, and histograms of one or several dimensions.
#pragma once

#include <vector>

#include "ops/statistics/bins.h"

namespace arr {

// The number of occurrences of 0, 1, .. in a vector, or the sums of their weights.
Ref<Array> bincount(const Array& x, const Array* weights, int64_t minlength, Stream* stream);

struct HistogramOptions {
  std::vector<BinRange> ranges;  // one edge array per dimension, or none
  const Array* weights = nullptr;
  bool density = false;
};
struct Histogram {
  Ref<Array> counts;
  std::vector<Ref<Array>> edges;
};
// The histogram of all elements of x. edges nullptr: nbins bins of equal width.
Histogram histogram(const Array& x, int64_t nbins, const Array* edges, const HistogramOptions& o,
                    Stream* stream);
Ref<Array> histogram_bin_edges(const Array& x, int64_t nbins, const HistogramOptions& o, Stream* stream);
// The histogram of points whose coordinates are given as vectors. nbins and edges are per dimension; edges
// may be empty.
Histogram histogramdd(std::span<const Array* const> x, std::span<const int64_t> nbins,
                      std::span<const Array* const> edges, const HistogramOptions& o, Stream* stream);

}  // namespace arr
