// SPDX-License-Identifier: MIT
// Slices in lexicographic order. A slice is a sequence of 64-bit words whose order as unsigned integers is
// that of the elements in them. Slices are sorted by the first word; then those that are equal to a neighbour
// by the next word, until none is left or the rest are equal in all words.
#include <algorithm>
#include <bit>
#include <vector>

#include "expr/op_numbers.h"
#include "expr/reduction_numbers.h"
#include "ops/indexing/select.h"
#include "ops/indexing/take.h"
#include "ops/reduce/reduce.h"
#include "ops/sorting/segments.h"
#include "ops/sorting/sort.h"
#include "ops/sorting/unique.h"

namespace arr {

namespace {

constexpr DType word_type = DType::uint64_;

DType bits_type(int64_t bytes) {
  return bytes == 1 ? DType::uint8_ : bytes == 2 ? DType::uint16_ : bytes == 4 ? DType::uint32_ : word_type;
}
int32_t word_constant(ProgramBuilder& b, uint64_t x) { return b.scalar({word_type, x, 0}, false); }

// The elements' memory as unsigned integers of their size.
Ref<Array> bits_of(const Array& a) {
  return make<Array>(a.buffer, a.data, bits_type(a.item()), a.layout, a.readonly);
}

// The keys of real numbers in the low `width` bits of a word; nan is the largest. x: the number; bits: its
// bits.
int32_t key_of(ProgramBuilder& b, int32_t x, int32_t bits, int width) {
  const DType d = b.dtype(x);
  const uint64_t sign = uint64_t{1} << (width - 1), ones = sign - 1 + sign;
  const int32_t word = b.cast(bits, word_type);
  if (kind(d) == DKind::INT) return b.op(op::bitwise_xor, word, word_constant(b, sign));
  if (!is_floating(d)) return word;
  const int32_t negative = b.op(op::greater_equal, word, word_constant(b, sign));
  const int32_t key = b.op(op::where, negative, b.op(op::bitwise_xor, word, word_constant(b, ones)),
                           b.op(op::bitwise_or, word, word_constant(b, sign)));
  const int32_t zero = b.op(op::equal, x, number(b, 0));
  return b.op(op::where, b.op(op::isnan, x), word_constant(b, ones),
              b.op(op::where, zero, word_constant(b, sign), key));
}

// The layout of a slice's elements in words, for an element type.
struct Packing {
  explicit Packing(DType d)
      : width(8 * static_cast<int>(item_size(real_type(d)))),
        per_word(is_complex(d) ? 1 : 64 / width),
        words(d == DType::complex128_ ? 2 : 1) {}
  int width;     // bits of a number
  int per_word;  // elements
  int words;     // number of words per element
};

// Appends real numbers to words, whose former bits are shifted to the left.
void write_real(const Array& words, const Array& x, const Packing& packing, bool first, Stream* stream) {
  const Ref<Array> bits = bits_of(x);
  ProgramBuilder b;
  const int32_t element = b.input(x.dtype), same = b.input(bits->dtype);
  int32_t key = key_of(b, element, same, packing.width);
  std::vector<const Array*> arrays = {&x, bits.get()};
  if (!first) {
    const int32_t old =
        b.op(op::left_shift, b.input(word_type), word_constant(b, static_cast<uint64_t>(packing.width)));
    key = b.op(op::bitwise_or, old, key);
    arrays.push_back(&words);
  }
  b.output(key);
  run_into(words, b.finish(), arrays, stream);
}

// The high and the low word of complex numbers: their parts if both are numbers. After these come R + nan i,
// nan + R i and nan + nan i, ordered by the part R that is a number.
struct ComplexKeys {
  ComplexKeys(ProgramBuilder& b, const int32_t* in, int width) {
    const int32_t real = key_of(b, in[0], in[1], width), imag = key_of(b, in[2], in[3], width);
    const int32_t no_real = b.op(op::isnan, in[0]), no_imag = b.op(op::isnan, in[2]);
    const auto where = [&](int32_t c, int32_t x, int32_t y) { return b.op(op::where, c, x, y); };
    // Keys between those of infinity and nan are unused.
    const uint64_t top = (uint64_t{1} << (width - 1)) - 1 + (uint64_t{1} << (width - 1));
    const uint64_t step = uint64_t{1} << (width - 14);
    const int32_t of_imag = word_constant(b, top - 2 * step), of_real = word_constant(b, top - step),
                  of_both = word_constant(b, top);
    high = where(no_real, where(no_imag, of_both, of_real), where(no_imag, of_imag, real));
    low = where(no_imag, where(no_real, word_constant(b, 0), real), imag);
  }
  int32_t high, low;
};

void write_complex(const Array& words, const Array& x, const Packing& packing, Stream* stream) {
  const Ref<Array> real = complex_part(x, 0), imag = complex_part(x, 1);
  const Ref<Array> real_bits = bits_of(*real), imag_bits = bits_of(*imag);
  const Inputs::List arrays = {real.get(), real_bits.get(), imag.get(), imag_bits.get()};
  const std::span<const Array* const> all(arrays.begin(), arrays.size());
  if (packing.words == 1) {
    return run_into(words,
                    program_of(arrays,
                               [&](ProgramBuilder& b, const int32_t* in) {
                                 const ComplexKeys k(b, in, packing.width);
                                 return b.op(op::bitwise_or,
                                             b.op(op::left_shift, k.high, word_constant(b, 32)), k.low);
                               }),
                    all, stream);
  }
  for (int64_t which : {0, 1}) {
    run_into(*strided_slice(words, 0, which, 2),
             program_of(arrays,
                        [&](ProgramBuilder& b, const int32_t* in) {
                          const ComplexKeys k(b, in, packing.width);
                          return which == 0 ? k.high : k.low;
                        }),
             all, stream);
  }
}

// The words of the slices, one row per word position. rows: (slices, elements), with at least one element.
Ref<Array> words_of(const Array& rows, Stream* stream) {
  const Packing packing(rows.dtype);
  const int64_t n = rows.layout.shape[0], elements = rows.layout.shape[1];
  const int64_t shape[2] = {checked::mul(checked::ceil_div(elements, int64_t{packing.per_word}),
                                         packing.words, "the words of slices"),
                            n};
  Ref<Array> words = empty(word_type, shape, Order::C, rows.device(), stream);
  const Ref<Array> columns = move_axis(rows, 1, 0);
  if (is_complex(rows.dtype)) {
    write_complex(*words, *columns, packing, stream);
    return words;
  }
  for (int64_t k = 0; k < std::min<int64_t>(packing.per_word, elements); ++k) {
    const Ref<Array> some = strided_slice(*columns, 0, k, packing.per_word);
    write_real(*slice_axis(*words, 0, 0, some->layout.shape[0]), *some, packing, k == 0, stream);
  }
  return words;
}

// The sorted indices of the slices that are equal to a neighbour so far.
Ref<Array> tied(const Array& starts, Stream* stream) {
  const int64_t n = starts.layout.size();
  const Ref<Array> flags = vector_like(starts, DType::bool_, n, stream);
  const Ref<Array> here = slice_axis(starts, 0, 0, n - 1), next = slice_axis(starts, 0, 1, n);
  const Array* both[] = {here.get(), next.get()};
  run_into(*slice_axis(*flags, 0, 0, n - 1),
           program_of({here.get(), next.get()},
                      [](ProgramBuilder& b, const int32_t* in) {
                        return b.op(op::logical_not, b.op(op::logical_and, in[0], in[1]));
                      }),
           both, stream);
  const Ref<Array> last = slice_axis(starts, 0, n - 1, n);
  const Array* one[] = {last.get()};
  run_into(*slice_axis(*flags, 0, n - 1, n),
           program_of({last.get()},
                      [](ProgramBuilder& b, const int32_t* in) { return b.op(op::logical_not, in[0]); }),
           one, stream);
  return flatnonzero(*flags, stream);
}

// True if within each segment all slices have the same words. segments: the segment number of each slice, in
// ascending order.
bool equal_throughout(const Array& words, const Array& slices, const Array& segments, Stream* stream) {
  const Ref<Array> starts = segment_heads(segments, false, stream);
  const Ref<Array> begin = flatnonzero(*starts, stream), from_1 = segment_ids(*starts, stream);
  const Ref<Array> from_0 = compute({from_1.get()}, stream, [](ProgramBuilder& b, const int32_t* in) {
    return b.op(op::subtract, in[0], b.scalar(scalar_of(int64_t{1}), false));
  });
  const Ref<Array> first = take_known(slices, *take_known(*begin, *from_0, 0, stream), 0, stream);
  const Ref<Array> x = take_known(words, slices, 1, stream), y = take_known(words, *first, 1, stream);
  const Ref<Array> differ = apply(op::not_equal, {x.get(), y.get()}, stream);
  return reduce_item(*reduction_info(reduction::any), *differ, stream).lo == 0;
}

// Sorts neighbouring slices that are equal so far by one more word.
void refine(SortedRows* rows, const Array& indices, const Array& slices, const Array& segments,
            const Array& word, Stream* stream) {
  const Ref<Array> keys = take_known(word, slices, 0, stream);
  const Ref<Array> by_key = argsort(*keys, 0, false, stream);
  const Ref<Array> by_segment = argsort(*take_known(segments, *by_key, 0, stream), 0, false, stream);
  const Ref<Array> order = take_known(*by_key, *by_segment, 0, stream);
  scatter_unique(*rows->indices, indices, *take_known(slices, *order, 0, stream), stream);
  const Ref<Array> of_segment = segment_heads(*take_known(segments, *order, 0, stream), false, stream);
  const Ref<Array> of_key = segment_heads(*take_known(*keys, *order, 0, stream), false, stream);
  scatter_unique(*rows->starts, indices, *apply(op::logical_or, {of_segment.get(), of_key.get()}, stream),
                 stream);
}

SortedRows sort_words(const Array& words, Stream* stream) {
  const int64_t count = words.layout.shape[0];
  const SortedVector first = sort_vector(*index_axis(words, 0, 0), true, stream);
  SortedRows rows{first.indices, segment_heads(*first.elements, false, stream)};
  for (int64_t k = 1; k < count && words.layout.shape[1] > 1; ++k) {
    const Ref<Array> indices = tied(*rows.starts, stream);
    if (indices->layout.size() == 0) break;
    const Ref<Array> slices = take_known(*rows.indices, *indices, 0, stream);
    const Ref<Array> segments = take_known(*segment_ids(*rows.starts, stream), *indices, 0, stream);
    if (std::has_single_bit(static_cast<uint64_t>(k)) &&
        equal_throughout(*slice_axis(words, 0, k, count), *slices, *segments, stream)) {
      break;
    }
    refine(&rows, *indices, *slices, *segments, *index_axis(words, 0, k), stream);
  }
  return rows;
}

// Sets starts to true where the slice has a nan.
void separate_nans(const Array& slices, SortedRows* rows, Stream* stream) {
  const Ref<Array> nan = apply(op::isnan, {&slices}, stream);
  const Ref<Array> any = reduce(*reduction_info(reduction::any), *nan, 2, false, {}, stream);
  const Ref<Array> here = take_known(*any, *rows->indices, 0, stream);
  rows->starts = apply(op::logical_or, {rows->starts.get(), here.get()}, stream);
}

}  // namespace

SortedRows sort_slices(const Array& a, Stream* stream) {
  const int64_t n = a.layout.shape[0];
  int64_t elements = 1;
  for (int32_t d = 1; d < a.layout.ndim; ++d) elements *= a.layout.shape[d];
  if (n == 0 || elements == 0) {  // all words are equal
    const Ref<Array> same = full(word_type, {&n, 1}, Order::C, {word_type, 0, 0}, a.device(), stream);
    const SortedVector s = sort_vector(*same, true, stream);
    return {s.indices, segment_heads(*s.elements, false, stream)};
  }
  const int64_t shape[2] = {n, elements};
  const Ref<Array> slices = reshape(a, shape, Order::C, stream);
  SortedRows rows = sort_words(*words_of(*slices, stream), stream);
  if (!is_integer_or_bool(a.dtype)) separate_nans(*slices, &rows, stream);
  return rows;
}

}  // namespace arr
