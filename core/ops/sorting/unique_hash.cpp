// SPDX-License-Identifier: MIT
// Distinct 64-bit elements that occur often, on the host. They are sorted by 32-bit hashes, because a sort by
// the elements would look up every element again. Elements with the same hash may be interleaved, so that one
// element has several segments; a sort of the segments merges these.
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/program_cache.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/segments.h"
#include "ops/sorting/sort.h"
#include "ops/sorting/unique.h"

namespace arr {

namespace {

constexpr int64_t min_hashed = int64_t{1} << 16, max_hashed = int64_t{1} << 32;
constexpr int64_t hash_sample = int64_t{1} << 14;

int32_t word(ProgramBuilder& b, uint64_t x) { return b.scalar({DType::uint64_, x, 0}, false); }

// Returns whether a sample has as many repetitions as one of n elements with n / 2 distinct values.
bool repeats(const Array& vector, Stream* stream) {
  const int64_t n = vector.layout.size();
  const Ref<Array> some = sort(*strided_slice(vector, 0, 0, n / hash_sample), 0, false, stream);
  const int64_t count = some->layout.size();
  const Ref<Array> starts = segment_heads(*some, true, stream);
  const auto distinct = reduce_item(*reduction_info(reduction::count_nonzero), *starts, stream).lo;
  return count - static_cast<int64_t>(distinct) > count * count / n;
}

BoundProgram hashes(DType d) {
  ProgramBuilder b;
  const int32_t x = b.input(d), bits = b.input(DType::uint64_);
  int32_t key = bits;
  if (is_floating(d)) {
    key = b.op(op::where, b.op(op::equal, x, number(b, 0)), word(b, 0), key);
    key = b.op(op::where, b.op(op::isnan, x), word(b, ~uint64_t{0}), key);
  }
  key = b.op(op::bitwise_xor, key, b.op(op::right_shift, key, word(b, 32)));
  key = b.op(op::multiply, key, word(b, 0x9e3779b97f4a7c15));  // 2^64 / the golden ratio
  b.output(b.cast(b.op(op::right_shift, key, word(b, 32)), DType::uint32_));
  return b.finish();
}

// The indices that sort the elements by their hashes.
Ref<Array> indices_by_hash(const Array& vector, Stream* stream) {
  static auto* programs = new ProgramCache;
  const BoundProgram& p =
      programs->get(static_cast<uint64_t>(vector.dtype), [&] { return hashes(vector.dtype); });
  const Ref<Array> bits =
      make<Array>(vector.buffer, vector.data, DType::uint64_, vector.layout, vector.readonly);
  std::vector<Input> inputs = {{&vector, {}, false}, {bits.get(), {}, false}};
  add_constants(p, &inputs);
  return argsort(*run(*p.program, inputs, Order::C, stream), 0, false, stream);
}

// The sum of the preceding lengths, for each element.
Ref<Array> sums_before(const Array& lengths, Stream* stream) {
  ScanOptions o;
  o.reduction = reduction::sum;
  o.initial = true;
  return slice_axis(*scan(o, lengths, 0, stream), 0, 0, lengths.layout.size());
}

}  // namespace

std::optional<Unique> unique_by_hash(const Array& vector, const UniqueOptions& o, Stream* stream) {
  const int64_t n = vector.layout.size();
  const bool fits = vector.item() == 8 && !is_complex(vector.dtype) && n >= min_hashed && n < max_hashed;
  if (vector.device().type != ARR_HOST || !fits || !repeats(vector, stream)) return {};
  const Ref<Array> indices = indices_by_hash(vector, stream);
  const Ref<Array> starts = segment_heads(*take_known(vector, *indices, 0, stream), o.equal_nan, stream);
  const Ref<Array> begin = flatnonzero(*starts, stream);
  const Ref<Array> first = take_known(*indices, *begin, 0, stream);  // length of each segment
  const SortedVector pieces = sort_vector(*take_known(vector, *first, 0, stream), true, stream);
  const Ref<Array> joined = segment_heads(*pieces.elements, o.equal_nan, stream);
  const Ref<Array> groups = flatnonzero(*joined, stream);

  Unique u;
  u.values = take_known(*pieces.elements, *groups, 0, stream);
  u.indices = take_known(*take_known(*first, *pieces.indices, 0, stream), *groups, 0, stream);
  if (o.counts) {
    const Ref<Array> lengths = take_known(*segment_lengths(*begin, n, stream), *pieces.indices, 0, stream);
    u.counts = segment_lengths(*take_known(*sums_before(*lengths, stream), *groups, 0, stream), n, stream);
  }
  const Ref<Array> order = arrange(&u, o, stream);
  if (o.inverse) {
    const Ref<Array> renumber = order ? inverse_permutation(*order, stream) : Ref<Array>();
    const Ref<Array> ranks =
        scatter_ids(*pieces.indices, *segment_ids(*joined, stream), renumber.get(), stream);
    u.inverse = scatter_ids(*indices, *segment_ids(*starts, stream), ranks.get(), stream);
  }
  return u;
}

}  // namespace arr
