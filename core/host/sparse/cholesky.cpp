// SPDX-License-Identifier: MIT
// Factors L D L' of Hermitian sparse matrices by the multifrontal method (I. S. Duff, J. K. Reid, The
// multifrontal solution of indefinite sparse symmetric linear equations, ACM TOMS 9, 1983): the columns of a
// block are factored together with what they subtract from later ones, a dense matrix that its parent block
// adds to its own.
#include <algorithm>
#include <atomic>
#include <complex>
#include <limits>
#include <memory>
#include <numeric>

#include "backend/sparse_cholesky.h"
#include "host/device/pool_block.h"
#include "host/elementwise/parallel.h"
#include "host/libraries/blas.h"
#include "host/loops/table.h"
#include "host/sparse/calls.h"
#include "host/sparse/cholesky_solve.h"
#include "host/sparse/element_types.h"
#include "host/sparse/supernodes.h"

namespace arr::host {

namespace {

// Products of more multiplications are BLAS's.
constexpr int64_t blas_work = 4096;

template <class T>
constexpr DType type_of() {
  if constexpr (std::is_same_v<T, float>) return DType::float32_;
  if constexpr (std::is_same_v<T, double>) return DType::float64_;
  return std::is_same_v<T, std::complex<float>> ? DType::complex64_ : DType::complex128_;
}

// c += a b, column-major, m x n and k between.
template <class T>
void add_product(const Blas& l, int64_t m, int64_t n, int64_t k, const T* a, int64_t lda, const T* b, T* c,
                 int64_t ldc) {
  if (!l.found() || m * n * k < blas_work) {
    return loops().gemm[static_cast<size_t>(type_of<T>())](n, m, k, b, k, a, lda, c, ldc);
  }
  const auto call = [&](const auto& gemm, auto one) {
    gemm(102, 111, 111, static_cast<int>(m), static_cast<int>(n), static_cast<int>(k), one, a,
         static_cast<int>(lda), b, static_cast<int>(k), one, c, static_cast<int>(ldc));
  };
  const T one(1);
  if constexpr (std::is_same_v<T, float>) {
    call(l.sgemm, one);
  } else if constexpr (std::is_same_v<T, double>) {
    call(l.dgemm, one);
  } else {
    call(std::is_same_v<T, std::complex<float>> ? l.cgemm : l.zgemm, static_cast<const void*>(&one));
  }
}

// Memory for n elements.
template <class T>
class Piece {
 public:
  explicit Piece(int64_t n)
      : block_(checked::mul(std::max<int64_t>(n, 1), static_cast<int64_t>(sizeof(T)), "a workspace")) {}
  [[nodiscard]] T* get() const { return reinterpret_cast<T*>(block_.data()); }

 private:
  PoolBlock block_;
};

template <class T>
class Factoring {
 public:
  using Real = decltype(std::real(T()));
  Factoring(const SparseCholeskyCall& c, const Supernodes& s, CholeskyFactors<T>* out)
      : s_(s),
        data_(static_cast<const T*>(c.data)),
        definite_(c.options.definite),
        blas_(blas_library()),
        out_(out) {
    bound_pivots();
  }
  // The first column whose pivot is refused, or n.
  int64_t run();
  [[nodiscard]] double pivot() const { return pivot_; }

 private:
  // The memory of a thread. Others have other work if it is `alone`.
  struct Worker {
    Worker(const Supernodes& s, bool other_work) : alone(other_work), local(u(s.n)) {}
    const bool alone;
    std::vector<int32_t> local;  // where a front has a row
    std::vector<T> right;        // a factor of a product
  };
  // The columns of a block: m rows, of which w are its own.
  struct Front {
    int64_t block, first, w, m;
    T* x;
    Worker* by;
  };
  void bound_pivots();
  [[nodiscard]] T element(int64_t source) const {
    const T v = data_[source < 0 ? ~source : source];
    if constexpr (std::is_floating_point_v<T>)
      return v;
    else
      return (source < 0) != s_.upper ? std::conj(v) : v;
  }
  // Returns false if a pivot is refused.
  bool factor_block(int64_t block, Worker* by);
  void assemble(const Front& f, T* rest);
  void add_child(int64_t child, const Front& f, T* rest) const;
  bool factor_columns(const Front& f, int64_t begin, int64_t end);
  bool factor_few(const Front& f, int64_t begin, int64_t end);
  void subtract(const Front& f, int64_t begin, int64_t end, int64_t to, int64_t columns, T* c,
                int64_t ldc) const;
  void refuse(int64_t column, Real pivot);
  std::vector<std::vector<int64_t>> tasks();

