/* SPDX-License-Identifier: MIT */
/* linop.hpp - linear operators: matrices, functions, their sums and products.
 *
 *   arr::linop a(n, n, arr::float64, [&](const arr::array& x) { return matrix * x; });
 *   arr::array y = (a + 2 * arr::linop::identity(n, arr::float64)) * x; */
#ifndef ARR_CPP_LINOP_HPP
#define ARR_CPP_LINOP_HPP
#include <arr/cpp/sparse.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <utility>

namespace arr {

namespace detail {
/** The exception that a function of the caller threw inside a call of this thread. */
inline std::exception_ptr& thrown() {
  static thread_local std::exception_ptr e;
  return e;
}
/** As check(); throws on what a function of the caller threw. */
inline void check_called(arr_status status) {
  if (const std::exception_ptr e = std::exchange(thrown(), nullptr)) std::rethrow_exception(e);
  check(status);
}
struct product_functions {
  std::function<array(const array&)> matvec, rmatvec;
};
inline arr_status call_product(const std::function<array(const array&)>& f, arr_array x, arr_array* out) {
  try {
    array operand;
    check(arr_retain(x, operand.put()));
    *out = f(operand).release();
    return ARR_OK;
  } catch (const error& e) {
    return e.status();
  } catch (...) {
    thrown() = std::current_exception();
    return ARR_E_ARGUMENT;
  }
}
}  // namespace detail

/** A linear operator: a sparse matrix, a dense one, functions, or a combination of these, which never
 * changes. It moves, and does not copy; copy() is another handle. */
class linop : public owner<arr_linop, arr_linop_release> {
 public:
  using owner::owner;
  linop() = default;
  linop(const sparse& a) { check(arr_linop_from_sparse(a.get(), put())); }
  explicit linop(const array& dense) { check(arr_linop_from_dense(dense.get(), put())); }
  /** The inverse of a factored matrix, a preconditioner. */
  explicit linop(const sparse_factor& f) { check(arr_linop_from_factor(f.get(), put())); }
  /** An operator of a function that returns its product with x, of shape [columns] or [columns, k]; rmatvec
   * is the same for the adjoint. What they throw ends the call that needs a product. */
  linop(int64_t rows, int64_t columns, arr::dtype dtype, std::function<array(const array&)> matvec,
        std::function<array(const array&)> rmatvec = nullptr, const arr::device& on = {}) {
    using state = detail::product_functions;
    const auto forward = [](void* ctx, arr_array x, arr_stream, arr_array* out) {
      return detail::call_product(static_cast<state*>(ctx)->matvec, x, out);
    };
    const auto backward = [](void* ctx, arr_array x, arr_stream, arr_array* out) {
      return detail::call_product(static_cast<state*>(ctx)->rmatvec, x, out);
    };
    const bool adjoint = static_cast<bool>(rmatvec);
    auto kept = std::make_unique<state>(state{std::move(matvec), std::move(rmatvec)});
    arr_status (*second)(void*, arr_array, arr_stream, arr_array*) = nullptr;
    if (adjoint) second = backward;
    check(arr_linop_from_function(
        rows, columns, dtype, &on, forward, second, [](void* ctx) { delete static_cast<state*>(ctx); },
        kept.get(), put()));
    kept.release();
  }
  static linop identity(int64_t n, arr::dtype dtype, const arr::device& on = {}) {
    return made([&](arr_linop* out) { return arr_linop_identity(n, dtype, &on, out); });
  }
  /** The diagonal matrix of a vector. */
  static linop diagonal(const array& d) {
    return made([&](arr_linop* out) { return arr_linop_diagonal(d.get(), out); });
  }
  /** Jacobi's preconditioner. */
  /** Makes a multigrid preconditioner of a symmetric, positive definite matrix. */
  static linop multigrid(const sparse& a, double strength = 0.08) {
    return made([&](arr_linop* out) { return arr_linop_multigrid(a.get(), strength, nullptr, out); });
  }
  static linop jacobi(const sparse& a) {
    return made([&](arr_linop* out) { return arr_linop_jacobi(a.get(), nullptr, out); });
  }

  linop copy() const {
    return made([&](arr_linop* out) { return arr_linop_retain(get(), out); });
  }
  arr_linop_properties info() const {
    return detail::filled<arr_linop_properties>(
        [&](arr_linop_properties* p) { return arr_linop_info(get(), p); });
  }
  int64_t rows() const { return info().rows; }
  int64_t columns() const { return info().columns; }
  arr::dtype dtype() const { return arr::dtype(static_cast<int32_t>(info().dtype)); }
  /** Returns the transpose, or the conjugated transpose. */
  linop T() const {
    return made([&](arr_linop* out) { return arr_linop_transpose(get(), out); });
  }
  linop adjoint() const {
    return made([&](arr_linop* out) { return arr_linop_adjoint(get(), out); });
  }
  linop power(int64_t p) const {
    return made([&](arr_linop* out) { return arr_linop_power(get(), p, out); });
  }
  /** Computes the product with a vector, or with each column of a matrix. */
  array operator()(const array& x, int32_t op = ARR_MATRIX_PLAIN) const {
    array out;
    detail::check_called(arr_linop_apply(get(), x.get(), op, nullptr, out.put()));
    return out;
  }

  template <class Call>
  static linop made(Call call) {
    linop out;
    check(call(out.put()));
    return out;
  }
};

inline array operator*(const linop& a, const array& x) { return a(x); }
inline linop operator*(const linop& a, const linop& b) {
  return linop::made([&](arr_linop* out) { return arr_linop_product(a.get(), b.get(), out); });
}
inline linop operator+(const linop& a, const linop& b) {
  return linop::made([&](arr_linop* out) { return arr_linop_sum(a.get(), b.get(), out); });
}
template <class T, detail::if_number<T> = 0>
linop operator*(T alpha, const linop& a) {
  return linop::made([&](arr_linop* out) { return arr_linop_scaled(a.get(), operand(alpha).get(), out); });
}

}  // namespace arr
#endif
