// SPDX-License-Identifier: MIT
// Products of sparse matrices; the table of the family.
#pragma once

#include "array/dtype.h"
#include "backend/error.h"
#include "backend/sparse_cholesky.h"
#include "backend/sparse_factor.h"
#include "backend/sparse_graph.h"
#include "backend/sparse_plans.h"
#include "backend/sparse_semiring.h"
#include "backend/visit.h"

namespace arr {

// y[i][j] = sum of data[p] * x[indices[p]][j] over p from pointers[i] to pointers[i + 1] - 1, added in an
// order that depends only on the matrix; of bool, true if one product is. 16-bit floats are added in float32.
// All are contiguous and of type dtype, indices and pointers of index_type, int32 or int64. The indices are
// in range. No extent is 0, but nnz may be.
//
// scatters: the transpose instead, y[indices[p]][j] = sum of data[p] * x[i][j] over i and p in line i. `rows`
// is the number of lines and of rows of x, `outputs` that of rows of y. With x nullptr each x[i][0] is 1, and
// pointers are not read. Backends without `scatters` do not get such calls.
//
// semiring: another one than the ordinary; its identity where no element is. It does not scatter, and
// backends without `semirings` do not get such calls.
// get such calls. inner: more than all indices. plans: for this pattern.
struct SparseProductCall {
  SparseSemiring semiring = SparseSemiring::ordinary;
  DType dtype = DType::none, index_type = DType::none;
  bool scatters = false;
  int64_t rows = 0, inner = 0, nnz = 0, outputs = 0;
  int64_t columns = 0;  // of x and y
  const void* data = nullptr;
  const void* indices = nullptr;
  const void* pointers = nullptr;
  const void* x = nullptr;
  void* y = nullptr;
  std::shared_ptr<SparsePlans> plans;
};

template <class Visitor>
void visit(Visitor& v, SparseProductCall& c) {
  const int64_t extents[] = {c.rows, c.columns, c.nnz};
  v.name([] { return "sparse product"; });
  v.extents(extents, 3);
  v.bytes([&] {
    return c.nnz * (item_size(c.dtype) * (1 + c.columns) + item_size(c.index_type)) +
           c.rows * (item_size(c.index_type) + c.columns * item_size(c.dtype));
  });
}

// Below, lines are rows or columns, pointers say where the elements of each begin and the last one's end, and
// indices are of index_type, int32 or int64. Calls with pointers as a result count: pointers has lines + 1
// numbers.

// Sorts n elements by line and then by index, equal ones in their order. line, inner: of each element, in
// range.
struct SparseOrderCall {
  DType index_type = DType::none;
  int64_t n = 0, lines = 0;
  const void* line = nullptr;
  const void* inner = nullptr;
  int64_t* pointers = nullptr;  // of the sorted elements
  void* sorted = nullptr;       // the indices in order
  void* order = nullptr;        // of index_type: where each was
};

template <class Visitor>
void visit(Visitor& v, SparseOrderCall& c) {
  const int64_t extents[] = {c.lines, c.n};
  v.name([] { return "order of sparse elements"; });
  v.extents(extents, 2);
  v.bytes([&] { return 4 * c.n * item_size(c.index_type) + c.lines * item_size(DType::int64_); });
}

// The same with the elements of equal index added, in their order; of bool, by or. count: the number of sums,
// which are written; with indices nullptr, the most there may be.
struct SparseAssembleCall {
  DType dtype = DType::none, index_type = DType::none;
  int64_t n = 0, lines = 0, capacity = 0;
  const void* line = nullptr;
  const void* inner = nullptr;
  const void* values = nullptr;
  int64_t* count = nullptr;
  void* pointers = nullptr;  // of index_type, lines + 1
  void* indices = nullptr;
  void* data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseAssembleCall& c) {
  const int64_t extents[] = {c.lines, c.n};
  v.name([] { return "sums of sparse elements"; });
  v.extents(extents, 2);
  v.bytes([&] { return 2 * c.n * (item_size(c.dtype) + item_size(c.index_type)); });
}

// The stored elements of compressed lines.
struct SparseLines {
  const void* pointers = nullptr;  // of index_type
  const void* indices = nullptr;
  const void* data = nullptr;
};

// The product of two matrices by rows (F. G. Gustavson, Two fast algorithms for sparse matrices, ACM TOMS 4,
// 1978), without results of 0. With indices nullptr it guesses `count`, the number of results; otherwise it
// counts them, and writes them in order if they are at most `capacity`. semiring: another one than the
// ordinary, whose results are all written, and with a mask only those where it has elements; backends without
// `semirings` do not get such calls.
struct SparseGemmCall {
  SparseSemiring semiring = SparseSemiring::ordinary;
  DType dtype = DType::none, index_type = DType::none;
  int64_t rows = 0, inner = 0, columns = 0, capacity = 0;
  SparseLines a, b;         // rows x inner, inner x columns
  SparseLines mask;         // rows x columns, without data; of a semiring
  bool complement = false;  // results where the mask has no elements
  int64_t* count = nullptr;
  void* pointers = nullptr;  // of index_type, rows + 1
  void* indices = nullptr;
  void* data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseGemmCall& c) {
  const int64_t extents[] = {c.rows, c.inner, c.columns};
  v.name([] { return "product of sparse matrices"; });
  v.extents(extents, 3);
}

// The indices that one of two matrices has in each line, or that both have; both canonical. With indices
// nullptr it counts them; otherwise it writes them in order, and the elements of each matrix, bytes of 0
// where it has none.
struct SparseMergeCall {
  DType index_type = DType::none;
  int64_t lines = 0;
  SparseLines a, b;
  int64_t a_item = 0, b_item = 0;  // bytes of their elements
  bool both = false;
  int64_t* pointers = nullptr;  // a result of counting
  void* indices = nullptr;
  void* a_data = nullptr;
  void* b_data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseMergeCall& c) {
  const int64_t extents[] = {c.lines};
  v.name([] { return "merge of sparse matrices"; });
  v.extents(extents, 1);
}

// op of the elements of two canonical matrices where one has an element, or `both` have one; 0 where a matrix
// has none. Results of 0 are left out. op: of two operands of dtype, with a result of dtype. With indices
// nullptr it guesses `count`, the number of results; otherwise it counts them, and writes them in
// order if they are at most `capacity`.
struct SparseCombineCall {
  DType dtype = DType::none, index_type = DType::none;
  int32_t op = 0;
  bool both = false;
  int64_t lines = 0, capacity = 0;
  SparseLines a, b;
  int64_t* count = nullptr;
  void* pointers = nullptr;  // of index_type, lines + 1
  void* indices = nullptr;
  void* data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseCombineCall& c) {
  const int64_t extents[] = {c.lines};
  v.name([] { return "op of sparse matrices"; });
  v.extents(extents, 1);
}

// Counts the elements of a line whose index is not above that of the element before; coo: `outer` is the line
// of each element, and elements of lower lines count too.
struct SparseCheckCall {
  DType index_type = DType::none;
  bool coo = false;
  int64_t lines = 0, nnz = 0;
  const void* outer = nullptr;
  const void* inner = nullptr;
  int64_t* count = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseCheckCall& c) {
  const int64_t extents[] = {c.lines, c.nnz};
  v.name([] { return "check of sparse elements"; });
  v.extents(extents, 2);
  v.bytes([&] { return c.nnz * item_size(c.index_type); });
}

// The same elements line by line the other way; those of one new line are in the order of the old lines.
struct SparseTransposeCall {
  DType index_type = DType::none;
  int64_t item = 0;  // bytes of an element
  int64_t lines = 0, width = 0, nnz = 0;
  SparseLines from;
  void* pointers = nullptr;  // of index_type, width + 1
  void* indices = nullptr;
  void* data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseTransposeCall& c) {
  const int64_t extents[] = {c.lines, c.width, c.nnz};
  v.name([] { return "transpose of sparse elements"; });
  v.extents(extents, 3);
  v.bytes([&] { return 2 * c.nnz * (c.item + item_size(c.index_type)); });
}

// The elements of chosen lines whose index is chosen, line by line: with indices nullptr it counts them,
// otherwise it writes them, with the number that their index has in the choice. An element whose index is
// chosen several times is there several times. list: the lines, or nullptr for all. chosen: the indices;
// nullptr: start, start + step, ..., of these `count`, or with a step of 0 all of them. first and order are
// memory for the call, which counting fills: for width + 1 and for `count` indices.
struct SparseSelectCall {
  DType index_type = DType::none;
  int64_t item = 0;              // bytes of an element
  int64_t lines = 0, width = 0;  // lines of the result; indices before the choice
  SparseLines from;
  const int64_t* list = nullptr;
  const int64_t* chosen = nullptr;
  int64_t start = 0, step = 0, count = 0;
  void* first = nullptr;
  void* order = nullptr;
  int64_t* pointers = nullptr;  // a result of counting
  void* indices = nullptr;
  void* data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseSelectCall& c) {
  const int64_t extents[] = {c.lines, c.width};
  v.name([] { return "selection of sparse elements"; });
  v.extents(extents, 2);
}

// The elements of each line of n matrices with the same lines, one matrix after the other, line by line; the
// indices of each matrix get its offset. parts: the addresses of pointers, indices and data of each.
struct SparseJoinCall {
  DType index_type = DType::none;
  int64_t item = 0;  // bytes of an element
  int64_t lines = 0, nnz = 0, n = 0;
  const void* const* parts = nullptr;
  const int64_t* offsets = nullptr;
  void* pointers = nullptr;  // of index_type
  void* indices = nullptr;
  void* data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseJoinCall& c) {
  const int64_t extents[] = {c.lines, c.nnz};
  v.name([] { return "join of sparse matrices"; });
  v.extents(extents, 2);
  v.numbers(c.parts, 3 * c.n);
  v.numbers(c.offsets, c.n);
  v.bytes([&] { return 2 * c.nnz * (c.item + item_size(c.index_type)); });
}

// Finds n elements of a canonical matrix: the value of each, or bytes of 0 if it is not stored.
struct SparseFindCall {
  DType index_type = DType::none;
  int64_t item = 0;  // bytes of an element
  int64_t lines = 0, n = 0;
  SparseLines from;
  const int64_t* line = nullptr;
  const int64_t* index = nullptr;
  void* values = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseFindCall& c) {
  const int64_t extents[] = {c.lines, c.n};
  v.name([] { return "search of sparse elements"; });
  v.extents(extents, 2);
  v.bytes([&] { return c.n * (2 * item_size(DType::int64_) + c.item); });
}

// The elements of a dense matrix, line by line without gaps, that are not 0. With indices nullptr it guesses
// `count`, their number; otherwise it counts them, and writes them if they are at most `capacity`. No extent
// is 0.
struct SparseFromDenseCall {
  DType dtype = DType::none, index_type = DType::none;
  int64_t lines = 0, width = 0, capacity = 0;
  const void* values = nullptr;
  int64_t* count = nullptr;
  void* pointers = nullptr;  // of index_type, lines + 1
  void* indices = nullptr;
  void* data = nullptr;
};

template <class Visitor>
void visit(Visitor& v, SparseFromDenseCall& c) {
  const int64_t extents[] = {c.lines, c.width};
  v.name([] { return "elements of a dense matrix"; });
  v.extents(extents, 2);
  v.bytes([&] { return c.lines * c.width * item_size(c.dtype); });
}

// Without the entries after `product`, other operations do their work.
struct SparseApi {
  bool scatters, semirings;
  int32_t (*product)(int32_t device, const SparseProductCall*, void* stream, BackendError*);
  int32_t (*order)(int32_t device, const SparseOrderCall*, void* stream, BackendError*);
  int32_t (*assemble)(int32_t device, const SparseAssembleCall*, void* stream, BackendError*);
  int32_t (*gemm)(int32_t device, const SparseGemmCall*, void* stream, BackendError*);
  int32_t (*merge)(int32_t device, const SparseMergeCall*, void* stream, BackendError*);
  int32_t (*check)(int32_t device, const SparseCheckCall*, void* stream, BackendError*);
  int32_t (*transpose)(int32_t device, const SparseTransposeCall*, void* stream, BackendError*);
  int32_t (*combine)(int32_t device, const SparseCombineCall*, void* stream, BackendError*);
  int32_t (*select)(int32_t device, const SparseSelectCall*, void* stream, BackendError*);
  int32_t (*join)(int32_t device, const SparseJoinCall*, void* stream, BackendError*);
  int32_t (*find)(int32_t device, const SparseFindCall*, void* stream, BackendError*);
  int32_t (*from_dense)(int32_t device, const SparseFromDenseCall*, void* stream, BackendError*);
  // Without these there are no factorizations, or other operations solve.
  int32_t (*lu)(int32_t device, const SparseLuCall*, void* stream, BackendError*);
  int32_t (*lu_solve)(int32_t device, const SparseLuSolveCall*, void* stream, BackendError*);
  int32_t (*lu_parts)(int32_t device, const SparseLuPartsCall*, void* stream, BackendError*);
  int32_t (*cholesky)(int32_t device, const SparseCholeskyCall*, void* stream, BackendError*);
  int32_t (*cholesky_solve)(int32_t device, const SparseCholeskySolveCall*, void* stream, BackendError*);
  int32_t (*cholesky_parts)(int32_t device, const SparseCholeskyPartsCall*, void* stream, BackendError*);
  int32_t (*triangular)(int32_t device, const SparseTriangularCall*, void* stream, BackendError*);
  int32_t (*incomplete)(int32_t device, const SparseIncompleteCall*, void* stream, BackendError*);
  int32_t (*ilut)(int32_t device, const SparseIlutCall*, void* stream, BackendError*);
  int32_t (*graph)(int32_t device, const GraphCall*, void* stream, BackendError*);
};

}  // namespace arr
