/* SPDX-License-Identifier: MIT */
/* iterative.hpp - linear operators, and iterative solvers with their options.
 *
 *   arr::solution s = arr::solve_cg(a, b, {.rtol = 1e-8});
 *   if (s.converged()) use(s.x); */
#ifndef ARR_CPP_ITERATIVE_HPP
#define ARR_CPP_ITERATIVE_HPP
#include <arr/cpp/sparse.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>

namespace arr {

namespace detail {
/** The exception of a function of the caller within a call of the library, thrown again after the call. */
inline std::exception_ptr& thrown() {
  thread_local std::exception_ptr kept;
  return kept;
}
inline void check_functions(arr_status status) {
  if (std::exception_ptr kept = std::exchange(thrown(), nullptr)) std::rethrow_exception(kept);
  check(status);
}

/** An array whose handle is the library's. */
struct lent_array {
  explicit lent_array(arr_array handle) : x(handle) {}
  lent_array(const lent_array&) = delete;
  lent_array& operator=(const lent_array&) = delete;
  ~lent_array() { x.release(); }
  array x;
};

/** The products of an operator, as functions that C calls. */
struct products {
  std::function<array(const array&)> matvec, rmatvec;

  static arr_status run(const std::function<array(const array&)>& f, arr_array x, arr_array* out) noexcept {
    try {
      const lent_array lent(x);
      *out = f(lent.x).release();
      return ARR_OK;
    } catch (const error& e) {
      thrown() = std::current_exception();
      return e.status();
    } catch (...) {
      thrown() = std::current_exception();
      return ARR_E_INTERNAL;
    }
  }
  static arr_status plain(void* self, arr_array x, arr_stream, arr_array* out) noexcept {
    return run(static_cast<products*>(self)->matvec, x, out);
  }
  static arr_status adjoint(void* self, arr_array x, arr_stream, arr_array* out) noexcept {
    return run(static_cast<products*>(self)->rmatvec, x, out);
  }
  static void drop(void* self) noexcept { delete static_cast<products*>(self); }
};
}  // namespace detail

/** A linear operator: a matrix, or functions that make its products. It moves, and does not copy; copy() is
 * another handle of the same operator, which never changes. */
class linop : public owner<arr_linop, arr_linop_release> {
 public:
  using owner::owner;
  linop() = default;
  /** Matrices are operators, so that solvers take them. */
  linop(const sparse& a) { check(arr_linop_from_sparse(a.get(), put())); }
  linop(const array& a) { check(arr_linop_from_dense(a.get(), put())); }
  /** Makes an operator of functions of an array of shape [columns] or [columns, k], and for the adjoint,
   * which may be left out, of [rows] or [rows, k]. What they throw ends the call that needs a product, and is
   * thrown by it. */
  linop(int64_t rows, int64_t columns, std::function<array(const array&)> matvec,
        std::function<array(const array&)> rmatvec = {}, arr::dtype dtype = arr::float64,
        const device& on = {}) {
    auto f = std::make_unique<detail::products>(detail::products{std::move(matvec), std::move(rmatvec)});
    const bool adjoint = static_cast<bool>(f->rmatvec);
    check(arr_linop_from_function(rows, columns, dtype, &on, f->matvec ? detail::products::plain : nullptr,
                                  adjoint ? detail::products::adjoint : nullptr, detail::products::drop,
                                  f.get(), put()));
    static_cast<void>(f.release());
  }

