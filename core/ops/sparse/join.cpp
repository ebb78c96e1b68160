// SPDX-License-Identifier: MIT
// Joins sparse matrices: lines below lines by moving pointers, lines beside lines by the backend's call or by
// the coordinates of all elements. Kronecker products, their sums, and powers.
#include "ops/sparse/join.h"

#include <algorithm>

#include "backend/sparse.h"
#include "expr/op_numbers.h"
#include "expr/ops.h"
#include "ops/elementwise/array_ops.h"
#include "ops/indexing/join.h"
#include "ops/sorting/segments.h"
#include "ops/sparse/build.h"
#include "ops/sparse/elementwise.h"
#include "ops/sparse/products.h"
#include "runtime/dispatch.h"

namespace arr {

namespace {

using Parts = std::vector<Ref<Sparse>>;

Ref<Array> plus(const Array& x, int64_t n, Stream* stream) {
  return compute({&x}, stream, [&](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::add, b.cast(in[0], DType::int64_), integer(b, n));
  });
}

Ref<Array> joined_vectors(const std::vector<Ref<Array>>& vectors, DType d, Stream* stream) {
  std::vector<const Array*> all;
  all.reserve(vectors.size());
  for (const auto& v : vectors) all.push_back(v.get());
  return concatenate(all, 0, d, stream);
}

bool any_wide(const Parts& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [](const auto& p) { return p->index_type() == DType::int64_; });
}

// The parts in a format; all on one device.
Parts converted(SparseList given, SparseFormat format, Stream* stream) {
  Parts parts;
  for (const Sparse* p : given) {
    if (p->device() != given[0]->device()) {
      fail(ARR_E_ARGUMENT, "argument parts: on ", device_text(given[0]->device()), " and on ",
           device_text(p->device()));
    }
    parts.push_back(p->format == format ? p->share() : convert(*p, format, stream));
  }
  return parts;
}

DType common_type(const Parts& parts) {
  std::vector<OperandType> types;
  types.reserve(parts.size());
  for (const auto& p : parts) types.push_back({p->dtype(), false});
  return common_type(types);
}

// Lines of all parts, one after the other. diagonal: the indices of each part come after those of the parts
// before; otherwise they are the same.
Ref<Sparse> below(SparseFormat format, const Extents& e, const Parts& parts, bool diagonal, Stream* stream) {
  const bool coo = format == SparseFormat::coo;
  std::vector<Ref<Array>> outer, inner, data;
  int64_t lines = 0, width = 0, nnz = 0;
  bool canonical = true;
  for (const auto& p : parts) {
    const int64_t n = p->outer->layout.shape[0];
    // All but the first begin of a line are the ends of the parts' lines.
    const Ref<Array> ends = coo || outer.empty() ? p->outer : slice_axis(*p->outer, 0, 1, n);
    outer.push_back(coo ? plus(*ends, lines, stream) : nnz == 0 ? ends : plus(*ends, nnz, stream));
    inner.push_back(diagonal && width != 0 ? plus(*p->inner, width, stream) : p->inner);
    data.push_back(p->data);
    lines += p->lines();
    width += p->width();
    nnz += p->nnz();
    canonical = canonical && p->known_canonical();
  }
  return make_sparse(format, e,
                     {joined_vectors(data, common_type(parts), stream),
                      joined_vectors(outer, DType::none, stream), joined_vectors(inner, DType::none, stream)},
                     canonical, any_wide(parts), stream);
}

// The elements of each line of all parts, by the backend's call.
Ref<Sparse> beside_by_lines(SparseFormat format, const Extents& e, const Parts& parts, Stream* stream) {
  const DType d = common_type(parts);
  int64_t nnz = 0, width = 0;
  bool canonical = true;
  for (const auto& p : parts) {
    nnz = checked::add(nnz, p->nnz(), "the number of elements");
    canonical = canonical && p->known_canonical();
  }
  const bool wide = any_wide(parts);
  const DType index = index_type_for(e, nnz, wide);
  std::vector<Ref<Array>> read;
  std::vector<const void*> addresses;
  std::vector<int64_t> offsets;
  for (const auto& p : parts) {
    const Ref<Array> three[3] = {as_type(*p->outer, index, stream), as_type(*p->inner, index, stream),
                                 as_type(*p->data, d, stream)};
    for (const auto& part : three) {
      addresses.push_back(part->data);
      read.push_back(part);
    }
    offsets.push_back(width);
    width += p->width();
  }
  const int64_t lines = parts[0]->lines();
  const Ref<Array> pointers = vector_like(*parts[0]->data, index, lines + 1, stream),
                   indices = vector_like(*parts[0]->data, index, nnz, stream),
                   data = vector_like(*parts[0]->data, d, nnz, stream);
  SparseJoinCall c;
  c.index_type = index;
  c.item = item_size(d);
  c.lines = lines;
  c.nnz = nnz;
  c.n = std::ssize(parts);
  c.parts = addresses.data();
  c.offsets = offsets.data();
  c.pointers = pointers->data;
  c.indices = indices->data;
  c.data = data->data;
  const Queue q = queue_for(parts[0]->device(), stream);
  for (const auto& part : read) use_to_read(*part->buffer, q);
  for (const auto* out : {&pointers, &indices, &data}) use(*(*out)->buffer, q);
  enqueue(q, api<SparseApi>(q).join, c);
  return make_sparse(format, e, {data, pointers, indices}, canonical, wide, stream);
}

