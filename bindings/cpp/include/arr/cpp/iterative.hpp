/* SPDX-License-Identifier: MIT */
/* iterative.hpp - iterative solvers, a few eigenvalues.
 *
 *   arr::solution s = arr::solve_cg(a, b);
 *   arr::solve_options options;
 *   options.rtol = 1e-8;
 *   arr::array x = arr::solve_gmres(arr::linop(n, n, arr::float64, product), b, options).x; */
#ifndef ARR_CPP_ITERATIVE_HPP
#define ARR_CPP_ITERATIVE_HPP
#include <arr/cpp/linop.hpp>

#include <tuple>

namespace arr {

/** Options of solvers, as in arr_solve_options. The callback gets the number of iterations and the residual's
 * norm; true ends the solver. */
struct solve_options {
  double rtol = 0, atol = 0;
  int64_t maxiter = 0;
  const array* x0 = nullptr;
  const linop* m = nullptr;
  int64_t check_every = 0, restart = 0, augment = 0;
  double shift = 0;
  std::function<bool(int64_t, double)> callback = nullptr;
};

/** The last iterate, and what the solver reports; true if it reached the tolerance. */
struct solution {
  array x;
  int64_t info = 0, iterations = 0;
  double residual = 0;
  explicit operator bool() const { return info == 0; }
};

namespace detail {
inline bool call_progress(const std::function<bool(int64_t, double)>& f, int64_t iterations,
                          double residual) {
  try {
    return f(iterations, residual);
  } catch (...) {
    thrown() = std::current_exception();
    return true;
  }
}
template <class Options>
void set_callback(Options* to, const std::function<bool(int64_t, double)>& callback) {
  if (!callback) return;
  to->callback = [](void* ctx, int64_t iterations, double residual) {
    return call_progress(*static_cast<const std::function<bool(int64_t, double)>*>(ctx), iterations,
                         residual);
  };
  to->ctx = const_cast<void*>(static_cast<const void*>(&callback));
}
template <class Solver>
solution solved(Solver solver, const linop& a, const array& b, const solve_options& o) {
  arr_solve_options given{};
  given.struct_size = static_cast<int64_t>(sizeof given);
  given.rtol = o.rtol;
  given.atol = o.atol;
  given.maxiter = o.maxiter;
  given.x0 = o.x0 != nullptr ? o.x0->get() : nullptr;
  given.m = o.m != nullptr ? o.m->get() : nullptr;
  given.check_every = o.check_every;
  given.restart = o.restart;
  given.augment = o.augment;
  given.shift = o.shift;
  set_callback(&given, o.callback);
  arr_solve_info info{};
  info.struct_size = static_cast<int64_t>(sizeof info);
  solution out;
  check_called(solver(a.get(), b.get(), &given, nullptr, out.x.put(), &info));
  out.info = info.info;
  out.iterations = info.iterations;
  out.residual = info.residual;
  return out;
}
}  // namespace detail

inline solution solve_cg(const linop& a, const array& b, const solve_options& o = {}) {
  return detail::solved(arr_solve_cg, a, b, o);
}
inline solution solve_cgs(const linop& a, const array& b, const solve_options& o = {}) {
  return detail::solved(arr_solve_cgs, a, b, o);
}
inline solution solve_bicgstab(const linop& a, const array& b, const solve_options& o = {}) {
  return detail::solved(arr_solve_bicgstab, a, b, o);
}
inline solution solve_gmres(const linop& a, const array& b, const solve_options& o = {}) {
  return detail::solved(arr_solve_gmres, a, b, o);
}
inline solution solve_lgmres(const linop& a, const array& b, const solve_options& o = {}) {
  return detail::solved(arr_solve_lgmres, a, b, o);
}
inline solution solve_minres(const linop& a, const array& b, const solve_options& o = {}) {
  return detail::solved(arr_solve_minres, a, b, o);
}
inline solution solve_tfqmr(const linop& a, const array& b, const solve_options& o = {}) {
  return detail::solved(arr_solve_tfqmr, a, b, o);
}

/** Options of solve_lsqr and solve_lsmr, as in arr_lsqr_options. */
struct lsqr_options {
  double damp = 0, atol = 0, btol = 0, conlim = 0;
  int64_t maxiter = 0;
  const array* x0 = nullptr;
  std::function<bool(int64_t, double)> callback = nullptr;
};
/** The solution, and what the solver reports. */
struct least_squares {
  array x;
  arr_lsqr_info info{};
};

namespace detail {
template <class Solver>
least_squares solved(Solver solver, const lsqr_options& o) {
  arr_lsqr_options given{};
  given.struct_size = static_cast<int64_t>(sizeof given);
  given.damp = o.damp;
  given.atol = o.atol;
  given.btol = o.btol;
  given.conlim = o.conlim;
  given.maxiter = o.maxiter;
  given.x0 = o.x0 != nullptr ? o.x0->get() : nullptr;
  set_callback(&given, o.callback);
  least_squares out;
  out.info.struct_size = static_cast<int64_t>(sizeof out.info);
  check_called(solver(&given, out.x.put(), &out.info));
  return out;
}
}  // namespace detail

inline least_squares solve_lsqr(const linop& a, const array& b, const lsqr_options& o = {}) {
  return detail::solved(
      [&](const arr_lsqr_options* given, arr_array* x, arr_lsqr_info* info) {
        return arr_solve_lsqr(a.get(), b.get(), given, nullptr, x, nullptr, info);
      },
      o);
}
inline least_squares solve_lsmr(const linop& a, const array& b, const lsqr_options& o = {}) {
  return detail::solved(
      [&](const arr_lsqr_options* given, arr_array* x, arr_lsqr_info* info) {
        return arr_solve_lsmr(a.get(), b.get(), given, nullptr, x, info);
      },
      o);
}

/** Options of eigsh, eigs and svds, as in arr_eigsh_options. */
struct eigsh_options {
  int64_t ncv = 0, maxiter = 0;
  double tol = 0;
  const array* v0 = nullptr;
};
namespace detail {
inline arr_eigsh_options to_c(const eigsh_options& o) {
  arr_eigsh_options given{};
  given.struct_size = static_cast<int64_t>(sizeof given);
  given.ncv = o.ncv;
  given.maxiter = o.maxiter;
  given.tol = o.tol;
  given.v0 = o.v0 != nullptr ? o.v0->get() : nullptr;
  return given;
}
}  // namespace detail

/** Returns k eigenvalues in ascending order, and eigenvectors in columns. */
inline std::pair<array, array> eigsh(const linop& a, int64_t k = 6, int32_t which = ARR_EIGEN_LM,
                                     const eigsh_options& o = {}) {
  const arr_eigsh_options given = detail::to_c(o);
  array w, v;
  detail::check_called(arr_eigsh(a.get(), k, which, &given, nullptr, w.put(), v.put()));
  return {std::move(w), std::move(v)};
}
/** Returns k eigenvalues of any operator, the most wanted one first, and eigenvectors in columns. */
inline std::pair<array, array> eigs(const linop& a, int64_t k = 6, int32_t which = ARR_EIGEN_LM,
                                    const eigsh_options& o = {}) {
  const arr_eigsh_options given = detail::to_c(o);
  array w, v;
  detail::check_called(arr_eigs(a.get(), k, which, &given, nullptr, w.put(), v.put()));
  return {std::move(w), std::move(v)};
}
/** Returns u, s and vh of k singular values in ascending order. */
inline std::tuple<array, array, array> svds(const linop& a, int64_t k = 6, int32_t which = ARR_EIGEN_LM,
                                            const eigsh_options& o = {}) {
  const arr_eigsh_options given = detail::to_c(o);
  array u, s, vh;
  detail::check_called(arr_svds(a.get(), k, which, &given, nullptr, u.put(), s.put(), vh.put()));
  return {std::move(u), std::move(s), std::move(vh)};
}

/** Returns an estimate of the 1-norm of an operator. */
inline double onenormest(const linop& a, int64_t t = 2, int64_t itmax = 5) {
  double est = 0;
  detail::check_called(arr_onenormest(a.get(), t, itmax, nullptr, &est, nullptr, nullptr));
  return est;
}
/** Returns exp(a) b. */
inline array expm_multiply(const linop& a, const array& b) {
  array out;
  detail::check_called(arr_expm_multiply(a.get(), b.get(), nullptr, nullptr, out.put()));
  return out;
}
/** Returns exp(t a) b at num times from start to stop, along a first axis. */
inline array expm_multiply(const linop& a, const array& b, double start, double stop, int64_t num) {
  arr_expm_options given{};
  given.struct_size = static_cast<int64_t>(sizeof given);
  given.num = num;
  given.start = start;
  given.stop = stop;
  array out;
  detail::check_called(arr_expm_multiply(a.get(), b.get(), &given, nullptr, out.put()));
  return out;
}

/** Options of lobpcg, as in arr_lobpcg_options. */
struct lobpcg_options {
  const linop* b = nullptr;
  const linop* m = nullptr;
  bool smallest = false;
  double tol = 0;
  int64_t maxiter = 0;
};
/** Returns eigenvalues, and eigenvectors in columns, from the approximate ones in the columns of x. */
inline std::pair<array, array> lobpcg(const linop& a, const array& x, const lobpcg_options& o = {}) {
  arr_lobpcg_options given{};
  given.struct_size = static_cast<int64_t>(sizeof given);
  given.b = o.b != nullptr ? o.b->get() : nullptr;
  given.m = o.m != nullptr ? o.m->get() : nullptr;
  given.smallest = o.smallest ? 1 : 0;
  given.tol = o.tol;
  given.maxiter = o.maxiter;
  array w, v;
  detail::check_called(arr_lobpcg(a.get(), x.get(), &given, nullptr, w.put(), v.put(), nullptr));
  return {std::move(w), std::move(v)};
}

}  // namespace arr
#endif
