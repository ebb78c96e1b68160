// SPDX-License-Identifier: MIT
// Looks up LAPACK's functions, in the BLAS library or in a separate one.
#include "host/libraries/lapack.h"

#include <memory>
#include <type_traits>

#include "base/dynamic_library.h"
#include "base/error.h"
#include "host/libraries/wide_lapack.h"

namespace arr::host {

namespace {

template <class T>
constexpr char prefix = 's';
template <>
constexpr char prefix<double> = 'd';
template <>
constexpr char prefix<std::complex<float>> = 'c';
template <>
constexpr char prefix<std::complex<double>> = 'z';

template <class T>
struct Found {
  Lapack<T> table;
  std::string missing;  // the first missing function
};

// Sets functions of a table, with 32-bit or 64-bit integers.
template <class T>
class Reader {
 public:
  Reader(void* library, const Blas& b, Lapack<T>* table)
      : symbols_(library, b.lapack_prefix + prefix<T>, b.lapack_suffix), wide_(b.wide), table_(table) {}

  template <auto Member, IntegersOf integers = integers_of::numbers>
  void read(const char* name) {
    using Function = std::remove_reference_t<decltype(table_->*Member)>;
    using Wide = WideLapack<Member, integers, Function>;
    if (!wide_) return symbols_.require(&(table_->*Member), name);
    symbols_.require(&Wide::wide, name);
    table_->*Member = Wide::call;
  }
  [[nodiscard]] std::string missing() const { return symbols_.missing(); }

 private:
  SymbolTable symbols_;
  bool wide_;
  Lapack<T>* table_;
};

template <class T>
Found<T> look_up(void* library, const Blas& b) {
  using L = Lapack<T>;
  constexpr bool complex = L::complex;
  Found<T> f;
  Reader<T> r(library, b, &f.table);
  r.template read<&L::getrf, integers_of::getrf>("getrf");
  r.template read<&L::getrs, integers_of::getrs>("getrs");
  r.template read<&L::getri, integers_of::getri>("getri");
  r.template read<&L::potrf>("potrf");
  r.template read<&L::gbsv, integers_of::gbsv>("gbsv");
  r.template read<&L::pbsv>("pbsv");
  r.template read<&L::trtrs>("trtrs");
  r.template read<&L::geqrf>("geqrf");
  r.template read<&L::orgqr>(complex ? "ungqr" : "orgqr");
  r.template read<&L::ormqr>(complex ? "unmqr" : "ormqr");
  r.template read<&L::sytrf, integers_of::sytrf>(complex ? "hetrf" : "sytrf");
  r.template read<&L::sytrd>(complex ? "hetrd" : "sytrd");
  if constexpr (!complex) {
    r.template read<&L::stedc, integers_of::stedc>("stedc");
  } else {
    r.template read<&L::gees>("gees");
  }
  r.template read<&L::gesdd, complex ? integers_of::gesdd_complex : integers_of::gesdd_real>("gesdd");
  r.template read<&L::syevd, complex ? integers_of::syevd_complex : integers_of::syevd_real>(
      complex ? "heevd" : "syevd");
  r.template read<&L::geev>("geev");
  f.missing = r.missing();
  return f;
}

// The library with LAPACK, and a report of the attempts. Reference BLAS and BLIS have LAPACK in a separate
// library.
struct Location {
  void* library = nullptr;
  std::string report;
};
const Location& location() {
  static const auto* found = [] {
    auto p = std::make_unique<Location>();
    const Blas& b = blas();
    const std::string path = library_path("ARR_LAPACK", "", &p->report);
    const bool within = SymbolTable(b.library, b.lapack_prefix, b.lapack_suffix).find("dgetrf") != nullptr;
    if (path.empty() && within) {
      p->library = b.library;
      return p.release();
    }
    std::string why;
    p->library = open_dynamic_library(path.empty() ? "liblapack.so.3" : path, &why);
    p->report += p->library == nullptr ? why + "\n" : "";
    return p.release();
  }();
  return *found;
}

template <class T>
const Found<T>& found() {
  static const auto* f = new Found<T>(look_up<T>(location().library, blas()));
  return *f;
}

template <class T>
std::string missing() {
  return found<T>().missing;
}

}  // namespace

template <class T>
const Lapack<T>& lapack() {
  const Found<T>& f = found<T>();
  if (!f.missing.empty())
    fail(ARR_E_UNAVAILABLE, "no LAPACK works here: no function ", f.missing, "; ",
         one_line(location().report),
         "; install OpenBLAS (Debian: libopenblas0-pthread), or name a library in ARR_LAPACK");
  return f.table;
}

template const Lapack<float>& lapack();
template const Lapack<double>& lapack();
template const Lapack<std::complex<float>>& lapack();
template const Lapack<std::complex<double>>& lapack();

bool blas_report(std::string* report) {
  const Blas& b = blas_library();
  *report += b.report;
  if (!b.found()) return false;
  *report += location().report;
  for (const std::string& symbol : {missing<float>(), missing<double>(), missing<std::complex<float>>(),
                                    missing<std::complex<double>>()}) {
    if (symbol.empty()) continue;
    *report += "LAPACK: no function " + symbol + "\n";
    return true;
  }
  *report += "LAPACK: works\n";
  return true;
}

}  // namespace arr::host
