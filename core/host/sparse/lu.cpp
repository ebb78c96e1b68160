// SPDX-License-Identifier: MIT
// LU factors of sparse matrices by SuperLU.
#include <algorithm>
#include <climits>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include "backend/linalg.h"
#include "backend/sparse_factor.h"
#include "host/device/streams.h"
#include "host/libraries/blas.h"
#include "host/libraries/superlu.h"
#include "host/sparse/calls.h"
#include "host/sparse/element_types.h"
#include "host/sparse/matching.h"

namespace arr::host {

namespace {

using superlu::Columns;
using superlu::Dense;
using superlu::Growing;
using superlu::Matrix;
using superlu::Options;
using superlu::Statistics;

// Statistics that SuperLU writes; its own function for them would end the process without memory.
class Counters {
 public:
  explicit Counters(const SuperLuLibrary& l)
      : panels_(static_cast<size_t>(std::max(l.sp_ienv(1), l.sp_ienv(2)) + 64)) {
    numbers = {panels_.data(), seconds_, operations_, 0, 0, 0};
  }
  Statistics numbers{};

 private:
  static constexpr size_t phases = 64;  // more than any version has
  std::vector<int> panels_;
  double seconds_[phases] = {};
  float operations_[phases] = {};
};

// One thread of OpenBLAS: panels are small, and bits must not depend on the number of threads.
class BlasScope {
 public:
  BlasScope() {
    if (!blas_library().found()) return;
    use_.emplace(1);
    one_.emplace();
  }

 private:
  std::optional<BlasUse> use_;
  std::optional<OneThread> one_;
};

int number(DType d) {
  return d == DType::float32_ ? 0 : d == DType::float64_ ? 1 : d == DType::complex64_ ? 2 : 3;
}

// 1 or -1.
int32_t sign_of(const std::vector<int>& permutation) {
  std::vector<bool> seen(permutation.size());
  int32_t sign = 1;
  for (size_t i = 0; i < seen.size(); ++i) {
    for (size_t j = i; !seen[j]; j = static_cast<size_t>(permutation[j])) {
      seen[j] = true;
      if (static_cast<size_t>(permutation[j]) != i) sign = -sign;
    }
  }
  return sign;
}

template <class T>
class Factors final : public SparseLu {
 public:
  using Real = typename SuperLu<T>::Real;
  explicit Factors(const SparseLuCall& c)
      : library_(superlu_library()),
        f_(library_.template of<T>()),
        n_(static_cast<int>(c.n)),
        pointers_(c.pointers, c.pointers + c.n + 1),
        indices_(c.indices, c.indices + c.nnz) {}
  ~Factors() override {
    if (l_.store != nullptr) library_.destroy_supernodes(&l_);
    if (u_.store != nullptr) library_.destroy_columns(&u_);
  }
  void solve(const SparseLuSolveCall& c) const;
  void parts(const SparseLuPartsCall& c) const;

  // Apart from the constructor, so that a failure frees the factors so far.
  void factorize(const SparseLuCall& c);

 private:
  void check_size() const;
  void check_products() const;
  void check_pattern(const Factors& like) const;
  void equilibrate(Matrix* a);
  void run(Options* options, Matrix* a);
  void scale(T* x, const std::vector<Real>& by) const;
  [[noreturn]] void fail_singular(int info) const;

  const SuperLuLibrary& library_;
  const SuperLu<T>& f_;
  int n_;
  std::vector<int> pointers_, indices_;  // of the matrix
  std::vector<int> perm_r_, perm_c_, etree_;
  std::vector<Real> r_, c_;  // factors of rows and columns; empty if they are 1
  Matrix l_, u_;
};

// SuperLU computes sizes in int.
template <class T>
void Factors<T>::check_size() const {
  const auto elements = static_cast<int64_t>(indices_.size()), n = int64_t{n_};
  const int64_t fill = library_.sp_ienv(6);
  if (elements > INT_MAX / std::max<int64_t>(fill, 8)) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", elements, " elements, expected at most ",
         INT_MAX / std::max<int64_t>(fill, 8), " for SuperLU");
  }
  const int64_t panel = library_.sp_ienv(1),
                most = INT_MAX / ((panel + 2) * static_cast<int64_t>(std::max(sizeof(T), 2 * sizeof(int))));
  if (n > most) {
    fail(ARR_E_UNSUPPORTED, "argument a: ", n, " columns, expected at most ", most, " for SuperLU");
  }
}

// SuperLU counts the elements of a^T a in int.
template <class T>
void Factors<T>::check_products() const {
  const auto n = static_cast<double>(n_);
  std::vector<int64_t> of_row(static_cast<size_t>(n_));
  for (const int i : indices_) ++of_row[static_cast<size_t>(i)];
  double products = 0;  // at least the elements of a^T a
  for (const int64_t k : of_row) products += static_cast<double>(k) * static_cast<double>(k);
  products = std::min(products, n * n);
  if (products > INT_MAX / 2) {
    fail(ARR_E_UNSUPPORTED, "argument a: a^T a may have ", products,
         " elements, too many for ARR_PERMC_MMD_ATA; use ARR_PERMC_COLAMD");
  }
}