// The same by coordinates, whose columns move if `columns`, otherwise their rows.
Ref<Sparse> by_coordinates(SparseFormat format, const Extents& e, SparseList given, bool columns,
                           Stream* stream) {
  const Parts parts = converted(given, SparseFormat::coo, stream);
  std::vector<Ref<Array>> row, column, data;
  int64_t before = 0;
  for (const auto& p : parts) {
    row.push_back(columns ? p->outer : plus(*p->outer, before, stream));
    column.push_back(columns ? plus(*p->inner, before, stream) : p->inner);
    data.push_back(p->data);
    before += columns ? p->extents.columns : p->extents.rows;
  }
  const Ref<Sparse> all =
      make_sparse(SparseFormat::coo, e,
                  {joined_vectors(data, common_type(parts), stream), joined_vectors(row, DType::none, stream),
                   joined_vectors(column, DType::none, stream)},
                  false, any_wide(parts), stream);
  return convert(*all, format, stream);
}

void check_parts(SparseList parts) {
  if (parts.empty()) fail(ARR_E_ARGUMENT, "argument n: no matrix, expected 1 or more");
}

Ref<Sparse> zeros_of(const Extents& e, const Sparse& like, SparseFormat format, Stream* stream) {
  const auto nothing = [&](DType d) { return vector_like(*like.data, d, 0, stream); };
  return from_sorted_keys(format, e, {nothing(DType::int64_), nothing(like.dtype())}, false, stream);
}

void check_square(const Sparse& a, const char* argument) {
  if (a.extents.rows == a.extents.columns) return;
  fail(ARR_E_SHAPE, "argument ", argument, ": shape (", a.extents.rows, ",", a.extents.columns,
       "), expected a square matrix");
}

}  // namespace

Ref<Sparse> concatenate(SparseList parts, int32_t axis, SparseFormat format, Stream* stream) {
  check_parts(parts);
  axis = normalize_axis(2, axis);
  Extents e = parts[0]->extents;
  for (size_t i = 1; i < parts.size(); ++i) {
    const Extents& p = parts[i]->extents;
    if (axis == 0 ? p.columns != e.columns : p.rows != e.rows) {
      fail(ARR_E_SHAPE, "argument parts: (", p.rows, ",", p.columns, ") at position ", i, ", expected ",
           axis == 0 ? e.columns : e.rows, axis == 0 ? " columns" : " rows");
    }
    if (axis == 0) e.rows = checked::add(e.rows, p.rows, "the number of rows");
    if (axis == 1) e.columns = checked::add(e.columns, p.columns, "the number of columns");
  }
  check_extents(e);
  const bool along_lines = axis == (format == SparseFormat::csc ? 1 : 0);
  if (format != SparseFormat::coo) check_lines(format == SparseFormat::csc ? e.columns : e.rows, "parts");
  if (along_lines && format != SparseFormat::coo) {
    return below(format, e, converted(parts, format, stream), false, stream);
  }
  const bool joins = format != SparseFormat::coo && api<SparseApi>(parts[0]->device()).join != nullptr;
  if (joins) return beside_by_lines(format, e, converted(parts, format, stream), stream);
  return by_coordinates(format, e, parts, axis == 1, stream);
}

Ref<Sparse> sparse_block(SparseList blocks, int64_t columns, SparseFormat format, Stream* stream) {
  check_parts(blocks);
  const int64_t rows = std::ssize(blocks) / columns;
  std::vector<int64_t> heights(static_cast<size_t>(rows), -1), widths(static_cast<size_t>(columns), -1);
  const Sparse* any = nullptr;
  for (int64_t i = 0; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) {
      const Sparse* b = blocks[static_cast<size_t>(i * columns + j)];
      if (b == nullptr) continue;
      any = b;
      int64_t &height = heights[static_cast<size_t>(i)], &width = widths[static_cast<size_t>(j)];
      if ((height >= 0 && height != b->extents.rows) || (width >= 0 && width != b->extents.columns)) {
        fail(ARR_E_SHAPE, "argument blocks: (", b->extents.rows, ",", b->extents.columns, ") in row ", i,
             " and column ", j, ", where other blocks have ",
             height < 0 ? "any number of" : std::to_string(height), " rows and ",
             width < 0 ? "any number of" : std::to_string(width), " columns");
      }
      height = b->extents.rows;
      width = b->extents.columns;
    }
  }
  const auto missing = [](const std::vector<int64_t>& extents) {
    return std::find(extents.begin(), extents.end(), -1) - extents.begin();
  };
  if (missing(heights) < rows) {
    fail(ARR_E_ARGUMENT, "argument blocks: no block in row ", missing(heights), ", expected one at least");
  }
  if (missing(widths) < columns) {
    fail(ARR_E_ARGUMENT, "argument blocks: no block in column ", missing(widths), ", expected one at least");
  }
  Parts kept;
  std::vector<const Sparse*> row, all;
  for (int64_t i = 0; i < rows; ++i) {
    row.clear();
    for (int64_t j = 0; j < columns; ++j) {
      const Sparse* b = blocks[static_cast<size_t>(i * columns + j)];
      if (b == nullptr) {
        const Extents e{heights[static_cast<size_t>(i)], widths[static_cast<size_t>(j)]};
        kept.push_back(zeros_of(e, *any, SparseFormat::csr, stream));
        b = kept.back().get();
      }
      row.push_back(b);
    }
    kept.push_back(concatenate(row, 1, SparseFormat::csr, stream));
    all.push_back(kept.back().get());
  }
  return convert(*concatenate(all, 0, SparseFormat::csr, stream), format, stream);
}

