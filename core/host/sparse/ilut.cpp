// SPDX-License-Identifier: MIT
// Incomplete factors with thresholds, row by row (Y. Saad, ILUT: a dual threshold incomplete LU
// factorization, Numer. Linear Algebra Appl. 1, 1994), with exchanges of columns (ILUTP in his Iterative
// Methods for Sparse Linear Systems, 2003, 10.4).
#include <algorithm>
#include <bit>
#include <complex>
#include <memory>
#include <vector>

#include "backend/sparse_factor.h"
#include "host/sparse/calls.h"
#include "host/sparse/element_types.h"
#include "host/sparse/minimum_degree.h"

namespace arr::host {

namespace {

using Index = int32_t;

template <class T>
class IlutRows final : public FactorRows {
 public:
  [[nodiscard]] const void* data() const override { return values.data(); }
  std::vector<T> values;
};

// The order in which rows are eliminated: few elements of the pattern of a^T + a fill.
std::vector<Index> order_of(const SparseIlutCall& c) {
  std::vector<Index> order(u(c.n));
  if (c.options.natural) {
    for (int64_t i = 0; i < c.n; ++i) order[u(i)] = static_cast<Index>(i);
    return order;
  }
  std::vector<std::vector<Index>> beside(u(c.n));
  for (int64_t i = 0; i < c.n; ++i) {
    for (int64_t p = c.pointers[i]; p < c.pointers[i + 1]; ++p) {
      const Index j = c.indices[p];
      if (j == i) continue;
      beside[u(i)].push_back(j);
      beside[u(j)].push_back(static_cast<Index>(i));
    }
  }
  Neighbours a;
  a.n = static_cast<Index>(c.n);
  a.pointers.push_back(0);
  for (auto& row : beside) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    a.indices.insert(a.indices.end(), row.begin(), row.end());
    a.pointers.push_back(static_cast<int64_t>(a.indices.size()));
    std::vector<Index>().swap(row);
  }
  return minimum_degree(a);
}

// Numbers below n, which are taken in ascending order: a bit for each, one for each word of these, and so on.
class StepSet {
 public:
  explicit StepSet(int64_t n) {
    do {
      n = (n + 63) / 64;
      levels_.emplace_back(u(n), 0);
    } while (n > 1);
  }
  void add(Index i) {
    auto at = static_cast<uint64_t>(i);
    for (auto& level : levels_) {
      uint64_t& word = level[at / 64];
      const bool others = word != 0;
      word |= uint64_t{1} << at % 64;
      if (others) return;
      at /= 64;
    }
  }
  [[nodiscard]] bool empty() const { return levels_.back()[0] == 0; }
  Index take() {
    uint64_t at = 0;
    for (size_t k = levels_.size(); k-- > 0;) {
      at = at * 64 + static_cast<uint64_t>(std::countr_zero(levels_[k][at]));
    }
    const auto first = static_cast<Index>(at);
    for (auto& level : levels_) {
      uint64_t& word = level[at / 64];
      word &= word - 1;
      if (word != 0) break;
      at /= 64;
    }
    return first;
  }

 private:
  std::vector<std::vector<uint64_t>> levels_;
};

template <class T>
class Ilut {
 public:
  using Real = decltype(std::real(T()));
  explicit Ilut(const SparseIlutCall& c)
      : c_(c),
        data_(static_cast<const T*>(c.data)),
        row_order_(order_of(c)),
        column_at_(row_order_),
        steps_(c.n) {
    at_.resize(u(c.n));
    for (int64_t k = 0; k < c.n; ++k) at_[u(column_at_[u(k)])] = static_cast<Index>(k);
    value_.resize(u(c.n));
    used_.resize(u(c.n));
    diagonal_.reserve(u(c.n));
    out_->pointers.push_back(0);
  }
  // The row without a pivot, or n.
  int64_t run();

 private:
  // An element of the row that is factored, with the magnitude of what it stands for in this row.
  struct Kept {
    Index column;
    T value;
    Real size;
  };
  void begin(Index row);
  void touch(Index column, int64_t step);
  void eliminate(int64_t step);
  bool choose_pivot(int64_t step);
  void drop(int64_t step);
  void finish();

