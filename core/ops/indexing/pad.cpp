// SPDX-License-Identifier: MIT
// Pads axis by axis. The border of an axis is assigned from views of elements that are already set, so each
// border element is written once.
#include "ops/indexing/pad.h"

#include <algorithm>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/average.h"

namespace arr {

namespace {

// One axis of the array that is being padded. Axes before it are complete; those after it have no border yet.
struct Border {
  const Array& all;
  int32_t axis;
  PadWidths widths;
  Stream* stream;
  [[nodiscard]] int64_t extent() const { return all.layout.shape[axis]; }
  [[nodiscard]] int64_t from() const { return widths.before; }  // the range of elements that are already set
  [[nodiscard]] int64_t to() const { return extent() - widths.after; }
  [[nodiscard]] Ref<Array> range(int64_t first, int64_t end) const {
    return slice_axis(all, axis, first, end);
  }
  [[nodiscard]] Ref<Array> before() const { return range(0, from()); }
  [[nodiscard]] Ref<Array> after() const { return range(to(), extent()); }
};

void set_both(const Border& b, const Array& before, const Array& after) {
  if (b.widths.before > 0) assign(*b.before(), before, b.stream);
  if (b.widths.after > 0) assign(*b.after(), after, b.stream);
}

void pad_constant(const Border& b, const PadOptions& o) {
  const auto at = static_cast<size_t>(b.axis) * 2;
  Scalar zero;
  zero.dtype = b.all.dtype;
  if (b.widths.before > 0) fill(*b.before(), o.values.empty() ? zero : o.values[at], b.stream);
  if (b.widths.after > 0) fill(*b.after(), o.values.empty() ? zero : o.values[at + 1], b.stream);
}

void pad_edge(const Border& b) {
  set_both(b, *b.range(b.from(), b.from() + 1), *b.range(b.to() - 1, b.to()));
}

// Writes `width` numbers from `end` towards the edge, which is not included, computed as by numpy.linspace.
Ref<Array> ramp_towards(const Border& b, const Array& edge, const Scalar& end, int64_t width) {
  const DType d = b.all.dtype, t = inexact_type(d);
  const bool whole = kind(d) == DKind::INT || kind(d) == DKind::UINT;
  const Ref<Array> steps =
      broadcastable_vector(*iota(width, b.all.device(), b.stream), b.all.layout.ndim, b.axis);
  const Ref<Array> index = slice_axis(*steps, b.axis, 0, width);
  return compute({&edge, index.get()}, b.stream, [&](ProgramBuilder& p, const int32_t* in) {
    const auto as = [&](int32_t node) { return p.cast(node, t); };
    const int32_t start = p.scalar(convert(end, t), false);
    const int32_t count = p.scalar(convert(scalar_of(width), t), false);
    const int32_t step = as(p.op(op::divide, p.op(op::subtract, as(in[0]), start), count));
    const int32_t x = as(p.op(op::add, p.op(op::multiply, as(in[1]), step), start));
    return p.cast(whole ? p.op(op::floor, x) : x, d);
  });
}

void pad_linear_ramp(const Border& b, const PadOptions& o) {
  const auto at = static_cast<size_t>(b.axis) * 2;
  Scalar zero;
  zero.dtype = b.all.dtype;
  if (b.widths.before > 0) {
    const Ref<Array> edge = b.range(b.from(), b.from() + 1);
    assign(*b.before(), *ramp_towards(b, *edge, o.ends.empty() ? zero : o.ends[at], b.widths.before),
           b.stream);
  }
  if (b.widths.after > 0) {
    const Ref<Array> edge = b.range(b.to() - 1, b.to());
    const Ref<Array> ramp = ramp_towards(b, *edge, o.ends.empty() ? zero : o.ends[at + 1], b.widths.after);
    assign(*b.after(), *reversed(*ramp, b.axis), b.stream);
  }
}

Ref<Array> along_lanes(const Border& b, PadMode mode, const Array& chunk) {
  if (mode == PadMode::median) {
    const double half[] = {0.5};
    return quantile(chunk, {half, true, QuantileMethod::median, false, 1, nullptr}, 1U << b.axis, true,
                    b.stream);
  }

  const int32_t number = mode == PadMode::maximum   ? reduction::max
                         : mode == PadMode::minimum ? reduction::min
                                                    : reduction::mean;
  return reduce(*reduction_info(number), chunk, 1U << b.axis, true, {}, b.stream);
}

// One number per lane. Means and medians of integers are rounded to even.
Ref<Array> statistic(const Border& b, PadMode mode, const Array& chunk) {
  const Ref<Array> all = along_lanes(b, mode, chunk);
  const DType d = b.all.dtype;
  const bool whole = kind(d) == DKind::INT || kind(d) == DKind::UINT;
  const bool fraction = mode == PadMode::mean || mode == PadMode::median;
  if (!fraction || !whole) return as_type(*all, d, b.stream);
  return as_type(*apply(op::rint, {all.get()}, b.stream), d, b.stream);
}

void pad_statistic(const Border& b, PadMode mode, const PadOptions& o) {
  const auto at = static_cast<size_t>(b.axis) * 2;
  const int64_t extent = b.to() - b.from();
  const int64_t before = o.stat_lengths.empty() ? extent : std::min(extent, o.stat_lengths[at]);
  const int64_t after = o.stat_lengths.empty() ? extent : std::min(extent, o.stat_lengths[at + 1]);
  if (b.widths.before == 0 && b.widths.after == 0) return;
  const Ref<Array> first = statistic(b, mode, *b.range(b.from(), b.from() + before));
  if (before == extent && after == extent) return set_both(b, *first, *first);
  set_both(b, *first, *statistic(b, mode, *b.range(b.to() - after, b.to())));
}

Ref<Array> reflected(const Border& b, const Array& chunk, const Array& edge, bool odd) {
  Ref<Array> back = reversed(chunk, b.axis);
  if (!odd) return back;
  const DType d = b.all.dtype;
  return compute({back.get(), &edge}, b.stream, [d](ProgramBuilder& p, const int32_t* in) {
    const int32_t twice = p.op(op::multiply, p.scalar(scalar_of(int64_t{2}), true), in[1]);
    return p.cast(p.op(op::subtract, twice, in[0]), d);
  });
}

// Reflects repeatedly, each time all known elements in whole periods of the original ones, until both borders
// are full. inset: 0 if the edge is reflected too, otherwise 1.
void pad_reflected(Border b, int64_t inset, bool odd) {
  const int64_t own = b.to() - b.from();
  if (own == 1) return pad_edge(b);
  const int64_t period = own - inset;
  while (b.widths.before > 0 || b.widths.after > 0) {
    const int64_t from = b.from(), to = b.to(), known = (to - from - inset) / period * period;
    const int64_t before = std::min(known, b.widths.before), after = std::min(known, b.widths.after);
    const Ref<Array> first = b.range(from, from + 1);
    if (before > 0) {
      const Ref<Array> chunk = b.range(from + inset, from + inset + before);
      assign(*b.range(from - before, from), *reflected(b, *chunk, *first, odd), b.stream);
      b.widths.before -= before;
    }
    if (after > 0) {
      const Ref<Array> chunk = b.range(to - inset - after, to - inset), edge = b.range(to - 1, to);
      assign(*b.range(to, to + after), *reflected(b, *chunk, *edge, odd), b.stream);
      b.widths.after -= after;
    }
  }
}

void pad_wrapped(Border b) {
  const int64_t own = b.to() - b.from();
  while (b.widths.before > 0 || b.widths.after > 0) {
    const int64_t from = b.from(), to = b.to(), known = (to - from) / own * own;
    const int64_t before = std::min(known, b.widths.before), after = std::min(known, b.widths.after);
    if (before > 0) {
      const int64_t end = from + known;
      assign(*b.range(from - before, from), *b.range(end - before, end), b.stream);
    }
    if (after > 0) {
      const int64_t first = to - known;
      assign(*b.range(to, to + after), *b.range(first, first + after), b.stream);
    }
    b.widths.before -= before;
    b.widths.after -= after;
  }
}

void pad_axis(const Border& b, PadMode mode, const PadOptions& o) {
  switch (mode) {
    case PadMode::constant:
      return pad_constant(b, o);
    case PadMode::edge:
      return pad_edge(b);
    case PadMode::linear_ramp:
      return pad_linear_ramp(b, o);
    case PadMode::maximum:
    case PadMode::mean:
    case PadMode::median:
    case PadMode::minimum:
      return pad_statistic(b, mode, o);
    case PadMode::reflect:
      return pad_reflected(b, 1, o.odd);
    case PadMode::symmetric:
      return pad_reflected(b, 0, o.odd);
    case PadMode::wrap:
      return pad_wrapped(b);
    case PadMode::empty:
      return;
  }
}

void check_widths(const Layout& in, std::span<const PadWidths> widths, PadMode mode) {
  const bool any = mode == PadMode::constant || mode == PadMode::empty;
  for (int32_t d = 0; d < in.ndim; ++d) {
    const PadWidths& w = widths[static_cast<size_t>(d)];
    if (w.before < 0 || w.after < 0)
      fail(ARR_E_ARGUMENT, "argument widths: ", std::min(w.before, w.after), " for axis ", d,
           ", expected 0 or more");
    if (in.shape[d] == 0 && !any && (w.before > 0 || w.after > 0))
      fail(ARR_E_SHAPE, "argument widths: axis ", d, " of shape ", in.text(),
           " is empty, which only the modes constant and empty pad");
  }
}

// The view without the borders of the axes from `first` on.
Ref<Array> without_borders(const Array& all, const Layout& in, std::span<const PadWidths> widths,
                           int32_t first) {
  Ref<Array> out = all.share();
  for (int32_t d = first; d < in.ndim; ++d) {
    const int64_t before = widths[static_cast<size_t>(d)].before;
    out = slice_axis(*out, d, before, before + in.shape[d]);
  }
  return out;
}

}  // namespace

Ref<Array> pad(const Array& a, std::span<const PadWidths> widths, PadMode mode, const PadOptions& options,
               Stream* stream) {
  const Layout& in = a.layout;
  check_widths(in, widths, mode);
  for (const int64_t n : options.stat_lengths) {
    if (n < 1) fail(ARR_E_ARGUMENT, "argument options: a stat_length of ", n, ", expected 1 or more");
  }
  Layout shape = in;
  for (int32_t d = 0; d < in.ndim; ++d) {
    const PadWidths& w = widths[static_cast<size_t>(d)];
    shape.shape[d] =
        checked::add(checked::add(w.before, in.shape[d], "the padded extent"), w.after, "the padded extent");
  }
  const bool column = !a.contiguous && in.is_contiguous(a.item(), Order::F);
  Ref<Array> out = empty(a.dtype, shape.dims(), column ? Order::F : Order::C, a.device(), stream);
  assign(*without_borders(*out, in, widths, 0), a, stream);
  if (out->layout.size() == 0) return out;
  for (int32_t d = 0; d < in.ndim; ++d) {
    const Ref<Array> so_far = without_borders(*out, in, widths, d + 1);
    if (so_far->layout.size() == 0) continue;
    pad_axis({*so_far, d, widths[static_cast<size_t>(d)], stream}, mode, options);
  }
  return out;
}

}  // namespace arr
