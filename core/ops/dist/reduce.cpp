// SPDX-License-Identifier: MIT
// Reductions and scans: of each part first, then among the ranks that divide the axes.
#include <bit>
#include <string_view>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/dist/dist.h"
#include "ops/elementwise/array_ops.h"

namespace arr {

namespace {

// Results up to this size are gathered and combined in the order of ranks, so their bits do not depend on the
// communicator's engine; larger ones are combined by an all_reduce.
constexpr int64_t gathered_bytes = 64 * 1024;

// The reduction that combines the results of parts: the same one, or that without a map of the elements.
const ReductionInfo* combining(const ReductionInfo& r) {
  switch (r.number) {
    case reduction::norm2:
    case reduction::logsumexp:
    case reduction::hypot_reduce:
    case reduction::gcd_reduce:
    case reduction::lcm_reduce:
      return &r;
    default:
      break;
  }
  if (r.kind != ReduceKind::VALUE || std::string_view(r.finish) != "a") return nullptr;
  if (r.map == ReduceMap::NONE && r.number != reduction::count_nonzero) return &r;
  for (const ReductionInfo& other : all_reductions()) {
    const bool plain = other.kind == ReduceKind::VALUE && other.map == ReduceMap::NONE &&
                       other.form != ReduceForm::HIDDEN && std::string_view(other.finish) == "a";
    if (plain && std::string_view(other.combine) == r.combine) return &other;
  }
  return nullptr;
}

// A reduction over some axes of a distributed array.
class Reduction {
 public:
  Reduction(const Dist& a, uint32_t axes, bool keepdims, Stream* stream)
      : a_(a), by_(*a.decomposition), axes_(axes), keepdims_(keepdims), stream_(stream) {
    for (int32_t i = 0; i < by_.ndim(); ++i) {
      if (!reduces(i)) continue;
      count_ *= by_.shape[static_cast<size_t>(i)];
      const int32_t g = by_.axes[static_cast<size_t>(i)].grid_axis;
      if (g >= 0) ranks_ |= 1U << static_cast<uint32_t>(g);
    }
  }

  Ref<Dist> run(const ReductionInfo& r) {
    if (count_ == 0 && !r.empty_ok) fail(ARR_E_SHAPE, "argument a: has no elements to reduce by ", r.name);
    switch (r.number) {
      case reduction::mean:
        return result(as_type(*mean(), resolve(r, a_.dtype()).out, stream_));
      case reduction::var:
      case reduction::std:
        return result(spread(r));
      default:
        break;
    }
    const ReductionInfo* second = combining(r);
    if (second == nullptr) {
      fail(ARR_E_UNSUPPORTED, "argument reduction: ", r.name,
           " of a distributed array, expected sum, prod, min, max, ",
           "mean, var, std, any, all, count_nonzero, a norm, logsumexp or the reduction of an operation");
    }
    return result(as_type(*reduced(r, *second, *a_.part), resolve(r, a_.dtype()).out, stream_));
  }

 private:
  [[nodiscard]] bool reduces(int32_t axis) const { return (axes_ >> static_cast<uint32_t>(axis) & 1U) != 0; }

  // The partial results keep the precision of the computation.
  [[nodiscard]] static DType wide(const ReductionInfo& r, DType d) {
    const ReduceTypes t = resolve(r, d);
    const bool sums = r.acc == ReduceAcc::SUM || r.acc == ReduceAcc::MEAN || r.acc == ReduceAcc::REAL;
    return sums && item_size(t.out) < item_size(t.acc) ? t.acc : DType::none;
  }

  // The result of all parts, with the reduced axes of extent 1.
  [[nodiscard]] Ref<Array> reduced(const ReductionInfo& first, const ReductionInfo& second,
                                   const Array& part) const {
    ReduceOptions options;
    options.dtype = wide(first, part.dtype);
    Comm& among = by_.grid->over(ranks_);
    const int32_t size = among.place().size;
    if (size == 1) return reduce(first, part, axes_, true, options, stream_);
    const std::vector<int64_t> has = nonempty(among);
    const bool mine = has[static_cast<size_t>(among.place().rank)] != 0;
    const bool all = all_equal(has);
    Ref<Array> own;
    if (mine || first.empty_ok) own = reduce(first, part, axes_, true, options, stream_);
    if (all && own->layout.size() * own->item() * size > gathered_bytes && combines(second)) {
      if (!own->contiguous) own = copy(*own, Order::C, stream_);
      among.run(all_reduce_call(among.place(), *own, *own, second, stream_));
      return own;
    }
    return gathered(among, has, second, mine ? own : nullptr, result_dtype(first, part.dtype, options));
  }

