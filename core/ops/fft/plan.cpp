// SPDX-License-Identifier: MIT
// Planned transforms: the object keeps the backend's plans, and calls are checked against the planned shape
// and dtype.
#include "ops/fft/plan.h"

#include "array/memory_views.h"
#include "backend/fft.h"
#include "runtime/dispatch.h"
#include "runtime/recorders.h"

namespace arr {

FftPlan::FftPlan(Kind kind, DType real, Shape shape, const FftAxes& axes, Device device)
    : kind_(kind), real_(real), device_(device), axes_(axes) {
  if (real != DType::float32_ && real != DType::float64_) {
    fail(ARR_E_DTYPE, "argument real: ", name(real), ", expected float32 or float64");
  }
  if (axes_.count == 0) fail(ARR_E_SHAPE, "argument ndim: no axis to transform, expected at least one");
  for (int32_t i = 0; i < axes_.count; ++i) {
    axes_.extents[i] = shape[static_cast<size_t>(axes_.axes[i])];
    if (axes_.extents[i] > 0) continue;
    fail(ARR_E_SHAPE, "argument shape: ", axes_.extents[i], " elements to transform along axis ",
         axes_.axes[i], ", expected 1 or more");
  }
  auto side = [&](bool complex, bool halved) {
    Side s;
    s.dtype = complex ? complex_of(real) : real;
    Layout extents;
    extents.ndim = static_cast<int32_t>(shape.size());
    std::copy(shape.begin(), shape.end(), extents.shape);
    int64_t& last = extents.shape[axes_.axes[axes_.count - 1]];
    if (halved) last = last / 2 + 1;
    s.layout = Layout::contiguous(extents.dims(), item_size(s.dtype), Order::C);
    return s;
  };
  in_ = side(kind != Kind::r2c, kind == Kind::c2r);
  out_ = side(kind != Kind::c2r, kind == Kind::r2c);
  if (in_.layout.size() == 0) return;
  for (const bool inverse : {false, true}) {
    if (inverse ? kind == Kind::r2c : kind == Kind::c2r) continue;
    const FftCall c = call(in_.layout, out_.layout, inverse);
    arr::call(api<FftApi>(device).plan, device.index, &c, &plan_set_);
  }
}

FftCall FftPlan::call(const Layout& in, const Layout& out, bool inverse) const {
  const FftKind kind = kind_ == Kind::r2c   ? FftKind::r2c
                       : kind_ == Kind::c2r ? FftKind::c2r
                       : inverse            ? FftKind::backward
                                            : FftKind::forward;
  return make_call(in, out, axes_, kind, real_);
}

PlanSet::Counts FftPlan::counts() const {
  return plan_set_ == nullptr ? PlanSet::Counts{} : plan_set_->counts();
}

void FftPlan::check_device(const Array& a, std::string_view argument) const {
  if (a.device() == device_) return;
  fail(ARR_E_ARGUMENT, "argument ", argument, ": on ", device_text(a.device()), ", the plan is for ",
       device_text(device_));
}

void FftPlan::check(const Array& a, const Side& planned, std::string_view argument) const {
  check_device(a, argument);
  if (a.dtype != planned.dtype) {
    fail(ARR_E_DTYPE, "argument ", argument, ": ", name(a.dtype), ", the plan is for ", name(planned.dtype));
  }
  if (!a.layout.same_shape(planned.layout)) {
    fail(ARR_E_SHAPE, "argument ", argument, ": shape ", a.layout.text(), ", the plan is for ",
         planned.layout.text());
  }
  if (!a.contiguous) {
    fail(ARR_E_SHAPE, "argument ", argument, ": not contiguous in C order, which the plan is for");
  }
}

void FftPlan::check_direction(bool inverse) const {
  if (kind_ == Kind::c2c || inverse == (kind_ == Kind::c2r)) return;
  fail(ARR_E_ARGUMENT, "argument inverse: ", inverse ? 1 : 0, ", a plan of ",
       inverse ? "ARR_FFT_R2C is forward" : "ARR_FFT_C2R is inverse");
}

void FftPlan::run(const Array& a, const Array& dst, bool inverse, FftNorm norm, Stream* stream) const {
  check(a, in_, "a");
  check(dst, out_, "dst");
  check_writable(dst);
  if (share_memory(a, dst)) fail(ARR_E_ARGUMENT, "argument dst: shares memory with a");
  check_direction(inverse);
  transform(a, dst, inverse, norm, stream);
}

void FftPlan::transform(const Array& a, const Array& dst, bool inverse, FftNorm norm, Stream* stream) const {
  if (dst.layout.size() == 0) return;
  FftCall c = call(a.layout, dst.layout, inverse);
  c.in = a.data;
  c.out = dst.data;
  c.scale = scale_of(axes_, inverse, norm);
  c.book = plan_set_;
  const Queue q = queue_for(device_, stream);
  materialize_for_write(*dst.buffer);
  use_to_read(*a.buffer, q);
  use(*dst.buffer, q);
  enqueue(q, api<FftApi>(q).fft, c);
}

Ref<Array> FftPlan::destination(Stream* stream) const {
  return create(out_.dtype, out_.layout, device_, stream);
}

}  // namespace arr
