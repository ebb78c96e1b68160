// SPDX-License-Identifier: MIT
// matrix_functions.h: functions of matrices.
#include "ops/linalg/matrix_functions.h"

#include "capi/src/linalg/arguments.h"

using namespace arr::capi;

namespace {

arr_status circular_call(const char* name, arr_array a, arr::CircularFunction which, arr_stream stream,
                         arr_array* out) {
  return unary_call(name, a, "a", stream, out,
                    [which](const arr::Array& x, arr::Stream* s) { return arr::circular(x, which, s); });
}

}  // namespace

arr_status arr_sqrtm(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_sqrtm", a, "a", stream, out, arr::sqrtm);
}

arr_status arr_logm(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_logm", a, "a", stream, out, arr::logm);
}

arr_status arr_fractional_matrix_power(arr_array a, double p, arr_stream stream, arr_array* out) {
  return unary_call(
      "arr_fractional_matrix_power", a, "a", stream, out,
      [p](const arr::Array& x, arr::Stream* s) { return arr::fractional_matrix_power(x, p, s); });
}

arr_status arr_signm(arr_array a, arr_stream stream, arr_array* out) {
  return unary_call("arr_signm", a, "a", stream, out, arr::signm);
}

arr_status arr_cosm(arr_array a, arr_stream stream, arr_array* out) {
  return circular_call("arr_cosm", a, arr::CircularFunction::cos, stream, out);
}

arr_status arr_sinm(arr_array a, arr_stream stream, arr_array* out) {
  return circular_call("arr_sinm", a, arr::CircularFunction::sin, stream, out);
}

arr_status arr_tanm(arr_array a, arr_stream stream, arr_array* out) {
  return circular_call("arr_tanm", a, arr::CircularFunction::tan, stream, out);
}

arr_status arr_coshm(arr_array a, arr_stream stream, arr_array* out) {
  return circular_call("arr_coshm", a, arr::CircularFunction::cosh, stream, out);
}

arr_status arr_sinhm(arr_array a, arr_stream stream, arr_array* out) {
  return circular_call("arr_sinhm", a, arr::CircularFunction::sinh, stream, out);
}

arr_status arr_tanhm(arr_array a, arr_stream stream, arr_array* out) {
  return circular_call("arr_tanhm", a, arr::CircularFunction::tanh, stream, out);
}

arr_status arr_expm_frechet(arr_array a, arr_array e, arr_stream stream_handle, arr_array* out_expm,
                            arr_array* out_frechet) {
  return guard("arr_expm_frechet", [&] {
    check_pointer(out_expm, "out_expm");
    check_pointer(out_frechet, "out_frechet");
    auto x = array(a, "a");
    auto y = array(e, "e");
    auto s = stream(stream_handle);
    const arr::Derivative d = arr::expm_frechet(*x, *y, s.get());
    put_all({d.value, d.derivative}, {out_expm, out_frechet});
  });
}
