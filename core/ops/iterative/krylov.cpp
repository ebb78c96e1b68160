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

Ref<Array> Vectors::dot(const Array& a, const Array& b) const {
  return sum({&a, &b}, [](ProgramBuilder& p, const int32_t* in) {
    const int32_t left = is_complex(p.dtype(in[0])) ? p.op(op::conjugate, in[0]) : in[0];
    return p.op(op::multiply, left, in[1]);
  });
}

Ref<Array> Vectors::squares(const Array& a) const {
  return reduce(*reduction_info(reduction::sum_squares), a, axis_mask(1, 0, nullptr), false, {}, stream);
}

Ref<Array> Vectors::norm(const Array& a) const {
  return reduce(*reduction_info(reduction::norm2), a, axis_mask(1, 0, nullptr), false, {}, stream);
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

System::System(const LinearOperator& a, const Array& right, const SolveOptions& o, Stream* s)
    : Vectors(type_of(a, right), a.device, s),
      options(o),
      n(a.extents.rows),
      check_every(o.check_every != 0          ? o.check_every
                  : a.device.type == ARR_HOST ? 1
                                              : 16) {
  check_square(a, "a");
  check_vector(right, n, device, "b:");
  if (o.x0 != nullptr) check_vector(*o.x0, n, device, "options: x0 has");
  a_ = a.in_type(dtype, stream);
  if (o.m != nullptr) {
    if (o.m->extents.rows != n || o.m->extents.columns != n || o.m->device != device) {
      const int64_t shape[2] = {o.m->extents.rows, o.m->extents.columns}, expected[2] = {n, n};
      fail(ARR_E_SHAPE, "argument options: m has shape ", shape_text(2, shape), " on ",
           device_text(o.m->device), ", expected ", shape_text(2, expected), " on ", device_text(device));
    }
    m_ = o.m->in_type(dtype, stream);
  }
  b = copy(right);
  b_norm = read(*norm(*b));
  tolerance = std::max(o.atol, o.rtol * b_norm);
  tol = number(tolerance);
}

Ref<Array> System::precondition(const Array& r) const {
  if (!m_) return r.share();
  return as_type(*m_->times(plain_mode, r, stream), dtype, stream);
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
  const bool asked =
      s.options.callback && now.iterations > 0 && s.options.callback(now.iterations, now.residual);
  *stop = code != 0 || asked;
  return now;
}

}  // namespace arr
