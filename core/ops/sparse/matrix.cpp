// SPDX-License-Identifier: MIT
// The parts of sparse matrices: checks, index types, and the canonical form.
#include "backend/sparse.h"
#include "base/checked.h"
#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sparse/sparse.h"
#include "runtime/dispatch.h"
#include "runtime/recorders.h"

namespace arr {

void check_vector(const Array& a, const char* argument, int64_t length) {
  if (a.layout.ndim == 1 && (length < 0 || a.layout.shape[0] == length)) return;
  if (length < 0)
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(), ", expected one dimension");
  fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(), ", expected (", length, ",)");
}

void check_index_type(const Array& a, const char* argument) {
  if (is_integer(a.dtype)) return;
  fail(ARR_E_DTYPE, "argument ", argument, ": got ", name(a.dtype), ", expected integers");
}

void check_range(const Array& a, int64_t extent, const char* argument, Stream* stream) {
  const int64_t n = a.layout.shape[0];
  if (n == 0) return;
  const auto least = static_cast<int64_t>(
      convert(reduce_item(*reduction_info(reduction::min), a, stream), DType::int64_).lo);
  const auto largest = static_cast<int64_t>(
      convert(reduce_item(*reduction_info(reduction::max), a, stream), DType::int64_).lo);
  if (least >= 0 && largest < extent) return;
  const Ref<Array> wrong = compute({&a}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t x = b.cast(in[0], DType::int64_);
    return b.op(op::logical_or, b.op(op::less, x, integer(b, 0)),
                b.op(op::greater_equal, x, integer(b, extent)));
  });
  const auto at = static_cast<int64_t>(reduce_item(*reduction_info(reduction::argmax), *wrong, stream).lo);
  const Scalar value = convert(item(a, {&at, 1}), DType::int64_);
  fail(ARR_E_ARGUMENT, "argument ", argument, ": ", static_cast<int64_t>(value.lo), " at position ", at,
       extent == 0 ? ", expected no element" : text(", expected 0 to ", extent - 1));
}

namespace {

// Throws unless the pointers begin with 0, do not decrease and end with nnz. Waits.
void check_pointers(const Array& a, int64_t nnz, Stream* stream) {
  const auto at = [&](int64_t i) {
    return static_cast<int64_t>(convert(item(a, {&i, 1}), DType::int64_).lo);
  };
  const int64_t last = a.layout.shape[0] - 1;
  if (at(0) != 0) fail(ARR_E_ARGUMENT, "argument indptr: ", at(0), " at position 0, expected 0");
  if (at(last) != nnz) {
    fail(ARR_E_ARGUMENT, "argument indptr: ", at(last), " at position ", last,
         ", expected the number of indices, ", nnz);
  }
  if (last == 0) return;
  const Ref<Array> later = slice_axis(a, 0, 1, last + 1), earlier = slice_axis(a, 0, 0, last);
  const Ref<Array> falls = apply(op::less, {later.get(), earlier.get()}, stream);
  const auto first = static_cast<int64_t>(reduce_item(*reduction_info(reduction::argmax), *falls, stream).lo);
  if (item(*falls, {&first, 1}).lo == 0) return;
  fail(ARR_E_ARGUMENT, "argument indptr: ", at(first + 1), " at position ", first + 1,
       ", less than the one before, ", at(first));
}

// True if no one else can write the memory from now on: it is the library's, of which nobody has the address,
// and this array is its only user, or all users may only read it.
bool is_ours(const Buffer& memory) {
  if (memory.foreign() || memory.exposed.load(std::memory_order_relaxed)) return false;
  return memory.constant.load(std::memory_order_acquire) != 0 || !memory.shared();
}

// The caller's integers as an index array.
Ref<Array> adopt(const Array& a, DType d, Stream* stream) {
  if (a.dtype != d || !a.contiguous) return contiguous(*as_type(a, d, stream), Order::C, stream);
  return is_ours(*a.buffer) ? a.share() : copy(a, Order::C, stream);
}

// The type of indices of both arrays: int64 if one of them is, or if the values may need it. No value wraps
// around to one in range.
DType common_index_type(const Extents& e, int64_t nnz, const Array& a, const Array& b) {
  const auto wide = [](DType d) { return item_size(d) == 8 || d == DType::uint32_; };
  return index_type_for(e, nnz, wide(a.dtype) || wide(b.dtype));
}

Device check_devices(const Array& data, const Array& a, const Array& b) {
  const Input all[3] = {{&data, {}, false}, {&a, {}, false}, {&b, {}, false}};
  return common_device(all);
}

bool is_ordered(const Sparse& a, Stream* stream) {
  const Queue q = queue_for(a.device(), stream);
  const auto check = api<SparseApi>(q).check;
  if (check == nullptr) return !any_neighbours(op::less_equal, *keys_of(a, stream), stream);
  const Ref<Array> count = empty(DType::int64_, {}, Order::C, a.device(), stream);
  SparseCheckCall c;
  c.index_type = a.index_type();
  c.coo = !a.compressed();
  c.lines = a.lines();
  c.nnz = a.nnz();
  c.outer = a.outer->data;
  c.inner = a.inner->data;
  c.count = reinterpret_cast<int64_t*>(count->data);
  use_to_read(*a.outer->buffer, q);
  use_to_read(*a.inner->buffer, q);
  use(*count->buffer, q);
  enqueue(q, check, c);
  return item(*count, {}).lo == 0;
}

}  // namespace

