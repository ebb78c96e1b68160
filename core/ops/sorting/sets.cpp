// SPDX-License-Identifier: MIT
// Set operations: unique elements, and tests for membership by a table over a small range of integers or by
// search in a sorted vector.
#include "ops/sorting/sets.h"

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/program_cache.h"
#include "ops/indexing/join.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/sorting/compared.h"
#include "ops/sorting/counting_table.h"
#include "ops/sorting/segments.h"
#include "ops/sorting/sort.h"
#include "ops/sorting/unique.h"

namespace arr {

namespace {

void check_devices(const Array& x, const Array& y) {
  const Input both[] = {{&x, {}, false}, {&y, {}, false}};
  common_device(both);
}

// The dtype in which elements are compared. int64 and uint64 elements can be equal only if they are not
// negative as int64.
DType compared_type(const Array& x, const Array& test) {
  return is_mixed_pair(x.dtype, test.dtype) ? DType::int64_ : compute_type(promote(x.dtype, test.dtype));
}

struct Question {
  DType x, compared;
  bool mixed, invert;

  [[nodiscard]] uint64_t key() const {
    return static_cast<uint64_t>(x) << 8 | static_cast<uint64_t>(compared) << 2 |
           static_cast<uint64_t>(mixed) << 1 | static_cast<uint64_t>(invert);
  }
  [[nodiscard]] int32_t answer(ProgramBuilder& b, int32_t element, int32_t found) const {
    if (mixed) {
      found = b.op(op::logical_and, found,
                   b.op(op::greater_equal, b.cast(element, DType::int64_), integer(b, 0)));
    }
    return invert ? b.op(op::logical_not, found) : found;
  }
};

Ref<Array> look_up(const BoundProgram& p, const Array& x, const Array& table, Stream* stream) {
  return run(*p.program, Inputs(p, {&x}, {&table}).all(), Order::K, stream);
}

// Returns whether the elements are in a sorted vector of the compared type.
Ref<Array> in_sorted(const Array& x, const Array& sorted, const Question& q, Stream* stream) {
  static auto* programs = new ProgramCache;
  const auto build = [&] {
    ProgramBuilder b;
    const int32_t element = b.input(q.x), table = b.input(DType::table_);
    const int32_t seen = b.cast(element, q.compared);
    const int32_t at = b.step(op::search_left, q.compared, table, seen);
    const int32_t there = b.step(op::take, q.compared, table, at);
    b.output(q.answer(b, element, b.op(op::equal, there, seen)));
    return b.finish();
  };
  BoundProgram own;
  if (q.mixed) own = build();
  const BoundProgram& p = q.mixed ? own : programs->get(q.key(), build);
  return look_up(p, x, sorted, stream);
}

// Returns whether the elements are flagged in the lookup table of a range.
Ref<Array> in_table(const Array& x, const Array& flags, const IntegerRange& range, const Question& q,
                    Stream* stream) {
  ProgramBuilder b;
  const int32_t element = b.input(q.x), table = b.input(DType::table_);
  const int32_t at = table_index(b, element, range);
  // The table's last entry is for numbers outside of the range; as unsigned numbers these are beyond it.
  const int32_t entry =
      b.op(op::minimum, b.cast(at, DType::uint64_), b.cast(integer(b, range.count), DType::uint64_));
  b.output(q.answer(b, element, b.step(op::take, DType::bool_, table, b.cast(entry, DType::int64_))));
  return look_up(b.finish(), x, flags, stream);
}

// Returns whether the elements are among those of a vector.
Ref<Array> members(const Array& x, const Array& test, bool invert, Stream* stream) {
  const Question q{x.dtype, compared_type(x, test), is_mixed_pair(x.dtype, test.dtype), invert};
  const int64_t n = x.layout.size(), m = test.layout.size();
  if (m == 0 || n == 0) {
    const Scalar value = convert(scalar_of(int64_t{invert}), DType::bool_);
    return full(DType::bool_, x.layout.dims(), Order::C, value, x.device(), stream);
  }
  if (is_integer_or_bool(x.dtype) && is_integer_or_bool(test.dtype) && x.device().type == ARR_HOST) {
    const Ref<Array> same = q.mixed ? as_type(test, DType::int64_, stream) : test.share();
    const std::optional<IntegerRange> range = range_of(*same, 1024 + 8 * (n + m), stream);
    if (range) {
      const int64_t size = range->count + 1;
      const Ref<Array> flags = full(DType::bool_, {&size, 1}, Order::C,
                                    convert(scalar_of(int64_t{0}), DType::bool_), x.device(), stream);
      scatter_into_table(*flags, *range, *same, nullptr, select_second(DType::bool_), stream);
      return in_table(x, *flags, *range, q, stream);
    }
  }
  return in_sorted(x, *sort(*as_type(test, q.compared, stream), 0, false, stream), q, stream);
}

Ref<Array> distinct_elements(const Array& a, bool distinct, Stream* stream) {
  return distinct ? ravel(a, stream) : unique(a, ARR_AXIS_NONE, {}, stream).values;
}

// The distinct elements in ascending order, and the indices of their first occurrences.
SortedVector sorted_set(const Array& a, bool distinct, Stream* stream) {
  if (distinct) return sort_vector(*ravel(a, stream), true, stream);
  UniqueOptions o;
  o.indices = true;
  const Unique u = unique(a, ARR_AXIS_NONE, o, stream);
  return {u.values, u.indices};
}

Intersection with_indices(const Array& x, const Array& y, bool distinct, Stream* stream) {
  const SortedVector a = sorted_set(x, distinct, stream), b = sorted_set(y, distinct, stream);
  const auto nothing = [&](DType d) { return vector_like(x, d, 0, stream); };
  if (b.elements->layout.size() == 0)
    return {nothing(x.dtype), nothing(DType::int64_), nothing(DType::int64_)};
  const DType d = compute_type(x.dtype);
  ProgramBuilder builder;
  const int32_t element = builder.cast(builder.input(x.dtype), d), table = builder.input(DType::table_);
  const int32_t at = builder.step(op::search_left, d, table, element);
  builder.output(at);
  builder.output(builder.op(op::equal, builder.step(op::take, d, table, at), element));
  const BoundProgram p = builder.finish();
  const Ref<Array> sorted = as_table(*b.elements, d, stream);
  const auto found =
      run_many(*p.program, Inputs(p, {a.elements.get()}, {sorted.get()}).all(), Order::C, stream);
  const Ref<Array> both = flatnonzero(*found[1], stream);
  const Ref<Array> in_y = take_known(*found[0], *both, 0, stream);
  return {take_known(*a.elements, *both, 0, stream), take_known(*a.indices, *both, 0, stream),
          take_known(*b.indices, *in_y, 0, stream)};
}

// Both arrays, cast to the dtype to which they promote.
struct Pair {
  Pair(const Array& a, const Array& b, Stream* stream) {
    const DType d = promote(a.dtype, b.dtype);
    x = as_type(a, d, stream);
    y = as_type(b, d, stream);
  }
  Ref<Array> x, y;
};

// The elements of a signed array as two vectors: the negative ones, and the others as uint64 with their
// indices.
struct BySign {
  BySign(const Array& a, Stream* stream) {
    const Ref<Array> all = ravel(a, stream);
    const auto where = [&](int32_t order) {
      return compute({all.get()}, stream,
                     [&](ProgramBuilder& b, const int32_t* in) { return b.op(order, in[0], integer(b, 0)); });
    };
    negative = compress(*where(op::less), *all, 0, stream);
    indices = flatnonzero(*where(op::greater_equal), stream);
    others = as_type(*take_known(*all, *indices, 0, stream), DType::uint64_, stream);
  }
  Ref<Array> negative, others, indices;
};

bool is_signed(const Array& a) { return kind(a.dtype) == DKind::INT; }

Ref<Array> where_in(const Array& x, const Array& test, bool invert, Stream* stream) {
  return compress(*members(x, test, invert, stream), x, 0, stream);
}

Ref<Array> joined(const Array& a, const Array& b, Stream* stream) {
  const Array* both[] = {&a, &b};
  return concatenate(both, 0, DType::none, stream);
}

// The intersection of a signed and a uint64 array: that of the numbers that both dtypes hold.
Intersection intersect_mixed(const Array& x, const Array& y, bool distinct, bool indices, Stream* stream) {
  const bool first = is_signed(x);
  const BySign s(first ? x : y, stream);
  Intersection all = first ? intersect1d(*s.others, y, distinct, indices, stream)
                           : intersect1d(x, *s.others, distinct, indices, stream);
  all.values = as_type(*all.values, promote(x.dtype, y.dtype), stream);
  Ref<Array>& taken = first ? all.x_indices : all.y_indices;
  if (indices) taken = take_known(*s.indices, *taken, 0, stream);
  return all;
}

}  // namespace

Ref<Array> isin(const Array& x, const Array& test, bool invert, Stream* stream) {
  check_devices(x, test);
  return members(x, *ravel(test, stream), invert, stream);
}

Ref<Array> union1d(const Array& x, const Array& y, Stream* stream) {
  check_devices(x, y);
  if (is_mixed_pair(x.dtype, y.dtype)) {
    const BySign s(is_signed(x) ? x : y, stream);
    const Ref<Array> below = distinct_elements(*s.negative, false, stream),
                     rest = union1d(*s.others, is_signed(x) ? y : x, stream);
    return joined(*below, *rest, stream);
  }
  const Array* both[] = {&x, &y};
  return unique(*concatenate(both, ARR_AXIS_NONE, DType::none, stream), ARR_AXIS_NONE, {}, stream).values;
}

Ref<Array> setxor1d(const Array& x, const Array& y, bool distinct, Stream* stream) {
  check_devices(x, y);
  if (is_mixed_pair(x.dtype, y.dtype)) {
    const BySign s(is_signed(x) ? x : y, stream);
    const Ref<Array> below = sort(*distinct_elements(*s.negative, distinct, stream), 0, false, stream),
                     rest = setxor1d(*s.others, is_signed(x) ? y : x, distinct, stream);
    return joined(*below, *rest, stream);
  }
  const Pair p(x, y, stream);
  const Ref<Array> a = distinct_elements(*p.x, distinct, stream),
                   b = distinct_elements(*p.y, distinct, stream);
  const Ref<Array> left = where_in(*a, *b, true, stream), right = where_in(*b, *a, true, stream);
  return sort(*joined(*left, *right, stream), 0, false, stream);
}

Intersection intersect1d(const Array& x, const Array& y, bool distinct, bool indices, Stream* stream) {
  check_devices(x, y);
  if (is_mixed_pair(x.dtype, y.dtype)) return intersect_mixed(x, y, distinct, indices, stream);
  const Pair p(x, y, stream);
  if (indices) return with_indices(*p.x, *p.y, distinct, stream);
  const Ref<Array> a = distinct_elements(*p.x, distinct, stream);
  const Ref<Array> both = where_in(*a, *ravel(*p.y, stream), false, stream);
  return {distinct ? sort(*both, 0, false, stream) : both, {}, {}};
}

Ref<Array> setdiff1d(const Array& x, const Array& y, bool distinct, Stream* stream) {
  check_devices(x, y);
  return where_in(*distinct_elements(x, distinct, stream), *ravel(y, stream), true, stream);
}

}  // namespace arr
