// SPDX-License-Identifier: MIT
// OpenBLAS for the fakes of cuBLAS and cuSOLVER, which compute by it.
#pragma once

#include <complex>
#include <string>
#include <type_traits>
#include <vector>

#include "state.h"

namespace arr::fake {

// A function of OpenBLAS, nullptr where it is not there.
void* openblas(const char* symbol);

// Calls "d" + name + "_" and so on for the type T; the arguments are LAPACK's, all of them addresses.
template <class T>
constexpr char letter = std::is_same_v<T, float>                 ? 's'
                        : std::is_same_v<T, double>              ? 'd'
                        : std::is_same_v<T, std::complex<float>> ? 'c'
                                                                 : 'z';
template <class T, class... Arguments>
CUresult lapack(const char* name, Arguments... arguments) {
  // After the arguments gfortran's lengths of up to three strings.
  using Function = void (*)(Arguments..., size_t, size_t, size_t);
  const std::string symbol = letter<T> + std::string(name) + "_";
  auto f = reinterpret_cast<Function>(openblas(symbol.c_str()));
  if (f == nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  f(arguments..., 1, 1, 1);
  return CUDA_SUCCESS;
}

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

// f(T{}) for the type of a cudaDataType.
template <class F>
CUresult by_type(cudaDataType type, F&& f) {
  switch (type) {
    case CUDA_R_32F:
      return f(float{});
    case CUDA_R_64F:
      return f(double{});
    case CUDA_C_32F:
      return f(std::complex<float>{});
    case CUDA_C_64F:
      return f(std::complex<double>{});
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}
inline int64_t bytes_of(cudaDataType type) { return type == CUDA_R_32F ? 4 : type == CUDA_C_64F ? 16 : 8; }

// Returns whether rows x columns elements with a leading dimension are in device memory.
inline bool matrix_on_device(const void* a, int64_t rows, int64_t columns, int64_t ld, int64_t item) {
  if (rows < 0 || columns < 0 || ld < std::max<int64_t>(rows, 1)) return false;
  if (rows == 0 || columns == 0) return true;
  return on_device(reinterpret_cast<uintptr_t>(a), static_cast<size_t>(((columns - 1) * ld + rows) * item));
}

}  // namespace arr::fake
