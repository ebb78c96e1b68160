// SPDX-License-Identifier: MIT
// Copies between strided memory and contiguous blocks, fills and non-temporal copies, one loop per item size.
#include "host/loops/level.h"
#include "host/loops/vectors.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace arr::host::ARR_LEVEL {

namespace {

struct __attribute__((packed)) Item16 {
  unsigned long long lo, hi;
};

// An item in memory with any alignment: a block of several elements is aligned as an element is.
template <class T>
struct InMemory {
  typedef T Type __attribute__((aligned(1)));
};
template <class T>
using Item = typename InMemory<T>::Type;
template <class T>
const Item<T>* at(const char* p) {
  return reinterpret_cast<const Item<T>*>(p);
}
template <class T>
Item<T>* at(char* p) {
  return reinterpret_cast<Item<T>*>(p);
}

// A line of elements `step` bytes apart. Common steps are constants, so that their loops vectorise.
template <class T, int64_t Step>
void take_fixed(int64_t n, const char* from, Item<T>* to) {
  const Item<T>* x = at<T>(from);
  for (int64_t i = 0; i < n; ++i) to[i] = x[i * Step];
}
template <class T>
void take_line(int64_t n, const char* from, int64_t step, Item<T>* to) {
  constexpr int64_t item = sizeof(T);
  if (step == item) {
    __builtin_memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
  } else if (step == 0) {
    const T value = *at<T>(from);
    for (int64_t i = 0; i < n; ++i) to[i] = value;
  } else if (step == -item) {
    take_fixed<T, -1>(n, from, to);
  } else if (step == 2 * item) {
    take_fixed<T, 2>(n, from, to);
  } else if (step == 3 * item) {
    take_fixed<T, 3>(n, from, to);
  } else if (step == 4 * item) {
    take_fixed<T, 4>(n, from, to);
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = *at<T>(from + i * step);
  }
}
template <class T>
void put_line(int64_t n, const T* from, char* to, int64_t step) {
  constexpr int64_t item = sizeof(T);
  if (step == item) {
    __builtin_memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
  } else if (step == 2 * item) {
    Item<T>* r = at<T>(to);
    for (int64_t i = 0; i < n; ++i) r[2 * i] = from[i];
  } else {
    for (int64_t i = 0; i < n; ++i) *at<T>(to + i * step) = from[i];
  }
}

int64_t size_of_step(int64_t step) { return step < 0 ? -step : step; }

// Columns are contiguous in memory: copies 8 columns at a time, so that a cache line is used while it is in
// the cache.
template <class T>
void gather_across(int64_t rows, int64_t cols, const char* from, int64_t row_stride, int64_t col_stride,
                   T* to) {
  constexpr int64_t block = 8;
  for (int64_t c = 0; c < cols; c += block) {
    const int64_t width = cols - c < block ? cols - c : block;
    const char* base = from + c * col_stride;
    if (width == block) {
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t j = 0; j < block; ++j) {
          to[r * cols + c + j] = *at<T>(base + r * row_stride + j * col_stride);
        }
      }
    } else {
      for (int64_t r = 0; r < rows; ++r) {
        for (int64_t j = 0; j < width; ++j) {
          to[r * cols + c + j] = *at<T>(base + r * row_stride + j * col_stride);
        }
      }
    }
  }
}
template <class T>
void scatter_across(int64_t rows, int64_t cols, const T* from, char* to, int64_t row_stride,
                    int64_t col_stride) {
  constexpr int64_t block = 8;
  for (int64_t c = 0; c < cols; c += block) {
    const int64_t width = cols - c < block ? cols - c : block;
    char* base = to + c * col_stride;
    for (int64_t r = 0; r < rows; ++r) {
      for (int64_t j = 0; j < width; ++j) {
        *at<T>(base + r * row_stride + j * col_stride) = from[r * cols + c + j];
      }
    }
  }
}

// All rows are equal: each copy doubles the part that is written already.
template <class T>
void repeat_line(int64_t rows, int64_t cols, const char* from, int64_t col_stride, T* to) {
  take_line<T>(cols, from, col_stride, to);
  for (int64_t done = 1; done < rows;) {
    const int64_t more = done < rows - done ? done : rows - done;
    __builtin_memcpy(to + done * cols, to, static_cast<size_t>(more * cols) * sizeof(T));
    done += more;
  }
}

