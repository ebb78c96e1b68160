// SPDX-License-Identifier: MIT
// SuperLU 5 (BSD), opened at run time on first use: LU factors of sparse matrices with 32-bit integers.
#pragma once

#include <complex>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>

namespace arr::host {

// SuperLU's structs, by its public headers of version 5.
namespace superlu {

enum Stype : int { nc = 0, dn = 6 };
enum Trans : int { plain, transposed, conjugated };

struct Matrix {
  int stype = nc, dtype = 0, mtype = 0;  // mtype 0: general
  int rows = 0, columns = 0;
  void* store = nullptr;
};
struct Columns {  // SLU_NC
  int nnz = 0;
  void* values = nullptr;
  int *rows = nullptr, *pointers = nullptr;
};
struct Supernodes {  // SLU_SC
  int nnz, supernodes;
  void* values;
  int *value_pointers, *rows, *row_pointers, *supernode_of, *first_column;
};
struct Dense {  // SLU_DN
  int lda = 0;
  void* values = nullptr;
};
struct Options {
  int fact, equil, ordering, trans, refine;
  double diag_pivot_thresh;
  int symmetric, pivot_growth, condition, row_perm, drop_rule;
  double drop_tol, fill_factor;
  int norm;
  double fill_tol;
  int milu;
  double milu_dim;
  int rest[16];  // used by other libraries of this name only
};
inline constexpr int factor_anew = 0, same_pattern = 1;
struct Statistics {
  int* panels;
  double* seconds;
  float* operations;
  int tiny_pivots, refinements, expansions;
};
struct Growing {
  int *xsup = nullptr, *supno = nullptr, *lsub = nullptr, *xlsub = nullptr;
  void* lusup = nullptr;
  int* xlusup = nullptr;
  void* ucol = nullptr;
  int *usub = nullptr, *xusub = nullptr;
  int64_t rest[32] = {};  // sizes, expanders, a stack: SuperLU's own
};

}  // namespace superlu

// The functions of one element type.
template <class T>
struct SuperLu {
  using Real = typename std::conditional_t<std::is_floating_point_v<T>, std::complex<T>, T>::value_type;
  using Matrix = superlu::Matrix;
  using Factorize = void(superlu::Options*, Matrix* a, int relax, int panel, int* etree, void* work,
                         int lwork, int* perm_c, int* perm_r, Matrix* l, Matrix* u, superlu::Growing*,
                         superlu::Statistics*, int* info);
  Factorize* gstrf = nullptr;
  void (*gstrs)(int trans, Matrix* l, Matrix* u, int* perm_c, int* perm_r, Matrix* b, superlu::Statistics*,
                int* info) = nullptr;
  void (*gsequ)(Matrix* a, Real* r, Real* c, Real* rowcnd, Real* colcnd, Real* amax, int* info) = nullptr;
  void (*laqgs)(Matrix* a, Real* r, Real* c, Real rowcnd, Real colcnd, Real amax, char* equed) = nullptr;
};

struct SuperLuLibrary {
  using Matrix = superlu::Matrix;
  SuperLu<float> s;
  SuperLu<double> d;
  SuperLu<std::complex<float>> c;
  SuperLu<std::complex<double>> z;
  void (*get_perm_c)(int ordering, Matrix* a, int* perm_c) = nullptr;  // in one thread at a time
  void (*sp_preorder)(superlu::Options*, Matrix* a, int* perm_c, int* etree, Matrix* permuted) = nullptr;
  int (*sp_ienv)(int) = nullptr;
  void (*set_options)(superlu::Options*) = nullptr;
  void (*destroy_supernodes)(Matrix*) = nullptr;
  void (*destroy_columns)(Matrix*) = nullptr;
  void (*destroy_permuted)(Matrix*) = nullptr;
  void (*free)(void*) = nullptr;
  std::string report;  // a line per attempt
  [[nodiscard]] bool found() const { return free != nullptr; }

  template <class T>
  [[nodiscard]] const SuperLu<T>& of() const {
    if constexpr (std::is_same_v<T, float>)
      return s;
    else if constexpr (std::is_same_v<T, double>)
      return d;
    else if constexpr (std::is_same_v<T, std::complex<float>>)
      return c;
    else
      return z;
  }
};

// ARR_E_UNAVAILABLE with the loader's message if there is none.
const SuperLuLibrary& superlu_library();
// Held during get_perm_c, which has static variables.
std::mutex& superlu_ordering();

}  // namespace arr::host
