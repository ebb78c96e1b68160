// SPDX-License-Identifier: MIT
// Looks up the functions of OpenBLAS, BLIS, MKL, FlexiBLAS and the reference BLAS, with 32-bit and 64-bit
// integers.
#include "host/libraries/blas_variants.h"

#include <cstdint>
#include <string_view>

#include "base/dynamic_library.h"

namespace arr::host {

namespace {

// Names are prefix + cblas_sgemm + suffix and prefix + sgetrf + lapack_suffix.
struct Variant {
  const char *name, *prefix, *suffix, *lapack_suffix;
  const char *set_threads, *get_threads;  // with prefix and suffix; nullptr: always one thread
};
constexpr Variant variants[] = {
    {"OpenBLAS", "", "", "_", "openblas_set_num_threads", "openblas_get_num_threads"},
    {"OpenBLAS", "", "64_", "_64_", "openblas_set_num_threads", "openblas_get_num_threads"},
    // Names as in the wheels of NumPy and SciPy.
    {"OpenBLAS", "scipy_", "", "_", "openblas_set_num_threads", "openblas_get_num_threads"},
    {"OpenBLAS", "scipy_", "64_", "_64_", "openblas_set_num_threads", "openblas_get_num_threads"},
    {"MKL", "", "", "_", "MKL_Set_Num_Threads", "MKL_Get_Max_Threads"},
    {"BLIS", "", "", "_", "bli_thread_set_num_threads", "bli_thread_get_num_threads"},
    {"FlexiBLAS", "", "", "_", "flexiblas_set_num_threads", "flexiblas_get_num_threads"},
    {"BLAS", "", "", "_", nullptr, nullptr},
};

// Adapts a product with 64-bit integers to the signature with 32-bit integers. `Which` distinguishes
// functions of one signature.
template <int Which, class Factor, class Element>
struct Wide {
  static inline void (*wide)(int, int, int, int64_t, int64_t, int64_t, Factor, const Element*, int64_t,
                             const Element*, int64_t, Factor, Element*, int64_t) = nullptr;
  static void call(int order, int ta, int tb, int m, int n, int k, Factor alpha, const Element* a, int lda,
                   const Element* b, int ldb, Factor beta, Element* c, int ldc) {
    wide(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  }
};

// The same for a matrix and a vector.
template <int Which, class Factor, class Element>
struct WideVector {
  static inline void (*wide)(int, int, int64_t, int64_t, Factor, const Element*, int64_t, const Element*,
                             int64_t, Factor, Element*, int64_t) = nullptr;
  static void call(int order, int ta, int m, int n, Factor alpha, const Element* a, int lda, const Element* x,
                   int incx, Factor beta, Element* y, int incy) {
    wide(order, ta, m, n, alpha, a, lda, x, incx, beta, y, incy);
  }
};

// BLIS counts threads by 64-bit integers.
struct BlisThreads {
  static inline void (*set)(int64_t) = nullptr;
  static inline int64_t (*get)() = nullptr;
  static void set_threads(int n) { set(n); }
  static int get_threads() { return static_cast<int>(get()); }
};

void set_one_thread(int) {}
int one_thread() { return 1; }

// True if integers have 64 bits, for libraries whose function names do not show it.
bool wide_integers(const SymbolTable& symbols, const Blas& b) {
  if (const auto size = reinterpret_cast<int64_t (*)()>(symbols.find("bli_info_get_blas_int_type_size"))) {
    return size() == 64;
  }
  return b.config.find("USE64BITINT") != std::string::npos;
}

void read_threads(SymbolTable* symbols, const Variant& v, Blas* b) {
  if (v.set_threads == nullptr) {
    b->set_threads = set_one_thread;
    b->get_threads = one_thread;
  } else if (std::string_view(v.name) == "BLIS") {
    symbols->require(&BlisThreads::set, v.set_threads);
    symbols->require(&BlisThreads::get, v.get_threads);
    b->set_threads = BlisThreads::set_threads;
    b->get_threads = BlisThreads::get_threads;
  } else {
    symbols->require(&b->set_threads, v.set_threads);
    symbols->require(&b->get_threads, v.get_threads);
  }
}

// OpenBLAS has kernels for small matrices on processors with AVX-512 only (0.3.21, in DYNAMIC_ARCH builds).
bool has_small_kernels(SymbolTable* symbols) {
  const auto core = reinterpret_cast<char* (*)()>(symbols->find("openblas_get_corename"));
  if (core == nullptr) return false;
  const std::string_view name = core();
  return name == "SkylakeX" || name == "Cooperlake" || name == "SapphireRapids";
}

template <int Which, class Factor, class Element>
void read_product(SymbolTable* symbols, const char* name, bool wide,
                  void (**product)(int, int, int, int, int, int, Factor, const Element*, int, const Element*,
                                   int, Factor, Element*, int)) {
  using Adapter = Wide<Which, Factor, Element>;
  if (!wide) return symbols->require(product, name);
  symbols->require(&Adapter::wide, name);
  *product = Adapter::call;
}

template <int Which, class Factor, class Element>
void read_product(SymbolTable* symbols, const char* name, bool wide,
                  void (**product)(int, int, int, int, Factor, const Element*, int, const Element*, int,
                                   Factor, Element*, int)) {
  using Adapter = WideVector<Which, Factor, Element>;
  if (!wide) return symbols->require(product, name);
  symbols->require(&Adapter::wide, name);
  *product = Adapter::call;
}

// Returns the first function that is missing.
std::string read_variant(void* library, const Variant& v, Blas* b) {
  SymbolTable symbols(library, v.prefix, v.suffix);
  b->name = v.name;
  b->lapack_prefix = v.prefix;
  b->lapack_suffix = v.lapack_suffix;
  if (const auto config = reinterpret_cast<char* (*)()>(symbols.find("openblas_get_config")))
    b->config = config();
  b->small_kernels = has_small_kernels(&symbols);
  b->wide = std::string_view(v.suffix) == "64_" || wide_integers(symbols, *b);
  read_threads(&symbols, v, b);
  read_product<0>(&symbols, "cblas_sgemm", b->wide, &b->sgemm);
  read_product<1>(&symbols, "cblas_dgemm", b->wide, &b->dgemm);
  read_product<2>(&symbols, "cblas_cgemm", b->wide, &b->cgemm);
  read_product<3>(&symbols, "cblas_zgemm", b->wide, &b->zgemm);
  read_product<0>(&symbols, "cblas_sgemv", b->wide, &b->sgemv);
  read_product<1>(&symbols, "cblas_dgemv", b->wide, &b->dgemv);
  read_product<2>(&symbols, "cblas_cgemv", b->wide, &b->cgemv);
  read_product<3>(&symbols, "cblas_zgemv", b->wide, &b->zgemv);
  return symbols.missing();
}

}  // namespace

std::string read_blas(void* library, Blas* table) {
  std::string missing;
  for (const Variant& v : variants) {
    Blas b = *table;
    missing = read_variant(library, v, &b);
    if (!missing.empty()) continue;
    b.threads = static_cast<int*>(SymbolTable(library).find("blas_cpu_number"));
    b.library = library;
    *table = b;
    return {};
  }
  return missing;
}

}  // namespace arr::host
