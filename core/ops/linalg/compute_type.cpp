// SPDX-License-Identifier: MIT
#include "ops/linalg/compute_type.h"

#include <atomic>

#include "base/environment.h"

namespace arr {

namespace {

constexpr const char* type_names[] = {"DEFAULT", "PEDANTIC", "FLOAT16", "BFLOAT16", "TF32"};

constexpr uint32_t bit(MatmulCompute c) { return 1U << static_cast<uint32_t>(c); }
constexpr uint32_t always = bit(MatmulCompute::standard) | bit(MatmulCompute::pedantic);

// The compute types of a dtype, as bits; 0 if cuBLAS does not multiply it.
uint32_t choices(DType d) {
  switch (d) {
    case DType::float16_:
      return always | bit(MatmulCompute::float16);
    case DType::float32_:
    case DType::complex64_:
      return always | bit(MatmulCompute::float16) | bit(MatmulCompute::bfloat16) | bit(MatmulCompute::tf32);
    case DType::bfloat16_:
    case DType::float64_:
    case DType::complex128_:
      return always;
    default:
      return 0;
  }
}

uint32_t choices_of(DType d) {
  const uint32_t all = choices(d);
  if (all == 0) fail(ARR_E_DTYPE, "argument dtype: products of ", name(d), " have no compute types");
  return all;
}

// The selected type plus 1; 0 if none is selected.
std::atomic<int32_t>& chosen(DType d) {
  static std::atomic<int32_t> all[dtype_limit];
  return all[static_cast<size_t>(d)];
}

bool tf32_requested() {
  static const bool on = environment_flag("ARR_TF32");
  return on;
}

}  // namespace

MatmulCompute matmul_compute(DType d) {
  const int32_t c = chosen(d).load(std::memory_order_relaxed);
  if (c != 0) return static_cast<MatmulCompute>(c - 1);
  const bool tf32 = (choices(d) & bit(MatmulCompute::tf32)) != 0 && tf32_requested();
  return tf32 ? MatmulCompute::tf32 : MatmulCompute::standard;
}

MatmulCompute matmul_compute_of(DType d) {
  choices_of(d);
  return matmul_compute(d);
}

void set_matmul_compute(DType d, int32_t number) {
  const uint32_t all = choices_of(d);
  if (number < ARR_COMPUTE_DEFAULT || number > ARR_COMPUTE_TF32) {
    fail(ARR_E_ARGUMENT, "argument compute: ", number, " is not one of ARR_COMPUTE_...");
  }
  if ((all >> static_cast<uint32_t>(number) & 1U) == 0) {
    fail(ARR_E_ARGUMENT, "argument compute: products of ", name(d), " are not computed by ARR_COMPUTE_",
         type_names[number], ", expected DEFAULT",
         d == DType::float16_ ? ", PEDANTIC or FLOAT16" : " or PEDANTIC");
  }
  chosen(d).store(number + 1, std::memory_order_relaxed);
}

}  // namespace arr
