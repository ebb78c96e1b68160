// SPDX-License-Identifier: MIT
// Sparse matrices: their parts, and conversions between formats and arrays.
#pragma once

#include <memory>
#include <mutex>

#include "arr/sparse.h"
#include "ops/elementwise/create.h"

namespace arr {

struct SparsePlans;  // backend/sparse_plans.h

enum class SparseFormat : int32_t { coo = ARR_SPARSE_COO, csr = ARR_SPARSE_CSR, csc = ARR_SPARSE_CSC };
const char* name(SparseFormat format) noexcept;

// The number of elements that a dense matrix would have along each axis.
struct Extents {
  int64_t rows = 0, columns = 0;
};

// A matrix of stored elements; all others are 0. Elements of one row and column are added. It is never
// changed.
//
// Compressed formats store the elements line by line: by rows in csr, by columns in csc. `outer` has where
// each line begins and the last one ends, `inner` the element's index in its line. coo: outer is the row of
// each element, inner its column. Both are contiguous vectors of int32 or int64, and their values are in
// range.
//
// An array of another number of dimensions than two (see nd.h) is a single row in csr of all its elements in
// row-major order, and has its shape beside. What treats elements alike takes it as it is.
class Sparse final : public Object {
 public:
  struct Parts {
    Ref<Array> data, outer, inner;
  };
  // The elements in csr: `order` has the index of each in the data of this matrix.
  struct Order {
    Ref<Array> outer, inner, order;
  };
  // Takes parts that are known to be valid.
  Sparse(SparseFormat format, const Extents& extents, Parts parts, bool canonical,
         std::shared_ptr<const Layout> shape = nullptr);
  ~Sparse() override;
  // The transpose, which shares the parts.
  [[nodiscard]] Ref<Sparse> transpose() const;

  const SparseFormat format;
  const Extents extents;
  const Ref<Array> data, outer, inner;
  // The shape of other than two dimensions, with strides counted in elements. Null for a matrix.
  const std::shared_ptr<const Layout> nd;

  [[nodiscard]] DType dtype() const noexcept { return data->dtype; }
  [[nodiscard]] DType index_type() const noexcept { return inner->dtype; }
  [[nodiscard]] Device device() const noexcept { return data->device(); }
  [[nodiscard]] int64_t nnz() const noexcept { return data->layout.shape[0]; }
  [[nodiscard]] bool compressed() const noexcept { return format != SparseFormat::coo; }
  // The number of lines of a compressed format, and of elements in each; coo: of rows and columns.
  [[nodiscard]] int64_t lines() const noexcept {
    return format == SparseFormat::csc ? extents.columns : extents.rows;
  }
  [[nodiscard]] int64_t width() const noexcept {
    return format == SparseFormat::csc ? extents.rows : extents.columns;
  }
  [[nodiscard]] Ref<Sparse> share() const noexcept { return Ref<Sparse>::share(const_cast<Sparse*>(this)); }

  // A matrix with other values of the same elements.
  [[nodiscard]] Ref<Sparse> with_data(Ref<Array> values) const {
    Ref<Sparse> out =
        make<Sparse>(format, extents, Parts{std::move(values), outer, inner}, known_canonical(), nd);
    out->orders_ = orders_;
    out->turned_ = turned_;
    return out;
  }

  // True if the elements are in order of lines and then of indices, and none is stored twice. Computed at
  // most once, which waits.
  [[nodiscard]] bool canonical(Stream* stream) const;
  // The same if it is known.
  [[nodiscard]] bool known_canonical() const {
    const std::lock_guard lock(mutex_);
    return canonical_ == 1;
  }
  // This matrix in csr, for products. The order is found at most once; the data are read each time, because
  // the caller may change them.
  [[nodiscard]] Ref<Sparse> rows(Stream* stream) const;
  // The backend's preparations for the elements of this matrix in csr.
  [[nodiscard]] std::shared_ptr<SparsePlans> plans() const;

