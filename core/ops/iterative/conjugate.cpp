// SPDX-License-Identifier: MIT
// Conjugate gradients and their relatives for operators that are not Hermitian. Each iteration changes
// nothing once the device knows that it is the end.
#include "expr/op_numbers.h"
#include "ops/iterative/solvers.h"

namespace arr {

namespace {

int64_t iterations(const System& s) { return s.options.maxiter >= 0 ? s.options.maxiter : 10 * s.whole; }

// The smallest magnitude of a product of residuals that is not a breakdown, as in SciPy.
double breakdown(DType real) { return epsilon(real) * epsilon(real); }

// code, unless it is 0 and `bad` is true.
int32_t code_if(ProgramBuilder& b, int32_t code, int32_t bad, int64_t becomes) {
  const int32_t runs = b.op(op::equal, code, integer(b, 0));
  return b.op(op::where, b.op(op::logical_and, runs, bad), integer(b, becomes), code);
}
int32_t is_zero(ProgramBuilder& b, int32_t x) { return b.op(op::equal, x, constant(b, 0, b.dtype(x))); }
int32_t is_tiny(ProgramBuilder& b, int32_t x) {
  const int32_t size = b.op(op::absolute, x);
  return b.op(op::less, size, constant(b, breakdown(b.dtype(size)), b.dtype(size)));
}
// x + alpha y
int32_t add_scaled(ProgramBuilder& b, int32_t x, int32_t alpha, int32_t y) {
  return b.op(op::add, x, b.op(op::multiply, alpha, y));
}
int32_t subtract_scaled(ProgramBuilder& b, int32_t x, int32_t alpha, int32_t y) {
  return b.op(op::subtract, x, b.op(op::multiply, alpha, y));
}
Ref<Array> root(const Vectors& v, const Array& squares) {
  return v.map({&squares}, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::sqrt, in[0]); });
}

// Ends an iteration whose residual has that sum of squares.
void end(const System& s, Progress* now, const Ref<Array>& code, const Array& squares) {
  auto [ended, count, residual] =
      s.maps({code.get(), now->count.get(), &squares, s.tol.get()}, [](ProgramBuilder& b, const int32_t* in) {
        const int32_t size = b.op(op::sqrt, in[2]);
        const Ended e = after_iteration(b, in[0], in[1], size, in[3]);
        return std::array{e.code, e.count, size};
      });
  *now = {std::move(ended), std::move(count), std::move(residual)};
}

// Without a preconditioner both are the same number.
Vectors::DotAndSquares alone(const Ref<Array>& squares) { return {squares, squares}; }

using Nodes2 = std::array<int32_t, 2>;
using Nodes4 = std::array<int32_t, 4>;

// The code, and rho / previous * alpha / omega while it is 0.
std::array<Ref<Array>, 2> direction(const Vectors& s, const Array& code, const Array& rho,
                                    const Array& previous, const Array& alpha, const Array& omega) {
  return s.maps({&code, &rho, &previous, &alpha, &omega}, [](ProgramBuilder& b, const int32_t* in) {
    int32_t state = code_if(b, in[0], is_tiny(b, in[1]), -10);
    state = code_if(b, state, is_tiny(b, in[4]), -11);
    const int32_t beta = b.op(op::multiply, b.op(op::divide, in[1], in[2]), b.op(op::divide, in[3], in[4]));
    return Nodes2{state, while_running(b, state, beta)};
  });
}
// The code, and rho / rv while it is 0.
std::array<Ref<Array>, 2> step_length(const Vectors& s, const Array& code, const Array& rho,
                                      const Array& rv) {
  return s.maps({&code, &rho, &rv}, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t state = code_if(b, in[0], is_zero(b, in[2]), -11);
    return Nodes2{state, while_running(b, state, b.op(op::divide, in[1], in[2]))};
  });
}

}  // namespace

Solved solve_cg(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream) {
  const System s(a, right, options, stream);
  if (s.trivial()) return s.zero();
  const Ref<Array> x = s.start(), r = options.x0 == nullptr ? s.copy(*s.b) : s.residual(*x);
  Ref<Array> z = s.precondition(*r), p = s.copy(*z);
  Ref<Array> rho = s.preconditioned() ? s.dot(*r, *z) : s.squares(*r);
  Progress now = begin(s, root(s, *s.squares(*r)));
  Solved out = iterate(s, &now, iterations(s), [&] {
    const Ref<Array> q = s.times(*p), pq = s.dot(*p, *q);
    const auto [alpha, code] =
        s.maps({rho.get(), pq.get(), now.code.get()}, [](ProgramBuilder& b, const int32_t* in) {
          const int32_t state = code_if(b, in[2], is_zero(b, in[1]), -11);
          return Nodes2{while_running(b, state, b.op(op::divide, in[0], in[1])), state};
        });
    s.update({x.get(), r.get()}, {x.get(), p.get(), r.get(), q.get(), alpha.get()},
             [](ProgramBuilder& b, const int32_t* in) {
               return Nodes2{add_scaled(b, in[0], in[4], in[1]), subtract_scaled(b, in[2], in[4], in[3])};
             });
    z = s.precondition(*r);
    const auto [next, rr] = s.preconditioned() ? s.dot_and_squares(*r, *z, *r) : alone(s.squares(*r));
    auto [ended, count, residual, beta] = s.maps(
        {code.get(), now.count.get(), rr.get(), s.tol.get(), next.get(), rho.get()},
        [](ProgramBuilder& b, const int32_t* in) {
          const int32_t size = b.op(op::sqrt, in[2]);
          const Ended e = after_iteration(b, in[0], in[1], size, in[3]);
          return Nodes4{e.code, e.count, size, while_running(b, e.code, b.op(op::divide, in[4], in[5]))};
        });
    s.update({p.get()}, {z.get(), p.get(), beta.get()}, [](ProgramBuilder& b, const int32_t* in) {
      return std::array{b.cast(add_scaled(b, in[0], in[2], in[1]), b.dtype(in[1]))};
    });
    now = {std::move(ended), std::move(count), std::move(residual)};
    rho = next;
  });
  out.x = x;
  return out;
}

