// SPDX-License-Identifier: MIT
// Counting: a program computes bins, where ones or weights are added.
#include "ops/statistics/histogram.h"

#include <algorithm>

#include "base/renaming.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/calculus/calculus.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "ops/indexing/scatter.h"
#include "ops/reduce/reduce.h"

namespace arr {

namespace {

// Adds to counts, a vector. `map` computes offsets and values from arrays of one shape.
void add_at(const Array& counts, const Layout& shape, const BoundProgram& map,
            std::span<const Array* const> arrays, const Array* table, Stream* stream) {
  int64_t strides[Program::max_inputs][max_ndim];
  for (size_t k = 0; k < arrays.size(); ++k) broadcast_strides(arrays[k]->layout, shape, strides[k]);
  const Inputs inputs(map, arrays, {&table, table == nullptr ? size_t{0} : size_t{1}});
  Scatter s;
  s.target = &counts;
  s.shape = shape;
  std::fill_n(s.shape.strides, shape.ndim, 0);
  s.map = map.program;
  const DType both[2] = {counts.dtype, counts.dtype};
  s.combine = &single_op(*op_info(op::add), both, counts.dtype);
  s.inputs = inputs.all();
  s.strides = strides;
  run_scatter(s, stream);
}

Ref<Array> zeros(DType d, int64_t n, Device device, Stream* stream) {
  return full(d, {&n, 1}, Order::C, convert(scalar_of(int64_t{0}), d), device, stream);
}

void check_counted(const Array& x) {
  const DKind k = kind(x.dtype);
  if (k == DKind::FLOAT || k == DKind::COMPLEX || x.dtype == DType::uint64_) {
    fail(ARR_E_DTYPE, "argument x: got ", name(x.dtype), ", expected bool or integers that int64 holds");
  }
  if (x.layout.ndim != 1) {
    fail(ARR_E_SHAPE, "argument x: ", x.layout.ndim, " dimensions, expected 1");
  }
}

void check_weights(const Array& x, const Array& weights) {
  if (is_complex(weights.dtype)) {
    fail(ARR_E_DTYPE, "argument weights: got ", name(weights.dtype), ", expected real numbers");
  }
  if (!weights.layout.same_shape(x.layout)) {
    fail(ARR_E_SHAPE, "argument weights: shape ", weights.layout.text(), ", expected that of x, ",
         x.layout.text());
  }
  const Input both[2] = {{&x, {}, false}, {&weights, {}, false}};
  common_device(both);
}

}  // namespace

Ref<Array> bincount(const Array& x, const Array* weights, int64_t minlength, Stream* stream) {
  check_counted(x);
  if (minlength < 0) fail(ARR_E_ARGUMENT, "argument minlength: ", minlength, " is negative");
  if (weights != nullptr) check_weights(x, *weights);
  const int64_t n = x.layout.shape[0];
  // As in NumPy the result for no elements is counts, even with weights.
  if (n == 0) return zeros(DType::int64_, minlength, x.device(), stream);
  const uint64_t largest = largest_unsigned(x, 0, stream);
  if (largest >= uint64_t{1} << 63) {
    fail(ARR_E_ARGUMENT, "argument x: ", static_cast<int64_t>(largest), " is negative");
  }
  const int64_t bins = std::max(minlength, checked::add(static_cast<int64_t>(largest), 1, "argument x"));
  const DType d = weights == nullptr ? DType::int64_ : DType::float64_;
  Ref<Array> counts = zeros(d, bins, x.device(), stream);
  static auto* programs = new ProgramCache;
  const DType given = weights == nullptr ? DType::none : weights->dtype;
  const auto key = static_cast<uint64_t>(x.dtype) << 8 | static_cast<uint64_t>(given);
  const BoundProgram& map = programs->get(key, [&] {
    ProgramBuilder b;
    const int32_t index = b.cast(b.input(x.dtype), DType::int64_);
    const int32_t value =
        weights == nullptr ? b.scalar(scalar_of(int64_t{1}), false) : b.cast(b.input(given), d);
    b.output(b.op(op::left_shift, index, b.scalar(scalar_of(int64_t{3}), false)));  // bytes: 8 each
    b.output(value);
    return b.finish();
  });
  const Array* arrays[2] = {&x, weights};
  add_at(*counts, x.layout, map, {arrays, weights == nullptr ? size_t{1} : size_t{2}}, nullptr, stream);
  return counts;
}

namespace {

bool is_counted(const Array& x) { return !is_complex(x.dtype); }

void check_sample(const Array& x, const char* argument) {
  if (!is_counted(x))
    fail(ARR_E_DTYPE, "argument ", argument, ": got ", name(x.dtype), ", expected real numbers");
}

// The dtype in which weights are summed.
DType sum_type(const Array* weights) {
  if (weights == nullptr) return DType::int64_;
  return is_complex(weights->dtype) ? DType::complex128_ : DType::float64_;
}

void check_weights_of(const Array& x, const Array* weights) {
  if (weights == nullptr) return;
  if (!weights->layout.same_shape(x.layout)) {
    fail(ARR_E_SHAPE, "argument weights: shape ", weights->layout.text(), ", expected that of x, ",
         x.layout.text());
  }
  const Input both[2] = {{&x, {}, false}, {weights, {}, false}};
  common_device(both);
}

// The offset and the value for an element's bin.
BoundProgram counting(ProgramBuilder& b, int32_t bin, const Array* weights, int32_t weight) {
  const DType d = sum_type(weights);
  const int64_t log2 = item_size(d) == 16 ? 4 : 3;
  b.output(b.op(op::left_shift, bin, b.scalar(scalar_of(log2), false)));
  b.output(weights == nullptr ? b.scalar(scalar_of(int64_t{1}), false) : b.cast(weight, d));
  return b.finish();
}

// Sums of a histogram of `count` bins, and one more for elements outside of them.
Ref<Array> count_in(int64_t count, const Layout& shape, const BoundProgram& map,
                    std::span<const Array* const> arrays, const Array* table, const Array* weights,
                    Device device, Stream* stream) {
  const int64_t more = checked::add(count, 1, "argument nbins");
  Ref<Array> all = zeros(sum_type(weights), more, device, stream);
  if (shape.size() != 0) add_at(*all, shape, map, arrays, table, stream);
  return slice_axis(*all, 0, 0, count);
}

Bins bins_for(const Array& x, int64_t nbins, const Array* edges, const BinRange& range, const EvenBins& how,
              Stream* stream) {
  if (edges == nullptr) return even_bins(x, nbins, range, how, stream);
  return edged_bins(*edges, how.seen, "edges", stream);
}

DType seen_type(DType d) { return d == DType::bool_ ? DType::uint8_ : d; }

Ref<Array> widths_of(const Array& edges, Stream* stream) {
  return diff(edges, 1, 0, nullptr, nullptr, stream);
}

Ref<Array> total(const Array& a, Stream* stream) {
  return reduce(*reduction_info(reduction::sum), a, axis_mask(a.layout.ndim, 0, nullptr), false, {}, stream);
}

BinRange range_of(const HistogramOptions& o, size_t k) {
  return o.ranges.empty() ? BinRange{} : o.ranges.at(k);
}

// The requested number of bins, or an estimate.
int64_t count_of(const Array& x, int64_t asked, const HistogramOptions& o, Stream* stream) {
  const BinRange range = range_of(o, 0);
  check_range(range);
  const int64_t count = bin_count(x, asked, range, seen_type(x.dtype), stream);
  if (count != asked && o.weights != nullptr) {
    fail(ARR_E_ARGUMENT, "argument options: weights, which an estimated number of bins does not support");
  }
  return count;
}

}  // namespace

Ref<Array> histogram_bin_edges(const Array& x, int64_t nbins, const HistogramOptions& o, Stream* stream) {
  check_sample(x, "x");
  const int64_t count = count_of(x, nbins, o, stream);
  return even_bins(x, count, range_of(o, 0), {seen_type(x.dtype), false, "x"}, stream).edges;
}

Histogram histogram(const Array& x, int64_t nbins, const Array* edges, const HistogramOptions& o,
                    Stream* stream) {
  check_sample(x, "x");
  check_weights_of(x, o.weights);
  const int64_t count = edges == nullptr ? count_of(x, nbins, o, stream) : 0;
  const Bins bins = bins_for(x, count, edges, range_of(o, 0), {seen_type(x.dtype), false, "x"}, stream);
  ProgramBuilder b;
  const int32_t element = b.input(x.dtype), weight = o.weights == nullptr ? -1 : b.input(o.weights->dtype);
  const int32_t table = table_of(b, bins);
  const BoundProgram map = counting(b, bin_of(b, bins, element, table, bins.count), o.weights, weight);
  const Array* arrays[2] = {&x, o.weights};
  const std::span<const Array* const> given(arrays, o.weights == nullptr ? 1 : 2);
  Histogram h;
  h.counts = count_in(bins.count, x.layout, map, given, bins.table.get(), o.weights, x.device(), stream);
  if (o.weights != nullptr) h.counts = astype(*h.counts, o.weights->dtype, Casting::unsafe, Order::K, stream);
  h.edges = {bins.edges};
  if (o.density) {
    const Ref<Array> widths =
        astype(*widths_of(*bins.edges, stream), DType::float64_, Casting::unsafe, Order::K, stream);
    const Ref<Array> sum = total(*h.counts, stream);
    h.counts = apply(op::divide, {apply(op::divide, {h.counts.get(), widths.get()}, stream).get(), sum.get()},
                     stream);
  }
  return h;
}

namespace {

// The row-major bin of each point, or -1 if it is outside; the points' axis is removed.
Ref<Array> add_dimension(const Array& x, DType seen, const Bins& bins, const Array* before, Stream* stream) {
  ProgramBuilder b;
  const int32_t element = b.cast(b.input(x.dtype), seen);
  const int32_t last = before == nullptr ? -1 : b.input(DType::int64_);
  int32_t bin = bin_of(b, bins, element, table_of(b, bins), -1);
  if (last >= 0) {
    const int32_t row = b.op(op::multiply, last, b.scalar(scalar_of(bins.count), false));
    // The sign of either is that of both together.
    const int32_t both = b.op(op::bitwise_or, last, bin);
    const int32_t outside = b.op(op::less, both, b.scalar(scalar_of(int64_t{0}), false));
    bin = b.op(op::where, outside, b.scalar(scalar_of(int64_t{-1}), false), b.op(op::add, row, bin));
  }
  b.output(bin);
  const BoundProgram p = b.finish();
  const Array *arrays[] = {&x, before}, *table[] = {bins.table.get()};
  const Inputs inputs(p, {arrays, before == nullptr ? size_t{1} : size_t{2}}, {table, bins.table ? 1U : 0U});
  return run(*p.program, inputs.all(), Order::K, stream);
}

void check_points(std::span<const Array* const> x, const HistogramOptions& o) {
  std::vector<Input> all;
  for (size_t k = 0; k < x.size(); ++k) {
    const Array* a = x[k];
    const std::string argument = text("in[", k, "]");
    check_sample(*a, argument.c_str());
    all.push_back({a, {}, false});
    if (a->layout.ndim != 1 || a->layout.shape[0] != x[0]->layout.shape[0]) {
      fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a->layout.text(),
           ", expected vectors of one length");
    }
  }
  common_device(all);
  if (o.weights == nullptr) return;
  if (is_complex(o.weights->dtype)) {
    fail(ARR_E_DTYPE, "argument weights: got ", name(o.weights->dtype), ", expected real numbers");
  }
  check_weights_of(*x[0], o.weights);
}

}  // namespace

