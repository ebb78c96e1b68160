// SPDX-License-Identifier: MIT
// dtype.h: names, limits, casts and kinds of element types.
#include "arr/dtype.h"

#include <cmath>
#include <limits>
#include <vector>

#include "capi/src/entry.h"

using namespace arr::capi;

namespace {

void set(arr_value* v, arr::DType d, int64_t bits) {
  if (v == nullptr) return;
  *v = {ARR_VALUE_SCALAR, static_cast<int32_t>(d), bits, 0};
}

// The type of an array or a number, and for a number whether it is weak.
arr::OperandType operand_type(const arr_value& v) {
  if ((v.kind & ~ARR_VALUE_WEAK) == ARR_VALUE_ARRAY) {
    const auto handle = reinterpret_cast<arr_array>(static_cast<uintptr_t>(v.lo));
    return {array(handle, "in")->dtype, false};
  }
  return {scalar_argument(&v, "in").dtype, is_weak(v)};
}

// The smallest unsigned type for numbers that are not negative, else the smallest signed type.
arr::DType smallest_integer(const arr::Scalar& s) {
  using arr::DType;
  const bool is_signed = arr::kind(s.dtype) == arr::DKind::INT;
  const auto wide = arr::convert(s, is_signed ? DType::int64_ : DType::uint64_);
  const auto x = static_cast<int64_t>(wide.lo);
  if (is_signed && x < 0) {
    return x >= INT8_MIN    ? DType::int8_
           : x >= INT16_MIN ? DType::int16_
           : x >= INT32_MIN ? DType::int32_
                            : DType::int64_;
  }
  return wide.lo <= UINT8_MAX    ? DType::uint8_
         : wide.lo <= UINT16_MAX ? DType::uint16_
         : wide.lo <= UINT32_MAX ? DType::uint32_
                                 : DType::uint64_;
}

// NumPy's bounds: a little inside those of the types.
constexpr double max_half = 65000, max_single = 3.4e38;

arr::DType smallest_float(const arr::Scalar& s) {
  using arr::DType;
  if (arr::is_half(s.dtype)) return s.dtype;
  const double x = std::abs(arr::scalar_value<double>(arr::convert(s, DType::float64_)));
  if (x < max_half || !std::isfinite(x)) return DType::float16_;
  return x < max_single ? DType::float32_ : s.dtype;
}

arr::DType smallest_complex(const arr::Scalar& s) {
  const arr::Scalar wide = arr::convert(s, arr::DType::complex128_);
  for (uint64_t part : {wide.lo, wide.hi}) {
    double x = 0;
    std::memcpy(&x, &part, sizeof x);
    if (!(std::abs(x) < max_single)) return s.dtype;
  }
  return arr::DType::complex64_;
}

struct KindName {
  std::string_view name;
  int32_t kinds;
};
constexpr KindName kind_names[] = {
    {"bool", ARR_KIND_BOOL},
    {"signed integer", ARR_KIND_SIGNED_INTEGER},
    {"unsigned integer", ARR_KIND_UNSIGNED_INTEGER},
    {"integral", ARR_KIND_INTEGRAL},
    {"real floating", ARR_KIND_REAL_FLOATING},
    {"complex floating", ARR_KIND_COMPLEX_FLOATING},
    {"numeric", ARR_KIND_NUMERIC},
    {"signedinteger", ARR_KIND_SIGNED_INTEGER},
    {"unsignedinteger", ARR_KIND_UNSIGNED_INTEGER},
    {"integer", ARR_KIND_INTEGRAL},
    {"floating", ARR_KIND_REAL_FLOATING},
    {"complexfloating", ARR_KIND_COMPLEX_FLOATING},
    {"inexact", ARR_KIND_INEXACT},
    {"number", ARR_KIND_NUMERIC},
    {"generic", ARR_KIND_ANY},
};

int32_t kind_bit(arr::DType d) {
  switch (arr::kind(d)) {
    case arr::DKind::BOOL:
      return ARR_KIND_BOOL;
    case arr::DKind::INT:
      return ARR_KIND_SIGNED_INTEGER;
    case arr::DKind::UINT:
      return ARR_KIND_UNSIGNED_INTEGER;
    case arr::DKind::FLOAT:
      return ARR_KIND_REAL_FLOATING;
    case arr::DKind::COMPLEX:
      return ARR_KIND_COMPLEX_FLOATING;
  }
  return 0;
}

// A query of an array.
template <class Ask>
arr_status ask(const char* function, arr_array a, bool* out, Ask&& question) noexcept {
  return guard(function, [&] {
    check_pointer(out, "out");
    *out = question(*array(a, "a"));
  });
}

}  // namespace