Solved solve_bicgstab(const LinearOperator& a, const Array& right, const SolveOptions& options,
                      Stream* stream) {
  const System s(a, right, options, stream);
  if (s.trivial()) return s.zero();
  const Ref<Array> x = s.start(), r = options.x0 == nullptr ? s.copy(*s.b) : s.residual(*x);
  const Ref<Array> shadow = s.copy(*r), p = s.zeros(s.n);
  Ref<Array> v = p, previous = s.number(1, s.dtype), alpha = previous, omega = previous;
  Progress now = begin(s, root(s, *s.squares(*r)));
  Solved out = iterate(s, &now, iterations(s), [&] {
    const Ref<Array> rho = s.dot(*shadow, *r);
    const auto [first, beta] = direction(s, *now.code, *rho, *previous, *alpha, *omega);
    s.update({p.get()}, {r.get(), p.get(), v.get(), beta.get(), omega.get()},
             [](ProgramBuilder& b, const int32_t* in) {
               return std::array{add_scaled(b, in[0], in[3], subtract_scaled(b, in[1], in[4], in[2]))};
             });
    const Ref<Array> towards = s.precondition(*p);
    v = s.times(*towards);
    auto [second, length] = step_length(s, *first, *rho, *s.dot(*shadow, *v));
    alpha = std::move(length);
    s.update({r.get()}, {r.get(), v.get(), alpha.get()}, [](ProgramBuilder& b, const int32_t* in) {
      return std::array{subtract_scaled(b, in[0], in[2], in[1])};
    });
    const Ref<Array> half = s.squares(*r), smoothed = s.precondition(*r), t = s.times(*smoothed);
    const auto [tr, tt] = s.dot_and_squares(*t, *r, *t);
    omega = s.map({second.get(), half.get(), s.tol.get(), tr.get(), tt.get()}, [](ProgramBuilder& b,
                                                                                  const int32_t* in) {
      const int32_t there = b.op(op::less_equal, b.op(op::sqrt, in[1]), in[2]);
      const int32_t none = b.op(op::logical_or, there, is_zero(b, in[4]));
      const int32_t value = b.op(op::divide, in[3], b.cast(in[4], b.dtype(in[3])));
      return b.op(op::where, none, constant(b, 0, b.dtype(value)), while_running(b, in[0], value));
    });
    s.update({x.get(), r.get()},
             {x.get(), towards.get(), smoothed.get(), alpha.get(), omega.get(), r.get(), t.get()},
             [](ProgramBuilder& b, const int32_t* in) {
               return Nodes2{add_scaled(b, add_scaled(b, in[0], in[3], in[1]), in[4], in[2]),
                             subtract_scaled(b, in[5], in[4], in[6])};
             });
    end(s, &now, second, *s.squares(*r));
    previous = rho;
  });
  out.x = x;
  return out;
}

Solved solve_cgs(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream) {
  const System s(a, right, options, stream);
  if (s.trivial()) return s.zero();
  const Ref<Array> x = s.start();
  Ref<Array> r = options.x0 == nullptr ? s.copy(*s.b) : s.residual(*x);
  const Ref<Array> shadow = s.copy(*r), p = s.zeros(s.n), one = s.number(1, s.dtype);
  Ref<Array> q = s.zeros(s.n), previous = one;
  Progress now = begin(s, root(s, *s.squares(*r)));
  Solved out = iterate(s, &now, iterations(s), [&] {
    const Ref<Array> rho = s.dot(*shadow, *r);
    const auto [first, beta] = direction(s, *now.code, *rho, *previous, *one, *one);
    const Ref<Array> u = s.empty(s.n);
    s.update({u.get(), p.get()}, {r.get(), q.get(), p.get(), beta.get()},
             [](ProgramBuilder& b, const int32_t* in) {
               const int32_t next = add_scaled(b, in[0], in[3], in[1]);
               return Nodes2{next, add_scaled(b, next, in[3], add_scaled(b, in[1], in[3], in[2]))};
             });
    const Ref<Array> v = s.times(*s.precondition(*p));
    const auto [second, alpha] = step_length(s, *first, *rho, *s.dot(*shadow, *v));
    const auto [lower, both] =
        s.maps({u.get(), v.get(), alpha.get()}, [](ProgramBuilder& b, const int32_t* in) {
          const int32_t next = subtract_scaled(b, in[0], in[2], in[1]);
          return Nodes2{next, b.op(op::add, in[0], next)};
        });
    q = lower;
    s.update(
        {x.get()}, {x.get(), s.precondition(*both).get(), alpha.get()},
        [](ProgramBuilder& b, const int32_t* in) { return std::array{add_scaled(b, in[0], in[2], in[1])}; });
    r = s.residual(*x);
    end(s, &now, second, *s.squares(*r));
    previous = rho;
  });
  out.x = x;
  return out;
}

}  // namespace arr
