// SPDX-License-Identifier: MIT
// Reductions: axes, dtypes and memory order.
#include "ops/reduce/reduce.h"

#include <string_view>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/average.h"

namespace arr {

namespace {

// True for rows whose result is the plain combination, so that an initial value can be combined too.
bool takes_initial(const ReductionInfo& r) {
  return r.kind == ReduceKind::VALUE &&
         (r.finish == std::string_view("a") || r.ufunc != std::string_view("none"));
}

// Masked elements become the identity.
BoundProgram masked_map(const ReductionInfo& r, const ReduceTypes& types, DType in, DType asked) {
  ProgramBuilder b;
  int32_t x = b.input(in);
  const int32_t mask = b.input(DType::bool_);
  if (asked != DType::none) x = b.cast(x, asked);
  const int32_t mapped = reduce_map(b, r, types, x);
  b.output(b.op(op::where, mask, mapped, b.scalar(reduce_identity(r, types.acc), false)));
  return b.finish();
}

BoundProgram cast_map(const ReductionInfo& r, const ReduceTypes& types, DType in, DType asked) {
  ProgramBuilder b;
  b.output(reduce_map(b, r, types, b.cast(b.input(in), asked)));
  return b.finish();
}

// The common part of reduce() and reduce_into(): the map of an array with options, and its operands.
struct Prepared {
  Prepared(const ReductionInfo& r, const Array& a, const ReduceOptions& o) {
    types = reduce_types(r, a.dtype, o.dtype);
    if (o.initial.dtype != DType::none || o.where != nullptr) check_reduce_options(r, a.layout, o);
    if (o.where != nullptr) {
      own = masked_map(r, types, a.dtype, o.dtype);
    } else if (o.dtype != DType::none) {
      own = cast_map(r, types, a.dtype, o.dtype);
    }
    const BoundProgram& bound = own.program == nullptr ? reduce_map(r, a.dtype) : own;
    map = bound.program;
    operands[count++].array = &a;
    if (o.where != nullptr) operands[count++].array = o.where;
    for (const Scalar& s : bound.immediates) operands[count++].scalar = s;
    if (o.initial.dtype != DType::none) extras.initial = initial_as(o, types.acc);
    extras.correction = o.correction;
    extras.argument = "a";
  }
  [[nodiscard]] std::span<const Input> inputs() const { return {operands, count}; }
  ReduceTypes types;
  BoundProgram own;
  const Program* map = nullptr;
  Input operands[6];
  size_t count = 0;
  ReduceExtras extras;
};

}  // namespace

void check_reduce_options(const ReductionInfo& r, const Layout& shape, const ReduceOptions& o) {
  if (o.initial.dtype != DType::none && !takes_initial(r)) {
    fail(ARR_E_ARGUMENT, "argument options: ", r.name, " does not take an initial value");
  }
  if (o.where == nullptr) return;
  if (r.kind == ReduceKind::INDEX) fail(ARR_E_ARGUMENT, "argument options: ", r.name, " does not take where");
  if (kind(o.where->dtype) != DKind::BOOL) {
    fail(ARR_E_DTYPE, "argument options: where is ", name(o.where->dtype), ", expected bool");
  }
  if (!broadcasts_to(o.where->layout, shape)) {
    fail(ARR_E_SHAPE, "argument options: where of shape ", o.where->layout.text(),
         " does not broadcast to shape ", shape.text());
  }
  if (!r.empty_ok && o.initial.dtype == DType::none && r.kind == ReduceKind::VALUE) {
    fail(ARR_E_ARGUMENT, "argument options: ", r.name, " has no identity, so where needs an initial value");
  }
}

ReduceTypes reduce_types(const ReductionInfo& r, DType in, DType dtype, const char* argument) {
  if (dtype == DType::none) return resolve(r, in);
  if (r.acc == ReduceAcc::BOOL || r.acc == ReduceAcc::COUNT || r.kind == ReduceKind::INDEX) {
    fail(ARR_E_ARGUMENT, "argument ", argument, ": ", r.name, " does not take a dtype");
  }
  // Elements are cast by any rule, as in NumPy's reductions.
  const bool divides = r.acc == ReduceAcc::MEAN || r.acc == ReduceAcc::REAL;
  const bool whole = is_integer_or_bool(dtype);
  if (divides && whole && r.ufunc != std::string_view("none")) {
    fail(ARR_E_DTYPE, "argument ", argument, ": dtype ", name(dtype), " of ", r.name,
         ", expected a float or complex type");
  }
  ReduceTypes t = resolve(r, dtype);
  if (r.acc == ReduceAcc::SUM || (divides && whole)) t.out = dtype;
  return t;
}

Scalar initial_as(const ReduceOptions& o, DType d) {
  return o.initial_weak ? fit_plain(o.initial, d) : convert(o.initial, d);
}

Ref<Array> reduce(const ReductionInfo& r, const Array& a, uint32_t axes, bool keepdims,
                  const ReduceOptions& options, Stream* stream) {
  if (options.where != nullptr && is_average(r)) return masked_average(r, a, axes, keepdims, options, stream);
  const Prepared p(r, a, options);
  return map_reduce(r, p.types, *p.map, p.inputs(), axes, keepdims, stream, p.extras);
}

Scalar reduce_item(const ReductionInfo& r, const Array& a, Stream* stream) {
  const Prepared p(r, a, {});
  return map_reduce_item(r, p.types, *p.map, p.inputs(), stream, p.extras);
}

bool any_neighbours(int32_t op, const Array& vector, Stream* stream) {
  const int64_t n = vector.layout.size();
  if (n < 2) return false;
  const Ref<Array> later = slice_axis(vector, 0, 1, n), earlier = slice_axis(vector, 0, 0, n - 1);
  const Ref<Array> found = apply(op, {later.get(), earlier.get()}, stream);
  return reduce_item(*reduction_info(reduction::any), *found, stream).lo != 0;
}

void reduce_into(const Array& dst, const ReductionInfo& r, const Array& a, uint32_t axes, bool keepdims,
                 const ReduceOptions& options, Stream* stream) {
  if (options.where != nullptr && is_average(r)) {
    const Ref<Array> result = masked_average(r, a, axes, keepdims, options, stream);
    if (!dst.layout.same_shape(result->layout)) {
      fail(ARR_E_SHAPE, "argument dst: shape ", dst.layout.text(), ", the result has ",
           result->layout.text());
    }
    return assign(dst, *result, stream);
  }
  const Prepared p(r, a, options);
  map_reduce_into(dst, r, p.types, *p.map, p.inputs(), axes, keepdims, stream, p.extras);
}

}  // namespace arr
