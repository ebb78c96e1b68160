// SPDX-License-Identifier: MIT
// The map and the identity of each row of core/table/reductions.def.
#include "math/host_math.h"
//
#include "math/scalar.h"
//
#include "math/libm.h"
//
#include "math/math.h"
//
#include "expr/op_numbers.h"
#include "expr/program.h"

namespace arr {

namespace {

#include "math/squares.h"
//
#include "math/states.h"

int32_t where_nan(ProgramBuilder& b, int32_t x, int64_t instead) {
  if (is_integer_or_bool(b.dtype(x))) return x;
  return b.op(op::where, b.op(op::isnan, x), b.scalar(scalar_of(instead), true), x);
}

int32_t squared_size(ProgramBuilder& b, int32_t x) {
  auto square = [&](int32_t node) { return b.op(op::multiply, node, node); };
  if (!is_complex(b.dtype(x))) return square(x);
  return b.op(op::add, square(b.op(op::real, x)), square(b.op(op::imag, x)));
}

// Returns whether a reduction accumulates in a type.
template <ReduceAcc Acc>
constexpr bool accumulates(uint32_t domain, DType a) {
  const bool real = is_floating(a) && !is_half(a), number = real || is_complex(a);
  switch (Acc) {
    case ReduceAcc::SAME:
      return in_domain(domain, a) && !is_half(a);
    case ReduceAcc::SUM:
      return number || a == DType::int64_ || a == DType::uint64_;
    case ReduceAcc::MEAN:
      return number && in_domain(domain, a);
    case ReduceAcc::REAL:
      return real;
    case ReduceAcc::BOOL:
      return a == DType::bool_;
    case ReduceAcc::COUNT:
      return a == DType::int64_;
  }
  return false;
}

// The formulas as functions of the accumulator's dtype; for a STATE the element that is the identity.
#define ARR_IDENTITY_VALUE(formula) return scalar_bits<A>(D, static_cast<A>(formula))
#define ARR_IDENTITY_INDEX(formula) ARR_IDENTITY_VALUE(formula)
#define ARR_IDENTITY_STATE(formula)                                       \
  if constexpr (S::has_identity) return scalar_bits<A>(D, S::identity()); \
  return {}
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity, combine, finish, doc, cupy, \
                      map, state, call, ufunc)                                                           \
  template <class A, DType D>                                                                            \
  Scalar identity_##name() {                                                                             \
    if constexpr (accumulates<ReduceAcc::acc>(domain_bits(#domain), D)) {                                \
      typedef state S [[maybe_unused]];                                                                  \
      ARR_IDENTITY_##kind(identity);                                                                     \
    } else {                                                                                             \
      return {};                                                                                         \
    }                                                                                                    \
  }
#include "table/reductions.def"
#undef ARR_REDUCTION

template <class A, DType D>
Scalar identity_of(int32_t reduction) {
  switch (reduction) {
#define ARR_REDUCTION(number, name, ...) \
  case number:                           \
    return identity_##name<A, D>();
#include "table/reductions.def"
#undef ARR_REDUCTION
    default:
      return {};
  }
}

}  // namespace

int32_t reduce_map(ProgramBuilder& b, const ReductionInfo& r, const ReduceTypes& types, int32_t node) {
  int32_t x = b.cast(node, types.element);
  switch (r.map) {
    case ReduceMap::NONE:
      break;
    case ReduceMap::NAN_0:
      x = where_nan(b, x, 0);
      break;
    case ReduceMap::NAN_1:
      x = where_nan(b, x, 1);
      break;
    case ReduceMap::ABS:
      x = b.op(op::absolute, x);
      break;
    case ReduceMap::ABS2:
      x = squared_size(b, x);
      break;
  }
  return b.cast(x, types.acc);
}

const BoundProgram& reduce_map(const ReductionInfo& r, DType in) {
  static std::atomic<const BoundProgram*> made[reduction_limit][dtype_limit];
  auto& slot = made[r.number][static_cast<size_t>(in)];
  if (const BoundProgram* p = slot.load(std::memory_order_acquire)) return *p;
  ProgramBuilder b;
  b.output(reduce_map(b, r, resolve(r, in), b.input(in)));
  auto fresh = std::make_unique<BoundProgram>(b.finish());
  const BoundProgram* seen = nullptr;
  if (slot.compare_exchange_strong(seen, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *seen;
}

Scalar reduce_identity(const ReductionInfo& r, DType acc) {
  Scalar s;
  switch (acc) {
#define ARR_DTYPE(NAME, number_, name, type, kind, bytes, npy, dlcode, doc) \
  case DType::name##_:                                                      \
    s = identity_of<type, DType::name##_>(r.number);                        \
    break;
#include "table/dtypes.def"
#undef ARR_DTYPE
    case DType::table_:
    case DType::none:
      break;
  }
  if (s.dtype == DType::none) fail(ARR_E_ARGUMENT, "argument options: ", r.name, " does not take where");
  return s;
}

}  // namespace arr
