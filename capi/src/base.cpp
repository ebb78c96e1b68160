// SPDX-License-Identifier: MIT
// base.h: scalars, versions, counts of handles. (Errors are in entry.cpp.)
#include <algorithm>
#include <cmath>

#include "backend/device.h"
#include "capi/src/entry.h"
#include "runtime/devices.h"

using namespace arr::capi;

namespace {

template <class T>
void set_scalar(arr_value* v, arr_dtype dtype, T x) {
  if (v == nullptr) return;
  *v = {ARR_VALUE_SCALAR, dtype, 0, 0};
  std::memcpy(&v->lo, &x, sizeof x < 8 ? sizeof x : 8);
}

}  // namespace

void arr_value_f64(arr_value* v, double x) { set_scalar(v, ARR_FLOAT64, x); }
void arr_value_f32(arr_value* v, double x) {
  const arr::DefaultFloats floats;
  set_scalar(v, ARR_FLOAT32, static_cast<float>(x));
}
void arr_value_i64(arr_value* v, int64_t x) { set_scalar(v, ARR_INT64, x); }
void arr_value_i32(arr_value* v, int32_t x) { set_scalar(v, ARR_INT32, x); }
void arr_value_bool(arr_value* v, bool x) { set_scalar(v, ARR_BOOL, static_cast<int8_t>(x)); }

void arr_value_c128(arr_value* v, double re, double im) {
  set_scalar(v, ARR_COMPLEX128, re);
  if (v != nullptr) std::memcpy(&v->hi, &im, sizeof im);
}

arr_status arr_value_bits(arr_value* v, arr_dtype dtype, const void* bytes) {
  return guard("arr_value_bits", [&] {
    check_pointer(v, "v");
    check_pointer(bytes, "bytes");
    auto n = static_cast<size_t>(arr::item_size(arr::dtype_from(dtype)));
    int64_t words[2] = {0, 0};
    std::memcpy(words, bytes, n);
    *v = {ARR_VALUE_SCALAR, dtype, words[0], words[1]};
  });
}

void arr_value_weak(arr_value* v) {
  if (v != nullptr && v->kind == ARR_VALUE_SCALAR) v->kind |= ARR_VALUE_WEAK;
}

arr_status arr_value_get_f64(const arr_value* v, double* x) {
  return guard("arr_value_get_f64", [&] {
    check_pointer(x, "x");
    *x = exact_f64(scalar_argument(v, "v"), "v");
  });
}

arr_status arr_value_get_i64(const arr_value* v, int64_t* x) {
  return guard("arr_value_get_i64", [&] {
    check_pointer(x, "x");
    *x = exact_i64(scalar_argument(v, "v"), "v");
  });
}

void arr_value_array(arr_value* v, arr_array a) {
  if (v != nullptr) *v = {ARR_VALUE_ARRAY, 0, static_cast<int64_t>(bits(a)), 0};
}

void arr_value_pointer(arr_value* v, void* p) {
  if (v != nullptr) *v = {ARR_VALUE_POINTER, 0, static_cast<int64_t>(reinterpret_cast<intptr_t>(p)), 0};
}

void arr_value_bytes(arr_value* v, const void* bytes, int64_t nbytes) {
  if (v != nullptr)
    *v = {ARR_VALUE_BYTES, 0, static_cast<int64_t>(reinterpret_cast<intptr_t>(bytes)), nbytes};
}

int32_t arr_version(void) { return ARR_VERSION; }

arr_status arr_check_abi(int32_t version) {
  return guard("arr_check_abi", [&] {
    bool same_major = version / 1000000 == ARR_VERSION / 1000000;
    if (version > 0 && same_major && version <= ARR_VERSION) return;
    arr::fail(ARR_E_UNAVAILABLE, "argument version: the program was built for ", version / 1000000, ".",
              version / 1000 % 1000, ".", version % 1000, ", this library is ", ARR_VERSION_MAJOR, ".",
              ARR_VERSION_MINOR, ".", ARR_VERSION_PATCH);
  });
}

arr_status arr_build_info(int64_t capacity, char* text, int64_t* length) {
  return guard("arr_build_info", [&] {
    const auto reductions = arr::all_reductions();
    const auto hidden = std::count_if(reductions.begin(), reductions.end(), [](const arr::ReductionInfo& r) {
      return r.form == arr::ReduceForm::HIDDEN;
    });
    std::string info = arr::text("libarr ", ARR_VERSION_MAJOR, ".", ARR_VERSION_MINOR, ".", ARR_VERSION_PATCH,
                                 "\ncompiler: ", __VERSION__, "\ninstruction sets: ", ARR_BUILD_LEVELS,
                                 "\nCUDA module: ", ARR_BUILD_CUDA, "\noperations: ", arr::all_ops().size(),
                                 ", reductions: ", reductions.size() - static_cast<size_t>(hidden), "\n");
    std::string host, libraries;
    arr::call(arr::api<arr::DeviceApi>(arr::backend(ARR_HOST)).name, 0, &host);
    arr::call(arr::api<arr::DeviceApi>(arr::backend(ARR_HOST)).probe, &libraries);
    put_text(info + "processor: " + host + "\n" + libraries, capacity, text, length);
  });
}

int64_t arr_live_handles(void) { return arr::handles().live(); }
int64_t arr_live_objects(void) { return arr::Object::live(); }