 private:
  mutable std::mutex mutex_;
  mutable int32_t canonical_;  // -1: not known
  // The orders of this matrix and of its transpose, which share them.
  struct Orders {
    std::mutex mutex;
    Order own, turned;
    std::shared_ptr<SparsePlans> plans, turned_plans;
  };
  std::shared_ptr<Orders> orders_ = std::make_shared<Orders>();
  bool turned_ = false;  // of the two matrices, this is the transpose
};

// A matrix of the caller's parts, which are checked; waits. data: [nnz] of any type. Indices are integers in
// range; pointers begin with 0, do not decrease and end with nnz. Parts are used without a copy if they are
// contiguous, index arrays if moreover no one else can write them (see is_ours() in matrix.cpp).
Ref<Sparse> sparse_coo(const Extents& extents, const Array& data, const Array& row, const Array& column,
                       Stream* stream);
Ref<Sparse> sparse_compressed(SparseFormat format, const Extents& extents, const Array& data,
                              const Array& indices, const Array& pointers, Stream* stream);

// The same elements with other values, a vector, which is used without a copy if it is contiguous.
Ref<Sparse> with_data(const Sparse& a, const Array& data, Stream* stream);

// The nonzero elements of a matrix; waits for their number.
Ref<Sparse> sparse_from_dense(const Array& a, SparseFormat format, Stream* stream);
Ref<Array> to_dense(const Sparse& a, Order order, Stream* stream);
// In another format: canonical if that is compressed, with the stored elements as they are in coo.
Ref<Sparse> convert(const Sparse& a, SparseFormat format, Stream* stream);
Ref<Sparse> astype(const Sparse& a, DType dtype, Casting casting, Stream* stream);
// The same elements in order, with those of one row and column added.
Ref<Sparse> sum_duplicates(const Sparse& a, Stream* stream);
// Without stored zeros.
Ref<Sparse> eliminate_zeros(const Sparse& a, Stream* stream);

// ---------------------------------------------------------------------------------------- for the other
// files

// Throws unless the array is a vector, of that length if it is not negative; unless it has integers; unless
// all integers are 0 .. extent - 1, naming the first that is not, which waits.
void check_vector(const Array& a, const char* argument, int64_t length);
void check_index_type(const Array& a, const char* argument);
void check_range(const Array& a, int64_t extent, const char* argument, Stream* stream);
// Throws unless the extents, and their product, are sizes.
void check_extents(const Extents& extents);
// Throws if a compressed format cannot have that many lines.
void check_lines(int64_t lines, const char* argument);
// The smallest index type for a matrix of these extents and number of elements, or int64 if `wide`.
DType index_type_for(const Extents& extents, int64_t nnz, bool wide = false);
// A matrix of new, valid parts, whose index arrays are cast to the smallest type, or to int64 if `wide`.
Ref<Sparse> make_sparse(SparseFormat format, const Extents& extents, Sparse::Parts parts, bool canonical,
                        bool wide, Stream* stream);
// The row and the column of each element, as vectors of integers.
Ref<Array> rows_of(const Sparse& a, Stream* stream);
Ref<Array> columns_of(const Sparse& a, Stream* stream);
// line * width + index, int64.
Ref<Array> key_of(const Array& line, const Array& index, int64_t width, Stream* stream);
// The same of each element.
Ref<Array> keys_of(const Sparse& a, Stream* stream);
// The elements of a matrix sorted by rows and then by columns; elements of equal keys stay in order.
Sparse::Order order_by_rows(const Sparse& a, Stream* stream);
// Elements: the line of each, its index in it, and its value.
struct Elements {
  Ref<Array> line, inner, data;
};
// The matrix of these elements in any order; those of one row and column are added. coo: lines are rows.
// Waits.
Ref<Sparse> from_elements(SparseFormat format, const Extents& extents, const Elements& elements, bool wide,
                          Stream* stream);
// The matrix of elements with these keys, int64 in ascending order, none twice.
struct Keyed {
  Ref<Array> keys, data;
};
Ref<Sparse> from_sorted_keys(SparseFormat format, const Extents& extents, const Keyed& elements, bool wide,
                             Stream* stream);
// The elements of lines of a list, one line after the other: `before` has where each begins and the last one
// ends, `from` the number of the line in the list, `at` the element; outer: where the lines begin and the
// last one ends. Waits for their number.
struct LineElements {
  Ref<Array> before, from, at;
};
LineElements elements_of_lines(const Array& outer, const Array& lines, Stream* stream);
// The same of ranges that begin and end there.
LineElements elements_of_ranges(const Array& begins, const Array& ends, Stream* stream);
// The matrix without the elements whose mask is false. Waits for their number.
Ref<Sparse> keep(const Sparse& a, const Array& mask, Stream* stream);

}  // namespace arr
