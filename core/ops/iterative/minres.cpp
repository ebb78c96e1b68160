// SPDX-License-Identifier: MIT
// The minimal residual method for Hermitian operators: Lanczos vectors, a QR factorization of their
// tridiagonal matrix that grows by a row, and its stopping rules, all on the device.
#include <limits>

#include "expr/op_numbers.h"
#include "ops/iterative/solvers.h"

namespace arr {

namespace {

int32_t eps(ProgramBuilder& b, DType d) { return constant(b, epsilon(d), d); }
int32_t square(ProgramBuilder& b, int32_t x) { return b.op(op::multiply, x, x); }
int32_t runs(ProgramBuilder& b, int32_t code) { return b.op(op::equal, code, integer(b, 0)); }

// The numbers that an iteration leaves to the next one, all real. The matrix is tridiagonal: alfa is on its
// diagonal, beta below it; cs and sn rotate it; phibar is the norm of the residual.
struct Numbers {
  Ref<Array> oldb, beta, cs, sn, dbar, epsln, phibar, tnorm2, gmax, gmin;
};

// The rotation of the next row.
struct Rotation {
  int32_t delta, gbar, gamma, cs, sn, root, singular;
};
// in: cs, sn, dbar, alfa, beta, tnorm2
Rotation rotate(ProgramBuilder& b, const int32_t* in) {
  const int32_t cs = in[0], sn = in[1], dbar = in[2], alfa = in[3], beta = in[4];
  const DType d = b.dtype(beta);
  Rotation r{};
  r.delta = b.op(op::add, times(b, cs, dbar), times(b, sn, alfa));
  r.gbar = b.op(op::subtract, times(b, sn, dbar), times(b, cs, alfa));
  const int32_t next = b.op(op::negative, times(b, cs, beta));
  r.root = b.op(op::hypot, r.gbar, next);
  r.gamma = b.op(op::maximum, b.op(op::hypot, r.gbar, beta), eps(b, d));
  r.cs = b.op(op::divide, r.gbar, r.gamma);
  r.sn = b.op(op::divide, beta, r.gamma);
  // A row of zeros: x minimizes the residual already, and its next element is arbitrary.
  const int32_t small = times(b, constant(b, 10 * epsilon(d), d), b.op(op::sqrt, in[5]));
  r.singular = b.op(op::less_equal, r.gamma, small);
  return r;
}

class Minres {
 public:
  Minres(const System& system, Ref<Array> start, const Ref<Array>& residual)
      : s(system), x(std::move(start)), r2_(residual), rtol_(s.number(s.options.rtol)) {
    shift_ = s.number(s.options.shift);
    y_ = s.precondition(*r2_);
    beta1_ = s.map({real_dot(*r2_, *y_).get()},
                   [](ProgramBuilder& b, const int32_t* in) { return b.op(op::sqrt, in[0]); });
    const auto zero = s.number(0), one = s.number(1);
    const double largest =
        s.real == DType::float32_ ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
    n_ = {one, beta1_, s.number(-1), zero, zero, zero, beta1_, zero, zero, s.number(largest)};
    r1_ = w_ = w2_ = s.zeros(s.n);
    progress = {s.number(0, DType::int64_), s.number(0, DType::int64_), beta1_};
  }
  [[nodiscard]] double first() const { return Vectors::read(*beta1_); }

