// SPDX-License-Identifier: MIT
// Helpers of transforms: frequencies, their order, fast lengths.
#include <algorithm>

#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/fft/fft.h"

namespace arr {

Ref<Array> fftfreq(int64_t n, double d, bool half, DType dtype, Device device, Stream* stream) {
  if (n < 1) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 1 or more");
  if (dtype == DType::none) dtype = DType::float64_;
  if (!is_floating(dtype)) fail(ARR_E_DTYPE, "argument dtype: ", name(dtype), ", expected a float");
  const double step = 1 / (static_cast<double>(n) * d);
  const int64_t count = half ? n / 2 + 1 : n, positive = half ? count : (n - 1) / 2 + 1;
  const Ref<Array> k = index_vector(count, device, stream);
  Ref<Array> out = empty(dtype, {&count, 1}, Order::C, device, stream);
  auto set_range = [&](int64_t from, int64_t to, double minus) {
    if (to <= from) return;
    const Ref<Array> numbers = slice_axis(*k, 0, from, to);
    const BoundProgram p = program_of({numbers.get()}, [&](ProgramBuilder& b, const int32_t* x) {
      const int32_t index =
          b.op(op::subtract, b.cast(x[0], DType::float64_), b.scalar(scalar_of(minus), true));
      return b.cast(b.op(op::multiply, index, b.scalar(scalar_of(step), true)), dtype);
    });
    const Array* in[] = {numbers.get()};
    run_into(*slice_axis(*out, 0, from, to), p, in, stream);
  };
  set_range(0, positive, 0);
  set_range(positive, count, static_cast<double>(n));
  return out;
}

namespace {

// Copies the block of `from` to its position in `to`, split in two along each axis from d on.
void shift_blocks(const Array& from, const Array& to, uint32_t axes, bool inverse, int32_t d,
                  Stream* stream) {
  while (d < from.layout.ndim && ((axes >> d & 1) == 0 || from.layout.shape[d] < 2)) ++d;
  if (d == from.layout.ndim) return assign(to, from, stream);
  const int64_t n = from.layout.shape[d],
                by = inverse ? n - n / 2 : n / 2;  // element i goes to i + by, mod n
  shift_blocks(*slice_axis(from, d, 0, n - by), *slice_axis(to, d, by, n), axes & ~(1U << d), inverse, d + 1,
               stream);
  shift_blocks(*slice_axis(from, d, n - by, n), *slice_axis(to, d, 0, by), axes & ~(1U << d), inverse, d + 1,
               stream);
}

}  // namespace

Ref<Array> fftshift(const Array& a, uint32_t axes, bool inverse, Stream* stream) {
  Ref<Array> out = empty_like(a, a.dtype, Order::K, stream);
  if (a.layout.size() != 0) shift_blocks(a, *out, axes, inverse, 0, stream);
  return out;
}

int64_t next_fast_len(int64_t n, bool real) {
  if (n < 1) fail(ARR_E_ARGUMENT, "argument n: ", n, ", expected 1 or more");
  constexpr int64_t primes[] = {11, 7, 5, 3};
  int64_t power = 1;  // a power of 2, not below n
  while (power < n) power = checked::mul(power, 2, "the length");
  int64_t best = power;
  // For each product of odd primes below the best so far, the smallest power of 2 that reaches n.
  auto search = [&](auto&& self, size_t first, int64_t product) -> void {
    int64_t length = product;
    while (length < n) length *= 2;
    best = std::min(best, length);
    for (size_t i = first; i < 4; ++i) {
      if (product <= best / primes[i]) self(self, i, product * primes[i]);
    }
  };
  search(search, real ? 2 : 0, 1);
  return best;
}

}  // namespace arr
