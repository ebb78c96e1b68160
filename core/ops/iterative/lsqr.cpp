// SPDX-License-Identifier: MIT
// LSQR, with the numbers of C. C. Paige and M. A. Saunders.
#include <cmath>
#include <limits>

#include "expr/op_numbers.h"
#include "ops/iterative/bidiagonal.h"

namespace arr {

namespace {

double squared(double x) { return x * x; }

// The numbers of the iteration, and what is known of the solution.
class Lsqr {
 public:
  Lsqr(Bidiagonal* of, const LsqrOptions& how) : bi_(*of), options_(how) {
    rhobar_ = bi_.alfa;
    phibar_ = out.r1norm = out.r2norm = bi_.beta;
    out.arnorm = bi_.alfa * bi_.beta;
    w_ = bi_.v;
  }

  // Returns the rule that ends the method, or 0.
  int64_t step(bool last) {
    const double before = bi_.alfa;
    bi_.advance();
    if (bi_.beta > 0) anorm2_ += squared(before) + squared(bi_.beta) + squared(options_.damp);
    const double damp = options_.damp, rhobar1 = damp > 0 ? std::hypot(rhobar_, damp) : rhobar_;
    const double psi = damp > 0 ? damp / rhobar1 * phibar_ : 0;
    if (damp > 0) phibar_ *= rhobar_ / rhobar1;
    const Turn t = turn(rhobar1, bi_.beta);
    const double theta = t.s * bi_.alfa, phi = t.c * phibar_, tau = t.s * phi;
    rhobar_ = -t.c * bi_.alfa;
    phibar_ *= t.s;
    move(phi / t.r, -theta / t.r, 1 / t.r);
    // The norm of x, by rotations from the right.
    const double delta = sn2_ * t.r, gambar = -cs2_ * t.r, rhs = phi - delta * z_;
    out.xnorm = std::sqrt(xxnorm_ + squared(rhs / gambar));
    const double gamma = std::hypot(gambar, theta);
    cs2_ = gambar / gamma;
    sn2_ = theta / gamma;
    z_ = rhs / gamma;
    xxnorm_ += squared(z_);
    res2_ += squared(psi);
    return rules(std::sqrt(squared(phibar_) + res2_), tau, last);
  }

  LsqrResult out;

 private:
  // x += t1 w, w = v + t2 w; var += (w / rho)^2
  void move(double t1, double t2, double inverse) {
    const Vectors& s = bi_;
    const Ref<Array> direction =
        s.map({w_.get(), s.number(inverse).get()},
              [](ProgramBuilder& b, const int32_t* in) { return b.op(op::multiply, in[0], in[1]); });
    ddnorm_ += Vectors::read(*s.squares(*direction));
    if (out.var) {
      s.update({out.var.get()}, {out.var.get(), direction.get()}, [](ProgramBuilder& b, const int32_t* in) {
        const int32_t size = b.op(op::absolute, in[1]);
        return std::array{b.op(op::add, in[0], b.op(op::multiply, size, size))};
      });
    }
    const Ref<Array> next = s.empty(bi_.n);
    s.update({next.get(), bi_.x.get()},
             {bi_.x.get(), w_.get(), bi_.v.get(), s.number(t1).get(), s.number(t2).get()},
             [](ProgramBuilder& b, const int32_t* in) {
               return std::array{b.op(op::add, in[2], b.op(op::multiply, in[4], in[1])),
                                 b.op(op::add, in[0], b.op(op::multiply, in[3], in[1]))};
             });
    w_ = next;
  }

  int64_t rules(double rnorm, double tau, bool last) {
    const double eps = std::numeric_limits<double>::epsilon();
    ++out.iterations;
    out.anorm = std::sqrt(anorm2_);
    out.acond = out.anorm * std::sqrt(ddnorm_);
    out.arnorm = bi_.alfa * std::abs(tau);
    out.r2norm = out.r1norm = rnorm;
    if (options_.damp > 0) {
      const double r1 = squared(rnorm) - squared(options_.damp) * xxnorm_;
      out.r1norm = std::copysign(std::sqrt(std::abs(r1)), r1);
    }
    Tests t{};
    t.test1 = rnorm / bi_.b_norm;
    t.test2 = out.arnorm / (out.anorm * rnorm + eps);
    t.test3 = 1 / (out.acond + eps);
    t.t1 = t.test1 / (1 + out.anorm * out.xnorm / bi_.b_norm);
    t.rtol = options_.btol + options_.atol * out.anorm * out.xnorm / bi_.b_norm;
    return stop_by(t, options_, last);
  }

  Bidiagonal& bi_;
  const LsqrOptions& options_;
  Ref<Array> w_;
  double rhobar_ = 0, phibar_ = 0, anorm2_ = 0, ddnorm_ = 0, res2_ = 0, xxnorm_ = 0, z_ = 0, cs2_ = -1,
         sn2_ = 0;
};

}  // namespace

LsqrResult solve_lsqr(const LinearOperator& a, const Array& right, const LsqrOptions& options,
                      Stream* stream) {
  Bidiagonal bi(a, right, options, stream);
  Lsqr method(&bi, options);
  if (options.var) {
    method.out.var = full(bi.real, {&bi.n, 1}, Order::C, convert(scalar_of(0.0), bi.real), bi.device, stream);
  }
  const int64_t maxiter = options.maxiter >= 0 ? options.maxiter : 2 * bi.whole.columns;
  for (int64_t i = 1; method.out.arnorm != 0 && i <= maxiter && method.out.istop == 0; ++i) {
    method.out.istop = method.step(i == maxiter);
    const bool stop = bi.stopped(options.callback, i, method.out.r2norm);
    if (stop && method.out.istop == 0) method.out.istop = 7;
  }
  method.out.x = bi.x;
  return std::move(method.out);
}

}  // namespace arr