const char* name(SparseFormat format) noexcept {
  return format == SparseFormat::coo ? "coo" : format == SparseFormat::csr ? "csr" : "csc";
}

Sparse::Sparse(SparseFormat form, const Extents& e, Parts parts, bool canonical,
               std::shared_ptr<const Layout> shape)
    : format(form),
      extents(e),
      data(std::move(parts.data)),
      outer(std::move(parts.outer)),
      inner(std::move(parts.inner)),
      nd(std::move(shape)),
      canonical_(canonical ? 1 : -1) {
  outer->buffer->constant.fetch_add(1, std::memory_order_acq_rel);
  inner->buffer->constant.fetch_add(1, std::memory_order_acq_rel);
}

Sparse::~Sparse() {
  outer->buffer->constant.fetch_sub(1, std::memory_order_acq_rel);
  inner->buffer->constant.fetch_sub(1, std::memory_order_acq_rel);
}

bool Sparse::canonical(Stream* stream) const {
  const std::lock_guard lock(mutex_);
  if (canonical_ < 0) {
    canonical_ = nnz() < 2 || is_ordered(*this, stream) ? 1 : 0;
  }
  return canonical_ == 1;
}

Ref<Sparse> Sparse::rows(Stream* stream) const {
  if (format == SparseFormat::csr) return share();
  const std::lock_guard lock(orders_->mutex);
  Order& kept = turned_ ? orders_->turned : orders_->own;
  if (!kept.order) {
    Order found = order_by_rows(*this, stream);
    // A recorded operation that fails later would fail in each product.
    for (const auto* part : {&found.outer, &found.inner, &found.order}) materialize(*(*part)->buffer);
    kept = std::move(found);
  }
  Ref<Sparse> out = make<Sparse>(SparseFormat::csr, extents,
                                 Parts{take_known(*data, *kept.order, 0, stream), kept.outer, kept.inner},
                                 known_canonical());
  auto& plans = turned_ ? orders_->turned_plans : orders_->plans;
  if (plans == nullptr) plans = std::make_shared<SparsePlans>();
  out->orders_->plans = plans;
  return out;
}

std::shared_ptr<SparsePlans> Sparse::plans() const {
  const std::lock_guard lock(orders_->mutex);
  auto& plans = turned_ ? orders_->turned_plans : orders_->plans;
  if (plans == nullptr) plans = std::make_shared<SparsePlans>();
  return plans;
}

