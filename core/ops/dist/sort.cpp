// SPDX-License-Identifier: MIT
// Sorts by regular samples (Shi and Schaeffer, 1992): the parts are sorted, elements at equal distances in
// them divide the range of values among the ranks, and each rank sorts what it gets.
#include <algorithm>

#include "ops/comm/together.h"
#include "ops/dist/dist.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/take.h"
#include "ops/sorting/search.h"
#include "ops/sorting/sort.h"

namespace arr {

namespace {

// Samples of each rank: as many as ranks, so that none gets more than twice its share of distinct elements,
// but no more than this, so that all samples fit in the memory of a rank.
constexpr int64_t max_samples = 256;

// `count` elements at equal distances.
Ref<Array> spaced(const Array& sorted, int64_t count, Stream* stream) {
  const int64_t n = sorted.layout.size();
  std::vector<int64_t> at;
  for (int64_t i = 0; i < count; ++i) at.push_back((2 * i + 1) * n / (2 * count));
  return take_known(sorted, *upload(at, DType::int64_, sorted.device(), stream), 0, stream);
}

// The first index of each rank's elements in this rank's sorted part, and its end.
std::vector<int64_t> bounds_of(const Array& sorted, Comm& among, const Division& by, Stream* stream) {
  const auto size = static_cast<int64_t>(by.parts->size());
  std::vector<int64_t> counts;
  int64_t all = 0;
  for (const IndexRanges& s : *by.parts) {
    counts.push_back(std::min({size, max_samples, count_of(s)}));
    all += counts.back();
  }
  const Ref<Array> samples = empty(sorted.dtype, {&all, 1}, Order::C, sorted.device(), stream);
  const Ref<Array> own = spaced(sorted, counts[static_cast<size_t>(among.place().rank)], stream);
  among.run(all_gather_call(among.place(), *samples, *own, {0, counts}, stream));
  std::vector<int64_t> bounds{0};
  if (all > 0) {
    const Ref<Array> limits = spaced(*sort(*samples, 0, false, stream), size, stream);
    const Ref<Array> between = slice_axis(*limits, 0, 1, size);
    const std::vector<int64_t> at =
        download<int64_t>(*searchsorted(sorted, *between, true, nullptr, stream), DType::int64_, stream);
    bounds.insert(bounds.end(), at.begin(), at.end());
  } else {
    bounds.resize(static_cast<size_t>(size));
  }
  bounds.push_back(sorted.layout.size());
  return bounds;
}

// The number of elements that this rank gets from each, and that each gets in all.
struct Received {
  std::vector<int64_t> from, totals;
};
Received received(const std::vector<int64_t>& sent, Comm& among, Device device, Stream* stream) {
  const auto n = static_cast<int64_t>(sent.size());
  const Ref<Array> own = upload(sent, DType::int64_, device, stream);
  const Ref<Array> got = empty(DType::int64_, {&n, 1}, Order::C, device, stream);
  among.run(all_to_all_call(among.place(), *got, *own, 0, {}, {}, stream));
  sum_over_ranks(among, *own, stream);
  return {download<int64_t>(*got, DType::int64_, stream), download<int64_t>(*own, DType::int64_, stream)};
}

Ref<Dist> sorted_vector(const Dist& a, Stream* stream) {
  const Decomposition& by = *a.decomposition;
  const Division& d = by.axes[0];
  Comm& among = by.grid->over(1U << static_cast<uint32_t>(d.grid_axis));
  const size_t size = d.parts->size(), rank = static_cast<size_t>(among.place().rank);
  const Ref<Array> own = sort(*a.part, 0, false, stream);
  const std::vector<int64_t> bounds = bounds_of(*own, among, d, stream);
  std::vector<int64_t> send;
  for (size_t r = 0; r < size; ++r) send.push_back(bounds[r + 1] - bounds[r]);
  const Received counts = received(send, among, by.device(), stream);
  const Ref<Array> got = empty(a.dtype(), {&counts.totals[rank], 1}, Order::C, by.device(), stream);
  among.run(all_to_all_call(among.place(), *got, *own, 0, send, counts.from, stream));
  const Ref<Decomposition> ranges = with_axes(by, by.shape, {Division::counts(counts.totals, d.grid_axis)});
  const Ref<Dist> out = make<Dist>(ranges, sort(*got, 0, false, stream), std::vector<int64_t>());
  return redistributed(*out, *a.decomposition, stream);
}

}  // namespace

Ref<Dist> dist_sort(const Dist& a, int32_t axis, Stream* stream) {
  const int32_t k = normalize_axis(a.ndim(), axis);
  const Decomposition& by = *a.decomposition;
  by.comm().check_no_group();
  const Division& d = by.axes[static_cast<size_t>(k)];
  if (d.grid_axis < 0) {
    return make<Dist>(a.decomposition, sort(*a.part, k, false, stream), std::vector<int64_t>());
  }
  if (a.ndim() == 1) return sorted_vector(a, stream);
  const Ref<Dist> whole = redistributed(a, *with_whole(by, {&k, 1}), stream);
  return redistributed(*dist_sort(*whole, k, stream), *a.decomposition, stream);
}

}  // namespace arr
