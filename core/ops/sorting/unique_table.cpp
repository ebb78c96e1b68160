// SPDX-License-Identifier: MIT
// Distinct integers of a small range: one pass over the elements fills a lookup table with an entry for each
// number. The range is that of a sample and a little more; an additional entry reports elements outside of
// it.
#include <algorithm>
#include <bit>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/indexing/scatter.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/counting_table.h"
#include "ops/sorting/segments.h"
#include "ops/sorting/sort.h"
#include "ops/sorting/unique.h"

namespace arr {

namespace {

constexpr int64_t min_counted = 4096;  // below this number a sort is as fast
constexpr int64_t range_sample = 2048;

// The range of some elements and a quarter more at both ends, which is in the type.
std::optional<IntegerRange> sampled_range(const Array& vector, int64_t max_count, Stream* stream) {
  const int64_t step = std::max<int64_t>(1, vector.layout.size() / range_sample);
  const std::optional<IntegerRange> r = range_of(*strided_slice(vector, 0, 0, step), max_count, stream);
  if (!r || step == 1) return r;
  const int bits = 8 * static_cast<int>(item_size(vector.dtype));
  const uint64_t half = uint64_t{1} << (bits - 1), top = half - 1 + half;
  const uint64_t first =
      kind(vector.dtype) == DKind::UINT ? r->low : r->low + half;  // counted from the dtype's min
  const uint64_t last = first + static_cast<uint64_t>(r->count) - 1;
  const auto more = static_cast<uint64_t>(std::min(r->count / 4 + 16, (max_count - r->count) / 2));
  const uint64_t below = std::min(more, first), above = std::min(more, top - last);
  return IntegerRange{r->low - below, r->count + static_cast<int64_t>(below + above)};
}

// For each number of the range: a flag whether it occurs, its count, or the index of its first occurrence
// (-1: none).
struct Table {
  enum class Kind { flags, counts, indices } kind;
  Ref<Array> entries;
  [[nodiscard]] int64_t absent() const { return kind == Kind::indices ? -1 : 0; }
};

Table table_of(Table::Kind kind, const Array& vector, const IntegerRange& range, Stream* stream) {
  const DType d = kind == Table::Kind::flags ? DType::bool_ : DType::int64_;
  Table t{kind, {}};
  const int64_t size = range.count + 1;
  t.entries = full(d, {&size, 1}, Order::C, convert(scalar_of(t.absent()), d), vector.device(), stream);
  if (kind == Table::Kind::indices) {
    // From the last element to the first, so that the first occurrence wins.
    const int64_t n = vector.layout.size();
    const Ref<Array> indices = index_vector(n, vector.device(), stream);
    scatter_into_table(*t.entries, range, *reversed(vector, 0), reversed(*indices, 0).get(), select_second(d),
                       stream);
    return t;
  }
  const DType both[2] = {d, d};
  const Program& combine =
      kind == Table::Kind::counts ? single_op(*op_info(op::add), both, d) : select_second(d);
  scatter_into_table(*t.entries, range, vector, nullptr, combine, stream);
  return t;
}

// The numbers that occur, counted from the begin of the range.
Ref<Array> present(const Table& t, int64_t count, Stream* stream) {
  const Ref<Array> entries = slice_axis(*t.entries, 0, 0, count);
  if (t.kind != Table::Kind::indices) return flatnonzero(*entries, stream);
  const Ref<Array> met = compute({entries.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::greater_equal, in[0], integer(b, 0));
  });
  return flatnonzero(*met, stream);
}

// ranks[number of the element], where ranks[numbers[i]] = to[i].
Ref<Array> ranks_of(const Array& vector, const IntegerRange& range, const Array& numbers, const Array& to,
                    Stream* stream) {
  const Ref<Array> ranks = vector_like(vector, DType::int64_, range.count, stream);
  scatter_unique(*ranks, numbers, to, stream);
  ProgramBuilder b;
  const int32_t x = b.input(vector.dtype), table = b.input(DType::table_);
  b.output(b.step(op::take, DType::int64_, table, table_index(b, x, range)));
  const BoundProgram p = b.finish();
  return run(*p.program, Inputs(p, {&vector}, {ranks.get()}).all(), Order::C, stream);
}

// The table that yields most of the requested results, over a range that has all elements; nullopt if that is
// large.
struct Main {
  IntegerRange range;
  Table table;
};
std::optional<Main> main_table(const Array& vector, const UniqueOptions& o, int64_t max_count,
                               Stream* stream) {
  using Kind = Table::Kind;
  const Kind kind = o.indices || o.by_occurrence ? Kind::indices : o.counts ? Kind::counts : Kind::flags;
  std::optional<IntegerRange> range = sampled_range(vector, max_count, stream);
  for (int tries = 0; range && tries < 2; ++tries) {
    Main m{*range, table_of(kind, vector, *range, stream)};
    if (static_cast<int64_t>(item(*m.table.entries, {&m.range.count, 1}).lo) == m.table.absent()) return m;
    range = range_of(vector, max_count, stream);
  }
  return {};
}

}  // namespace