  void step() {
    const Ref<Array> code = progress.code;
    const auto [scale, ratio] =
        s.maps({code.get(), n_.beta.get(), n_.oldb.get()}, [](ProgramBuilder& b, const int32_t* in) {
          const int32_t one = constant(b, 1, b.dtype(in[1]));
          return std::array{while_running(b, in[0], b.op(op::divide, one, in[1])),
                            while_running(b, in[0], b.op(op::divide, in[1], in[2]))};
        });
    const Ref<Array> v = s.map({y_.get(), scale.get()},
                               [](ProgramBuilder& b, const int32_t* in) { return times(b, in[0], in[1]); });
    Ref<Array> y = s.map({s.times(*v).get(), v.get(), r1_.get(), shift_.get(), ratio.get()},
                         [](ProgramBuilder& b, const int32_t* in) {
                           const int32_t shifted = b.op(op::subtract, in[0], times(b, in[3], in[1]));
                           return b.op(op::subtract, shifted, times(b, in[4], in[2]));
                         });
    const Ref<Array> alfa = real_dot(*v, *y);
    y = s.map({y.get(), r2_.get(), alfa.get(), scale.get()}, [](ProgramBuilder& b, const int32_t* in) {
      return b.op(op::subtract, in[0], times(b, times(b, in[2], in[3]), in[1]));
    });
    r1_ = std::move(r2_);
    r2_ = std::move(y);
    y_ = s.precondition(*r2_);
    const Ref<Array> square = real_dot(*r2_, *y_);
    const Ref<Array> beta =
        s.map({square.get()}, [](ProgramBuilder& b, const int32_t* in) { return b.op(op::sqrt, in[0]); });
    advance(v, alfa, beta);
  }

  const System& s;
  Ref<Array> x;
  Progress progress;

 private:
  [[nodiscard]] Ref<Array> real_dot(const Array& a, const Array& b) const {
    return s.sum({&a, &b}, [](ProgramBuilder& p, const int32_t* in) {
      return p.op(op::real, times(p, p.op(op::conjugate, in[0]), in[1]));
    });
  }

  // The next direction w and iterate x, by the next row of the matrix.
  void advance(const Ref<Array>& v, const Ref<Array>& alfa, const Ref<Array>& beta) {
    const auto [delta, scale, phi, root] =
        s.maps({n_.cs.get(), n_.sn.get(), n_.dbar.get(), alfa.get(), beta.get(), n_.tnorm2.get(),
                n_.phibar.get(), progress.code.get()},
               [](ProgramBuilder& b, const int32_t* in) {
                 const Rotation r = rotate(b, in);
                 const int32_t one = constant(b, 1, b.dtype(in[4]));
                 return std::array{r.delta, b.op(op::divide, one, r.gamma),
                                   b.op(op::where, r.singular, constant(b, 0, b.dtype(in[6])),
                                        while_running(b, in[7], times(b, r.cs, in[6]))),
                                   r.root};
               });
    const Ref<Array> w = s.empty(s.n);
    s.update({w.get(), x.get()},
             {v.get(), w2_.get(), w_.get(), n_.epsln.get(), delta.get(), scale.get(), x.get(), phi.get()},
             [](ProgramBuilder& b, const int32_t* in) {
               int32_t next = b.op(op::subtract, in[0], times(b, in[3], in[1]));
               next = times(b, b.op(op::subtract, next, times(b, in[4], in[2])), in[5]);
               return std::array{next, b.op(op::add, in[6], times(b, in[7], next))};
             });
    w2_ = std::move(w_);
    w_ = w;
    auto [cs, sn, dbar, phibar] = s.maps(
        {n_.cs.get(), n_.sn.get(), n_.dbar.get(), alfa.get(), beta.get(), n_.phibar.get()},
        [](ProgramBuilder& b, const int32_t* in) {
          const Rotation r = rotate(b, in);
          return std::array{r.cs, r.sn, b.op(op::negative, times(b, in[0], in[4])), times(b, r.sn, in[5])};
        });
    auto [epsln, tnorm2, gmax, gmin] =
        s.maps({n_.sn.get(), beta.get(), alfa.get(), n_.beta.get(), n_.tnorm2.get(), n_.gmax.get(),
                n_.gmin.get(), scale.get()},
               [](ProgramBuilder& b, const int32_t* in) {
                 const int32_t gamma = b.op(op::divide, constant(b, 1, b.dtype(in[7])), in[7]);
                 int32_t sum = b.op(op::add, square(b, in[2]), square(b, in[3]));
                 sum = b.op(op::add, in[4], b.op(op::add, sum, square(b, in[1])));
                 return std::array{times(b, in[0], in[1]), sum, b.op(op::maximum, in[5], gamma),
                                   b.op(op::minimum, in[6], gamma)};
               });
    n_ = {n_.beta, beta, cs, sn, dbar, epsln, phibar, tnorm2, gmax, gmin};
    finish(*root);
  }

