// SPDX-License-Identifier: MIT
// Turns a kernel into the functions the runtime calls. The macros at the end are used after the kernel
// source, which may have macros of any name: so they expand to names of the project only.

#ifdef ARR_NAMESPACE_DYNAMIC
extern "C" {
__attribute__((visibility("hidden"), aligned(128),
               ARR_KEEP)) __thread char arr_dynamic_storage[ARR_NAMESPACE_DYNAMIC];
}
#define ARR_DYNAMIC_OF(range) arr_dynamic_storage
#else
#define ARR_DYNAMIC_OF(range) range->dynamic_shared
#endif
#ifdef ARR_ALLOCATES
// Hidden in the image, so that it needs no C++ runtime library.
void* operator new(arr_size_t n) { return malloc(n); }
void* operator new[](arr_size_t n) { return malloc(n); }
void operator delete(void* p) noexcept(true) { free(p); }
void operator delete[](void* p) noexcept(true) { free(p); }
void operator delete(void* p, arr_size_t) noexcept(true) { free(p); }
void operator delete[](void* p, arr_size_t) noexcept(true) { free(p); }
#endif

template <unsigned... I>
struct arr_sequence {};
template <unsigned N, unsigned... I>
struct arr_count : arr_count<N - 1, N - 1, I...> {};
template <unsigned... I>
struct arr_count<0, I...> {
  typedef arr_sequence<I...> type;
};

// The number that the library has for a scalar type; 0: none.
template <class T>
constexpr unsigned arr_dtype = 0;
template <class T>
constexpr unsigned arr_dtype<const T> = arr_dtype<T>;
template <class T>
constexpr unsigned arr_dtype<volatile T> = arr_dtype<T>;
template <class T>
constexpr unsigned arr_integer = sizeof(T) == 1   ? 2
                                 : sizeof(T) == 2 ? 3
                                 : sizeof(T) == 4 ? 4
                                                  : 5;
#define ARR_DTYPE(type, number) \
  template <>                   \
  constexpr unsigned arr_dtype<type> = number;
ARR_DTYPE(bool, 1)
ARR_DTYPE(char, 2)
ARR_DTYPE(signed char, 2)
ARR_DTYPE(short, 3)
ARR_DTYPE(int, 4)
ARR_DTYPE(long, arr_integer<long>)
ARR_DTYPE(long long, 5)
ARR_DTYPE(unsigned char, 6)
ARR_DTYPE(unsigned short, 7)
ARR_DTYPE(unsigned, 8)
ARR_DTYPE(unsigned long, arr_integer<long> + 4)
ARR_DTYPE(unsigned long long, 9)
ARR_DTYPE(float, 11)
ARR_DTYPE(double, 12)
#undef ARR_DTYPE
template <class T>
constexpr unsigned arr_type = arr_dtype<T>;
template <class T>
constexpr unsigned arr_type<T*> = arr_dtype<T> | arr_host::arg_pointer;
template <class T>
constexpr unsigned arr_type<const T*> = arr_dtype<T> | arr_host::arg_pointer | arr_host::arg_readonly;

template <class T>
constexpr unsigned arr_plain = arr_dtype<T> != 0;
template <class T, arr_size_t N>
constexpr unsigned arr_plain<T[N]> = arr_plain<T>;

template <auto K, class F>
struct arr_kernel {
  static_assert(sizeof(F) == 0, "not a __global__ function that returns void");
};
template <auto K, class... A>
struct arr_kernel<K, void (*)(A...)> {
  typedef typename arr_count<sizeof...(A)>::type arr_indices;
  static constexpr unsigned arr_count_args = sizeof...(A), arr_bytes[sizeof...(A) + 1] = {sizeof(A)..., 0},
                            arr_types[sizeof...(A) + 1] = {arr_type<A>..., 0};