// Short rows without gaps: copies of a constant size are a few instructions.
template <class T, int64_t Cols>
void copy_rows(int64_t rows, const char* from, int64_t from_step, char* to, int64_t to_step) {
  for (int64_t i = 0; i < rows; ++i)
    __builtin_memcpy(to + i * to_step, from + i * from_step, Cols * sizeof(T));
}
constexpr int64_t longest_short_row = 8;
template <class T>
void copy_short_rows(int64_t rows, int64_t cols, const char* from, int64_t from_step, char* to,
                     int64_t to_step) {
  static constexpr void (*copies[])(int64_t, const char*, int64_t, char*, int64_t) = {
      copy_rows<T, 2>,
      copy_rows<T, 3>,
      copy_rows<T, 4>,
      copy_rows<T, 5>,
      copy_rows<T, 6>,
      copy_rows<T, 7>,
      copy_rows<T, longest_short_row>};
  copies[cols - 2](rows, from, from_step, to, to_step);
}

// Each row repeats one element.
template <class T>
void repeat_elements(int64_t rows, int64_t cols, const char* from, int64_t row_stride, Item<T>* to) {
  for (int64_t i = 0; i < rows; ++i, to += cols) {
    const T value = *at<T>(from + i * row_stride);
    for (int64_t j = 0; j < cols; ++j) to[j] = value;
  }
}

template <class T>
void gather(int64_t rows, int64_t cols, const char* from, int64_t row_stride, int64_t col_stride, void* to) {
  T* r = static_cast<T*>(to);
  if (cols == 1) {
    take_line<T>(rows, from, row_stride, r);
  } else if (rows > 1 && row_stride == 0) {
    repeat_line<T>(rows, cols, from, col_stride, r);
  } else if (col_stride == 0) {
    repeat_elements<T>(rows, cols, from, row_stride, r);
  } else if (cols <= longest_short_row && col_stride == sizeof(T)) {
    copy_short_rows<T>(rows, cols, from, row_stride, static_cast<char*>(to), cols * col_stride);
  } else if (rows > 1 && size_of_step(row_stride) < size_of_step(col_stride)) {
    gather_across<T>(rows, cols, from, row_stride, col_stride, r);
  } else {
    for (int64_t i = 0; i < rows; ++i) take_line<T>(cols, from + i * row_stride, col_stride, r + i * cols);
  }
}
template <class T>
void scatter(int64_t rows, int64_t cols, const void* from, char* to, int64_t row_stride, int64_t col_stride) {
  const T* x = static_cast<const T*>(from);
  if (cols == 1) {
    put_line<T>(rows, x, to, row_stride);
  } else if (cols <= longest_short_row && col_stride == sizeof(T)) {
    copy_short_rows<T>(rows, cols, static_cast<const char*>(from), cols * col_stride, to, row_stride);
  } else if (rows > 1 && size_of_step(row_stride) < size_of_step(col_stride)) {
    scatter_across<T>(rows, cols, x, to, row_stride, col_stride);
  } else {
    for (int64_t i = 0; i < rows; ++i) put_line<T>(cols, x + i * cols, to + i * row_stride, col_stride);
  }
}
template <class T>
void fill(int64_t n, const void* value, void* out) {
  const T v = *static_cast<const T*>(value);
  T* r = static_cast<T*>(out);
  for (int64_t i = 0; i < n; ++i) r[i] = v;
}

// Prefetch distance in elements, because the processor itself looks less far ahead. Prefetches go to the
// second-level cache, for which a core can have more accesses in flight than for the first.
constexpr int64_t fetched_ahead = 64;
constexpr int for_level2 = 2;

