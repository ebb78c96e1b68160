// SPDX-License-Identifier: MIT
// Gaussian elimination of tridiagonal systems with partial pivoting: the operations of LAPACK's gtsv (E.
// Anderson et al., LAPACK Users' Guide, 3rd edition, 1999) in each lane. A row that is exchanged has an
// element in the second diagonal above the main one.
#include "host/loops/linalg/tridiagonal.h"

#include "host/loops/linalg/small_matrices.h"
#include "host/loops/vectors.h"

#ifndef ARR_LEVEL
#error "ARR_LEVEL names the namespace of the instruction-set level"
#endif

namespace arr::host {
ARR_SMALL_FILLERS(ARR_LEVEL)
}  // namespace arr::host

namespace arr::host::ARR_LEVEL {

namespace {

template <class T>
struct OfLanes {
  typedef T type __attribute__((vector_size(vector_bytes)));
};
template <class T, class V>
using AtAnyAddress = Vector<T, static_cast<int64_t>(sizeof(V) / sizeof(T))>;

// A real number of each lane; V: T or a vector of T.
template <class V>
struct Real {
  V re;
};
template <class V>
struct Complex {
  V re, im;
};

template <class V, class T>
void read(const T* from, Real<V>* to) {
  to->re = *reinterpret_cast<const AtAnyAddress<T, V>*>(from);
}
template <class V, class T>
void read(const T* from, Complex<V>* to) {
  to->re = *reinterpret_cast<const AtAnyAddress<T, V>*>(from);
  to->im = *reinterpret_cast<const AtAnyAddress<T, V>*>(from + sizeof(V) / sizeof(T));
}
template <class V, class T>
void write(const Real<V>& x, T* to) {
  *reinterpret_cast<AtAnyAddress<T, V>*>(to) = x.re;
}
template <class V, class T>
void write(const Complex<V>& x, T* to) {
  *reinterpret_cast<AtAnyAddress<T, V>*>(to) = x.re;
  *reinterpret_cast<AtAnyAddress<T, V>*>(to + sizeof(V) / sizeof(T)) = x.im;
}

// The size by which pivots are chosen, as in LAPACK.
template <class V>
V size(const V& x) {
  return x < V{} ? -x : x;
}
template <class V>
V size(const Real<V>& x) {
  return size(x.re);
}
template <class V>
V size(const Complex<V>& x) {
  return size(x.re) + size(x.im);
}

template <class M, class V>
Real<V> choose(const M& first, const Real<V>& x, const Real<V>& y) {
  return {first ? x.re : y.re};
}
template <class M, class V>
Complex<V> choose(const M& first, const Complex<V>& x, const Complex<V>& y) {
  return {first ? x.re : y.re, first ? x.im : y.im};
}

// x - f y
template <class V, class F>
Real<V> less(const Real<V>& x, const Real<F>& f, const Real<V>& y) {
  return {x.re - f.re * y.re};
}
template <class V, class F>
Complex<V> less(const Complex<V>& x, const Complex<F>& f, const Complex<V>& y) {
  return {x.re - (f.re * y.re - f.im * y.im), x.im - (f.re * y.im + f.im * y.re)};
}

template <class V, class F>
Real<V> quotient(const Real<V>& x, const Real<F>& y) {
  return {x.re / y.re};
}
// Scaled, so that |y|^2 neither overflows nor underflows.
template <class V, class F>
Complex<V> quotient(const Complex<V>& x, const Complex<F>& y) {
  const F a = size(y.re), b = size(y.im), scale = a > b ? a : b;
  const F re = y.re / scale, im = y.im / scale, square = re * re + im * im;
  return {(x.re * re + x.im * im) / square / scale, (x.im * re - x.re * im) / square / scale};
}

template <class N>
struct Parts;
template <class V>
struct Parts<Real<V>> {
  using Part = V;
};
template <class V>
struct Parts<Complex<V>> {
  using Part = V;
};

// The vectors of one row, of which only the first s.vectors are used; one number if the systems are not in
// vectors.
template <class T, class N>
constexpr uint64_t max_vectors = sizeof(typename Parts<N>::Part) == sizeof(T) ? 1 : tridiagonal_vectors;
template <class T, class N>
constexpr int64_t numbers = sizeof(N) / sizeof(T);

template <class T, class N>
class Elimination {
  using V = typename Parts<N>::Part;
  static constexpr uint64_t max = max_vectors<T, N>;
  static constexpr int64_t step = numbers<T, N>;

 public:
  explicit Elimination(const TridiagonalSystems<T>& s) : s_(s), vectors_(max == 1 ? 1 : s.vectors) {}

  // Leaves U in the work memory and the eliminated right-hand sides in x. With FACTORS there are no
  // right-hand sides.
  template <bool FACTORS>
  bool eliminate() {
    for (int64_t v = 0; v < vectors_; ++v) {
      diagonal_[v] = at(s_.diagonal, 0, v);
      upper_[v] = s_.n > 1 ? at(s_.upper, 0, v) : N{};
      if constexpr (!FACTORS) b_[v] = at(s_.b, 0, v);
    }
    for (int64_t i = 0; i + 1 < s_.n; ++i) {
      for (int64_t v = 0; v < vectors_; ++v) eliminate_row<FACTORS>(i, v);
    }
    const int64_t last = s_.n - 1;
    for (int64_t v = 0; v < vectors_; ++v) {
      put(last, v, diagonal_[v], N{}, N{});
      if constexpr (!FACTORS) write(b_[v], s_.x.at + last * s_.x.step + v * step);
    }
    for (uint64_t l = 0; l < sizeof(V) / sizeof(T); ++l) {
      if (reinterpret_cast<const T*>(&zero_)[l] != 0) return true;
    }
    return false;
  }

