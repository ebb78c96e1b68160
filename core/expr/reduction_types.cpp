// SPDX-License-Identifier: MIT
// The table of reductions, and the dtypes in which they accumulate and that they return.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "expr/ops.h"

namespace arr {

namespace {

constexpr ReductionInfo reductions[] = {
#define ARR_EMPTY_OK true
#define ARR_EMPTY_ERROR false
#define ARR_REDUCTION(number, name, kind, domain, acc, out, empty, identity, combine, finish, doc, cupy, \
                      map, state, call, ufunc)                                                           \
  {number,                                                                                               \
   #name,                                                                                                \
   ReduceKind::kind,                                                                                     \
   domain_bits(#domain),                                                                                 \
   ReduceAcc::acc,                                                                                       \
   ReduceOut::out,                                                                                       \
   ARR_EMPTY_##empty,                                                                                    \
   #identity,                                                                                            \
   #combine,                                                                                             \
   #finish,                                                                                              \
   doc,                                                                                                  \
   cupy,                                                                                                 \
   ReduceMap::map,                                                                                       \
   #state,                                                                                               \
   ReduceForm::call,                                                                                     \
   #ufunc},
#include "table/reductions.def"
#undef ARR_REDUCTION
#undef ARR_EMPTY_OK
#undef ARR_EMPTY_ERROR
};

}  // namespace

const ReductionInfo* reduction_info(int32_t number) noexcept {
  constexpr auto before = [](const ReductionInfo& r, int32_t n) { return r.number < n; };
  static_assert(std::is_sorted(std::begin(reductions), std::end(reductions),
                               [](const auto& a, const auto& b) { return a.number < b.number; }));
  const ReductionInfo* found = std::lower_bound(std::begin(reductions), std::end(reductions), number, before);
  return found != std::end(reductions) && found->number == number ? found : nullptr;
}

std::span<const ReductionInfo> all_reductions() noexcept { return reductions; }

bool makes_scans(const ReductionInfo& r) noexcept {
  return r.kind == ReduceKind::VALUE && std::string_view(r.finish) == "a";
}

const ReductionInfo* reduction_find(std::string_view name) noexcept {
  for (const ReductionInfo& r : reductions) {
    if (name == r.name) return &r;
  }
  return nullptr;
}

const ReductionInfo* reducer_of(const OpInfo& op) noexcept {
  for (const ReductionInfo& r : reductions) {
    if (std::string_view(op.name) == r.ufunc) return &r;
  }
  return nullptr;
}

const ReductionInfo* accumulator_of(const OpInfo& op) noexcept {
  for (const ReductionInfo& r : reductions) {
    if (std::string_view(op.name) == r.ufunc && makes_scans(r)) return &r;
  }
  return nullptr;
}

DType result_type(const ReductionInfo& r, DType acc) noexcept {
  if (r.kind == ReduceKind::INDEX) return DType::int64_;
  if (r.out == ReduceOut::PAIR) return acc == DType::float64_ ? DType::complex128_ : DType::complex64_;
  return r.out == ReduceOut::REAL ? real_type(acc) : acc;
}

ReduceTypes resolve(const ReductionInfo& r, DType in) {
  if (!in_domain(r.domain, in)) fail(ARR_E_DTYPE, "argument a: ", r.name, " is not defined for ", name(in));
  DKind k = kind(in);
  bool whole = is_integer_or_bool(in);
  ReduceTypes t;
  switch (r.acc) {
    case ReduceAcc::SAME:
      t.element = compute_type(in);
      break;
    case ReduceAcc::SUM:
      t.element = !whole ? compute_type(in) : k == DKind::UINT ? DType::uint64_ : DType::int64_;
      break;
    case ReduceAcc::MEAN:
    case ReduceAcc::REAL:
      t.element = whole ? DType::float64_ : compute_type(in);
      break;
    case ReduceAcc::BOOL:
    case ReduceAcc::COUNT:
      t.element = DType::bool_;
      break;
  }
  t.acc = r.acc == ReduceAcc::REAL    ? real_type(t.element)
          : r.acc == ReduceAcc::COUNT ? DType::int64_
                                      : t.element;
  t.result = result_type(r, t.acc);
  switch (r.out) {
    case ReduceOut::SAME:
      t.out = in;
      break;
    case ReduceOut::ACC:
      t.out = whole ? t.acc : in;
      break;
    case ReduceOut::REAL:
      t.out = whole ? t.result : real_type(in);
      break;
    case ReduceOut::BOOL:
    case ReduceOut::INT64:
    case ReduceOut::PAIR:
      t.out = t.result;
      break;
  }
  return t;
}

}  // namespace arr