  linop copy() const {
    linop out;
    check(arr_linop_retain(get(), out.put()));
    return out;
  }
  arr_linop_properties info() const {
    return detail::filled<arr_linop_properties>(
        [&](arr_linop_properties* p) { return arr_linop_info(get(), p); });
  }
  int64_t rows() const { return info().rows; }
  int64_t columns() const { return info().columns; }
  arr::dtype dtype() const { return arr::dtype(static_cast<int32_t>(info().dtype)); }
  /** Returns the transpose. */
  linop T() const {
    linop out;
    check(arr_linop_transpose(get(), out.put()));
    return out;
  }
  /** Returns the conjugated transpose. */
  linop adjoint() const {
    linop out;
    check(arr_linop_adjoint(get(), out.put()));
    return out;
  }
  /** A friend, so that no other operand becomes an operator. */
  friend array operator*(const linop& a, const array& x) {
    array out;
    detail::check_functions(arr_linop_apply(a.get(), x.get(), ARR_MATRIX_PLAIN, nullptr, out.put()));
    return out;
  }
};

/** Options of iterative solvers; those of the C API with SciPy's defaults. */
struct solve_options {
  /** Tolerance as a share of the norm of b, and of the residual's norm; the larger one counts. */
  double rtol = 1e-5, atol = 0;
  /** Largest number of iterations; by default the method's. */
  std::optional<int64_t> maxiter{};
  /** The first iterate; by default zeros. */
  array x0{};
  /** Preconditioner, an approximate inverse. */
  const linop* m = nullptr;
  /** Iterations between two looks at the result; 0 selects 1 on the host and 16 on CUDA. */
  int64_t check_every = 0;
  /** gmres, lgmres: vectors of a cycle; 0 selects 20, or 30. */
  int64_t restart = 0;
  /** minres: solves (a - shift I) x = b. */
  double shift = 0;
  /** Called with the number of iterations and the norm of the residual; true ends the solver. */
  std::function<bool(int64_t, double)> callback{};
};

/** The result of a solver. */
struct solution {
  array x;
  /** 0 if the tolerance was reached; positive if maxiter or the callback came first; negative after a
   * breakdown. */
  int64_t info = 0;
  int64_t iterations = 0;
  /** Norm of the residual, as the method knows it. */
  double residual = 0;
  bool converged() const { return info == 0; }
};

namespace detail {
inline bool report(void* f, int64_t iterations, double residual) noexcept {
  try {
    return (*static_cast<const std::function<bool(int64_t, double)>*>(f))(iterations, residual);
  } catch (...) {
    thrown() = std::current_exception();
    return true;
  }
}

template <class Method>
solution solved(Method method, const linop& a, const array& b, const solve_options& o, const stream& s) {
  arr_solve_options c{};
  c.struct_size = static_cast<int64_t>(sizeof c);
  c.rtol = o.rtol == 0 ? -1 : o.rtol;
  c.atol = o.atol;
  c.maxiter = o.maxiter == 0 ? -1 : o.maxiter.value_or(0);
  c.x0 = o.x0.get();
  c.m = o.m != nullptr ? o.m->get() : nullptr;
  c.check_every = o.check_every;
  c.restart = o.restart;
  c.shift = o.shift;
  if (o.callback) {
    c.callback = report;
    c.ctx = const_cast<std::function<bool(int64_t, double)>*>(&o.callback);
  }
  solution out;
  arr_solve_info i{};
  i.struct_size = static_cast<int64_t>(sizeof i);
  check_functions(method(a.get(), b.get(), &c, s.get(), out.x.put(), &i));
  out.info = i.info;
  out.iterations = i.iterations;
  out.residual = i.residual;
  return out;
}
}  // namespace detail

/** Solves a x = b for a Hermitian, positive definite operator, by conjugate gradients. */
inline solution solve_cg(const linop& a, const array& b, const solve_options& o = {}, const stream& s = {}) {
  return detail::solved(arr_solve_cg, a, b, o, s);
}
/** Solves a x = b by the squared conjugate gradient method. */
inline solution solve_cgs(const linop& a, const array& b, const solve_options& o = {}, const stream& s = {}) {
  return detail::solved(arr_solve_cgs, a, b, o, s);
}
/** Solves a x = b by the stabilized method of biconjugate gradients. */
inline solution solve_bicgstab(const linop& a, const array& b, const solve_options& o = {},
                               const stream& s = {}) {
  return detail::solved(arr_solve_bicgstab, a, b, o, s);
}
/** Solves a x = b by the generalized minimal residual method with restarts. */
inline solution solve_gmres(const linop& a, const array& b, const solve_options& o = {},
                            const stream& s = {}) {
  return detail::solved(arr_solve_gmres, a, b, o, s);
}
/** Solves a x = b for a Hermitian operator, perhaps indefinite or singular, by the minimal residual method.
 */
inline solution solve_minres(const linop& a, const array& b, const solve_options& o = {},
                             const stream& s = {}) {
  return detail::solved(arr_solve_minres, a, b, o, s);
}

}  // namespace arr
#endif
