// SPDX-License-Identifier: MIT
// Counting: places computed by a program, ones or weights added there.
#include "ops/histogram.h"

#include <algorithm>

#include "ops/kept.h"
#include "ops/scatter.h"

namespace arr {

namespace {

// Adds to counts, a vector: `map` gives offsets and values of the arrays, vectors of n elements.
void add_at(const Array& counts, int64_t n, const BoundProgram& map, std::span<const Array* const> arrays,
            Stream* stream) {
  int64_t strides[Program::max_inputs][max_ndim];
  for (size_t k = 0; k < arrays.size(); ++k) strides[k][0] = arrays[k]->layout.strides[0];
  Scatter s;
  s.target = &counts;
  s.shape.ndim = 1;
  s.shape.shape[0] = n;
  s.shape.strides[0] = 0;
  s.map = &map;
  const DType both[2] = {counts.dtype, counts.dtype};
  s.combine = &single_op(*op_info(op::add), both, counts.dtype);
  s.arrays = arrays;
  s.strides = strides;
  run_scatter(s, stream);
}

Ref<Array> zeros(DType d, int64_t n, Device device, Stream* stream) {
  return full(d, {&n, 1}, Order::C, convert(scalar_of(int64_t{0}), d), device, stream);
}

void check_counted(const Array& x) {
  const DKind k = kind(x.dtype);
  if (k == DKind::FLOAT || k == DKind::COMPLEX || x.dtype == DType::uint64_) {
    fail(ARR_E_DTYPE, "argument x: got ", name(x.dtype), ", expected bool or integers that int64 holds");
  }
  if (x.layout.ndim != 1) {
    fail(ARR_E_SHAPE, "argument x: ", x.layout.ndim, " dimensions, expected 1");
  }
}

void check_weights(const Array& x, const Array& weights) {
  if (is_complex(weights.dtype)) {
    fail(ARR_E_DTYPE, "argument weights: got ", name(weights.dtype), ", expected real numbers");
  }
  if (!weights.layout.same_shape(x.layout)) {
    fail(ARR_E_SHAPE, "argument weights: shape ", weights.layout.text(), ", expected that of x, ",
         x.layout.text());
  }
  const Input both[2] = {{&x, {}, false}, {&weights, {}, false}};
  common_device(both);
}

}  // namespace

Ref<Array> bincount(const Array& x, const Array* weights, int64_t minlength, Stream* stream) {
  check_counted(x);
  if (minlength < 0) fail(ARR_E_ARGUMENT, "argument minlength: ", minlength, " is negative");
  if (weights != nullptr) check_weights(x, *weights);
  const int64_t n = x.layout.shape[0];
  // As in NumPy, of nothing there are counts, also where there are weights.
  if (n == 0) return zeros(DType::int64_, minlength, x.device(), stream);
  const uint64_t most = largest_unsigned(x, 0, stream);
  if (most >= uint64_t{1} << 63) {
    fail(ARR_E_ARGUMENT, "argument x: ", static_cast<int64_t>(most), " is negative");
  }
  const int64_t bins = std::max(minlength, checked::add(static_cast<int64_t>(most), 1, "argument x"));
  const DType d = weights == nullptr ? DType::int64_ : DType::float64_;
  Ref<Array> counts = zeros(d, bins, x.device(), stream);
  static auto* kept = new KeptPrograms;
  const DType given = weights == nullptr ? DType::none : weights->dtype;
  const auto key = static_cast<uint64_t>(x.dtype) << 8 | static_cast<uint64_t>(given);
  const BoundProgram& map = kept->get(key, [&] {
    ProgramBuilder b;
    const int32_t place = b.cast(b.input(x.dtype), DType::int64_);
    const int32_t value =
        weights == nullptr ? b.scalar(scalar_of(int64_t{1}), false) : b.cast(b.input(given), d);
    const int32_t args[] = {place, b.scalar(scalar_of(int64_t{3}), false)};
    b.output(b.op(op::left_shift, args));  // bytes: 8 each
    b.output(value);
    return b.finish();
  });
  const Array* arrays[2] = {&x, weights};
  add_at(*counts, n, map, {arrays, weights == nullptr ? size_t{1} : size_t{2}}, stream);
  return counts;
}

}  // namespace arr