  [[nodiscard]] static bool combines(const ReductionInfo& second) {
    const OpInfo* op = op_find(second.ufunc);
    return op != nullptr && std::string_view(second.finish) == "a" && second.kind == ReduceKind::VALUE;
  }
  [[nodiscard]] static DType result_dtype(const ReductionInfo& r, DType in, const ReduceOptions& o) {
    return reduce_types(r, in, o.dtype).out;
  }

  // For each rank of a communicator 1 if it has elements to reduce, otherwise 0.
  [[nodiscard]] std::vector<int64_t> nonempty(Comm& among) const {
    std::vector<int64_t> out;
    const int32_t me = by_.grid->rank();
    for (int32_t r = 0; r < by_.grid->size(); ++r) {
      bool with = true;
      for (int32_t g = 0; g < static_cast<int32_t>(by_.grid->extents().size()); ++g) {
        const bool varies = (ranks_ >> static_cast<uint32_t>(g) & 1U) != 0;
        with = with && (varies || by_.grid->coordinate(r, g) == by_.grid->coordinate(me, g));
      }
      if (!with) continue;
      int64_t n = 1;
      for (int32_t i = 0; i < by_.ndim(); ++i) {
        if (reduces(i)) n *= count_of(by_.segments(i, r));
      }
      out.push_back(n > 0 ? 1 : 0);
    }
    if (static_cast<int32_t>(out.size()) != among.place().size)
      fail(ARR_E_INTERNAL, "a communicator of other ranks");
    return out;
  }

  // Gathers the partial results along a new axis, and reduces it.
  [[nodiscard]] Ref<Array> gathered(Comm& among, const std::vector<int64_t>& has, const ReductionInfo& second,
                                    const Ref<Array>& own, DType d) const {
    std::vector<int64_t> shape{0};
    for (int32_t i = 0; i < by_.ndim(); ++i) shape.push_back(reduces(i) ? 1 : a_.part->layout.shape[i]);
    const Ref<Array> none = own ? nullptr : empty(d, shape, Order::C, by_.device(), stream_);
    for (const int64_t n : has) shape[0] += n;
    const Ref<Array> all = empty(d, shape, Order::C, by_.device(), stream_);
    const Ref<Array> mine = own ? expand_axis(*own, 0) : none->share();
    among.run(all_gather_call(among.place(), *all, *mine, {0, has}, stream_));
    return reduce(second, *all, 1, false, {}, stream_);
  }

  [[nodiscard]] Ref<Array> mean() const {
    const ReductionInfo& sum = *reduction_info(reduction::sum);
    const DType in = a_.dtype();
    const DType acc = resolve(*reduction_info(reduction::mean), in).acc;
    const Ref<Array> elements = in == acc ? a_.part : as_type(*a_.part, acc, stream_);
    const Ref<Array> total = reduced(sum, sum, *elements);
    const auto n = static_cast<double>(count_);
    return compute({total.get()}, stream_,
                   [&](ProgramBuilder& b, const int32_t* x) { return b.op(op::divide, x[0], number(b, n)); });
  }

  // The variance in two passes, or its root.
  [[nodiscard]] Ref<Array> spread(const ReductionInfo& r) const {
    const Ref<Array> center = mean();
    const ReductionInfo &squares = *reduction_info(reduction::sum_squares),
                        &sum = *reduction_info(reduction::sum);
    const Ref<Array> distance =
        compute({a_.part.get(), center.get()}, stream_,
                [](ProgramBuilder& b, const int32_t* x) { return b.op(op::subtract, x[0], x[1]); });
    const Ref<Array> total = reduced(squares, sum, *distance);
    const auto n = static_cast<double>(count_);
    const bool root = r.number == reduction::std;
    const Ref<Array> out = compute({total.get()}, stream_, [&](ProgramBuilder& b, const int32_t* x) {
      const int32_t mean_square = b.op(op::divide, x[0], number(b, n));
      return root ? b.op(op::sqrt, mean_square) : mean_square;
    });
    return as_type(*out, resolve(r, a_.dtype()).out, stream_);
  }

