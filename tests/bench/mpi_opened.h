// SPDX-License-Identifier: MIT
// The MPI that libarr has opened, for benchmarks that call it beside libarr.
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ops/comm/mpi_library.h"
#include "timing.h"

inline void check(arr_status status) {
  if (status == ARR_OK) return;
  std::fprintf(stderr, "%s\n", arr_last_error());
  std::exit(1);
}

// The functions and constants of the library that libarr has opened.
inline arr::Mpi opened() {
  char text[1024];
  int64_t length = 0;
  check(arr_comm_mpi_library(sizeof text, text, &length));
  const std::string lines = text;
  arr::Mpi m;
  m.path = lines.substr(0, lines.find('\n'));
  m.abi = lines.find("standard ABI") != std::string::npos ? arr::MpiAbi::standard
          : lines.find("Open MPI") != std::string::npos   ? arr::MpiAbi::open_mpi
                                                          : arr::MpiAbi::mpich;
  void* library = dlopen(m.path.c_str(), RTLD_NOW);
#define ARR_MPI_FN(symbol, need, result, params) \
  m.symbol = reinterpret_cast<decltype(m.symbol)>(dlsym(library, #symbol));
#define ARR_MPI_COLLECTIVE(symbol, nonblocking, ...) \
  m.symbol = reinterpret_cast<decltype(m.symbol)>(dlsym(library, #symbol));
#define ARR_MPI_HANDLE(name, in_standard, in_mpich, in_open_mpi)        \
  m.name = m.abi == arr::MpiAbi::standard ? arr::MpiHandle{in_standard} \
           : m.abi == arr::MpiAbi::mpich  ? arr::MpiHandle{in_mpich}    \
                                          : reinterpret_cast<arr::MpiHandle>(dlsym(library, #in_open_mpi));
#include "ops/comm/mpi_api.def"
#undef ARR_MPI_FN
#undef ARR_MPI_COLLECTIVE
#undef ARR_MPI_HANDLE
  return m;
}

inline double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2), x.end());
  return x[x.size() / 2];
}
