// SPDX-License-Identifier: MIT
// Eager ops: the program of a call, dtypes of its scalars, masks, ops with two results and outer products.
#include <algorithm>
#include <vector>

#include "expr/op_numbers.h"
#include "ops/elementwise/create.h"
#include "ops/elementwise/destination.h"
#include "ops/elementwise/elementwise.h"

namespace arr {

void fit(const OpInfo& op, std::span<const Input> given, DType asked, Casting casting, Fitted* out) {
  if (given.size() != static_cast<size_t>(op.nin)) {
    fail(ARR_E_ARGUMENT, "argument nin: ", op.name, " takes ", op.nin, " operands, got ", given.size());
  }
  const size_t n = std::min<size_t>(given.size(), 3);
  std::array<OperandType, 3> types;
  std::array<const Scalar*, 3> scalars{};
  for (size_t k = 0; k < n; ++k) {
    bool array = given[k].array != nullptr;
    types[k] =
        array ? OperandType{given[k].array->dtype, false} : OperandType{given[k].scalar.dtype, given[k].weak};
    if (!array) scalars[k] = &given[k].scalar;
  }
  if (op.in == OpIn::EXACT) resolve_weak_scalars(op, {types.data(), n}, {scalars.data(), n});
  const bool mixed = is_mixed(op, {types.data(), n});
  Signature s = resolve(op, {types.data(), n}, asked, casting);
  out->loop = asked != DType::none && asks_loop(op) ? s.operand : DType::none;
  out->count = n;
  out->signature = s;
  for (size_t k = 0; k < n; ++k) {
    out->inputs[k] = given[k];
    out->dtypes[k] = types[k].dtype;
    if (given[k].array != nullptr) continue;
    const DType own = own_type(op, k);
    if (own != DType::none) out->dtypes[k] = own;
    if (own == DType::none && !mixed) out->dtypes[k] = s.operand;
    out->inputs[k].scalar =
        types[k].weak ? fit_plain(given[k].scalar, out->dtypes[k]) : convert(given[k].scalar, out->dtypes[k]);
  }
}

namespace {

// Runs the program of an eager call into an array of dtype `out`, or a new one (none).
const Program& prepare(const OpInfo& op, std::span<const Input> given, const UfuncOptions& o, DType out,
                       Fitted* f) {
  const bool scalars =
      std::any_of(given.begin(), given.end(), [](const Input& in) { return in.array == nullptr; });
  if (scalars || given.size() != static_cast<size_t>(op.nin)) {
    fit(op, given, o.dtype, o.casting, f);
    return single_op(op, f->types(), result_type(f->signature, out, o.casting, "dst"), f->loop);
  }
  // All operands are arrays: dtypes are resolved once.
  f->count = std::min<size_t>(given.size(), 3);
  for (size_t k = 0; k < f->count; ++k) {
    f->inputs[k] = given[k];
    f->dtypes[k] = given[k].array->dtype;
  }
  return eager_op(op, f->types(), out, o.casting, "dst", o.dtype);
}

// where(mask, op(inputs), old): operands are the inputs, the mask, and the value where the mask is false.
BoundProgram masked_program(const OpInfo& op, const Fitted& f, DType result) {
  ProgramBuilder b;
  std::array<int32_t, 3> args{};
  for (size_t k = 0; k < f.count; ++k) args[k] = b.input(f.dtypes[k]);
  int32_t mask = b.input(DType::bool_), old = b.input(result);
  int32_t value = b.cast(op_in(b, op, {args.data(), f.count}, f.loop), result);
  b.output(b.cast(b.op(op::where, mask, value, old), result));
  return b.finish();
}

void check_mask(const Array& mask) {
  if (mask.dtype == DType::bool_) return;
  fail(ARR_E_DTYPE, "argument where: got ", name(mask.dtype), ", expected bool");
}

std::vector<Input> masked_inputs(const Fitted& f, const Array& mask, const Input& old) {
  std::vector<Input> all(f.all().begin(), f.all().end());
  all.push_back({&mask, {}, false});
  all.push_back(old);
  return all;
}

}  // namespace

Ref<Array> elementwise(const OpInfo& op, std::span<const Input> inputs, const UfuncOptions& options,
                       Stream* stream) {
  Fitted f;
  if (options.where == nullptr) {
    const Program& p = prepare(op, inputs, options, DType::none, &f);
    return run(p, f.all(), options.order, stream);
  }
  check_mask(*options.where);
  fit(op, inputs, options.dtype, options.casting, &f);
  Input zero;
  zero.scalar.dtype = f.signature.result;
  BoundProgram p = masked_program(op, f, zero.scalar.dtype);
  return run(*p.program, masked_inputs(f, *options.where, zero), options.order, stream);
}

void elementwise_into(const Array& dst, const OpInfo& op, std::span<const Input> inputs, Stream* stream) {
  elementwise_into(dst, op, inputs, UfuncOptions{}, stream);
}

void elementwise_into(const Array& dst, const OpInfo& op, std::span<const Input> inputs,
                      const UfuncOptions& options, Stream* stream) {
  Fitted f;
  if (options.where == nullptr) {
    const Program& p = prepare(op, inputs, options, dst.dtype, &f);
    return run_into(dst, p, f.all(), stream);
  }
  check_mask(*options.where);
  fit(op, inputs, options.dtype, options.casting, &f);
  BoundProgram p = masked_program(op, f, result_type(f.signature, dst.dtype, options.casting, "dst"));
  run_into(dst, *p.program, masked_inputs(f, *options.where, {&dst, {}, false}), stream);
}

namespace {

// Casts both results of an op with two; with a mask, `old` (scalars or arrays) is used where it is false.
struct PairTarget {
  DType dtypes[2] = {DType::none, DType::none};
  const Array* mask = nullptr;
  Input old[2];
};

BoundProgram pair_program(const PairInfo& pair, const Fitted& f, const PairTarget& target) {
  ProgramBuilder b;
  std::array<int32_t, 3> args{};
  for (size_t k = 0; k < f.count; ++k) args[k] = b.input(f.dtypes[k]);
  const int32_t mask = target.mask != nullptr ? b.input(DType::bool_) : -1;
  const int32_t ops[2] = {pair.first, pair.second};
  int32_t old[2] = {-1, -1};
  for (size_t k = 0; k < 2 && mask >= 0; ++k) old[k] = b.input(target.dtypes[k]);
  for (size_t k = 0; k < 2; ++k) {
    int32_t value = b.cast(op_in(b, *op_info(ops[k]), {args.data(), f.count}, f.loop), target.dtypes[k]);
    if (mask >= 0) value = b.cast(b.op(op::where, mask, value, old[k]), target.dtypes[k]);
    b.output(value);
  }
  return b.finish();
}

// The operands of an op with two results in the dtypes that it needs, and the dtypes of its results.
void fit_pair(const PairInfo& pair, std::span<const Input> inputs, const UfuncOptions& options, Fitted* f,
              DType* results) {
  const OpInfo &first = *op_info(pair.first), &second = *op_info(pair.second);
  fit(first, inputs, options.dtype, options.casting, f);
  std::array<OperandType, 3> types;
  for (size_t k = 0; k < f->count; ++k) types[k].dtype = f->dtypes[k];
  results[0] = f->signature.result;
  results[1] = resolve(second, {types.data(), f->count}, options.dtype, options.casting).result;
}

std::vector<Input> pair_inputs(const BoundProgram& p, const Fitted& f, const PairTarget& target) {
  std::vector<Input> all(f.all().begin(), f.all().end());
  if (target.mask != nullptr) {
    check_mask(*target.mask);
    all.insert(all.end(), {{target.mask, {}, false}, target.old[0], target.old[1]});
  }
  add_constants(p, &all);
  return all;
}

std::vector<Ref<Array>> run_pair(const PairInfo& pair, const Fitted& f, const PairTarget& target, Order order,
                                 Stream* stream) {
  const BoundProgram p = pair_program(pair, f, target);
  return run_many(*p.program, pair_inputs(p, f, target), order, stream);
}

// True if both arrays have the shape of the operands, and share memory neither with these nor with each
// other.
bool writes_disjoint(const Array* const* to, std::span<const Input> inputs, const Array* mask) {
  if (!to[0]->layout.same_shape(to[1]->layout) || may_share_memory(*to[0], *to[1])) return false;
  std::vector<Input> all(inputs.begin(), inputs.end());
  if (mask != nullptr) all.push_back({mask, {}, false});
  for (const Input& in : all) {
    if (in.array == nullptr) continue;
    if (may_share_memory(*to[0], *in.array) || may_share_memory(*to[1], *in.array)) return false;
  }
  Layout shape;
  common_shape(all, &shape);
  return shape.same_shape(to[0]->layout);
}

}  // namespace

std::vector<Ref<Array>> elementwise_pair(const PairInfo& pair, std::span<const Input> inputs,
                                         const UfuncOptions& options, Stream* stream) {
  Fitted f;
  PairTarget target;
  fit_pair(pair, inputs, options, &f, target.dtypes);
  if (options.where == nullptr) {
    return run_many(single_pair(pair, f.types(), f.loop), f.all(), options.order, stream);
  }
  target.mask = options.where;
  for (size_t k = 0; k < 2; ++k) target.old[k].scalar.dtype = target.dtypes[k];  // 0
  return run_pair(pair, f, target, options.order, stream);
}

void elementwise_pair_into(const Array& first, const Array& second, const PairInfo& pair,
                           std::span<const Input> inputs, const UfuncOptions& options, Stream* stream) {
  Fitted f;
  PairTarget target;
  DType results[2];
  fit_pair(pair, inputs, options, &f, results);
  const Array* to[2] = {&first, &second};
  const char* const names[2] = {"dst_first", "dst_second"};
  for (size_t k = 0; k < 2; ++k) {
    if (write_obstacle(*to[k]) != nullptr) {
      fail(ARR_E_READONLY, "argument ", names[k], ": ", write_obstacle(*to[k]));
    }
    Signature s = f.signature;
    s.result = results[k];
    target.dtypes[k] = result_type(s, to[k]->dtype, options.casting, names[k]);
    target.old[k] = {to[k], {}, false};
  }
  target.mask = options.where;
  if (writes_disjoint(to, f.all(), target.mask)) {
    const BoundProgram p = pair_program(pair, f, target);
    return run_all_into(to, *p.program, pair_inputs(p, f, target), stream);
  }
  // Creates new arrays first: an operand that is also written is then read before.
  const std::vector<Ref<Array>> made = run_pair(pair, f, target, Order::K, stream);
  for (size_t k = 0; k < 2; ++k) {
    Layout both;
    broadcast_shapes(to[k]->layout, made[k]->layout, names[k], &both);
    if (!both.same_shape(to[k]->layout)) {
      fail(ARR_E_SHAPE, "argument ", names[k], ": shape ", to[k]->layout.text(), ", the result has ",
           made[k]->layout.text());
    }
  }
  for (size_t k = 0; k < 2; ++k) assign(*to[k], *made[k], stream);
}

namespace {

// A view of a with an axis of extent 1 for each of b's axes, after its own.
Ref<Array> with_trailing_axes(const Array& a, const Array& b) {
  if (a.layout.ndim + b.layout.ndim > max_ndim) {
    fail(ARR_E_SHAPE, "argument b: ", a.layout.ndim, " and ", b.layout.ndim, " dimensions, at most ",
         max_ndim, " together");
  }
  std::array<int32_t, max_ndim> trailing{};
  for (int32_t i = 0; i < b.layout.ndim; ++i) trailing[static_cast<size_t>(i)] = a.layout.ndim + i;
  std::span<const int32_t> axes(trailing.data(), static_cast<size_t>(b.layout.ndim));
  return a.view(expand_dims(a.layout, axes, a.item()));
}

}  // namespace

Ref<Array> elementwise_outer(const OpInfo& op, const Array& a, const Array& b, const UfuncOptions& options,
                             Stream* stream) {
  const Ref<Array> rows = with_trailing_axes(a, b);
  const Input both[2] = {{rows.get(), {}, false}, {&b, {}, false}};
  return elementwise(op, both, options, stream);
}

void elementwise_outer_into(const Array& dst, const OpInfo& op, const Array& a, const Array& b,
                            const UfuncOptions& options, Stream* stream) {
  const Ref<Array> rows = with_trailing_axes(a, b);
  const Input both[2] = {{rows.get(), {}, false}, {&b, {}, false}};
  Layout shape;
  common_shape(both, &shape);
  check_destination(dst, shape);
  elementwise_into(dst, op, both, options, stream);
}

}  // namespace arr