  // True if a rule of the method ends it; root: the size of the row. Quotients with a divisor of 0 are inf or
  // nan, which no rule takes for a small number.
  [[nodiscard]] Ref<Array> done(const Array& root) const {
    return s.map(
        {n_.phibar.get(), n_.tnorm2.get(), s.norm(*x).get(), n_.gmax.get(), n_.gmin.get(), n_.beta.get(),
         beta1_.get(), rtol_.get(), &root, progress.count.get()},
        [](ProgramBuilder& b, const int32_t* in) {
          const DType d = b.dtype(in[0]);
          const int32_t one = constant(b, 1, d), anorm = b.op(op::sqrt, in[1]);
          const int32_t size = times(b, anorm, in[2]), tiny = eps(b, d);
          const int32_t test1 = b.op(op::divide, in[0], size), test2 = b.op(op::divide, in[8], anorm);
          const int32_t eigenvector =
              b.op(op::logical_and, runs(b, in[9]),
                   b.op(op::less_equal, b.op(op::divide, in[5], in[6]), constant(b, 10 * epsilon(d), d)));
          const int32_t rules[] = {
              b.op(op::less_equal, test2, in[7]),
              b.op(op::less_equal, b.op(op::add, one, test1), one),
              b.op(op::less_equal, b.op(op::add, one, test2), one),
              b.op(op::greater_equal, b.op(op::divide, in[3], in[4]), constant(b, 0.1 / epsilon(d), d)),
              b.op(op::greater_equal, times(b, size, tiny), in[6]),
              eigenvector};
          int32_t any = b.op(op::less_equal, test1, in[7]);
          for (const int32_t rule : rules) any = b.op(op::logical_or, any, rule);
          return any;
        });
  }

  void finish(const Array& root) {
    auto [code, count, residual] = s.maps(
        {progress.code.get(), progress.count.get(), n_.phibar.get(), progress.residual.get(),
         done(root).get(), n_.beta.get()},
        [](ProgramBuilder& b, const int32_t* in) {
          const int32_t running = runs(b, in[0]);
          const int32_t finite = b.op(op::logical_and, b.op(op::isfinite, in[2]), b.op(op::isfinite, in[5]));
          const int32_t now = b.op(op::where, in[4], integer(b, 1), integer(b, 0));
          const int32_t ended = b.op(op::where, finite, now, integer(b, -1));
          return std::array{b.op(op::where, running, ended, in[0]),
                            b.op(op::add, in[1], b.cast(running, DType::int64_)),
                            b.op(op::where, running, in[2], in[3])};
        });
    progress = {std::move(code), std::move(count), std::move(residual)};
  }

  Ref<Array> r1_, r2_, y_, w_, w2_, beta1_, shift_, rtol_;
  Numbers n_;
};

}  // namespace

Solved solve_minres(const LinearOperator& a, const Array& right, const SolveOptions& options,
                    Stream* stream) {
  const System s(a, right, options, stream);
  if (s.trivial()) return s.zero();
  const Ref<Array> x = s.start();
  Ref<Array> r = s.b;
  if (options.x0 != nullptr) {
    r = s.map(
        {s.residual(*x).get(), x.get(), s.number(options.shift).get()},
        [](ProgramBuilder& b, const int32_t* in) { return b.op(op::add, in[0], times(b, in[2], in[1])); });
  }
  Minres m(s, x, r);
  const double first = m.first();
  Solved out;
  if (first == 0) {
    out.x = x;
    return out;
  }
  out = iterate(s, &m.progress, options.maxiter >= 0 ? options.maxiter : 5 * s.whole, [&] { m.step(); });
  out.x = x;
  return out;
}

}  // namespace arr