arr_status arr_dtype_info(arr_dtype dtype, const char** name, int32_t* bytes) {
  return guard("arr_dtype_info", [&] {
    const arr::DTypeInfo& i = arr::info(arr::dtype_from(dtype));
    if (name != nullptr) *name = i.name;
    if (bytes != nullptr) *bytes = i.bytes;
  });
}

arr_status arr_dtype_find(const char* name, arr_dtype* dtype) {
  return guard("arr_dtype_find", [&] {
    check_pointer(name, "name");
    check_pointer(dtype, "dtype");
    const arr::DType found = arr::dtype_find(name);
    if (found == arr::DType::none) {
      arr::fail(ARR_E_DTYPE, "argument name: \"", name, "\" is not the name of an element type");
    }
    *dtype = static_cast<arr_dtype>(found);
  });
}

arr_status arr_finfo(arr_dtype dtype, arr_float_limits* limits) {
  return guard("arr_finfo", [&] {
    check_pointer(limits, "limits");
    check_size(*limits, "limits");
    const arr::DType d = arr::real_type(arr::dtype_from(dtype));
    if (!arr::is_floating(d)) {
      arr::fail(ARR_E_DTYPE, "argument dtype: ", arr::name(d), ", expected a float or complex type");
    }
    const arr::FloatFormat f = arr::float_format(d);
    arr_float_limits l = {};
    l.struct_size = limits->struct_size;
    l.dtype = static_cast<arr_dtype>(d);
    l.bits = static_cast<int32_t>(8 * arr::item_size(d));
    l.nmant = f.fraction;
    l.nexp = f.exponent;
    l.maxexp = 1 << (f.exponent - 1);
    l.minexp = 2 - l.maxexp;
    l.machep = -f.fraction;
    l.negep = -f.fraction - 1;
    l.precision = static_cast<int32_t>(f.fraction * std::log10(2.0));
    l.eps = std::ldexp(1.0, l.machep);
    l.epsneg = std::ldexp(1.0, l.negep);
    l.max = std::ldexp(2 - l.eps, l.maxexp - 1);
    l.min = -l.max;
    l.smallest_normal = std::ldexp(1.0, l.minexp);
    l.smallest_subnormal = std::ldexp(1.0, l.minexp - f.fraction);
    const arr::Scalar power = arr::convert(arr::scalar_of(1 / std::pow(10.0, l.precision)), d);
    l.resolution = arr::scalar_value<double>(arr::convert(power, arr::DType::float64_));
    *limits = l;
  });
}

arr_status arr_iinfo(arr_dtype dtype, int32_t* bits, arr_value* min, arr_value* max) {
  return guard("arr_iinfo", [&] {
    const arr::DType d = arr::dtype_from(dtype);
    const bool is_signed = arr::kind(d) == arr::DKind::INT;
    if (!is_signed && arr::kind(d) != arr::DKind::UINT) {
      arr::fail(ARR_E_DTYPE, "argument dtype: ", arr::name(d), ", expected an integer type");
    }
    const auto n = static_cast<int32_t>(8 * arr::item_size(d));
    const uint64_t all = n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1, sign = uint64_t{1} << (n - 1);
    if (bits != nullptr) *bits = n;
    set(min, d, static_cast<int64_t>(is_signed ? sign : 0));
    set(max, d, static_cast<int64_t>(is_signed ? sign - 1 : all));
  });
}