template <class T>
void Factors<T>::check_pattern(const Factors& like) const {
  if (like.n_ == n_ && like.pointers_ == pointers_ && like.indices_ == indices_) return;
  fail(ARR_E_ARGUMENT, "argument a: its elements are not where those of the factored matrix were");
}

template <class T>
void Factors<T>::equilibrate(Matrix* a) {
  const auto n = static_cast<size_t>(n_);
  std::vector<Real> r(n), c(n);
  Real rows = 0, columns = 0, largest = 0;
  int info = 0;
  f_.gsequ(a, r.data(), c.data(), &rows, &columns, &largest, &info);
  if (info != 0) {
    fail(ARR_E_LINALG, "argument a: is singular: ", info <= n_ ? "row " : "column ",
         info <= n_ ? info - 1 : info - n_ - 1, " is 0");
  }
  char done = 'N';
  f_.laqgs(a, r.data(), c.data(), rows, columns, largest, &done);
  if (done == 'R' || done == 'B') r_ = std::move(r);
  if (done == 'C' || done == 'B') c_ = std::move(c);
}

template <class T>
void Factors<T>::fail_singular(int info) const {
  const auto column = std::find(perm_c_.begin(), perm_c_.end(), info - 1) - perm_c_.begin();
  fail(ARR_E_LINALG, "argument a: is singular: pivot ", info - 1, ", of column ", column, ", is 0");
}

template <class T>
void Factors<T>::run(Options* options, Matrix* a) {
  Counters counters(library_);
  const BlasScope blas_scope;
  int info = 0;
  Matrix permuted;
  Growing memory;
  library_.sp_preorder(options, a, perm_c_.data(), etree_.data(), &permuted);
  f_.gstrf(options, &permuted, library_.sp_ienv(2), library_.sp_ienv(1), etree_.data(), nullptr, 0,
           perm_c_.data(), perm_r_.data(), &l_, &u_, &memory, &counters.numbers, &info);
  library_.destroy_permuted(&permuted);
  if (info > n_) {
    l_ = u_ = {};
    fail(ARR_E_MEMORY, "SuperLU ran out of memory, with ", int64_t{info} - n_, " bytes in use");
  }
  if (info > 0) fail_singular(info);
  if (info < 0) fail(ARR_E_INTERNAL, "SuperLU refuses argument ", -info);
}

template <class T>
void Factors<T>::factorize(const SparseLuCall& c) {
  const auto n = static_cast<size_t>(n_);
  check_size();
  const auto* like = static_cast<const Factors*>(c.like.get());
  if (like != nullptr) {
    check_pattern(*like);
  } else if (const int64_t free = unmatched_column(n_, pointers_.data(), indices_.data()); free >= 0) {
    // SuperLU would write outside of its memory.
    fail(ARR_E_LINALG, "argument a: is singular: column ", free, " has no row for a pivot");
  }
  Options options{};
  library_.set_options(&options);
  options.fact = like != nullptr ? superlu::same_pattern : superlu::factor_anew;
  options.ordering = static_cast<int>(c.options.ordering);
  options.diag_pivot_thresh = c.options.diag_pivot_thresh;
  options.symmetric = c.options.symmetric ? 1 : 0;
  const auto* data = static_cast<const T*>(c.data);
  std::vector<T> values;  // of which SuperLU scales rows and columns
  if (c.options.equilibrate) values.assign(data, data + c.nnz);
  Columns columns{static_cast<int>(c.nnz), c.options.equilibrate ? values.data() : const_cast<T*>(data),
                  indices_.data(), pointers_.data()};
  Matrix a{superlu::nc, number(c.dtype), 0, n_, n_, &columns};
  if (c.options.equilibrate) equilibrate(&a);
  perm_r_.resize(n);
  if (like != nullptr) {
    perm_c_ = like->perm_c_;
    etree_ = like->etree_;
  } else {
    perm_c_.resize(n);
    etree_.resize(n);
    if (c.options.ordering == SparseOrdering::mmd_ata) check_products();
    const std::lock_guard lock(superlu_ordering());
    library_.get_perm_c(options.ordering, &a, perm_c_.data());
  }
  run(&options, &a);
  nnz = int64_t{static_cast<const superlu::Supernodes*>(l_.store)->nnz} +
        static_cast<const Columns*>(u_.store)->nnz;
  std::copy(perm_r_.begin(), perm_r_.end(), c.perm_r);
  std::copy(perm_c_.begin(), perm_c_.end(), c.perm_c);
  sign = sign_of(perm_r_) * sign_of(perm_c_);
}