  [[nodiscard]] Ref<Dist> result(const Ref<Array>& reduced_part) const {
    std::vector<int64_t> shape;
    std::vector<Division> axes;
    Ref<Array> part = reduced_part;
    for (int32_t i = 0, at = 0; i < by_.ndim(); ++i) {
      if (reduces(i)) {
        if (!keepdims_) {
          part = index_axis(*part, at, 0);
          continue;
        }
        shape.push_back(1);
        axes.push_back(Division::whole(1));
      } else {
        shape.push_back(by_.shape[static_cast<size_t>(i)]);
        axes.push_back(by_.axes[static_cast<size_t>(i)]);
      }
      ++at;
    }
    return make<Dist>(with_axes(by_, std::move(shape), std::move(axes)), part, std::vector<int64_t>());
  }

  const Dist& a_;
  const Decomposition& by_;
  const uint32_t axes_;
  const bool keepdims_;
  Stream* const stream_;
  int64_t count_ = 1;   // elements of a result
  uint32_t ranks_ = 0;  // axes of the grid that divide the reduced axes
};

// The same division with one axis in contiguous parts.
Ref<Decomposition> contiguous_along(const Decomposition& by, int32_t axis) {
  std::vector<Division> axes = by.axes;
  const auto k = static_cast<size_t>(axis);
  axes[k] = axes[k].in_blocks(by.shape[k]);
  return with_axes(by, by.shape, std::move(axes));
}

// Combines each element of a part's scan with what the ranks before it have.
Ref<Array> continued(const Dist& a, const OpInfo& op, const Ref<Array>& own, int32_t axis, Stream* stream) {
  const Decomposition& by = *a.decomposition;
  const int32_t g = by.axes[static_cast<size_t>(axis)].grid_axis;
  Comm& among = by.grid->over(1U << static_cast<uint32_t>(g));
  std::vector<int64_t> has;
  for (const IndexRanges& s : *by.axes[static_cast<size_t>(axis)].parts) has.push_back(s.empty() ? 0 : 1);
  const int32_t rank = among.place().rank;
  const int64_t n = own->layout.shape[axis];
  const Ref<Array> last = slice_axis(*own, axis, n > 0 ? n - 1 : 0, n);
  std::vector<int64_t> shape(own->layout.shape, own->layout.shape + own->layout.ndim);
  shape[static_cast<size_t>(axis)] = 0;
  int64_t before = 0;
  for (size_t r = 0; r < has.size(); ++r) {
    shape[static_cast<size_t>(axis)] += has[r];
    if (static_cast<int32_t>(r) < rank) before += has[r];
  }
  const Ref<Array> all = empty(own->dtype, shape, Order::C, by.device(), stream);
  among.run(all_gather_call(among.place(), *all, *last, {axis, has}, stream));
  if (before == 0 || n == 0) return own;
  const ReductionInfo& r = *reduction_info(reduction_of(op));
  ReduceOptions options;
  options.dtype = own->dtype;
  const Ref<Array> offset =
      reduce(r, *slice_axis(*all, axis, 0, before), 1U << static_cast<uint32_t>(axis), true, options, stream);
  const Input both[] = {{offset.get(), {}, false}, {own.get(), {}, false}};
  elementwise_into(*own, op, both, stream);
  return own;
}

}  // namespace

Ref<Dist> dist_reduce(const ReductionInfo& by, const Dist& a, uint32_t axes, bool keepdims, Stream* stream) {
  a.decomposition->comm().check_no_group();
  return Reduction(a, axes, keepdims, stream).run(by);
}

Ref<Dist> dist_accumulate(const OpInfo& op, const Dist& a, int32_t axis, Stream* stream) {
  const int32_t k = normalize_axis(a.ndim(), axis);
  const Decomposition& by = *a.decomposition;
  by.comm().check_no_group();
  const Division& d = by.axes[static_cast<size_t>(k)];
  if (!d.contiguous()) {
    const Ref<Dist> moved = redistributed(a, *contiguous_along(by, k), stream);
    return redistributed(*dist_accumulate(op, *moved, k, stream), *a.decomposition, stream);
  }
  Ref<Array> own = accumulate(op, *a.part, k, DType::none, stream);
  if (d.grid_axis >= 0) own = continued(a, op, own, k, stream);
  return make<Dist>(a.decomposition, std::move(own), std::vector<int64_t>());
}

}  // namespace arr
