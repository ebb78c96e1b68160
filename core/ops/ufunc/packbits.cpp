// SPDX-License-Identifier: MIT
// Packing is a reduction of groups of eight by `or`, unpacking an element-wise program. Both view the axis as
// two: bytes, and bits in a byte. The rest of an incomplete byte takes a separate call. If eight numbers are
// one aligned word in memory, both are element-wise programs of words.
#include "ops/ufunc/packbits.h"

#include <algorithm>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/elementwise/array_ops.h"
#include "ops/reduce/reduce.h"
#include "ops/reduce/scan.h"

namespace arr {

namespace {

constexpr int64_t bits_of_byte = 8;

// The view of the axis as `bytes` groups of `each` elements; the new axis follows it.
Ref<Array> grouped(const Array& a, int32_t axis, int64_t bytes, int64_t each) {
  Layout l;
  l.ndim = a.layout.ndim + 1;
  for (int32_t i = 0; i < l.ndim; ++i) {
    const int32_t from = i <= axis ? i : i - 1;
    l.shape[i] = i == axis ? bytes : i == axis + 1 ? each : a.layout.shape[from];
    l.strides[i] = i == axis ? checked::mul(each, a.layout.strides[axis], "argument a: its strides")
                             : a.layout.strides[from];
  }
  return a.view(l);
}

// The position of bit 0, 1 ... of the axis in its byte, as uint8.
int32_t bit_shift(ProgramBuilder& b, int32_t index, BitOrder order) {
  const int32_t at = b.cast(index, DType::uint8_);
  if (order == BitOrder::little) return at;
  return b.op(op::subtract, b.scalar(scalar_of(bits_of_byte - 1), true), at);
}

// The bits' numbers 0 .. each-1 as an operand of a grouped array.
Ref<Array> bit_numbers(const Array& a, int32_t axis, int64_t each, Stream* stream) {
  const Ref<Array> numbers = iota(each, a.device(), stream);
  return broadcastable_vector(*slice_axis(*numbers, 0, 0, each), a.layout.ndim + 1, axis + 1);
}

BoundProgram packing(DType in, BitOrder order) {
  ProgramBuilder b;
  const int32_t x = b.input(in), index = b.input(DType::int64_);
  const int32_t bit = b.cast(b.cast(x, DType::bool_), DType::uint8_);
  b.output(b.op(op::left_shift, bit, bit_shift(b, index, order)));
  return b.finish();
}

BoundProgram unpacking(BitOrder order) {
  ProgramBuilder b;
  const int32_t x = b.input(DType::uint8_), index = b.input(DType::int64_);
  const int32_t shifted = b.op(op::right_shift, x, bit_shift(b, index, order));
  b.output(b.op(op::bitwise_and, shifted, b.scalar(scalar_of(int64_t{1}), true)));
  return b.finish();
}

void pack(const Array& dst, const Array& a, int32_t axis, int64_t each, const BoundProgram& map,
          Stream* stream) {
  if (dst.layout.size() == 0) return;
  const ReductionInfo& r = *reduction_info(reduction::bitwise_or_reduce);
  const Ref<Array> x = grouped(a, axis, dst.layout.shape[axis], each);
  const Ref<Array> index = bit_numbers(a, axis, each, stream);
  const Inputs inputs(map, {x.get(), index.get()});
  map_reduce_into(dst, r, resolve(r, DType::uint8_), *map.program, inputs.all(), 1U << (axis + 1), false,
                  stream);
}

void unpack(const Array& dst, const Array& a, int32_t axis, int64_t each, const BoundProgram& p,
            Stream* stream) {
  if (dst.layout.size() == 0) return;
  const Ref<Array> to = grouped(dst, axis, a.layout.shape[axis], each);
  const Ref<Array> x = grouped(a, axis, a.layout.shape[axis], 1);
  const Ref<Array> index = bit_numbers(a, axis, each, stream);
  const Array* inputs[] = {x.get(), index.get()};
  run_into(*to, p, inputs, stream);
}

constexpr uint64_t each_byte = 0x0101010101010101;
// Byte i has bit 7 - i, or bit i.
constexpr uint64_t falling = 0x0102040810204080, rising = 0x8040201008040201;

int32_t word(ProgramBuilder& b, int32_t op, int32_t x, uint64_t value) {
  return b.op(op, x, b.scalar(scalar_bits(DType::uint64_, value), false));
}

// 1 in each byte that is not 0.
int32_t normalized_bools(ProgramBuilder& b, int32_t x) {
  const int32_t low = word(b, op::add, word(b, op::bitwise_and, x, each_byte * 0x7f), each_byte * 0x7f);
  return word(b, op::bitwise_and, word(b, op::right_shift, b.op(op::bitwise_or, low, x), 7), each_byte);
}

// A product moves the bit of each byte to its position in the highest byte; no two other products overlap, so
// there is no carry.
BoundProgram packing_words(BitOrder order) {
  ProgramBuilder b;
  const int32_t x = normalized_bools(b, b.input(DType::uint64_));
  const int32_t moved = word(b, op::multiply, x, order == BitOrder::big ? rising : falling);
  b.output(b.cast(word(b, op::right_shift, moved, 56), DType::uint8_));
  return b.finish();
}

// Copies the byte into every byte of the word, and keeps in each byte its own bit.
BoundProgram unpacking_words(BitOrder order) {
  ProgramBuilder b;
  const int32_t x = b.cast(b.input(DType::uint8_), DType::uint64_);
  const int32_t copies = word(b, op::multiply, x, each_byte);
  b.output(normalized_bools(b, word(b, op::bitwise_and, copies, order == BitOrder::big ? falling : rising)));
  return b.finish();
}

// Built separately: if memory runs out within an initializer list, GCC 12 destroys some elements twice.
template <BitOrder order>
const BoundProgram& for_words(bool pack) {
  // Never destroyed: functions of atexit() may use them.
  static const auto* packs = new BoundProgram(packing_words(order));
  static const auto* unpacks = new BoundProgram(unpacking_words(order));
  return pack ? *packs : *unpacks;
}
const BoundProgram& for_words(bool pack, BitOrder order) {
  return order == BitOrder::big ? for_words<BitOrder::big>(pack) : for_words<BitOrder::little>(pack);
}

// The first elements along the axis as words of eight, a view; nullptr if the memory layout does not allow
// it.
Ref<Array> words_of(const Array& a, int32_t axis, int64_t words) {
  if (a.item() != 1 || a.layout.strides[axis] != 1) return {};
  if (reinterpret_cast<uintptr_t>(a.data) % sizeof(uint64_t) != 0) return {};
  Layout l = a.layout;
  l.shape[axis] = words;
  l.strides[axis] = sizeof(uint64_t);
  for (int32_t i = 0; i < l.ndim; ++i) {
    if (l.strides[i] % static_cast<int64_t>(sizeof(uint64_t)) != 0 && l.shape[i] > 1) return {};
  }
  return make<Array>(a.buffer, a.data, DType::uint64_, l, a.readonly);
}

// Packs the elements of x into whole bytes of dst, or unpacks the bytes of x.
bool by_words(const Array& dst, const Array& x, int32_t axis, bool pack, BitOrder order, Stream* stream) {
  const Array& numbers = pack ? x : dst;
  const Ref<Array> words = words_of(numbers, axis, (pack ? dst : x).layout.shape[axis]);
  if (words.get() == nullptr) return false;
  const Array* in = pack ? words.get() : &x;
  if (words->layout.size() != 0) run_into(pack ? dst : *words, for_words(pack, order), {&in, 1}, stream);
  return true;
}

// The array and the axis to work along; without an axis all elements in row-major order.
Ref<Array> source_of(const Array& a, int32_t* axis, Stream* stream) {
  if (*axis == axis_none) {
    *axis = 0;
    return ravel(a, stream);
  }
  *axis = normalize_axis(a.layout.ndim, *axis);
  if (a.layout.ndim == max_ndim) {
    fail(ARR_E_SHAPE, "argument a: ", a.layout.ndim, " dimensions, at most ", max_ndim - 1, " here");
  }
  return a.share();
}

Ref<Array> result_of(const Array& a, int32_t axis, int64_t extent, Stream* stream) {
  Layout shape = a.layout;
  shape.shape[axis] = extent;
  return create(DType::uint8_, layout_like(shape, 1, Order::K), a.device(), stream);
}

}  // namespace

Ref<Array> packbits(const Array& a, int32_t axis, BitOrder order, Stream* stream) {
  if (is_floating(a.dtype) || is_complex(a.dtype)) {
    fail(ARR_E_DTYPE, "argument a: ", name(a.dtype), ", expected integers or bool");
  }
  const Ref<Array> x = source_of(a, &axis, stream);
  const int64_t n = x->layout.shape[axis], whole = n / bits_of_byte, rest = n % bits_of_byte;
  Ref<Array> out = result_of(*x, axis, whole + (rest != 0 ? 1 : 0), stream);
  const Ref<Array> first = slice_axis(*out, axis, 0, whole);
  const bool done = by_words(*first, *x, axis, true, order, stream);
  if (done && rest == 0) return out;
  const BoundProgram map = packing(x->dtype, order);
  if (!done) pack(*first, *x, axis, bits_of_byte, map, stream);
  if (rest != 0) {
    pack(*slice_axis(*out, axis, whole, whole + 1), *slice_axis(*x, axis, n - rest, n), axis, rest, map,
         stream);
  }
  return out;
}

Ref<Array> unpackbits(const Array& a, int32_t axis, std::optional<int64_t> count, BitOrder order,
                      Stream* stream) {
  if (a.dtype != DType::uint8_) fail(ARR_E_DTYPE, "argument a: ", name(a.dtype), ", expected uint8");
  const Ref<Array> x = source_of(a, &axis, stream);
  const int64_t bytes = x->layout.shape[axis];
  const int64_t all = checked::mul(bytes, bits_of_byte, "argument a: the result's extent");
  int64_t extent = count.value_or(all);
  if (extent < -all) {
    fail(ARR_E_ARGUMENT, "argument count: ", extent, ", expected ", -all, " or more");
  }
  if (extent < 0) extent += all;
  Ref<Array> out = result_of(*x, axis, extent, stream);
  const int64_t have = std::min(extent, all), whole = have / bits_of_byte, rest = have % bits_of_byte;
  const Ref<Array> first = slice_axis(*out, axis, 0, have - rest), bytes_of = slice_axis(*x, axis, 0, whole);
  const bool done = by_words(*first, *bytes_of, axis, false, order, stream);
  if (done && rest == 0 && extent == have) return out;
  const BoundProgram p = unpacking(order);
  if (!done) unpack(*first, *bytes_of, axis, bits_of_byte, p, stream);
  if (rest != 0) {
    unpack(*slice_axis(*out, axis, have - rest, have), *slice_axis(*x, axis, whole, whole + 1), axis, rest, p,
           stream);
  }
  if (extent > have)
    fill(*slice_axis(*out, axis, have, extent), convert(scalar_of(int64_t{0}), DType::uint8_), stream);
  return out;
}

}  // namespace arr
