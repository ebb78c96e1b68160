// SPDX-License-Identifier: MIT
#include "hostcuda/source/formulas.h"

#include "bessel_formulas.h"
#include "complex_formulas.h"
#include "elementary_formulas.h"
#include "generator_formulas.h"
#include "libm_formulas.h"
#include "lookup_formulas.h"
#include "math_formulas.h"
#include "random_formulas.h"
#include "rejection_formulas.h"
#include "scalar_formulas.h"
#include "special_formulas.h"
#include "special_text.h"

namespace arr::host_kernels {

std::string formulas_text(const FormulaUse& use) {
  if (!use.special && !use.random && !use.complex) return {};
  std::string out = "namespace arr_formulas {\n";
  for (const auto& part : {scalar_formulas, libm_formulas, math_formulas, elementary_formulas}) out += part;
  if (use.complex) out += complex_formulas;
  if (use.special || use.random)
    for (const auto& part : {bessel_formulas, special_formulas}) out += part;
  if (use.random)
    for (const auto& part : {lookup_formulas, random_formulas, generator_formulas, rejection_formulas})
      out += part;
  out += "}\n";
  // Kernels of pieces have some of the same text in another namespace: so no include guard stays.
  for (const char* guard :
       {"SCALAR", "LIBM", "MATH", "ELEMENTARY", "COMPLEX", "LOOKUP", "RANDOM", "BIT_GENERATORS", "REJECTION"})
    out += std::string("#undef ARR_MATH_") + guard + "_H\n";
  if (use.special) out += special_text;
  return out;
}

}  // namespace arr::host_kernels