std::optional<IntegerRange> range_of(const Array& a, int64_t max_count, Stream* stream) {
  const DType wide = kind(a.dtype) == DKind::UINT ? DType::uint64_ : DType::int64_;
  const auto extreme = [&](int32_t number) {
    return convert(reduce_item(*reduction_info(number), a, stream), wide).lo;
  };
  const uint64_t low = extreme(reduction::min), beyond = extreme(reduction::max) - low;
  if (beyond >= static_cast<uint64_t>(max_count)) return {};
  return IntegerRange{low, static_cast<int64_t>(beyond) + 1};
}

int32_t table_index(ProgramBuilder& b, int32_t x, const IntegerRange& range) {
  return b.op(op::subtract, b.cast(x, DType::int64_), integer(b, static_cast<int64_t>(range.low)));
}

void scatter_into_table(const Array& table, const IntegerRange& range, const Array& vector,
                        const Array* values, const Program& combine, Stream* stream) {
  const int64_t n = vector.layout.size(), item = table.item();
  ProgramBuilder b;
  const int32_t x = b.input(vector.dtype), value = values == nullptr ? -1 : b.input(values->dtype);
  // As unsigned numbers, numbers below the range are above it.
  int32_t at = b.op(op::minimum, b.cast(table_index(b, x, range), DType::uint64_),
                    b.cast(integer(b, range.count), DType::uint64_));
  at = b.cast(at, DType::int64_);
  b.output(item == 1 ? at
                     : b.op(op::left_shift, at, integer(b, std::countr_zero(static_cast<uint64_t>(item)))));
  b.output(values == nullptr ? b.scalar(convert(scalar_of(int64_t{1}), table.dtype), false) : value);
  const BoundProgram map = b.finish();
  const int64_t strides[2][max_ndim] = {{vector.layout.strides[0]},
                                        {values == nullptr ? 0 : values->layout.strides[0]}};
  const Array* arrays[] = {&vector, values};
  const Inputs inputs(map, {arrays, values == nullptr ? size_t{1} : size_t{2}});
  Scatter s;
  s.target = &table;
  s.shape.ndim = 1;
  s.shape.shape[0] = n;
  s.shape.strides[0] = 0;
  s.map = map.program;
  s.combine = &combine;
  s.inputs = inputs.all();
  s.strides = strides;
  run_scatter(s, stream);
}

std::optional<Unique> unique_by_table(const Array& vector, const UniqueOptions& o, Stream* stream) {
  const int64_t n = vector.layout.size();
  if (vector.device().type != ARR_HOST || !is_integer_or_bool(vector.dtype) || n < min_counted) return {};
  const bool plain = !o.indices && !o.by_occurrence && !o.inverse && !o.counts;
  const int64_t max_count = plain ? 8 * n : 2 * n;
  const std::optional<Main> found = main_table(vector, o, max_count, stream);
  if (!found) return {};
  const IntegerRange& range = found->range;
  const Table& main = found->table;
  const Ref<Array> numbers = present(main, range.count, stream);
  Unique u;
  u.values = compute({numbers.get()}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.cast(b.op(op::add, in[0], integer(b, static_cast<int64_t>(range.low))), vector.dtype);
  });
  if (o.indices || o.by_occurrence) u.indices = take_known(*main.entries, *numbers, 0, stream);
  if (o.counts) {
    const Ref<Array> counts = main.kind == Table::Kind::counts
                                  ? main.entries
                                  : table_of(Table::Kind::counts, vector, range, stream).entries;
    u.counts = take_known(*counts, *numbers, 0, stream);
  }
  const Ref<Array> order = arrange(&u, o, stream);
  if (!o.inverse) return u;
  const int64_t count = numbers->layout.size();
  const Ref<Array> to =
      order ? inverse_permutation(*order, stream) : index_vector(count, vector.device(), stream);
  u.inverse = ranks_of(vector, range, *numbers, *to, stream);
  return u;
}

}  // namespace arr
