// SPDX-License-Identifier: MIT
// Compute types of matrix products: the settings, their errors, and what reaches cuBLAS over the
// fake CUDA.
#include <dlfcn.h>

#include <complex>

#include "support.h"

namespace {

constexpr arr_dtype floats[] = {ARR_FLOAT16, ARR_BFLOAT16,  ARR_FLOAT32,
                                ARR_FLOAT64, ARR_COMPLEX64, ARR_COMPLEX128};

int32_t compute_type(arr_dtype d) {
  int32_t c = -1;
  EXPECT_EQ(arr_matmul_compute_type(d, &c), ARR_OK) << arr_last_error();
  return c;
}

bool goes_with(arr_dtype d, int32_t compute) {
  if (compute <= ARR_COMPUTE_PEDANTIC) return true;
  if (d == ARR_FLOAT32 || d == ARR_COMPLEX64) return true;
  return d == ARR_FLOAT16 && compute == ARR_COMPUTE_FLOAT16;
}

TEST(ComputeTypes, OfEachDtype) {
  for (arr_dtype d : floats) {
    for (int32_t c = ARR_COMPUTE_TF32; c >= ARR_COMPUTE_DEFAULT; --c) {
      const int32_t before = compute_type(d);
      EXPECT_EQ(arr_matmul_set_compute_type(d, c), goes_with(d, c) ? ARR_OK : ARR_E_ARGUMENT)
          << d << ' ' << c;
      EXPECT_EQ(compute_type(d), goes_with(d, c) ? c : before) << d << ' ' << c;
    }
  }
  // Each has its own.
  ARR_DOES(arr_matmul_set_compute_type(ARR_COMPLEX64, ARR_COMPUTE_BFLOAT16));
  EXPECT_EQ(compute_type(ARR_FLOAT32), ARR_COMPUTE_DEFAULT);
  EXPECT_EQ(compute_type(ARR_COMPLEX64), ARR_COMPUTE_BFLOAT16);
  ARR_DOES(arr_matmul_set_compute_type(ARR_COMPLEX64, ARR_COMPUTE_DEFAULT));
}

TEST(ComputeTypes, Errors) {
  EXPECT_EQ(arr_matmul_set_compute_type(ARR_FLOAT64, ARR_COMPUTE_TF32), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(),
               "arr_matmul_set_compute_type: argument compute: products of float64 are not computed by "
               "ARR_COMPUTE_TF32, expected DEFAULT or PEDANTIC");
  EXPECT_EQ(arr_matmul_set_compute_type(ARR_FLOAT16, ARR_COMPUTE_BFLOAT16), ARR_E_ARGUMENT);
  EXPECT_STREQ(arr_last_error(),
               "arr_matmul_set_compute_type: argument compute: products of float16 are not computed by "
               "ARR_COMPUTE_BFLOAT16, expected DEFAULT, PEDANTIC or FLOAT16");
  for (int32_t c : {-1, 5, 1 << 30}) {
    EXPECT_EQ(arr_matmul_set_compute_type(ARR_FLOAT32, c), ARR_E_ARGUMENT) << c;
  }
  EXPECT_STREQ(arr_last_error(),
               "arr_matmul_set_compute_type: argument compute: 1073741824 is not one of ARR_COMPUTE_...");
  EXPECT_EQ(arr_matmul_set_compute_type(ARR_INT32, ARR_COMPUTE_DEFAULT), ARR_E_DTYPE);
  EXPECT_STREQ(arr_last_error(),
               "arr_matmul_set_compute_type: argument dtype: products of int32 have no compute types");
  int32_t c = 77;
  EXPECT_EQ(arr_matmul_compute_type(ARR_BOOL, &c), ARR_E_DTYPE);
  EXPECT_EQ(arr_matmul_compute_type(99, &c), ARR_E_DTYPE);
  EXPECT_EQ(arr_matmul_compute_type(0, &c), ARR_E_DTYPE);
  EXPECT_EQ(c, 77);
  EXPECT_EQ(arr_matmul_compute_type(ARR_FLOAT32, nullptr), ARR_E_ARGUMENT);
}

class ComputeTypesOn : public arr_test::OnDevice {
 protected:
  void TearDown() override {
    only(0);
    for (arr_dtype d : floats) arr_matmul_set_compute_type(d, ARR_COMPUTE_DEFAULT);
  }
  // Makes the fake's products refuse all compute types but this one, a number of cublas_api.h; 0: none.
  void only(int64_t type) const {
    if (host()) return;
    void* fake = dlopen(ARR_FAKE_CUDA, RTLD_NOW | RTLD_NOLOAD);
    ASSERT_NE(fake, nullptr);
    reinterpret_cast<void (*)(const char*, int64_t)>(dlsym(fake, "arr_fake_cuda_set"))("compute", type);
    dlclose(fake);
  }
  // (1 + 2^-20) times 1, which nothing but float32 keeps.
  [[nodiscard]] arr_status product(float* result) const {
    const float x[2] = {1 + 0x1p-20F, 1};
    const int64_t shape[] = {1, 1};
    arr_array a = nullptr, b = nullptr, c = nullptr;
    EXPECT_EQ(arr_from_host(x, 4, ARR_FLOAT32, 2, shape, ARR_ORDER_C, &device, nullptr, &a), ARR_OK);
    EXPECT_EQ(arr_from_host(x + 1, 4, ARR_FLOAT32, 2, shape, ARR_ORDER_C, &device, nullptr, &b), ARR_OK);
    const arr_status s = arr_matmul(a, b, nullptr, &c);
    if (s == ARR_OK) {
      EXPECT_EQ(arr_get(c, ARR_ORDER_C, result, 4, nullptr), ARR_OK);
    }
    for (arr_array each : {a, b, c}) arr_release(each);
    return s;
  }
};

TEST_P(ComputeTypesOn, ReachCublas) {
  float x = 0;
  ARR_DOES(product(&x));  // opens the fake
  const int64_t numbers[] = {68, 69, 74, 75, 77};
  for (int32_t c = ARR_COMPUTE_DEFAULT; c <= ARR_COMPUTE_TF32; ++c) {
    ARR_DOES(arr_matmul_set_compute_type(ARR_FLOAT32, c));
    for (int64_t number : numbers) {
      only(number);
      const bool taken = host() || number == numbers[c];
      EXPECT_EQ(product(&x), taken ? ARR_OK : ARR_E_DEVICE) << c << ' ' << number;
    }
    // The host keeps every digit whatever was asked for.
    if (host()) {
      EXPECT_EQ(x, 1 + 0x1p-20F);
    }
  }
}

// Run a second time with ARR_TF32=1.
TEST_P(ComputeTypesOn, OfTheEnvironment) {
  const char* given = std::getenv("ARR_TF32");
  const bool tf32 = given != nullptr && std::string(given) == "1";
  for (arr_dtype d : floats) {
    const bool fast = tf32 && (d == ARR_FLOAT32 || d == ARR_COMPLEX64);
    EXPECT_EQ(compute_type(d), fast ? ARR_COMPUTE_TF32 : ARR_COMPUTE_DEFAULT) << d;
  }
  float x = 0;
  ARR_DOES(product(&x));
  only(tf32 ? 77 : 68);
  ARR_DOES(product(&x));
  // An explicit choice counts more.
  ARR_DOES(arr_matmul_set_compute_type(ARR_FLOAT32, ARR_COMPUTE_DEFAULT));
  only(68);
  ARR_DOES(product(&x));
  EXPECT_EQ(x, 1 + 0x1p-20F);
}

ARR_ON_DEVICES(ComputeTypesOn);

}  // namespace