  const Supernodes& s_;
  const T* data_;
  bool definite_;
  const Blas& blas_;
  CholeskyFactors<T>* out_;
  std::vector<Real> least_;  // pivots of at most that magnitude are refused
  std::vector<std::unique_ptr<Piece<T>>> updates_;
  std::vector<int32_t> child_, sibling_;
  std::mutex mutex_;
  int64_t failed_ = -1;
  double pivot_ = 0;
};

// Without exchanges a pivot is lost in rounding if it is not larger than eps times its column.
template <class T>
void Factoring<T>::bound_pivots() {
  least_.assign(u(s_.n), 0);
  if (definite_) return;
  constexpr Real eps = 16 * std::numeric_limits<Real>::epsilon();
  for (int64_t j = 0; j < s_.n; ++j) {
    for (int64_t p = s_.column_begin[u(j)]; p < s_.column_begin[u(j) + 1]; ++p) {
      const Real x = eps * std::abs(element(s_.source[u(p)]));
      for (const auto k : {u(j), u(s_.row_of[u(p)])}) least_[k] = std::max(least_[k], x);
    }
  }
}

template <class T>
void Factoring<T>::refuse(int64_t column, Real pivot) {
  const std::lock_guard lock(mutex_);
  if (failed_ >= 0 && failed_ < column) return;
  failed_ = column;
  pivot_ = static_cast<double>(pivot);
}

// Lists of blocks that threads can work on at the same time, those of large parts of the tree first; the last
// list has those that follow all others. They depend only on the matrix.
template <class T>
std::vector<std::vector<int64_t>> Factoring<T>::tasks() {
  constexpr double few = 1 << 18, parts = 32;
  const int64_t n = s_.count();
  std::vector<double> work(u(n));
  double all = 0;
  for (int64_t b = 0; b < n; ++b) {
    work[u(b)] += s_.work(b);
    all += s_.work(b);
    if (s_.parent[u(b)] >= 0) work[u(s_.parent[u(b)])] += work[u(b)];
  }
  std::vector<std::vector<int64_t>> out;
  std::vector<int64_t> last;
  std::vector<int32_t> task(u(n), -1);
  std::vector<double> size;
  for (int64_t b = n; b-- > 0;) {
    const int32_t up = s_.parent[u(b)];
    if (all < few || work[u(b)] > all / parts) continue;  // one of the last
    if (up >= 0 && task[u(up)] >= 0) {
      task[u(b)] = task[u(up)];
      continue;
    }
    task[u(b)] = static_cast<int32_t>(size.size());
    size.push_back(work[u(b)]);
  }
  std::vector<int64_t> rank(size.size());
  std::vector<int64_t> by_size(size.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [&](int64_t i, int64_t j) { return size[u(i)] > size[u(j)]; });
  for (size_t k = 0; k < by_size.size(); ++k) rank[u(by_size[k])] = static_cast<int64_t>(k);
  out.resize(size.size() + 1);
  for (int64_t b = 0; b < n; ++b) {
    (task[u(b)] < 0 ? out.back() : out[u(rank[u(task[u(b)])])]).push_back(b);
  }
  return out;
}

template <class T>
int64_t Factoring<T>::run() {
  const int64_t n = s_.count();
  updates_.resize(u(n));
  child_.assign(u(n), -1);
  sibling_.assign(u(n), -1);
  for (int64_t b = n; b-- > 0;) {
    if (const int32_t up = s_.parent[u(b)]; up >= 0) {
      sibling_[u(b)] = child_[u(up)];
      child_[u(up)] = static_cast<int32_t>(b);
    }
  }
  const std::vector<std::vector<int64_t>> lists = tasks();
  const auto side = static_cast<int64_t>(lists.size()) - 1;
  const auto work_on = [&](const std::vector<int64_t>& blocks, Worker* by) {
    for (const int64_t b : blocks) {
      if (!factor_block(b, by)) return;
    }
  };
  std::atomic<int64_t> next{0};
  parallel_ranges(std::min(side, concurrency()), 1, [&](int64_t, int64_t) {
    Worker by(s_, true);
    for (int64_t task = next++; task < side; task = next++) work_on(lists[u(task)], &by);
  });
  if (failed_ < 0) {
    Worker by(s_, false);
    work_on(lists.back(), &by);
  }
  return failed_ < 0 ? s_.n : failed_;
}

template <class T>
bool Factoring<T>::factor_block(int64_t block, Worker* by) {
  const int64_t w = s_.width(block), r = s_.below(block);
  const Front f{block, s_.first[u(block)], w, w + r, out_->data.get() + s_.data_begin[u(block)], by};
  if (r > 0) updates_[u(block)] = std::make_unique<Piece<T>>(checked::mul(r, r, "a workspace"));
  T* rest = r > 0 ? updates_[u(block)]->get() : nullptr;
  assemble(f, rest);
  if (!factor_columns(f, 0, w)) return false;
  if (r > 0) subtract(f, 0, w, w, r, rest, r);
  return true;
}

// The elements of a in these columns, and what the children subtract from them and from `rest`.
template <class T>
void Factoring<T>::assemble(const Front& f, T* rest) {
  const int64_t r = f.m - f.w;
  int32_t* local = f.by->local.data();
  std::fill(f.x, f.x + f.m * f.w, T(0));
  if (r > 0) std::fill(rest, rest + r * r, T(0));
  for (int64_t i = 0; i < f.w; ++i) local[f.first + i] = static_cast<int32_t>(i);
  const int32_t* rows = s_.rows.data() + s_.row_begin[u(f.block)];
  for (int64_t i = 0; i < r; ++i) local[rows[i]] = static_cast<int32_t>(f.w + i);
  for (int64_t j = 0; j < f.w; ++j) {
    for (int64_t p = s_.column_begin[u(f.first + j)]; p < s_.column_begin[u(f.first + j) + 1]; ++p) {
      f.x[local[s_.row_of[u(p)]] + j * f.m] = element(s_.source[u(p)]);
    }
  }
  for (int32_t c = child_[u(f.block)]; c >= 0; c = sibling_[u(c)]) {
    add_child(c, f, rest);
    updates_[u(c)].reset();
  }
}

template <class T>
void Factoring<T>::add_child(int64_t child, const Front& f, T* rest) const {
  const int32_t* local = f.by->local.data();
  const int64_t r = s_.below(child), behind = f.m - f.w;
  const int32_t* rows = s_.rows.data() + s_.row_begin[u(child)];
  const T* from = updates_[u(child)]->get();
  for (int64_t j = 0; j < r; ++j, from += r) {
    const int64_t to = local[rows[j]];
    T* column = to < f.w ? f.x + to * f.m : rest + (to - f.w) * behind - f.w;
    for (int64_t i = j; i < r; ++i) column[local[rows[i]]] += from[i];
  }
}

// Half of the columns, what they subtract from the other half, the other half.
template <class T>
bool Factoring<T>::factor_columns(const Front& f, int64_t begin, int64_t end) {
  if (end - begin <= 8) return factor_few(f, begin, end);
  const int64_t middle = begin + std::max<int64_t>((end - begin) / 16 * 8, 8);
  if (!factor_columns(f, begin, middle)) return false;
  subtract(f, begin, middle, middle, end - middle, f.x + middle + middle * f.m, f.m);
  return factor_columns(f, middle, end);
}

template <class T>
bool Factoring<T>::factor_few(const Front& f, int64_t begin, int64_t end) {
  for (int64_t j = begin; j < end; ++j) {
    T* x = f.x + j * f.m;
    for (int64_t k = begin; k < j; ++k) {
      const T* l = f.x + k * f.m;
      T by = l[j] * out_->diagonal[u(f.first + k)];
      if constexpr (!std::is_floating_point_v<T>) by = std::conj(by);
      for (int64_t i = j; i < f.m; ++i) subtract_product(x + i, l[i], by);
    }
    const Real d = std::real(x[j]), least = least_[u(f.first + j)];
    if (!(definite_ ? d > 0 : std::abs(d) > least) || !std::isfinite(d)) {
      refuse(f.first + j, d);
      return false;
    }
    out_->diagonal[u(f.first + j)] = d;
    x[j] = T(1);
    const Real by = 1 / d;
    if (std::isfinite(by)) {
      for (int64_t i = j + 1; i < f.m; ++i) x[i] *= by;
    } else {
      for (int64_t i = j + 1; i < f.m; ++i) x[i] /= d;
    }
  }
  return true;
}

// c -= L D L' for `columns` columns from row `to` on and the rows from there on, with L's columns begin ..
// end - 1. Pieces of the result do not depend on the number of threads.
template <class T>
void Factoring<T>::subtract(const Front& f, int64_t begin, int64_t end, int64_t to, int64_t columns, T* c,
                            int64_t ldc) const {
  constexpr int64_t across = 96, down = 512;
  const int64_t k = end - begin, rows = f.m - to;
  struct Tile {
    int64_t row, column;
  };
  const auto piece = [&](int64_t first, int64_t last, T* right) {
    for (int64_t j = first; j < last; ++j, right += k) {
      const T* l = f.x + to + j + begin * f.m;
      for (int64_t p = 0; p < k; ++p) {
        const T x = l[p * f.m] * -out_->diagonal[u(f.first + begin + p)];
        if constexpr (std::is_floating_point_v<T>)
          right[p] = x;
        else
          right[p] = std::conj(x);
      }
    }
  };
  const T* left = f.x + to + begin * f.m;
  std::vector<T>& right = f.by->right;
  if (f.by->alone || rows * columns * k < (int64_t{1} << 18)) {
    right.resize(std::max(right.size(), u(across * k)));
    for (int64_t j = 0; j < columns; j += across) {
      const int64_t n = std::min(across, columns - j);
      piece(j, j + n, right.data());
      add_product(blas_, rows - j, n, k, left + j, f.m, right.data(), c + j + j * ldc, ldc);
    }
    return;
  }
  right.resize(std::max(right.size(), u(checked::mul(columns, k, "a workspace"))));
  std::vector<Tile> tiles;
  for (int64_t j = 0; j < columns; j += across) {
    piece(j, std::min(columns, j + across), right.data() + j * k);
    for (int64_t i = j; i < rows; i += down) tiles.push_back({i, j});
  }
  std::atomic<int64_t> next{0};
  const auto count = static_cast<int64_t>(tiles.size());
  parallel_ranges(std::min(count, concurrency()), 1, [&](int64_t, int64_t) {
    for (int64_t t = next++; t < count; t = next++) {
      const auto [i, j] = tiles[u(t)];
      add_product(blas_, std::min(down, rows - i), std::min(across, columns - j), k, left + i, f.m,
                  right.data() + j * k, c + i + j * ldc, ldc);
    }
  });
}

// Those of the factors that the call is like, if it has the same pattern; else those of its matrix.
template <class T>
std::shared_ptr<const Supernodes> supernodes_for(const SparseCholeskyCall& c) {
  const auto n = static_cast<int32_t>(c.n);
  if (c.like == nullptr) {
    return std::make_shared<const Supernodes>(
        supernodes_of(n, c.pointers, c.indices, c.options.upper, c.options.natural));
  }
  auto known = static_cast<const CholeskyFactors<T>&>(*c.like).blocks;
  if (!std::equal(known->pointers.begin(), known->pointers.end(), c.pointers, c.pointers + n + 1) ||
      !std::equal(known->indices.begin(), known->indices.end(), c.indices)) {
    fail(ARR_E_ARGUMENT, "argument a: its elements are not where those of the factored matrix were");
  }
  return known;
}

}  // namespace

void sparse_cholesky(const SparseCholeskyCall& c) {
  with_type(c.dtype, [&]<class T>(T) {
    const auto made = std::make_shared<CholeskyFactors<T>>(supernodes_for<T>(c));
    const Supernodes& s = *made->blocks;
    for (int64_t k = 0; k < s.n; ++k) c.perm[s.order[u(k)]] = static_cast<int32_t>(k);
    std::optional<BlasUse> use;
    std::optional<OneThread> one;
    if (blas_library().found()) {
      use.emplace(concurrency());
      one.emplace();
    }
    Factoring<T> work(c, s, made.get());
    const int64_t failed = work.run();
    *c.failed = failed < s.n ? s.order[u(failed)] : s.n;
    *c.pivot = work.pivot();
    if (failed == s.n) *c.out = made;
  });
}

void sparse_cholesky_solve(const SparseCholeskySolveCall& c) {
  with_type(c.dtype, [&]<class T>(T) {
    solve_columns(static_cast<const CholeskyFactors<T>&>(*c.factors), c.columns, c.conjugate,
                  static_cast<T*>(c.x));
  });
}

void sparse_cholesky_parts(const SparseCholeskyPartsCall& c) {
  with_type(c.dtype, [&]<class T>(T) {
    const auto& f = static_cast<const CholeskyFactors<T>&>(*c.factors);
    const Supernodes& s = *f.blocks;
    auto* values = static_cast<T*>(c.data);
    int64_t count = 0;
    const auto put = [&](int32_t row, T x) {
      if (x == T(0)) return;
      if (values != nullptr) {
        c.indices[count] = row;
        values[count] = x;
      }
      ++count;
    };
    for (int64_t b = 0; b < s.count(); ++b) {
      const int32_t first = s.first[u(b)], end = s.first[u(b) + 1];
      const T* x = f.data.get() + s.data_begin[u(b)];
      for (int32_t j = first; j < end; ++j, x += s.width(b) + s.below(b)) {
        if (values != nullptr) c.pointers[j] = count;
        for (int32_t i = j; i < end; ++i) put(i, x[i - first]);
        for (int64_t i = 0; i < s.below(b); ++i) {
          put(s.rows[u(s.row_begin[u(b)] + i)], x[s.width(b) + i]);
        }
      }
    }
    *c.count = count;
    if (values == nullptr) return;
    c.pointers[s.n] = count;
    std::copy(f.diagonal.begin(), f.diagonal.end(), static_cast<T*>(c.diagonal));
  });
}

}  // namespace arr::host