Histogram histogramdd(std::span<const Array* const> x, std::span<const int64_t> nbins,
                      std::span<const Array* const> edges, const HistogramOptions& o, Stream* stream) {
  check_points(x, o);
  DType seen = x[0]->dtype;
  for (const Array* a : x) seen = promote(seen, a->dtype);
  seen = seen_type(seen);
  Histogram h;
  std::vector<int64_t> shape;
  std::vector<Bins> all;
  int64_t count = 1;
  for (size_t k = 0; k < x.size(); ++k) {
    const Array* given = edges.empty() ? nullptr : edges[k];
    const std::string of = text("[", k, "]"), in = "in" + of, count_name = "nbins" + of,
                      edges_name = "edges" + of;
    all.push_back(renaming({{"nbins", count_name}, {"edges", edges_name}}, [&] {
      return bins_for(*x[k], given == nullptr ? nbins[k] : 0, given, range_of(o, k), {seen, true, in.c_str()},
                      stream);
    }));
    shape.push_back(all.back().count);
    count = checked::mul(count, shape.back(), "argument nbins");
    h.edges.push_back(all.back().edges);
  }
  Ref<Array> bins;
  for (size_t k = 0; k < x.size(); ++k) bins = add_dimension(*x[k], seen, all[k], bins.get(), stream);
  ProgramBuilder b;
  const int32_t bin = b.input(DType::int64_), weight = o.weights == nullptr ? -1 : b.input(o.weights->dtype);
  const int32_t outside = b.op(op::less, bin, b.scalar(scalar_of(int64_t{0}), false));
  const int32_t bin_of_element = b.op(op::where, outside, b.scalar(scalar_of(count), false), bin);
  const BoundProgram map = counting(b, bin_of_element, o.weights, weight);
  const Array* arrays[2] = {bins.get(), o.weights};
  const Ref<Array> flat =
      count_in(count, bins->layout, map, {arrays, o.weights == nullptr ? size_t{1} : size_t{2}}, nullptr,
               o.weights, x[0]->device(), stream);
  h.counts =
      reshape(*astype(*flat, DType::float64_, Casting::unsafe, Order::K, stream), shape, Order::C, stream);
  if (!o.density) return h;
  const Ref<Array> sum = total(*h.counts, stream);
  for (size_t k = 0; k < x.size(); ++k) {
    const Ref<Array> widths = broadcastable_vector(*widths_of(*h.edges[k], stream),
                                                   static_cast<int32_t>(x.size()), static_cast<int32_t>(k));
    h.counts = apply(op::divide, {h.counts.get(), widths.get()}, stream);
  }
  h.counts = apply(op::divide, {h.counts.get(), sum.get()}, stream);
  return h;
}

}  // namespace arr
