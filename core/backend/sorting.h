// SPDX-License-Identifier: MIT
// Sorted rows.
#pragma once

#include "backend/error.h"
#include "backend/visit.h"

namespace arr {

// Rows of at most this many elements may be columns of a row-major matrix of `inner` columns.
inline constexpr int64_t max_sort_column = 256;

// The extent of a sort: the whole row; the first few elements, which are the whole result; or the elements at
// the indices kth (a partition): element kth is where a full sort puts it, smaller elements come before it
// and larger ones after it, both in their order in the row.
enum class SortExtent : uint8_t { all, first, kth };
// Rows of fewer elements, and calls with more indices kth, use a full sort.
inline constexpr int64_t min_select_length = 1025, max_select_kth = 64;

// Elements of another array that determine the order of equal ones.
struct SortKey {
  DType dtype = DType::none;
  const void* data = nullptr;
};

// Sorts each of `rows` rows of n elements, row-major. Results are the elements, their former indices, or
// both. Equal elements keep their order, also in descending order, and -0.0 is equal to 0.0. nan is last in
// both directions; complex numbers are sorted by real, then imaginary part, those with a nan at the end as R
// + nan i, nan + R i, nan + nan i.
struct SortCall {
  DType dtype = DType::none;
  int64_t rows = 0, n = 0;
  int64_t inner = 1;  // > 1: element i of row r is at (r / inner * n + i) * inner + r % inner
  const void* keys = nullptr;
  void* sorted = nullptr;    // may be keys; nullptr: not requested
  int64_t* order = nullptr;  // nullptr: not requested
  bool descending = false;
  // Extents other than all require inner == 1, n >= min_select_length, and results in memory other than the
  // keys'.
  SortExtent extent = SortExtent::all;
  int64_t count = 0;             // first: number of elements, also the row length of the results
  const int64_t* kth = nullptr;  // nkth <= max_select_kth indices in strictly ascending order
  int64_t nkth = 0;
  // Further keys for equal elements: more[0] at the same indices, then more[1], and so on. They require
  // extent all, inner 1 and sorted nullptr.
  const SortKey* more = nullptr;
  int64_t nmore = 0;
};

template <class Visitor>
void visit(Visitor& v, SortCall& c) {
  const int64_t extents[] = {c.rows, c.n};
  v.name([&] {
    if (c.extent == SortExtent::first) return "topk";
    if (c.extent == SortExtent::kth) return c.order != nullptr ? "argpartition" : "partition";
    if (c.nmore > 0) return "lexsort";
    return c.order != nullptr ? "argsort" : "sort";
  });
  v.extents(extents, 2);
  v.numbers(c.kth, c.nkth);
  v.numbers(c.more, c.nmore);
  v.bytes([&] {
    int64_t item = item_size(c.dtype);
    for (int64_t i = 0; i < c.nmore; ++i) item += item_size(c.more[i].dtype);
    if (c.extent == SortExtent::first) return c.rows * (c.n * item + c.count * (item + 8));
    return c.rows * c.n * (item + (c.sorted != nullptr ? item : 0) + (c.order != nullptr ? 8 : 0));
  });
}

struct SortingApi {
  int32_t (*sort)(int32_t device, const SortCall*, void* stream, BackendError*);
};

}  // namespace arr
