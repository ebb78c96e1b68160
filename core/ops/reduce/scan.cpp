// SPDX-License-Identifier: MIT
// Scans: dtypes, shapes and the program of the input; the backend scans.
#include "ops/reduce/scan.h"

#include <algorithm>
#include <vector>

#include "backend/reduce.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"
#include "ops/reduce/ordered.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

struct Types {
  const ReductionInfo* reduction = nullptr;
  DType acc = DType::none, out = DType::none;
};

Types types_of(const ScanOptions& o, DType in) {
  Types t;
  t.reduction = reduction_info(o.reduction);
  if (t.reduction == nullptr || !makes_scans(*t.reduction)) {
    fail(ARR_E_INTERNAL, "reduction ", o.reduction, " has no scan");
  }
  t.out = o.dtype != DType::none ? o.dtype : resolve(*t.reduction, in).out;
  // For bool a sum is a logical or, a product a logical and.
  if (t.out == DType::bool_ && t.reduction->acc == ReduceAcc::SUM) {
    t.reduction = reduction_info(o.reduction == reduction::prod ? reduction::all : reduction::any);
  }
  if (t.reduction->acc == ReduceAcc::MEAN && is_integer_or_bool(t.out)) {
    fail(ARR_E_DTYPE, "argument dtype: ", name(t.out), ", expected a float type");
  }
  t.acc = resolve(*t.reduction, t.out).acc;
  return t;
}

// The initial value of a sum (0) or product (1).
Scalar identity(int32_t number, DType dtype) {
  return convert(scalar_of(static_cast<int64_t>(number == reduction::prod)), dtype);
}

// The program from an element to the accumulated value, cast to `out`.
BoundProgram map_of(const ScanOptions& o, const Types& t, DType in, DType out) {
  const bool may_be_nan = is_floating(in) || is_complex(in);
  if (!o.skip_nan || !may_be_nan) {
    if (out == t.acc) return {&single_cast(in, out), {}};
    ProgramBuilder b;
    b.output(b.cast(b.cast(b.input(in), t.acc), out));
    return b.finish();
  }
  ProgramBuilder b;
  const int32_t x = b.input(in), is_nan = b.op(op::isnan, x);
  const int32_t instead = b.scalar(identity(o.reduction, t.acc), false);
  b.output(b.cast(b.op(op::where, is_nan, instead, b.cast(x, t.acc)), out));
  return b.finish();
}

// The array to scan: flat if no axis is given, and with at least one dimension.
struct Source {
  Ref<Array> array;
  int32_t axis = 0;
};
Source source_of(const ScanOptions& o, const Array& a, int32_t axis, Stream* stream) {
  if (a.layout.ndim == 0 && (axis == axis_none || axis == 0 || axis == -1)) {
    const int64_t one = 1;
    return {reshape(a, {&one, 1}, Order::C, stream), 0};
  }
  if (axis != axis_none) return {a.share(), normalize_axis(a.layout.ndim, axis)};
  if (a.layout.ndim == 1) return {a.share(), 0};
  if (!o.flattens) {
    fail(ARR_E_ARGUMENT, "argument axis: none for an array with ", a.layout.ndim,
         " dimensions, expected one of them");
  }
  const int64_t all = -1;
  return {reshape(a, {&all, 1}, Order::C, stream), 0};
}

Layout result_shape(const Source& s, bool initial) {
  Layout l = s.array->layout;
  // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): the extent of each of its dimensions is set
  if (initial) l.shape[s.axis] = checked::add(l.shape[s.axis], 1, "argument axis: the result's extent");
  return l;
}

void enqueue(const Types& t, const BoundProgram& map, const Array& a, const Array& dst, int32_t axis,
             const Queue& q) {
  const Layout& in = a.layout;
  int64_t shape[max_ndim], from[max_ndim], to[max_ndim];
  int32_t n = 0;
  // The scanned axis becomes the last one.
  for (int32_t i = 0; i <= in.ndim; ++i) {
    if (i == axis) continue;
    const int32_t d = i == in.ndim ? axis : i;
    shape[n] = in.shape[d];
    from[n] = in.strides[d];
    to[n++] = dst.layout.strides[d];
  }
  const int64_t* strides[2] = {from, to};
  Iteration it;
  collapse(n, shape, 2, strides, 1, &it, nullptr);
  std::vector<Operand> operands = {{a.data, it.strides[0], {}}};
  for (const Scalar& s : map.immediates) operands.push_back({nullptr, nullptr, s});
  ScanCall c;
  c.reduction = t.reduction;
  c.map = map.program;
  c.acc = t.acc;
  c.out = dst.dtype;
  c.ndim = it.ndim;
  c.shape = it.shape;
  c.operands = operands.data();
  c.output = {dst.data, it.strides[1], {}};
  use_to_read(*a.buffer, q);
  use(*dst.buffer, q);
  enqueue(q, api<ReduceApi>(q).scan, c);
}