  template <unsigned... I>
  static inline __attribute__((always_inline)) void arr_loop(const arr_host::Range* r, arr_sequence<I...>) {
    loop_over(r, *(A*)r->args[I]...);
  }
#ifdef ARR_FISSION
  // The pass makes loops of it; the order of its parameters is known there (and `used` keeps it).
  static __attribute__((noinline, used)) void arr_fission_kernel(unsigned, unsigned, unsigned, unsigned,
                                                                 unsigned, unsigned, unsigned, unsigned,
                                                                 unsigned, void* __restrict,
                                                                 arr_host::Worker*, unsigned, A... args) {
#ifndef ARR_WIDE_GRID
    arr_fission_narrow();
#endif
    K(args...);
  }
  static inline __attribute__((always_inline)) void loop_over(const arr_host::Range* r, A... args) {
    const arr_host::Dim n = r->block, g = r->grid;
    unsigned x = unsigned(r->first % g.x), y = unsigned(r->first / g.x % g.y),
             z = unsigned(r->first / g.x / g.y);
    const unsigned max_run = arr_run_threads() / (n.x * n.y * n.z);  // blocks, in a row, that run as one
    unsigned run = 1;
    for (unsigned long long b = r->first; b < r->last; b += run) {
      run = max_run < 1 ? 1 : max_run < g.x - x ? max_run : g.x - x;
      if (run > r->last - b) run = unsigned(r->last - b);
      arr_fission_kernel(x, y, z, n.x, n.y, n.z, g.x, g.y, g.z, ARR_DYNAMIC_OF(r), r->worker, n.x * run,
                         args...);
      if ((x += run) == g.x) {
        x = 0;
        if (++y == g.y) y = 0, z++;
      }
    }
  }
#else
  static inline __attribute__((always_inline)) void loop_over(const arr_host::Range* r, A... args) {
    const unsigned bx = r->block.x, by = r->block.y, bz = r->block.z, gx = r->grid.x, gy = r->grid.y;
    if (bx == 0 || bx > 1024 || by > 1024 || bz > 64) __builtin_unreachable();  // checked at launch
    // Stored here, so that the kernel's loads are forwarded to bx, by, ...
    blockDim = {bx, by, bz};
    gridDim = {gx, gy, r->grid.z};
    arr_dynamic = ARR_DYNAMIC_OF(r);
    arr_worker = r->worker;
    unsigned x = unsigned(r->first % gx), y = unsigned(r->first / gx % gy), z = unsigned(r->first / gx / gy);
    for (unsigned long long b = r->first; b < r->last; b++) {
      blockIdx = {x, y, z};
#ifndef ARR_WIDE_GRID
      // (int)(blockIdx.x * blockDim.x + threadIdx.x) is affine only without wrap-around, and only then does
      // the loop vectorise. Launches beyond this use an image built with ARR_WIDE_GRID.
      if (x * bx > 0x7fffffffu - 1024u || y * by > 0x7fffffffu - 1024u) __builtin_unreachable();
#endif
      for (unsigned tz = 0; tz < bz; tz++)
        for (unsigned ty = 0; ty < by; ty++) {
          threadIdx.y = ty;
          threadIdx.z = tz;
#ifdef __clang__
          _Pragma("clang loop vectorize(assume_safety) interleave(enable)")
#else
          _Pragma("GCC ivdep")
#endif
              for (unsigned tx = 0; tx < bx; tx++) {
            threadIdx.x = tx;
            K(args...);
          }
        }
      if (++x == gx) {
        x = 0;
        if (++y == gy) y = 0, z++;
      }
    }
  }
  template <unsigned... I>
  static inline __attribute__((always_inline)) void arr_body(void* const* args, unsigned t,
                                                             arr_sequence<I...>) {
    const unsigned bx = blockDim.x, by = blockDim.y;
    threadIdx = {t % bx, t / bx % by, t / (bx * by)};
    K(*(A*)args[I]...);
  }
  static inline __attribute__((always_inline)) void arr_fiber(const arr_host::Range* r, arr_host::Body run) {
    const unsigned gx = r->grid.x, gy = r->grid.y, n = r->block.x * r->block.y * r->block.z;
    blockDim = {r->block.x, r->block.y, r->block.z};
    gridDim = {gx, gy, r->grid.z};
    arr_dynamic = ARR_DYNAMIC_OF(r);
    arr_worker = r->worker;
    for (unsigned long long b = r->first; b < r->last; b++) {
      blockIdx = {unsigned(b % gx), unsigned(b / gx % gy), unsigned(b / gx / gy)};
      if (!arr_runtime->run_block(r->worker, n, run, r->args, {blockIdx.x, blockIdx.y, blockIdx.z})) return;
    }
  }
#endif
};

// clang-format off
#define ARR_KERNEL(...) arr_kernel<(__VA_ARGS__), decltype(__VA_ARGS__)>
#ifdef ARR_FISSION
#define ARR_REFUSAL(i) ARR_EXPORT const char* arr_refusal_##i = nullptr;  // set by the pass
#define ARR_REFUSAL_OF(i) &arr_refusal_##i
#else
#define ARR_REFUSAL(i)
#define ARR_REFUSAL_OF(i) nullptr
#endif
#define ARR_LOOP(i, ...)                                                                     \
  ARR_REFUSAL(i)                                                                             \
  ARR_EXPORT void arr_loop_##i(const arr_host::Range* arr_range) {                           \
    ARR_KERNEL(__VA_ARGS__)::arr_loop(arr_range, ARR_KERNEL(__VA_ARGS__)::arr_indices());     \
  }
#define ARR_FIBER(i, ...)                                                                    \
  ARR_EXPORT void arr_body_##i(void* const* arr_args, unsigned arr_thread) {                 \
    ARR_KERNEL(__VA_ARGS__)::arr_body(arr_args, arr_thread, ARR_KERNEL(__VA_ARGS__)::arr_indices()); \
  }                                                                                          \
  ARR_EXPORT void arr_fiber_##i(const arr_host::Range* arr_range) {                          \
    ARR_KERNEL(__VA_ARGS__)::arr_fiber(arr_range, &arr_body_##i);                            \
  }
#define ARR_ENTRY(refusal, loop_, fiber_, body_, name_, ...)                                 \
  {loop_, fiber_, body_, name_, ARR_KERNEL(__VA_ARGS__)::arr_count_args, ARR_KERNEL(__VA_ARGS__)::arr_bytes, \
   ARR_KERNEL(__VA_ARGS__)::arr_types, refusal}
// clang-format on

extern "C" {
extern const arr_host::Site __start_arr_site[] __attribute__((visibility("hidden")));
extern const arr_host::Site __stop_arr_site[] __attribute__((visibility("hidden")));
}
static void arr_bind(const arr_host::Runtime* runtime) { arr_runtime = runtime; }
// Never called. That something outside could is what makes a call of the runtime one that may change
// threadIdx, so that fibers' restores of it are kept; taking its address instead would let every pointer of
// the kernel alias it, and no loop would vectorise.
#ifndef ARR_FISSION
ARR_EXPORT void arr_set_thread_index(unsigned x, unsigned y, unsigned z) { threadIdx = {x, y, z}; }
#endif
#define ARR_IMAGE(n_entries, entries, n_variables, variables)                  \
  ARR_EXPORT const arr_host::Image arr_image = {                               \
      arr_host::abi_version, n_entries,       n_variables, entries, variables, \
      __start_arr_site,      __stop_arr_site, &arr_bind};