Ref<Sparse> Sparse::transpose() const {
  const Extents other{extents.columns, extents.rows};
  Ref<Sparse> out;
  if (format == SparseFormat::coo) {
    out = make<Sparse>(format, other, Parts{data, inner, outer}, false);
  } else {
    const SparseFormat turned = format == SparseFormat::csr ? SparseFormat::csc : SparseFormat::csr;
    out = make<Sparse>(turned, other, Parts{data, outer, inner}, known_canonical());
  }
  out->orders_ = orders_;
  out->turned_ = !turned_;
  return out;
}

void check_extents(const Extents& e) {
  for (const auto& [extent, argument] : {std::pair{e.rows, "rows"}, std::pair{e.columns, "columns"}}) {
    if (extent < 0) fail(ARR_E_SHAPE, "argument ", argument, ": ", extent, " is negative");
  }
  checked::mul(e.rows, e.columns, "rows times columns");
}

void check_lines(int64_t lines, const char* argument) {
  if (lines < max_iota) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": ", lines,
       " rows or columns are too many for a compressed format");
}

DType index_type_for(const Extents& e, int64_t nnz, bool wide) {
  constexpr int64_t limit = int64_t{1} << 31;
  return wide || e.rows >= limit || e.columns >= limit || nnz >= limit ? DType::int64_ : DType::int32_;
}

Ref<Sparse> make_sparse(SparseFormat format, const Extents& extents, Sparse::Parts parts, bool canonical,
                        bool wide, Stream* stream) {
  const DType d = index_type_for(extents, parts.data->layout.shape[0], wide);
  parts.outer = contiguous(*as_type(*parts.outer, d, stream), Order::C, stream);
  parts.inner = contiguous(*as_type(*parts.inner, d, stream), Order::C, stream);
  return make<Sparse>(format, extents, std::move(parts), canonical);
}

Ref<Sparse> sparse_coo(const Extents& e, const Array& data, const Array& row, const Array& column,
                       Stream* stream) {
  check_extents(e);
  check_vector(data, "data", -1);
  const int64_t nnz = data.layout.shape[0];
  check_vector(row, "row", nnz);
  check_vector(column, "col", nnz);
  check_index_type(row, "row");
  check_index_type(column, "col");
  check_devices(data, row, column);
  const DType d = common_index_type(e, nnz, row, column);
  // Checked where they will stay, so that nobody changes them after the check.
  Ref<Sparse> out = make<Sparse>(
      SparseFormat::coo, e,
      Sparse::Parts{contiguous(data, Order::C, stream), adopt(row, d, stream), adopt(column, d, stream)},
      false);
  check_range(*out->outer, e.rows, "row", stream);
  check_range(*out->inner, e.columns, "col", stream);
  return out;
}

Ref<Sparse> sparse_compressed(SparseFormat format, const Extents& e, const Array& data, const Array& indices,
                              const Array& pointers, Stream* stream) {
  check_extents(e);
  check_vector(data, "data", -1);
  const int64_t nnz = data.layout.shape[0];
  const bool by_rows = format == SparseFormat::csr;
  check_vector(indices, "indices", nnz);
  check_vector(pointers, "indptr",
               checked::add(by_rows ? e.rows : e.columns, 1, "the number of rows or columns"));
  check_index_type(indices, "indices");
  check_index_type(pointers, "indptr");
  check_devices(data, indices, pointers);
  const DType d = common_index_type(e, nnz, indices, pointers);
  // Checked where they will stay, so that nobody changes them after the check.
  Ref<Sparse> out = make<Sparse>(format, e,
                                 Sparse::Parts{contiguous(data, Order::C, stream), adopt(pointers, d, stream),
                                               adopt(indices, d, stream)},
                                 false);
  check_pointers(*out->outer, nnz, stream);
  check_range(*out->inner, by_rows ? e.columns : e.rows, "indices", stream);
  return out;
}

Ref<Sparse> with_data(const Sparse& a, const Array& data, Stream* stream) {
  check_vector(data, "data", a.nnz());
  check_devices(data, *a.outer, *a.inner);
  return a.with_data(contiguous(data, Order::C, stream));
}

Ref<Sparse> astype(const Sparse& a, DType dtype, Casting casting, Stream* stream) {
  return a.with_data(astype(*a.data, dtype, casting, Order::C, stream));
}

}  // namespace arr
