// SPDX-License-Identifier: MIT
// Bins of histograms. Numbers are stored as float64 and rounded to the dtype in which NumPy computes. That is
// exact: one operation on narrower floats, computed in float64 and rounded again, has the same result.
#include "ops/statistics/bins.h"

#include <cmath>
#include <vector>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/compared.h"

namespace arr {

namespace {

double rounded(double x, DType d) {
  if (d == DType::float64_) return x;
  return scalar_value<double>(convert(convert(scalar_of(x), d), DType::float64_));
}

double number(const Scalar& s) { return scalar_value<double>(convert(s, DType::float64_)); }

// The min or max element.
Scalar extreme(const Array& x, DType seen, int32_t number, Stream* stream) {
  return convert(reduce_item(*reduction_info(number), x, stream), seen);
}

// The difference, exact for integers even if it does not fit in their dtype.
double distance(const Scalar& low, const Scalar& high) {
  const DKind k = kind(low.dtype);
  if (k == DKind::FLOAT) return rounded(number(high) - number(low), low.dtype);
  const DType wide = k == DKind::UINT ? DType::uint64_ : DType::int64_;
  return static_cast<double>(convert(high, wide).lo - convert(low, wide).lo);
}

void set_range(const Array& x, const BinRange& range, const EvenBins& how, Stream* stream, Bins* bins) {
  if (range.given) {
    check_range(range);
    bins->first = range.low;
    bins->last = range.high;
    bins->width = range.high - range.low;
  } else if (x.layout.size() == 0) {
    bins->last = bins->width = 1;
  } else {
    const Scalar low = extreme(x, how.seen, reduction::min, stream);
    const Scalar high = extreme(x, how.seen, reduction::max, stream);
    bins->first = number(low);
    bins->last = number(high);
    if (!std::isfinite(bins->first) || !std::isfinite(bins->last)) {
      fail(ARR_E_ARGUMENT, "argument ", how.argument, ": its range of ", bins->first, " to ", bins->last,
           " is not finite, and none is given");
    }
    bins->width = distance(low, high);
    bins->all_inside = true;
  }
  if (bins->first == bins->last) {
    const DType d = bins->all_inside ? bins->spaced : DType::float64_;
    bins->first = rounded(bins->first - 0.5, d);
    bins->last = rounded(bins->last + 0.5, d);
    bins->width = rounded(bins->last - bins->first, d);
  }
}

// numpy.linspace in dtype `spaced`, cast to `type`.
std::vector<double> edges_of(Bins* bins, DType type, const char* argument) {
  const DType d = bins->spaced;
  const auto n = static_cast<double>(bins->count);
  const double delta = rounded(rounded(bins->last, d) - rounded(bins->first, d), d),
               start = rounded(bins->first, d);
  if (!std::isfinite(delta) || !std::isfinite(bins->width)) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": a range of ", bins->first, " to ", bins->last,
         " is too wide for ", name(d));
  }
  bins->step = rounded(delta / rounded(n, d), d);
  std::vector<double> edges;
  const auto count = static_cast<uint64_t>(bins->count) + 1;
  if (count > edges.max_size()) fail(ARR_E_MEMORY, "argument nbins: no memory holds ", bins->count, " bins");
  edges.resize(static_cast<size_t>(count));
  for (size_t k = 0; k < edges.size(); ++k) {
    const double i = rounded(static_cast<double>(k), d);
    const double along = bins->step != 0 ? rounded(i * bins->step, d) : rounded(rounded(i / n, d) * delta, d);
    edges[k] = rounded(rounded(along + start, d), type);
  }
  edges.back() = rounded(rounded(bins->last, d), type);
  for (size_t k = 0; k + 1 < edges.size(); ++k) {
    if (edges[k] < edges[k + 1]) continue;
    fail(ARR_E_ARGUMENT, "argument nbins: ", bins->count,
         " bins of different edges do not fit in the range of ", bins->first, " to ", bins->last);
  }
  return edges;
}

int32_t constant(ProgramBuilder& b, double x, DType d) { return b.scalar(convert(scalar_of(x), d), false); }

// The lower edge of a bin, as edges_of() computes it.
int32_t edge(ProgramBuilder& b, const Bins& s, int32_t bin) {
  int32_t x = b.cast(bin, s.spaced);
  if (s.step != 0) {
    x = b.op(op::multiply, x, constant(b, s.step, s.spaced));
  } else {
    x = b.op(op::divide, x, constant(b, static_cast<double>(s.count), s.spaced));
    x = b.op(op::multiply, x, constant(b, s.last - s.first, s.spaced));
  }
  return b.cast(b.op(op::add, x, constant(b, s.first, s.spaced)), s.compare);
}

