// SPDX-License-Identifier: MIT
// The equations of a solver, and what the device knows of an iteration.
#include "ops/iterative/krylov.h"

#include <cmath>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"

namespace arr {

int32_t times(ProgramBuilder& b, int32_t x, int32_t y) { return b.op(op::multiply, x, y); }
int32_t plus(ProgramBuilder& b, int32_t x, int32_t y) { return b.op(op::add, x, y); }

DType solver_type(DType d) {
  return is_complex(d) || d == DType::float32_ || d == DType::float64_ ? d : DType::float64_;
}

double epsilon(DType real) { return std::ldexp(1.0, -float_format(real).fraction); }

Ref<Array> Vectors::reduced(const BoundProgram& p, In in) const {
  const DType d = p.program->nodes[static_cast<size_t>(p.program->outputs[0])].dtype;
  const ReductionInfo& sum = *reduction_info(reduction::sum);
  return map_reduce(sum, {d, d, d, d}, *p.program, Inputs(p, Inputs::Arrays(in.begin(), in.size())).all(),
                    axis_mask(1, 0, nullptr), false, stream);
}

Ref<Array> Vectors::over_ranks(Ref<Array> parts) const {
  if (comm != nullptr) sum_over_ranks(*comm, *parts, stream);
  return parts;
}

Ref<Array> Vectors::part_dot(const Array& a, const Array& b) const {
  return part_sum({&a, &b}, [](ProgramBuilder& p, const int32_t* in) {
    const int32_t left = is_complex(p.dtype(in[0])) ? p.op(op::conjugate, in[0]) : in[0];
    return p.op(op::multiply, left, in[1]);
  });
}

Ref<Array> Vectors::dot(const Array& a, const Array& b) const { return over_ranks(part_dot(a, b)); }

Ref<Array> Vectors::squares(const Array& a) const {
  return over_ranks(
      reduce(*reduction_info(reduction::sum_squares), a, axis_mask(1, 0, nullptr), false, {}, stream));
}

Vectors::DotAndSquares Vectors::dot_and_squares(const Array& a, const Array& b, const Array& c) const {
  if (comm == nullptr) return {dot(a, b), squares(c)};
  const Ref<Array> both = empty(2), first = index_axis(*both, 0, 0), second = index_axis(*both, 0, 1);
  assign(*first, *part_dot(a, b), stream);
  assign(*second,
         *reduce(*reduction_info(reduction::sum_squares), c, axis_mask(1, 0, nullptr), false, {}, stream),
         stream);
  over_ranks(both);
  return {first,
          map({second.get()}, [](ProgramBuilder& p, const int32_t* in) { return p.op(op::real, in[0]); })};
}

Ref<Array> Vectors::norm(const Array& a) const {
  Ref<Array> own = reduce(*reduction_info(reduction::norm2), a, axis_mask(1, 0, nullptr), false, {}, stream);
  if (comm == nullptr) return own;
  // Sums of squares that neither overflow nor vanish: those of large, of ordinary and of small norms (J. L.
  // Blue, ACM Transactions on Mathematical Software 4, 1978). Up and down are exact.
  const double up = std::ldexp(1.0, 600), down = std::ldexp(1.0, -600);
  const auto f64 = [](ProgramBuilder& b, double x) { return constant(b, x, DType::float64_); };
  const int64_t three = 3;
  const Ref<Array> sums = arr::empty(DType::float64_, {&three, 1}, Order::C, device, stream);
  const Ref<Array> large = index_axis(*sums, 0, 0), usual = index_axis(*sums, 0, 1),
                   tiny = index_axis(*sums, 0, 2);
  update({large.get(), usual.get(), tiny.get()}, {own.get()}, [&](ProgramBuilder& b, const int32_t* in) {
    const int32_t x = b.cast(in[0], DType::float64_), zero = f64(b, 0);
    const int32_t is_large = b.op(op::greater, x, f64(b, std::ldexp(1.0, 500)));
    const int32_t is_tiny = b.op(op::less, x, f64(b, std::ldexp(1.0, -400)));
    const auto square_of = [&](double scale) {
      const int32_t y = times(b, x, f64(b, scale));
      return times(b, y, y);
    };
    const int32_t neither = b.op(op::where, b.op(op::logical_or, is_large, is_tiny), zero, square_of(1));
    return std::array{b.op(op::where, is_large, square_of(down), zero), neither,
                      b.op(op::where, is_tiny, square_of(up), zero)};
  });
  over_ranks(sums);
  const Ref<Array> all =
      map({large.get(), usual.get(), tiny.get()}, [&](ProgramBuilder& b, const int32_t* in) {
        const auto root = [&](int32_t x, int32_t smaller, double scale) {
          const int32_t rest = times(b, times(b, smaller, f64(b, down)), f64(b, down));
          return times(b, b.op(op::sqrt, plus(b, x, rest)), f64(b, scale));
        };
        const int32_t zero = f64(b, 0), small = times(b, b.op(op::sqrt, in[2]), f64(b, down));
        const int32_t usual_or_small =
            b.op(op::where, b.op(op::not_equal, in[1], zero), root(in[1], in[2], 1), small);
        return b.op(op::where, b.op(op::not_equal, in[0], zero), root(in[0], in[1], up), usual_or_small);
      });
  return as_type(*all, real, stream);
}

bool Vectors::stopped(const SolveCallback& callback, int64_t i, double residual) const {
  if (!asks_) return false;
  bool stop = callback && callback(i, residual);
  if (comm != nullptr) stop = together(*comm, {}, stop, stream, [] {});
  return stop;
}

void Vectors::agree(std::initializer_list<CommonNumber> numbers, const SolveCallback& callback,
                    const std::function<void()>& check) {
  asks_ = static_cast<bool>(callback);
  if (comm == nullptr) return check();
  asks_ = together(*comm, numbers, asks_, stream, check);
}

Ref<Array> Vectors::zeros(int64_t n) const {
  return full(dtype, {&n, 1}, Order::C, convert(scalar_of(0.0), dtype), device, stream);
}

Ref<Array> Vectors::empty(int64_t n) const { return arr::empty(dtype, {&n, 1}, Order::C, device, stream); }

Ref<Array> Vectors::copy(const Array& a) const {
  return flatten(*as_type(a, dtype, stream), Order::C, stream);
}

Ref<Array> Vectors::number(double x, DType d) const {
  return full(d, {}, Order::C, convert(scalar_of(x), d), device, stream);
}

double Vectors::read(const Array& a) {
  return scalar_value<double>(convert(arr::item(a, {}), DType::float64_));
}

DType System::type_of(const LinearOperator& a, const Array& b) {
  return promote(solver_type(a.dtype), solver_type(b.dtype));
}

void check_vector(const Array& v, int64_t n, Device device, const char* argument) {
  const Layout& l = v.layout;
  const bool fits = l.ndim == 1 || (l.ndim == 2 && l.shape[1] == 1);
  if (!fits || l.shape[0] != n) {
    fail(ARR_E_SHAPE, "argument ", argument, " shape ", l.text(), ", expected (", n, ") or (", n, ",1)");
  }
  if (v.device() != device) {
    fail(ARR_E_ARGUMENT, "argument ", argument, " memory on ", device_text(v.device()),
         ", expected that of the operator, ", device_text(device));
  }
}

void System::check(const LinearOperator& a, const Array& right) const {
  check_square(a, "a");
  check_vector(right, n, device, "b:");
  if (options.x0 != nullptr) check_vector(*options.x0, n, device, "options: x0 has");
  const LinearOperator* m = options.m;
  if (m == nullptr) return;
  if (m->extents.rows != n || m->extents.columns != n || m->device != device) {
    const int64_t shape[2] = {m->extents.rows, m->extents.columns}, expected[2] = {n, n};
    fail(ARR_E_SHAPE, "argument options: m has shape ", shape_text(2, shape), " on ", device_text(m->device),
         ", expected ", shape_text(2, expected), " on ", device_text(device));
  }
  if (m->ranks && m->comm() != a.comm()) {
    fail(ARR_E_ARGUMENT, "argument options: m is divided among the ranks of another communicator than a");
  }
}

System::System(const LinearOperator& a, const Array& right, const SolveOptions& o, Stream* s)
    : Vectors(type_of(a, right), a.device, s, a.comm()),
      options(o),
      n(a.extents.rows),
      whole(a.whole().rows) {
  agree({{"the dtype of b", static_cast<int64_t>(dtype)},
         common("argument options: rtol", o.rtol),
         common("argument options: atol", o.atol),
         {"argument options: maxiter", o.maxiter},
         {"argument options: having x0", o.x0 != nullptr ? 1 : 0},
         {"argument options: having m", o.m != nullptr ? 1 : 0},
         {"argument options: check_every", o.check_every},
         {"argument options: restart", o.restart},
         {"argument options: augment", o.augment},
         common("argument options: shift", o.shift)},
        o.callback, [&] { check(a, right); });
  check_every = o.check_every != 0 ? o.check_every : asks_ || device.type == ARR_HOST ? 1 : 16;
  a_ = a.in_type(dtype, stream);
  if (o.m != nullptr) m_ = o.m->in_type(dtype, stream);
  b = copy(right);
  b_norm = read(*norm(*b));
  tolerance = std::max(o.atol, o.rtol * b_norm);
  tol = number(tolerance);
}

Ref<Array> System::precondition(const Array& r) const {
  if (!m_) return r.share();
  Ref<Array> out;
  // An operator of this rank alone may fail here alone.
  lead_alone(m_->ranks ? nullptr : comm,
             [&] { out = as_type(*m_->times(plain_mode, r, stream), dtype, stream); });
  return out;
}

Ref<Array> System::start() const { return options.x0 == nullptr ? zeros(n) : copy(*options.x0); }

Ref<Array> System::residual(const Array& x) const {
  return map({b.get(), times(x).get()},
             [](ProgramBuilder& p, const int32_t* in) { return p.op(op::subtract, in[0], in[1]); });
}

Progress begin(const System& s, Ref<Array> residual) {
  Ref<Array> code = s.map({residual.get(), s.tol.get()}, [](ProgramBuilder& b, const int32_t* in) {
    const int32_t zero = integer(b, 0);
    return after_iteration(b, zero, zero, in[0], in[1]).code;
  });
  return {std::move(code), s.number(0, DType::int64_), std::move(residual)};
}

Ended after_iteration(ProgramBuilder& b, int32_t code, int32_t count, int32_t residual, int32_t tolerance) {
  const int32_t runs = b.op(op::equal, code, integer(b, 0));
  const int32_t failed = b.op(op::where, b.op(op::isfinite, residual), integer(b, 0), integer(b, -1));
  const int32_t now = b.op(op::where, b.op(op::less_equal, residual, tolerance), integer(b, 1), failed);
  return {b.op(op::where, runs, now, code), b.op(op::add, count, b.cast(runs, DType::int64_))};
}

int32_t while_running(ProgramBuilder& b, int32_t code, int32_t value) {
  return b.op(op::where, b.op(op::equal, code, integer(b, 0)), value, constant(b, 0, b.dtype(value)));
}

Solved look(const System& s, const Progress& p, bool* stop) {
  const auto code = static_cast<int64_t>(Vectors::read(*p.code));
  Solved now;
  now.iterations = static_cast<int64_t>(Vectors::read(*p.count));
  now.residual = Vectors::read(*p.residual);
  now.info = code == 1 ? 0 : code == 0 ? now.iterations : code;
  const bool asked = now.iterations > 0 && s.stopped(s.options.callback, now.iterations, now.residual);
  *stop = code != 0 || asked;
  return now;
}

}  // namespace arr