Ref<Sparse> block_diagonal(SparseList parts, SparseFormat format, Stream* stream) {
  check_parts(parts);
  Extents e;
  for (const Sparse* p : parts) {
    e.rows = checked::add(e.rows, p->extents.rows, "the number of rows");
    e.columns = checked::add(e.columns, p->extents.columns, "the number of columns");
  }
  check_extents(e);
  if (format != SparseFormat::coo) check_lines(format == SparseFormat::csc ? e.columns : e.rows, "parts");
  return below(format, e, converted(parts, format, stream), true, stream);
}

Ref<Sparse> kron(const Sparse& a, const Sparse& b, SparseFormat format, Stream* stream) {
  if (a.device() != b.device()) {
    fail(ARR_E_ARGUMENT, "the operands are on ", device_text(a.device()), " and on ",
         device_text(b.device()));
  }
  const Extents e{checked::mul(a.extents.rows, b.extents.rows, "the number of rows"),
                  checked::mul(a.extents.columns, b.extents.columns, "the number of columns")};
  check_extents(e);
  checked::mul(a.nnz(), b.nnz(), "the number of elements");
  // Each element of a, times all of b.
  const auto pairs = [&](const Array& x, const Array& y, int64_t extent) {
    const Ref<Array> column = expand_axis(x, 1), row = expand_axis(y, 0);
    return ravel(*compute({column.get(), row.get()}, stream,
                          [&](ProgramBuilder& p, const int32_t* in) {
                            const int32_t begin =
                                p.op(op::multiply, p.cast(in[0], DType::int64_), integer(p, extent));
                            return p.op(op::add, begin, p.cast(in[1], DType::int64_));
                          }),
                 stream);
  };
  const DType d = promote(a.dtype(), b.dtype());
  const Ref<Array> x = expand_axis(*as_type(*a.data, d, stream), 1),
                   y = expand_axis(*as_type(*b.data, d, stream), 0);
  const Ref<Array> data = ravel(*apply(op::multiply, {x.get(), y.get()}, stream), stream);
  const bool wide = a.index_type() == DType::int64_ || b.index_type() == DType::int64_;
  const Ref<Sparse> all =
      make_sparse(SparseFormat::coo, e,
                  {data, pairs(*rows_of(a, stream), *rows_of(b, stream), b.extents.rows),
                   pairs(*columns_of(a, stream), *columns_of(b, stream), b.extents.columns)},
                  false, wide, stream);
  return convert(*all, format, stream);
}

Ref<Sparse> kronsum(const Sparse& a, const Sparse& b, SparseFormat format, Stream* stream) {
  check_square(a, "a");
  check_square(b, "b");
  const DType d = promote(a.dtype(), b.dtype());
  const auto one = [&](const Sparse& of) { return sparse_eye(of.extents, 0, d, of.device(), stream); };
  const Ref<Sparse> left = kron(*one(b), a, SparseFormat::csr, stream),
                    right = kron(b, *one(a), SparseFormat::csr, stream);
  return convert(*sparse_binary(*op_info(op::add), *left, *right, stream), format, stream);
}

Ref<Sparse> matrix_power(const Sparse& a, int64_t n, Stream* stream) {
  check_square(a, "a");
  if (n < 0) fail(ARR_E_ARGUMENT, "argument n: ", n, " is negative; a sparse matrix has no sparse inverse");
  if (n == 0) return sparse_eye(a.extents, 0, a.dtype(), a.device(), stream);
  Ref<Sparse> square = convert(a, SparseFormat::csr, stream), out;
  for (; n != 0; n /= 2) {
    if (n % 2 != 0) out = out ? matmul(*out, *square, stream) : square;
    if (n > 1) square = matmul(*square, *square, stream);
  }
  return out;
}

}  // namespace arr
