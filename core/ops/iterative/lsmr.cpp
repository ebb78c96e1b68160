// SPDX-License-Identifier: MIT
// LSMR, with the numbers of D. C.-L. Fong and M. A. Saunders.
#include <algorithm>
#include <cmath>
#include <limits>

#include "expr/op_numbers.h"
#include "ops/iterative/bidiagonal.h"

namespace arr {

namespace {

class Lsmr {
 public:
  Lsmr(Bidiagonal* of, const LsqrOptions& how) : bi_(*of), options_(how) {
    zetabar_ = bi_.alfa * bi_.beta;
    alphabar_ = bi_.alfa;
    betadd_ = bi_.beta;
    norm2_ = bi_.alfa * bi_.alfa;
    out.r1norm = out.r2norm = bi_.beta;
    out.arnorm = zetabar_;
    out.anorm = bi_.alfa;
    out.acond = 1;
    h_ = bi_.v;
    hbar_ = bi_.zeros(bi_.n);
  }

  // Returns the rule that ends the method, or 0.
  int64_t step(bool last) {
    bi_.advance();
    const Turn hat = turn(alphabar_, options_.damp);
    const double rhoold = rho_, rhobarold = rhobar_, zetaold = zeta_;
    const Turn t = turn(hat.r, bi_.beta);
    rho_ = t.r;
    const double thetanew = t.s * bi_.alfa;
    alphabar_ = t.c * bi_.alfa;
    const double thetabar = sbar_ * rho_, rhotemp = cbar_ * rho_;
    const Turn bar = turn(rhotemp, thetanew);
    cbar_ = bar.c;
    sbar_ = bar.s;
    rhobar_ = bar.r;
    zeta_ = cbar_ * zetabar_;
    zetabar_ *= -sbar_;
    move(-thetabar * rho_ / (rhoold * rhobarold), zeta_ / (rho_ * rhobar_), -thetanew / rho_);
    residual(hat, t, thetabar, zetaold);
    maxrbar_ = std::max(maxrbar_, rhobarold);
    if (out.iterations > 0) minrbar_ = std::min(minrbar_, rhobarold);
    out.acond = std::max(maxrbar_, rhotemp) / std::min(minrbar_, rhotemp);
    return rules(last);
  }

  LsqrResult out;

 private:
  // hbar = h + first hbar, x += second hbar, h = v + third h
  void move(double first, double second, double third) {
    const Vectors& s = bi_;
    const Ref<Array> bar = s.empty(bi_.n), next = s.empty(bi_.n);
    s.update({bar.get(), bi_.x.get(), next.get()},
             {hbar_.get(), h_.get(), bi_.x.get(), bi_.v.get(), s.number(first).get(), s.number(second).get(),
              s.number(third).get()},
             [](ProgramBuilder& b, const int32_t* in) {
               const int32_t direction = b.op(op::add, in[1], b.op(op::multiply, in[4], in[0]));
               return std::array{direction, b.op(op::add, in[2], b.op(op::multiply, in[5], direction)),
                                 b.op(op::add, in[3], b.op(op::multiply, in[6], in[1]))};
             });
    hbar_ = bar;
    h_ = next;
  }

  // The estimate of the residual's norm.
  void residual(const Turn& hat, const Turn& t, double thetabar, double zetaold) {
    const double acute = hat.c * betadd_, check = -hat.s * betadd_, betahat = t.c * acute;
    betadd_ = -t.s * acute;
    const double thetatildeold = thetatilde_;
    const Turn tilde = turn(rhodold_, thetabar);
    thetatilde_ = tilde.s * rhobar_;
    rhodold_ = tilde.c * rhobar_;
    betad_ = -tilde.s * betad_ + tilde.c * betahat;
    tautildeold_ = (zetaold - thetatildeold * tautildeold_) / tilde.r;
    const double taud = (zeta_ - thetatilde_ * tautildeold_) / rhodold_;
    d_ += check * check;
    out.r2norm = out.r1norm = std::sqrt(d_ + (betad_ - taud) * (betad_ - taud) + betadd_ * betadd_);
    norm2_ += bi_.beta * bi_.beta;
    out.anorm = std::sqrt(norm2_);
    norm2_ += bi_.alfa * bi_.alfa;
  }

  int64_t rules(bool last) {
    ++out.iterations;
    out.arnorm = std::abs(zetabar_);
    out.xnorm = Vectors::read(*bi_.norm(*bi_.x));
    const double size = out.anorm * out.r1norm;
    Tests t{};
    t.test1 = out.r1norm / bi_.b_norm;
    t.test2 = size != 0 ? out.arnorm / size : std::numeric_limits<double>::infinity();
    t.test3 = 1 / out.acond;
    t.t1 = t.test1 / (1 + out.anorm * out.xnorm / bi_.b_norm);
    t.rtol = options_.btol + options_.atol * out.anorm * out.xnorm / bi_.b_norm;
    return stop_by(t, options_, last);
  }

  Bidiagonal& bi_;
  const LsqrOptions& options_;
  Ref<Array> h_, hbar_;
  double zetabar_ = 0, alphabar_ = 0, rho_ = 1, rhobar_ = 1, cbar_ = 1, sbar_ = 0, zeta_ = 0;
  double betadd_ = 0, betad_ = 0, rhodold_ = 1, tautildeold_ = 0, thetatilde_ = 0, d_ = 0;
  double norm2_ = 0, maxrbar_ = 0, minrbar_ = 1e100;
};

}  // namespace

LsqrResult solve_lsmr(const LinearOperator& a, const Array& right, const LsqrOptions& options,
                      Stream* stream) {
  Bidiagonal bi(a, right, options, stream);
  if (bi.alfa * bi.beta == 0 || bi.b_norm == 0) {
    LsqrResult none;
    none.x = bi.b_norm == 0 ? bi.zeros(bi.n) : bi.x;
    none.r1norm = none.r2norm = bi.beta;
    return none;
  }
  Lsmr method(&bi, options);
  const int64_t maxiter = options.maxiter >= 0 ? options.maxiter : std::min(bi.whole.rows, bi.whole.columns);
  for (int64_t i = 1; i <= maxiter && method.out.istop == 0; ++i) {
    method.out.istop = method.step(i == maxiter);
    const bool stop = bi.stopped(options.callback, i, method.out.r2norm);
    if (stop && method.out.istop == 0) method.out.istop = 7;
  }
  method.out.x = bi.x;
  return std::move(method.out);
}

}  // namespace arr
