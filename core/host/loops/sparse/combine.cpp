// SPDX-License-Identifier: MIT
// Ops of the elements of two canonical sparse matrices, line by line.
#include "host/loops/elementwise/ops.h"
//
#include "host/loops/sparse/fetch.h"
#include "host/loops/sparse/sparse.h"

namespace arr::host {
ARR_SPARSE_FILLERS(ARR_LEVEL)
}  // namespace arr::host

namespace arr::host::ARR_LEVEL {

namespace {

template <int bytes>
struct words {
  typedef unsigned long long type;
};
template <>
struct words<1> {
  typedef unsigned char type;
};
template <>
struct words<2> {
  typedef unsigned short type;
};
template <>
struct words<4> {
  typedef unsigned type;
};

// x, or 0. Not by a choice, of which GCC makes a branch.
template <class T>
ARR_FN T kept_if(bool keep, T x) {
  typedef typename words<sizeof(T)>::type W;
  constexpr int n = sizeof(T) / sizeof(W);
  W w[n];
  __builtin_memcpy(w, &x, sizeof(T));
  for (int i = 0; i < n; ++i) w[i] &= static_cast<W>(-static_cast<W>(keep));
  __builtin_memcpy(&x, w, sizeof(T));
  return x;
}

// Writes the results that are not 0.
template <class Op, class T, class I>
struct Results {
  I* indices;
  T* data;
  int64_t n = 0;
  ARR_FN void put(I index, T x, T y) {
    const T r = arr_cast<T>(Op::template f<T>(x, y));
    indices[n] = index;
    data[n] = r;
    n += op_not_equal::f<T>(r, T{}) ? 1 : 0;
  }
};

// Results where one of them has an element. In lines whose elements are the same except a few, branches are
// predicted. In others they are not, so the smaller index is found without them.
template <class Op, class T, class I>
int64_t either(const SparseCombineLines& c) {
  constexpr int few = 4;
  const auto *i = static_cast<const I*>(c.a.indices), *j = static_cast<const I*>(c.b.indices);
  const auto *a = static_cast<const T*>(c.a.data), *b = static_cast<const T*>(c.b.data);
  const auto *a_ends = static_cast<const I*>(c.a.pointers) + 1,
             *b_ends = static_cast<const I*>(c.b.pointers) + 1;
  Results<Op, T, I> to{static_cast<I*>(c.indices), static_cast<T*>(c.data)};
  int64_t p = a_ends[c.first - 1], q = b_ends[c.first - 1];
  for (int64_t line = c.first; line < c.last; ++line) {
    const int64_t p_end = a_ends[line], q_end = b_ends[line];
    if (c.fetches) {
      fetch(a + p, i + p);
      fetch(b + q, j + q);
    }
    for (int differing = 0; p < p_end && q < q_end;) {
      if (i[p] == j[q]) {
        to.put(i[p], a[p], b[q]);
        ++p;
        ++q;
      } else if (differing < few) {
        ++differing;
        if (i[p] < j[q]) {
          to.put(i[p], a[p], T{});
          ++p;
        } else {
          to.put(j[q], T{}, b[q]);
          ++q;
        }
      } else {
        const bool of_a = i[p] < j[q];
        to.put(of_a ? i[p] : j[q], kept_if(of_a, a[p]), kept_if(!of_a, b[q]));
        p += of_a ? 1 : 0;
        q += of_a ? 0 : 1;
      }
    }
    for (; p < p_end; ++p) to.put(i[p], a[p], T{});
    for (; q < q_end; ++q) to.put(j[q], T{}, b[q]);
    c.ends[line - c.first] = to.n;
  }
  return to.n;
}

// Results where both have an element.
template <class Op, bool fetches, class T, class I>
__attribute__((noinline)) int64_t both_of(const SparseCombineLines& c) {
  const auto *i = static_cast<const I*>(c.a.indices), *j = static_cast<const I*>(c.b.indices);
  const auto *a = static_cast<const T*>(c.a.data), *b = static_cast<const T*>(c.b.data);
  const auto *a_ends = static_cast<const I*>(c.a.pointers) + 1,
             *b_ends = static_cast<const I*>(c.b.pointers) + 1;
  Results<Op, T, I> to{static_cast<I*>(c.indices), static_cast<T*>(c.data)};
  for (int64_t line = c.first; line < c.last; ++line) {
    int64_t p = a_ends[line - 1], q = b_ends[line - 1];
    if constexpr (fetches) {
      fetch(a + p, i + p);
      fetch(b + q, j + q);
    }
    while (p < a_ends[line] && q < b_ends[line]) {
      if (i[p] == j[q]) {
        to.put(i[p], a[p], b[q]);
        ++p;
        ++q;
      } else {
        const bool of_a = i[p] < j[q];
        p += of_a ? 1 : 0;
        q += of_a ? 0 : 1;
      }
    }
    c.ends[line - c.first] = to.n;
  }
  return to.n;
}

template <class Op, class T, class I>
int64_t both(const SparseCombineLines& c) {
  return c.fetches ? both_of<Op, true, T, I>(c) : both_of<Op, false, T, I>(c);
}

template <class T, class I>
void fill(SparseLoops& t) {
  constexpr int d = row_of<T>::number, wide = sizeof(I) == 8 ? 1 : 0;
  t.combine[static_cast<int>(SparseOp::add)][d][wide] = either<op_add, T, I>;
  t.combine[static_cast<int>(SparseOp::subtract)][d][wide] = either<op_subtract, T, I>;
  t.combine[static_cast<int>(SparseOp::maximum)][d][wide] = either<op_maximum, T, I>;
  t.combine[static_cast<int>(SparseOp::minimum)][d][wide] = either<op_minimum, T, I>;
  // Products of complex numbers have loops without fused multiply-add.
  if constexpr (row_of<T>::kind != COMPLEX) {
    t.combine[static_cast<int>(SparseOp::multiply)][d][wide] = both<op_multiply, T, I>;
  }
}

template <class T>
void fill(SparseLoops& t) {
  if constexpr (row_of<T>::kind != BOOL && !is_half<T>) {
    fill<T, int32_t>(t);
    fill<T, int64_t>(t);
  }
}

}  // namespace

void fill_combine(SparseLoops& t) {
#define ARR_DTYPE(NAME, number, name, type, kind, bytes, npy, dlcode, doc) fill<type>(t);
#include "table/dtypes.def"
#undef ARR_DTYPE
}

}  // namespace arr::host::ARR_LEVEL
