// SPDX-License-Identifier: MIT
// Element-wise operations of sparse matrices, which must be 0 where no element is stored.
#include "ops/sparse/elementwise.h"

#include <atomic>

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/index.h"
#include "ops/indexing/join.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/sorting/search.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/nd.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

// True if the op of these operands on the host, arrays of one element or numbers, is 0.
bool gives_zero(const OpInfo& op, std::span<const Input> operands) {
  const Ref<Array> result = elementwise(op, operands, {}, nullptr);
  const Scalar truth = convert(item(*result, {}), DType::bool_);
  return truth.lo == 0;
}

Ref<Array> zero_of(DType d) {
  return full(d, {}, Order::C, convert(scalar_of(int64_t{0}), d), Device{}, nullptr);
}

// The same of two zeros, found once for an op and two types.
bool gives_zero(const OpInfo& op, DType a, DType b) {
  constexpr size_t types = 16;
  static std::array<std::atomic<uint8_t>, static_cast<size_t>(op_limit) * types * types>
      known{};  // 1: no, 2: yes
  std::atomic<uint8_t>& answer = known.at(
      (static_cast<size_t>(op.number) * types + static_cast<size_t>(a)) * types + static_cast<size_t>(b));
  if (answer.load(std::memory_order_relaxed) == 0) {
    const Ref<Array> x = zero_of(a), y = zero_of(b);
    const bool zero = gives_zero(op, std::array{Input{x.get(), {}, false}, Input{y.get(), {}, false}});
    answer.store(zero ? 2 : 1, std::memory_order_relaxed);
  }
  return answer.load(std::memory_order_relaxed) == 2;
}

[[noreturn]] void refuse(const OpInfo& op) {
  fail(
      ARR_E_UNSUPPORTED, "argument op: ", op.name,
      " is not 0 where no element is stored, so the result would be dense; convert with arr_sparse_to_dense");
}

bool is_product(const OpInfo& op) { return op.number == op::multiply; }

// The elements of both matrices that have these keys; 0 where a matrix has none.
Ref<Array> spread(const Keyed& from, const Array& keys, Stream* stream) {
  const DType d = from.data->dtype;
  const int64_t n = keys.layout.shape[0];
  Ref<Array> out = full(d, {&n, 1}, Order::C, convert(scalar_of(int64_t{0}), d), keys.device(), stream);
  if (from.keys->layout.shape[0] != 0) {
    scatter_unique(*out, *searchsorted(keys, *from.keys, false, nullptr, stream), *from.data, stream);
  }
  return out;
}

// The keys of either, in ascending order.
Ref<Array> either(const Array& a, const Array& b, Stream* stream) {
  const Array* both[2] = {&a, &b};
  const SortedVector all = sort_vector(*concatenate(both, 0, DType::none, stream), false, stream);
  const Ref<Array> heads = segment_heads(*all.elements, false, stream);
  return take_known(*all.elements, *flatnonzero(*heads, stream), 0, stream);
}

// The elements of `a` whose keys `b` has, and those of b.
std::pair<Keyed, Ref<Array>> both_have(const Keyed& a, const Keyed& b, Stream* stream) {
  const int64_t n = b.keys->layout.shape[0];
  const auto nothing = [&](DType d) { return vector_like(*a.keys, d, 0, stream); };
  if (n == 0) return {{nothing(DType::int64_), nothing(a.data->dtype)}, nothing(b.data->dtype)};
  const Ref<Array> at = compute(
      {searchsorted(*b.keys, *a.keys, false, nullptr, stream).get()}, stream,
      [&](ProgramBuilder& p, const int32_t* in) { return p.op(op::minimum, in[0], integer(p, n - 1)); });
  const Ref<Array> same = apply(op::equal, {take_known(*b.keys, *at, 0, stream).get(), a.keys.get()}, stream);
  const Ref<Array> mine = flatnonzero(*same, stream), theirs = take_known(*at, *mine, 0, stream);
  return {{take_known(*a.keys, *mine, 0, stream), take_known(*a.data, *mine, 0, stream)},
          take_known(*b.data, *theirs, 0, stream)};
}

Ref<Array> apply_op(const OpInfo& op, const Array& x, const Array& y, Stream* stream) {
  const Input both[2] = {{&x, {}, false}, {&y, {}, false}};
  return elementwise(op, both, {}, stream);
}

// The elements of both matrices in the lines where one has them, or `both`, by the backend's call: counted
// first, then written.
struct Merged {
  Ref<Array> outer, inner, a, b;
};
Merged merge(const Sparse& a, const Sparse& b, bool both, bool wide, Stream* stream) {
  const int64_t lines = a.lines();
  const DType index = wide ? DType::int64_ : DType::int32_;
  const auto cast = [&](const Ref<Array>& x) { return as_type(*x, index, stream); };
  const Ref<Array> parts[6] = {cast(a.outer), cast(a.inner), a.data, cast(b.outer), cast(b.inner), b.data};
  Merged m;
  m.outer = vector_like(*a.data, DType::int64_, lines + 1, stream);
  SparseMergeCall c;
  c.index_type = index;
  c.lines = lines;
  c.a = {parts[0]->data, parts[1]->data, parts[2]->data};
  c.b = {parts[3]->data, parts[4]->data, parts[5]->data};
  c.a_item = item_size(a.dtype());
  c.b_item = item_size(b.dtype());
  c.both = both;
  c.pointers = reinterpret_cast<int64_t*>(m.outer->data);
  const Queue q = queue_for(a.device(), stream);
  for (const auto& part : parts) use_to_read(*part->buffer, q);
  use(*m.outer->buffer, q);
  enqueue(q, api<SparseApi>(q).merge, c);
  const auto count = static_cast<int64_t>(item(*m.outer, {&lines, 1}).lo);
  m.inner = vector_like(*a.data, index, count, stream);
  m.a = vector_like(*a.data, a.dtype(), count, stream);
  m.b = vector_like(*a.data, b.dtype(), count, stream);
  c.indices = m.inner->data;
  c.a_data = m.a->data;
  c.b_data = m.b->data;
  for (const auto* part : {&m.inner, &m.a, &m.b}) use(*(*part)->buffer, q);
  if (count != 0) enqueue(q, api<SparseApi>(q).merge, c);
  return m;
}