// Calls use(column, row, value) for the elements of both factors that are not 0, first those of L.
template <class T, class Use>
void each_element(const Matrix& l, const Matrix& u, int n, const Use& use) {
  const auto& blocks = *static_cast<const superlu::Supernodes*>(l.store);
  const auto& above = *static_cast<const Columns*>(u.store);
  const auto* values = static_cast<const T*>(blocks.values);
  const auto* more = static_cast<const T*>(above.values);
  for (int j = 0; j < n; ++j) {
    for (int p = above.pointers[j]; p < above.pointers[j + 1]; ++p) {
      if (more[p] != T(0)) use(j, above.rows[p], more[p]);
    }
    const int first = blocks.first_column[blocks.supernode_of[j]];
    const int* rows = blocks.rows + blocks.row_pointers[first];
    const T* column = values + blocks.value_pointers[j];
    for (int i = 0; i < blocks.value_pointers[j + 1] - blocks.value_pointers[j]; ++i) {
      if (column[i] != T(0)) use(j, rows[i], column[i]);
    }
  }
}

template <class T>
void Factors<T>::parts(const SparseLuPartsCall& c) const {
  auto *lower_data = static_cast<T*>(c.lower.data), *upper_data = static_cast<T*>(c.upper.data);
  const bool write = lower_data != nullptr;
  int64_t nl = 0, nu = 0;
  int32_t last = -1;
  const auto begin = [&](int j) {  // columns up to j
    while (last < j) {
      ++last;
      if (write) {
        c.lower.pointers[last] = static_cast<int32_t>(nl);
        c.upper.pointers[last] = static_cast<int32_t>(nu);
      }
      if (last == n_) return;
      if (write) {
        c.lower.indices[nl] = last;
        lower_data[nl] = T(1);
      }
      ++nl;
    }
  };
  each_element<T>(l_, u_, n_, [&](int j, int i, const T& value) {
    begin(j);
    int64_t& k = i > j ? nl : nu;
    if (write) {
      (i > j ? c.lower : c.upper).indices[k] = i;
      (i > j ? lower_data : upper_data)[k] = value;
    }
    ++k;
  });
  begin(n_);
  *c.lower.count = nl;
  *c.upper.count = nu;
}

template <class T>
void Factors<T>::scale(T* x, const std::vector<Real>& by) const {
  for (size_t i = 0; i < by.size(); ++i) x[i] *= by[i];
}

template <class T>
void Factors<T>::solve(const SparseLuSolveCall& c) const {
  constexpr int64_t most = 64;  // columns at a time, for each of which SuperLU needs memory
  const int64_t step = std::clamp<int64_t>(INT_MAX / std::max(n_, 1), 1, most);
  const bool plain = c.op == LinalgOp::none;
  const int trans = plain                                                        ? superlu::plain
                    : c.op == LinalgOp::transpose || std::is_floating_point_v<T> ? superlu::transposed
                                                                                 : superlu::conjugated;
  Counters counters(library_);
  const BlasScope blas_scope;
  for (int64_t first = 0; first < c.columns; first += step) {
    T* x = static_cast<T*>(c.x) + first * n_;
    const auto columns = static_cast<int>(std::min(step, c.columns - first));
    // a = R^-1 (R a C) C^-1: rows of the right-hand side are scaled before, those of x after.
    for (int j = 0; j < columns; ++j) scale(x + int64_t{j} * n_, plain ? r_ : c_);
    Dense values{n_, x};
    Matrix b{superlu::dn, number(c.dtype), 0, n_, columns, &values};
    int info = 0;
    f_.gstrs(trans, const_cast<Matrix*>(&l_), const_cast<Matrix*>(&u_), const_cast<int*>(perm_c_.data()),
             const_cast<int*>(perm_r_.data()), &b, &counters.numbers, &info);
    if (info != 0) fail(ARR_E_INTERNAL, "SuperLU refuses argument ", -info);
    for (int j = 0; j < columns; ++j) scale(x + int64_t{j} * n_, plain ? c_ : r_);
  }
}

}  // namespace

void sparse_lu(const SparseLuCall& c) {
  with_type(c.dtype, [&]<class T>(T) {
    const auto made = std::make_shared<Factors<T>>(c);
    made->factorize(c);
    *c.out = made;
  });
}

void sparse_lu_solve(const SparseLuSolveCall& c) {
  with_type(c.dtype, [&]<class T>(T) { static_cast<const Factors<T>&>(*c.lu).solve(c); });
}

void sparse_lu_parts(const SparseLuPartsCall& c) {
  with_type(c.dtype, [&]<class T>(T) { static_cast<const Factors<T>&>(*c.lu).parts(c); });
}

}  // namespace arr::host