arr_status arr_promote_types(arr_dtype a, arr_dtype b, arr_dtype* out) {
  return guard("arr_promote_types", [&] {
    check_pointer(out, "out");
    *out = static_cast<arr_dtype>(arr::promote(arr::dtype_from(a, "a"), arr::dtype_from(b, "b")));
  });
}

arr_status arr_can_cast(arr_dtype from, arr_dtype to, int32_t casting, bool* out) {
  return guard("arr_can_cast", [&] {
    check_pointer(out, "out");
    const arr::DType f = arr::dtype_from(from, "from"), t = arr::dtype_from(to, "to");
    *out = arr::can_cast(f, t, casting_argument(casting));
  });
}

arr_status arr_result_type(int32_t n, const arr_value* in, arr_dtype* out) {
  return guard("arr_result_type", [&] {
    check_pointer(out, "out");
    if (n < 1) arr::fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected at least 1 operand");
    check_pointer(in, "in");
    std::vector<arr::OperandType> types;
    types.reserve(static_cast<size_t>(n));
    for (int32_t i = 0; i < n; ++i) types.push_back(operand_type(in[i]));
    *out = static_cast<arr_dtype>(arr::common_type(types));
  });
}

arr_status arr_min_scalar_type(const arr_value* x, arr_dtype* out) {
  return guard("arr_min_scalar_type", [&] {
    check_pointer(x, "x");
    check_pointer(out, "out");
    arr::DType d = operand_type(*x).dtype;
    if ((x->kind & ~ARR_VALUE_WEAK) == ARR_VALUE_SCALAR) {
      const arr::Scalar s = scalar_argument(x, "x");
      switch (arr::kind(d)) {
        case arr::DKind::BOOL:
          break;
        case arr::DKind::INT:
        case arr::DKind::UINT:
          d = smallest_integer(s);
          break;
        case arr::DKind::FLOAT:
          d = smallest_float(s);
          break;
        case arr::DKind::COMPLEX:
          d = smallest_complex(s);
          break;
      }
    }
    *out = static_cast<arr_dtype>(d);
  });
}

arr_status arr_kind_find(const char* name, int32_t* kinds) {
  return guard("arr_kind_find", [&] {
    check_pointer(name, "name");
    check_pointer(kinds, "kinds");
    for (const KindName& k : kind_names) {
      if (k.name == name) {
        *kinds = k.kinds;
        return;
      }
    }
    arr::fail(ARR_E_ARGUMENT, "argument name: \"", name, "\" is not the name of a kind of element types");
  });
}

arr_status arr_isdtype(arr_dtype dtype, int32_t kinds, bool* out) {
  return guard("arr_isdtype", [&] {
    check_pointer(out, "out");
    const arr::DType d = arr::dtype_from(dtype);
    if ((kinds & ~ARR_KIND_ANY) != 0) {
      arr::fail(ARR_E_ARGUMENT, "argument kinds: ", kinds, ", expected a combination of ARR_KIND_...");
    }
    *out = (kind_bit(d) & kinds) != 0;
  });
}

arr_status arr_iscomplexobj(arr_array a, bool* out) {
  return ask("arr_iscomplexobj", a, out, [](const arr::Array& x) { return arr::is_complex(x.dtype); });
}

arr_status arr_isrealobj(arr_array a, bool* out) {
  return ask("arr_isrealobj", a, out, [](const arr::Array& x) { return !arr::is_complex(x.dtype); });
}

arr_status arr_isfortran(arr_array a, bool* out) {
  return ask("arr_isfortran", a, out, [](const arr::Array& x) {
    return !x.contiguous && x.layout.is_contiguous(x.item(), arr::Order::F);
  });
}
