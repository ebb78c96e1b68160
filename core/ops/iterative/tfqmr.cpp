// SPDX-License-Identifier: MIT
// The quasi-minimal residual method without transposes; the preconditioner is applied from the right.
#include <algorithm>

#include "expr/op_numbers.h"
#include "ops/iterative/solvers.h"

namespace arr {

namespace {

class Tfqmr {
 public:
  Tfqmr(const System& system, Ref<Array> start, const Ref<Array>& r)
      : s(system), x(std::move(start)), u_(r), shadow_(r), d_(s.zeros(s.n)) {
    w_ = s.copy(*r);
    v_ = uhat_ = product(*r);
    rho_ = last_ = s.dot(*shadow_, *r);
    tau_ = s.norm(*r);
    theta_ = s.number(0);
    eta_ = alpha_ = s.number(0, s.dtype);
    tol_ = s.number(std::max(s.options.atol, s.options.rtol * Vectors::read(*tau_)));
    progress = {s.number(0, DType::int64_), s.number(0, DType::int64_), tau_};
  }

  void step() {
    if (even_) {
      auto [code, alpha] = s.maps(
          {progress.code.get(), rho_.get(), s.dot(*shadow_, *v_).get()},
          [](ProgramBuilder& b, const int32_t* in) {
            const int32_t zero = b.op(op::equal, in[2], constant(b, 0, b.dtype(in[2])));
            const int32_t runs = b.op(op::equal, in[0], integer(b, 0));
            const int32_t state = b.op(op::where, b.op(op::logical_and, runs, zero), integer(b, -1), in[0]);
            return std::array{state, while_running(b, state, b.op(op::divide, in[1], in[2]))};
          });
      progress.code = std::move(code);
      alpha_ = std::move(alpha);
    }
    quasi_residual();
    if (even_) {
      u_ = s.map({u_.get(), v_.get(), alpha_.get()}, [](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::subtract, in[0], times(b, in[2], in[1]));
      });
      uhat_ = product(*u_);
      last_ = rho_;
    } else {
      rho_ = s.dot(*shadow_, *w_);
      const Ref<Array> beta =
          s.map({progress.code.get(), rho_.get(), last_.get()}, [](ProgramBuilder& b, const int32_t* in) {
            return while_running(b, in[0], b.op(op::divide, in[1], in[2]));
          });
      u_ = s.map({w_.get(), u_.get(), beta.get()}, [](ProgramBuilder& b, const int32_t* in) {
        return b.op(op::add, in[0], times(b, in[2], in[1]));
      });
      const Ref<Array> next = product(*u_);
      v_ = s.map({next.get(), uhat_.get(), v_.get(), beta.get()}, [](ProgramBuilder& b, const int32_t* in) {
        const int32_t rest = b.op(op::add, in[1], times(b, in[3], in[2]));
        return b.op(op::add, in[0], times(b, in[3], rest));
      });
      uhat_ = next;
    }
    even_ = !even_;
  }

  const System& s;
  Ref<Array> x;
  Progress progress;

 private:
  [[nodiscard]] Ref<Array> product(const Array& y) const { return s.times(*s.precondition(y)); }

  // The next w, direction d and iterate x.
  void quasi_residual() {
    const Ref<Array> factor =
        s.map({progress.code.get(), theta_.get(), alpha_.get(), eta_.get()},
              [](ProgramBuilder& b, const int32_t* in) {
                const int32_t squared = b.cast(times(b, in[1], in[1]), b.dtype(in[2]));
                return while_running(b, in[0], times(b, b.op(op::divide, squared, in[2]), in[3]));
              });
    s.update({w_.get(), d_.get()}, {w_.get(), uhat_.get(), alpha_.get(), u_.get(), d_.get(), factor.get()},
             [](ProgramBuilder& b, const int32_t* in) {
               return std::array{b.op(op::subtract, in[0], times(b, in[2], in[1])),
                                 b.op(op::add, in[3], times(b, in[5], in[4]))};
             });
    auto [theta, tau, eta, residual] =
        s.maps({s.norm(*w_).get(), tau_.get(), alpha_.get(), progress.code.get(), progress.count.get()},
               [](ProgramBuilder& b, const int32_t* in) {
                 const DType d = b.dtype(in[0]);
                 const int32_t one = constant(b, 1, d), angle = b.op(op::divide, in[0], in[1]);
                 const int32_t c2 = b.op(op::divide, one, b.op(op::add, one, times(b, angle, angle)));
                 const int32_t size = times(b, in[1], times(b, angle, b.op(op::sqrt, c2)));
                 const int32_t length = times(b, b.cast(c2, b.dtype(in[2])), in[2]);
                 const int32_t steps = b.cast(b.op(op::add, in[4], integer(b, 1)), d);
                 return std::array{angle, size, while_running(b, in[3], length),
                                   times(b, size, b.op(op::sqrt, steps))};
               });
    s.update({x.get()}, {x.get(), s.precondition(*d_).get(), eta.get()},
             [](ProgramBuilder& b, const int32_t* in) {
               return std::array{b.op(op::add, in[0], times(b, in[2], in[1]))};
             });
    theta_ = std::move(theta);
    tau_ = std::move(tau);
    eta_ = std::move(eta);
    auto [code, count, known] = s.maps(
        {progress.code.get(), progress.count.get(), residual.get(), tol_.get(), progress.residual.get()},
        [](ProgramBuilder& b, const int32_t* in) {
          const Ended e = after_iteration(b, in[0], in[1], in[2], in[3]);
          const int32_t running = b.op(op::equal, in[0], integer(b, 0));
          return std::array{e.code, e.count, b.op(op::where, running, in[2], in[4])};
        });
    progress = {std::move(code), std::move(count), std::move(known)};
  }

  bool even_ = true;
  Ref<Array> u_, shadow_, d_, w_, v_, uhat_, rho_, last_, tau_, theta_, eta_, alpha_, tol_;
};

}  // namespace

Solved solve_tfqmr(const LinearOperator& a, const Array& right, const SolveOptions& options, Stream* stream) {
  const System s(a, right, options, stream);
  if (s.trivial()) return s.zero();
  const Ref<Array> x = s.start(), r = options.x0 == nullptr ? s.b : s.residual(*x);
  Solved out;
  if (Vectors::read(*s.norm(*r)) != 0) {
    Tfqmr method(s, x, r);
    const int64_t standard = std::min<int64_t>(10000, 10 * s.whole);
    out = iterate(s, &method.progress, options.maxiter >= 0 ? options.maxiter : standard,
                  [&] { method.step(); });
  }
  out.x = x;
  return out;
}

}  // namespace arr