// A line of elements at base + i * step + offsets. Scale: of the offsets, 0 if it is not constant.
template <class T, int64_t Scale>
void gather_at_line(int64_t n, const char* base, int64_t step, const Offsets& o, const int64_t* offsets,
                    Item<T>* to) {
  const int64_t scale = Scale != 0 ? Scale : o.scale;
  int64_t i = 0;
  for (const int64_t fetched = o.near ? 0 : n - fetched_ahead; i < fetched; ++i) {
    __builtin_prefetch(base + (i + fetched_ahead) * step + offsets[i + fetched_ahead] * scale, 0, for_level2);
    to[i] = *at<T>(base + i * step + offsets[i] * scale);
  }
#pragma GCC unroll 8
  for (; i < n; ++i) to[i] = *at<T>(base + i * step + offsets[i] * scale);
}
template <class T>
void gather_at(int64_t rows, int64_t cols, const char* base, int64_t row_stride, int64_t col_stride,
               const Offsets& o, void* out) {
  auto* to = static_cast<Item<T>*>(out);
  if (cols == 1 && rows > 1) {  // a column is a line too
    const Offsets line = {o.at, 0, o.row, o.scale, o.near};
    return gather_at<T>(1, rows, base, 0, row_stride, line, out);
  }
  for (int64_t r = 0; r < rows; ++r, base += row_stride, to += cols) {
    const int64_t* offsets = o.at + r * o.row;
    if (o.col == 0) {
      take_line<T>(cols, base + offsets[0] * o.scale, col_stride, to);
    } else if (col_stride == 0 && o.scale == int64_t{sizeof(T)}) {
      gather_at_line<T, int64_t{sizeof(T)}>(cols, base, 0, o, offsets, to);
    } else if (col_stride == 0 && o.scale == 1) {
      gather_at_line<T, 1>(cols, base, 0, o, offsets, to);
    } else {
      gather_at_line<T, 0>(cols, base, col_stride, o, offsets, to);
    }
  }
}

// Adds the step from vector to vector, because most instruction sets have no 64-bit vector multiplication.
void ramp_line(int64_t n, int64_t first, int64_t step, int64_t* to) {
  constexpr int64_t lanes = lanes_of<unsigned long long>;
  typedef Vector<unsigned long long, lanes> Numbers;
  const auto by = static_cast<unsigned long long>(step);
  unsigned long long number = static_cast<unsigned long long>(first), start[lanes];
  for (int64_t k = 0; k < lanes; ++k) start[k] = number + by * static_cast<unsigned long long>(k);
  // Kept in a register: a vector whose address is taken, or that is indexed by a variable, would be in
  // memory.
  Numbers next = *reinterpret_cast<const Numbers*>(start);
  int64_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    *reinterpret_cast<Numbers*>(to + j) = next;
    next += by * static_cast<unsigned long long>(lanes);
  }
  for (number += by * static_cast<unsigned long long>(j); j < n; ++j, number += by)
    to[j] = static_cast<int64_t>(number);
}
void ramp(int64_t rows, int64_t cols, int64_t first, int64_t row, int64_t col, void* to) {
  auto* r = static_cast<int64_t*>(to);
  for (int64_t i = 0; i < rows; ++i) {
    ramp_line(cols, first, col, r);
    first += row;
    r += cols;
  }
}

// Copies whole cache lines with non-temporal stores, which do not read them first. The caller calls
// fence_nontemporal() before other threads may read the result.
void copy_nontemporal(int64_t bytes, const void* from, void* to) {
#if defined(__SSE2__)
  constexpr int64_t line = 64;
  const char* x = static_cast<const char*>(from);
  char* r = static_cast<char*>(to);
  int64_t head = static_cast<int64_t>((line - (reinterpret_cast<unsigned long long>(r) & 63)) & 63);
  if (head > bytes) head = bytes;
  __builtin_memcpy(r, x, static_cast<size_t>(head));
  int64_t i = head;
  for (; i + line <= bytes; i += line) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(r + i), _mm512_loadu_si512(x + i));
#elif defined(__AVX2__)
    for (int64_t j = 0; j < line; j += 32) {
      _mm256_stream_si256(reinterpret_cast<__m256i*>(r + i + j),
                          _mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i + j)));
    }
#else
    for (int64_t j = 0; j < line; j += 16) {
      _mm_stream_si128(reinterpret_cast<__m128i*>(r + i + j),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i + j)));
    }
#endif
  }
  __builtin_memcpy(r + i, x + i, static_cast<size_t>(bytes - i));
#else
  __builtin_memcpy(to, from, static_cast<size_t>(bytes));
#endif
}

void fence_nontemporal() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

template <class T>
void fill_size(LoopTable& t, int log2) {
  t.gather[log2] = gather<T>;
  t.scatter[log2] = scatter<T>;
  t.fill[log2] = fill<T>;
  t.gather_at[log2] = gather_at<T>;
}

}  // namespace

void fill_copies(LoopTable& t) {
  fill_size<unsigned char>(t, 0);
  fill_size<unsigned short>(t, 1);
  fill_size<unsigned int>(t, 2);
  fill_size<unsigned long long>(t, 3);
  fill_size<Item16>(t, 4);
  t.ramp = ramp;
  t.copy_nontemporal = copy_nontemporal;
  t.fence_nontemporal = fence_nontemporal;
}

}  // namespace arr::host::ARR_LEVEL