 private:
  // Row i, with what is left of it, is the pivot of the next row, or that is its pivot.
  template <bool FACTORS>
  void eliminate_row(int64_t i, int64_t v) {
    const N d = diagonal_[v], u = upper_[v];
    const N l = at(s_.lower, i, v), d1 = at(s_.diagonal, i + 1, v);
    const N u1 = i + 2 < s_.n ? at(s_.upper, i + 1, v) : N{};
    const auto swapped = size(l) > size(d);
    const N pivot = choose(swapped, l, d), factor = quotient(choose(swapped, d, l), pivot);
    const N first = choose(swapped, d1, u), second = choose(swapped, u1, N{});
    put(i, v, pivot, first, second);
    diagonal_[v] = less(choose(swapped, u, d1), factor, first);
    upper_[v] = less(choose(swapped, N{}, u1), factor, second);
    if constexpr (FACTORS) {
      write(factor, s_.factors + i * step);
      s_.swapped[i] = swapped;
    } else {
      const N b = b_[v], b1 = at(s_.b, i + 1, v), top = choose(swapped, b1, b);
      write(top, s_.x.at + i * s_.x.step + v * step);
      b_[v] = less(choose(swapped, b, b1), factor, top);
    }
  }
  static N at(const TridiagonalRows<const T>& rows, int64_t i, int64_t v) {
    N x;
    read(rows.at + i * rows.step + v * step, &x);
    return x;
  }
  void put(int64_t i, int64_t v, const N& pivot, const N& first, const N& second) {
    const int64_t to = (i * vectors_ + v) * step;
    write(pivot, s_.pivots + to);
    write(first, s_.first + to);
    write(second, s_.second + to);
    zero_ = size(pivot) == V{} ? V{} + 1 : zero_;
  }

  const TridiagonalSystems<T> s_;
  const int64_t vectors_;
  N diagonal_[max], upper_[max], b_[max];
  V zero_{};
};

// x = U^-1 x; F: a number of U, N: of x. All vectors of x have the same U if that is of single numbers.
template <class T, class F, class N>
void substitute_back(const TridiagonalSystems<T>& s) {
  constexpr uint64_t max = max_vectors<T, N>;
  constexpr int64_t of_u = numbers<T, F>;
  const int64_t vectors = max == 1 ? 1 : s.vectors, vectors_of_u = max_vectors<T, F> == 1 ? 1 : vectors;
  N x1[max] = {}, x2[max] = {};
  for (int64_t i = s.n - 1; i >= 0; --i) {
    for (int64_t v = 0; v < vectors; ++v) {
      const int64_t from = (i * vectors_of_u + (vectors_of_u == 1 ? 0 : v)) * of_u;
      N x;
      F pivot, first, second;
      T* to = s.x.at + i * s.x.step + v * numbers<T, N>;
      read(to, &x);
      read(s.pivots + from, &pivot);
      read(s.first + from, &first);
      read(s.second + from, &second);
      x = quotient(less(less(x, first, x1[v]), second, x2[v]), pivot);
      write(x, to);
      x2[v] = x1[v];
      x1[v] = x;
    }
  }
}

template <class T, class N>
bool solve(const TridiagonalSystems<T>& s) {
  const bool singular = Elimination<T, N>(s).template eliminate<false>();
  substitute_back<T, N, N>(s);
  return singular;
}

template <class T, class N>
bool factor(const TridiagonalSystems<T>& s) {
  return Elimination<T, N>(s).template eliminate<true>();
}

template <class T, class F, class N>
void substitute(const TridiagonalSystems<T>& s) {
  constexpr int64_t step = numbers<T, N>;
  N x[max_vectors<T, N>];
  for (int64_t v = 0; v < s.vectors; ++v) read(s.b.at + v * step, x + v);
  for (int64_t i = 0; i + 1 < s.n; ++i) {
    F factor;
    read(s.factors + i * numbers<T, F>, &factor);
    const bool swapped = s.swapped[i];
    for (int64_t v = 0; v < s.vectors; ++v) {
      N next;
      read(s.b.at + (i + 1) * s.b.step + v * step, &next);
      const N top = swapped ? next : x[v];
      write(top, s.x.at + i * s.x.step + v * step);
      x[v] = less(swapped ? x[v] : next, factor, top);
    }
  }
  for (int64_t v = 0; v < s.vectors; ++v) write(x[v], s.x.at + (s.n - 1) * s.x.step + v * step);
  substitute_back<T, F, N>(s);
}

template <class T>
void fill(TridiagonalLoops<T>* real, TridiagonalLoops<T>* complex) {
  using V = typename OfLanes<T>::type;
  real->solve = solve<T, Real<T>>;
  real->solve_lanes = solve<T, Real<V>>;
  real->factor = factor<T, Real<T>>;
  real->substitute_lanes = substitute<T, Real<T>, Real<V>>;
  complex->solve = solve<T, Complex<T>>;
  complex->solve_lanes = solve<T, Complex<V>>;
  complex->factor = factor<T, Complex<T>>;
  complex->substitute_lanes = substitute<T, Complex<T>, Complex<V>>;
}

}  // namespace

void fill_tridiagonal(SmallTable& t) {
  fill(&t.float32.tridiagonal, &t.float32.tridiagonal_complex);
  fill(&t.float64.tridiagonal, &t.float64.tridiagonal_complex);
}

}  // namespace arr::host::ARR_LEVEL
