// SPDX-License-Identifier: MIT
// Sorted rows.
#pragma once

#include "backend/error.h"
#include "backend/visit.h"

namespace arr {

// Rows may be columns of a row-major matrix of `inner` columns if they have at most this many elements.
inline constexpr int64_t max_sort_column = 256;

// The elements that a sort puts in order: all elements of a row; the first few, which are all of the result;
// or those at the indices kth (a partition): element kth is where a sort puts it, smaller elements come
// before it and larger ones after it, both in their order in the row.
enum class SortExtent : uint8_t { all, first, kth };
// Rows of fewer elements, and those with more indices kth, are sorted as a whole.
inline constexpr int64_t min_select_length = 1025, max_select_kth = 64;

// Elements of another array that determine the order of equal ones.
struct SortKey {
  DType dtype = DType::none;
  const void* data = nullptr;
};

// Each of `rows` rows of n elements, row-major, in order: the elements, their indices before the sort, or
// both. Equal elements stay in their order, in both directions, and -0.0 is equal to 0.0. nan is last in both
// directions; complex numbers are in order by real, then imaginary part, those with a nan at the end as R +
// nan i, nan + R i, nan + nan i.
struct SortCall {
  DType dtype = DType::none;
  int64_t rows = 0, n = 0;
  int64_t inner = 1;  // > 1: element i of row r is at (r / inner * n + i) * inner + r % inner
  const void* keys = nullptr;
  void* sorted = nullptr;    // may be keys; nullptr: not wanted
  int64_t* order = nullptr;  // nullptr: not wanted
  bool descending = false;
  // Other extents than all are for inner == 1, n >= min_select_length, and results that are not the keys.
  SortExtent extent = SortExtent::all;
  int64_t count = 0;             // first: how many; the results have rows of as many
  const int64_t* kth = nullptr;  // nkth <= max_select_kth indices, each greater than the last
  int64_t nkth = 0;
  // The order of equal elements: by those of more[0] at the same indices, equal ones by more[1], and so on.
  // Then extent is all, inner 1 and sorted nullptr.
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
