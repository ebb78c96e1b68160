// SPDX-License-Identifier: MIT
// fft_plan.h: Fourier transforms that are planned in advance.
#include "arr/fft_plan.h"

#include "capi/src/arguments.h"
#include "capi/src/expression/arguments.h"
#include "capi/src/fft/arguments.h"
#include "ops/fft/plan.h"
#include "runtime/devices.h"

using namespace arr::capi;
using arr::FftPlan;

template <>
struct arr::capi::KindOf<FftPlan> {
  static constexpr Kind kind = Kind::fft_plan;
};

arr_status arr_fft_plan_create(int32_t kind, arr_dtype real, int32_t ndim, const int64_t* shape,
                               int32_t naxes, const int32_t* axes, const arr_device* device,
                               arr_fft_plan* out) {
  return guard("arr_fft_plan_create", [&] {
    check_pointer(out, "out");
    if (kind < ARR_FFT_C2C || kind > ARR_FFT_C2R) {
      arr::fail(ARR_E_ARGUMENT, "argument kind: ", kind,
                ", expected ARR_FFT_C2C, ARR_FFT_R2C or ARR_FFT_C2R");
    }
    const arr::DType type = arr::dtype_from(real, "real");
    const arr::Shape extents = shape_argument(ndim, shape);
    publish<FftPlan>(arr::make<FftPlan>(static_cast<FftPlan::Kind>(kind), type, extents,
                                        arr::fft_axes(ndim, naxes, axes, nullptr), arr::device_from(device)),
                     out);
  });
}

arr_status arr_fft_plan_execute(arr_fft_plan plan, arr_array a, arr_array dst, bool inverse, int32_t norm,
                                arr_stream stream_handle) {
  return guard("arr_fft_plan_execute", [&] {
    auto p = lookup<FftPlan>(plan, "plan");
    auto x = array(a, "a");
    auto y = array(dst, "dst");
    auto s = stream(stream_handle);
    p->run(*x, *y, inverse, norm_argument(norm), s.get());
  });
}

arr_status arr_fft_plan_execute_fused(arr_fft_plan plan, arr_expr load, int32_t load_node, int32_t nin,
                                      const arr_array* in, arr_expr store, int32_t store_node, int32_t nmore,
                                      const arr_array* more, arr_array dst, bool inverse, int32_t norm,
                                      arr_stream stream_handle) {
  return guard("arr_fft_plan_execute_fused", [&] {
    auto p = lookup<FftPlan>(plan, "plan");
    auto before = optional_expression(load, "load");
    auto behind = optional_expression(store, "store");
    auto y = array(dst, "dst");
    auto s = stream(stream_handle);
    const InputArrays inputs(nin, in), others(nmore, more, "nmore", "more", 0);
    p->run_fused({before.get(), load_node, inputs.list()}, {behind.get(), store_node, others.list()}, *y,
                 inverse, norm_argument(norm), s.get());
  });
}

arr_status arr_fft_plan_output(arr_fft_plan plan, arr_stream stream_handle, arr_array* out) {
  return make_array("arr_fft_plan_output", out, [&] {
    auto p = lookup<FftPlan>(plan, "plan");
    auto s = stream(stream_handle);
    return p->destination(s.get());
  });
}

arr_status arr_fft_plan_info(arr_fft_plan plan, arr_fft_plan_properties* properties) {
  return guard("arr_fft_plan_info", [&] {
    auto p = lookup<FftPlan>(plan, "plan");
    check_pointer(properties, "properties");
    check_size(*properties, "properties");
    const auto held = p->counts();
    *properties = {properties->struct_size,
                   static_cast<int64_t>(p->kind()),
                   static_cast<int64_t>(p->real()),
                   p->ndim(),
                   p->naxes(),
                   held.plans,
                   held.bytes,
                   p->taken()};
  });
}

arr_status arr_fft_plan_release(arr_fft_plan plan) { return release(plan, arr::Kind::fft_plan); }
