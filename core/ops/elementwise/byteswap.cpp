// SPDX-License-Identifier: MIT
// Reverses the bytes of numbers by programs of shifts over the same memory as unsigned integers.
#include "array/memory_views.h"
#include "expr/op_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/elementwise/destination.h"

namespace arr {

namespace {

DType unsigned_of(int64_t bytes) {
  return bytes == 1   ? DType::uint8_
         : bytes == 2 ? DType::uint16_
         : bytes == 4 ? DType::uint32_
                      : DType::uint64_;
}

// Swaps the halves, then the halves of these, down to bytes.
BoundProgram swapping(DType d) {
  ProgramBuilder b;
  int32_t x = b.input(d);
  const auto constant = [&](uint64_t n) {
    return b.scalar(convert(scalar_bits(DType::uint64_, n), d), false);
  };
  const int64_t bits = item_size(d) * 8;
  for (int64_t half = bits / 2; half >= 8; half /= 2) {
    const int32_t by = constant(static_cast<uint64_t>(half));
    int32_t low = x, high = b.op(op::right_shift, x, by);
    if (half < bits / 2) {
      uint64_t mask = (uint64_t{1} << half) - 1;
      for (int64_t at = 2 * half; at < bits; at *= 2) mask |= mask << at;
      low = b.op(op::bitwise_and, low, constant(mask));
      high = b.op(op::bitwise_and, high, constant(mask));
    }
    x = b.op(op::bitwise_or, b.op(op::left_shift, low, by), high);
  }
  b.output(x);
  return b.finish();
}

void swap_numbers(const Array& dst, const Array& a, Stream* stream) {
  const DType d = unsigned_of(a.item());
  if (a.item() == 1) return assign(dst, a, stream);
  const Ref<Array> to = view_as(dst, d), from = view_as(a, d);
  run_into(*to, swapping(d), {{from.get()}}, stream);
}

}  // namespace

void byteswap_into(const Array& dst, const Array& a, Stream* stream) {
  if (dst.dtype != a.dtype)
    fail(ARR_E_DTYPE, "argument dst: ", name(dst.dtype), ", expected ", name(a.dtype), " as a has");
  check_destination(dst, a.layout);
  if (!is_complex(a.dtype)) return swap_numbers(dst, a, stream);
  // Writing one part could overwrite the other before it is read.
  const bool apart = same_window(dst, a) || !may_share_memory(dst, a);
  const Ref<Array> from = apart ? a.share() : copy(a, Order::K, stream);
  for (int32_t part = 0; part < 2; ++part) {
    swap_numbers(*complex_part(dst, part), *complex_part(*from, part), stream);
  }
}

Ref<Array> byteswap(const Array& a, Stream* stream) {
  Ref<Array> out = empty_like(a, a.dtype, Order::K, stream);
  byteswap_into(*out, a, stream);
  return out;
}

}  // namespace arr
