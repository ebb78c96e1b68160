// SPDX-License-Identifier: MIT
// Looks LAPACK's functions up in OpenBLAS.
#include "host/libraries/lapack.h"

#include "base/dynamic_library.h"
#include "base/error.h"

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
  std::string missing;  // the first function that is not there
};

template <class T>
Found<T> look_up(void* library) {
  Found<T> f;
  SymbolTable symbols(library, std::string(1, prefix<T>), "_");
  Lapack<T>& t = f.table;
  symbols.require(&t.getrf, "getrf");
  symbols.require(&t.getrs, "getrs");
  symbols.require(&t.getri, "getri");
  symbols.require(&t.potrf, "potrf");
  symbols.require(&t.trtrs, "trtrs");
  symbols.require(&t.geqrf, "geqrf");
  symbols.require(&t.orgqr, Lapack<T>::complex ? "ungqr" : "orgqr");
  symbols.require(&t.sytrd, Lapack<T>::complex ? "hetrd" : "sytrd");
  if constexpr (!Lapack<T>::complex) {
    symbols.require(&t.stedc, "stedc");
    symbols.require(&t.steqr, "steqr");
    symbols.require(&t.laed2, "laed2");
    symbols.require(&t.laed4, "laed4");
    symbols.require(&t.lamrg, "lamrg");
  }
  symbols.require(&t.gesdd, "gesdd");
  symbols.require(&t.syevd, Lapack<T>::complex ? "heevd" : "syevd");
  symbols.require(&t.geev, "geev");
  f.missing = symbols.missing();
  return f;
}

template <class T>
const Found<T>& found() {
  static const auto* f = new Found<T>(look_up<T>(blas().library));
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
    fail(ARR_E_UNAVAILABLE, "this OpenBLAS has no LAPACK: ", f.missing, " is not in it");
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
