// SPDX-License-Identifier: MIT
// Looks LAPACK's functions up in OpenBLAS.
#include "host/libraries/lapack.h"

#include <dlfcn.h>

#include "base/error.h"
#include "host/host.h"

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
  auto find = [&](auto* function, const char* name) {
    const std::string symbol = prefix<T> + (std::string(name) + "_");
    *function = reinterpret_cast<std::remove_pointer_t<decltype(function)>>(dlsym(library, symbol.c_str()));
    if (*function == nullptr && f.missing.empty()) f.missing = symbol;
  };
  Lapack<T>& t = f.table;
  find(&t.getrf, "getrf");
  find(&t.getrs, "getrs");
  find(&t.getri, "getri");
  find(&t.potrf, "potrf");
  find(&t.trtrs, "trtrs");
  find(&t.geqrf, "geqrf");
  find(&t.orgqr, Lapack<T>::complex ? "ungqr" : "orgqr");
  find(&t.sytrd, Lapack<T>::complex ? "hetrd" : "sytrd");
  if constexpr (!Lapack<T>::complex) {
    find(&t.stedc, "stedc");
    find(&t.steqr, "steqr");
    find(&t.laed2, "laed2");
    find(&t.laed4, "laed4");
    find(&t.lamrg, "lamrg");
  }
  find(&t.gesdd, "gesdd");
  find(&t.syevd, Lapack<T>::complex ? "heevd" : "syevd");
  find(&t.geev, "geev");
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