// dst has the scan's shape and dtype; it may overlap the source only exactly.
void run_scan(const ScanOptions& o, const Types& t, const Source& s, const Array& dst, Stream* stream) {
  Ref<Array> to = dst.share();
  if (o.initial) {
    fill(*slice_axis(dst, s.axis, 0, 1), identity(o.reduction, dst.dtype), stream);
    to = slice_axis(dst, s.axis, 1, dst.layout.shape[s.axis]);
  }
  const Array& a = *s.array;
  if (to->layout.size() == 0) return;
  if (a.layout.shape[s.axis] == 1) {
    const Array* in = &a;
    return run_into(*to, map_of(o, t, a.dtype, t.out), {&in, 1}, stream);
  }
  enqueue(t, map_of(o, t, a.dtype, t.acc), a, *to, s.axis, queue_for(a.device(), stream));
}

}  // namespace

Ref<Array> scan(const ScanOptions& o, const Array& a, int32_t axis, Stream* stream) {
  const Types t = types_of(o, a.dtype);
  const Source s = source_of(o, a, axis, stream);
  Layout shape = result_shape(s, o.initial);
  Ref<Array> out = create(t.out, layout_like(shape, item_size(t.out), Order::K), a.device(), stream);
  run_scan(o, t, s, *out, stream);
  return out;
}

void scan_into(const Array& dst, const ScanOptions& o, const Array& a, int32_t axis, Stream* stream) {
  const Types t = types_of(o, a.dtype);
  const Source s = source_of(o, a, axis, stream);
  const Layout shape = result_shape(s, o.initial);
  check_destination(dst, shape);
  const bool direct = !may_share_memory(dst, *s.array) || (!o.initial && same_window(dst, *s.array));
  if (!(dst.device() == a.device()) || dst.dtype != t.out || !direct) {
    return assign(dst, *scan(o, a, axis, stream), stream);
  }
  run_scan(o, t, s, dst, stream);
}

Ref<Array> accumulate(const OpInfo& op, const Array& a, int32_t axis, DType dtype, Stream* stream) {
  if (is_order_dependent(op)) return ordered_accumulate(op, a, axis, dtype, stream);
  ScanOptions o;
  o.reduction = reduction_of(op);
  o.dtype = dtype;
  axis = normalize_axis(a.layout.ndim, axis);
  Ref<Array> out = scan(o, a, axis, stream);
  if (identity_on_single_element(op) && out->layout.size() != 0) {
    const Ref<Array> first =
        astype(*slice_axis(a, axis, 0, 1), out->dtype, Casting::unsafe, Order::K, stream);
    assign(*slice_axis(*out, axis, 0, 1), *first, stream);
  }
  return out;
}

void accumulate_into(const Array& dst, const OpInfo& op, const Array& a, int32_t axis, DType dtype,
                     Stream* stream) {
  axis = normalize_axis(a.layout.ndim, axis);
  if (is_order_dependent(op) || identity_on_single_element(op)) {
    check_destination(dst, a.layout);
    return assign(dst, *accumulate(op, a, axis, dtype, stream), stream);
  }
  ScanOptions o;
  o.reduction = reduction_of(op);
  o.dtype = dtype;
  scan_into(dst, o, a, axis, stream);
}

bool identity_on_single_element(const OpInfo& op) { return reducer_of(op) != accumulator_of(op); }

int32_t reduction_of(const OpInfo& o) {
  const ReductionInfo* r = accumulator_of(o);
  if (r == nullptr) fail(ARR_E_UNSUPPORTED, "argument op: ", o.name, " has no reduction");
  return r->number;
}

}  // namespace arr