  const SparseIlutCall& c_;
  const T* data_;
  std::vector<Index> row_order_, column_at_, at_;  // column_at_: of each step; at_: the step of each column
  // The row: its values by column, the columns that have one, the steps that are to be subtracted.
  std::vector<T> value_;
  std::vector<char> used_;
  std::vector<Index> columns_;
  StepSet steps_;
  std::vector<Kept> lower_, upper_;
  Real largest_ = 0, limit_ = 0;   // of the row of a
  bool finite_ = true;             // all its elements are
  bool dropped_ = false;           // an element of any row
  int64_t given_ = 0;              // elements of a in the rows so far
  std::vector<int64_t> diagonal_;  // where each row of U begins
  std::shared_ptr<IlutRows<T>> out_ = std::make_shared<IlutRows<T>>();
};

template <class T>
void Ilut<T>::touch(Index column, int64_t step) {
  used_[u(column)] = 1;
  value_[u(column)] = T(0);
  columns_.push_back(column);
  if (at_[u(column)] < step) steps_.add(at_[u(column)]);
}

// c = a - l u, by one expression, whatever the compiler makes of the complex product.
template <class T>
T less_product(T a, T l, T x) {
  if constexpr (std::is_floating_point_v<T>)
    return a - l * x;
  else
    return {a.real() - (l.real() * x.real() - l.imag() * x.imag()),
            a.imag() - (l.real() * x.imag() + l.imag() * x.real())};
}

// The steps of columns that the row has, in their order, with those that fill. One of little weight is
// dropped.
template <class T>
void Ilut<T>::eliminate(int64_t step) {
  while (!steps_.empty()) {
    const Index k = steps_.take();
    const Index column = column_at_[u(k)];
    const T w = value_[u(column)];
    const Real size = std::abs(w);
    if (size < limit_) dropped_ = true;
    if (size == 0 || size < limit_) continue;
    const int64_t first = diagonal_[u(k)], last = out_->pointers[u(k) + 1];
    const T factor = w / out_->values[u(first)];
    lower_.push_back({column, factor, size});
    for (int64_t p = first + 1; p < last; ++p) {
      const Index to = out_->indices[u(p)];
      if (!used_[u(to)]) touch(to, step);
      value_[u(to)] = less_product(value_[u(to)], factor, out_->values[u(p)]);
    }
  }
}

// Exchanges columns if the largest element of U's row is much larger than that of the diagonal. Where all are
// gone because some were dropped, a small number is the pivot, as in Saad's ILUT.
template <class T>
bool Ilut<T>::choose_pivot(int64_t step) {
  if (!finite_) return false;
  const Index own = column_at_[u(step)];
  const Real diagonal = used_[u(own)] ? std::abs(value_[u(own)]) : Real(0);
  Index best = own;
  Real most = diagonal;
  for (const Index column : columns_) {
    if (at_[u(column)] < step) continue;
    const Real size = std::abs(value_[u(column)]);
    if (size > most || (size == most && at_[u(column)] < at_[u(best)])) {
      most = size;
      best = column;
    }
  }
  if (most == 0 && dropped_ && largest_ > 0) {
    if (!used_[u(own)]) touch(own, step);
    value_[u(own)] = T((Real(1e-4) + static_cast<Real>(c_.options.drop_tol)) * largest_);
    return true;
  }
  if (!(most > 0) || !std::isfinite(most)) return false;
  if (diagonal >= static_cast<Real>(c_.options.diag_pivot_thresh) * most && diagonal > 0) best = own;
  std::swap(column_at_[u(step)], column_at_[u(at_[u(best)])]);
  std::swap(at_[u(own)], at_[u(best)]);
  return true;
}

// Keeps the largest elements that are above the limit: as many as all rows so far may have less those that
// they have, but never less than the row of a.
template <class T>
void Ilut<T>::drop(int64_t step) {
  const Index pivot = column_at_[u(step)];
  for (const Index column : columns_) {
    const Real size = std::abs(value_[u(column)]);
    if (at_[u(column)] <= step || size == 0) continue;
    if (size >= limit_) {
      upper_.push_back({column, value_[u(column)], size});
    } else {
      dropped_ = true;
    }
  }
  const Index row = row_order_[u(step)];
  const int64_t own = c_.pointers[row + 1] - c_.pointers[row];
  given_ += own;
  const double all = c_.options.fill_factor * static_cast<double>(given_),
               left = all - static_cast<double>(out_->indices.size());
  const auto count = static_cast<int64_t>(lower_.size() + upper_.size());
  const double allowed = std::max(left, static_cast<double>(own));
  if (allowed < static_cast<double>(count)) {
    const auto larger = [&](const Kept& x, const Kept& y) {
      return x.size != y.size ? x.size > y.size : at_[u(x.column)] < at_[u(y.column)];
    };
    dropped_ = true;
    std::vector<Kept> both(lower_);
    both.insert(both.end(), upper_.begin(), upper_.end());
    const auto end = both.begin() + static_cast<int64_t>(allowed);
    std::nth_element(both.begin(), end, both.end(), larger);
    lower_.clear();
    upper_.clear();
    std::for_each(both.begin(), end,
                  [&](const Kept& k) { (at_[u(k.column)] < step ? lower_ : upper_).push_back(k); });
  }
  const auto earlier = [&](const Kept& x, const Kept& y) { return at_[u(x.column)] < at_[u(y.column)]; };
  std::sort(lower_.begin(), lower_.end(), earlier);
  const auto append = [&](const Kept& k) {
    out_->indices.push_back(k.column);
    out_->values.push_back(k.value);
  };
  std::for_each(lower_.begin(), lower_.end(), append);
  diagonal_.push_back(static_cast<int64_t>(out_->indices.size()));
  append({pivot, value_[u(pivot)], 0});
  std::for_each(upper_.begin(), upper_.end(), append);
  out_->pointers.push_back(static_cast<int64_t>(out_->indices.size()));
}

template <class T>
void Ilut<T>::begin(Index row) {
  for (const Index column : columns_) used_[u(column)] = 0;
  columns_.clear();
  lower_.clear();
  upper_.clear();
  const auto step = static_cast<int64_t>(diagonal_.size());
  largest_ = 0;
  finite_ = true;
  for (int64_t p = c_.pointers[row]; p < c_.pointers[row + 1]; ++p) {
    const Index column = c_.indices[p];
    touch(column, step);
    value_[u(column)] = data_[p];
    const Real size = std::abs(data_[p]);
    finite_ = finite_ && std::isfinite(size);
    largest_ = std::max(largest_, size);
  }
  limit_ = static_cast<Real>(c_.options.drop_tol) * largest_;
}

// Columns become steps, whose order is that of the elements in each row.
template <class T>
void Ilut<T>::finish() {
  std::vector<Kept> row;
  for (int64_t i = 0; i < c_.n; ++i) {
    const int64_t first = diagonal_[u(i)] + 1, last = out_->pointers[u(i) + 1];
    row.clear();
    for (int64_t p = first; p < last; ++p)
      row.push_back({at_[u(out_->indices[u(p)])], out_->values[u(p)], 0});
    std::sort(row.begin(), row.end(), [](const Kept& x, const Kept& y) { return x.column < y.column; });
    for (int64_t p = out_->pointers[u(i)]; p < first; ++p) out_->indices[u(p)] = at_[u(out_->indices[u(p)])];
    for (int64_t p = first; p < last; ++p) {
      out_->indices[u(p)] = row[u(p - first)].column;
      out_->values[u(p)] = row[u(p - first)].value;
    }
  }
  for (int64_t k = 0; k < c_.n; ++k) c_.perm_r[row_order_[u(k)]] = static_cast<Index>(k);
  std::copy(at_.begin(), at_.end(), c_.perm_c);
  *c_.out = out_;
}

template <class T>
int64_t Ilut<T>::run() {
  for (int64_t step = 0; step < c_.n; ++step) {
    const Index row = row_order_[u(step)];
    begin(row);
    eliminate(step);
    if (!choose_pivot(step)) return row;
    drop(step);
  }
  finish();
  return c_.n;
}

}  // namespace

void sparse_ilut(const SparseIlutCall& c) {
  with_type(c.dtype, [&]<class T>(T) { *c.failed = Ilut<T>(c).run(); });
}

}  // namespace arr::host