bool same_pattern(const Sparse& a, const Sparse& b) {
  return a.format == b.format && a.inner->data == b.inner->data && a.outer->data == b.outer->data;
}

}  // namespace

void check_arity(const OpInfo& op, int32_t nin) {
  if (op.nin == nin) return;
  fail(ARR_E_ARGUMENT, "argument op: ", op.name, " takes ", op.nin, " operands, expected ", nin);
}

Ref<Sparse> sparse_unary(const OpInfo& op, const Sparse& a, Stream* stream) {
  check_arity(op, 1);
  const Ref<Array> zero = zero_of(a.dtype());
  if (!gives_zero(op, std::array{Input{zero.get(), {}, false}})) refuse(op);
  const Ref<Sparse> all = sum_duplicates(a, stream);
  return all->with_data(elementwise(op, std::array{Input{all->data.get(), {}, false}}, {}, stream));
}

Ref<Sparse> sparse_binary(const OpInfo& op, const Sparse& a, const Sparse& b, Stream* stream) {
  check_arity(op, 2);
  if (const Layout left = shape_of(a), right = shape_of(b); !left.same_shape(right)) {
    fail(ARR_E_SHAPE, "argument b: shape ", right.text(), ", expected that of a, ", left.text());
  }
  if (!gives_zero(op, a.dtype(), b.dtype())) refuse(op);
  const Ref<Sparse> left = sum_duplicates(*convert(a, SparseFormat::csr, stream), stream),
                    right = sum_duplicates(*convert(b, SparseFormat::csr, stream), stream);
  if (same_pattern(*left, *right)) {
    return eliminate_zeros(*left->with_data(apply_op(op, *left->data, *right->data, stream)), stream);
  }
  const bool wide = left->index_type() == DType::int64_ || right->index_type() == DType::int64_;
  if (Ref<Sparse> result = combined(op, *left, *right, is_product(op), wide, stream)) return result;
  if (api<SparseApi>(a.device()).merge != nullptr) {
    const Merged m = merge(*left, *right, is_product(op), wide, stream);
    const Ref<Sparse> all =
        make_sparse(SparseFormat::csr, a.extents, {apply_op(op, *m.a, *m.b, stream), m.outer, m.inner}, true,
                    wide, stream);
    return eliminate_zeros(*all, stream);
  }
  const Keyed l{keys_of(*left, stream), left->data}, r{keys_of(*right, stream), right->data};
  Keyed result;
  if (is_product(op)) {
    const auto [mine, theirs] = both_have(l, r, stream);
    result = {mine.keys, apply_op(op, *mine.data, *theirs, stream)};
  } else {
    result.keys = either(*l.keys, *r.keys, stream);
    result.data = apply_op(op, *spread(l, *result.keys, stream), *spread(r, *result.keys, stream), stream);
  }
  return eliminate_zeros(*from_sorted_keys(SparseFormat::csr, a.extents, result, wide, stream), stream);
}

Ref<Sparse> sparse_with(const OpInfo& op, const Sparse& a, const Input& x, Stream* stream) {
  check_arity(op, 2);
  const bool linear = op.number == op::multiply || op.number == op::divide;
  const Ref<Sparse> all = sum_duplicates(a, stream);
  const Array& data = *all->data;
  if (x.array == nullptr) {
    const Ref<Array> zero = zero_of(a.dtype());
    if (!is_product(op) && !gives_zero(op, std::array{Input{zero.get(), {}, false}, x})) refuse(op);
    return all->with_data(elementwise(op, std::array{Input{&data, {}, false}, x}, {}, stream));
  }
  if (!linear) refuse(op);
  const Layout shape = shape_of(a);
  if (!broadcasts_to(x.array->layout, shape)) {
    fail(ARR_E_SHAPE, "argument x: shape ", x.array->layout.text(), " does not broadcast to the matrix's, ",
         shape.text());
  }
  const Ref<Array> dense = x.array->view(broadcast_to(x.array->layout, shape.dims()));
  const std::vector<Ref<Array>> coordinates = coordinates_of(*all, shape, stream);
  std::vector<Index> at(coordinates.size());
  for (size_t i = 0; i < at.size(); ++i) {
    at[i].kind = ARR_INDEX_ARRAY;
    at[i].array = coordinates[i].get();
  }
  const Ref<Array> there = get_items(*dense, at, Bounds::unchecked, stream);
  return all->with_data(apply_op(op, data, *there, stream));
}

}  // namespace arr