// The number of edges at or below x, minus one; for the last edge minus two.
int32_t looked_up(ProgramBuilder& b, const Bins& s, int32_t x, int32_t table, int64_t outside) {
  const Sought to = sought(b, x, s.compare);
  const int32_t t = to.value, one = b.scalar(scalar_of(int64_t{1}), false);
  const int32_t found = b.step(op::search_right, s.compare, table, t);
  const int32_t last = b.step(op::take, s.compare, table, b.scalar(scalar_of(s.count), false));
  const int32_t bin =
      b.op(op::subtract, b.op(op::subtract, found, one), b.cast(b.op(op::equal, t, last), DType::int64_));
  int32_t inside = b.op(op::bitwise_and, b.op(op::greater_equal, found, one), b.op(op::less_equal, t, last));
  if (to.beyond >= 0) inside = b.op(op::greater, inside, to.beyond);  // logical not
  return b.op(op::where, inside, bin, b.scalar(scalar_of(outside), false));
}

}  // namespace

void check_range(const BinRange& range) {
  if (!range.given || (std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high))
    return;
  fail(ARR_E_ARGUMENT, "argument options: a range of ", range.low, " to ", range.high,
       ", expected two numbers in order");
}

Bins even_bins(const Array& x, int64_t count, const BinRange& range, const EvenBins& how, Stream* stream) {
  if (count < 1) fail(ARR_E_ARGUMENT, "argument nbins: ", count, ", expected 1 or more");
  const DType f64 = DType::float64_, own = is_floating(how.seen) ? how.seen : f64;
  Bins bins;
  bins.count = count;
  // A range given by the caller has weak scalars, and so has that of an empty array; a computed one has the
  // elements' dtype.
  const bool found = !range.given && x.layout.size() != 0;
  bins.spaced = found ? own : f64;
  bins.compare = how.several ? promote(own, bins.spaced) : own;
  bins.quotient = found && !how.several ? own : f64;
  set_range(x, range, how, stream, &bins);
  const DType type = how.several ? bins.spaced : own;
  // Edges are computed in host memory, so more than the device can hold are refused first.
  const int64_t n = checked::add(count, 1, "argument nbins");
  empty(DType::float64_, {&n, 1}, Order::C, x.device(), stream);
  const Ref<Array> edges = upload(edges_of(&bins, type, how.argument), DType::float64_, x.device(), stream);
  bins.edges = astype(*edges, type, Casting::unsafe, Order::C, stream);
  return bins;
}

Bins edged_bins(const Array& edges, DType seen, const char* argument, Stream* stream) {
  if (is_complex(edges.dtype)) {
    fail(ARR_E_DTYPE, "argument ", argument, ": got ", name(edges.dtype), ", expected real numbers");
  }
  const int64_t n = edges.layout.ndim == 1 ? edges.layout.shape[0] : 0;
  if (n < 2)
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", edges.layout.text(),
         ", expected a vector of 2 or more");
  if (any_neighbours(op::less, edges, stream)) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": an edge is less than the one before it");
  }
  Bins bins;
  bins.count = n - 1;
  bins.edges = edges.share();
  bins.compare = table_type(edges.dtype, seen);
  bins.table = as_table(edges, bins.compare, stream);
  return bins;
}

int32_t table_of(ProgramBuilder& b, const Bins& bins) { return bins.table ? b.input(DType::table_) : -1; }

int32_t bin_of(ProgramBuilder& b, const Bins& s, int32_t x, int32_t table, int64_t outside) {
  if (s.table) return looked_up(b, s, x, table, outside);
  const auto n = static_cast<double>(s.count);
  const int32_t t = b.cast(x, s.compare), first = constant(b, s.first, s.compare);
  int32_t at = b.cast(b.op(op::subtract, t, first), s.quotient);
  at = b.op(op::divide, at, constant(b, s.width, s.quotient));
  at = b.op(op::floor, b.op(op::multiply, at, constant(b, n, s.quotient)));
  // Integers are kept as floats, whose vector operations are faster than those of 64-bit integers.
  const bool narrow = s.quotient != DType::float64_ && s.count < (int64_t{1} << 22);
  const DType f = narrow ? DType::float32_ : DType::float64_;
  const int32_t last = constant(b, n - 1, f), one = constant(b, 1, f);
  at = b.op(op::minimum, b.cast(at, f), last);
  const int32_t below = b.op(op::less, t, edge(b, s, at));
  at = b.op(op::where, below, b.op(op::subtract, at, one), at);
  const int32_t next = b.op(op::add, at, one);
  const int32_t above = b.op(op::greater_equal, t, edge(b, s, next));
  at = b.op(op::where, b.op(op::bitwise_and, above, b.op(op::not_equal, at, last)), next, at);
  if (!s.all_inside) {
    const int32_t inside = b.op(op::bitwise_and, b.op(op::greater_equal, t, first),
                                b.op(op::less_equal, t, constant(b, s.last, s.compare)));
    at = b.op(op::where, inside, at, constant(b, static_cast<double>(outside), f));
  }
  if (s.count < (int64_t{1} << 31) - 1) at = b.cast(at, DType::int32_);
  return b.cast(at, DType::int64_);
}

}  // namespace arr
