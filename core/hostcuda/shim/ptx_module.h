// SPDX-License-Identifier: MIT
// Parameters and variables of modules of PTX as bytes, and the functions
// of the device's runtime that compiled CUDA C++ calls. Embedded behind ptx_float.h.

// A null pointer that no compiler sees through: a number added to it is an address of which loops over
// threads know that it advances by a fixed step, as they do not of a number that is cast.
extern "C" __attribute__((visibility("hidden"))) char* const arr_ptx_origin;
asm(".section .rodata\n.p2align 3\n.globl arr_ptx_origin\n.hidden arr_ptx_origin\narr_ptx_origin: .quad "
    "0\n.previous");

namespace arr_ptx {

// Memory that a function takes for itself (alloca), until it returns.
class stack {
 public:
  stack() = default;
  stack(const stack&) = delete;
  ~stack() { restore(0); }
  ARR_MEMBER unsigned long long take(unsigned long long bytes, unsigned align, ARR_LINE) {
    auto* piece = (before*)malloc((arr_size_t)(sizeof(before) + bytes + align + 2 * margin));
    if (piece == nullptr) arr_fail("no memory for alloca", line);
    piece->one = newest_;
    piece->address = ((unsigned long long)(piece + 1) + margin + align - 1) / align * align;
    newest_ = piece;
    note(piece, bytes, arr_host::access_taken);
    return piece->address;
  }
  ARR_MEMBER unsigned long long mark() const { return (unsigned long long)newest_; }
  ARR_MEMBER void restore(unsigned long long mark) {
    while (newest_ != nullptr && (unsigned long long)newest_ != mark) {
      before* piece = newest_;
      newest_ = piece->one;
      note(piece, 0, arr_host::access_given_back);
      free(piece);
    }
  }

 private:
  struct before {
    before* one;
    unsigned long long address;
  };
#ifdef ARR_CHECKED
  static constexpr unsigned margin = arr_host::access_margin;
  static ARR_MEMBER void note(const before* piece, unsigned long long bytes, int kind) {
    arr_runtime->access(arr_worker, (const void*)piece->address, bytes, kind, nullptr);
  }
#else
  static constexpr unsigned margin = 0;
  static ARR_MEMBER void note(const before*, unsigned long long, int) {}
#endif
  before* newest_ = nullptr;
};

ARR_INLINE char* at(unsigned long long address) { return arr_ptx_origin + address; }

// A parameter or a variable of which only the size is known.
template <unsigned long long N>
struct bytes {
  unsigned char b[N];
};
template <unsigned long long N>
struct words {
  unsigned long long w[N];
};

// The next value behind `at`, which lies at a multiple of its size.
template <class T>
ARR_INLINE T next_value(const char*& at, const char* begin) {
  at = begin + ((at - begin + sizeof(T) - 1) & ~(sizeof(T) - 1));
  T value;
  __builtin_memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}
// printf: the values lie behind each other, floats as double.
__attribute__((noinline)) static int print(const char* format, const char* values) {
  int written = 0;
  const char* at = values;
  while (*format) {
    char one[64];
    unsigned n = 0, longs = 0;
    if (*format != '%') {
      const char* end = format;
      while (*end && *end != '%') end++;
      written += printf("%.*s", int(end - format), format);
      format = end;
      continue;
    }
    int stars[2] = {0, 0}, n_stars = 0;
    do {
      if (*format == '*' && n_stars < 2) stars[n_stars++] = next_value<int>(at, values);
      if (*format == 'l') longs++;
      if (n < sizeof one - 2) one[n++] = *format;
      format++;
    } while (*format && __builtin_strchr("-+ #0123456789.*lhzjt", *format));
    const char kind = *format;
    if (kind == 0) break;
    format++;
    one[n++] = kind;
    one[n] = 0;
    const auto say = [&](auto value) {
      return n_stars == 2   ? printf(one, stars[0], stars[1], value)
             : n_stars == 1 ? printf(one, stars[0], value)
                            : printf(one, value);
    };
    if (kind == '%')
      written += printf("%%");
    else if (__builtin_strchr("eEfFgGaA", kind))
      written += say(next_value<double>(at, values));
    else if (kind == 's' || kind == 'p')
      written += say(next_value<const char*>(at, values));
    else if (longs != 0 || __builtin_strchr(one, 'z') || __builtin_strchr(one, 'j') ||
             __builtin_strchr(one, 't'))
      written += say(next_value<long long>(at, values));
    else
      written += say(next_value<int>(at, values));
  }
  return written;
}
__attribute__((noinline)) static const char* assertion(const char* condition) {
  static thread_local char said[256];
  unsigned n = 0;
  const auto add = [&](const char* s) {
    while (*s && n < sizeof said - 9) said[n++] = *s++;
  };
  add("assertion '");
  add(condition);
  for (const char* s = "' failed"; *s; s++) said[n++] = *s;
  said[n] = 0;
  return said;
}
}  // namespace arr_ptx
