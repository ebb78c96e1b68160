// SPDX-License-Identifier: MIT
// Conversion of single scalars between dtypes, by the casts that kernels use.
#include "math/host_math.h"
//
#include "math/scalar.h"
//
#include "math/libm.h"
//
#include "math/math.h"
//
#include "expr/program.h"

namespace arr {

namespace {

template <class T>
struct Tag {
  using type = T;
};

// Calls f with the tag of the C++ type of d.
template <class F>
Scalar with_type(DType d, F&& f) {
  switch (d) {
#define ARR_DTYPE(NAME, number, name, type, kind, bytes, npy, dlcode, doc) \
  case DType::name##_:                                                     \
    return f(Tag<type>{});
#include "table/dtypes.def"
#undef ARR_DTYPE
    case DType::table_:
    case DType::none:
      break;
  }
  fail(ARR_E_DTYPE, "a scalar has no element type");
}

}  // namespace

Scalar convert(const Scalar& s, DType to) {
  return with_type(s.dtype, [&](auto from) {
    using From = typename decltype(from)::type;
    From value = scalar_value<From>(s);
    return with_type(to,
                     [&](auto t) { return scalar_bits(to, arr_cast<typename decltype(t)::type>(value)); });
  });
}

Scalar scalar_of(double x) { return scalar_bits(DType::float64_, x); }
Scalar scalar_of(int64_t x) { return scalar_bits(DType::int64_, x); }

}  // namespace arr
